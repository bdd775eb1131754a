//! Systems put together in different ways move alike: welded bodies, hinges made of simpler hinges, separate trees.

use supple::spatial::{Force, Matrix3, Vector3};
use supple::testkit::{
    Generator, Layout, Prepared, RandomOptions, RandomState, Worst, random_system, relative_difference,
};
use supple::{
    Body, BodyIndex, ElasticRotation, Hinge, HingeKind, InertiaConvention, Node, NodeIndex, Parent, System,
    forward_dynamics, inverse_dynamics,
};

fn forward(system: &System, random: &RandomState) -> Vec<f64> {
    let at = Prepared::new(system, random);
    let mut ws = at.workspace();
    forward_dynamics(&at.model, &at.state, &at.inputs, &mut ws).unwrap().accelerations().to_vec()
}

fn inverse(system: &System, random: &RandomState) -> Vec<f64> {
    let at = Prepared::new(system, random);
    let mut ws = at.workspace();
    inverse_dynamics(&at.model, &at.state, &at.inputs, &mut ws).unwrap().forces().to_vec()
}

/// The second system has the speeds of the first in another order: `speeds[i]` is the place there of its speed `i`.
fn compare(
    seed: u64,
    (system, random): (&System, &RandomState),
    (other, state): (&System, &RandomState),
    speeds: &[usize],
    worst: &mut Worst,
) {
    let mapped = |list: Vec<f64>| -> Vec<f64> { speeds.iter().map(|&i| list[i]).collect() };
    let error = relative_difference(&inverse(other, state), &mapped(inverse(system, random)));
    worst.record("forces", seed, error, 1e-12);
    let error = relative_difference(&forward(other, state), &mapped(forward(system, random)));
    let allowed = (100.0 * f64::EPSILON * random.answer(system).condition()).max(1e-12);
    worst.record("accelerations", seed, error, allowed);
}

/// The numbers of `list` at `places`.
fn at(list: &[f64], places: &[usize]) -> Vec<f64> {
    places.iter().map(|&i| list[i]).collect()
}

/// Fixes the hinges of some rigid bodies on rigid parents.
fn weld_some(system: &mut System, random: &mut RandomState, rng: &mut Generator) -> Vec<usize> {
    let layout = Layout::new(system);
    let rigid: Vec<bool> = system.bodies.iter().map(|body| body.modes.count == 0).collect();
    let (mut welded, mut coordinates, mut speeds) = (Vec::new(), Vec::new(), Vec::new());
    for (k, body) in system.bodies.iter_mut().enumerate() {
        coordinates.extend(layout.deformation(k));
        speeds.extend(layout.deformation_speeds(k));
        if matches!(body.parent, Parent::Body(p, _) if rigid[k] && rigid[p.0]) && rng.chance(0.7) {
            body.hinge.kind = HingeKind::Fixed;
            body.hinge.rotor_inertia.clear();
            welded.push(k);
        } else {
            coordinates.extend(layout.hinge(k));
            speeds.extend(layout.hinge_speeds(k));
        }
    }
    random.coordinates = at(&random.coordinates, &coordinates);
    random.speeds = at(&random.speeds, &speeds);
    random.forces = at(&random.forces, &speeds);
    random.accelerations = at(&random.accelerations, &speeds);
    welded
}

/// Makes the rigid body `k`, fixed to a rigid parent, part of it.
fn merge(system: &mut System, random: &mut RandomState, k: usize) {
    let body = system.bodies.remove(k);
    let Parent::Body(p, t) = body.parent else { panic!("body {k} is not on a body") };
    let parent = &mut system.bodies[p.0];
    let first = parent.nodes.len();
    let turn = Matrix3(body.hinge.rotation);
    let hinge = Vector3(parent.nodes[t.0].position) + Vector3(body.hinge.position);
    let place = hinge - turn * Vector3(body.nodes[body.inboard_node.0].position);
    for node in body.nodes {
        let inertia = turn * Matrix3(node.inertia) * turn.transpose();
        parent.nodes.push(Node {
            position: (place + turn * Vector3(node.position)).0,
            mass_centre: (turn * Vector3(node.mass_centre)).0,
            inertia: inertia.symmetric_part().to_matrix().0,
            ..node
        });
    }
    for child in &mut system.bodies {
        if let Parent::Body(q, node) = &mut child.parent {
            if q.0 == k {
                (*q, *node) = (p, NodeIndex(first + node.0));
                child.hinge.position = (turn * Vector3(child.hinge.position)).0;
                child.hinge.rotation = (turn * Matrix3(child.hinge.rotation)).0;
            } else if q.0 > k {
                q.0 -= 1;
            }
        }
    }
    for (body, node, inertial, wrench) in &mut random.wrenches {
        if *body == k {
            (*body, *node) = (p.0, first + *node);
            if !*inertial {
                *wrench = Force::from_array(*wrench).rotate(&turn).to_array();
            }
        } else if *body > k {
            *body -= 1;
        }
    }
}

#[test]
fn a_fixed_hinge_makes_two_rigid_bodies_one() {
    let mut worst = Worst::new();
    let mut merged = 0;
    for seed in 0_u64..500 {
        let modes = if seed.is_multiple_of(2) { 0 } else { 5 };
        let (mut system, mut random) = random_system(seed, &RandomOptions { modes, ..RandomOptions::default() });
        let welded = weld_some(&mut system, &mut random, &mut Generator::new(seed));
        let n = Layout::new(&system).speed_count;
        if welded.is_empty() || n == 0 {
            continue;
        }
        merged += welded.len();
        let (mut other, mut state) = (system.clone(), random.clone());
        for &k in welded.iter().rev() {
            merge(&mut other, &mut state, k);
        }
        let same: Vec<usize> = (0..n).collect();
        compare(seed, (&system, &random), (&other, &state), &same, &mut worst);
    }
    assert!(merged > 500, "{merged}");
    worst.assert_within();
}

/// The hinges in a row that one hinge is made of, each with one of its coordinates.
fn simple_hinges(kind: &HingeKind) -> Vec<HingeKind> {
    match kind {
        HingeKind::Cylindrical { axis } => {
            vec![HingeKind::Revolute { axis: *axis }, HingeKind::Prismatic { axis: *axis }]
        }
        HingeKind::Universal { axes } => axes.iter().map(|&axis| HingeKind::Revolute { axis }).collect(),
        HingeKind::Planar { normal } => {
            let unit = Vector3(*normal) * (1.0 / Vector3(*normal).norm_squared().sqrt());
            let slides = HingeKind::plane_axes(unit.0).map(|axis| HingeKind::Prismatic { axis });
            slides.into_iter().chain([HingeKind::Revolute { axis: *normal }]).collect()
        }
        HingeKind::Revolute { axis } => vec![HingeKind::Screw { axis: *axis, pitch: 0.0 }],
        other => vec![other.clone()],
    }
}

/// Not for the first-order elastic rotation: it is no rotation, and a velocity across the hinge is not what the same
/// velocity is in the frame of a body between the hinges.
#[test]
fn a_hinge_is_the_chain_of_its_simple_hinges() {
    let mut worst = Worst::new();
    for seed in 0_u64..500 {
        let (mut system, random) = random_system(seed, &RandomOptions { modes: 6, ..RandomOptions::default() });
        // A drive belongs to a hinge as a whole.
        system.bodies.iter_mut().for_each(|body| body.hinge.rotor_inertia.clear());
        if system.elastic_rotation == ElasticRotation::FirstOrder {
            continue;
        }
        let layout = Layout::new(&system);
        let mut other = System { bodies: Vec::new(), ..system.clone() };
        let (mut coordinates, mut speeds, mut place) = (Vec::new(), Vec::new(), Vec::new());
        for (k, body) in system.bodies.iter().enumerate() {
            let mut carried = match body.parent {
                Parent::Ground => Parent::Ground,
                Parent::Body(p, node) => Parent::Body(BodyIndex(place[p.0]), node),
            };
            let mut mount = body.hinge.clone();
            let hinges = simple_hinges(&body.hinge.kind);
            let last = hinges.len() - 1;
            for (i, kind) in hinges.into_iter().enumerate() {
                let hinge = Hinge { kind, ..mount.clone() };
                if i < last {
                    // A body without mass between two hinges.
                    other.bodies.push(Body::new(format!("{k}.{i}"), carried, hinge).with_node(Node::default()));
                    carried = Parent::Body(BodyIndex(other.bodies.len() - 1), NodeIndex(0));
                    mount = Hinge::new(HingeKind::Fixed);
                    coordinates.push(layout.hinge(k).start + i);
                    speeds.push(layout.hinge_speeds(k).start + i);
                } else {
                    place.push(other.bodies.len());
                    other.bodies.push(Body { parent: carried, hinge, ..body.clone() });
                }
            }
            coordinates.extend(layout.deformation(k).chain(layout.hinge(k).skip(last)));
            speeds.extend(layout.deformation_speeds(k).chain(layout.hinge_speeds(k).skip(last)));
        }
        let state = RandomState {
            coordinates: at(&random.coordinates, &coordinates),
            speeds: at(&random.speeds, &speeds),
            attitudes: random.attitudes.clone(),
            wrenches: random.wrenches.iter().map(|&(k, j, frame, w)| (place[k], j, frame, w)).collect(),
            forces: at(&random.forces, &speeds),
            accelerations: at(&random.accelerations, &speeds),
        };
        compare(seed, (&system, &random), (&other, &state), &speeds, &mut worst);
    }
    worst.assert_within();
}

/// Two systems in one model: each moves as it does alone, to the last bit.
#[test]
fn separate_trees_do_not_feel_each_other() {
    for seed in 0_u64..200 {
        let make = |seed: u64| {
            let inertia = Some(InertiaConvention::Lagrange);
            let options = RandomOptions { inertia, elastic_rotation: Some(Default::default()), ..Default::default() };
            let (mut system, random) = random_system(seed, &options);
            system.gravity = [1.0, 2.0, -9.0];
            (system, random)
        };
        let (one, other) = (make(seed), make(seed + 1000));
        let (mut both, mut state) = one.clone();
        for mut body in other.0.bodies.iter().cloned() {
            body.name.push_str(" of the other");
            if let Parent::Body(p, _) = &mut body.parent {
                p.0 += one.0.bodies.len();
            }
            both.bodies.push(body);
        }
        state.coordinates.extend(&other.1.coordinates);
        state.speeds.extend(&other.1.speeds);
        state.attitudes.extend(&other.1.attitudes);
        state.forces.extend(&other.1.forces);
        state.accelerations.extend(&other.1.accelerations);
        let moved = |&(k, j, frame, w): &(usize, usize, bool, [f64; 6])| (k + one.0.bodies.len(), j, frame, w);
        state.wrenches.extend(other.1.wrenches.iter().map(moved));
        let apart = |f: fn(&System, &RandomState) -> Vec<f64>| [f(&one.0, &one.1), f(&other.0, &other.1)].concat();
        assert_eq!(forward(&both, &state), apart(forward), "seed {seed}");
        assert_eq!(inverse(&both, &state), apart(inverse), "seed {seed}");
    }
}
