//! An interpreter of the recorded program gives what the engine gives.

use supple::testkit::{Prepared, RandomOptions, random_system};
use supple::{DenseWorkspace, Workspace, energy, forward_dynamics, inverse_dynamics, mass_matrix};
use supple_compile::{Program, Verb, verb::record_at};

/// A random system in a state of its own, with force elements, second-order shapes and every kind of hinge.
pub(crate) fn prepared(seed: u64) -> Prepared {
    let options = RandomOptions {
        modes: 6,
        mass_ratio: 10.0,
        singular: false,
        constant_terms: seed.is_multiple_of(3),
        orthogonal_modes: seed.is_multiple_of(2),
        second_order: seed % 4 == 1,
        elements: seed.is_multiple_of(2),
        ..RandomOptions::default()
    };
    let (system, state) = random_system(seed, &options);
    Prepared::new(&system, &state)
}

/// Inputs of a program at a state.
pub(crate) fn inputs(at: &Prepared, verb: Verb) -> Vec<f64> {
    let mut x = at.state.coordinates.clone();
    x.extend(at.state.attitudes.iter().flat_map(|q| q.0));
    if verb != Verb::MassMatrix {
        x.extend(&at.state.speeds);
    }
    match verb {
        Verb::ForwardDynamics => x.extend(&at.inputs.forces),
        Verb::InverseDynamics => x.extend(&at.inputs.accelerations),
        _ => {}
    }
    if matches!(verb, Verb::ForwardDynamics | Verb::InverseDynamics) {
        x.extend(&at.inputs.element_forces);
    }
    x
}

/// What the engine gives.
pub(crate) fn engine(at: &Prepared, verb: Verb) -> Vec<f64> {
    let (model, state) = (&at.model, &at.state);
    let mut workspace = Workspace::new(model);
    let mut inputs = at.inputs.clone();
    inputs.wrenches.clear();
    match verb {
        Verb::ForwardDynamics => {
            forward_dynamics(model, state, &inputs, &mut workspace).unwrap().accelerations().to_vec()
        }
        Verb::InverseDynamics => inverse_dynamics(model, state, &inputs, &mut workspace).unwrap().forces().to_vec(),
        Verb::MassMatrix => {
            let mut out = vec![0.0; model.speed_count() * model.speed_count()];
            mass_matrix(model, state, &mut workspace, &mut DenseWorkspace::new(model), &mut out).unwrap();
            out
        }
        Verb::Energy => {
            let e = energy(model, state, &mut workspace).unwrap();
            vec![e.kinetic, e.elastic, e.gravitational, e.stored]
        }
        _ => unreachable!(),
    }
}

/// The largest difference, relative to the largest number.
pub(crate) fn difference(a: &[f64], b: &[f64]) -> f64 {
    let size = b.iter().fold(1e-300_f64, |m, x| m.max(x.abs()));
    a.iter().zip(b).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs())) / size
}

pub(crate) fn run(program: &Program, x: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; program.outputs.len()];
    program.interpreter().run(x, &mut out).unwrap();
    out
}

#[test]
fn programs_of_random_systems_are_the_engine() {
    let mut worst = 0.0_f64;
    for seed in 0..24 {
        let at = prepared(seed);
        for verb in Verb::ALL {
            let program = record_at(&at.model, &at.state, verb).unwrap();
            let (x, expected) = (inputs(&at, verb), engine(&at, verb));
            let difference = difference(&run(&program, &x), &expected);
            worst = worst.max(difference);
            assert!(difference < 1e-10, "seed {seed}, {}: {difference:e}", verb.name());
            assert_eq!(run(&program.scheduled(), &x), run(&program, &x), "seed {seed}: the order changed the numbers");
        }
    }
    println!("worst {worst:e}");
}
