//! Shapes and meshes that a file gives to bodies.

use serde::{Deserialize, Serialize};

use crate::numbers::Singles;

/// A shape fixed to a body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneShape {
    /// Its form.
    pub form: ShapeForm,
    /// The node that it moves with, among the nodes drawn; the body frame where there is none.
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

/// Triangles that shapes share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneMesh {
    /// The file as its user named it.
    pub file: String,
    /// Corners, three numbers each.
    pub vertices: Singles,
    /// Corners of each triangle, counter-clockwise seen from outside; whole numbers, exact in single precision.
    pub triangles: Singles,
    /// Colour of each vertex, four numbers each; empty where the file has none.
    pub colours: Singles,
}
