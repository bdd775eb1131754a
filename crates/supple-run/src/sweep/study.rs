//! A study that was read: what each of its runs is.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use supple_io::change::Change;
use supple_io::results::Column;
use supple_io::scenario_file::{Scenario, ScenarioTemplate};
use supple_io::study_file::{self, Extract, Law, StudyFile};

use super::gpu::OnGpu;
use super::sample::{Plan, Purpose, Stream};
use super::{Sampling, Value};
use crate::checkpoint::fingerprint;
use crate::command::repeat_command;
use crate::record::Recorder;
use crate::{Formulation, RunError, RunErrorKind};

/// How many runs are tried before a study counts as unsound.
const TRIED: u64 = 8;

/// A study. All clones share what was read.
#[derive(Clone, Debug)]
pub struct Study(pub(super) Arc<Content>, Formulation, Option<Arc<OnGpu>>);

#[derive(Debug)]
pub(super) struct Content {
    path: PathBuf,
    /// What it was read with.
    outside: Vec<Change>,
    pub(super) file: StudyFile,
    pub(super) plan: Plan,
    pub(super) template: ScenarioTemplate,
    /// Names of sensors with noise, with their seeds.
    sensors: Vec<(String, u64)>,
    columns: Vec<Column>,
    /// Files that it depends on, with fingerprints of their contents.
    inputs: Vec<(PathBuf, u64)>,
}

impl Study {
    /// Reads a study with its scenario and model, and checks them.
    ///
    /// # Errors
    /// [`RunErrorKind::Unsound`] with everything that is wrong in the files; [`RunErrorKind::NoColumn`] where a column is not recorded.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, RunError> {
        Self::read_changed(path, &[])
    }

    /// The same with values set from outside: keys that start with `study.` are those of the study, all others those of its scenario.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_changed(path: impl AsRef<Path>, changes: &[Change]) -> Result<Self, RunError> {
        let path = path.as_ref();
        let file = study_file::read(path, changes)?;
        // As a user would name it, relative to where the study was read from.
        let named = path.parent().unwrap_or(Path::new("")).join(&file.scenario_name);
        let (template, scenario) = ScenarioTemplate::read(&named, &file.changes)?;
        let plan = Plan::new(&file);
        let sensors = if file.own_noise { noisy_sensors(&scenario) } else { Vec::new() };
        let outside = changes.to_vec();
        let content = Content {
            path: path.to_owned(),
            outside,
            file,
            plan,
            template,
            sensors,
            columns: Vec::new(),
            inputs: Vec::new(),
        };
        let columns = content.check()?;
        content.read_all();
        let inputs = content.template.inputs().into_iter().map(|(path, bytes)| (path, fingerprint(&bytes))).collect();
        Ok(Self(Arc::new(Content { columns, inputs, ..content }), Formulation::default(), None))
    }

    /// The same study by other equations of motion.
    pub(super) fn with_formulation(self, formulation: Formulation) -> Self {
        Self(self.0, formulation, None)
    }

    /// The same study on a GPU.
    pub(super) fn with_gpu(self, gpu: Arc<OnGpu>) -> Self {
        Self(self.0, self.1, Some(gpu))
    }

    /// How its runs are made on a GPU, where they are.
    pub(super) fn gpu(&self) -> Option<&OnGpu> {
        self.2.as_deref()
    }

    /// The option of `supple sweep` by which its runs are made in another way than by the engine.
    pub fn option(&self) -> Option<&'static str> {
        match (&self.2, &self.1) {
            (Some(_), _) => Some("--gpu"),
            (None, Formulation::Compiled(_)) => Some("--compiled"),
            (None, _) => None,
        }
    }

    /// How many runs the engine made so far, because the program that the option asks for does not hold for them.
    pub fn by_engine(&self) -> u64 {
        match (&self.2, &self.1) {
            (Some(gpu), _) => gpu.others(),
            (None, Formulation::Compiled(code)) => code.others(),
            (None, _) => 0,
        }
    }

    /// By which equations of motion its runs are made.
    pub fn formulation(&self) -> &Formulation {
        &self.1
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// What the file says.
    pub fn file(&self) -> &StudyFile {
        &self.0.file
    }

    /// Its name, or that of its file.
    pub fn name(&self) -> String {
        let file = self.0.path.file_stem().unwrap_or_default().to_string_lossy();
        self.0.file.name.clone().unwrap_or_else(|| file.into_owned())
    }

    /// How many runs there are.
    pub fn runs(&self) -> u64 {
        self.0.plan.runs()
    }

    /// Names of what varies.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.0.file.varied.iter().map(|varied| varied.name.as_str())
    }

    /// What varies, in run `run`. It follows from the study and the number alone.
    pub fn values(&self, run: u64) -> Vec<Value> {
        self.0.values(run)
    }

    /// Where in their distributions the values of a run lie, by dimension of the sampling; none on a grid.
    pub fn positions(&self, run: u64) -> Option<Vec<f64>> {
        (0..self.0.file.dimensions).map(|d| self.0.plan.position(run, d)).collect()
    }

    /// All that makes the scenario that of run `run`, as `supple run --set` takes it.
    pub fn changes(&self, run: u64) -> Vec<Change> {
        self.0.template.changes().iter().cloned().chain(self.0.own_changes(run)).collect()
    }

    /// The command that repeats a run in full.
    pub fn repeat_command(&self, run: u64) -> String {
        repeat_command(&self.0.path, &self.0.outside, &self.1, run)
    }

    /// The scenario of a run.
    ///
    /// # Errors
    /// [`RunErrorKind::Unsound`] where its values make none.
    pub fn scenario(&self, run: u64) -> Result<Scenario, RunError> {
        Ok(self.0.template.with(&self.0.own_changes(run))?)
    }

    /// The scenario file.
    pub fn scenario_path(&self) -> &Path {
        self.0.template.path()
    }

    /// The numbers to extract from each run.
    pub fn extracted(&self) -> &[Extract] {
        &self.0.file.extracted
    }

    /// Names, units and meanings of what varies and of the extracted numbers; the unit of what varies is `1`, since the study has none for it.
    pub fn columns(&self) -> &[Column] {
        &self.0.columns
    }

    /// Whether a value is always a number.
    pub fn is_number(&self, value: usize) -> bool {
        match &self.0.file.varied[value].law {
            Law::List { items, .. } => items.iter().all(|item| item.number.is_some()),
            _ => true,
        }
    }

    /// The folder of the results where none is named.
    pub fn folder(&self) -> PathBuf {
        self.0.path.parent().unwrap_or(Path::new("")).join(&self.0.file.folder)
    }

    /// The files that the study depends on, by their paths, with fingerprints of their contents. The study itself is not among them.
    pub fn inputs(&self) -> &[(PathBuf, u64)] {
        &self.0.inputs
    }

    /// Everything that makes its rows what they are, but for the number of runs where more can be added.
    pub fn fingerprint(&self) -> u64 {
        let mut file = self.0.file.clone();
        if file.sampling.is_extensible() {
            file.samples = None;
        }
        // Where the files lie and where results go makes no difference.
        (file.scenario, file.folder, file.name) = (PathBuf::new(), String::new(), None);
        let mut text = format!("{} {file:?}", env!("CARGO_PKG_VERSION"));
        let mut inputs: Vec<u64> = self.0.inputs.iter().map(|(_, content)| *content).collect();
        inputs.sort_unstable();
        inputs.iter().for_each(|input| {
            let _ = write!(text, " {input:016x}");
        });
        fingerprint(text.as_bytes())
    }

    /// How values follow from numbers of runs.
    pub fn sampling(&self) -> Sampling {
        self.0.file.sampling
    }
}

impl Content {
    fn values(&self, run: u64) -> Vec<Value> {
        self.file.varied.iter().map(|varied| self.plan.value(run, varied.dimension, &varied.law)).collect()
    }

    /// What differs from run to run: seeds of sensors, values.
    pub(super) fn own_changes(&self, run: u64) -> Vec<Change> {
        let noise = Stream::new(self.file.seed, Purpose::Noise);
        let seeds = self.sensors.iter().map(|(name, seed)| {
            let name = name.replace('\\', "\\\\").replace('"', "\\\"");
            format!("sensor.\"{name}\".seed={}", noise.word(run, *seed) >> 12)
        });
        let values = self.values(run);
        let values = self.file.varied.iter().zip(&values);
        let values = values.flat_map(|(varied, value)| varied.keys.iter().map(|key| format!("{key}={}", value.text)));
        // Keys were checked when the study was read, and values are TOML.
        seeds.chain(values).filter_map(|line| Change::parse(&line).ok()).collect()
    }

    /// Reads the files that entries of lists may name, so that they are known and kept from here on.
    fn read_all(&self) {
        for varied in &self.file.varied {
            let Law::List { items, .. } = &varied.law else { continue };
            for item in items.iter().filter(|item| item.number.is_none()) {
                let lines = varied.keys.iter().map(|key| format!("{key}={}", item.text));
                let own = lines.filter_map(|line| Change::parse(&line).ok());
                let changes: Vec<Change> = self.own_changes(0).into_iter().chain(own).collect();
                // What is wrong with a value is told by the runs that have it.
                let _ = self.template.with(&changes);
            }
        }
    }

    /// The columns, by the first run that can begin.
    fn check(&self) -> Result<Vec<Column>, RunError> {
        let mut first = None;
        for run in 0..self.plan.runs().min(TRIED) {
            match self.template.with(&self.own_changes(run)).map_err(RunError::from) {
                Ok(scenario) => return self.columns_of(&scenario),
                Err(error) => first = first.or(Some(error.of_run(run, &self.path))),
            }
        }
        Err(first.unwrap_or_else(|| RunError::cannot_begin("the study has no runs").at(&self.path)))
    }

    fn columns_of(&self, scenario: &Scenario) -> Result<Vec<Column>, RunError> {
        let recorder = Recorder::new(scenario)?;
        let table = recorder.table();
        let varied = self.file.varied.iter();
        let mut columns: Vec<Column> = varied
            .map(|varied| Column::new(&varied.name, "1", format!("value of {}", varied.keys.join(", "))))
            .collect();
        for told in &self.file.extracted {
            let known = table.columns().iter().map(|column| column.name.as_str());
            let missing = || {
                let error = RunError::no_column(&told.column, known);
                let remedy = error.remedy.clone().unwrap_or_default();
                let recorded = "the table `results` of the scenario says what is recorded";
                error.with_remedy(format!("{remedy}; {recorded}")).at(&self.path)
            };
            let column = &table.columns()[table.column(&told.column).ok_or_else(missing)?];
            let meaning = format!("{} of {}", told.measure.word(), told.column);
            columns.push(Column::new(&told.name, told.measure.unit(&column.unit), meaning));
        }
        Ok(columns)
    }
}

/// Sensors whose readings follow from a seed.
fn noisy_sensors(scenario: &Scenario) -> Vec<(String, u64)> {
    let sensors = scenario.blocks.iter().filter(|block| block.kind.name == "sensor");
    let noisy = sensors.filter(|block| {
        ["noise", "dropout"].iter().any(|key| block.setting.not_negative_or(key, 0.0).is_ok_and(|level| level > 0.0))
    });
    let seed =
        |block: &supple_io::scenario_file::ControlBlock| block.setting.not_negative_or("seed", 0.0).unwrap_or(0.0);
    noisy.enumerate().map(|(i, block)| (block.name.clone(), (seed(block) as u64) << 16 | i as u64)).collect()
}

impl RunError {
    /// A problem of one run of a study.
    fn of_run(mut self, run: u64, study: &Path) -> Self {
        self.message = format!("run {run} cannot begin with its values:\n{}", self.message);
        self.kind = RunErrorKind::Unsound;
        self.at(study)
    }
}
