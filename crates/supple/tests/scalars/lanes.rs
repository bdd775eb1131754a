//! Several states through one sweep: each lane equals its scalar run bit for bit.

use supple::generic::{forward_dynamics, inverse_dynamics, mass_matrix};
use supple::spatial::{Lanes, Scalar};
use supple::testkit::{EveryVerb, Generator, Prepared, RandomOptions, Worst, random_system, relative_difference};
use supple::{Inputs, State};

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
