//! Steps of a batch, and the motion of nodes after them.

use crate::batch::options;
use crate::many::{Rows, bits};
use supple::batch::{Batch, BatchError, InstanceError, NODE_MOTION, StepScheme, Steps};
use supple::integrate::{Scheme, Simulation, Stepping};
use supple::testkit::{ChainOptions, Prepared, RandomOptions, random_system, relative_difference, serial_chain};
use supple::{BodyIndex, DynamicsError, Inputs, NodeIndex, State, Workspace, kinematics};

#[test]
fn steps_do_not_depend_on_threads_or_neighbours() {
    for seed in 0_u64..12 {
        let (system, random) = random_system(seed, &RandomOptions { closures: 0, ..options(seed) });
        let at = Prepared::new(&system, &random);
        let start = Rows::new(&at, 9, seed);
        let mut alone = Batch::new(&at.model, 1).unwrap();
        for threads in 1..=3 {
            let (mut rows, mut batch) = (start.clone(), Batch::new(&at.model, threads).unwrap());
            let mut singles: Vec<Rows> = (0..9).map(|i| start.only(&at.model, i)).collect();
            for _ in 0..3 {
                let (states, forces) = rows.step_in_place();
                batch.step(states, forces, 1e-4).unwrap();
                for one in &mut singles {
                    let (states, forces) = one.step_in_place();
                    alone.step(states, forces, 1e-4).unwrap();
                }
            }
            assert_ne!(rows.bits(), start.bits());
            for (i, one) in singles.iter().enumerate() {
                assert_eq!(rows.only(&at.model, i).bits(), one.bits(), "seed {seed}, {threads} threads, instance {i}");
            }
        }
    }
}

/// The same scheme elsewhere in the crate: equal up to rounding.
#[test]
fn steps_are_those_of_the_simulation() {
    for seed in 0_u64..12 {
        let (system, random) = random_system(seed, &RandomOptions { closures: 0, ..options(seed) });
        let at = Prepared::new(&system, &random);
        let mut rows = Rows::new(&at, 2, seed);
        let start = rows.instance(&at.model, 1);
        let (h, count) = (1e-4, 5);
        let forces = start.inputs.forces.clone();
        let drive = move |_: &State, inputs: &mut Inputs| inputs.forces.copy_from_slice(&forces);
        let stepping = Stepping::Fixed(h);
        let mut run = Simulation::new(&at.model, start.state.clone(), drive, Scheme::RungeKutta4, stepping).unwrap();
        run.advance(start.state.time + h * f64::from(count)).unwrap();
        let mut batch = Batch::new(&at.model, 1).unwrap();
        for _ in 0..count {
            let (states, forces) = rows.step_in_place();
            batch.step(states, forces, h).unwrap();
        }
        let found = rows.instance(&at.model, 1).state;
        let difference = relative_difference(&found.coordinates[..], &run.state().coordinates[..]);
        assert!(difference < 1e-12, "seed {seed}: {difference:e}");
        let difference = relative_difference(&found.speeds[..], &run.state().speeds[..]);
        assert!(difference < 1e-11, "seed {seed}: {difference:e}");
    }
}

/// With short steps the schemes agree as their order says; with steps beyond what Runge-Kutta bears for the modes, linearly implicit ones stay bounded.
#[test]
fn linearly_implicit_steps_bear_stiff_modes() {
    let (system, random) = serial_chain(2, 4, &ChainOptions { frequency: 100.0, ..ChainOptions::default() });
    let at = Prepared::new(&system, &random);
    let mut batch = Batch::new(&at.model, 2).unwrap();
    let mut advance = |is_implicit: bool, step: f64, count: usize| {
        let mut rows = Rows::new(&at, 3, 1);
        let Rows { coordinates, speeds, forces, .. } = &mut rows;
        [coordinates, speeds, forces].into_iter().flatten().for_each(|x| *x *= 1e-3);
        let done = (0..count).try_for_each(|_| {
            let (states, forces) = rows.step_in_place();
            match is_implicit {
                true => batch.linearly_implicit_step(states, forces, step),
                false => batch.step(states, forces, step),
            }
        });
        done.map(|()| rows.instance(&at.model, 2).state.speeds)
    };
    // Both are of order four, so their difference falls 16 times when steps are halved.
    let mut difference = |step: f64, count: usize| {
        let [implicit, explicit] = [true, false].map(|is_implicit| advance(is_implicit, step, count).unwrap());
        relative_difference(&implicit[..], &explicit[..])
    };
    let (coarse, fine) = (difference(1e-4, 10), difference(5e-5, 20));
    assert!((13.0..19.0).contains(&(coarse / fine)), "{coarse:e} and {fine:e}");
    // The fastest mode of a beam alone has ω = 1,600 rad/s: ω h = 8.
    let is_bounded = |speeds: Vec<f64>| speeds.iter().all(|speed| speed.abs() < 10.0);
    let [implicit, explicit] = [true, false].map(|is_implicit| advance(is_implicit, 5e-3, 100));
    assert!(implicit.is_ok_and(is_bounded));
    assert!(!explicit.is_ok_and(is_bounded));
}

#[test]
fn a_step_that_fails_leaves_the_state() {
    let (system, random) = random_system(11, &RandomOptions::default());
    let at = Prepared::new(&system, &random);
    let n = at.model.speed_count();
    let start = Rows::new(&at, 6, 3);
    let (mut sound, mut rows) = (start.clone(), start.clone());
    rows.forces[4 * n] = f64::NAN;
    let mut batch = Batch::new(&at.model, 2).unwrap();
    let (states, forces) = sound.step_in_place();
    batch.step(states, forces, 1e-3).unwrap();
    let (states, forces) = rows.step_in_place();
    let error = batch.step(states, forces, 1e-3).unwrap_err();
    let culprit = DynamicsError::NotFinite { quantity: "forces", index: 0 };
    assert_eq!(error, BatchError::Instances(vec![InstanceError { instance: 4, error: culprit }]));
    for i in 0..6 {
        let expected = if i == 4 { &start } else { &sound };
        assert_eq!(rows.only(&at.model, i).bits(), expected.only(&at.model, i).bits(), "instance {i}");
    }
}

/// Several steps in one call are as many calls, also with closures; an instance that fails in a later step keeps the state before the first.
#[test]
fn several_steps_are_as_many_calls() {
    for (seed, scheme) in (0_u64..12).zip([StepScheme::RungeKutta, StepScheme::LinearlyImplicit].into_iter().cycle()) {
        let (system, random) = random_system(seed, &options(seed));
        let at = Prepared::new(&system, &random);
        let start = Rows::new(&at, 9, seed);
        let mut batch = Batch::new(&at.model, 2).unwrap();
        let (mut together, mut one_by_one) = (start.clone(), start.clone());
        let (states, forces) = together.step_in_place();
        let together_done = batch.steps(states, forces, Steps { scheme, length: 1e-4, count: 5 });
        for _ in 0..5 {
            let (states, forces) = one_by_one.step_in_place();
            let done = match scheme {
                StepScheme::RungeKutta => batch.step(states, forces, 1e-4),
                _ => batch.linearly_implicit_step(states, forces, 1e-4),
            };
            assert_eq!(done.is_ok(), together_done.is_ok(), "seed {seed}: {done:?}");
        }
        assert_eq!(together.bits(), one_by_one.bits(), "seed {seed}");
    }
    let (system, random) = serial_chain(2, 4, &ChainOptions { frequency: 100.0, ..ChainOptions::default() });
    let at = Prepared::new(&system, &random);
    let n = at.model.speed_count();
    let mut batch = Batch::new(&at.model, 1).unwrap();
    let mut advanced = |start: &Rows, count: usize| {
        let mut rows = start.clone();
        let (states, forces) = rows.step_in_place();
        let done = batch.steps(states, forces, Steps { scheme: StepScheme::RungeKutta, length: 1e-6, count });
        (rows, done)
    };
    // A speed that the first step bears, and some later one does not.
    let spinning = |speed: f64| {
        let mut rows = Rows::new(&at, 5, 1);
        rows.speeds[3 * n] = speed;
        rows
    };
    let speeds = (0..16).map(|i| 1e5 * 3_f64.powi(i));
    let found = speeds.map(spinning).find(|rows| advanced(rows, 1).1.is_ok() && advanced(rows, 60).1.is_err());
    let fast = found.expect("a speed that a later step does not bear");
    let (rows, done) = advanced(&fast, 60);
    let Err(BatchError::Instances(failed)) = done else { panic!("{done:?}") };
    assert_eq!(failed.iter().map(|failed| failed.instance).collect::<Vec<_>>(), [3]);
    for i in 0..5 {
        let moved = rows.only(&at.model, i).bits() != fast.only(&at.model, i).bits();
        assert_eq!(moved, i != 3, "instance {i}");
    }
}

#[test]
fn motions_of_nodes_are_those_of_the_scalar_call() {
    for seed in 0_u64..12 {
        let (system, random) = random_system(seed, &options(seed));
        let at = Prepared::new(&system, &random);
        let rows = Rows::new(&at, 9, seed);
        let nodes = [(BodyIndex(at.model.body_count() - 1), NodeIndex(0)), (BodyIndex(0), NodeIndex(0))];
        let mut found = vec![f64::NAN; 9 * 2 * NODE_MOTION];
        let mut batch = Batch::new(&at.model, 2).unwrap();
        batch.node_motions(rows.states(&at.model, 9), &nodes, &mut found).unwrap();
        let mut workspace = Workspace::new(&at.model);
        for (i, row) in found.chunks(2 * NODE_MOTION).enumerate() {
            let state = rows.instance(&at.model, i).state;
            let one = kinematics(&at.model, &state, &mut workspace).unwrap();
            let numbers = nodes.iter().flat_map(|&(body, node)| {
                let velocity = one.node_velocity(body, node);
                [one.node_position(body, node).0, velocity.angular.0, velocity.linear.0].into_iter().flatten()
            });
            assert_eq!(bits(row), bits(&numbers.collect::<Vec<f64>>()), "seed {seed}, instance {i}");
        }
    }
    let (system, random) = random_system(11, &RandomOptions::default());
    let at = Prepared::new(&system, &random);
    let rows = Rows::new(&at, 2, 1);
    let mut short = vec![0.0; NODE_MOTION];
    let mut batch = Batch::new(&at.model, 1).unwrap();
    let error = batch.node_motions(rows.states(&at.model, 2), &[(BodyIndex(0), NodeIndex(0))], &mut short).unwrap_err();
    assert_eq!(error, BatchError::WrongSize { quantity: "motions of nodes", found: 9, expected: 18 });
}
