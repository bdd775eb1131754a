//! Velocities are the rates of positions and accelerations the rates of velocities, by dual numbers along the motion.
//!
//! For elastic rotations that are rotations; the kinematics of the others are an approximation that does not
//! differentiate exactly.

use supple::generic::{kinematics, kinematics_with};
use supple::spatial::{Dual, Matrix3, Motion, Vector3};
use supple::testkit::{Prepared, RandomOptions, Worst, moving, random_system};
use supple::{BodyIndex, ElasticRotation, NodeIndex};

const ORTHOGONAL: [ElasticRotation; 4] = [
    ElasticRotation::Euler321,
    ElasticRotation::Euler123,
    ElasticRotation::RotationVector,
    ElasticRotation::Integrated,
];

/// Sums along chains of up to eight bodies, relative to the largest component of the system.
const ALLOWED: f64 = 1000.0 * f64::EPSILON;

fn cases(count: u64) -> impl Iterator<Item = (u64, Prepared)> {
    (0..count).map(|seed| {
        let elastic_rotation = Some(ORTHOGONAL[seed as usize % 4]);
        let (system, random) = random_system(
            seed,
            &RandomOptions { elastic_rotation, second_order: seed % 5 > 2, ..RandomOptions::default() },
        );
        (seed, Prepared::new(&system, &random))
    })
}

fn nodes(at: &Prepared) -> Vec<(BodyIndex, NodeIndex)> {
    let of = |k: BodyIndex| (0..at.model.node_count(k)).map(move |j| (k, NodeIndex(j)));
    at.model.body_indices().flat_map(of).collect()
}

fn rate(v: Vector3<Dual<f64>>) -> [f64; 3] {
    v.0.map(|x| x.derivative)
}

/// Rates found and expected, node by node.
type Pairs = Vec<([f64; 3], [f64; 3])>;

/// Largest difference relative to `size`.
fn error(pairs: &Pairs, size: f64) -> f64 {
    let all = pairs.iter().flat_map(|(a, b)| a.iter().zip(b));
    all.map(|(a, b)| (a - b).abs()).fold(0.0, |m: f64, d| if d.is_nan() { d } else { m.max(d) }) / size
}

/// Largest component of all motions, turning about a metre included.
fn largest(motions: impl Iterator<Item = Motion<f64>>) -> f64 {
    motions.flat_map(Motion::to_array).fold(f64::MIN_POSITIVE, |m, x| m.max(x.abs()))
}

#[test]
fn velocities_are_rates_of_positions() {
    let mut worst = Worst::new();
    for (seed, at) in cases(400) {
        let dual = at.map(Dual::constant);
        let state = moving(&at.model, &at.state, &at.inputs.accelerations);
        let (mut ws, mut dual_ws) = (at.workspace(), dual.workspace());
        let now = kinematics(&at.model, &at.state, &mut ws).unwrap();
        let along = kinematics(&dual.model, &state, &mut dual_ws).unwrap();
        let size = largest(nodes(&at).into_iter().map(|(k, j)| now.node_velocity(k, j)));
        let pair = |(k, j)| (rate(along.node_position(k, j)), now.node_velocity(k, j).linear.0);
        worst.record("node velocity", seed, error(&nodes(&at).into_iter().map(pair).collect(), size), ALLOWED);
        let pair = |k| (rate(along.body_position(k)), now.body_velocity(k).linear.0);
        worst.record("body velocity", seed, error(&at.model.body_indices().map(pair).collect(), size), ALLOWED);
    }
    worst.assert_within();
}

/// `Ṙ = ω̃ R`, for the columns of `R`.
fn turning(attitude: Matrix3<Dual<f64>>, now: Matrix3<f64>, motion: Motion<f64>) -> Pairs {
    (0..3).map(|i| (rate(attitude.column(i)), motion.angular.cross(now.column(i)).0)).collect()
}

#[test]
fn angular_velocities_are_rates_of_attitudes() {
    let mut worst = Worst::new();
    for (seed, at) in cases(400) {
        let dual = at.map(Dual::constant);
        let state = moving(&at.model, &at.state, &at.inputs.accelerations);
        let (mut ws, mut dual_ws) = (at.workspace(), dual.workspace());
        let now = kinematics(&at.model, &at.state, &mut ws).unwrap();
        let along = kinematics(&dual.model, &state, &mut dual_ws).unwrap();
        let size = largest(nodes(&at).into_iter().map(|(k, j)| now.node_velocity(k, j)));
        let body = |k| turning(along.body_attitude(k), now.body_attitude(k), now.body_velocity(k));
        worst.record("body", seed, error(&at.model.body_indices().flat_map(body).collect(), size), ALLOWED);
        // Where the attitude of a node is a state, `λ η̇` is its angular velocity in the body.
        let attitudes = at.model.attitude_nodes().iter();
        let node = |&(k, j)| turning(along.node_attitude(k, j), now.node_attitude(k, j), now.node_velocity(k, j));
        worst.record("node", seed, error(&attitudes.flat_map(node).collect(), size), ALLOWED);
    }
    worst.assert_within();
}

#[test]
fn accelerations_are_rates_of_velocities() {
    let mut worst = Worst::new();
    for (seed, at) in cases(400) {
        let dual = at.map(Dual::constant);
        let state = moving(&at.model, &at.state, &at.inputs.accelerations);
        let (mut ws, mut dual_ws) = (at.workspace(), dual.workspace());
        let now = kinematics_with(&at.model, &at.state, &at.inputs.accelerations, &mut ws).unwrap();
        let along = kinematics(&dual.model, &state, &mut dual_ws).unwrap();
        let motion = |(k, j)| (along.node_velocity(k, j), now.node_acceleration(k, j).unwrap());
        let pairs: Vec<_> = nodes(&at).into_iter().map(motion).collect();
        // Centripetal terms may cancel in every component.
        let speed = largest(nodes(&at).into_iter().map(|(k, j)| now.node_velocity(k, j)));
        let size = largest(pairs.iter().map(|(_, a)| *a)).max(speed * speed);
        let linear = pairs.iter().map(|(v, a)| (rate(v.linear), a.linear.0)).collect();
        worst.record("acceleration", seed, error(&linear, size), ALLOWED);
        let angular = pairs.iter().map(|(v, a)| (rate(v.angular), a.angular.0)).collect();
        worst.record("angular acceleration", seed, error(&angular, size), ALLOWED);
    }
    worst.assert_within();
}

/// A node is where the body frame, its undeformed place and its deflection put it: moved by the deflection alone from the position that it
/// has with all modal coordinates at zero.
#[test]
fn deflections_are_what_deformation_adds() {
    let mut worst = Worst::new();
    for (seed, at) in cases(100) {
        let mut straight = at.state.clone();
        for body in at.model.body_indices() {
            straight.coordinates[at.model.modal_coordinates(body)].fill(0.0);
        }
        let (mut ws, mut straight_ws) = (at.workspace(), at.workspace());
        let now = kinematics(&at.model, &at.state, &mut ws).unwrap();
        let rest = kinematics(&at.model, &straight, &mut straight_ws).unwrap();
        let mut pairs = Pairs::new();
        for (k, j) in nodes(&at) {
            let place = rest.body_attitude(k).transpose() * (rest.node_position(k, j) - rest.body_position(k));
            let moved = now.body_attitude(k) * (place + now.node_deflection(k, j)) + now.body_position(k);
            pairs.push((moved.0, now.node_position(k, j).0));
        }
        let size = pairs.iter().flat_map(|(_, p)| p).fold(1.0, |m: f64, x| m.max(x.abs()));
        worst.record("position", seed, error(&pairs, size), ALLOWED);
    }
    worst.assert_within();
}
