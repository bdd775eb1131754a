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

/// An arm of the kind that is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookArm {
    /// Joints, one for each link.
    pub joints: usize,
    /// Flexible links, the first ones.
    pub flexible: usize,
    /// Modes of each of them.
    pub modes: usize,
    /// Which shapes the modes have.
    pub shapes: Shapes,
}

/// Shapes of the modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shapes {
    /// Bending in both planes, mixed: no integral of a pair of modes vanishes.
    General,
    /// Bending in one plane: integrals of different modes vanish.
    Orthogonal,
}

/// The arm of the report, with first-order elastic rotations at the hinges.
pub fn book_arm() -> System {
    BookArm { joints: JOINTS, flexible: FLEXIBLE, modes: MODES, shapes: Shapes::General }.system()
}

/// The tube of the flexible links.
pub fn tube() -> BeamProperties {
    let aluminium = Material { young: 7e10, poisson: 0.33, density: 2700.0 };
    BeamProperties::new(Section::Tube { outer: 0.04, inner: 0.036 }, aluminium)
}

/// The axis of a joint.
pub fn axis(joint: usize) -> [f64; 3] {
    match joint {
        0 => [0.0, 0.0, 1.0],
        1 | 2 => [0.0, 1.0, 0.0],
        k if k % 2 == 1 => [1.0, 0.0, 0.0],
        _ => [0.0, 1.0, 0.0],
    }
}

impl BookArm {
    /// What it is built from.
    pub fn system(&self) -> System {
        let (n, shapes) = (self.modes, self.shapes);
        let modes = match shapes {
            Shapes::General => ModeCounts { bending_y: n - n / 2, bending_z: n / 2, stretch: 0, twist: 0 },
            Shapes::Orthogonal => ModeCounts { bending_y: n, ..ModeCounts::default() },
        };
        let beam = ModalBeam { fidelity: Fidelity::Inconsistent, ..ModalBeam::cantilever(LENGTH, tube(), modes) };
        let mut bodies: Vec<Body> = Vec::new();
        for k in 0..self.joints {
            let parent = match k {
                0 => Parent::Ground,
                _ => Parent::Body(BodyIndex(k - 1), NodeIndex(bodies[k - 1].nodes.len() - 1)),
            };
            let hinge = Hinge::new(HingeKind::Revolute { axis: axis(k) });
            let name = format!("link {}", k + 1);
            bodies.push(match (k < self.flexible, shapes) {
                (true, Shapes::General) => mixed(beam.body(name, parent, hinge)),
                (true, Shapes::Orthogonal) => beam.body(name, parent, hinge),
                (false, _) => rigid(name, parent, hinge, k + 1 == self.joints),
            });
        }
        System {
            gravity: [0.0, 0.0, -9.81],
            elastic_rotation: ElasticRotation::FirstOrder,
            bodies,
            ..System::default()
        }
    }
}

/// An orthogonal matrix that mixes `n` modes: a reflection at `(1, 2, 3, …)`, but that of three modes has simpler numbers.
fn mixing(n: usize, r: usize, s: usize) -> f64 {
    const THREE: [[f64; 3]; 3] = [[2.0, -1.0, 2.0], [2.0, 2.0, -1.0], [-1.0, 2.0, 2.0]];
    if n == 3 {
        return THREE[r][s] / 3.0;
    }
    let square: f64 = (1..=n).map(|i| (i * i) as f64).sum();
    let unit = if r == s { 1.0 } else { 0.0 };
    unit - 2.0 * ((r + 1) * (s + 1)) as f64 / square
}

/// The same body in coordinates that mix its modes.
fn mixed(mut body: Body) -> Body {
    let n = body.modes.count;
    for node in body.nodes.iter_mut().filter(|node| !node.influence.is_empty()) {
        let old = node.influence.clone();
        let column = |r: usize| std::array::from_fn(|i| (0..n).map(|s| mixing(n, r, s) * old[s][i]).sum());
        node.influence = (0..n).map(column).collect();
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
    let pairs = || (0..n).flat_map(|s| (0..n).map(move |t| (s, t)));
    let entry = |r: usize, q: usize| pairs().map(|(s, t)| mixing(n, r, s) * old(s, t) * mixing(n, q, t)).sum();
    body.modes.stiffness = ModalMatrix::Full((0..n).map(|r| (0..n).map(|q| entry(r, q)).collect()).collect());
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

    /// Mixing leaves modal masses at one, with any number of modes.
    #[test]
    fn mixed_modes_stay_normalised() {
        for modes in 1..=6 {
            let arm = BookArm { joints: 4, flexible: 2, modes, shapes: Shapes::General };
            let model = Model::build(&arm.system()).unwrap();
            assert_eq!(model.speed_count(), 4 + 2 * modes);
            assert!(model.notes().is_empty(), "{modes}: {:?}", model.notes());
        }
    }
}
