//! Meshes: triangles that bodies look like, read from files of other programs.
//!
//! | format        | endings         | what is read                                                                    |
//! |---------------|-----------------|---------------------------------------------------------------------------------|
//! | STL           | `.stl`          | text and binary                                                                 |
//! | Wavefront OBJ | `.obj`          | polygons, colours of vertices and of materials (`.mtl`)                          |
//! | COLLADA       | `.dae`          | triangles and polygons below the nodes of the scene, unit, diffuse colours       |
//! | glTF 2.0      | `.glb`, `.gltf` | triangles below the nodes of the scene, base colours, colours of vertices        |
//!
//! A mesh is opened only below folders that the user names, [`MeshFolders`]. Textures, skins and animations are not read. Files may be
//! hostile: sizes are limited, and nothing is allocated by numbers written in a file.

mod affine;
mod collada;
mod error;
mod folders;
mod gathering;
mod gltf;
mod obj;
mod stl;
mod text;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use error::{MeshError, MeshPlace};
pub use folders::MeshFolders;

use affine::Affine;
use error::Fault;
use folders::Beside;
use gathering::Gathering;

use crate::source::folder::read_file;
use crate::visual::Mesh;

/// Most triangles of the meshes of a model together.
pub const MAX_TRIANGLES: usize = 1_000_000;

/// Which axis of a COLLADA file points up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ColladaUp {
    /// That which the file says; the mesh is turned until it is z.
    #[default]
    Declared,
    /// Always z: most robots have files whose `up_axis` is wrong, because RViz, Gazebo and others do not read it.
    Z,
}

/// Reads the meshes of one model: each file once, and all of them within one limit of triangles.
#[derive(Debug)]
pub struct Meshes {
    folders: MeshFolders,
    /// The folder of the file that names the meshes.
    base: Option<PathBuf>,
    up: ColladaUp,
    read: HashMap<(PathBuf, [u64; 3]), Arc<Mesh>>,
    triangles: usize,
    /// What was named while there was no folder to read it from.
    unread: Vec<String>,
}

impl Meshes {
    /// For the meshes that a file in the folder `base` names.
    pub fn new(folders: &MeshFolders, base: Option<&Path>, up: ColladaUp) -> Self {
        Self {
            folders: folders.clone(),
            base: base.map(Path::to_owned),
            up,
            read: HashMap::new(),
            triangles: 0,
            unread: Vec::new(),
        }
    }

    /// The mesh of a name, scaled along its axes, in m. None where the user has named no folder; [`unread`](Self::unread) says so.
    ///
    /// # Errors
    /// [`MeshError`] with the file, the place in it, and what to do.
    pub fn read(&mut self, name: &str, scale: [f64; 3]) -> Result<Option<Arc<Mesh>>, MeshError> {
        if self.folders.is_empty() {
            if !self.unread.iter().any(|known| known == name) {
                self.unread.push(name.to_owned());
            }
            return Ok(None);
        }
        let path = self.folders.find(name, self.base.as_deref()).map_err(|fault| Fault::path(&fault).of(name))?;
        let key = (path, scale.map(f64::to_bits));
        if let Some(mesh) = self.read.get(&key) {
            return Ok(Some(mesh.clone()));
        }
        let mesh = self.open(&key.0, scale).map_err(|fault| fault.of(name))?;
        self.triangles += mesh.triangles.len();
        let mesh = Arc::new(Mesh { file: name.to_owned(), ..mesh });
        self.read.insert(key, mesh.clone());
        Ok(Some(mesh))
    }

    fn open(&self, path: &Path, scale: [f64; 3]) -> Result<Mesh, Fault> {
        if !scale.iter().all(|factor| factor.is_finite() && *factor != 0.0) {
            let what = format!("its scale is {scale:?}");
            return Err(Fault::unread(what, "give a finite factor other than 0 for each axis"));
        }
        let ending = path.extension().map_or(String::new(), |ending| ending.to_string_lossy().to_ascii_lowercase());
        let mut beside = Beside::new(&self.folders, path.parent().unwrap_or(path));
        let mut gathering = Gathering::new(Affine::scale(scale), MAX_TRIANGLES - self.triangles);
        let bytes = || read_file(path).map_err(|fault| Fault::path(&fault));
        match ending.as_str() {
            "stl" => stl::read(&bytes()?, &mut gathering),
            "obj" => obj::read(&bytes()?, &mut beside, &mut gathering),
            "dae" => collada::read(&bytes()?, self.up, &mut gathering),
            "glb" | "gltf" => gltf::read(&bytes()?, &mut beside, &mut gathering),
            _ => {
                let what = format!("a file `.{ending}` is not a supported mesh");
                Err(Fault::unread(what, "give .stl, .obj, .dae, .glb or .gltf"))
            }
        }?;
        gathering.finish()
    }

    /// What was not read because no folder was named, and which option names one.
    pub fn unread(&self) -> Option<(String, &'static str)> {
        let first = self.unread.first()?;
        let what = match self.unread.len() {
            1 => format!("the mesh `{first}` is not read"),
            count => format!("{count} meshes are not read, the first is `{first}`"),
        };
        Some((what, "the folder below which they lie: give `--meshes FOLDER` to draw them"))
    }
}
