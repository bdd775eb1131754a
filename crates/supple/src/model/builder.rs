//! From a description to a model.

use super::body::{BodyData, Elimination, Flexible, SecondOrder};
use super::build_error::BuildError;
use super::carriers::{carried_nodes, carrier_of, carrying_node};
use super::closing::{closure_data, closure_topologies};
use super::description::*;
use super::elastic::Elastic;
use super::elimination_cost::cheapest;
use super::frames::{self, BodyAxes};
use super::hinge::{HingeAxis, HingeData};
use super::integrals::{ModalIntegrals, packed_modal_mass, undeformed_inertia, used_tables};
use super::modal_inertia::ModalInertia;
use super::modal_mass::{ModalMass, TipModes};
use super::names::Names;
use super::node::NodeData;
use super::problem::Problem;
use super::sparse::SparseRows;
use super::topology::{BodyTopology, CarrierTopology, Run, Sizes, Topology};
use super::{BodyIndex, Model, NodeIndex, check, elements};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use supple_spatial::block::cholesky::packed_len;
use supple_spatial::{Motion, RigidInertia, Symmetric3, Vector3};

static STAMP: AtomicU64 = AtomicU64::new(1);

pub(super) fn build(system: &System) -> Result<Model, BuildError> {
    let problems = check::problems(system);
    if !problems.is_empty() {
        return Err(BuildError::new(problems));
    }
    let driven = elements::with_rotors(system);
    let (turned, axes) = frames::turned(&driven);
    let mut topology = topology(&turned);
    let mut notes = Vec::new();
    let bodies: Arc<[_]> =
        axes.iter().enumerate().map(|(k, axes)| body_data(&turned, k, *axes, &topology, &mut notes)).collect();
    place_tip_modes(&mut topology, &bodies);
    let weighs_offsets = |data: &BodyData<f64>| data.flexible.as_ref().is_some_and(|f| f.integrals.offset.is_some());
    topology.weighs_offsets = bodies.iter().any(weighs_offsets);
    let weighs = |k: usize| bodies[k].inertia.mass > 0.0;
    let elements = elements::elements(system, &topology, weighs)?;
    let model = Model {
        topology: Arc::new(topology),
        bodies,
        gravity: Vector3(system.gravity),
        elements: Arc::new(elements),
        forces: system.forces.as_slice().into(),
        actuators: system.actuators.as_slice().into(),
        closing: turned.closures.iter().map(|closure| closure_data(&turned, closure)).collect(),
        closures: system.closures.as_slice().into(),
        names: Arc::new(Names::of(system)),
        notes: notes.into(),
    };
    let problems: Vec<Problem> = crate::rank::massless(&model);
    if problems.is_empty() { Ok(model) } else { Err(BuildError::new(problems)) }
}

/// Takes the next `length` places of an arena.
pub(super) fn take(total: &mut usize, length: usize) -> Range<usize> {
    let start = *total;
    *total += length;
    start..*total
}

fn topology(system: &System) -> Topology {
    let carried = carried_nodes(system);
    let mut top = Topology {
        stamp: STAMP.fetch_add(1, Ordering::Relaxed),
        elastic_rotation: system.elastic_rotation,
        inertia: system.inertia,
        ..Topology::default()
    };
    let mut sizes = Sizes::default();
    for (k, body) in system.bodies.iter().enumerate() {
        let (n, (nq, nv)) = (body.modes.count, body.hinge.kind.sizes());
        let first_carrier = top.carriers.len();
        let inboard_attitude = attitude(system, k, body.inboard_node.0, &mut top);
        for &node in &carried[k] {
            let attitude = attitude(system, k, node, &mut top);
            top.carriers.push(CarrierTopology { node, attitude });
        }
        let (parent, parent_node, carrier) = match body.parent {
            Parent::Ground => (None, usize::MAX, usize::MAX),
            Parent::Body(p, node) => {
                let carrying = carrying_node(&system.bodies[p.0], node.0);
                (Some(p.0), node.0, carrier_of(&carried, &top.bodies, p.0, carrying))
            }
        };
        let axis = hinge_axis(system, body);
        let rigid_link = hinge_at_origin(body) && moving_parent_node(system, body).is_none();
        let slaves = used_shapes(&body.modes).len();
        let free_free = n > 0 && moves(&body.nodes[body.inboard_node.0]);
        sizes.most_modes = sizes.most_modes.max(n);
        sizes.most_augmented = sizes.most_augmented.max(n + slaves);
        top.bodies.push(BodyTopology {
            name: body.name.clone(),
            parent,
            parent_node,
            carrier,
            first_on_carrier: false,
            modes: n,
            coordinates: take(&mut sizes.coordinates, n + nq),
            speeds: take(&mut sizes.speeds, n + nv),
            modal: take(&mut sizes.modal, n),
            hinge: take(&mut sizes.hinge, nv),
            carriers: first_carrier..top.carriers.len(),
            nodes: take(&mut sizes.nodes, body.nodes.len()),
            carried_modes: take(&mut sizes.carried_modes, n * carried[k].len()),
            modal_triangle: take(&mut sizes.modal_triangle, packed_len(n)),
            hinge_triangle: take(&mut sizes.hinge_triangle, packed_len(nv)),
            slaves,
            slave: take(&mut sizes.slave, slaves),
            slave_gain: take(&mut sizes.slave_gain, slaves * n),
            augmented: take(&mut sizes.augmented, n + slaves),
            rank: 0,
            tip: 0..0,
            carried_tip: 0..0,
            tip_shapes: 0..0,
            tip_triangle: 0..0,
            inboard_node: body.inboard_node.0,
            inboard_attitude,
            axis,
            free_free,
            moves_nodes: n > 0 && (slaves > 0 || free_free || carried[k].iter().any(|node| moves(&body.nodes[*node]))),
            rigid_link,
            plain: rigid_link && n == 0 && axis.is_single() && parent.is_some(),
        });
        top.runs.push(run(&top, k));
        if n > 0 {
            top.flexible.push(k);
        }
        if matches!(body.hinge.kind, HingeKind::Spherical | HingeKind::Free) {
            top.quaternions.push(sizes.coordinates - nq);
        }
    }
    let mut reached = vec![false; top.carriers.len()];
    for body in top.bodies.iter_mut().rev().filter(|b| b.parent.is_some()) {
        body.first_on_carrier = !std::mem::replace(&mut reached[body.carrier], true);
    }
    top.bare_carriers = (0..reached.len()).filter(|c| !reached[*c]).collect();
    (top.closures, top.closure_groups) = closure_topologies(system, &top, |body, node| {
        carrier_of(&carried, &top.bodies, body, carrying_node(&system.bodies[body], node))
    });
    top.serial = top.bodies.iter().enumerate().all(|(k, body)| body.parent == k.checked_sub(1));
    top.sizes = sizes;
    top
}

/// The longest run that ends with body `k`, after those of the bodies before.
fn run(top: &Topology, k: usize) -> Run {
    let body = &top.bodies[k];
    match body.parent {
        Some(p) if p + 1 == k && body.modes == 0 && top.bodies[p].modes == 0 => {
            let inboard = &top.runs[p];
            Run { hinge: inboard.hinge.start..body.hinge.end, ..inboard.clone() }
        }
        parent => Run {
            hinge: body.hinge.clone(),
            speed: body.beta().start,
            modes: body.modes,
            parent,
            carrier: body.carrier,
        },
    }
}

/// Arenas of the tip modes, whose number is known only from the modes themselves.
fn place_tip_modes(top: &mut Topology, bodies: &[BodyData<f64>]) {
    let sizes = &mut top.sizes;
    for (body, data) in top.bodies.iter_mut().zip(bodies) {
        let rank = data.flexible.as_ref().and_then(|f| f.tip_modes.as_ref()).map_or(0, |t| t.rank);
        body.rank = rank;
        body.tip = take(&mut sizes.tip, rank);
        body.carried_tip = take(&mut sizes.carried_tip, rank * body.carriers.len());
        body.tip_shapes = take(&mut sizes.tip_shapes, rank * body.modes);
        body.tip_triangle = take(&mut sizes.tip_triangle, packed_len(rank));
    }
}

/// The parent's node of a body, if modes move it.
fn moving_parent_node<'a>(system: &'a System, body: &Body) -> Option<&'a Node> {
    let Parent::Body(p, node) = body.parent else { return None };
    Some(&system.bodies[p.0].nodes[node.0]).filter(|node| moves(node))
}

/// Whether the hinge sits at `F_k` whatever the deformation.
pub(super) fn hinge_at_origin(body: &Body) -> bool {
    let node = &body.nodes[body.inboard_node.0];
    !moves(node) && node.position == [0.0; 3]
}

/// The axis of the hinge, where its joint map is the same in the axes of the body whatever the deformation.
fn hinge_axis(system: &System, body: &Body) -> HingeAxis {
    if !hinge_at_origin(body) {
        return HingeAxis::Other;
    }
    // A first-order rotation is not orthogonal: directions along which hinges slide change when they pass it.
    let first_order = system.elastic_rotation == ElasticRotation::FirstOrder;
    let oblique = first_order && moving_parent_node(system, body).is_some();
    let axis = HingeAxis::of(&body.hinge);
    let slides = axis.is_single() && !axis.turns();
    if oblique && slides { HingeAxis::Other } else { axis }
}

/// Constants of the hinge, from the carrier of the parent on.
fn hinge_data(system: &System, body: &Body) -> HingeData<f64> {
    let mut hinge = HingeData::new(&body.hinge);
    if let Parent::Body(p, node) = body.parent {
        let node = &system.bodies[p.0].nodes[node.0];
        if !moves(node) {
            hinge.position += Vector3(node.position);
        }
    }
    hinge
}

/// The attitude state of a hinge-carrying node, if its elastic rotation is integrated.
fn attitude(system: &System, body: usize, node: usize, top: &mut Topology) -> Option<usize> {
    let turns = turns(&system.bodies[body].nodes[node]);
    if system.elastic_rotation != ElasticRotation::Integrated || !turns {
        return None;
    }
    let entry = (BodyIndex(body), NodeIndex(node));
    // Only the last few entries can belong to this body.
    let known = top.attitude_nodes.iter().rposition(|e| *e == entry || e.0 != entry.0);
    match known.filter(|&at| top.attitude_nodes[at] == entry) {
        Some(at) => Some(at),
        None => {
            top.attitude_nodes.push(entry);
            Some(top.attitude_nodes.len() - 1)
        }
    }
}

fn turns(node: &Node) -> bool {
    node.influence.iter().any(|c| c[..3] != [0.0; 3])
}

/// The second-order shapes that the fidelity of a body uses.
pub(super) fn used_shapes(modes: &Modes) -> &[SecondOrderShape] {
    if modes.fidelity == Fidelity::Stiffened { &modes.second_order } else { &[] }
}

/// Gains and mass of the second-order shapes.
fn second_order(body: &Body, tables: &ModalInertia) -> Option<SecondOrder<f64>> {
    let (n, shapes) = (body.modes.count, used_shapes(&body.modes));
    let gain = |shape: &SecondOrderShape| {
        let mut full = vec![0.0; n * n];
        for ([r, s], value) in &shape.quadratic {
            full[r * n + s] = *value;
            full[s * n + r] = *value;
        }
        SparseRows::new(n, n, |r, s| full[r * n + s], |v| *v == 0.0)
    };
    (!shapes.is_empty()).then(|| SecondOrder {
        gains: shapes.iter().map(gain).collect(),
        mass: packed_modal_mass(tables, n + shapes.len()).into(),
    })
}

pub(super) fn moves(node: &Node) -> bool {
    node.influence.iter().any(|c| *c != [0.0; 6])
}

fn body_data(system: &System, k: usize, axes: BodyAxes<f64>, top: &Topology, notes: &mut Vec<String>) -> BodyData<f64> {
    let body = &system.bodies[k];
    let slaves = used_shapes(&body.modes).len();
    let nodes: Box<[_]> = body
        .nodes
        .iter()
        .map(|n| NodeData {
            position: Vector3(n.position),
            influence: match moves(n) {
                true => n.influence[..body.modes.count].iter().map(|c| Motion::from_array(*c)).collect(),
                false => Box::default(),
            },
            mobility: n.influence.iter().take(body.modes.count).flatten().map(|x| x * x).sum(),
            slaves: match moves(n) {
                true => n.influence[body.modes.count..][..slaves].iter().map(|c| Motion::from_array(*c)).collect(),
                false => Box::default(),
            },
            turns: turns(n),
            slaves_turn: n.influence.iter().skip(body.modes.count).take(slaves).any(|c| c[..3] != [0.0; 3]),
            inertia: RigidInertia {
                mass: n.mass,
                moment: Vector3(n.mass_centre) * n.mass,
                inertia: Symmetric3::from_f64(n.inertia),
            },
        })
        .collect();
    BodyData {
        axes,
        hinge: hinge_data(system, body),
        rotor: body.hinge.rotor_inertia.as_slice().into(),
        inertia: undeformed_inertia(body),
        has_tables: body.modal_inertia.is_some(),
        hinge_at_origin: hinge_at_origin(body),
        flexible: (body.modes.count > 0).then(|| Box::new(flexible(system, k, top, &nodes, notes))),
        nodes,
    }
}

/// Modes that have no stiffness, in words, counted from 1 as their columns are.
fn without_stiffness(modes: &Modes) -> Option<String> {
    let is_zero = |r: usize| match &modes.stiffness {
        ModalMatrix::Zero => true,
        ModalMatrix::Diagonal(all) => all[r] == 0.0,
        ModalMatrix::Full(rows) => rows[r].iter().all(|entry| *entry == 0.0),
    };
    let loose: Vec<String> = (0..modes.count).filter(|r| is_zero(*r)).map(|r| (r + 1).to_string()).collect();
    match loose.len() {
        0 => None,
        n if n == modes.count => Some("every mode is".into()),
        1 => Some(format!("mode {} is", loose[0])),
        n => Some(format!("{n} modes are ({})", loose[..n.min(8)].join(", "))),
    }
}

fn flexible(
    system: &System,
    k: usize,
    top: &Topology,
    nodes: &[NodeData<f64>],
    notes: &mut Vec<String>,
) -> Flexible<f64> {
    let body = &system.bodies[k];
    let modes = body.modes.count;
    let tables = used_tables(body);
    let mass = ModalMass::new(packed_modal_mass(&tables, modes), modes);
    if !matches!(mass, ModalMass::Identity) {
        notes.push(format!(
            "body '{}': its modes are not mass-normalised; the modal coordinates stay as given, at a higher cost",
            body.name
        ));
    }
    notes.extend(
        without_stiffness(&body.modes).map(|modes| {
            format!("body '{}': {modes} without stiffness; nothing brings it back once it moves", body.name)
        }),
    );
    let carriers = top.bodies[k].carriers.clone();
    let fidelity = body.modes.fidelity;
    let constant = fidelity.has_constant_mass();
    let integrals = ModalIntegrals::new(body, &tables, system.inertia);
    let mut influences: Vec<Vec<Motion<f64>>> = top.carriers[carriers.clone()]
        .iter()
        .map(|c| match nodes[c.node].influence.is_empty() {
            true => vec![Motion::ZERO; modes],
            false => nodes[c.node].influence.to_vec(),
        })
        .collect();
    let mut hinge_mass = mass.clone();
    let free_free = top.bodies[k].free_free;
    if free_free {
        // The undeformed hinge: H_f M_m H_f*, and motions less those of the hinge.
        let inboard: Vec<Motion<f64>> = {
            let node = &nodes[body.inboard_node.0];
            node.influence.iter().map(|i| i.shift(-node.position)).collect()
        };
        for (influence, c) in influences.iter_mut().zip(&top.carriers[carriers.clone()]) {
            influence.iter_mut().zip(&inboard).for_each(|(i, d)| *i -= d.shift(nodes[c.node].position));
        }
        let rigid = undeformed_inertia(body);
        let entry = |r: usize, s: usize| {
            let (r_d, s_d) = (inboard[r], inboard[s]);
            mass.entry(r, s) - s_d.dot(integrals.coupling[r]) - r_d.dot(integrals.coupling[s]) + r_d.dot(rigid.mul(s_d))
        };
        let packed = (0..modes).flat_map(|r| (0..=r).map(move |s| (r, s))).map(|(r, s)| entry(r, s)).collect();
        hinge_mass = ModalMass::new(packed, modes);
    }
    // Free-free modes are condensed only where their hinge sees constants.
    // With shapes of second order the modal mass and the motions of the carriers follow the deformation as well.
    let second_order = second_order(body, &tables);
    let fixed_hinge = !free_free || (constant && system.elastic_rotation == ElasticRotation::None);
    let condensable = fixed_hinge && second_order.is_none();
    let option = system.elastic_rotation;
    let parametrised = option.is_orthogonal() && option != ElasticRotation::Integrated;
    let tip_modes = if condensable { TipModes::new(&hinge_mass, &influences, modes) } else { None };
    let mut out = Flexible {
        integrals,
        elastic: Elastic::new(&body.modes),
        mass,
        fidelity,
        constant,
        undeformed_bias: fidelity.has_undeformed_bias(),
        still: fidelity == Fidelity::RuthlessConstant,
        constant_hinge: condensable && !parametrised,
        second_order,
        hinge_mass,
        tip_modes,
        cheapest: Elimination::Explicit,
    };
    out.cheapest = cheapest(&out, modes, carriers.len());
    out
}
