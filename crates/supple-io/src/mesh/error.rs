//! Why a mesh is not read.

use std::fmt;

use crate::source::{PathFault, shorten};

/// A place in a mesh file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeshPlace {
    /// A line of a text, from one.
    Line(usize),
    /// A byte, from zero.
    Byte(usize),
}

impl fmt::Display for MeshPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Byte(byte) => write!(f, "byte {byte}"),
        }
    }
}

/// Why a mesh is not read: the file, the place in it, what is wrong, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MeshError {
    /// The file as its user named it.
    pub file: String,
    /// Where in the file, where that is known.
    pub place: Option<MeshPlace>,
    /// What is wrong.
    pub what: String,
    /// What to do.
    pub remedy: String,
}

impl MeshError {
    /// The message without the remedy.
    pub fn message(&self) -> String {
        let place = self.place.map_or(String::new(), |place| format!(", {place}"));
        format!("the mesh `{}`{place}: {}", shorten(&self.file, 80), self.what)
    }
}

impl fmt::Display for MeshError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.message(), self.remedy)
    }
}

impl std::error::Error for MeshError {}

/// What a reader of a format finds wrong, before it is known which file it was.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) place: Option<MeshPlace>,
    pub(super) what: String,
    pub(super) remedy: &'static str,
}

/// What helps against most damaged files.
const EXPORT: &str = "export the mesh again, or check that it is the right file";

impl Fault {
    /// A damaged file.
    pub(super) fn new(what: impl Into<String>) -> Self {
        Self { place: None, what: what.into(), remedy: EXPORT }
    }

    /// Something that is sound and yet not read.
    pub(super) fn unread(what: impl Into<String>, remedy: &'static str) -> Self {
        Self { remedy, ..Self::new(what) }
    }

    /// A file that is not opened.
    pub(super) fn path(fault: &PathFault) -> Self {
        let remedy = match fault {
            PathFault::Outside => "put the file below a folder that `--meshes` names, or name its folder as well",
            PathFault::NotFound => "check the name, and the folders that `--meshes` names",
            PathFault::Address => "meshes are not downloaded: put the file below a folder that `--meshes` names",
            PathFault::TooLarge => "make the mesh coarser",
            _ => "give a path below a folder that `--meshes` names",
        };
        Self::unread(fault.to_string(), remedy)
    }

    /// The same in a line, unless the place is known.
    pub(super) fn in_line(mut self, line: usize) -> Self {
        self.place = self.place.or(Some(MeshPlace::Line(line)));
        self
    }

    /// The same at a byte, unless the place is known.
    pub(super) fn at_byte(mut self, byte: usize) -> Self {
        self.place = self.place.or(Some(MeshPlace::Byte(byte)));
        self
    }

    /// The same in a file.
    pub(super) fn of(self, file: &str) -> MeshError {
        let Self { place, what, remedy } = self;
        MeshError { file: file.to_owned(), place, what, remedy: remedy.to_owned() }
    }
}
