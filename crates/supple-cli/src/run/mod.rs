//! `supple run`: from a scenario to results that prove themselves.

mod checkpoint;
mod drive;
mod progress;
mod record;
mod report;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use supple::ValidityLimits;
use supple::book::BookDynamics;
use supple::force::HingeElements;
use supple::integrate::{Limits, Scheme, Simulation, Stepping, Tolerance};
use supple_io::results::{
    CsvWriter, Existing, IntegratorSummary, McapWriter, Outcome, ParquetWriter, ResultsError, RowSink, Summary,
    create_folder, plot,
};
use supple_io::scenario_file::{self, Method, Scenario};

use crate::formulation::Formulation;
use crate::output::{UNSUPPORTED, fail};
use checkpoint::{RunCheckpoint, fingerprint};
use drive::ScenarioDrive;
use progress::Progress;
use record::Recorder;

/// Status of a run that its user has interrupted: that of a program ended by Ctrl-C.
const INTERRUPTED: u8 = 130;
/// Simulated points that a plot keeps.
const PLOT_BINS: usize = 400;

/// What the command line asks.
pub struct Options {
    /// The scenario.
    pub scenario: PathBuf,
    /// Folder of the results instead of that of the scenario.
    pub output: Option<PathBuf>,
    /// Replace results that are there.
    pub force: bool,
    /// Go on from the checkpoint in the folder of the results.
    pub resume: bool,
    /// No progress, no summary.
    pub quiet: bool,
    /// The summary as JSON on standard output.
    pub json: bool,
    /// Draw these columns into `plot.svg`; empty for none.
    pub plot: Vec<String>,
    /// By which equations of motion.
    pub formulation: Formulation,
}

/// Runs a scenario.
pub fn run(options: &Options) -> ExitCode {
    let source = options.scenario.display().to_string();
    let scenario = match scenario_file::read(&options.scenario) {
        Ok(scenario) => scenario,
        Err(error) => return crate::output::fail_plain(1, &error),
    };
    match Run::new(options, &scenario) {
        Ok(run) => run.go(),
        Err(Failure { status, source: place, message }) => fail(status, &place.unwrap_or(source), &message),
    }
}

/// Why a run did not begin.
struct Failure {
    status: u8,
    source: Option<String>,
    message: String,
}

impl Failure {
    fn new(message: impl ToString) -> Self {
        Self { status: 1, source: None, message: message.to_string() }
    }

    fn at(path: &Path, message: impl ToString) -> Self {
        Self { source: Some(path.display().to_string()), ..Self::new(message) }
    }
}

/// A run that can begin.
struct Run<'s> {
    options: &'s Options,
    scenario: &'s Scenario,
    folder: PathBuf,
    fingerprint: u64,
    simulation: Simulation<'s, ScenarioDrive<'s>>,
    recorder: Recorder,
    sinks: Vec<Box<dyn RowSink>>,
    traces: plot::Traces,
    summary: Summary,
    rows: u64,
    /// Set by Ctrl-C.
    interrupted: Arc<AtomicBool>,
}

impl<'s> Run<'s> {
    fn new(options: &'s Options, scenario: &'s Scenario) -> Result<Self, Failure> {
        let model = &scenario.model.model;
        let (scheme, stepping, integrator) = method(scenario)?;
        let drive = ScenarioDrive::new(scenario).map_err(Failure::new)?;
        let (prescribed, initial) = (drive.prescribed(), drive.start(scenario));
        let mut simulation = Simulation::new(model, initial, drive, scheme, stepping)
            .map_err(|error| Failure::new(format!("the run cannot begin: {error}")))?;
        simulation.prescribe(&prescribed).map_err(Failure::new)?;
        let elements = HingeElements::new(model, scenario.model.hinge_elements()).map_err(Failure::new)?;
        simulation.set_elements(elements);
        if options.formulation == Formulation::Book {
            let unsupported = |message: String| Failure { status: UNSUPPORTED, ..Failure::new(message) };
            let book = BookDynamics::new(model).map_err(|error| unsupported(error.to_string()))?;
            simulation.set_book(book).map_err(|error| unsupported(error.to_string()))?;
        }
        simulation.watch_validity(ValidityLimits::default());
        let told = &scenario.integrator;
        let limits = Limits {
            steps: told.max_steps.map_or(Limits::default().steps, |steps| steps as u64),
            greatest_step: told.greatest_step.unwrap_or(f64::INFINITY),
            ..Limits::default()
        };
        simulation.set_limits(limits).map_err(Failure::new)?;

        let folder = options.output.clone().unwrap_or_else(|| {
            let beside = options.scenario.parent().unwrap_or_else(|| Path::new("."));
            beside.join(&scenario.results.folder)
        });
        let recorder = Recorder::new(scenario).map_err(|error| {
            Failure::new(format!("{error}; rename the body, hinge or node that the column is named after"))
        })?;
        let fingerprint = fingerprint_of(scenario, options.formulation);
        let existing = if options.force || options.resume { Existing::Replace } else { Existing::Refuse };
        let table = recorder.table();
        // Whatever can be refused is refused before the folder is touched.
        let columns = report::plotted(table, &options.plot).map_err(Failure::new)?;
        let traces = plot::Traces::new(table, &columns, PLOT_BINS).map_err(Failure::new)?;
        let mut summary = Summary::new(scenario_name(options, scenario), table, integrator);
        summary.set_physics(model);
        if options.formulation == Formulation::Book {
            summary.physics.formulation = "book".into();
        }
        summary.start_time = scenario.initial.time;
        let csv = folder.join("results.csv");
        let mut old_rows = Vec::new();
        let mut sinks: Vec<Box<dyn RowSink>> = Vec::new();
        if options.resume {
            let path = folder.join("checkpoint.json");
            let told = RunCheckpoint::read(&path, fingerprint).map_err(|error| Failure::at(&path, error))?;
            simulation.restore(&told.simulation).map_err(|error| Failure::at(&path, error))?;
            let (sink, rows) = CsvWriter::resume(&csv, table, told.rows).map_err(Failure::new)?;
            old_rows = rows;
            sinks.push(Box::new(sink));
            summary.warnings = warnings_before(&folder.join("summary.json"));
        } else {
            create_folder(&folder, existing).map_err(refused)?;
            sinks.push(Box::new(CsvWriter::create(&csv, table, existing).map_err(refused)?));
        }
        summary.write(&folder.join("summary.json"), existing).map_err(refused)?;
        other_sinks(scenario, &folder, &recorder, existing, &mut sinks)?;
        let mut run = Self {
            options,
            scenario,
            folder,
            fingerprint,
            simulation,
            recorder,
            sinks,
            traces,
            summary,
            rows: old_rows.len() as u64,
            interrupted: Arc::new(AtomicBool::new(false)),
        };
        for row in &old_rows {
            // The first file has them.
            for sink in &mut run.sinks[1..] {
                sink.append(row).map_err(Failure::new)?;
            }
            run.traces.append(row).map_err(Failure::new)?;
        }
        Ok(run)
    }

    /// The run itself: whatever happens, what was computed is complete and readable afterwards.
    fn go(mut self) -> ExitCode {
        let flag = Arc::clone(&self.interrupted);
        // Where signals cannot be caught, the run is killed by them: the files are made for that too.
        let _ = ctrlc::set_handler(move || flag.store(true, Ordering::SeqCst));
        let started = Instant::now();
        let from = self.simulation.state().time;
        let mut progress = Progress::new(from, self.scenario.duration, self.options.quiet);
        let outcome = match self.steps(started, &mut progress) {
            Ok(outcome) => outcome,
            Err(message) => Outcome::Failed(message),
        };
        progress.clear();
        self.finish(outcome, started, from)
    }

    /// Follows the motion to its end.
    fn steps(&mut self, started: Instant, progress: &mut Progress) -> Result<Outcome, String> {
        let (interval, duration) = (self.scenario.output_interval, self.scenario.duration);
        // A budget beyond what a duration can hold is none.
        let budget = self.scenario.integrator.wall_seconds.and_then(|s| Duration::try_from_secs_f64(s).ok());
        let checkpoints = self.scenario.checkpoint_interval;
        let last = (duration / interval * (1.0 - 1e-12)).ceil().max(1.0) as u64;
        let mut saved = self.simulation.state().time;
        while self.rows <= last {
            let target = if self.rows == last { duration } else { (self.rows as f64 * interval).min(duration) };
            while self.simulation.state().time < target {
                let rejected = self.simulation.statistics().rejected;
                self.simulation.advance_step(target).map_err(|error| error.to_string())?;
                // A step that was cut short by the end or a break is not one that had to shrink.
                let [from, to] = self.simulation.covered();
                if let Some(least) = self.scenario.integrator.least_step
                    && self.simulation.statistics().rejected > rejected
                    && to - from < least
                    && target - to > least
                {
                    return Err(format!(
                        "at t = {to} the step shrank to {:.1e} s, below the `least_step` of {least:e} s; allow smaller ones, or \
                         take an integrator for stiff modes",
                        to - from
                    ));
                }
                if self.interrupted.load(Ordering::SeqCst) {
                    return Ok(Outcome::Interrupted);
                }
                if budget.is_some_and(|budget| started.elapsed() > budget) {
                    let seconds = self.scenario.integrator.wall_seconds.unwrap_or_default();
                    let time = self.simulation.state().time;
                    return Err(format!(
                        "the {seconds} s of the clock that `wall_seconds` allows are used up at t = {time}; allow more, or take another integrator"
                    ));
                }
                progress.show(self.simulation.state().time);
            }
            let model = &self.scenario.model.model;
            let row = self.recorder.row(model, &mut self.simulation).map_err(|error| error.to_string())?.to_vec();
            self.append(&row)?;
            if let Some(period) = checkpoints
                && target - saved >= period * (1.0 - 1e-12)
            {
                saved = target;
                self.save()?;
            }
        }
        Ok(Outcome::Finished)
    }

    fn append(&mut self, row: &[f64]) -> Result<(), String> {
        for sink in &mut self.sinks {
            sink.append(row).map_err(|error| error.to_string())?;
        }
        self.traces.append(row).map_err(|error| error.to_string())?;
        self.rows += 1;
        Ok(())
    }

    /// Writes a checkpoint, after all rows before it.
    fn save(&mut self) -> Result<(), String> {
        for sink in &mut self.sinks {
            sink.flush().map_err(|error| error.to_string())?;
        }
        let told =
            RunCheckpoint { scenario: self.fingerprint, rows: self.rows, simulation: self.simulation.checkpoint() };
        let path = self.folder.join("checkpoint.json");
        told.write(&path).map_err(|error| format!("{}: {error}", path.display()))
    }

    fn finish(mut self, outcome: Outcome, started: Instant, from: f64) -> ExitCode {
        let mut problems = Vec::new();
        if outcome == Outcome::Interrupted
            || (outcome == Outcome::Finished && self.scenario.checkpoint_interval.is_some())
        {
            problems.extend(self.save().err());
        }
        let mut files = Vec::new();
        for sink in std::mem::take(&mut self.sinks) {
            match sink.finish() {
                Ok(written) => files.extend(written),
                Err(error) => problems.push(error.to_string()),
            }
        }
        let model = &self.scenario.model.model;
        let summary = &mut self.summary;
        summary.files = files.iter().map(Into::into).collect();
        summary.end_time = self.simulation.state().time;
        summary.statistics = self.simulation.statistics().into();
        summary.ledger = self.simulation.ledger().ok().map(Into::into);
        let told = self.simulation.departures().iter().map(|d| d.describe(model));
        for warning in told.chain(model.notes().iter().cloned()) {
            if !summary.warnings.contains(&warning) {
                summary.warnings.push(warning);
            }
        }
        summary.set_wall_time(started.elapsed().as_secs_f64());
        summary.real_time_factor = (summary.end_time - from) / started.elapsed().as_secs_f64().max(1e-9);
        summary.outcome = match (outcome, problems.first()) {
            (Outcome::Finished, Some(problem)) => Outcome::Failed(problem.clone()),
            (outcome, _) => outcome,
        };
        if !self.options.plot.is_empty() {
            let path = self.folder.join("plot.svg");
            let drawn = plot::write_svg(&path, &summary.scenario, &self.traces.series(), Existing::Replace);
            problems.extend(drawn.err().map(|error| error.to_string()));
        }
        problems
            .extend(summary.write(&self.folder.join("summary.json"), Existing::Replace).err().map(|e| e.to_string()));
        let works = report::works(self.scenario, self.simulation.body_works());
        report::print(self.options, &self.summary, &works, &self.traces, &self.folder, &problems);
        match self.summary.outcome {
            Outcome::Finished => ExitCode::SUCCESS,
            Outcome::Interrupted => ExitCode::from(INTERRUPTED),
            _ => ExitCode::FAILURE,
        }
    }
}

fn scenario_name(options: &Options, scenario: &Scenario) -> String {
    let file = options.scenario.file_name().unwrap_or_default().to_string_lossy().into_owned();
    scenario.name.clone().unwrap_or(file)
}

/// Why results are not written where they were to be.
fn refused(error: ResultsError) -> Failure {
    match error {
        ResultsError::Exists { path } => Failure::at(
            &path,
            "there are results already; replace them with --force, go on with --resume, or take another folder with --output",
        ),
        error => Failure::new(error),
    }
}

/// Warnings of the part of a run that is before its checkpoint, where they can be read.
fn warnings_before(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    serde_json::from_str::<Summary>(&text).map_or(Vec::new(), |summary| summary.warnings)
}

/// The files that take the rows beside the CSV file, which is always there: a run that is resumed reads its first rows there.
fn other_sinks(
    scenario: &Scenario,
    folder: &Path,
    recorder: &Recorder,
    existing: Existing,
    sinks: &mut Vec<Box<dyn RowSink>>,
) -> Result<(), Failure> {
    let table = recorder.table();
    for format in &scenario.results.formats {
        match format.as_str() {
            "parquet" => {
                let path = folder.join("results.parquet");
                sinks.push(Box::new(ParquetWriter::create(&path, table, existing).map_err(refused)?));
            }
            "mcap" => {
                let path = folder.join("results.mcap");
                let log = McapWriter::create(&path, table, recorder.layout(), existing).map_err(refused)?;
                sinks.push(Box::new(log));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Everything that makes the motion what it is.
fn fingerprint_of(scenario: &Scenario, formulation: Formulation) -> u64 {
    let parts = (
        (&scenario.model.system, &scenario.model.elements, &scenario.initial, &scenario.integrator),
        (&scenario.motions, &scenario.torques, &scenario.wrenches, &scenario.feedforward),
        (scenario.duration, scenario.output_interval, &scenario.results, formulation),
    );
    fingerprint(format!("{parts:?}").as_bytes())
}

/// The scheme of the engine for the method of a scenario.
fn method(scenario: &Scenario) -> Result<(Scheme, Stepping, IntegratorSummary), Failure> {
    let told = &scenario.integrator;
    let scheme = match told.method {
        Method::DormandPrince => Scheme::DormandPrince,
        Method::PrinceDormand8 => Scheme::PrinceDormand8,
        Method::RungeKutta4 => Scheme::RungeKutta4,
        Method::GeneralizedAlpha => Scheme::GeneralizedAlpha { spectral_radius: told.spectral_radius },
        Method::LinearlyImplicit => Scheme::LinearlyImplicit,
        Method::Exponential => Scheme::Exponential,
        Method::ExponentialAdams => Scheme::ExponentialAdams,
        _ => {
            let message = "this program has no such integrator; use one of dormand-prince, prince-dormand8, rk4, \
                           generalized-alpha, linearly-implicit, exponential, exponential-adams";
            return Err(Failure { status: UNSUPPORTED, ..Failure::new(message) });
        }
    };
    let tolerance = Tolerance { relative: told.relative_tolerance, absolute: told.absolute_tolerance };
    let stepping = told.step.map_or(Stepping::Adaptive(tolerance), Stepping::Fixed);
    let adaptive = told.step.is_none();
    let integrator = IntegratorSummary {
        name: format!("{scheme:?}"),
        relative_tolerance: adaptive.then_some(tolerance.relative),
        absolute_tolerance: adaptive.then_some(tolerance.absolute),
        step: told.step,
    };
    Ok((scheme, stepping, integrator))
}
