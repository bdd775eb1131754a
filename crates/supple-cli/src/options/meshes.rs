//! Folders below which meshes are read.

use std::path::Path;

use supple_io::mesh::MeshFolders;

/// Folders below which meshes are read.
#[derive(clap::Args, Default)]
pub struct MeshOptions {
    /// Read the meshes that the model names, below this folder only. Without it no mesh is read. May be repeated.
    #[arg(long = "meshes", value_name = "FOLDER", value_parser = parse_folder)]
    named: Vec<MeshFolders>,
}

impl MeshOptions {
    /// All folders.
    pub fn folders(&self) -> MeshFolders {
        self.named.iter().cloned().collect()
    }
}

fn parse_folder(text: &str) -> Result<MeshFolders, String> {
    MeshFolders::at(Path::new(text)).map_err(|why| why.to_string())
}
