//! How far a system reaches, and what stands for rigid bodies that are points of it.
//!
//! The ball with the inertia of a body tells nothing where the body has no extent: it looks the same at every angle, and hides what is in it. Such
//! a body is a bar across its axis, one in front of the other where several turn about the same point; a ball that would be larger than
//! the system is left out, and a mark stands in its place.

use supple::{Body, HingeKind, Parent, System};

use super::mass::{Form, MassProperties, Solid};
use super::{Scene, SceneBody};

/// Thickness of a bar as a part of its length, and distance of one to the next as a part of their thickness.
const THICKNESS: f64 = 0.06;
const APART: f64 = 1.3;

fn length(v: [f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

impl Scene {
    /// How far nodes and mass centres reach from where the system stands, body by body along the longest chain, m.
    pub fn reach(&self) -> f64 {
        reach(&self.bodies)
    }
}

/// How far bodies reach, one after the other along the longest chain.
fn reach(bodies: &[SceneBody]) -> f64 {
    let mut far: Vec<f64> = Vec::new();
    for body in bodies {
        let nodes = body.positions.0.as_chunks::<3>().0.iter().map(|p| length(p.map(f64::from)));
        let own = nodes.fold(length(body.mass.mass_centre), f64::max);
        far.push(own + body.parent.map_or(0.0, |parent| far[parent] + length(body.hinge.position)));
    }
    far.into_iter().fold(0.0, f64::max)
}

/// Gives balls that are points of a system a form that can be seen among others.
pub(super) fn mark_points(system: &System, bodies: &mut [SceneBody]) {
    let reach = reach(bodies);
    let mut level = vec![0; bodies.len()];
    for k in 0..bodies.len() {
        let Some(Solid { form: Form::Ball { radius }, .. }) = bodies[k].solid else { continue };
        if let Some(axis) = axis_of_point(&system.bodies[k]) {
            if let Parent::Body(parent, _) = system.bodies[k].parent
                && axis_of_point(&system.bodies[parent.0]).is_some()
                && system.bodies[k].hinge.position == [0.0; 3]
            {
                level[k] = level[parent.0] + 1;
            }
            bodies[k].solid = Some(bar(&bodies[k].mass, axis, level[k]));
        } else if reach > 0.0 && radius > reach {
            bodies[k].solid = None;
        }
    }
}

/// The axis through a body all of which is in one place of it.
fn axis_of_point(body: &Body) -> Option<[f64; 3]> {
    let HingeKind::Revolute { axis } = &body.hinge.kind else { return None };
    let place = body.nodes.get(body.inboard_node.0)?.position;
    let there = body.nodes.iter().all(|node| node.position == place && node.mass_centre == [0.0; 3]);
    (there && body.modal_inertia.is_none()).then(|| axis.map(|x| x / length(*axis)))
}

/// The bar with the same inertia about an axis across its middle, in front of so many others.
fn bar(told: &MassProperties, axis: [f64; 3], level: usize) -> Solid {
    // I = m (l² + w²) / 12
    let inertia = told.inertia[0][0];
    let long = (12.0 * inertia / (told.mass * (1.0 + THICKNESS * THICKNESS))).sqrt();
    let wide = THICKNESS * long;
    let least = (0..3).min_by(|a, b| axis[*a].abs().total_cmp(&axis[*b].abs())).unwrap_or(0);
    let across: [f64; 3] = std::array::from_fn(|i| f64::from(u8::from(i == least)) - axis[least] * axis[i]);
    let x = across.map(|c| c / length(across));
    let y: [f64; 3] = std::array::from_fn(|i| axis[(i + 1) % 3] * x[(i + 2) % 3] - axis[(i + 2) % 3] * x[(i + 1) % 3]);
    let before = APART * wide * level as f64;
    Solid {
        form: Form::Box { sides: [long, wide, wide] },
        centre: std::array::from_fn(|i| told.mass_centre[i] + before * axis[i]),
        axes: std::array::from_fn(|row| [x[row], y[row], axis[row]]),
    }
}
