//! What must hold for the dense calculation whatever the system: rates of positions, of energy and
//! of momentum, the agreement of both inertia conventions, and the undeformed limit.

use super::hinge;
use super::kinematics::{Kinematics, Moving, along};
use super::{
    Answer, ChainOptions, Components, Layout, RandomOptions, RandomState, assert_close, cholesky, random_system,
    relative_difference, serial_chain,
};
use crate::model::{ElasticRotation, Fidelity, HingeKind, InertiaConvention, Parent, System};
use supple_spatial::{Matrix3, Motion, Vector3};

const ORTHOGONAL: [ElasticRotation; 4] = [
    ElasticRotation::Euler321,
    ElasticRotation::Euler123,
    ElasticRotation::RotationVector,
    ElasticRotation::Integrated,
];

fn moving(state: &RandomState) -> Moving<f64> {
    Moving { coordinates: state.coordinates.clone(), attitudes: state.attitudes.clone(), speeds: state.speeds.clone() }
}

/// Rates of the state while the speeds change at the accelerations of the state.
fn rates(system: &System, state: &RandomState) -> Moving<f64> {
    let layout = Layout::new(system);
    let rates = Kinematics { system, layout: &layout }.rates(&moving(state));
    Moving { speeds: state.accelerations.clone(), ..rates }
}

const STEP: f64 = 1e-5;

/// Answers a little after and a little before, along the motion.
fn neighbours(system: &System, state: &RandomState) -> [Answer; 2] {
    let rates = rates(system, state);
    [STEP, -STEP].map(|h| {
        let add = |x: &mut f64, rate: &f64| *x += h * rate;
        let mut near = state.clone();
        near.coordinates.iter_mut().zip(&rates.coordinates).for_each(|(x, r)| add(x, r));
        near.speeds.iter_mut().zip(&rates.speeds).for_each(|(x, r)| add(x, r));
        let attitudes = near.attitudes.iter_mut().flatten();
        attitudes.zip(rates.attitudes.iter().flatten()).for_each(|(x, r)| add(x, r));
        near.answer(system)
    })
}

/// The rate of anything made of numbers, from its neighbours.
fn difference<C: Components>(after: &C, before: &C) -> Vec<f64> {
    let (mut x, mut y) = (Vec::new(), Vec::new());
    after.append_to(&mut x);
    before.append_to(&mut y);
    x.iter().zip(&y).map(|(x, y)| (x - y) / (2.0 * STEP)).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Every hinge kind and every elastic rotation that is one: `ẋ = R v` at the bodies' frames.
#[test]
fn velocities_are_rates_of_positions() {
    for seed in 0..300 {
        let elastic_rotation = Some(ORTHOGONAL[seed as usize % 4]);
        let options = RandomOptions { elastic_rotation, second_order: seed % 5 > 2, ..RandomOptions::default() };
        let (system, state) = random_system(seed, &options);
        let layout = Layout::new(&system);
        let kinematics = Kinematics { system: &system, layout: &layout };
        let along = along(&moving(&state), &rates(&system, &state));
        let velocities = kinematics.velocities(&moving(&state));
        let poses = kinematics.poses(&along);
        let rates: Vec<_> = poses.iter().map(|(_, x)| x.0.map(|x| x.derivative)).collect();
        let turned = |((r, _), v): (&(_, _), &Motion<f64>)| (super::attitude::value(r) * v.linear).0;
        let expected: Vec<_> = poses.iter().zip(&velocities).map(turned).collect();
        assert_close(&rates, &expected, 1e-13);
    }
}

/// The rate of energy is the power of forces and loads less what the damping takes.
#[test]
fn lagrange_balances_power() {
    for seed in 0..200 {
        let inertia = Some(InertiaConvention::Lagrange);
        let options = RandomOptions { inertia, second_order: seed % 5 > 2, ..RandomOptions::default() };
        let (mut system, state) = random_system(seed, &options);
        if !system.elastic_rotation.is_orthogonal() {
            system.gravity = [0.0; 3];
        }
        let answer = state.answer(&system);
        let forces = answer.forces(&state.accelerations);
        let near = neighbours(&system, &state).map(|answer| {
            let energy = answer.energy;
            [energy.kinetic, energy.elastic, energy.gravity]
        });
        let parts = difference(&near[0], &near[1]);
        let bias = &answer.bias;
        let work = [&forces, &bias.external, &bias.damping].map(|f| dot(f, &state.speeds));
        let power = work[0] - work[1] - work[2];
        let size = near[0].iter().chain(&parts).chain(&work).fold(0.0, |m: f64, x| m.max(x.abs()));
        let rate: f64 = parts.iter().sum();
        assert!((rate - power).abs() < 1e-7 * size, "seed {seed}: {rate} {power} {size}");
    }
}

/// The rates of momentum and angular momentum of a system with one free root come from the force on
/// that root's hinge alone.
#[test]
fn floating_systems_keep_their_momentum() {
    let mut checked = 0;
    for seed in 0..1500 {
        let options = RandomOptions {
            elastic_rotation: Some(ORTHOGONAL[seed as usize % 4]),
            inertia: Some(InertiaConvention::Lagrange),
            second_order: seed % 5 > 2,
            ..RandomOptions::default()
        };
        let (mut system, mut state) = random_system(seed, &options);
        system.gravity = [0.0; 3];
        state.wrenches.clear();
        let roots = system.bodies.iter().filter(|body| body.parent == Parent::Ground);
        if roots.count() > 1 || system.bodies[0].hinge.kind != HingeKind::Free {
            continue;
        }
        checked += 1;
        let layout = Layout::new(&system);
        let forces = state.answer(&system).forces(&state.accelerations);
        let wrench = &forces[layout.hinge_speeds(0)];
        let hinge = &system.bodies[0].hinge;
        let (turn, place) = hinge::position(&hinge.kind, &state.coordinates[layout.hinge(0)]);
        let mount = Matrix3(hinge.rotation);
        let turn = mount * turn;
        let place = Vector3(hinge.position) + mount * place;
        let force = turn * Vector3([wrench[3], wrench[4], wrench[5]]);
        let moment = turn * Vector3([wrench[0], wrench[1], wrench[2]]) + place.cross(force);
        let near = neighbours(&system, &state);
        let [linear, angular] = [
            difference(&near[0].linear_momentum, &near[1].linear_momentum),
            difference(&near[0].angular_momentum, &near[1].angular_momentum),
        ];
        assert_close(&linear, &force.0, 1e-7);
        assert_close(&angular, &moment.0, 1e-7);
    }
    assert!(checked > 50, "{checked}");
}

/// Node accelerations are the rates of node velocities in inertial axes.
#[test]
fn accelerations_are_rates_of_velocities() {
    for seed in 0..200 {
        let elastic_rotation = Some(ORTHOGONAL[seed as usize % 4]);
        let options = RandomOptions { elastic_rotation, second_order: seed % 5 > 2, ..RandomOptions::default() };
        let (system, state) = random_system(seed, &options);
        let layout = Layout::new(&system);
        let poses = Kinematics { system: &system, layout: &layout }.poses(&moving(&state));
        let mut expected = state.answer(&system).node_accelerations(&state.accelerations);
        for (nodes, (r, _)) in expected.iter_mut().zip(&poses) {
            for a in nodes {
                *a = Motion::from_array(*a).rotate(r).to_array();
            }
        }
        let [after, before] = neighbours(&system, &state).map(|answer| answer.node_velocities);
        assert_close(&difference(&after, &before), &expected, 1e-8);
    }
}

/// With point masses alone Newton-Euler and Lagrange are the same equations.
#[test]
fn conventions_agree_for_point_masses() {
    for seed in 0..100 {
        let (mut system, state) = random_system(seed, &RandomOptions::default());
        for node in system.bodies.iter_mut().flat_map(|body| &mut body.nodes) {
            (node.mass_centre, node.inertia) = ([0.0; 3], [[0.0; 3]; 3]);
        }
        let [lagrange, newton] = [InertiaConvention::Lagrange, InertiaConvention::NewtonEuler].map(|inertia| {
            system.inertia = inertia;
            state.answer(&system)
        });
        let forces = |answer: &Answer| answer.forces(&state.accelerations);
        assert_close(&forces(&newton), &forces(&lagrange), 1e-12);
    }
}

/// Constant inertial terms are all terms where nothing is deformed, and leave the mass matrix of a
/// single body where it was.
#[test]
fn constant_terms_are_those_of_the_undeformed_body() {
    for seed in 0..100 {
        let options = RandomOptions { constant_terms: true, ..RandomOptions::default() };
        let (constant, mut state) = random_system(seed, &options);
        let deformed = state.answer(&constant);
        let layout = Layout::new(&constant);
        let mut full = constant.clone();
        for (k, body) in full.bodies.iter_mut().enumerate() {
            body.modes.fidelity = Fidelity::Exact;
            state.coordinates[layout.deformation(k)].fill(0.0);
            state.speeds[layout.deformation_speeds(k)].fill(0.0);
        }
        let (a, b) = (state.answer(&constant), state.answer(&full));
        assert_close(&a.mass, &b.mass, 1e-13);
        assert_close(&a.bias.total(), &b.bias.total(), 1e-12);
        assert_close(&a.node_drifts, &b.node_drifts, 1e-12);
        for (k, body) in constant.bodies.iter().enumerate() {
            let own = layout.deformation_speeds(k);
            let clamped = body.nodes[body.inboard_node.0].influence.iter().flatten();
            let alone = constant.bodies.len() == 1 && clamped.into_iter().all(|&x| x == 0.0);
            if alone && body.modes.fidelity == Fidelity::RuthlessConstant {
                let block = |m: &Answer| m.mass[own.start][own.clone()].to_vec();
                assert_close(&block(&deformed), &block(&a), 1e-13);
            }
        }
    }
}

/// Systems are the same for the same seed, well posed, and of every kind.
#[test]
fn random_systems_are_well_posed_and_varied() {
    let mut kinds = std::collections::HashSet::new();
    let (mut shared, mut singular, mut roots, mut most) = (0, 0, 0, 0);
    for seed in 0..400 {
        let (system, state) = random_system(seed, &RandomOptions::default());
        let again = random_system(seed, &RandomOptions::default());
        assert!(system == again.0 && state == again.1);
        assert!(cholesky(&state.answer(&system).mass).is_some(), "seed {seed}");
        let mut places = std::collections::HashSet::new();
        for (k, body) in system.bodies.iter().enumerate() {
            kinds.insert(std::mem::discriminant(&body.hinge.kind));
            most = most.max(body.modes.count);
            roots += usize::from(k > 0 && body.parent == Parent::Ground);
            singular += usize::from(body.nodes.iter().all(|node| node.inertia == [[0.0; 3]; 3]));
            if let Parent::Body(p, node) = body.parent {
                shared += usize::from(!places.insert((p, node)));
            }
        }
    }
    assert_eq!(kinds.len(), 9);
    assert!(shared > 50 && singular > 50 && roots > 20 && most > 30, "{shared} {singular}");
}

/// Chains have unit modal masses in the mass matrix of their last body.
#[test]
fn chains_are_mass_normalised() {
    let (system, state) = serial_chain(3, 6, &ChainOptions::default());
    let answer = state.answer(&system);
    let own = Layout::new(&system).deformation_speeds(2);
    for i in own.clone() {
        for j in own.clone() {
            let expected = if i == j { 1.0 } else { 0.0 };
            assert!((answer.mass[i][j] - expected).abs() < 1e-14);
        }
    }
    let forces = answer.forces(&state.accelerations);
    let back = answer.accelerations(&forces).unwrap();
    assert!(relative_difference(&back, &state.accelerations) < 1e-10);
    assert!(Vector3(answer.centre_of_mass).norm_squared() < 9.0);
}
