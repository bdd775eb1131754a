//! An interpreter of the recorded program gives what the engine gives.

use std::borrow::Borrow;
use supple::spatial::Quaternion;
use supple::testkit::{
    Prepared, RandomOptions, Worst, condition_number, random_system, relative_difference, tolerance,
};
use supple::{ElasticRotation, Fidelity, Inputs, Model, assemble};
use supple_compile::verb::{Differentiation, NodeName};
use supple_compile::{Engine, Point, Program, RecordError, Refused, Verb, record, record_at};

/// Length of the steps, s.
pub(crate) const STEP: f64 = 1e-3;

const FIDELITIES: [Fidelity; 7] = [
    Fidelity::RuthlessConstant,
    Fidelity::Ruthless,
    Fidelity::Inconsistent,
    Fidelity::InconsistentConstantMass,
    Fidelity::Consistent,
    Fidelity::Exact,
    Fidelity::Stiffened,
];

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

/// A small system of bodies of every fidelity; a third have closures.
pub(crate) fn mixed(seed: u64) -> Prepared {
    let options = RandomOptions {
        bodies: 1..=4,
        modes: 3,
        mass_ratio: 100.0,
        singular: seed.is_multiple_of(5),
        orthogonal_modes: seed.is_multiple_of(2),
        second_order: seed % 4 == 1,
        elements: seed.is_multiple_of(4),
        closures: if seed % 3 == 1 { 2 } else { 0 },
        ..RandomOptions::default()
    };
    let (mut system, state) = random_system(seed, &options);
    for (k, body) in system.bodies.iter_mut().enumerate() {
        // Shapes of second order have a meaning in one of them alone.
        if body.modes.count > 0 && body.modes.second_order.is_empty() {
            body.modes.fidelity = FIDELITIES[(seed as usize / 3 + k) % FIDELITIES.len()];
        }
    }
    Prepared::new(&system, &state)
}

/// All verbs, those that need names with some.
pub(crate) fn verbs(model: &Model) -> Vec<Verb> {
    let mut verbs: Vec<Verb> = Verb::ALL.into();
    let hinges = model.body_indices().filter(|body| body.0 % 2 == 1 || model.body_count() == 1);
    let hinges = hinges.filter_map(|body| model.hinge_of(body)).filter_map(|hinge| model.hinge_name(hinge));
    let prescribed: Vec<String> = hinges.map(Into::into).collect();
    verbs.push(Verb::HybridDynamics { prescribed });
    let body = model.body_indices().next_back().unwrap();
    let node = model.nodes_of(body).next().and_then(|node| model.node_name(node)).unwrap();
    let name = || NodeName { body: model.name(body).into(), node: node.into() };
    verbs.extend([Verb::NodePose(name()), Verb::NodeVelocity(name()), Verb::NodeJacobian(name())]);
    verbs
}

fn point(at: &Prepared) -> Point {
    Point { state: at.state.clone(), inputs: at.inputs.clone(), step: STEP }
}

/// Inputs of a program at a state.
pub(crate) fn inputs(at: &Prepared, verb: impl Borrow<Verb>) -> Vec<f64> {
    Engine { model: &at.model, verb: verb.borrow() }.numbers(&point(at)).unwrap()
}

/// What the engine gives.
pub(crate) fn engine(at: &Prepared, verb: impl Borrow<Verb>) -> Vec<f64> {
    Engine { model: &at.model, verb: verb.borrow() }.answer(&point(at)).unwrap()
}

/// The largest difference, relative to the largest number.
pub(crate) fn difference(a: &[f64], b: &[f64]) -> f64 {
    relative_difference(a, b)
}

/// [`difference`], of Jacobians relative to a metre or a radian at least: a node that only rounding moves has none.
pub(crate) fn deviation(verb: &Verb, a: &[f64], b: &[f64]) -> f64 {
    let size = b.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    match verb {
        Verb::NodeJacobian(_) if size < 1.0 => difference(a, b) * if size > 0.0 { size } else { 1.0 },
        _ => difference(a, b),
    }
}

pub(crate) fn run(program: &Program, x: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; program.outputs.len()];
    program.interpreter().run(x, &mut out).unwrap();
    out
}

/// Condition number of the mass matrix.
pub(crate) fn condition(at: &Prepared) -> f64 {
    let n = at.model.speed_count();
    let mass: Vec<Vec<f64>> = engine(at, Verb::MassMatrix).chunks(n.max(1)).map(<[f64]>::to_vec).collect();
    condition_number(&mass)
}

/// A state near another, for programs that hold where the same equations of closures count.
fn nearby(at: &Prepared) -> Prepared {
    let mut near = at.clone();
    for (i, x) in near.state.speeds.iter_mut().enumerate() {
        *x += 1e-3 * (1.0 + i as f64);
    }
    for body in at.model.body_indices() {
        near.state.coordinates[at.model.modal_coordinates(body)].iter_mut().for_each(|x| *x += 1e-4);
    }
    near.state.attitudes.iter_mut().for_each(|q| *q = Quaternion(q.0).normalized());
    near
}

/// Must show 1: all verbs of 200 random systems. Trees are recorded in another state than the one they run at, closed ones nearby.
#[test]
fn programs_of_random_systems_are_the_engine() {
    let (mut worst, mut closed, mut assembled, mut refused, mut checked) = (Worst::new(), 0, 0, 0, 0);
    for seed in 0..200 {
        let mut at = mixed(seed);
        let has_loops = !at.model.closures().is_empty();
        let fits = has_loops && assemble(&at.model, &mut at.state, &Inputs::new(&at.model)).is_ok();
        closed += usize::from(has_loops);
        assembled += usize::from(fits);
        let run_at = if has_loops { nearby(&at) } else { at.clone() };
        let allowed = tolerance(condition(&run_at));
        for verb in verbs(&at.model) {
            // Where closures cannot be closed, a step that closes them means nothing.
            if matches!(verb, Verb::Rk4Step | Verb::LinearlyImplicitStep) && has_loops && !fits {
                continue;
            }
            let program = match has_loops {
                true => record_at(&at.model, &at.state, &verb),
                false => record(&at.model, &verb),
            };
            let program = program.unwrap_or_else(|error| panic!("seed {seed}, {verb}: {error}"));
            let (x, mut found) = (inputs(&run_at, &verb), vec![0.0; program.outputs.len()]);
            assert_eq!(x.len(), program.inputs.len(), "seed {seed}, {verb}");
            match program.interpreter().run(&x, &mut found) {
                Err(Refused::Condition(_)) if has_loops => {
                    refused += 1;
                    continue;
                }
                other => other.unwrap_or_else(|error| panic!("seed {seed}, {verb}: {error}")),
            }
            checked += 1;
            worst.record(verb.name(), seed, deviation(&verb, &found, &engine(&run_at, &verb)), allowed);
            if seed.is_multiple_of(10) {
                assert_eq!(run(&program.scheduled(), &x), found, "seed {seed}, {verb}: the order changed the numbers");
            }
        }
    }
    println!(
        "{closed} systems with closures, {assembled} of them closed, {checked} programs, {refused} refused where another set of equations counts"
    );
    worst.assert_within();
    assert!(closed > 50 && assembled > 20 && refused * 20 < checked, "{closed} {assembled} {refused} {checked}");
}

/// Both ways to derivatives are the engine's, where the recursion covers the model.
#[test]
fn derivatives_by_recursion_and_by_dual_numbers_agree() {
    let (mut worst, mut both) = (Worst::new(), 0);
    for seed in 0..40_u64 {
        // Half of the first such that the recursion covers them; the last are rigid.
        let rotation = seed.is_multiple_of(2).then_some(ElasticRotation::Integrated);
        let (bodies, modes) = if seed < 24 { (1..=3, 3) } else { (2..=6, 0) };
        let options = RandomOptions { bodies, modes, elastic_rotation: rotation, ..RandomOptions::default() };
        let (system, state) = random_system(seed, &options);
        let at = Prepared::new(&system, &state);
        let allowed = tolerance(condition(&at));
        for by in [Differentiation::Recursion, Differentiation::Dual] {
            let verb = Verb::Linearization(by);
            match record_at(&at.model, &at.state, &verb) {
                Ok(program) => {
                    let found = run(&program, &inputs(&at, &verb));
                    worst.record(&verb.to_string(), seed, difference(&found, &engine(&at, &verb)), allowed);
                    both += usize::from(by == Differentiation::Recursion);
                }
                Err(error) => assert_eq!(error, RecordError::NoRecursion, "seed {seed}"),
            }
        }
    }
    worst.assert_within();
    assert!(both > 20, "{both}");
}
