//! Parts of the bias, energies, momenta and the motion of nodes are those of the dense calculation.

use supple::spatial::{Force, Motion};
use supple::testkit::{Answer, Components, Prepared, RandomOptions, RandomState, Worst, random_system};
use supple::{
    BodyIndex, NodeIndex, System, Terms, bias_forces, energy, kinematics, kinematics_with, kinetic_energies, momentum,
    node_jacobian, power,
};

/// Sums of up to a few hundred terms, relative to the largest of them.
const ALLOWED: f64 = 1000.0 * f64::EPSILON;

struct Case {
    seed: u64,
    system: System,
    random: RandomState,
    at: Prepared,
    answer: Answer,
}

/// Whether the system of this seed has shapes of second order.
fn has_second_order(seed: u64) -> bool {
    seed % 5 > 2
}

fn cases(count: u64, constant_terms: bool) -> impl Iterator<Item = Case> {
    (0..count).map(move |seed| {
        let options = RandomOptions {
            constant_terms,
            orthogonal_modes: seed.is_multiple_of(3),
            second_order: has_second_order(seed),
            ..RandomOptions::default()
        };
        let (system, random) = random_system(seed, &options);
        Case { seed, at: Prepared::new(&system, &random), answer: random.answer(&system), system, random }
    })
}

/// Largest difference, relative to `size`.
fn error(found: &impl Components, expected: &impl Components, size: f64) -> f64 {
    let (mut x, mut y) = (Vec::new(), Vec::new());
    found.append_to(&mut x);
    expected.append_to(&mut y);
    assert_eq!(x.len(), y.len());
    let worst = x.iter().zip(&y).map(|(x, y)| (x - y).abs());
    // f64::max would drop a NaN.
    let worst = worst.fold(0.0, |m, d| if d > m || d.is_nan() { d } else { m });
    worst / size.max(f64::MIN_POSITIVE)
}

fn largest(list: &[f64]) -> f64 {
    list.iter().fold(0.0, |m, x| m.max(x.abs()))
}

/// The natural size of generalized forces: what the loads would give without cancellation.
fn force_size(case: &Case) -> f64 {
    let forces = case.answer.forces(&case.random.accelerations);
    let bias = &case.answer.bias;
    let parts = [&bias.velocity, &bias.elastic, &bias.gravity, &bias.external];
    parts.iter().fold(largest(&forces), |m, part| m.max(largest(part)))
}

#[test]
fn parts_of_the_bias_are_those_of_the_dense_calculation() {
    let mut worst = Worst::new();
    for case in cases(600, false).chain(cases(200, true)) {
        let Case { at, answer, .. } = &case;
        let mut ws = at.workspace();
        let (none, bias) = (Terms::NONE, &answer.bias);
        let parts = [
            ("velocity", Terms { velocity: true, ..none }, bias.velocity.clone()),
            ("elastic", Terms { elastic: true, ..none }, bias.elastic.clone()),
            ("damping", Terms { damping: true, ..none }, bias.damping.clone()),
            ("gravity", Terms { gravity: true, ..none }, bias.gravity.clone()),
            ("external", Terms { external: true, ..none }, bias.external.clone()),
            ("all", Terms::ALL, bias.total()),
            ("none", Terms::NONE, vec![0.0; bias.velocity.len()]),
        ];
        let size = force_size(&case);
        for (name, terms, expected) in parts {
            let found = bias_forces(&at.model, &at.state, &at.inputs, terms, &mut ws).unwrap();
            let found = found.forces().to_vec();
            worst.record(name, case.seed, error(&found, &expected, size), ALLOWED);
        }
    }
    worst.assert_within();
}

#[test]
fn energy_momentum_and_mass_centre_are_those_of_the_dense_calculation() {
    let mut worst = Worst::new();
    for Case { seed, system, random, at, answer } in cases(600, false) {
        let mut ws = at.workspace();
        let mut record = |what: &str, found: &[f64], expected: &[f64], size: f64| {
            worst.record(what, seed, error(&found, &expected, size.max(largest(expected))), ALLOWED);
        };
        let found = energy(&at.model, &at.state, &mut ws).unwrap();
        let expected = answer.energy;
        record("kinetic energy", &[found.kinetic], &[expected.kinetic], f64::MIN_POSITIVE);
        let mut own = vec![0.0; system.bodies.len()];
        kinetic_energies(&at.model, &at.state, &mut ws, &mut own).unwrap();
        record("kinetic energies", &[own.iter().sum()], &[expected.kinetic], f64::MIN_POSITIVE);
        let least = own.iter().fold(f64::INFINITY, |least, x| least.min(*x));
        assert!(least >= -ALLOWED * expected.kinetic.abs(), "seed {seed}: a body has {least}");
        record("elastic energy", &[found.elastic], &[expected.elastic], f64::MIN_POSITIVE);
        // Σ m |g| |r| bounds the potential of gravity, Σ m |r| the first moment.
        let masses = system.bodies.iter().flat_map(|body| body.nodes.iter().map(|node| node.mass));
        let places = answer.node_positions.iter().flatten();
        let moment: f64 = masses.clone().zip(places.clone()).map(|(m, r)| m * (1.0 + largest(r))).sum();
        let gravity = largest(&system.gravity);
        let gravitational = [found.gravitational];
        record("gravitational energy", &gravitational, &[expected.gravity], moment * gravity);
        let found = momentum(&at.model, &at.state, &mut ws).unwrap();
        let mass: f64 = masses.clone().sum();
        record("mass", &[found.mass], &[mass], mass);
        record("mass centre", &found.centre_of_mass.0, &answer.centre_of_mass, moment / mass);
        let speeds = answer.node_velocities.iter().flatten();
        let moving = masses.zip(speeds.zip(places)).map(|(m, (v, r))| (m * largest(v), largest(r)));
        let linear: f64 = moving.clone().map(|(p, _)| p).sum();
        let angular: f64 = moving.map(|(p, r)| p * (1.0 + r)).sum();
        record("linear momentum", &found.linear.0, &answer.linear_momentum, linear);
        record("angular momentum", &found.angular.0, &answer.angular_momentum, angular);

        let found = power(&at.model, &at.state, &at.inputs, &mut ws).unwrap();
        let work = |forces: &[f64]| -> f64 { forces.iter().zip(&random.speeds).map(|(f, v)| f * v).sum() };
        let size = |forces: &[f64]| -> f64 { forces.iter().zip(&random.speeds).map(|(f, v)| (f * v).abs()).sum() };
        record("power of forces", &[found.forces], &[work(&random.forces)], size(&random.forces));
        let external = &answer.bias.external;
        // With second-order shapes, modes and body move a node against each other at a hinge: rounding is that of the motion of the body.
        let moving = kinematics(&at.model, &at.state, &mut ws).unwrap();
        let of_bodies = random
            .wrenches
            .iter()
            .map(|&(k, _, _, wrench)| largest(&moving.body_velocity(BodyIndex(k)).to_array()) * largest(&wrench));
        let opposed = if has_second_order(seed) { of_bodies.sum() } else { 0.0 };
        record("power of wrenches", &[found.wrenches], &[-work(external)], size(external) + opposed);
        let damping = &answer.bias.damping;
        record("dissipation", &[found.dissipated], &[work(damping)], size(damping));
        assert!(found.dissipated >= 0.0);
    }
    worst.assert_within();
}

/// Every node of a system.
fn nodes(system: &System) -> impl Iterator<Item = (BodyIndex, NodeIndex)> {
    let bodies = system.bodies.iter().enumerate();
    bodies.flat_map(|(k, body)| (0..body.nodes.len()).map(move |j| (BodyIndex(k), NodeIndex(j))))
}

#[test]
fn nodes_are_where_the_dense_calculation_has_them() {
    let mut worst = Worst::new();
    for Case { seed, system, random, at, answer } in cases(600, false) {
        let mut ws = at.workspace();
        let drift = answer.node_accelerations(&random.accelerations);
        let found = kinematics(&at.model, &at.state, &mut ws).unwrap();
        let poses: Vec<_> =
            nodes(&system).map(|(k, j)| (found.node_position(k, j).0, found.node_velocity(k, j).to_array())).collect();
        assert!(found.node_acceleration(BodyIndex(0), NodeIndex(0)).is_none());
        let with = kinematics_with(&at.model, &at.state, &random.accelerations, &mut ws).unwrap();
        // Velocities and accelerations of bodies far out are sums of many terms.
        let size = |list: &[Vec<[f64; 6]>]| list.iter().flatten().fold(0.0, |m: f64, v| m.max(largest(v)));
        let reach = answer.node_positions.iter().flatten().fold(0.1, |m: f64, x| m.max(largest(x)));
        let (fastest, hardest) = (size(&answer.node_velocities), size(&drift));
        for ((k, j), (position, velocity)) in nodes(&system).zip(poses) {
            assert_eq!((with.node_position(k, j).0, with.node_velocity(k, j).to_array()), (position, velocity));
            let mut record = |what, error| worst.record(what, seed, error, ALLOWED);
            record("position", error(&position, &answer.node_positions[k.0][j.0], reach));
            record("velocity", error(&velocity, &answer.node_velocities[k.0][j.0], fastest));
            let acceleration = with.node_acceleration(k, j).unwrap().to_array();
            let expected = Motion::from_array(drift[k.0][j.0]).rotate(&with.body_attitude(k));
            record("acceleration", error(&acceleration, &expected.to_array(), hardest));
        }
    }
    worst.assert_within();
}

#[test]
fn node_jacobians_are_those_of_the_dense_calculation() {
    let mut worst = Worst::new();
    for Case { seed, system, at, answer, .. } in cases(300, false).chain(cases(100, true)) {
        let mut ws = at.workspace();
        let n = at.model.speed_count();
        let attitudes: Vec<_> = {
            let found = kinematics(&at.model, &at.state, &mut ws).unwrap();
            (0..system.bodies.len()).map(|k| found.body_attitude(BodyIndex(k))).collect()
        };
        let mut jacobian = vec![0.0; 6 * n];
        let all = answer.node_jacobians.iter().flatten().flatten();
        let size = all.fold(0.0, |m: f64, column| m.max(largest(column)));
        for (k, j) in nodes(&system) {
            node_jacobian(&at.model, &at.state, (k, j), &mut ws, &mut jacobian).unwrap();
            let columns: Vec<[f64; 6]> = (answer.node_jacobians[k.0][j.0].iter())
                .map(|column| Force::from_array(*column).rotate(&attitudes[k.0]).to_array())
                .collect();
            let found: Vec<[f64; 6]> = (0..n).map(|i| std::array::from_fn(|row| jacobian[row * n + i])).collect();
            worst.record("Jacobian", seed, error(&found, &columns, size), ALLOWED);
        }
    }
    worst.assert_within();
}

/// Along `η + h η̇ + h² η̈/2` the deformation of a node is quadratic in `η`, so that differences give its rates but for terms of third order, and the work of
/// a force on it is that of the modal forces.
#[test]
fn deformations_of_nodes_have_these_rates() {
    for Case { seed, system, at, random, .. } in cases(60, false) {
        let mut ws = at.workspace();
        let h = 1e-3;
        let mut deformed = |step: f64| {
            let mut state = at.state.clone();
            for body in at.model.body_indices() {
                let places = at.model.modal_coordinates(body).zip(at.model.modal_speeds(body));
                places.for_each(|(q, u)| {
                    state.coordinates[q] += step * (state.speeds[u] + 0.5 * step * random.accelerations[u])
                });
            }
            let found = kinematics(&at.model, &state, &mut ws).unwrap();
            nodes(&system).map(|(k, j)| found.node_deformation(k, j).to_array()).collect::<Vec<_>>()
        };
        let [before, now, after] = [-h, 0.0, h].map(&mut deformed);
        let found = kinematics_with(&at.model, &at.state, &random.accelerations, &mut ws).unwrap();
        for (i, (k, j)) in nodes(&system).enumerate() {
            let rate = found.node_deformation_rate(k, j).to_array();
            let acceleration = found.node_deformation_acceleration(k, j).unwrap().to_array();
            let linear = found.node_deformation(k, j).linear;
            assert!((linear - found.node_deflection(k, j)).0.iter().all(|x| x.abs() < 1e-14), "seed {seed}");
            let size = now[i].iter().chain(&rate).chain(&acceleration).fold(1.0_f64, |m, x| m.max(x.abs()));
            for c in 0..6 {
                let [slope, bend] = [
                    (after[i][c] - before[i][c]) / (2.0 * h),
                    (after[i][c] - 2.0 * now[i][c] + before[i][c]) / (h * h),
                ];
                assert!((slope - rate[c]).abs() < 1e-5 * size * size, "seed {seed}: {slope} {}", rate[c]);
                assert!((bend - acceleration[c]).abs() < 1e-4 * size * size, "seed {seed}: {bend} {}", acceleration[c]);
            }
            let mut modal = vec![0.0; at.model.modes(k)];
            let force = Force::from_array([0.3, -1.0, 2.0, 0.7, 1.1, -0.4]);
            found.add_deformation_force(k, j, force, &mut modal);
            let speeds = &at.state.speeds[at.model.modal_speeds(k)];
            let work: f64 = modal.iter().zip(speeds).map(|(f, u)| f * u).sum();
            let expected = found.node_deformation_rate(k, j).dot(force);
            assert!((work - expected).abs() < 1e-12 * (1.0 + expected.abs()) * size, "seed {seed}: {work} {expected}");
        }
    }
}
