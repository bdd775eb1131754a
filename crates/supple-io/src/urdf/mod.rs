//! Robots in URDF, with a side file that makes links flexible.
//!
//! ```
//! use supple_io::urdf;
//! let robot = r#"<robot name="pendulum">
//!   <link name="base"/>
//!   <link name="rod">
//!     <inertial>
//!       <origin xyz="0.5 0 0"/>
//!       <mass value="1"/>
//!       <inertia ixx="0.001" iyy="0.083" izz="0.083" ixy="0" ixz="0" iyz="0"/>
//!     </inertial>
//!   </link>
//!   <joint name="pivot" type="continuous"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/></joint>
//! </robot>"#;
//! let side = r#"
//! format = "supple-flexible-1"
//! [[flexible]]
//! link = "rod"
//! [flexible.beam]
//! length = 1.0
//! section = { rectangle = { width = 0.02, height = 0.02 } }
//! material = { E = 2.1e11, nu = 0.3, density = 2500 }
//! modes = { bending_y = 1, bending_z = 1 }
//! "#;
//! let read = urdf::from_text("rod.urdf", robot, Some(("rod.toml", side)), &urdf::Options::default())?;
//! assert_eq!(read.file.model.speed_count(), 7); // a hinge, a mode and 2 tip shapes in each plane
//! # Ok::<(), supple_io::source::FileError>(())
//! ```
//!
//! A link is a body of the same name, its joint the hinge of the same name; the root link has a fixed or a free hinge on the ground.
//! Bodies come depth first, children in the order of the names of their joints. Fixed joints stay as fixed hinges, so that every link
//! can be named in results. A joint that mimics another is coupled to it by a closure of its name. Visual shapes are what links look like; their meshes are read
//! only below folders that the user names, [`read_with_meshes`]. Collision shapes are not looked at.
//!
//! The reader is strict: what it does not know is an error, unless it belongs to other programs (`gazebo`, `transmission`, other
//! namespaces). A lenient reader turns into notes: unknown elements and attributes, a robot without a name, missing or inverted limits,
//! joints that mimic one that does not exist or has more than one coordinate (they move on their own then), visual shapes and meshes
//! that cannot be read (they are left out), and impossible inertias
//! of links on fixed joints (they count to the link that carries them, which is the same motion). Impossible inertias of links on moving joints, joints that move no mass, and
//! whatever breaks the tree are errors in any case.

mod assemble;
mod doubts;
mod element;
mod kept;
mod mimics;
mod robot;
pub(crate) mod scan;
mod side_file;
mod tree;
mod visual;

use std::path::Path;

use element::Reading;
pub use side_file::SIDE_FORMAT;
use side_file::SideFile;

use crate::document::json_schema;
use crate::mesh::{ColladaUp, MeshFolders, Meshes};
use crate::model_file::{ModelFile, open};
use crate::source::folder::{Files, Folder};
use crate::source::{FileError, Finding, Report, Source};

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
    let meshes = Folder::of_file(path, files).meshes(ColladaUp::Z);
    finish(name, source, side, (options, meshes), report)
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
    finish(name, source, side, (options, Folder::none().meshes(ColladaUp::Z)), report)
}

/// JSON schema of side files.
pub fn side_schema() -> String {
    json_schema(&side_file::SIDE, "Supple side file of a URDF, format supple-flexible-1")
}

/// The robot of texts that could be opened, or all problems.
fn finish(
    name: &str,
    source: Option<Source>,
    side: Option<(Option<Source>, Folder)>,
    (options, meshes): (&Options, Meshes),
    mut report: Report,
) -> Result<Robot, FileError> {
    let nothing = Source::nothing(name);
    let Some(source) = source else { return report.finish(&nothing, None) };
    let robot = robot_of(&source, side, (options, meshes), &mut report);
    report.finish(&source, robot)
}

fn robot_of(
    source: &Source,
    side: Option<(Option<Source>, Folder)>,
    (options, mut meshes): (&Options, Meshes),
    report: &mut Report,
) -> Option<Robot> {
    let mut notes = Report::with_room(MAX_NOTES);
    let mut reading = Reading { source, report, notes: &mut notes, lenient: options.lenient };
    let robot = robot::read(&mut reading)?;
    let order = tree::order(&robot, &mut reading);
    let mut side = match side {
        Some((side, folder)) => side_file::read(side?, &folder, &robot, order.as_ref(), reading.report)?,
        None => SideFile::default(),
    };
    let order = order?;
    kept::apply(&robot, &mut side, &mut reading);
    let mut system = assemble::assemble(&robot, &order, &side, options);
    doubts::note(&robot, &order, &side, &mut reading);
    let visuals = visual::visuals(&robot, &order, &mut meshes, &mut reading);
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
