//! The motion of a run for its page: kept while it goes on, written beside the results.

mod loops;
mod modes;
mod still;

pub use still::pose;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use supple::BodyIndex;
use supple::{DynamicsError, State};
use supple_io::model_file::hinge_words;
use supple_io::scenario_file::Scenario;
use supple_report::control_loop::ControlLoop;
use supple_report::mode_shapes::ShownModes;
use supple_report::{MotionRecorder, Origin, OriginFile, Recording, Run as ReportRun, Scene};

use crate::command::run_command;
use crate::{Change, Options};

/// How often the motion is written while the run goes on.
const PERIOD: Duration = Duration::from_secs(5);

/// The scene and the motion so far.
pub struct Film {
    scene: Scene,
    recorder: MotionRecorder,
    origin: Origin,
    loops: Vec<ControlLoop>,
    modes: ShownModes,
    /// File of the model, and changes of values.
    model: PathBuf,
    changes: Vec<Change>,
    written: Instant,
}

impl Film {
    /// Of a scenario at its start.
    pub fn new(path: &Path, options: &Options, scenario: &Scenario) -> Self {
        let file = &scenario.model;
        let name = file.name.clone().unwrap_or_else(|| scenario.model_name.clone());
        let elements = |k: usize| hinge_words(&file.system, BodyIndex(k)).into_iter().map(str::to_owned).collect();
        let scene = Scene::with_looks(&name, &file.system, &file.model, &elements, file.into());
        let recorder = MotionRecorder::new(&scene, &file.model);
        let origin = origin(path, options, scenario);
        let loops = loops::of(scenario);
        let (model, changes) = (model_path(path, scenario), options.changes.clone());
        Self { scene, recorder, origin, loops, modes: ShownModes::default(), model, changes, written: Instant::now() }
    }

    /// Goes on from the first rows of the motion that an earlier run left, where it left one.
    pub fn restore(&mut self, folder: &Path, rows: u64) {
        match Recording::read(folder) {
            Ok(earlier) if earlier.scene == self.scene => self.recorder.restore(&earlier.motion, rows),
            _ => self.recorder.restore(&Default::default(), rows),
        }
    }

    /// What is drawn.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Where the run comes from.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The frame of the last row.
    pub fn frame(&self) -> &[f32] {
        self.recorder.frame()
    }

    /// Takes the state of a row, and writes what there is where it is time.
    pub fn take(&mut self, scenario: &Scenario, state: &State, folder: Option<&Path>) -> Result<(), DynamicsError> {
        self.recorder.take(&self.scene, &scenario.model.model, state)?;
        if let Some(folder) = folder
            && self.written.elapsed() > PERIOD
        {
            // The page is not worth a run: what is wrong with the place shows at the end.
            let _ = self.write(folder);
        }
        Ok(())
    }

    /// Adds the modes of the whole system about the pose of the last state.
    pub fn finish(&mut self, scenario: &Scenario, state: &State) {
        self.modes = modes::of(scenario, state, &self.scene, (&self.model, &self.changes));
    }

    /// Writes the motion so far.
    pub fn write(&mut self, folder: &Path) -> Result<(), String> {
        self.written = Instant::now();
        let recording = Recording {
            loops: self.loops.clone(),
            modes: self.modes.modes.clone(),
            modes_about: self.modes.about.clone(),
            ..Recording::new(self.scene.clone(), self.recorder.motion().clone(), self.origin.clone())
        };
        recording.write(folder).map_err(|error| error.to_string())
    }
}

/// Makes the page of a folder of results.
pub fn report(folder: &Path) -> Result<std::path::PathBuf, String> {
    ReportRun::read(folder).and_then(|run| run.write(folder)).map_err(|error| error.to_string())
}

fn origin(path: &Path, options: &Options, scenario: &Scenario) -> Origin {
    let name = path.display().to_string();
    let model = model_path(path, scenario);
    Origin {
        command: run_command(path, options),
        files: vec![OriginFile::new(&name, path), OriginFile::new(&model.display().to_string(), &model)],
    }
}

fn model_path(path: &Path, scenario: &Scenario) -> PathBuf {
    path.parent().unwrap_or_else(|| Path::new(".")).join(&scenario.model_name)
}
