//! Robots, whatever the format of their description: links and joints become a system; a side file makes links flexible.
//!
//! A reader of a format gives a `RobotText`; everything after that is here.

mod assemble;
mod doubts;
mod kept;
mod looks;
mod mimics;
mod reading;
mod side_file;
mod text;
mod ties;
mod tree;

pub(crate) use looks::{Colour, Form, Look};
pub(crate) use reading::{MAX_SHOWN, Reading, Written};
pub use side_file::SIDE_FORMAT;
use side_file::SideFile;
pub(crate) use text::{Joint, Link, Mimic, RobotText};
pub(crate) use ties::{Tie, TieEnd, TieKind};

use std::path::Path;

use crate::document::json_schema;
use crate::mesh::{ColladaUp, MeshFolders, Meshes};
use crate::model_file::{ModelFile, open};
use crate::source::folder::{Files, Folder};
use crate::source::{FileError, Finding, Report, Rule, Source};
use crate::urdf::scan;
use crate::{mjcf, urdf};

/// Most notes that are listed.
const MAX_NOTES: usize = 1000;

/// What holds the root link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Root {
    /// The ground.
    #[default]
    Fixed,
    /// Nothing: a free hinge.
    Free,
}

/// How a robot is read.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Whether defects become notes.
    pub lenient: bool,
    /// What holds the root link, unless the side file says it.
    pub root: Root,
    /// Gravitational acceleration, unless the side file says it.
    pub gravity: [f64; 3],
}

impl Default for Options {
    fn default() -> Self {
        Self { lenient: false, root: Root::Fixed, gravity: [0.0, 0.0, -9.81] }
    }
}

/// A robot, built.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Robot {
    /// The system, what acts in its hinges, and the model.
    pub file: ModelFile,
    /// What was passed over, links that move without mass of their own, and flexible links that are hardly what was meant.
    pub notes: Vec<Finding>,
    /// How many further notes are not listed.
    pub omitted_notes: usize,
}

/// Reads a robot from a file, and its side file where there is one.
///
/// # Errors
/// [`FileError`] with everything that is wrong.
pub fn read(path: &Path, side: Option<&Path>, options: &Options) -> Result<Robot, FileError> {
    read_with_meshes(path, side, options, &MeshFolders::default())
}

/// As [`read`], with meshes below folders that the user names.
///
/// # Errors
/// As [`read`].
pub fn read_with_meshes(
    path: &Path,
    side: Option<&Path>,
    options: &Options,
    meshes: &MeshFolders,
) -> Result<Robot, FileError> {
    let side_name = side.map(Path::to_string_lossy);
    let side = side.zip(side_name.as_deref());
    read_as(path, &path.to_string_lossy(), side, options, &Files::with_meshes(meshes))
}

/// Reads a robot and its side file, which errors call by the names given.
pub(crate) fn read_as(
    path: &Path,
    name: &str,
    side: Option<(&Path, &str)>,
    options: &Options,
    files: &Files,
) -> Result<Robot, FileError> {
    let mut report = Report::default();
    let source = open(path, name, files, &mut report);
    let side = side.map(|(path, name)| (open(path, name, files, &mut report), Folder::of_file(path, files)));
    finish(source.ok_or(name), side, (options, &Folder::of_file(path, files)), report)
}

/// Reads a robot from a text, and its side file, each with the name by which errors call it. Without a folder, the side file cannot
/// name further files.
///
/// # Errors
/// [`FileError`] with everything that is wrong.
pub fn from_text(name: &str, text: &str, side: Option<(&str, &str)>, options: &Options) -> Result<Robot, FileError> {
    let mut report = Report::default();
    let source = Source::from_bytes(name, text.as_bytes().to_vec(), &mut report);
    let side =
        side.map(|(name, text)| (Source::from_bytes(name, text.as_bytes().to_vec(), &mut report), Folder::none()));
    finish(source.ok_or(name), side, (options, &Folder::none()), report)
}

/// JSON schema of side files.
pub fn side_schema() -> String {
    json_schema(&side_file::SIDE, "Supple side file of a robot, format supple-flexible-1")
}

/// The robot of texts that could be opened, or all problems.
fn finish(
    source: Result<Source, &str>,
    side: Option<(Option<Source>, Folder)>,
    (options, folder): (&Options, &Folder),
    mut report: Report,
) -> Result<Robot, FileError> {
    let mut source = match source {
        Ok(source) => source,
        Err(name) => return report.finish(&Source::nothing(name), None),
    };
    let is_mjcf = scan::root_element(&source.text) == Some(mjcf::ROOT);
    let document = is_mjcf.then(|| mjcf::open(&mut source, folder, &mut report));
    let robot = robot_of(&source, document, side, (options, folder.meshes(ColladaUp::Z)), &mut report);
    report.finish(&source, robot)
}

/// The robot of a text: in MJCF where it has a document already, in URDF otherwise.
fn robot_of(
    source: &Source,
    document: Option<Option<mjcf::Element>>,
    side: Option<(Option<Source>, Folder)>,
    (options, mut meshes): (&Options, Meshes),
    report: &mut Report,
) -> Option<Robot> {
    let mut notes = Report::with_room(MAX_NOTES);
    let mut reading = Reading { source, report, notes: &mut notes, lenient: options.lenient };
    let robot = match document {
        Some(document) => mjcf::text(&document?, &mut meshes, &mut reading)?,
        None => urdf::robot::read(&mut reading)?,
    };
    if robot.has_world && options.root == Root::Free {
        let what = "a free root link is requested, but the file itself defines which bodies are free".to_owned();
        let expected = "a fixed root, or `<freejoint/>` in the body that floats".to_owned();
        reading.error(0..0, "robot", Rule::Mismatch { what, expected });
    }
    let order = tree::order(&robot, &mut reading);
    let mut side = match side {
        Some((side, folder)) => side_file::read(side?, &folder, &robot, order.as_ref(), reading.report)?,
        None => SideFile::default(),
    };
    let order = order?;
    kept::apply(&robot, &mut side, &mut reading);
    let mut system = assemble::assemble(&robot, &order, &side, options);
    doubts::note(&robot, &order, &side, &mut reading);
    let visuals = looks::visuals(&robot, &order, &mut meshes, &mut reading);
    let mut model = assemble::build(&mut system, &robot, &order, &side, &mut reading)?;
    let damping = side.damping.as_ref().zip(side.source.as_ref());
    let damping = damping.and_then(|(told, source)| told.apply((&mut system, &mut model), source, reading.report));
    let name = Some(robot.name).filter(|name| !name.is_empty());
    let (mut notes, omitted_notes) = notes.into_findings();
    notes.extend(report.take_doubts());
    let beams = assemble::beams(&order, &side);
    let file = ModelFile { name, system, beams, model, damping, units: side.units, visuals, notes: Vec::new() };
    Some(Robot { file, notes, omitted_notes })
}
