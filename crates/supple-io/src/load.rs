//! Files that describe a system, whatever their format, read and built.

use std::fmt::{self, Display};
use std::path::{Path, PathBuf};

use supple::{HingeKind, Model, System};

use crate::change::Change;
use crate::kind::{Kind, kind_of};
use crate::mesh::MeshFolders;
use crate::model_file::{self, BeamLine, ModelFile, SystemDamping, Units};
use crate::robot::{self, Root};
use crate::scenario_file::{self, Scenario};
use crate::sid_file;
use crate::source::{FileError, Finding};
use crate::visual::Visual;

/// How a file is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoadOptions {
    /// Side file (TOML, format supple-flexible-1) that makes links of a robot flexible.
    pub side: Option<PathBuf>,
    /// Downgrade defects of a robot that other programs ignore to notes.
    pub lenient: bool,
    /// What holds a robot or a body of standard input data.
    pub root: Root,
    /// Values of a model or scenario that are set from outside.
    pub changes: Vec<Change>,
    /// Folders below which meshes may be read.
    pub meshes: MeshFolders,
}

/// A system that was read and built.
pub struct Loaded {
    /// What the file is, in a word.
    pub kind: &'static str,
    /// Name of the model or scenario, where it has one.
    pub name: Option<String>,
    /// The system.
    pub system: System,
    /// The system, built.
    pub model: Model,
    /// Where beams lie, where bodies are any, in the order of the bodies.
    pub beams: Vec<BeamLine>,
    /// What bodies look like, where the file says so.
    pub visuals: Vec<Visual>,
    /// Damping of the whole system that the file asks for.
    pub damping: Option<SystemDamping>,
    /// Units of angles and lengths in the model; those of the scenario are its own.
    pub units: Units,
    /// The scenario, where the file is one; its model is the one above.
    pub scenario: Option<Scenario>,
    /// What the reader ignored.
    pub notes: Vec<Note>,
}

/// Something worth knowing about a file that is no error.
pub struct Note {
    /// In one line.
    pub brief: String,
    /// In full.
    pub full: String,
}

impl Note {
    /// A note without a place.
    pub fn new(text: impl Display) -> Self {
        Self { brief: text.to_string(), full: format!("note: {text}") }
    }
}

impl From<&Finding> for Note {
    fn from(finding: &Finding) -> Self {
        let place = &finding.place;
        let subject = if finding.subject.is_empty() { String::new() } else { format!("{}: ", finding.subject) };
        let what = finding.what();
        let brief = format!("{}:{}:{}: {subject}{what}", place.file, place.line, place.column);
        Self { brief, full: finding.as_note().to_string() }
    }
}

/// What is wrong with a file as a whole, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// What is wrong.
    pub what: String,
    /// What to do.
    pub remedy: String,
}

impl Explanation {
    pub(crate) fn new(what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { what: what.into(), remedy: remedy.into() }
    }
}

impl Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.what, self.remedy)
    }
}

/// Why there is no system.
#[derive(Debug)]
#[non_exhaustive]
pub enum Refusal {
    /// The reader says what is wrong, and where.
    Files(FileError),
    /// The file is invalid.
    Invalid(Explanation),
    /// The file, or an option, asks for something that cannot be done with such a file.
    Unsupported(Explanation),
}

impl Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Files(error) => error.fmt(f),
            Self::Invalid(why) | Self::Unsupported(why) => why.fmt(f),
        }
    }
}

impl std::error::Error for Refusal {}

impl From<FileError> for Refusal {
    fn from(error: FileError) -> Self {
        Self::Files(error)
    }
}

/// Reads and builds what a file describes.
///
/// # Errors
/// [`Refusal`] says what is wrong with the file, and where.
pub fn load(file: &Path, options: &LoadOptions) -> Result<Loaded, Refusal> {
    let kind = kind_of(file).map_err(|fault| {
        Refusal::Invalid(Explanation::new(format!("the file cannot be read: {fault}"), "check its name"))
    })?;
    if kind != Kind::Robot {
        let useless = [("--side", options.side.is_some()), ("--lenient", options.lenient)];
        if let Some((option, _)) = useless.iter().find(|(_, given)| *given) {
            let what = format!("{option} applies to robots (.urdf, .xml) only");
            return Err(Refusal::Unsupported(Explanation::new(what, "leave it out")));
        }
    }
    if !options.changes.is_empty() && !matches!(kind, Kind::Scenario | Kind::Model) {
        let what = "--set applies to models and scenarios (.toml) only";
        return Err(Refusal::Unsupported(Explanation::new(what, "leave it out")));
    }
    let hint =
        |what: &str, remedy: &str| Err(Refusal::Unsupported(Explanation::new(format!("this is {what}"), remedy)));
    match kind {
        Kind::Scenario => scenario(file, options),
        Kind::Robot => robot(file, options),
        Kind::StandardInput => standard_input(file, options.root),
        Kind::Modes => hint("a file of nodes and modes", "give the model that uses it"),
        Kind::Study => hint("a study", "run it with `supple sweep`; this command reads its scenario or model"),
        Kind::SideFile => hint("a side file", "give the robot and this file with --side"),
        Kind::Identification => hint("an identification", "give it to `supple identify`"),
        Kind::Optimisation => hint("an optimisation", "give it to `supple optimise`"),
        Kind::Case => hint("a reference case", "evaluate it with `supple eval`"),
        _ => Ok(built("model", model_file::read_with_meshes(file, &options.changes, &options.meshes)?)),
    }
}

fn built(kind: &'static str, file: ModelFile) -> Loaded {
    let ModelFile { name, system, model, notes, beams, damping, units, visuals } = file;
    let notes = notes.iter().map(Note::from).collect();
    Loaded { kind, name, system, model, beams, visuals, damping, units, scenario: None, notes }
}

fn scenario(path: &Path, options: &LoadOptions) -> Result<Loaded, Refusal> {
    let scenario = scenario_file::read_with_meshes(path, &options.changes, &options.meshes)?;
    let notes = scenario.notes.iter().map(Note::from).collect();
    let model = built("scenario", scenario.model.clone());
    Ok(Loaded { name: scenario.name.clone(), notes, scenario: Some(scenario), ..model })
}

fn robot(file: &Path, options: &LoadOptions) -> Result<Loaded, Refusal> {
    let how = robot::Options { lenient: options.lenient, root: options.root, ..robot::Options::default() };
    let robot = robot::read_with_meshes(file, options.side.as_deref(), &how, &options.meshes)?;
    let mut notes: Vec<Note> = robot.notes.iter().map(Note::from).collect();
    if robot.omitted_notes > 0 {
        notes.push(Note::new(format!("{} further notes are not listed", robot.omitted_notes)));
    }
    Ok(Loaded { notes, ..built("robot", robot.file) })
}

/// One flexible body on the ground, in a space without gravity.
fn standard_input(path: &Path, root: Root) -> Result<Loaded, Refusal> {
    let hinge = if root == Root::Free { HingeKind::Free } else { HingeKind::Fixed };
    let read = sid_file::read(path, hinge)?;
    let notes = read.losses.iter().map(Note::new).collect();
    Ok(Loaded { notes, ..built("standard input data", read.file) })
}
