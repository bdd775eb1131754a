//! A planar four-bar with its loop closed in several ways.

use super::rigid::{diagonal, inertia_at_frame};
use supple::{Body, BodyIndex, Closure, ClosureKind, Hinge, HingeKind, Mount, NodeIndex, Parent, System};

/// Directions of all hinges.
const AXIS: [f64; 3] = [0.0, 1.0, 0.0];

/// What closes the loop between coupler and rocker, by name: the same motion with five equations, three and two, of which two are
/// independent.
pub fn cuts() -> [(&'static str, ClosureKind); 3] {
    [
        ("four-bar", ClosureKind::Revolute { axis: AXIS }),
        ("four-bar-ball", ClosureKind::Ball),
        ("four-bar-line", ClosureKind::PointOnLine { axis: AXIS }),
    ]
}

/// Crank, coupler and rocker on hinges about y, closed at zero coordinates.
pub fn four_bar(cut: ClosureKind) -> System {
    let body = |name: &str, parent, at: [f64; 3], mass, centre, own| {
        let hinge = Hinge::new(HingeKind::Revolute { axis: AXIS }).at(at);
        Body::rigid(name, parent, hinge, mass, centre, inertia_at_frame(mass, centre, diagonal(own)))
    };
    let [coupler, rocker] = [BodyIndex(1), BodyIndex(2)].map(|body| Mount::node(body, NodeIndex(0)));
    let crank = Parent::Body(BodyIndex(0), NodeIndex(0));
    System {
        gravity: [0.0, 0.0, -9.81],
        bodies: vec![
            body("crank", Parent::Ground, [0.0; 3], 0.2, [0.0, 0.0, 0.1], [1e-3, 1e-3, 1e-4]),
            body("coupler", crank, [0.0, 0.0, 0.2], 0.5, [0.25, 0.0, 0.1], [1e-4, 1e-2, 1e-2]),
            body("rocker", Parent::Ground, [0.6, 0.0, 0.0], 0.4, [-0.05, 0.0, 0.2], [5e-3, 5e-3, 1e-4]),
        ],
        closures: vec![Closure::joint(cut, coupler.at([0.5, 0.0, 0.2]), rocker.at([-0.1, 0.0, 0.4])).named("pin")],
        ..System::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use supple::{Inputs, Model, State, Workspace, assemble, closure_rank, forward_dynamics};

    /// However the loop is cut, the system has one degree of freedom and the same accelerations.
    #[test]
    fn every_cut_is_the_same_mechanism() {
        let accelerations = cuts().map(|(name, cut)| {
            let model = Model::build(&four_bar(cut)).unwrap();
            let mut state = State::new(&model);
            state.coordinates[0] = 0.3;
            state.speeds[0] = 1.0;
            let mut held = Inputs::new(&model);
            held.prescribed[0] = true;
            assemble(&model, &mut state, &held).unwrap();
            let mut workspace = Workspace::new(&model);
            let rank = closure_rank(&model, &state, &Inputs::new(&model), &mut workspace).unwrap();
            assert_eq!(rank.freedoms(), 1, "{name}");
            let inputs = Inputs::new(&model);
            forward_dynamics(&model, &state, &inputs, &mut workspace).unwrap().accelerations().to_vec()
        });
        for other in &accelerations[1..] {
            for (a, b) in accelerations[0].iter().zip(other) {
                assert!((a - b).abs() < 1e-10 * a.abs().max(1.0), "{accelerations:?}");
            }
        }
    }
}
