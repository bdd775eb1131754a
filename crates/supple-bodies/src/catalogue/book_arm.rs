//! The arm that Book counts: six joints, two flexible links of three modes each, the first link flexible and the last rigid [B83 6].
//!
//! The paper gives no dimensions. Here the two flexible links are aluminium tubes, the others short and rigid, with a payload on the
//! last. Axes of the joints alternate between the two common kinds, along and across the link before. Modes are general, as the paper
//! assumes: bending in both planes, mixed, so that no integral of a pair of modes vanishes.

use crate::beam::{ModalBeam, ModeCounts};
use crate::section::{BeamProperties, Material, Section};
use supple::{
    Body, BodyIndex, ElasticRotation, Fidelity, Hinge, HingeKind, ModalMatrix, Node, NodeIndex, Parent, System,
};

/// Joints.
pub const JOINTS: usize = 6;
/// Flexible links, the first ones.
pub const FLEXIBLE: usize = 2;
/// Modes of each of them.
pub const MODES: usize = 3;
/// Length of a flexible link, m.
pub const LENGTH: f64 = 1.5;

/// An orthogonal matrix that mixes the modes.
const MIXED: [[f64; 3]; 3] = [[2.0, -1.0, 2.0], [2.0, 2.0, -1.0], [-1.0, 2.0, 2.0]];

/// The arm, with first-order elastic rotations at the hinges.
pub fn book_arm() -> System {
    let aluminium = Material { young: 7e10, poisson: 0.33, density: 2700.0 };
    let tube = BeamProperties::new(Section::Tube { outer: 0.04, inner: 0.036 }, aluminium);
    let modes = ModeCounts { bending_y: 2, bending_z: 1, stretch: 0, twist: 0 };
    let beam = ModalBeam { fidelity: Fidelity::Inconsistent, ..ModalBeam::cantilever(LENGTH, tube, modes) };
    let axes = [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]];
    let mut bodies: Vec<Body> = Vec::new();
    for (k, axis) in axes.into_iter().enumerate() {
        let parent = match k {
            0 => Parent::Ground,
            _ => Parent::Body(BodyIndex(k - 1), NodeIndex(bodies[k - 1].nodes.len() - 1)),
        };
        let hinge = Hinge::new(HingeKind::Revolute { axis });
        let name = format!("link {}", k + 1);
        bodies.push(match k < FLEXIBLE {
            true => mixed(beam.body(name, parent, hinge)),
            false => rigid(name, parent, hinge, k + 1 == JOINTS),
        });
    }
    System { gravity: [0.0, 0.0, -9.81], elastic_rotation: ElasticRotation::FirstOrder, bodies, ..System::default() }
}

/// The same body in coordinates that mix its three modes.
fn mixed(mut body: Body) -> Body {
    let mixing = |r: usize, s: usize| MIXED[r][s] / 3.0;
    for node in body.nodes.iter_mut().filter(|n| !n.influence.is_empty()) {
        let old = node.influence.clone();
        let column = |r: usize| std::array::from_fn(|i| (0..MODES).map(|s| mixing(r, s) * old[s][i]).sum());
        node.influence = (0..MODES).map(column).collect();
    }
    let old = |s: usize, t: usize| match &body.modes.stiffness {
        ModalMatrix::Zero => 0.0,
        ModalMatrix::Diagonal(d) => {
            if s == t {
                d[s]
            } else {
                0.0
            }
        }
        ModalMatrix::Full(rows) => rows[s][t],
    };
    let pairs = || (0..MODES).flat_map(|s| (0..MODES).map(move |t| (s, t)));
    let entry = |r: usize, q: usize| pairs().map(|(s, t)| mixing(r, s) * old(s, t) * mixing(q, t)).sum();
    body.modes.stiffness = ModalMatrix::Full((0..MODES).map(|r| (0..MODES).map(|q| entry(r, q)).collect()).collect());
    body
}

/// A short link; the last one carries a payload.
fn rigid(name: String, parent: Parent, hinge: Hinge, last: bool) -> Body {
    let (length, mass) = (0.2, if last { 5.0 } else { 1.0 });
    let inertia = [[0.002 * mass, 0.0, 0.0], [0.0, 0.015 * mass, 0.0], [0.0, 0.0, 0.015 * mass]];
    let end = Node { position: [length, 0.0, 0.0], ..Node::default() };
    Body::rigid(name, parent, hinge, mass, [0.5 * length, 0.0, 0.0], inertia).with_node(end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use supple::Model;

    #[test]
    fn the_arm_is_as_counted() {
        let model = Model::build(&book_arm()).unwrap();
        assert_eq!((model.body_count(), model.speed_count()), (JOINTS, JOINTS + FLEXIBLE * MODES));
        // Mass-normalised modes stay so.
        assert!(model.notes().is_empty(), "{:?}", model.notes());
    }
}
