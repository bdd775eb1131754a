//! Ways to spoil a system.

use supple::{Body, Hinge, HingeKind, Modes, Parent, SecondOrderShape, System};

/// Modes without shapes.
pub fn many_modes(s: &mut System, count: usize) {
    s.bodies[0].nodes.iter_mut().for_each(|node| node.influence.clear());
    s.bodies[0].modes = Modes { count, ..Modes::default() };
}

/// The second mode is a multiple of the first.
pub fn double_mode(s: &mut System) {
    for node in s.bodies[0].nodes.iter_mut().filter(|node| !node.influence.is_empty()) {
        node.influence[1] = node.influence[0].map(|x| 2.0 * x);
    }
}

/// One body more than a model may have, whatever there was.
pub fn too_many_bodies(s: &mut System) {
    let rest = (1..=100_000).map(|k| Body::new(format!("b{k}"), Parent::Ground, Hinge::new(HingeKind::Fixed)));
    s.bodies.truncate(1);
    s.bodies.extend(rest);
}

/// Second-order shapes beyond what a body may have with its modes.
pub fn too_many_shapes(s: &mut System) {
    s.bodies[0].nodes.iter_mut().for_each(|node| node.influence.clear());
    s.bodies[0].modes.second_order = vec![SecondOrderShape::default(); 999];
}
