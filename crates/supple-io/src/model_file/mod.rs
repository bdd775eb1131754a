//! Models in TOML.
//!
//! ```
//! use supple_io::model_file;
//! let text = r#"
//! format = "supple-model-1"
//! gravity = [0, 0, -9.81]
//!
//! [[body]]
//! name = "boom"
//! hinge = { kind = "revolute", axis = [0, 1, 0], damping = 0.2 }
//! [body.beam]
//! length = 2.0
//! section = { tube = { outer_radius = 0.05, thickness = 0.005 } }
//! material = { E = 7e10, nu = 0.33, density = 2700 }
//! modes = { bending_y = 2, bending_z = 2 }
//!
//! [[body]]
//! name = "load"
//! parent = "boom"
//! at = "tip"
//! hinge = { kind = "fixed" }
//! rigid = { mass = 1.5, inertia = [0.01, 0.01, 0.01] }
//! "#;
//! let file = model_file::from_text("arm.toml", text, None)?;
//! assert_eq!(file.model.speed_count(), 9); // a hinge, 2 modes and 2 tip shapes in each plane
//! # Ok::<(), supple_io::source::FileError>(())
//! ```
//!
//! SI units, radians, quaternions `(x, y, z, w)`. Unknown keys are errors; all errors are reported together, with their places. Keys and
//! meanings are in the [`schema`].

pub(crate) mod accepted;
pub(crate) mod beam;
mod beam_checks;
mod beam_section;
pub(crate) mod beam_shapes;
pub(crate) mod closure_tables;
pub(crate) mod damping;
pub(crate) mod directions;
pub(crate) mod elements;
mod force_tables;
pub(crate) mod forces;
pub(crate) mod geometry;
pub(crate) mod hinge_shapes;
mod loss_factor;
pub(crate) mod modal;
pub(crate) mod order;
mod pieces;
mod places;
pub(crate) mod problem_place;
mod read;
mod refined;
mod sections;
pub(crate) mod shapes;
pub(crate) mod standard_input;
mod visuals;
pub(crate) mod words;
mod write;
mod write_error;

use std::path::Path;

pub use beam::{BeamLine, CutBeam};
pub use closure_tables::closure_word;
pub use damping::SystemDamping;
pub use forces::{FRICTION_SPEED, STOP_DAMPING, STOP_STIFFNESS, hinge_words};
pub use refined::with_one_more_mode;
use supple::{Model, System};
pub use write::{write, write_named};
pub use write_error::WriteError;

use crate::change::Change;
use crate::document::json_schema;
pub use crate::document::units::{AngleUnit, LengthUnit, Units};
use crate::mesh::MeshFolders;
use crate::source::folder::{Files, Folder};
use crate::source::{FileError, Finding, Report, Rule, Source};
use crate::visual::Visual;

/// The format that is read and written.
pub const FORMAT: &str = "supple-model-1";

/// The content of a model file, built.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ModelFile {
    /// Its name, where it has one.
    pub name: Option<String>,
    /// The system, with its force elements, motors and closures; bodies with parents first.
    pub system: System,
    /// Where beams lie, where bodies are any, in the order of the bodies.
    pub beams: Vec<BeamLine>,
    /// The system, checked and built.
    pub model: Model,
    /// Damping of the whole system that the file asks for; the bodies have it.
    pub damping: Option<SystemDamping>,
    /// Units of angles and lengths in the file, or in the side file of a robot; the system is in SI.
    pub units: Units,
    /// What its bodies look like, where the file says so.
    pub visuals: Vec<Visual>,
    /// What is sound and yet hardly what was meant.
    pub notes: Vec<Finding>,
}

/// Reads a model from a file. Files that it names must lie in or below its folder.
///
/// # Errors
/// [`FileError`] with everything that is wrong.
pub fn read(path: &Path) -> Result<ModelFile, FileError> {
    read_changed(path, &[])
}

/// Reads a model, some of whose values are set from outside.
///
/// # Errors
/// As [`read`].
pub fn read_changed(path: &Path, changes: &[Change]) -> Result<ModelFile, FileError> {
    read_with_meshes(path, changes, &MeshFolders::default())
}

/// As [`read_changed`], with meshes below folders that the user names.
///
/// # Errors
/// As [`read`].
pub fn read_with_meshes(path: &Path, changes: &[Change], meshes: &MeshFolders) -> Result<ModelFile, FileError> {
    read_as(path, &path.to_string_lossy(), changes, &Files::with_meshes(meshes))
}

/// Reads a model from a file that errors call by `name`.
pub(crate) fn read_as(path: &Path, name: &str, changes: &[Change], files: &Files) -> Result<ModelFile, FileError> {
    let mut report = Report::default();
    let source = open(path, name, files, &mut report);
    let nothing = Source::nothing(name);
    let Some(source) = source.map(|source| source.changed(changes)) else { return report.finish(&nothing, None) };
    let file = read::read(&source, &Folder::of_file(path, files), &mut report);
    report.finish(&source, file)
}

/// Reads a model from a text; `name` is how errors call it, and files that it names must lie in or below `folder`.
///
/// # Errors
/// [`FileError`] with everything that is wrong.
pub fn from_text(name: &str, text: &str, folder: Option<&Path>) -> Result<ModelFile, FileError> {
    let mut report = Report::default();
    let folder = folder.map_or_else(Folder::none, Folder::at);
    let nothing = Source::nothing(name);
    let Some(source) = Source::from_bytes(name, text.as_bytes().to_vec(), &mut report) else {
        return report.finish(&nothing, None);
    };
    let file = read::read(&source, &folder, &mut report);
    report.finish(&source, file)
}

/// JSON schema of model files.
pub fn schema() -> String {
    json_schema(&shapes::MODEL, "Supple model, format supple-model-1")
}

/// JSON schema of files of nodes and modes.
pub fn modes_schema() -> String {
    json_schema(&shapes::MODES_FILE, "Supple modes, format supple-modes-1")
}

/// The text of a file that the user names directly.
pub(crate) fn open(path: &Path, name: &str, files: &Files, report: &mut Report) -> Option<Source> {
    match files.read(path) {
        Ok(bytes) => Source::from_bytes(name, bytes, report),
        Err(fault) => {
            let nothing = Source::nothing(name);
            report.add(&nothing, 0..0, Rule::Open { fault });
            None
        }
    }
}
