//! The input file and how to read it.

use std::path::PathBuf;

use super::SetOptions;
use supple_io::load::{LoadOptions, Loaded, Refusal, load};
use supple_io::mesh::MeshFolders;
use supple_io::urdf::Root;

/// The input file and how to read it.
#[derive(clap::Args)]
pub struct FileOptions {
    /// Model or scenario (.toml), robot (.urdf, .xml) or standard input data of a flexible body (.sid, .SID_FEM).
    pub file: PathBuf,
    /// Side file (TOML, format supple-flexible-1) that makes links of a robot flexible.
    #[arg(long, value_name = "FILE")]
    pub side: Option<PathBuf>,
    /// Accept defects of a robot file that other programs ignore, and print them as notes.
    #[arg(long)]
    pub lenient: bool,
    #[command(flatten)]
    pub set: SetOptions,
}

impl FileOptions {
    /// Reads and builds what the file describes. `root` holds a robot or a body of standard input data.
    pub fn load(&self, root: Root) -> Result<Loaded, Refusal> {
        self.load_with_meshes(root, MeshFolders::default())
    }

    /// The same with meshes.
    pub fn load_with_meshes(&self, root: Root, meshes: MeshFolders) -> Result<Loaded, Refusal> {
        let (side, changes) = (self.side.clone(), self.set.all());
        load(&self.file, &LoadOptions { side, lenient: self.lenient, root, changes, meshes })
    }
}
