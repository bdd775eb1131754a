//! Shapes that a file gives to bodies.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use supple_io::visual::{Mesh, Shape, Visual};

use super::mesh::{MOST_IN_ALL, MOST_TRIANGLES, SceneMesh};

/// A shape fixed to a body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneShape {
    /// Its form.
    pub form: ShapeForm,
    /// The node that it moves with, among the nodes drawn. Without one it moves with the body frame; on a flexible body whose nodes lie on a
    /// line it bends with the sections of that line.
    pub node: Option<usize>,
    /// Its origin in the undeformed body frame, m.
    pub position: [f64; 3],
    /// Its attitude in the body frame, a unit quaternion (x, y, z, w).
    pub attitude: [f64; 4],
    /// Red, green, blue and opacity, 0 to 1.
    pub colour: Option<[f32; 4]>,
}

/// The form of a shape about its own origin and axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum ShapeForm {
    /// Sides along the three axes, the centre at the origin.
    Box {
        /// Lengths of the sides.
        sides: [f64; 3],
    },
    /// About the third axis, the centre at the origin.
    Cylinder {
        /// Radius.
        radius: f64,
        /// Length.
        length: f64,
    },
    /// A cylinder with half balls at its ends.
    Capsule {
        /// Radius.
        radius: f64,
        /// Length of the cylinder alone.
        length: f64,
    },
    /// A ball has three equal radii.
    Ellipsoid {
        /// Half axes.
        radii: [f64; 3],
    },
    /// One of the meshes of the scene.
    Mesh {
        /// Its place among them.
        mesh: usize,
    },
}

/// Shapes of all bodies, and the meshes that they show.
pub(super) struct Shapes {
    /// Of each visual its body and its shape.
    pub shapes: Vec<(usize, SceneShape)>,
    pub meshes: Vec<SceneMesh>,
    /// Which meshes are simplified.
    pub notes: Vec<String>,
}

impl Shapes {
    /// Of bodies that are drawn by the nodes `chosen`.
    pub fn of(visuals: &[Visual], chosen: &[Vec<usize>]) -> Self {
        let mut told: Vec<&Arc<Mesh>> = Vec::new();
        let mut shapes = Vec::new();
        for visual in visuals {
            let form = match &visual.shape {
                Shape::Box { sides } => ShapeForm::Box { sides: *sides },
                Shape::Cylinder { radius, length } => ShapeForm::Cylinder { radius: *radius, length: *length },
                Shape::Capsule { radius, length } => ShapeForm::Capsule { radius: *radius, length: *length },
                Shape::Ellipsoid { radii } => ShapeForm::Ellipsoid { radii: *radii },
                Shape::Mesh(mesh) => {
                    let known = told.iter().position(|other| Arc::ptr_eq(other, mesh));
                    let mesh = known.unwrap_or_else(|| {
                        told.push(mesh);
                        told.len() - 1
                    });
                    ShapeForm::Mesh { mesh }
                }
            };
            let node = visual.node.and_then(|node| chosen.get(visual.body)?.binary_search(&node).ok());
            let (position, attitude, colour) = (visual.position, visual.attitude, visual.colour);
            shapes.push((visual.body, SceneShape { form, node, position, attitude, colour }));
        }
        let all: usize = told.iter().map(|mesh| mesh.triangles.len()).sum();
        let share = (MOST_IN_ALL as f64 / all.max(1) as f64).min(1.0);
        let (mut meshes, mut notes) = (Vec::new(), Vec::new());
        for mesh in told {
            let count = mesh.triangles.len();
            let most = ((share * count as f64) as usize).clamp(12, MOST_TRIANGLES);
            let drawn = SceneMesh::of(mesh, most);
            if count > most {
                let file = &mesh.file;
                notes
                    .push(format!("the mesh `{file}` is drawn by {} of its {count} triangles", drawn.triangle_count()));
            }
            meshes.push(drawn);
        }
        Self { shapes, meshes, notes }
    }

    /// The shapes of a body.
    pub fn of_body(&self, k: usize) -> Vec<SceneShape> {
        self.shapes.iter().filter(|(body, _)| *body == k).map(|(_, shape)| shape.clone()).collect()
    }
}
