//! How Book's formulation and the sweeps come together as deflections become small.

use crate::book_arm::{ArmOptions, random_arm, random_vector, random_wrenches};
use supple::spatial::Vector3;
use supple::testkit::Generator;
use supple::{ElasticRotation, Inputs, Model, State, System, Workspace, forward_dynamics, inverse_dynamics};
use supple_lab::book::BookDynamics;

/// What is scaled with the deflections.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Family {
    /// Loads and speeds in proportion, as in a given arm under smaller and smaller loads.
    Loads,
    /// Deflections and their rates alone, as in stiffer and stiffer arms under the same loads.
    Deflections,
}

/// An arm at deflections of size `epsilon`: its description, a state and what acts.
fn arm(seed: u64, family: Family, epsilon: f64) -> (System, State, Inputs) {
    let mut rng = Generator::new(seed);
    let (system, _) = random_arm(&mut rng, ArmOptions { bodies: 4, modes: 3, clouds: false });
    let load = if family == Family::Loads { epsilon } else { 1.0 };
    let system = System { gravity: system.gravity.map(|g| g * load), ..system };
    let coordinates = scaled(&system, &random_vector(&mut rng, &system, 1.0, 3.0), [epsilon, 1.0]);
    let speeds = scaled(&system, &random_vector(&mut rng, &system, 1.0, 2.0), [epsilon, load]);
    let forces = scaled(&system, &random_vector(&mut rng, &system, 1.0, 5.0), [load, load]);
    let accelerations = scaled(&system, &random_vector(&mut rng, &system, 1.0, 2.0), [epsilon, load]);
    let mut wrenches = random_wrenches(&mut rng, &system, 2);
    wrenches.iter_mut().for_each(|w| w.force = w.force * load);
    let model = Model::build(&system).unwrap();
    let state = State { coordinates, speeds, ..State::new(&model) };
    let inputs = Inputs { forces, wrenches, accelerations, ..Inputs::new(&model) };
    (system, state, inputs)
}

/// Modal and hinge entries of `list`, each times its factor.
fn scaled(system: &System, list: &[f64], [modal, hinge]: [f64; 2]) -> Vec<f64> {
    let factors = system.bodies.iter().flat_map(|b| std::iter::repeat_n(modal, b.modes.count).chain([hinge]));
    list.iter().zip(factors).map(|(x, factor)| x * factor).collect()
}

fn largest(a: impl Iterator<Item = f64>) -> f64 {
    a.fold(0.0, |m, x| m.max(x.abs()))
}

fn acceleration_difference(seed: u64, rotation: ElasticRotation, family: Family, epsilon: f64) -> f64 {
    between(arm(seed, family, epsilon), rotation)
}

/// Greatest difference between the accelerations of both, hinges and modes.
fn between((system, state, inputs): (System, State, Inputs), rotation: ElasticRotation) -> f64 {
    let model = Model::build(&system).unwrap();
    let mut book = BookDynamics::new(&system, &model).unwrap();
    let ours = book.accelerations(&state, &inputs).unwrap();
    let other = Model::build(&System { elastic_rotation: rotation, ..system }).unwrap();
    let mut workspace = Workspace::new(&other);
    let sweeps = forward_dynamics(&other, &state, &inputs, &mut workspace).unwrap();
    largest(ours.accelerations().iter().zip(sweeps.accelerations()).map(|(x, y)| x - y))
}

/// Greatest difference between the torques in the hinges for given accelerations.
fn torque_difference(seed: u64, rotation: ElasticRotation, family: Family, epsilon: f64) -> f64 {
    let (system, state, inputs) = arm(seed, family, epsilon);
    let model = Model::build(&system).unwrap();
    let mut book = BookDynamics::new(&system, &model).unwrap();
    let free = book.accelerations(&state, &inputs).unwrap().accelerations().to_vec();
    let matrix = book.inertia_matrix(&state).unwrap();
    // T + J (wanted - free)
    let n = free.len();
    let entry = |i: usize, j: usize| matrix[i.max(j) * (i.max(j) + 1) / 2 + i.min(j)];
    let torque =
        |i: usize| inputs.forces[i] + (0..n).map(|j| entry(i, j) * (inputs.accelerations[j] - free[j])).sum::<f64>();
    let other = Model::build(&System { elastic_rotation: rotation, ..system }).unwrap();
    let mut workspace = Workspace::new(&other);
    let sweeps = inverse_dynamics(&other, &state, &inputs, &mut workspace).unwrap().forces();
    let hinges = other.body_indices().map(|body| other.hinge_speeds(body).start);
    largest(hinges.map(|i| torque(i) - sweeps[i]))
}

const SIZES: [f64; 3] = [1e-2, 1e-3, 1e-4];

/// Slopes of a difference over deflections from 1e-2 to 1e-4, on arms whose hinges sit on links that bend.
fn slopes(difference: impl Fn(u64, f64) -> f64) -> Vec<f64> {
    let carried = |seed: u64| arm(seed, Family::Loads, 1.0).0.bodies.iter().rev().skip(1).any(|b| b.modes.count > 0);
    let seeds: Vec<u64> = (0..40).filter(|&seed| carried(seed)).collect();
    assert!(seeds.len() > 20);
    let of = |seed: u64| {
        let d = SIZES.map(|epsilon| difference(seed, epsilon));
        [(d[0] / d[1]).log10(), (d[1] / d[2]).log10()]
    };
    seeds.into_iter().flat_map(of).collect()
}

const ROTATIONS: [ElasticRotation; 3] =
    [ElasticRotation::FirstOrder, ElasticRotation::RotationVector, ElasticRotation::Euler321];

/// Under loads in proportion to the deflections, accelerations differ by the square of the deflection.
#[test]
fn accelerations_approach_with_the_square_of_the_deflection() {
    for rotation in ROTATIONS {
        for slope in slopes(|seed, epsilon| acceleration_difference(seed, rotation, Family::Loads, epsilon)) {
            assert!((slope - 2.0).abs() < 0.1, "{rotation:?}: {slope}");
        }
    }
}

/// Torques in the hinges do so under any load: they need positions, which are right to first order.
#[test]
fn torques_approach_with_the_square_of_the_deflection_under_any_load() {
    for rotation in ROTATIONS {
        for slope in slopes(|seed, epsilon| torque_difference(seed, rotation, Family::Deflections, epsilon)) {
            assert!((slope - 2.0).abs() < 0.1, "{rotation:?}: {slope}");
        }
    }
}

/// Modes under a load that stays are pushed by the derivative of the position, which is right to zeroth order only: the loss of
/// geometric stiffness that comes with displacements linear in the modes.
#[test]
fn under_loads_that_stay_accelerations_approach_with_the_deflection_itself() {
    for slope in
        slopes(|seed, epsilon| acceleration_difference(seed, ElasticRotation::FirstOrder, Family::Deflections, epsilon))
    {
        assert!((slope - 1.0).abs() < 0.2, "{slope}");
    }
}

/// Without a hinge on a link that bends both are the same equations, but for moments on nodes that turn: axes out of square have no
/// angular velocity.
#[test]
fn an_arm_that_bends_only_in_its_last_link_is_the_same_in_both() {
    let mut seen = 0;
    for seed in 0..60 {
        let (system, state, mut inputs) = arm(seed, Family::Deflections, 0.3);
        inputs.wrenches.iter_mut().for_each(|w| w.force.angular = Vector3::ZERO);
        let (last, others) = system.bodies.split_last().unwrap();
        if last.modes.count == 0 || others.iter().any(|b| b.modes.count > 0) {
            continue;
        }
        seen += 1;
        let error = between((system, state, inputs), ElasticRotation::FirstOrder);
        assert!(error < 1e-11, "seed {seed}: {error:.1e}");
    }
    assert!(seen > 5, "{seen}");
}
