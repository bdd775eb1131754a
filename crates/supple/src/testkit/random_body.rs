//! The bodies of random systems: rigid, flexible, singular and without mass.

use super::Generator;
use super::chain::orthonormalise;
use crate::model::{Body, Hinge, HingeKind, ModalMatrix, Modes, Node, NodeIndex, NonlinearStiffness, Parent};
use supple_spatial::{Matrix3, Symmetric3, Vector3};

/// Mass and length of a body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub mass: f64,
    pub size: f64,
}

fn bare(kind: HingeKind) -> Body {
    Body::new("", Parent::Ground, Hinge::new(kind))
}

fn marker(rng: &mut Generator, size: f64) -> Node {
    Node { position: rng.vector(size), ..Node::default() }
}

fn point(rng: &mut Generator, shape: Shape) -> Node {
    Node { mass: shape.mass, ..marker(rng, shape.size) }
}

/// A node with a mass centre off the node and the inertia of some solid about it.
pub(super) fn solid(rng: &mut Generator, shape: Shape) -> Node {
    let Shape { mass, size } = shape;
    let p = Vector3(rng.vector(0.2 * size));
    // Second moments of mass along three directions make any inertia that a solid can have.
    let second: [f64; 3] = std::array::from_fn(|_| mass * rng.between(0.05, 0.4).powi(2) * size * size);
    let [a, b, c] = second;
    let central = Symmetric3([b + c, a + c, a + b, 0.0, 0.0, 0.0]);
    let central = central.congruence(&Matrix3(rng.rotation()));
    let inertia = central + Symmetric3::lever(p, p) * mass;
    Node { mass_centre: p.0, inertia: inertia.to_matrix().0, ..point(rng, shape) }
}

/// A rigid body with an inertia about every axis; its hinge is fixed until set.
pub(super) fn rigid(rng: &mut Generator, shape: Shape) -> Body {
    let mut body = bare(HingeKind::Fixed).with_node(solid(rng, shape));
    for _ in 0..rng.below(4) {
        let part = Shape { mass: 0.3 * shape.mass, ..shape };
        let node = match rng.below(3) {
            0 => marker(rng, shape.size),
            1 => point(rng, part),
            _ => solid(rng, part),
        };
        body.nodes.push(node);
    }
    body.inboard_node = NodeIndex(rng.below(body.nodes.len()));
    at_origin_sometimes(rng, &mut body);
    body
}

fn at_origin_sometimes(rng: &mut Generator, body: &mut Body) {
    if rng.chance(0.4) {
        body.nodes[body.inboard_node.0].position = [0.0; 3];
    }
}

/// A body of markers on a revolute hinge, to be given inertia by what it carries.
pub(super) fn massless(rng: &mut Generator, shape: Shape) -> Body {
    let mut body = bare(HingeKind::Revolute { axis: rng.direction() });
    for _ in 0..2 + rng.below(2) {
        body.nodes.push(marker(rng, shape.size));
    }
    body
}

/// A last body whose own inertia is singular, on a hinge that moves what inertia it has.
pub(super) fn singular_tip(rng: &mut Generator, shape: Shape) -> Body {
    let axis = rng.direction();
    let kind = match rng.below(8) {
        0..3 => HingeKind::Revolute { axis },
        3 => HingeKind::Prismatic { axis },
        4 => HingeKind::Screw { axis, pitch: rng.between(0.1, 0.5) },
        5 => HingeKind::Cylindrical { axis },
        _ => HingeKind::Fixed,
    };
    let bend = |direction: [f64; 3]| Vector3(axis).cross(Vector3(direction)).norm_squared();
    let mut across = rng.direction();
    while bend(across) < 0.2 {
        across = rng.direction();
    }
    let inboard = marker(rng, shape.size);
    let mut body = bare(kind.clone()).with_node(inboard.clone());
    let turning = matches!(kind, HingeKind::Revolute { .. });
    if turning && rng.chance(0.4) {
        // A rod along `across` through the hinge: no inertia about itself.
        let u = Vector3(across);
        let inertia = Symmetric3::lever(u, u) * (shape.mass * shape.size * shape.size / 3.0);
        let node = &mut body.nodes[0];
        (node.mass, node.inertia) = (shape.mass, inertia.to_matrix().0);
    } else if kind != HingeKind::Fixed || rng.chance(0.6) {
        // A point mass off the axis.
        let length = rng.between(0.5, 1.0) * shape.size;
        let position = std::array::from_fn(|i| inboard.position[i] + length * across[i]);
        body.nodes.push(Node { position, mass: shape.mass, ..Node::default() });
    }
    body
}

/// How the modes of a body look.
struct Style {
    /// Size of each mode.
    scales: Vec<f64>,
    /// Modes move in one plane only: the axis across it.
    plane: Option<usize>,
    slopes: bool,
    size: f64,
}

impl Style {
    fn influence(&self, rng: &mut Generator) -> Vec<[f64; 6]> {
        let mut columns = Vec::new();
        for &scale in &self.scales {
            let mut column: [f64; 6] =
                std::array::from_fn(|i| scale * rng.between(-1.0, 1.0) * if i < 3 { 1.0 } else { self.size });
            for i in 0..3 {
                if !self.slopes || self.plane.is_some_and(|axis| axis != i) {
                    column[i] = 0.0;
                }
                if self.plane == Some(i) {
                    column[3 + i] = 0.0;
                }
            }
            columns.push(column);
        }
        columns
    }
}

/// A flexible body whose modes, together with any rigid motion, all move mass.
pub(super) fn flexible(rng: &mut Generator, shape: Shape, modes: usize) -> Body {
    let unnormalised = rng.chance(0.7);
    let style = Style {
        scales: (0..modes).map(|_| if unnormalised { rng.decades(-1.0, 1.0) } else { 1.0 }).collect(),
        plane: if modes <= 6 && rng.chance(0.2) { Some(rng.below(3)) } else { None },
        slopes: rng.chance(0.85),
        size: shape.size,
    };
    // Three displacements per point mass, two in a plane, half as many again as there are motions.
    let count = if style.plane.is_some() { modes + 5 } else { modes / 2 + 5 };
    let points = rng.chance(0.3);
    let mut body = bare(HingeKind::Fixed);
    for _ in 0..count {
        let part = Shape { mass: shape.mass / count as f64 * rng.between(0.5, 1.5), ..shape };
        let node = if points || rng.chance(0.3) { point(rng, part) } else { solid(rng, part) };
        body.nodes.push(Node { influence: style.influence(rng), ..node });
    }
    for _ in 0..rng.below(3) {
        let influence = if rng.chance(0.7) { style.influence(rng) } else { Vec::new() };
        let place = rng.below(body.nodes.len() + 1);
        body.nodes.insert(place, Node { influence, ..marker(rng, shape.size) });
    }
    body.inboard_node = NodeIndex(rng.below(body.nodes.len()));
    at_origin_sometimes(rng, &mut body);
    if rng.chance(0.6) {
        // Cantilever modes leave the inboard node at rest.
        let still = if rng.chance(0.5) { Vec::new() } else { vec![[0.0; 6]; modes] };
        body.nodes[body.inboard_node.0].influence = still;
    }
    body.modes = elastic(rng, 0.3 * shape.mass * shape.size * shape.size, &style.scales);
    body
}

/// The same body with orthogonal modes of unit modal mass, or of other modal masses.
pub(super) fn orthogonal(rng: &mut Generator, mut body: Body) -> Body {
    let modes = body.modes.count;
    orthonormalise(&mut body.nodes, modes);
    let mut scales = vec![1.0; modes];
    if rng.chance(0.4) {
        scales.fill_with(|| rng.decades(-1.0, 1.0));
        let columns = body.nodes.iter_mut().flat_map(|node| node.influence.iter_mut().zip(&scales));
        for (column, scale) in columns {
            *column = column.map(|x| x * scale);
        }
    }
    body.modes = elastic(rng, 1.0, &scales);
    body
}

/// Stiffness and damping that make frequencies between about 1 and 100 rad/s, where a mode of unit scale has
/// the modal mass `inertia`.
fn elastic(rng: &mut Generator, inertia: f64, scales: &[f64]) -> Modes {
    let count = scales.len();
    let frequency: Vec<f64> = scales.iter().map(|_| rng.decades(0.0, 2.0)).collect();
    let of_power = |power: i32| -> Vec<f64> {
        (0..count).map(|r| inertia * scales[r].powi(2) * frequency[r].powi(power)).collect()
    };
    let damped = rng.chance(0.8);
    let damping: Vec<f64> = of_power(1).iter().map(|c| 0.04 * c).collect();
    let mut modes = Modes {
        count,
        stiffness: symmetric(rng, of_power(2)),
        damping: if damped { symmetric(rng, damping) } else { ModalMatrix::Zero },
        ..Modes::default()
    };
    if count <= 6 && rng.chance(0.25) {
        modes.nonlinear = nonlinear(rng, &of_power(2));
    }
    modes
}

/// A positive definite matrix with this diagonal: half of the time full.
fn symmetric(rng: &mut Generator, diagonal: Vec<f64>) -> ModalMatrix {
    if rng.chance(0.5) {
        return ModalMatrix::Diagonal(diagonal);
    }
    let n = diagonal.len();
    let mut rows = vec![vec![0.0; n]; n];
    for i in 0..n {
        rows[i][i] = diagonal[i];
        for j in 0..i {
            let size = (diagonal[i] * diagonal[j]).sqrt() / n as f64;
            rows[i][j] = rng.between(-size, size);
            rows[j][i] = rows[i][j];
        }
    }
    ModalMatrix::Full(rows)
}

/// A few entries of symmetric tensors, with all their permutations.
fn nonlinear(rng: &mut Generator, stiffness: &[f64]) -> NonlinearStiffness {
    let mut result = NonlinearStiffness::default();
    let n = stiffness.len();
    for _ in 0..1 + rng.below(3) {
        let at: [usize; 3] = std::array::from_fn(|_| rng.below(n));
        let value = rng.between(-1.0, 1.0) * stiffness[at[0]];
        // An entry that an earlier draw has taken stays as it is.
        if !result.cubic.iter().any(|(taken, _)| same_entry(taken, &at)) {
            add_permutations(&at, &mut |p| result.cubic.push(([p[0], p[1], p[2]], value)));
        }
        let at: [usize; 4] = std::array::from_fn(|_| rng.below(n));
        let value = rng.between(-1.0, 1.0) * stiffness[at[0]];
        if !result.quartic.iter().any(|(taken, _)| same_entry(taken, &at)) {
            add_permutations(&at, &mut |p| result.quartic.push(([p[0], p[1], p[2], p[3]], value)));
        }
    }
    result
}

/// Whether two entries of a symmetric tensor differ only in the order of their indices.
fn same_entry<const N: usize>(a: &[usize; N], b: &[usize; N]) -> bool {
    let (mut a, mut b) = (*a, *b);
    a.sort_unstable();
    b.sort_unstable();
    a == b
}

/// Calls `add` with every distinct order of `indices`.
fn add_permutations(indices: &[usize], add: &mut impl FnMut(&[usize])) {
    let mut sorted = indices.to_vec();
    sorted.sort_unstable();
    loop {
        add(&sorted);
        // The next order in the dictionary.
        let Some(i) = (1..sorted.len()).rev().find(|&i| sorted[i - 1] < sorted[i]) else {
            return;
        };
        let after = (i..sorted.len()).rev().find(|&j| sorted[j] > sorted[i - 1]);
        sorted.swap(i - 1, after.unwrap_or(i));
        sorted[i..].reverse();
    }
}
