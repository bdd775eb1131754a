//! Bodies as their file says that they look: flat pieces that move with the body, with a node, or bend with the sections of a line.

use supple::spatial::Vector3;
use supple_io::drawing::Colour;

use super::line::LineShape;
use super::parts::{Part, PartForm};
use super::patches::{Patches, patches};
use crate::pose::{self, Pose};
use crate::scene::{Scene, SceneBody, SceneMesh};

/// Most triangles of all meshes in a picture: beyond it they are made coarser.
const MOST_TRIANGLES: usize = 30_000;
/// Longest pieces of straight sides, as a part of the size of the system.
const PIECES: f64 = 60.0;

/// The shapes of all bodies.
pub struct Covers {
    of_body: Vec<Vec<Cover>>,
}

/// A shape of a body.
struct Cover {
    /// The node that it moves with.
    node: Option<usize>,
    patches: Patches,
}

/// A body in a frame.
pub struct Placed<'p> {
    /// The body, by its place in the scene.
    pub k: usize,
    /// The body.
    pub body: &'p SceneBody,
    /// Where it is.
    pub pose: &'p Pose,
    /// Its line, where it bends on one.
    pub line: Option<&'p LineShape<'p>>,
    /// Amplitudes of its shapes as they are drawn.
    pub drawn: &'p [f64],
    /// Amplitudes as they are.
    pub real: &'p [f64],
    /// What its parts belong to.
    pub class: &'p str,
}

impl Covers {
    /// For a system of a size.
    pub fn new(scene: &Scene, size: f64) -> Self {
        // Without a size it is found out how much room they need.
        let piece = if size > 0.0 { size / PIECES } else { f64::INFINITY };
        let meshes = if size > 0.0 { &coarser(&scene.meshes) } else { &scene.meshes };
        let of = |body: &SceneBody| {
            let cover = |shape: &_| Cover { node: None, patches: patches(shape, meshes, piece) };
            body.shapes.iter().map(|shape| Cover { node: shape.node, ..cover(shape) }).collect()
        };
        Self { of_body: scene.bodies.iter().map(of).collect() }
    }

    /// Adds the shapes of a body. `usual` is the colour of what has none; `told` gives that of a place of the line, where colours tell something.
    pub fn add(&self, out: &mut Vec<Part>, at: &Placed<'_>, usual: Colour, told: &dyn Fn(usize) -> Option<Colour>) {
        let sections = at.line.map(|line| line.sections(at.drawn));
        for Cover { node, patches } in &self.of_body[at.k] {
            let bending = at.line.zip(sections.as_ref()).filter(|_| node.is_none());
            let held = node.map(|node| {
                let (rest, now) = (pose::deformed(at.body, node, &[]), pose::deformed(at.body, node, at.drawn));
                now.then(&rest.inverse())
            });
            let place = |p: &Vector3<f64>| {
                let own = match (bending, &held) {
                    (Some((line, sections)), _) => line.carry(*p, sections),
                    (None, Some(held)) => held.attitude * *p + held.position,
                    (None, None) => *p,
                };
                at.pose.attitude * own + at.pose.position
            };
            let mut add = |form, colour| out.push(Part { form, colour, class: at.class.to_owned() });
            for patch in &patches.patches {
                let middle =
                    || patch.points.iter().fold(Vector3::ZERO, |a, p| a + *p) * (1.0 / patch.points.len() as f64);
                let of_place = bending.and_then(|(line, _)| {
                    let (i, w) = line.nearest(middle());
                    told(if w < 0.5 { i } else { i + 1 })
                });
                let colour = of_place.or(patch.colour).unwrap_or(usual);
                add(PartForm::Sheet(patch.points.iter().map(place).collect(), 0.0), colour);
            }
            let own = patches.patches.first().and_then(|patch| patch.colour).unwrap_or(usual);
            patches.edges.iter().for_each(|edge| add(PartForm::Edge(edge.each_ref().map(place), 0.0), own));
        }
    }

    /// Corners of the shapes of a body in its pose, without deformation.
    pub fn corners(&self, k: usize, pose: &Pose) -> Vec<Vector3<f64>> {
        let patches = self.of_body[k].iter().flat_map(|cover| &cover.patches.patches);
        patches.flat_map(|patch| &patch.points).map(|p| pose.attitude * *p + pose.position).collect()
    }
}

fn coarser(meshes: &[SceneMesh]) -> Vec<SceneMesh> {
    let all: usize = meshes.iter().map(SceneMesh::triangle_count).sum();
    let most = |mesh: &SceneMesh| (mesh.triangle_count() as f64 * MOST_TRIANGLES as f64 / all as f64) as usize;
    let one = |mesh: &SceneMesh| if all > MOST_TRIANGLES { mesh.coarser(most(mesh).max(12)) } else { mesh.clone() };
    meshes.iter().map(one).collect()
}
