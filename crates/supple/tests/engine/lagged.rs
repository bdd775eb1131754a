//! Forward dynamics with quantities of the last step: exact where nothing moves, of first order in the step size where something does.

use crate::counting_allocator::allocations;
use crate::motions::{free, tolerance as stepping};
use supple::integrate::{Scheme, Simulation};
use supple::testkit::{
    ChainOptions, Prepared, RandomOptions, Worst, random_system, relative_difference, serial_chain, tolerance,
};
use supple::{DynamicsError, LaggedDynamics, Model, State, Workspace, forward_dynamics};

fn cases(count: u64) -> impl Iterator<Item = (u64, Prepared, f64)> {
    (0..count).map(|seed| {
        let options = RandomOptions {
            constant_terms: seed % 4 == 1,
            orthogonal_modes: seed.is_multiple_of(3),
            second_order: seed % 5 > 2,
            elements: seed % 2 == 1,
            ..RandomOptions::default()
        };
        let (system, random) = random_system(seed, &options);
        (seed, Prepared::new(&system, &random), tolerance(random.answer(&system).condition()))
    })
}

fn depth(model: &Model) -> usize {
    let path = |body| std::iter::successors(Some(body), |body| model.parent(*body)).count();
    model.body_indices().map(path).max().unwrap()
}

/// The first call, and twice as many calls as there are bodies on the longest path after forces have jumped.
#[test]
fn what_does_not_change_is_exact() {
    let mut worst = Worst::new();
    for (seed, mut at, allowed) in cases(300) {
        let mut ws = at.workspace();
        let exact = forward_dynamics(&at.model, &at.state, &at.inputs, &mut ws).unwrap().accelerations().to_vec();
        let mut lagged = LaggedDynamics::new(&at.model).unwrap();
        let first = lagged.step(&at.model, &at.state, &at.inputs).unwrap();
        worst.record("first step", seed, relative_difference(first.accelerations(), &exact), allowed);

        at.inputs.forces.iter_mut().for_each(|force| *force = -*force);
        let exact = forward_dynamics(&at.model, &at.state, &at.inputs, &mut ws).unwrap().accelerations().to_vec();
        let steps = 2 * depth(&at.model);
        let requests = allocations(|| {
            (1..steps).for_each(|_| {
                lagged.step(&at.model, &at.state, &at.inputs).unwrap();
            });
        });
        assert_eq!(requests, 0);
        let last = lagged.step(&at.model, &at.state, &at.inputs).unwrap();
        worst.record("after a jump", seed, relative_difference(last.accelerations(), &exact), allowed);
        assert_eq!(last.forces(), at.inputs.forces);
    }
    worst.assert_within();
}

/// States of a chain that falls, `count` of them `step` apart.
fn falling(model: &Model, start: &State, step: f64, count: usize) -> Vec<State> {
    let mut run = Simulation::new(model, start.clone(), free, Scheme::PrinceDormand8, stepping(1e-11)).unwrap();
    let mut states = vec![start.clone()];
    for i in 1..count {
        run.advance(step * i as f64).unwrap();
        states.push(run.state().clone());
    }
    states
}

/// Greatest error of an acceleration over the last quarter of a motion, over the greatest acceleration.
fn error(at: &Prepared, states: &[State]) -> f64 {
    let mut lagged = LaggedDynamics::new(&at.model).unwrap();
    let mut ws = Workspace::new(&at.model);
    let (mut error, mut size) = (0.0_f64, 0.0_f64);
    for (i, state) in states.iter().enumerate() {
        let found = lagged.step(&at.model, state, &at.inputs).unwrap();
        if 4 * i < 3 * states.len() {
            continue;
        }
        let exact = forward_dynamics(&at.model, state, &at.inputs, &mut ws).unwrap();
        for (a, b) in found.accelerations().iter().zip(exact.accelerations()) {
            (error, size) = (error.max((a - b).abs()), size.max(b.abs()));
        }
    }
    error / size
}

/// Half the step, half the error.
#[test]
fn the_error_is_of_first_order_in_the_step() {
    for bodies in [2, 4, 6] {
        let (system, random) = serial_chain(bodies, 2, &ChainOptions::default());
        let mut at = Prepared::new(&system, &random);
        at.inputs.forces.fill(0.0);
        at.inputs.wrenches.clear();
        let states = falling(&at.model, &at.state, 1e-5, 1601);
        let every = |step: usize| states.iter().step_by(step).cloned().collect::<Vec<_>>();
        let errors = [16, 8, 4, 2].map(|step| error(&at, &every(step)));
        println!("{bodies} bodies, steps of 160, 80, 40, 20 µs: {errors:?}");
        for pair in errors.windows(2).skip(1) {
            let order = (pair[0] / pair[1]).log2();
            assert!((order - 1.0).abs() < 0.15, "{bodies} bodies: {errors:?}");
        }
    }
}

#[test]
fn closures_are_refused() {
    let options = RandomOptions { closures: 3, ..RandomOptions::default() };
    let closed = (0..50).map(|seed| random_system(seed, &options).0).find(|system| !system.closures.is_empty());
    let model = Model::build(&closed.unwrap()).unwrap();
    let error = LaggedDynamics::new(&model).err().unwrap();
    assert!(matches!(error, DynamicsError::NotForClosures { .. }));
    assert!(error.to_string().contains("take forward_dynamics"), "{error}");
}
