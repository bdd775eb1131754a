//! Folders that the user names, and the files that names of meshes mean below them.

use std::path::{Path, PathBuf};

use crate::load::Explanation;
use crate::source::folder::{check_name, read_file};
use crate::source::{MAX_FILE_BYTES, PathFault};

/// Most files that one mesh may name.
const MAX_BESIDE: usize = 64;

/// Folders below which meshes may be read. There are none unless the user names them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MeshFolders {
    /// Without links.
    roots: Vec<PathBuf>,
}

impl MeshFolders {
    /// This folder. Several are collected from an iterator.
    ///
    /// # Errors
    /// There is no such folder.
    pub fn at(folder: &Path) -> Result<Self, Explanation> {
        match folder.canonicalize() {
            Ok(root) if root.is_dir() => Ok(Self { roots: vec![root] }),
            _ => {
                let what = format!("there is no folder `{}`", folder.display());
                Err(Explanation::new(what, "name the folder below which the meshes lie"))
            }
        }
    }

    /// The folders, without links.
    pub fn paths(&self) -> &[PathBuf] {
        &self.roots
    }

    /// Whether no mesh may be read.
    pub fn is_empty(&self) -> bool {
        self.roots.is_empty()
    }

    /// Whether a file without links lies below one of the folders.
    fn holds(&self, path: &Path) -> bool {
        self.roots.iter().any(|root| path.starts_with(root))
    }

    /// The file that a name means: `package://NAME/PATH` below a folder `NAME` or below the folder that holds it, a path from the folder of
    /// the file that names it, or one below a folder of the user. Links are followed before it is asked where the file lies.
    pub(super) fn find(&self, name: &str, base: Option<&Path>) -> Result<PathBuf, PathFault> {
        let mut fault = PathFault::NotFound;
        for candidate in self.candidates(name, base)? {
            let Ok(path) = candidate.canonicalize() else { continue };
            match () {
                () if !self.holds(&path) => fault = PathFault::Outside,
                () if !path.is_file() => fault = PathFault::NotAFile,
                () => return Ok(path),
            }
        }
        Err(fault)
    }

    /// Where the file of a name may lie, the likeliest place first.
    fn candidates(&self, name: &str, base: Option<&Path>) -> Result<Vec<PathBuf>, PathFault> {
        let scheme = |scheme: &str| name.get(..scheme.len()).filter(|start| start.eq_ignore_ascii_case(scheme));
        if let Some(start) = scheme("package://").or(scheme("model://")) {
            let path = &name[start.len()..];
            let inner = path.split_once('/').map(|(_, inner)| inner);
            check(path)?;
            let below = |root: &PathBuf| [Some(root.join(path)), inner.map(|inner| root.join(inner))];
            return Ok(self.roots.iter().flat_map(below).flatten().collect());
        }
        let path = scheme("file://").map_or(name, |start| &name[start.len()..]);
        check(path)?;
        Ok(base.into_iter().chain(self.roots.iter().map(PathBuf::as_path)).map(|root| root.join(path)).collect())
    }
}

impl FromIterator<MeshFolders> for MeshFolders {
    fn from_iter<I: IntoIterator<Item = MeshFolders>>(all: I) -> Self {
        Self { roots: all.into_iter().flat_map(|one| one.roots).collect() }
    }
}

/// Paths may be absolute and may step upward, because the place of the file itself is checked.
fn check(path: &str) -> Result<(), PathFault> {
    match check_name(path) {
        Err(PathFault::Upward | PathFault::Absolute) if !path.contains('\\') => Ok(()),
        other => other,
    }
}

/// The files that a mesh names, in its folder or below: buffers and materials. All together are as large as one file may be.
pub(super) struct Beside<'f> {
    folders: &'f MeshFolders,
    folder: &'f Path,
    bytes: u64,
    files: usize,
}

impl<'f> Beside<'f> {
    /// For a mesh in this folder.
    pub(super) fn new(folders: &'f MeshFolders, folder: &'f Path) -> Self {
        Self { folders, folder, bytes: MAX_FILE_BYTES as u64, files: MAX_BESIDE }
    }

    /// The content of a file.
    pub(super) fn read(&mut self, name: &str) -> Result<Vec<u8>, PathFault> {
        check_name(name)?;
        let path = self.folder.join(name).canonicalize().map_err(|_| PathFault::NotFound)?;
        if !path.starts_with(self.folder) || !self.folders.holds(&path) {
            return Err(PathFault::Outside);
        }
        let about = path.metadata().map_err(|_| PathFault::Unreadable)?;
        self.files = self.files.checked_sub(1).ok_or(PathFault::TooLarge)?;
        self.bytes = self.bytes.checked_sub(about.len()).ok_or(PathFault::TooLarge)?;
        read_file(&path)
    }
}
