//! Scenarios in TOML: which model, from where, driven how, for how long, with which results.
//!
//! ```no_run
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let scenario = supple_io::scenario_file::read("slew.toml".as_ref())?;
//! println!("{} s of {} speeds", scenario.duration, scenario.model.model.speed_count());
//! # Ok(())
//! # }
//! ```
//!
//! Names are checked against the model, which is read as well: a scenario that is read can be run. Keys and meanings are in the
//! [`schema`].

mod closure_drive;
mod control;
mod control_doubts;
mod control_shapes;
mod control_signals;
mod control_table;
mod csv;
mod curve;
mod directions;
mod event;
mod event_shapes;
mod initial;
mod integrator;
mod lock;
mod names;
mod profile;
mod quantity;
mod read;
mod real_time;
mod recorded;
mod shapes;
mod stops;
mod template;

use std::path::Path;

use supple::{BodyIndex, NodeIndex, State, WrenchFrame};

pub use closure_drive::{ClosureMotion, MotorForce};
pub use control::{Connection, ControlBlock};
pub use control_table::ControlTable;
pub use curve::{BoundedMove, Curve, MotionCurve, Move, Samples, SpinUp, WrenchCurve};
pub use event::{Direction, Event, EventAction, Switch, Trigger};
pub use lock::Lock;
pub use quantity::Watched;
pub use real_time::{DriveRules, RealTime};
pub use stops::{BeyondStop, StoppedHinge, beyond_stops, stops};
pub use supple::model::speed_names;
pub use template::ScenarioTemplate;

use crate::change::Change;
use crate::document::json_schema;
use crate::mesh::MeshFolders;
use crate::model_file::{ModelFile, Units, open};
use crate::source::folder::{Files, Folder};
use crate::source::{FileError, Finding, ROBOT, Report, Rule, Source};
use read::ModelFrom;

/// The format that is read.
pub const FORMAT: &str = "supple-scenario-1";

/// A method of integration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Adaptive; explicit of order 8 where nothing is stiff, linearly implicit of order 4 where something is.
    Automatic,
    /// Explicit, order 5.
    DormandPrince,
    /// Explicit, order 8.
    PrinceDormand8,
    /// Explicit, order 4, fixed step.
    RungeKutta4,
    /// Implicit, order 2, fixed step.
    GeneralizedAlpha,
    /// One linear solution per stage, order 4; for stiff modes.
    LinearlyImplicit,
    /// The oscillation of modes exact, the rest explicit, order 4; for stiff modes that vibrate.
    Exponential,
    /// As `Exponential`, order 5 with one evaluation per step.
    ExponentialAdams,
    /// Implicit, order twice the number of stages, fixed step; for stiff modes that vibrate.
    Gauss,
    /// Variable order, adaptive, for smooth motions.
    Adams,
    /// Variable order, adaptive, for stiff systems.
    Bdf,
}

impl Method {
    /// Its name in scenario files, such as `prince-dormand8`.
    pub fn word(self) -> &'static str {
        integrator::WORDS.iter().find(|(_, method)| *method == self).map_or("automatic", |(word, _)| word)
    }

    /// Whether it estimates its error, so that steps can follow a tolerance. Where it does not, the user sets the step.
    pub fn estimates_error(self) -> bool {
        !matches!(self, Self::RungeKutta4 | Self::GeneralizedAlpha | Self::Gauss)
    }

    /// Whether the user may set the step. Methods that change their order or kind choose it as well.
    pub fn takes_fixed_step(self) -> bool {
        !matches!(self, Self::Automatic | Self::Adams | Self::Bdf)
    }
}

/// How the motion is integrated.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Integrator {
    /// Method.
    pub method: Method,
    /// Relative tolerance, where the step is not fixed.
    pub relative_tolerance: f64,
    /// Absolute tolerance, where the step is not fixed.
    pub absolute_tolerance: f64,
    /// The step where it is fixed; always there where the method does not estimate its error.
    pub step: Option<f64>,
    /// Spectral radius of the generalized-α method.
    pub spectral_radius: f64,
    /// Corrections of each step of the generalized-α method; as many as it takes where none are given.
    pub corrections: Option<u32>,
    /// Stages of Gauss' method.
    pub stages: u32,
    /// What the iteration of Gauss' method may leave out of a step, relative to coordinates and speeds.
    pub iteration_tolerance: f64,
    /// Least step, where it is not fixed.
    pub least_step: Option<f64>,
    /// Greatest step, where it is not fixed.
    pub greatest_step: Option<f64>,
    /// Most steps.
    pub max_steps: Option<usize>,
    /// Longest time of the clock.
    pub wall_seconds: Option<f64>,
}

/// Prescribed motion of a hinge.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    /// The body of the hinge.
    pub body: BodyIndex,
    /// Its coordinate over time.
    pub curve: MotionCurve,
}

/// A torque or force in a hinge.
#[derive(Clone, Debug, PartialEq)]
pub struct Torque {
    /// The body of the hinge.
    pub body: BodyIndex,
    /// Which of its speeds.
    pub speed: usize,
    /// The torque over time.
    pub curve: Curve,
}

/// An external wrench on a node.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeWrench {
    /// The body.
    pub body: BodyIndex,
    /// The node.
    pub node: NodeIndex,
    /// Axes of force and moment.
    pub frame: WrenchFrame,
    /// The wrench over time.
    pub curve: WrenchCurve,
}

/// Which state a run starts in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StartAt {
    /// The initial state of the scenario.
    #[default]
    Initial,
    /// The equilibrium that is found from there.
    Equilibrium,
}

/// What is recorded, and where.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Results {
    /// Folder, relative to that of the scenario.
    pub folder: String,
    /// The line of the scenario file that names it, where one does.
    pub folder_line: Option<usize>,
    /// Formats: `csv`, `parquet`, `mcap`.
    pub formats: Vec<String>,
    /// What is recorded: words of the schema.
    pub columns: Vec<String>,
    /// Nodes whose pose and velocity are recorded.
    pub nodes: Vec<(BodyIndex, NodeIndex)>,
    /// Most bytes that the results may take.
    pub most_bytes: f64,
}

/// A scenario with its model, ready to run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Scenario {
    /// Name, where it has one.
    pub name: Option<String>,
    /// The file of the model, as the scenario names it.
    pub model_name: String,
    /// Units of angles and lengths in the file; everything here is in SI.
    pub units: Units,
    /// The model, with the gravity of the scenario.
    pub model: ModelFile,
    /// What the reader of the model passed over.
    pub notes: Vec<Finding>,
    /// What is hardly meant in the scenario itself; among the notes, too.
    pub doubts: Vec<Finding>,
    /// How long the run takes.
    pub duration: f64,
    /// Time between results.
    pub output_interval: f64,
    /// Initial state. Elastic rotations are those of a deformation that grew in proportion. Hinges with a prescribed motion
    /// are where their motion starts, with its speed. Hinges beyond their stops are at them where the scenario asks for that.
    /// Closures that the scenario opens at the start, and locks of hinges, are open.
    pub initial: State,
    /// Whether the run starts there, or at the equilibrium near it.
    pub start: StartAt,
    /// Per body, whether the file says where its hinge starts: such hinges stay there when closures are closed, where that is possible.
    pub placed: Vec<bool>,
    /// Whether equations of closures that depend on others are refused.
    pub refuses_redundant: bool,
    /// How the motion is integrated.
    pub integrator: Integrator,
    /// Prescribed motions.
    pub motions: Vec<Motion>,
    /// Motions that the rigid model would make under torques that are applied open loop; hinges that are not named stay at their
    /// initial coordinates in it. See [`rigid_system`](supple_bodies::rigid::rigid_system).
    pub feedforward: Vec<Motion>,
    /// Torques and forces in hinges.
    pub torques: Vec<Torque>,
    /// External wrenches.
    pub wrenches: Vec<NodeWrench>,
    /// Prescribed motions of closures.
    pub closure_motions: Vec<ClosureMotion>,
    /// Forces of motors among the force elements.
    pub motor_forces: Vec<MotorForce>,
    /// Whether what acts in a hinge is limited to the `effort_limit` of its motor.
    pub effort_limits: bool,
    /// Sensors, shapers and controllers.
    pub blocks: Vec<ControlBlock>,
    /// Events that are looked for.
    pub events: Vec<Event>,
    /// Hinges that can be locked. Their closures are the last ones of the model; they are open in the initial state.
    pub locks: Vec<Lock>,
    /// Closures that are held where they are at the start: of hinges that start locked.
    pub held: Vec<usize>,
    /// What is recorded, and where.
    pub results: Results,
    /// Rules for plant and controllers as two programs.
    pub real_time: RealTime,
    /// Time between checkpoints.
    pub checkpoint_interval: Option<f64>,
}

/// Reads a scenario and its model. Files that it names must lie in or below its folder.
///
/// # Errors
/// [`FileError`] with everything that is wrong with the scenario and with the model.
pub fn read(path: &Path) -> Result<Scenario, FileError> {
    read_changed(path, &[])
}

/// Reads a scenario and its model, some of whose values are set from outside; keys that start with `model.` are those of the model.
///
/// # Errors
/// As [`read`].
pub fn read_changed(path: &Path, changes: &[Change]) -> Result<Scenario, FileError> {
    read_with_meshes(path, changes, &MeshFolders::default())
}

/// As [`read_changed`], with meshes of the model below folders that the user names.
///
/// # Errors
/// As [`read`].
pub fn read_with_meshes(path: &Path, changes: &[Change], meshes: &MeshFolders) -> Result<Scenario, FileError> {
    read_from(path, changes, &Files::with_meshes(meshes), None)
}

/// The same with files from elsewhere than the disk, and with a model that was read before.
fn read_from(
    path: &Path,
    changes: &[Change],
    files: &Files,
    model: Option<&(ModelFile, Vec<Finding>)>,
) -> Result<Scenario, FileError> {
    let name = path.to_string_lossy();
    let mut report = Report::default();
    let (own, of_model) = Change::split(changes);
    let source = open(path, &name, files, &mut report).map(|source| source.changed(&own));
    let is_robot = crate::kind::is_robot(path);
    if let Some(source) = source.as_ref().filter(|_| is_robot) {
        report.add(source, 0..0, Rule::Format { found: ROBOT.into(), expected: FORMAT });
        return report.finish(source, None);
    }
    let model = model.map_or(ModelFrom::File(&of_model), ModelFrom::Before);
    finish(&name, source, (&Folder::of_file(path, files), model), report)
}

/// Reads a scenario from a text; `name` is how errors call it, and files that it names must lie in or below `folder`.
///
/// # Errors
/// [`FileError`] with everything that is wrong.
pub fn from_text(name: &str, text: &str, folder: &Path) -> Result<Scenario, FileError> {
    let mut report = Report::default();
    let source = Source::from_bytes(name, text.as_bytes().to_vec(), &mut report);
    finish(name, source, (&Folder::at(folder), ModelFrom::File(&[])), report)
}

/// JSON schema of scenario files.
pub fn schema() -> String {
    json_schema(&shapes::SCENARIO, "Supple scenario, format supple-scenario-1")
}

fn finish(
    name: &str,
    source: Option<Source>,
    (folder, model): (&Folder, ModelFrom<'_>),
    mut report: Report,
) -> Result<Scenario, FileError> {
    let nothing = Source::nothing(name);
    let Some(source) = source else { return report.finish(&nothing, None) };
    let scenario = read::read(&source, folder, model, &mut report);
    report.finish(&source, scenario)
}
