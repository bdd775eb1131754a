//! Closures in a picture: a mark on each frame, and a line between frames that are apart, dashed where the closure is open.

use supple::spatial::Vector3;
use supple_io::drawing::Colour;

use super::parts::{Part, PartForm, thin};
use crate::pose::{self, Pose};
use crate::scene::{Scene, SceneClosure, SceneFrame};

const CLOSURE: Colour = Colour::hex(0xd1_49_5b);
/// Dashes of the line across an open closure.
const DASHES: usize = 7;
/// Pieces of a line, so that it can be partly in front of something.
const PIECES: usize = 2 * DASHES - 1;
/// Origins of frames that are farther apart than this share of the size of the system are seen to be.
const APART: f64 = 2e-3;

/// Where bodies are: poses, and amplitudes of their shapes.
type Placed = (Vec<Pose>, Vec<Vec<f64>>);

/// Adds the parts of all closures of a system of a size, with bodies as they are drawn, open where they are as they really are.
pub fn add(out: &mut Vec<Part>, scene: &Scene, [drawn, really]: [&Placed; 2], size: f64) {
    let thin = thin(size);
    for (i, closure) in scene.closures.iter().enumerate() {
        let Some(ends) = ends(scene, closure, drawn) else { continue };
        let mut add = |form: PartForm| out.push(Part { form, colour: CLOSURE, class: format!("closure-{i}") });
        for [stem, end] in ends {
            add(PartForm::Ball(end, 0.9 * thin, true));
            if apart(stem, end) > 0.0 {
                add(PartForm::Rod([stem, end], 0.3 * thin, 0.0));
            }
        }
        let [a, b] = [ends[0][1], ends[1][1]];
        if apart(a, b) > APART * size {
            let open = closure.meets && is_open(scene, closure, really, size);
            let at = |n: usize| a + (b - a) * (n as f64 / PIECES as f64);
            for n in (0..PIECES).filter(|n| !open || n % 2 == 0) {
                add(PartForm::Rod([at(n), at(n + 1)], 0.3 * thin, 0.0));
            }
        }
    }
}

/// Whether origins that should meet are apart.
fn is_open(scene: &Scene, closure: &SceneClosure, really: &Placed, size: f64) -> bool {
    ends(scene, closure, really).is_some_and(|[[_, a], [_, b]]| apart(a, b) > APART * size)
}

/// Of each of the two frames where a stem begins that holds it, and its origin; none for couplings of hinges.
fn ends(scene: &Scene, closure: &SceneClosure, (poses, amplitudes): &Placed) -> Option<[[Vector3<f64>; 2]; 2]> {
    let place = |frame: &SceneFrame| {
        let Some(k) = frame.body else { return [Vector3(frame.position); 2] };
        let still = vec![0.0; amplitudes[k].len()];
        let own = if scene.carried_by_deformation { &amplitudes[k] } else { &still };
        let node = poses[k].then(&pose::deformed(&scene.bodies[k], frame.node, own));
        let origin = node.attitude * Vector3(frame.position) + node.position;
        // Rigid bodies have rods to their frames.
        [if scene.bodies[k].modes > 0 { node.position } else { origin }, origin]
    };
    closure.frames.as_ref().map(|frames| frames.each_ref().map(place))
}

fn apart(a: Vector3<f64>, b: Vector3<f64>) -> f64 {
    (b - a).norm_squared().sqrt()
}
