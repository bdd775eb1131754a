//! Instances that are given their steps.

use crate::stand_in::runs_here;
use crate::verbs::{difference, tree};
use supple::batch::{BatchError, StepScheme};
use supple_compile::{DrivenStep, Family};
use supple_gpu::{Driven, GpuError, Place};

/// Each makes as many steps as it is given, by what acts on it alone; one whose numbers are none stays where it was.
#[test]
fn instances_make_steps_of_their_own() {
    if !runs_here("driven::instances_make_steps_of_their_own") {
        return;
    }
    let at = tree(3);
    let family = Family::new(std::slice::from_ref(&at.model)).unwrap();
    let acting = vec![true; at.model.speed_count()];
    let program = DrivenStep::new(StepScheme::RungeKutta, &at.model, (&at.state, &at.inputs), &acting);
    let recorded = family.step(&program, (&at.state, 1e-3)).unwrap().scheduled();
    let Place::Cuda { device, .. } = Place::cuda(0).unwrap() else { unreachable!() };
    let step = Driven::new(&device, &recorded, program.width()).unwrap();
    let attitudes: Vec<f64> = at.state.attitudes.iter().flat_map(|attitude| attitude.0).collect();
    let start = [&at.state.coordinates[..], &attitudes, &at.state.speeds].concat();
    let given = |length: f64, factor: f64| {
        let mut list = vec![length];
        let mut inputs = at.inputs.clone();
        inputs.forces.iter_mut().for_each(|force| *force *= factor);
        program.places().iter().for_each(|_| program.write(&inputs, &mut list));
        list
    };
    let alone = |state: &[f64], given: &[f64]| {
        let mut end = vec![0.0; state.len()];
        recorded.interpreter().run(&[state, given].concat(), &mut end).unwrap();
        end
    };
    let lists = [[given(1e-3, 1.0), given(2e-3, -3.0)].concat(), given(1e-3, 2.0), given(1e-3, f64::NAN)];
    let mut fleet = step.fleet(3, &start.repeat(3), &[]).unwrap();
    fleet.advance(&lists).unwrap();
    let first = alone(&alone(&start, &given(1e-3, 1.0)), &given(2e-3, -3.0));
    let expected = [first, alone(&start, &lists[1]), start.clone()];
    let states = fleet.states().unwrap();
    for (found, expected) in states.chunks(start.len()).zip(&expected) {
        assert!(difference(found, expected) < 1e-12, "{:e}", difference(found, expected));
    }
    let outcomes = fleet.outcomes().unwrap();
    assert_eq!(outcomes.iter().map(|outcome| outcome.steps).collect::<Vec<_>>(), [2, 1, 0]);
    assert_eq!(outcomes.iter().map(|outcome| outcome.failed.is_some()).collect::<Vec<_>>(), [false, false, true]);

    // The same steps for all are copied once.
    fleet.advance(&[&lists[1], &lists[1], &lists[1]]).unwrap();
    let again = fleet.states().unwrap();
    for (k, found) in again.chunks(start.len()).enumerate().take(2) {
        assert!(difference(found, &alone(&expected[k], &lists[1])) < 1e-12, "{k}");
    }
    assert_eq!(&again[2 * start.len()..], start);
    assert_eq!(fleet.outcomes().unwrap()[0].steps, 3);

    let refused = |told: Result<(), GpuError>| matches!(told, Err(GpuError::Batch(BatchError::WrongSize { .. })));
    assert!(refused(fleet.advance(&lists[..2])), "too few");
    assert!(refused(fleet.advance(&[&lists[0][1..], &[], &[]])), "not whole");
    assert!(refused(step.fleet(2, &start, &[]).map(|_| ())), "one state for two");
    assert!(refused(step.fleet(1, &start, &[1.0]).map(|_| ())), "numbers that the step does not have");
}
