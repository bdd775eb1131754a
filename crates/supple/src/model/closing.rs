//! Closures of a model: constants of their sides, and the bodies between them and the ground.
//!
//! The frames of a joint are turned so that its axis, where it has one, is their `z`.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use super::builder::{moves, take};
use super::cast::Cast;
use super::closure::{Closure, ClosureKind, Constraint, CoupledHinge, Mount};
use super::description::{HingeKind, Parent, System};
use super::joint::{Joint, Turn};
use super::topology::{ClosureGroup, ClosureTopology, Part, PathBody, Secondary, Side, Topology};
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
    let mut unknowns = Unknowns::default();
    let mut groups = Vec::new();
    let equations: Vec<usize> = system.closures.iter().map(Closure::equations).collect();
    let all: Vec<usize> = (0..closures.len()).collect();
    for mut members in groups_of(top, &closures, &all, &[]) {
        let first = row;
        let parts = secondary_of(top, &closures, &members, &equations);
        // Equations of a part lie together.
        if let Some((_, parts)) = &parts {
            members = parts.concat();
        }
        for &i in &members {
            let (rows, closure) = (system.closures[i].equations(), &mut closures[i]);
            closure.rows = take(&mut row, rows);
            closure.innovations = take(&mut innovation, rows * closure.slots);
            closure.residuals = take(&mut residual, rows * closure.path.len());
        }
        let triangle = take(&mut triangle, packed_len(row - first));
        let secondary = parts.map(|(bodies, parts)| unknowns.place(top, &mut closures, bodies, parts));
        groups.push(ClosureGroup { closures: members, rows: first..row, triangle, secondary });
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
    let place =
        |body: usize| PathBody { body, slot: take(&mut slots, top.bodies[body].speeds.len()).start, unknown: None };
    let path = bodies.into_iter().map(place).collect();
    (path, slots)
}

/// Closures among `members` that have a body that moves in common, other than those of `apart`, are in one group.
fn groups_of(top: &Topology, closures: &[ClosureTopology], members: &[usize], apart: &[usize]) -> Vec<Vec<usize>> {
    let mut group: Vec<usize> = (0..members.len()).collect();
    let mut first_on: HashMap<usize, usize> = HashMap::new();
    let moves = |k: &usize| !top.bodies[*k].speeds.is_empty() && !apart.contains(k);
    for (i, closure) in members.iter().map(|i| &closures[*i]).enumerate() {
        for body in closure.path.iter().map(|at| at.body).filter(moves) {
            let (old, new) = (group[i], group[*first_on.entry(body).or_insert(i)]);
            group.iter_mut().filter(|g| **g == old.max(new)).for_each(|g| *g = old.min(new));
        }
    }
    let mut lists: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    group.iter().zip(members).for_each(|(g, i)| lists.entry(*g).or_default().push(*i));
    lists.into_values().collect()
}

/// The tree whose speeds give the forces of a group with the least work, if that is less than from its matrix: its bodies on the paths, and the closures
/// that the others couple.
fn secondary_of(
    top: &Topology,
    closures: &[ClosureTopology],
    members: &[usize],
    equations: &[usize],
) -> Option<(Vec<usize>, Vec<Vec<usize>>)> {
    let root = |k: usize| std::iter::successors(Some(k), |k| top.bodies[*k].parent).last().unwrap_or(k);
    let mut trees: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let on_paths = members.iter().flat_map(|i| &closures[*i].path).map(|on| on.body);
    on_paths.for_each(|k| trees.entry(root(k)).or_default().push(k));
    let rows = |list: &[usize]| list.iter().map(|i| equations[*i] as f64).sum::<f64>();
    let m = rows(members);
    let candidate = |mut bodies: Vec<usize>| {
        bodies.sort_unstable();
        bodies.dedup();
        let n = bodies.iter().map(|k| top.bodies[*k].speeds.len() as f64).sum::<f64>();
        let parts = groups_of(top, closures, members, &bodies);
        let of_part = |p: f64| p * p * p / 6.0 + n * p * p;
        let cost = parts.iter().map(|part| of_part(rows(part))).sum::<f64>() + n * n * m / 2.0 + n * n * n / 6.0;
        // Less the products of its speeds, which the matrix of all needs.
        let saved = m * m * m / 6.0 + n * m * m / 2.0 - cost;
        (saved > 0.1 * cost && parts.len() > 1).then_some((saved, bodies, parts))
    };
    let best = trees.into_values().filter_map(candidate).max_by(|a, b| a.0.total_cmp(&b.0));
    best.map(|(_, bodies, parts)| (bodies, parts))
}

/// Places that secondary systems have taken.
#[derive(Default)]
struct Unknowns {
    unknown: usize,
    coupling: usize,
    triangle: usize,
    part_triangle: usize,
}

impl Unknowns {
    /// Gives a secondary system its places, after the rows of the closures have theirs.
    fn place(
        &mut self,
        top: &Topology,
        closures: &mut [ClosureTopology],
        bodies: Vec<usize>,
        parts: Vec<Vec<usize>>,
    ) -> Secondary {
        let first = self.unknown;
        for k in &bodies {
            let at = take(&mut self.unknown, top.bodies[*k].speeds.len()).start;
            let paths = parts.iter().flatten().copied();
            for i in paths {
                closures[i].path.iter_mut().filter(|on| on.body == *k).for_each(|on| on.unknown = Some(at));
            }
        }
        let unknowns = first..self.unknown;
        let mut place = |list: Vec<usize>| {
            let ends =
                (list.first().map_or(0, |i| closures[*i].rows.start), list.last().map_or(0, |i| closures[*i].rows.end));
            let rows = ends.0..ends.1;
            Part { triangle: take(&mut self.part_triangle, packed_len(rows.len())), closures: list, rows }
        };
        let parts: Vec<Part> = parts.into_iter().map(&mut place).collect();
        let equations: usize = parts.iter().map(|part| part.rows.len()).sum();
        Secondary {
            bodies,
            couplings: take(&mut self.coupling, equations * unknowns.len()),
            triangle: take(&mut self.triangle, packed_len(unknowns.len())),
            unknowns,
            parts,
        }
    }
}
