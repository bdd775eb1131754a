//! Closures of a model: constants of their sides, and the bodies between them and the ground.
//!
//! The frames of a joint are turned so that its axis, where it has one, is their `z`.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use super::builder::{moves, take};
use super::cast::Cast;
use super::closure::{Closure, ClosureKind, Constraint, CoupledHinge, Mount};
use super::description::{HingeKind, Parent, System};
use super::joint::{Joint, Turn};
use super::topology::{ClosureGroup, ClosureTopology, PathBody, Side, Topology};
use std::collections::{BTreeMap, HashMap};
use supple_spatial::block::cholesky::packed_len;
use supple_spatial::{Matrix3, Scalar, Vector3};

/// A frame of a joint on a carrier of its body, or on the ground.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SideData<T> {
    /// Origin from the carrier, in its axes.
    pub position: Vector3<T>,
    /// Axes in those of the carrier.
    pub rotation: Matrix3<T>,
}

/// Numbers of a closure.
#[derive(Clone, Debug)]
pub(crate) enum ClosureData<T> {
    /// What is held, and the frames `a` and `b`.
    Joint(Joint<T>, [SideData<T>; 2]),
    /// Factors of the hinges, in the order of the topology, and what their sum is.
    Coupling(Box<[T]>, T),
}

impl<T> ClosureData<T> {
    /// How many of its equations, the first ones, hold rotations.
    pub fn turning_rows(&self) -> usize {
        match self {
            Self::Coupling(..) => 0,
            Self::Joint(joint, _) => joint.turns.len(),
        }
    }

    /// Whether an equation can move as prescribed: all translations, of rotations the angle that is driven.
    pub fn is_movable(&self, equation: usize) -> bool {
        match self {
            Self::Coupling(..) => true,
            Self::Joint(joint, _) => joint.turns.get(equation).is_none_or(|turn| *turn == Turn::Angle),
        }
    }
}

impl<U: Scalar> Cast<U> for SideData<f64> {
    type Output = SideData<U>;
    fn cast(&self) -> SideData<U> {
        SideData { position: self.position.cast(), rotation: self.rotation.cast() }
    }
}

impl<U: Scalar> Cast<U> for ClosureData<f64> {
    type Output = ClosureData<U>;
    fn cast(&self) -> ClosureData<U> {
        match self {
            Self::Joint(joint, [a, b]) => ClosureData::Joint(joint.cast(), [a.cast(), b.cast()]),
            Self::Coupling(factors, offset) => ClosureData::Coupling(factors.cast(), offset.cast()),
        }
    }
}

/// Numbers of a closure of a checked system in the axes of the model.
pub(super) fn closure_data(system: &System, closure: &Closure) -> ClosureData<f64> {
    match &closure.constraint {
        Constraint::Joint { kind, a, b } => {
            let (number, [turn_a, turn_b]) = axes_to_z(kind);
            let (turns, slides) = kind.held(closure.driven);
            let joint = Joint { turns, slides, number };
            ClosureData::Joint(joint, [side(system, a, &turn_a), side(system, b, &turn_b)])
        }
        Constraint::Coupling { hinges, offset } => {
            ClosureData::Coupling(hinges.iter().map(|hinge| hinge.factor).collect(), *offset)
        }
    }
}

/// The number of a joint, and how its frames are turned so that axes become `z`.
pub(crate) fn axes_to_z(kind: &ClosureKind) -> (f64, [Matrix3<f64>; 2]) {
    match *kind {
        ClosureKind::Distance { length } => (length, [Matrix3::IDENTITY; 2]),
        ClosureKind::Screw { axis, pitch } => (pitch, [triad(axis); 2]),
        ClosureKind::Universal { axes: [a, b] } => {
            let [a, b] = [triad(a), triad(b)];
            (a.column(2).dot(b.column(2)), [a, b])
        }
        _ => (0.0, [kind.axis().map_or(Matrix3::IDENTITY, triad); 2]),
    }
}

/// The rotation matrix whose last column is the direction given.
fn triad(axis: [f64; 3]) -> Matrix3<f64> {
    let axis = Vector3(axis);
    let z = axis * (1.0 / axis.norm_squared().sqrt());
    let [x, y] = HingeKind::plane_axes(z.0);
    Matrix3([x, y, z.0]).transpose()
}

fn side(system: &System, mount: &Mount, turn: &Matrix3<f64>) -> SideData<f64> {
    let mut position = Vector3(mount.position);
    if let Parent::Body(body, node) = mount.parent {
        let node = &system.bodies[body.0].nodes[node.0];
        if !moves(node) {
            position += Vector3(node.position);
        }
    }
    SideData { position, rotation: Matrix3(mount.rotation) * *turn }
}

/// Where the numbers of the closures lie, and the bodies that they move, after those of the bodies.
pub(super) fn closure_topologies(
    system: &System,
    top: &Topology,
    carrier: impl Fn(usize, usize) -> usize,
) -> (Vec<ClosureTopology>, Vec<ClosureGroup>) {
    let mut closures: Vec<ClosureTopology> = system.closures.iter().map(|c| placed(top, c, &carrier)).collect();
    let (mut row, mut innovation, mut residual, mut triangle) = (0, 0, 0, 0);
    let mut groups = Vec::new();
    for members in groups_of(top, &closures) {
        let first = row;
        for &i in &members {
            let (rows, closure) = (system.closures[i].equations(), &mut closures[i]);
            closure.rows = take(&mut row, rows);
            closure.innovations = take(&mut innovation, rows * closure.slots);
            closure.residuals = take(&mut residual, rows * closure.path.len());
        }
        let triangle = take(&mut triangle, packed_len(row - first));
        groups.push(ClosureGroup { closures: members, rows: first..row, triangle });
    }
    (closures, groups)
}

/// A closure whose numbers have no places yet.
fn placed(top: &Topology, closure: &Closure, carrier: impl Fn(usize, usize) -> usize) -> ClosureTopology {
    let side = |mount: &Mount| match mount.parent {
        Parent::Ground => None,
        Parent::Body(body, node) => Some(Side { body: body.0, carrier: carrier(body.0, node.0), node: node.0 }),
    };
    let direction = |hinge: &CoupledHinge| {
        let at = &top.bodies[hinge.body.0];
        (at.theta().start + hinge.speed, at.beta().start + hinge.speed)
    };
    let (sides, hinges, touched): (_, _, Vec<usize>) = match &closure.constraint {
        Constraint::Joint { a, b, .. } => {
            let sides = [side(a), side(b)];
            (sides, Vec::new(), sides.iter().flatten().map(|side| side.body).collect())
        }
        Constraint::Coupling { hinges, .. } => {
            let bodies = hinges.iter().map(|hinge| hinge.body.0).collect();
            ([None; 2], hinges.iter().map(direction).collect(), bodies)
        }
    };
    let (path, slots) = path(top, &touched);
    ClosureTopology { rows: 0..0, sides, hinges, slots, innovations: 0..0, residuals: 0..0, path }
}

/// The bodies given and all that carry them, outboard ones first, with a place for each speed of theirs.
fn path(top: &Topology, touched: &[usize]) -> (Vec<PathBody>, usize) {
    let mut bodies: Vec<usize> = Vec::new();
    for &body in touched {
        bodies.extend(std::iter::successors(Some(body), |k| top.bodies[*k].parent));
    }
    bodies.sort_unstable_by(|a, b| b.cmp(a));
    bodies.dedup();
    let mut slots = 0;
    let place = |body: usize| PathBody { body, slot: take(&mut slots, top.bodies[body].speeds.len()).start };
    let path = bodies.into_iter().map(place).collect();
    (path, slots)
}

/// Closures that have a body that moves in common are in one group.
fn groups_of(top: &Topology, closures: &[ClosureTopology]) -> Vec<Vec<usize>> {
    let mut group: Vec<usize> = (0..closures.len()).collect();
    let mut first_on: HashMap<usize, usize> = HashMap::new();
    for (i, closure) in closures.iter().enumerate() {
        for body in closure.path.iter().map(|at| at.body).filter(|k| !top.bodies[*k].speeds.is_empty()) {
            let (old, new) = (group[i], group[*first_on.entry(body).or_insert(i)]);
            group.iter_mut().filter(|g| **g == old.max(new)).for_each(|g| *g = old.min(new));
        }
    }
    let mut members: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    group.iter().enumerate().for_each(|(i, g)| members.entry(*g).or_default().push(i));
    members.into_values().collect()
}
