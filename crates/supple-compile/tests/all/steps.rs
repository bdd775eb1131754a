//! Recorded steps are those of the engine's own integrators.

use crate::agreement::{STEP, difference, run};
use supple::integrate::{Scheme, Simulation, Stepping};
use supple::testkit::{Prepared, RandomOptions, random_system};
use supple::{Fidelity, Inputs, Model, State};
use supple_bodies::catalogue::beam_chain::beam_chain;
use supple_compile::{Verb, record};

/// The state after `time` by an integrator of the engine, under the forces of `at`.
fn simulated(at: &Prepared, scheme: Scheme, stepping: Stepping, time: f64) -> Vec<f64> {
    let held = at.inputs.clone();
    let drive = move |_: &State, inputs: &mut Inputs| {
        inputs.forces.clone_from(&held.forces);
        inputs.element_forces.clone_from(&held.element_forces);
    };
    let mut simulation = Simulation::new(&at.model, at.state.clone(), drive, scheme, stepping).unwrap();
    simulation.advance(time).unwrap();
    flat(simulation.state())
}

fn flat(state: &State) -> Vec<f64> {
    let mut out = state.coordinates.clone();
    out.extend(state.attitudes.iter().flat_map(|q| q.0));
    out.extend(&state.speeds);
    out
}

/// `count` recorded steps that reach `time`.
fn stepped(at: &Prepared, verb: &Verb, time: f64, count: usize) -> Vec<f64> {
    let program = record(&at.model, verb).unwrap();
    let mut y = flat(&at.state);
    for _ in 0..count {
        let x: Vec<f64> = (y.iter().chain(&at.inputs.forces).chain(&at.inputs.element_forces).copied())
            .chain([time / count as f64])
            .collect();
        y = run(&program, &x);
    }
    y
}

/// Quaternions of hinges and of nodes included, and force elements for the explicit scheme.
#[test]
fn steps_of_random_trees_are_those_of_the_integrators() {
    for seed in 0..30 {
        for (verb, scheme, elements) in
            [(Verb::Rk4Step, Scheme::RungeKutta4, true), (Verb::LinearlyImplicitStep, Scheme::LinearlyImplicit, false)]
        {
            let options = RandomOptions {
                bodies: 1..=4,
                modes: 3,
                mass_ratio: 10.0,
                singular: false,
                elements,
                ..RandomOptions::default()
            };
            let (system, state) = random_system(seed, &options);
            let at = Prepared::new(&system, &state);
            let expected = simulated(&at, scheme, Stepping::Fixed(STEP), 3.0 * STEP);
            let error = difference(&stepped(&at, &verb, 3.0 * STEP, 3), &expected);
            assert!(error < 1e-10, "seed {seed}, {verb}: {error:e}");
        }
    }
}

/// Beams whose fastest modes the explicit scheme does not bear: the linearly implicit step holds there, and is of order four.
#[test]
fn the_linearly_implicit_step_bears_stiff_modes() {
    let model = Model::build(&beam_chain(2, 6, Fidelity::Exact)).unwrap();
    let mut at = Prepared { state: State::new(&model), inputs: Inputs::new(&model), model };
    for body in at.model.body_indices() {
        at.inputs.forces[at.model.hinge_speeds(body)].fill(0.3);
    }
    let time = 0.2;
    let exact = simulated(
        &at,
        Scheme::PrinceDormand8,
        supple::integrate::Tolerance { relative: 1e-11, absolute: 1e-13 }.into(),
        time,
    );
    let error = |verb: &Verb, count: usize| {
        let program = record(&at.model, verb).unwrap();
        let mut y = flat(&at.state);
        for _ in 0..count {
            let x: Vec<f64> = y.iter().chain(&at.inputs.forces).copied().chain([time / count as f64]).collect();
            let mut out = vec![0.0; y.len()];
            if program.interpreter().run(&x, &mut out).is_err() {
                return f64::INFINITY;
            }
            y = out;
        }
        difference(&y, &exact)
    };
    let (explicit, implicit) = (error(&Verb::Rk4Step, 40), error(&Verb::LinearlyImplicitStep, 40));
    let [coarse, fine] = [400, 800].map(|count| error(&Verb::LinearlyImplicitStep, count));
    println!("40 steps: explicit {explicit:e}, implicit {implicit:e}; 400: {coarse:e}, 800: {fine:e}");
    assert!(explicit > 1.0 && implicit < 0.1, "{explicit:e} {implicit:e}");
    assert!(coarse / fine > 12.0, "{coarse:e} {fine:e}");
}
