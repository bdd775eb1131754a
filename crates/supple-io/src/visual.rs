//! What bodies look like, where files say so: shapes and meshes fixed to bodies. Nothing here has mass.

use std::sync::Arc;

/// A shape fixed to a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Visual {
    /// The body, by its place in the system.
    pub body: usize,
    /// The node that it moves with; the body frame where there is none.
    pub node: Option<usize>,
    /// Its origin in the undeformed body frame, m.
    pub position: [f64; 3],
    /// Its attitude in the body frame, a unit quaternion (x, y, z, w).
    pub attitude: [f64; 4],
    /// Its shape, about its own origin and axes.
    pub shape: Shape,
    /// Red, green, blue and opacity, 0 to 1; of meshes that have no colours of their own.
    pub colour: Option<[f32; 4]>,
}

/// A shape about its own origin and axes, in m.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A box with its centre at the origin.
    Box {
        /// Lengths of the sides.
        sides: [f64; 3],
    },
    /// A cylinder along the third axis, its centre at the origin.
    Cylinder {
        /// Radius.
        radius: f64,
        /// Length.
        length: f64,
    },
    /// A cylinder with half balls at its ends; its length is that of the cylinder alone.
    Capsule {
        /// Radius.
        radius: f64,
        /// Length.
        length: f64,
    },
    /// An ellipsoid; a ball has three equal radii.
    Ellipsoid {
        /// Half axes.
        radii: [f64; 3],
    },
    /// Triangles read from a file.
    Mesh(Arc<Mesh>),
}

/// Triangles, scaled to m.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// The file as its user named it.
    pub file: String,
    /// Corners.
    pub vertices: Vec<[f32; 3]>,
    /// Corners of each triangle, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Colour of each vertex (red, green, blue, opacity), where the file has colours; else empty.
    pub colours: Vec<[f32; 4]>,
}
