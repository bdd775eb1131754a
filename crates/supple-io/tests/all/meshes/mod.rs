//! Meshes: each format gives the triangles that are in it, files are found only below named folders, damaged ones are refused.

mod damaged;
pub mod files;
mod formats;
mod places;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use supple_io::mesh::{ColladaUp, MeshError, MeshFolders, Meshes};
use supple_io::visual::Mesh;

/// A folder that is removed in the end.
pub struct Scratch(PathBuf);

impl Scratch {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("supple-meshes-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path.canonicalize().unwrap())
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file below the folder.
    pub fn put(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path
    }

    pub fn meshes(&self) -> Meshes {
        Meshes::new(&MeshFolders::at(&self.0).unwrap(), Some(&self.0), ColladaUp::Declared)
    }

    /// The mesh of a file with this content.
    pub fn read(&self, name: &str, bytes: impl AsRef<[u8]>) -> Result<Arc<Mesh>, MeshError> {
        self.put(name, bytes);
        self.meshes().read(name, [1.0; 3]).map(|mesh| mesh.expect("a folder was named"))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Triangles by their corners, in µm; whichever corner was the first, and whichever triangle.
pub fn triangles(mesh: &Mesh) -> Vec<[[i64; 3]; 3]> {
    let corner = |i: u32| mesh.vertices[i as usize].map(|x| (f64::from(x) * 1e6).round() as i64);
    let mut all: Vec<_> = mesh.triangles.iter().map(|told| in_order(told.map(corner))).collect();
    all.sort_unstable();
    all
}

/// The same triangles from corners in m.
pub fn expected(corners: &[[[f64; 3]; 3]]) -> Vec<[[i64; 3]; 3]> {
    let mut all: Vec<_> =
        corners.iter().map(|told| in_order(told.map(|p| p.map(|x| (x * 1e6).round() as i64)))).collect();
    all.sort_unstable();
    all
}

fn in_order(corners: [[i64; 3]; 3]) -> [[i64; 3]; 3] {
    let first = (0..3).min_by_key(|k| corners[*k]).unwrap();
    std::array::from_fn(|k| corners[(first + k) % 3])
}
