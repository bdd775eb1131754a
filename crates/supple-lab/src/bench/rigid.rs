//! Rigid trees with random placements and inertias, the same on every machine.

use super::generator::Generator;
use supple::{Body, BodyIndex, Hinge, HingeKind, NodeIndex, Parent, System};

/// Where a body hangs and how its hinge moves.
type Joint = (Option<usize>, HingeKind);

/// Axes in turn: z, y, x.
fn revolute(i: usize) -> HingeKind {
    let mut axis = [0.0; 3];
    axis[2 - i % 3] = 1.0;
    HingeKind::Revolute { axis }
}

/// Bodies in a row.
pub fn chain(bodies: usize) -> System {
    tree((0..bodies).map(|i| (i.checked_sub(1), revolute(i))))
}

/// Seven bodies in a row, all hinges about one axis of their own frames, with a drive in each where `rotor` holds.
pub fn arm(axis: [f64; 3], rotor: bool) -> System {
    let mut system = tree((0..7_usize).map(|i| (i.checked_sub(1), HingeKind::Revolute { axis })));
    if rotor {
        system.bodies.iter_mut().for_each(|body| body.hinge.rotor_inertia = vec![0.05]);
    }
    system
}

/// Bodies that carry two each.
pub fn binary_tree(bodies: usize) -> System {
    tree((0..bodies).map(|i| (i.checked_sub(1).map(|above| above / 2), revolute(i))))
}

/// A free pelvis with two legs of six hinges; a torso of two, with two arms of seven and a head of two: 31 bodies, 36 speeds.
pub fn humanoid() -> System {
    let mut joints: Vec<Joint> = vec![(None, HingeKind::Free)];
    let mut limb = |mut parent: usize, count: usize| {
        for i in 0..count {
            joints.push((Some(parent), revolute(i)));
            parent = joints.len() - 1;
        }
        parent
    };
    for _ in 0..2 {
        limb(0, 6);
    }
    let torso = limb(0, 2);
    for count in [7, 7, 2] {
        limb(torso, count);
    }
    tree(joints)
}

fn tree(joints: impl IntoIterator<Item = Joint>) -> System {
    let mut rng = Generator::new(20);
    let body = |(i, (parent, kind)): (usize, Joint)| {
        let hinge = Hinge::new(kind).at(rng.vector(0.4)).turned(rotation(rng.quaternion()));
        let parent = parent.map_or(Parent::Ground, |p| Parent::Body(BodyIndex(p), NodeIndex(0)));
        let (mass, centre) = (rng.between(0.5, 3.0), rng.vector(0.2));
        let own = std::array::from_fn(|_| rng.between(0.01, 0.012));
        Body::rigid(format!("body {i}"), parent, hinge, mass, centre, inertia_at_frame(mass, centre, diagonal(own)))
    };
    System {
        gravity: [0.0, 0.0, -9.81],
        bodies: joints.into_iter().enumerate().map(body).collect(),
        ..System::default()
    }
}

/// A diagonal matrix.
pub fn diagonal([a, b, c]: [f64; 3]) -> [[f64; 3]; 3] {
    [[a, 0.0, 0.0], [0.0, b, 0.0], [0.0, 0.0, c]]
}

/// Inertia about the frame from that about the mass centre: `J + m (c·c I - c c*)`.
pub fn inertia_at_frame(mass: f64, centre: [f64; 3], own: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
    let square: f64 = centre.iter().map(|x| x * x).sum();
    let entry = |i: usize, j: usize| own[i][j] + mass * (if i == j { square } else { 0.0 } - centre[i] * centre[j]);
    std::array::from_fn(|i| std::array::from_fn(|j| entry(i, j)))
}

/// The rotation of a unit quaternion.
fn rotation([x, y, z, w]: [f64; 4]) -> [[f64; 3]; 3] {
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)],
        [2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)],
        [2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)],
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use supple::Model;

    #[test]
    fn sizes() {
        for (system, bodies, speeds) in [(chain(7), 7, 7), (binary_tree(63), 63, 63), (humanoid(), 31, 36)] {
            let model = Model::build(&system).unwrap();
            assert_eq!((model.body_count(), model.speed_count()), (bodies, speeds));
        }
    }
}
