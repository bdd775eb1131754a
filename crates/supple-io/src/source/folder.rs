//! Files that a file names: only below its own folder, only as text. They are read from the disk each time, or kept in memory.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::MAX_FILE_BYTES;
use crate::mesh::{ColladaUp, MeshFolders, Meshes};

/// Longest file name that is considered, in bytes.
const MAX_NAME: usize = 4096;

/// Why a file that a file names is not opened.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PathFault {
    /// The name is empty.
    Empty,
    /// The name has a zero byte in it.
    ZeroByte,
    /// The name is too long.
    TooLong {
        /// Its length in bytes.
        bytes: usize,
    },
    /// The name starts at the root of a file system or of a share.
    Absolute,
    /// The name is an address: `file://`, `http://`, `package://`.
    Address,
    /// The name steps upward with `..`.
    Upward,
    /// The name has backslashes or coded characters in it.
    Coded,
    /// The name is a link to a place outside of the folder.
    Outside,
    /// There is no such file.
    NotFound,
    /// It is a folder or a device.
    NotAFile,
    /// The system does not let it be read.
    Unreadable,
    /// The file is too large.
    TooLarge,
    /// The text that names it came without a folder.
    NoFolder,
}

impl fmt::Display for PathFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "the name is empty"),
            Self::ZeroByte => write!(f, "the name contains a zero byte"),
            Self::TooLong { bytes } => write!(f, "the name has {bytes} bytes, the limit is {MAX_NAME}"),
            Self::Absolute => write!(f, "the path is absolute"),
            Self::Address => write!(f, "the path is a URL"),
            Self::Upward => write!(f, "the path leaves the folder by `..`"),
            Self::Coded => write!(f, "the path contains backslashes or percent-encoded characters"),
            Self::Outside => write!(f, "it is a link to a place outside the folder"),
            Self::NotFound => write!(f, "there is no such file"),
            Self::NotAFile => write!(f, "it is not a regular file"),
            Self::Unreadable => write!(f, "permission denied or unreadable"),
            Self::TooLarge => write!(f, "it is larger than {MAX_FILE_BYTES} bytes"),
            Self::NoFolder => write!(f, "the text was not read from a folder"),
        }
    }
}

/// Where files come from: the disk, or for those read before the memory, so that a file that changes meanwhile makes no difference. All clones
/// share what is kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct Files {
    kept: Option<Arc<Mutex<Kept>>>,
    /// Where meshes may be read, always from the disk.
    meshes: MeshFolders,
}

/// What was read and found so far.
#[derive(Debug, Default)]
struct Kept {
    contents: BTreeMap<PathBuf, Vec<u8>>,
    /// Files by the folder and the name that they were found by.
    places: BTreeMap<(PathBuf, String), PathBuf>,
}

impl Files {
    /// Each file is kept from its first reading on.
    pub(crate) fn kept() -> Self {
        Self { kept: Some(Arc::default()), meshes: MeshFolders::default() }
    }

    /// From the disk, with meshes below these folders.
    pub(crate) fn with_meshes(meshes: &MeshFolders) -> Self {
        Self { kept: None, meshes: meshes.clone() }
    }

    /// The content of a file.
    pub(crate) fn read(&self, path: &Path) -> Result<Vec<u8>, PathFault> {
        let Some(kept) = &self.kept else { return read_file(path) };
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bytes) = kept.contents.get(path) {
            return Ok(bytes.clone());
        }
        let bytes = read_file(path)?;
        kept.contents.insert(path.to_owned(), bytes.clone());
        Ok(bytes)
    }

    /// The file of a name below a folder, as it was found first.
    fn find(&self, root: &Path, name: &str) -> Result<PathBuf, PathFault> {
        let find = || root.join(name).canonicalize().map_err(|_| PathFault::NotFound);
        let Some(kept) = &self.kept else { return find() };
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (root.to_owned(), name.to_owned());
        if let Some(path) = kept.places.get(&key).filter(|path| kept.contents.contains_key(*path)) {
            return Ok(path.clone());
        }
        let path = find()?;
        kept.places.insert(key, path.clone());
        Ok(path)
    }

    /// Whether there is a file, or was one when it was read.
    fn has(&self, path: &Path) -> bool {
        let kept = |kept: &Mutex<Kept>| kept.lock().unwrap_or_else(PoisonError::into_inner).contents.contains_key(path);
        self.kept.as_ref().is_some_and(|files| kept(files)) || path.is_file()
    }

    /// The files that were read so far, by their paths.
    pub(crate) fn contents(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        self.kept
            .as_ref()
            .map_or_else(BTreeMap::new, |kept| kept.lock().unwrap_or_else(PoisonError::into_inner).contents.clone())
    }
}

/// The folder below which files may be opened.
#[derive(Clone, Debug)]
pub(crate) struct Folder {
    root: Option<PathBuf>,
    files: Files,
}

impl Folder {
    /// No folder: no file may be opened.
    pub(crate) fn none() -> Self {
        Self { root: None, files: Files::default() }
    }

    /// The folder at a path.
    pub(crate) fn at(path: &Path) -> Self {
        Self { root: path.canonicalize().ok().filter(|path| path.is_dir()), files: Files::default() }
    }

    /// The folder in which a file lies.
    pub(crate) fn of_file(path: &Path, files: &Files) -> Self {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        Self { files: files.clone(), ..Self::at(parent.unwrap_or(Path::new("."))) }
    }

    /// Where its files come from.
    pub(crate) fn files(&self) -> &Files {
        &self.files
    }

    /// Reads the meshes that a file in this folder names.
    pub(crate) fn meshes(&self, up: ColladaUp) -> Meshes {
        Meshes::new(&self.files.meshes, self.root.as_deref(), up)
    }

    /// The content of the file of a name, relative to the folder.
    pub(crate) fn read(&self, name: &str) -> Result<Vec<u8>, PathFault> {
        self.files.read(&self.resolve(name)?)
    }

    /// The path of the file of a name, which may lie above the folder.
    pub(crate) fn resolve_anywhere(&self, name: &str) -> Result<PathBuf, PathFault> {
        let root = self.root.as_ref().ok_or(PathFault::NoFolder)?;
        match check_name(name) {
            Err(fault) if fault != PathFault::Upward => return Err(fault),
            _ => {}
        }
        let path = self.files.find(root, name)?;
        if self.files.has(&path) { Ok(path) } else { Err(PathFault::NotAFile) }
    }

    /// The path of the file of a name.
    pub(crate) fn resolve(&self, name: &str) -> Result<PathBuf, PathFault> {
        let root = self.root.as_ref().ok_or(PathFault::NoFolder)?;
        check_name(name)?;
        let path = self.files.find(root, name)?;
        match () {
            () if !path.starts_with(root) => Err(PathFault::Outside),
            () if !self.files.has(&path) => Err(PathFault::NotAFile),
            () => Ok(path),
        }
    }
}

/// What can be seen wrong with a name before the file system is asked.
pub(crate) fn check_name(name: &str) -> Result<(), PathFault> {
    let lower = name.to_ascii_lowercase();
    let drive = name.as_bytes().get(1) == Some(&b':');
    let path = Path::new(name);
    let upward = path.components().any(|part| matches!(part, Component::ParentDir));
    match () {
        () if name.is_empty() => Err(PathFault::Empty),
        () if name.len() > MAX_NAME => Err(PathFault::TooLong { bytes: name.len() }),
        () if name.contains('\0') => Err(PathFault::ZeroByte),
        () if name.contains("://") || lower.starts_with("file:") => Err(PathFault::Address),
        () if path.has_root() || name.starts_with('\\') || drive => Err(PathFault::Absolute),
        () if upward => Err(PathFault::Upward),
        () if name.contains('\\') || lower.contains("%2e") || lower.contains("%2f") => Err(PathFault::Coded),
        () => Ok(()),
    }
}

/// The content of a plain file of acceptable size.
pub(crate) fn read_file(path: &Path) -> Result<Vec<u8>, PathFault> {
    let fault = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => PathFault::NotFound,
        _ => PathFault::Unreadable,
    };
    let about = std::fs::metadata(path).map_err(fault)?;
    if !about.is_file() {
        return Err(PathFault::NotAFile);
    }
    if about.len() > MAX_FILE_BYTES as u64 {
        return Err(PathFault::TooLarge);
    }
    let mut bytes = Vec::new();
    File::open(path).map_err(fault)?.take(MAX_FILE_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(fault)?;
    Ok(bytes)
}
