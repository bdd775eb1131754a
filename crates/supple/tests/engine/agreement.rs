//! Every algorithm gives the same answer on random flexible trees, and that of an independent
//! dense calculation.
//!
//! Differences are relative to the largest component and may be `max(1e-10, 1000 ε κ)`, where `κ`
//! is the condition number of the mass matrix scaled to unit diagonal. `SUPPLE_SEEDS` sets the
//! number of trees.

use supple::testkit::{
    Answer, Census, ChainOptions, Prepared, RandomOptions, RandomState, Worst, random_system, relative_difference,
    serial_chain, tolerance,
};
use supple::{
    ElasticRotation, Fidelity, InertiaConvention, Method, System, composite_forward_dynamics, forward_dynamics,
    forward_dynamics_by, inverse_dynamics, mass_matrix,
};

const METHODS: [(Method, &str); 3] =
    [(Method::Explicit, "explicit"), (Method::Indirect, "indirect"), (Method::Condensed, "condensed")];

fn seeds(default: u64) -> u64 {
    let asked = std::env::var("SUPPLE_SEEDS").ok();
    asked.and_then(|s| s.parse().ok()).unwrap_or(default)
}

/// Accelerations of every forward algorithm, by name.
fn accelerations(at: &Prepared) -> Vec<(&'static str, Vec<f64>)> {
    let (mut ws, mut dense) = (at.workspace(), at.dense_workspace());
    let Prepared { model, state, inputs } = at;
    let mut found = Vec::new();
    for (method, name) in METHODS {
        let solution = forward_dynamics_by(method, model, state, inputs, &mut ws).unwrap();
        found.push((name, solution.accelerations().to_vec()));
    }
    let solution = forward_dynamics(model, state, inputs, &mut ws).unwrap();
    found.push(("auto", solution.accelerations().to_vec()));
    let solution = composite_forward_dynamics(model, state, inputs, &mut ws, &mut dense).unwrap();
    found.push(("composite", solution.accelerations().to_vec()));
    found
}

/// The algorithms against each other: forward dynamics pairwise, and inverse dynamics of the
/// accelerations found gives the forces back.
fn compare_algorithms(seed: u64, at: &Prepared, allowed: f64, worst: &mut Worst) {
    let found = accelerations(at);
    for (i, (name, udot)) in found.iter().enumerate() {
        for (other, expected) in &found[..i] {
            let what = format!("{name} against {other}");
            worst.record(&what, seed, relative_difference(udot, expected), allowed);
        }
    }
    let mut ws = at.workspace();
    let mut inputs = at.inputs.clone();
    inputs.accelerations.copy_from_slice(&found[3].1);
    let solution = inverse_dynamics(&at.model, &at.state, &inputs, &mut ws).unwrap();
    // 𝓜 χ̇ and 𝓒 may cancel: their size is that of the forces at zero acceleration.
    let forces = solution.forces().to_vec();
    inputs.accelerations.fill(0.0);
    let bias = inverse_dynamics(&at.model, &at.state, &inputs, &mut ws).unwrap();
    let largest = |list: &[f64]| list.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let size = largest(bias.forces()).max(largest(&inputs.forces));
    let pairs = forces.iter().zip(&inputs.forces);
    let error = pairs.fold(0.0_f64, |m, (x, y)| m.max((x - y).abs()));
    worst.record("inverse of auto", seed, error / size, allowed);
}

/// The algorithms against the dense answer.
fn compare_with(answer: &Answer, seed: u64, at: &Prepared, worst: &mut Worst) {
    let allowed = tolerance(answer.condition());
    let expected = answer.accelerations(&at.inputs.forces).unwrap();
    for (name, udot) in accelerations(at) {
        worst.record(name, seed, relative_difference(&udot, &expected), allowed);
    }
    let (mut ws, mut dense) = (at.workspace(), at.dense_workspace());
    let solution = inverse_dynamics(&at.model, &at.state, &at.inputs, &mut ws).unwrap();
    let expected = answer.forces(&at.inputs.accelerations);
    let error = relative_difference(solution.forces(), &expected);
    worst.record("inverse", seed, error, allowed);
    let n = at.model.speed_count();
    let mut matrix = vec![0.0; n * n];
    mass_matrix(&at.model, &at.state, &mut ws, &mut dense, &mut matrix).unwrap();
    let error = relative_difference(&matrix, &answer.mass);
    worst.record("mass matrix", seed, error, allowed);
    compare_algorithms(seed, at, allowed, worst);
}

fn sample(seed: u64, constant_terms: bool) -> (System, RandomState) {
    let options = RandomOptions {
        constant_terms,
        orthogonal_modes: seed.is_multiple_of(3),
        second_order: seed % 5 > 2,
        ..RandomOptions::default()
    };
    random_system(seed, &options)
}

#[test]
fn every_algorithm_gives_the_dense_answer() {
    let (mut worst, mut census) = (Worst::new(), Census::default());
    for seed in 0..seeds(1500) {
        let (system, random) = sample(seed, false);
        census.add(&system);
        let at = Prepared::new(&system, &random);
        compare_with(&random.answer(&system), seed, &at, &mut worst);
    }
    if census.systems >= 1000 {
        census.assert_varied();
    }
    worst.assert_within();
}

/// Bodies that keep their undeformed inertia, in states where their deformation is at rest: only
/// there is the dense answer unique.
#[test]
fn constant_inertial_terms_give_the_dense_answer() {
    let mut worst = Worst::new();
    let mut bodies = 0;
    for seed in 0..seeds(500) {
        let (system, random) = sample(seed, true);
        let constant = |terms: Fidelity| terms == Fidelity::RuthlessConstant;
        bodies += system.bodies.iter().filter(|body| constant(body.modes.fidelity)).count();
        let at = Prepared::new(&system, &random);
        compare_with(&random.answer(&system), seed, &at, &mut worst);
    }
    assert!(bodies > 500, "{bodies}");
    worst.assert_within();
}

#[test]
fn constant_inertial_terms_make_all_algorithms_agree_in_any_motion() {
    let mut worst = Worst::new();
    for seed in 0..seeds(500) {
        let (system, mut random) = sample(seed, true);
        // The mass matrix does not depend on speeds: the condition number is that at rest.
        let allowed = tolerance(random.answer(&system).condition());
        let (_, moving) = sample(seed + 10_000, false);
        let mut rates = moving.speeds.iter().cycle();
        for speed in random.speeds.iter_mut().filter(|speed| **speed == 0.0) {
            *speed = rates.next().copied().unwrap_or(1.0);
        }
        let at = Prepared::new(&system, &random);
        compare_algorithms(seed, &at, allowed, &mut worst);
    }
    worst.assert_within();
}

/// Mass-normalised cantilever modes in a row, the case with the cheapest paths.
#[test]
fn chains_of_normalised_beams_give_the_dense_answer() {
    let rotations = [
        ElasticRotation::None,
        ElasticRotation::FirstOrder,
        ElasticRotation::Euler321,
        ElasticRotation::Euler123,
        ElasticRotation::RotationVector,
        ElasticRotation::Integrated,
    ];
    let conventions = [InertiaConvention::Lagrange, InertiaConvention::NewtonEuler];
    let mut worst = Worst::new();
    for (i, modes) in [0, 1, 2, 3, 5, 8, 13, 40].into_iter().enumerate() {
        for (j, elastic_rotation) in rotations.into_iter().enumerate() {
            for inertia in conventions {
                let seed = (10 * i + j) as u64;
                let options = ChainOptions { seed, elastic_rotation, inertia, ..ChainOptions::default() };
                let (mut system, mut random) = serial_chain(3, modes, &options);
                let at = Prepared::new(&system, &random);
                compare_with(&random.answer(&system), seed, &at, &mut worst);
                assert!(at.model.notes().is_empty(), "{:?}", at.model.notes());
                for body in &mut system.bodies {
                    body.modes.fidelity = Fidelity::RuthlessConstant;
                }
                for k in 0..3 {
                    let own = supple::testkit::Layout::new(&system).deformation_speeds(k);
                    random.speeds[own].fill(0.0);
                }
                let at = Prepared::new(&system, &random);
                compare_with(&random.answer(&system), seed, &at, &mut worst);
            }
        }
    }
    worst.assert_within();
}
