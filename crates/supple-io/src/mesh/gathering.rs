//! Triangles as readers find them, within the limits.

use std::collections::HashMap;

use super::MAX_TRIANGLES;
use super::affine::Affine;
use super::error::Fault;
use crate::visual::Mesh;

/// Most parts of a mesh, drawn or empty: nodes of a scene and their primitives.
const MAX_PARTS: usize = 1_000_000;
/// Farthest vertex, m.
const FAR: f64 = 1e9;
/// Colour of parts without one in a file that has colours.
const GREY: [f32; 4] = [0.8, 0.8, 0.8, 1.0];

/// Red, green, blue, opacity.
pub(super) type Colour = [f32; 4];

/// A mesh that is being read.
pub(super) struct Gathering {
    /// From the axes of the file to those of the body.
    root: Affine,
    mesh: Mesh,
    coloured: bool,
    /// How many triangles there is room for.
    room: usize,
    parts: usize,
}

impl Gathering {
    pub(super) fn new(root: Affine, room: usize) -> Self {
        Self { root, mesh: Mesh::default(), coloured: false, room, parts: 0 }
    }

    /// Turns and scales everything, before what was asked for at first.
    pub(super) fn place(&mut self, inner: &Affine) {
        self.root = self.root.after(inner);
    }

    /// Counts a part, so that scenes that repeat themselves end.
    pub(super) fn count_part(&mut self) -> Result<(), Fault> {
        self.parts += 1;
        if self.parts <= MAX_PARTS {
            return Ok(());
        }
        Err(Fault::unread(format!("it has more than {MAX_PARTS} nodes and parts"), "join the parts of the mesh"))
    }

    /// A part whose vertices have indices of their own.
    pub(super) fn part(&mut self, place: &Affine) -> Part<'_> {
        let place = self.root.after(place);
        Part { mirrored: place.mirrors(), place, gathering: self, known: HashMap::new() }
    }

    /// The mesh, which has at least one triangle.
    pub(super) fn finish(mut self) -> Result<Mesh, Fault> {
        if self.mesh.triangles.is_empty() {
            let remedy = "lines, points, curves and skins are not read: export triangles";
            return Err(Fault::unread("it has no triangles", remedy));
        }
        if !self.coloured {
            self.mesh.colours = Vec::new();
        }
        Ok(self.mesh)
    }
}

/// A part of a mesh: triangles between vertices with indices of their own, or with places only.
pub(super) struct Part<'g> {
    gathering: &'g mut Gathering,
    place: Affine,
    mirrored: bool,
    known: HashMap<[u32; 3], u32>,
}

impl Part<'_> {
    /// A triangle between vertices of these places; those at equal places are one.
    pub(super) fn facet(&mut self, corners: [[f32; 3]; 3]) -> Result<(), Fault> {
        let mut indices = [0; 3];
        for (index, corner) in indices.iter_mut().zip(corners) {
            *index = self.vertex(corner.map(f32::to_bits), || (corner.map(f64::from), None))?;
        }
        self.triangle(indices)
    }

    /// A triangle between vertices of these indices, each of which `vertex` can tell; `count` is how many there are.
    pub(super) fn indexed(
        &mut self,
        corners: [usize; 3],
        count: usize,
        vertex: impl Fn(usize) -> ([f64; 3], Option<Colour>),
    ) -> Result<(), Fault> {
        let mut indices = [0; 3];
        for (index, corner) in indices.iter_mut().zip(corners) {
            let key = u32::try_from(corner).ok().filter(|_| corner < count);
            let key = key.ok_or_else(|| Fault::new(format!("vertex {corner}, counted from 0, of {count}")))?;
            *index = self.vertex([key, 0, 0], || vertex(corner))?;
        }
        self.triangle(indices)
    }

    fn vertex(&mut self, key: [u32; 3], told: impl FnOnce() -> ([f64; 3], Option<Colour>)) -> Result<u32, Fault> {
        if let Some(index) = self.known.get(&key) {
            return Ok(*index);
        }
        let (position, colour) = told();
        let placed = self.place.apply(position);
        if !placed.iter().all(|x| x.abs() <= FAR) {
            let [x, y, z] = position;
            let what =
                format!("a vertex at ({x:e}, {y:e}, {z:e}): not finite, or farther than {FAR:e} m once it is scaled");
            return Err(Fault::new(what));
        }
        let mesh = &mut self.gathering.mesh;
        // At most three of a triangle, and these are few.
        let index = mesh.vertices.len() as u32;
        mesh.vertices.push(placed.map(|x| x as f32));
        self.gathering.coloured |= colour.is_some();
        mesh.colours.push(colour.unwrap_or(GREY).map(|c| if c.is_finite() { c.clamp(0.0, 1.0) } else { 1.0 }));
        self.known.insert(key, index);
        Ok(index)
    }

    fn triangle(&mut self, [a, b, c]: [u32; 3]) -> Result<(), Fault> {
        let triangles = &mut self.gathering.mesh.triangles;
        if triangles.len() >= self.gathering.room {
            let what = match self.gathering.room {
                MAX_TRIANGLES => format!("it has more than {MAX_TRIANGLES} triangles"),
                room => {
                    format!("it has more than {room} triangles, and all meshes together have at most {MAX_TRIANGLES}")
                }
            };
            return Err(Fault::unread(
                what,
                "make the mesh coarser, for instance with the decimation of MeshLab or Blender",
            ));
        }
        triangles.push(if self.mirrored { [a, c, b] } else { [a, b, c] });
        Ok(())
    }
}
