//! Energy, momentum and the derivatives that tie them to the equations of motion.
//!
//! Rates are taken along the motion that forward dynamics gives, by dual numbers and without differences.
//!
//! Which systems conserve what follows from the equations of a body: Lagrange's equations of its `T(η, η̇, ω, v)` say
//! that the momenta `h = ∂T/∂ω` and `P = ∂T/∂v` change by the applied wrench alone, whatever the nodal inertias. The
//! wrenches across a hinge cancel where its frames turn and move as the velocities say, which the orthogonal elastic
//! rotations do. So momenta are conserved for these rotations, with mass centres `p` off the nodes and slopes `λ` too.
//! What needs `p = 0` at the nodes that turn is that `P` is also the mass times the velocity of the mass centre: `p` is
//! fixed in the body's frame, but `λ η̇ × p` is in `P`. The Newton-Euler convention conserves energy and momenta only
//! where `p = 0` and the inertia is isotropic at the nodes that turn.

use supple::generic::{bias_forces, energy, forward_dynamics, mass_matrix, momentum, power};
use supple::spatial::{Dual, Scalar, Vector3};
use supple::testkit::{
    ChainOptions, Prepared, RandomOptions, RandomState, Worst, moving, random_system, serial_chain, tolerance,
};
use supple::{ElasticRotation, HingeKind, InertiaConvention, Parent, State, System, Terms};

const ORTHOGONAL: [ElasticRotation; 4] = [
    ElasticRotation::Euler321,
    ElasticRotation::Euler123,
    ElasticRotation::RotationVector,
    ElasticRotation::Integrated,
];

fn lagrange(seed: u64, elastic_rotation: Option<ElasticRotation>) -> (System, RandomState) {
    let options = RandomOptions {
        elastic_rotation,
        inertia: Some(InertiaConvention::Lagrange),
        orthogonal_modes: seed.is_multiple_of(3),
        second_order: seed % 5 > 2,
        ..RandomOptions::default()
    };
    random_system(seed, &options)
}

fn accelerations(at: &Prepared) -> Vec<f64> {
    let mut ws = at.workspace();
    forward_dynamics(&at.model, &at.state, &at.inputs, &mut ws).unwrap().accelerations().to_vec()
}

/// The state with its rates along the motion, and its model.
fn along(at: &Prepared, accelerations: &[f64]) -> (Prepared<Dual<f64>>, State<Dual<f64>>) {
    (at.map(Dual::constant), moving(&at.model, &at.state, accelerations))
}

fn size(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x * y).abs()).sum()
}

/// Defect of the power balance, relative to the power of the forces without cancellation.
fn power_defect(at: &Prepared) -> f64 {
    let udot = accelerations(at);
    let (dual, state) = along(at, &udot);
    let rate = energy(&dual.model, &state, &mut dual.workspace()).unwrap();
    let mut ws = at.workspace();
    let supplied = power(&at.model, &at.state, &at.inputs, &mut ws).unwrap();
    let parts = [Terms { velocity: true, ..Terms::NONE }, Terms { elastic: true, ..Terms::NONE }, Terms::ALL];
    let mut scale = size(&at.inputs.forces, &at.state.speeds) + supplied.wrenches.abs() + supplied.dissipated;
    for terms in parts {
        let part = bias_forces(&at.model, &at.state, &at.inputs, terms, &mut ws).unwrap();
        scale += size(part.forces(), &at.state.speeds);
    }
    (rate.total().derivative - supplied.net()).abs() / scale.max(f64::MIN_POSITIVE)
}

#[test]
fn power_equals_the_rate_of_energy() {
    let mut worst = Worst::new();
    for seed in 0..1000 {
        let (mut system, random) = lagrange(seed, None);
        // These kinematics do not respect the potential of gravity.
        if !system.elastic_rotation.is_orthogonal() {
            system.gravity = [0.0; 3];
        }
        let allowed = tolerance(random.answer(&system).condition());
        let name = format!("{:?}", system.elastic_rotation);
        worst.record(&name, seed, power_defect(&Prepared::new(&system, &random)), allowed);
    }
    worst.assert_within();
}

/// Takes from every node that turns what the Newton-Euler convention does not conserve.
fn make_isotropic(system: &mut System) {
    for node in system.bodies.iter_mut().filter(|body| body.modes.count > 0).flat_map(|body| &mut body.nodes) {
        let mean = (node.inertia[0][0] + node.inertia[1][1] + node.inertia[2][2]) / 3.0;
        node.inertia = std::array::from_fn(|i| std::array::from_fn(|j| if i == j { mean } else { 0.0 }));
        node.mass_centre = [0.0; 3];
    }
}

#[test]
fn newton_euler_balances_power_for_isotropic_nodes_alone() {
    let mut worst = Worst::new();
    let mut unbalanced = 0;
    for seed in 0..300 {
        let inertia = Some(InertiaConvention::NewtonEuler);
        let (mut system, random) =
            random_system(seed, &RandomOptions { inertia, second_order: seed % 5 > 2, ..RandomOptions::default() });
        if !system.elastic_rotation.is_orthogonal() {
            system.gravity = [0.0; 3];
        }
        let allowed = tolerance(random.answer(&system).condition());
        unbalanced += usize::from(power_defect(&Prepared::new(&system, &random)) > allowed);
        make_isotropic(&mut system);
        let allowed = tolerance(random.answer(&system).condition());
        worst.record("power", seed, power_defect(&Prepared::new(&system, &random)), allowed);
    }
    assert!(unbalanced > 50, "the test must be able to see a defect: {unbalanced}");
    worst.assert_within();
}

/// A system that floats: its first body is free and everything hangs on it, without gravity, wrenches or force on
/// the free hinge; all other forces are internal.
fn float(system: &mut System, random: &mut RandomState) -> bool {
    let grounded = system.bodies.iter().filter(|body| body.parent == Parent::Ground).count();
    if grounded > 1 || system.bodies[0].hinge.kind != HingeKind::Free {
        return false;
    }
    system.gravity = [0.0; 3];
    random.wrenches.clear();
    let start = system.bodies[0].modes.count;
    random.forces[start..start + 6].fill(0.0);
    true
}

/// Rates of linear and angular momentum, relative to what the accelerations of single speeds contribute.
fn momentum_defects(at: &Prepared) -> [f64; 2] {
    let udot = accelerations(at);
    let (dual, state) = along(at, &udot);
    let rate = momentum(&dual.model, &state, &mut dual.workspace()).unwrap();
    let mut ws = at.workspace();
    let mut unit = at.state.clone();
    let mut scale = [f64::MIN_POSITIVE; 2];
    for (i, acceleration) in udot.iter().enumerate() {
        unit.speeds.fill(0.0);
        unit.speeds[i] = *acceleration;
        let share = momentum(&at.model, &unit, &mut ws).unwrap();
        scale[0] += share.linear.norm_squared().sqrt();
        scale[1] += share.angular.norm_squared().sqrt();
    }
    let length = |v: Vector3<Dual<f64>>| v.0.iter().map(|x| x.derivative.powi(2)).sum::<f64>().sqrt();
    [length(rate.linear) / scale[0], length(rate.angular) / scale[1]]
}

#[test]
fn floating_systems_with_orthogonal_elastic_rotations_conserve_momentum() {
    let mut worst = Worst::new();
    let mut offset = 0;
    for seed in 0..6000 {
        let elastic_rotation = ORTHOGONAL[seed as usize % 4];
        let (mut system, mut random) = lagrange(seed, Some(elastic_rotation));
        if !float(&mut system, &mut random) {
            continue;
        }
        let flexible = system.bodies.iter().filter(|body| body.modes.count > 0);
        let nodes = flexible.flat_map(|body| &body.nodes);
        let turns = |column: &[f64; 6]| column[..3] != [0.0; 3];
        offset += nodes.filter(|node| node.mass_centre != [0.0; 3] && node.influence.iter().any(turns)).count();
        let allowed = tolerance(random.answer(&system).condition());
        let [linear, angular] = momentum_defects(&Prepared::new(&system, &random));
        worst.record(&format!("linear momentum, {elastic_rotation:?}"), seed, linear, allowed);
        worst.record(&format!("angular momentum, {elastic_rotation:?}"), seed, angular, allowed);
    }
    assert!(offset > 500, "nodes that turn with their mass centre off the node: {offset}");
    worst.assert_within();
}

/// The balance of power cannot see that an elastic rotation is none: it holds for these as well. The angular momentum
/// can.
#[test]
fn angular_momentum_tells_rotations_from_approximations() {
    for elastic_rotation in [ElasticRotation::None, ElasticRotation::FirstOrder] {
        let (mut seen, mut floating) = (0, 0);
        for seed in 0..1000 {
            let (mut system, mut random) = lagrange(seed, Some(elastic_rotation));
            if !float(&mut system, &mut random) || random.speeds.iter().all(|x| *x == 0.0) {
                continue;
            }
            floating += 1;
            let allowed = tolerance(random.answer(&system).condition());
            seen += usize::from(momentum_defects(&Prepared::new(&system, &random))[1] > 10.0 * allowed);
        }
        assert!(2 * seen > floating && seen > 10, "{elastic_rotation:?}: {seen} of {floating}");
    }
}

#[test]
fn mass_centres_move_with_the_momentum_where_inertia_sits_at_the_nodes() {
    let mut worst = Worst::new();
    for seed in 0..400 {
        let (mut system, random) = lagrange(seed, Some(ORTHOGONAL[seed as usize % 4]));
        make_isotropic(&mut system);
        let at = Prepared::new(&system, &random);
        let (dual, state) = along(&at, &random.accelerations);
        let found = momentum(&dual.model, &state, &mut dual.workspace()).unwrap();
        let velocity = found.centre_of_mass.0.map(|x| x.derivative * found.mass.value);
        let momentum = found.linear.0.map(|x| x.value);
        let nodes = system.bodies.iter().flat_map(|body| &body.nodes);
        let speeds = random.answer(&system).node_velocities.into_iter().flatten();
        let scale: f64 = nodes.zip(speeds).map(|(node, v)| node.mass * v.iter().map(|x| x.abs()).sum::<f64>()).sum();
        let error = (0..3).fold(0.0_f64, |m, i| m.max((velocity[i] - momentum[i]).abs()));
        worst.record("m v = P", seed, error / scale.max(f64::MIN_POSITIVE), 1000.0 * f64::EPSILON);
    }
    worst.assert_within();
}

/// `𝓜(i,j) = ∂²T/∂χ_i∂χ_j`, by dual numbers of dual numbers.
#[test]
fn the_mass_matrix_is_the_hessian_of_kinetic_energy() {
    type Second = Dual<Dual<f64>>;
    let mut worst = Worst::new();
    let chains =
        (0..20).map(|seed| serial_chain(3, 1 + seed as usize % 4, &ChainOptions { seed, ..Default::default() }));
    let trees = (20..120).map(|seed| {
        let options = RandomOptions { bodies: 1..=4, modes: 4, second_order: seed % 5 > 2, ..RandomOptions::default() };
        random_system(seed, &options)
    });
    for (seed, (system, random)) in (0_u64..).zip(chains.chain(trees)) {
        let at = Prepared::new(&system, &random);
        let n = at.model.speed_count();
        let (mut ws, mut dense) = (at.workspace(), at.dense_workspace());
        let mut matrix = vec![0.0; n * n];
        mass_matrix(&at.model, &at.state, &mut ws, &mut dense, &mut matrix).unwrap();
        let second = at.map(Second::from_f64);
        let mut ws = second.workspace();
        for i in 0..n {
            for j in 0..=i {
                let mut state = second.state.clone();
                state.speeds[i].derivative.value += 1.0;
                state.speeds[j].value.derivative += 1.0;
                let kinetic = energy(&second.model, &state, &mut ws).unwrap().kinetic;
                let entry = matrix[i * n + j];
                let scale = (matrix[i * n + i] * matrix[j * n + j]).sqrt();
                let error = (kinetic.derivative.derivative - entry).abs() / scale;
                worst.record("𝓜(i,j)", seed, error, 1000.0 * f64::EPSILON);
            }
        }
    }
    worst.assert_within();
}

/// The weights and the elastic forces are the gradient of their potentials along every speed.
#[test]
fn conservative_forces_are_gradients() {
    let mut worst = Worst::new();
    for seed in 0..200 {
        let (system, random) = lagrange(seed, Some(ORTHOGONAL[seed as usize % 4]));
        let mut at = Prepared::new(&system, &random);
        let mut ws = at.workspace();
        let mut part = |terms| bias_forces(&at.model, &at.state, &at.inputs, terms, &mut ws).unwrap().forces().to_vec();
        let gravity = part(Terms { gravity: true, ..Terms::NONE });
        let elastic = part(Terms { elastic: true, ..Terms::NONE });
        let answer = random.answer(&system);
        let dual = at.map(Dual::constant);
        let mut ws = dual.workspace();
        let masses = system.bodies.iter().flat_map(|body| body.nodes.iter().map(|node| node.mass));
        let jacobians = || answer.node_jacobians.iter().flatten();
        for i in 0..at.model.speed_count() {
            at.state.speeds.fill(0.0);
            at.state.speeds[i] = 1.0;
            let state = moving(&at.model, &at.state, &at.inputs.accelerations);
            let found = energy(&dual.model, &state, &mut ws).unwrap();
            let g = system.gravity.iter().map(|x| x.abs()).sum::<f64>();
            let heavy = masses.clone().zip(jacobians()).map(|(m, j)| m * g * j[i].iter().map(|x| x.abs()).sum::<f64>());
            let error = (found.gravitational.derivative - gravity[i]).abs();
            let scale = heavy.sum::<f64>().max(f64::MIN_POSITIVE);
            worst.record("weights", seed, error / scale, 1e4 * f64::EPSILON);
            let scale = elastic.iter().fold(f64::MIN_POSITIVE, |m, x| m.max(x.abs()));
            let error = (found.elastic.derivative - elastic[i]).abs();
            worst.record("elastic forces", seed, error / scale, 1000.0 * f64::EPSILON);
        }
    }
    worst.assert_within();
}
