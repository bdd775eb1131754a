//! Several states through one sweep: each lane equals its scalar run bit for bit.

use supple::generic::{forward_dynamics, inverse_dynamics, mass_matrix};
use supple::spatial::{Lanes, Scalar};
use supple::testkit::{
    EveryVerb, Generator, Prepared, RandomOptions, Worst, constraints, random_system, relative_difference,
};
use supple::{
    Body, Closure, ClosureKind, Hinge, HingeKind, Inputs, Model, ModelBuilder, Mount, NodeIndex, Parent, State,
    closure_rank, composite_forward_dynamics,
};

/// Another state of the same model, near enough to be valid.
fn vary(at: &Prepared, rng: &mut Generator) -> Prepared {
    let mut other = at.clone();
    // Along a motion of the hinges, so that quaternions stay of unit length.
    let mut still = at.state.clone();
    still.speeds.iter_mut().for_each(|x| *x = rng.between(-1.0, 1.0));
    let mut rates = at.state.coordinates.clone();
    let mut turns = at.state.attitudes.clone();
    still.coordinate_rates(&at.model, &mut rates, &mut turns);
    for body in at.model.body_indices() {
        for i in at.model.modal_coordinates(body) {
            other.state.coordinates[i] *= rng.between(-1.0, 1.0);
        }
        let hinge = at.model.hinge_coordinates(body);
        // Four or seven coordinates are, or start with, a quaternion.
        let turns = if hinge.len() >= 4 { 4 } else { 0 };
        for i in hinge.clone() {
            other.state.coordinates[i] += 0.3 * rates[i];
        }
        let quaternion = &mut other.state.coordinates[hinge.start..hinge.start + turns];
        let length = quaternion.iter().map(|x| x * x).sum::<f64>().sqrt();
        quaternion.iter_mut().for_each(|x| *x /= length);
    }
    let scaled = other.state.speeds.iter_mut().chain(&mut other.inputs.forces).chain(&mut other.inputs.accelerations);
    scaled.for_each(|x| *x *= rng.between(-1.0, 1.0));
    other
}

/// Four runs side by side.
fn joined(runs: &[Prepared; 4]) -> Prepared<Lanes<f64, 4>> {
    let mut all = runs[0].map(Lanes::splat);
    let lanes = |out: &mut [Lanes<f64, 4>], of: &dyn Fn(&Prepared) -> Vec<f64>| {
        for (lane, run) in runs.iter().enumerate() {
            out.iter_mut().zip(of(run)).for_each(|(out, x)| out.set_lane(lane, x));
        }
    };
    lanes(&mut all.state.coordinates, &|run| run.state.coordinates.clone());
    lanes(&mut all.state.speeds, &|run| run.state.speeds.clone());
    lanes(&mut all.inputs.forces, &|run| run.inputs.forces.clone());
    lanes(&mut all.inputs.accelerations, &|run| run.inputs.accelerations.clone());
    all
}

#[test]
fn every_lane_has_the_bits_of_its_scalar_run() {
    let (mut numbers, mut different) = (0, 0);
    for seed in 0_u64..150 {
        let options = RandomOptions {
            constant_terms: seed % 4 == 1,
            orthogonal_modes: seed.is_multiple_of(3),
            second_order: seed % 5 > 2,
            closures: if seed % 6 == 5 { 3 } else { 0 },
            ..RandomOptions::default()
        };
        let (system, random) = random_system(seed, &options);
        let first = Prepared::new(&system, &random);
        let mut rng = Generator::new(seed);
        let runs = std::array::from_fn(|lane| if lane == 0 { first.clone() } else { vary(&first, &mut rng) });
        let mut together = EveryVerb::new(joined(&runs));
        let mut apart = runs.map(EveryVerb::new);
        for ((name, verb), (_, single)) in EveryVerb::list().into_iter().zip(EveryVerb::list()) {
            verb(&mut together).unwrap();
            apart.iter_mut().for_each(|run| single(run).unwrap());
            for (i, lanes) in together.results().iter().enumerate() {
                for (lane, run) in apart.iter().enumerate() {
                    let (found, expected) = (lanes.lane(lane), run.results()[i]);
                    assert_eq!(found.to_bits(), expected.to_bits(), "seed {seed}, {name}, lane {lane}, number {i}");
                }
                numbers += 1;
                different += usize::from(lanes.lane(0) != lanes.lane(1));
            }
            assert!(apart.iter().all(|run| run.results().len() == together.results().len()));
        }
    }
    // The lanes must not all carry the same run.
    assert!(2 * different > numbers, "{different} of {numbers}");
}

/// Single precision, at states that it represents exactly: `1000 ε κ` with its own `ε`, on systems where that means
/// anything.
#[test]
fn single_precision_agrees_to_its_own_rounding() {
    let mut worst = Worst::new();
    for seed in 0_u64..400 {
        let options = RandomOptions {
            bodies: 1..=5,
            modes: 5,
            mass_ratio: 10.0,
            second_order: seed % 5 > 2,
            ..RandomOptions::default()
        };
        let (system, random) = random_system(seed, &options);
        let condition = random.answer(&system).condition();
        if condition > 1e3 {
            continue;
        }
        let round = |list: &mut [f64]| list.iter_mut().for_each(|x| *x = f64::from(*x as f32));
        let mut at = Prepared::new(&system, &random);
        let Prepared { state: State { coordinates, speeds, .. }, inputs: Inputs { forces, accelerations, .. }, .. } =
            &mut at;
        [coordinates, speeds, forces, accelerations].into_iter().for_each(|list| round(list));
        at.state.attitudes.iter_mut().for_each(|q| round(&mut q.0));
        let single = at.map(f32::from_f64);
        let wide = |list: &[f32]| -> Vec<f64> { list.iter().map(|x| f64::from(*x)).collect() };
        let eps = f64::from(f32::EPSILON);
        let (mut ws, mut single_ws) = (at.workspace(), single.workspace());
        let (mut dense, mut single_dense) = (at.dense_workspace(), single.dense_workspace());
        let n = at.model.speed_count();

        let (mut matrix, mut single_matrix) = (vec![0.0; n * n], vec![0.0; n * n]);
        mass_matrix(&at.model, &at.state, &mut ws, &mut dense, &mut matrix).unwrap();
        mass_matrix(&single.model, &single.state, &mut single_ws, &mut single_dense, &mut single_matrix).unwrap();
        let error = relative_difference(&wide(&single_matrix), &matrix);
        worst.record("mass matrix", seed, error, 1000.0 * eps);
        let found = inverse_dynamics(&single.model, &single.state, &single.inputs, &mut single_ws).unwrap();
        let expected = inverse_dynamics(&at.model, &at.state, &at.inputs, &mut ws).unwrap();
        let error = relative_difference(&wide(found.forces()), expected.forces());
        worst.record("inverse", seed, error, 1000.0 * eps);
        let found = forward_dynamics(&single.model, &single.state, &single.inputs, &mut single_ws).unwrap();
        let expected = forward_dynamics(&at.model, &at.state, &at.inputs, &mut ws).unwrap();
        let error = relative_difference(&wide(found.accelerations()), expected.accelerations());
        worst.record("forward", seed, error, 100.0 * eps * condition);
    }
    worst.assert_within();
}

/// In single precision too equations that depend on others are taken out: by masks that each evaluation finds, or by rows that double precision chose.
#[test]
fn single_precision_closes_loops() {
    let (mut worst, mut closed) = (Worst::new(), 0);
    for seed in 0_u64..600 {
        let options = RandomOptions {
            bodies: 2..=5,
            modes: 3,
            mass_ratio: 5.0,
            closures: 2,
            singular: false,
            ..RandomOptions::default()
        };
        let (mut system, random) = random_system(seed, &options);
        let answer = random.answer(&system);
        let condition = answer.condition() * constraints(&system, &random).condition(&answer);
        if system.closures.is_empty() || condition > 1e3 {
            continue;
        }
        closed += 1;
        // Every second one holds everything twice.
        if seed.is_multiple_of(2) {
            let again: Vec<Closure> =
                system.closures.iter().map(|closure| Closure { name: None, ..closure.clone() }).collect();
            system.closures.extend(again);
        }
        let round = |list: &mut [f64]| list.iter_mut().for_each(|x| *x = f64::from(*x as f32));
        let mut at = Prepared::new(&system, &random);
        let Prepared { state: State { coordinates, speeds, .. }, inputs: Inputs { forces, .. }, .. } = &mut at;
        [coordinates, speeds, forces].into_iter().for_each(|list| round(list));
        at.state.attitudes.iter_mut().for_each(|q| round(&mut q.0));
        let mut workspace = at.workspace();
        let expected = forward_dynamics(&at.model, &at.state, &at.inputs, &mut workspace).unwrap();
        let expected = expected.accelerations().to_vec();
        let rank = closure_rank(&at.model, &at.state, &at.inputs, &mut workspace).unwrap();
        for rows in [Vec::new(), rank.independent] {
            let mut single = at.map(f32::from_f64);
            single.inputs.closure_rows = rows;
            let mut workspace = single.workspace();
            let found = forward_dynamics(&single.model, &single.state, &single.inputs, &mut workspace).unwrap();
            let found: Vec<f64> = found.accelerations().iter().map(|x| f64::from(*x)).collect();
            let allowed = 100.0 * f64::from(f32::EPSILON) * condition.max(10.0);
            worst.record("forward", seed, relative_difference(&found, &expected), allowed);
        }
    }
    assert!(closed > 20, "{closed}");
    worst.assert_within();
}

/// Six arms of three links that hold one payload: forces follow from its speeds, but for stretched arms, which cannot move their hands along themselves.
fn six_arms() -> Model {
    let mut builder = ModelBuilder::new();
    let inertia = [[0.1, 0.0, 0.0], [0.0, 0.35, 0.0], [0.0, 0.0, 0.35]];
    let mut hands = Vec::new();
    for arm in 0..6 {
        let mut parent = Parent::Ground;
        for link in 0..3 {
            let axis = [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0]][link];
            let at = if link == 0 { [0.0, f64::from(arm), 0.0] } else { [1.0, 0.0, 0.0] };
            let hinge = Hinge::new(HingeKind::Revolute { axis }).at(at);
            let body = Body::rigid(format!("{arm} {link}"), parent, hinge, 1.0, [0.5, 0.0, 0.0], inertia);
            parent = Parent::Body(builder.body(body), NodeIndex(0));
        }
        hands.push(parent);
    }
    let free = Hinge::new(HingeKind::Free);
    let payload = builder.body(Body::rigid("payload", Parent::Ground, free, 5.0, [0.0; 3], inertia));
    for (i, hand) in hands.into_iter().enumerate() {
        let hand = Mount { parent: hand, ..Mount::ground().at([1.0, 0.0, 0.0]) };
        let grip = Mount::node(payload, NodeIndex(0)).at([0.0, i as f64, 0.1 * i as f64]);
        builder.closure(Closure::joint(ClosureKind::Ball, hand, grip));
    }
    builder.build().unwrap()
}

/// Lanes whose arms are stretched take the matrix of all equations, their neighbours do not: each has the bits of its own run.
#[test]
fn lanes_choose_how_forces_are_found() {
    let model = six_arms();
    assert_eq!(model.secondary_bodies().count(), 1);
    let mut rng = Generator::new(4);
    let runs: [Prepared; 4] = std::array::from_fn(|lane| {
        let (mut state, mut inputs) = (State::new(&model), Inputs::new(&model));
        let bent = if lane % 2 == 0 { 0.0 } else { 1.0 };
        let hinges = model.body_indices().filter(|body| model.hinge_coordinates(*body).len() == 1);
        hinges.for_each(|body| state.coordinates[model.hinge_coordinates(body).start] = bent * rng.between(0.4, 1.2));
        inputs.forces.iter_mut().for_each(|force| *force = rng.between(-1.0, 1.0));
        state.speeds.iter_mut().for_each(|speed| *speed = 0.1 * rng.between(-1.0, 1.0));
        Prepared { model: model.clone(), state, inputs }
    });
    let together = joined(&runs);
    let mut workspace = together.workspace();
    let found = forward_dynamics(&together.model, &together.state, &together.inputs, &mut workspace).unwrap();
    for (lane, run) in runs.iter().enumerate() {
        let mut workspace = run.workspace();
        let expected = forward_dynamics(&run.model, &run.state, &run.inputs, &mut workspace).unwrap();
        for (found, expected) in found.accelerations().iter().zip(expected.accelerations()) {
            assert_eq!(found.lane(lane).to_bits(), expected.to_bits(), "lane {lane}");
        }
        let (mut workspace, mut dense) = (run.workspace(), run.dense_workspace());
        let expected = expected.accelerations().to_vec();
        let other =
            composite_forward_dynamics(&run.model, &run.state, &run.inputs, &mut workspace, &mut dense).unwrap();
        let error = relative_difference(other.accelerations(), &expected);
        assert!(error < 1e-9, "lane {lane}: {error:e}");
    }
}
