//! `supple run`: from a scenario to results that prove themselves.

mod checkpoint;
mod drive;
mod effort;
mod engine;
mod events;
mod film;
mod follow;
mod live;
mod momentum;
mod progress;
mod record;
mod report;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use supple_io::results::{
    CsvWriter, Existing, McapWriter, Outcome, ParquetWriter, ResultsError, RowSink, Summary, Table, TopicLayout,
    create_folder, plot,
};
use supple_io::scenario_file::{self, Scenario};

use crate::formulation::Formulation;
use crate::load::Note;
use crate::output::fail;
use checkpoint::{RunCheckpoint, fingerprint};
use effort::EffortWatch;
use engine::Engine;
use events::EventLog;
use film::Film;
use live::Live;
pub use live::{LiveOptions, listen, stay};
use momentum::MomentumWatch;
use progress::Progress;
use record::Recorder;
use report::Pages;

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
    /// Write no page.
    pub no_report: bool,
    /// Let it be looked at while it goes on.
    pub live: Option<LiveOptions>,
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
    engine: Box<dyn Engine + 's>,
    recorder: Recorder,
    sinks: Vec<Box<dyn RowSink>>,
    traces: plot::Traces,
    summary: Summary,
    rows: u64,
    events: EventLog,
    /// Where nothing external acts.
    momentum: Option<MomentumWatch>,
    /// Motors and their limits.
    effort: EffortWatch<'s>,
    /// The motion for the page.
    film: Film,
    /// Its server, where it is looked at.
    live: Option<Live>,
    /// Set by Ctrl-C.
    interrupted: Arc<AtomicBool>,
}

impl<'s> Run<'s> {
    fn new(options: &'s Options, scenario: &'s Scenario) -> Result<Self, Failure> {
        let model = &scenario.model.model;
        let (mut engine, integrator) = engine::start(scenario, options.formulation)?;
        let mut events = EventLog::new(scenario);
        let mut momentum = MomentumWatch::new(scenario, engine.state());
        let mut effort = EffortWatch::new(scenario);
        let folder = options.output.clone().unwrap_or_else(|| {
            let beside = options.scenario.parent().unwrap_or_else(|| Path::new("."));
            beside.join(&scenario.results.folder)
        });
        let recorder = Recorder::new(scenario).map_err(|error| {
            Failure::new(format!("{error}; rename the body, hinge or node that the column is named after"))
        })?;
        let fingerprint = fingerprint_of(scenario, options.formulation, &*engine);
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
        let mut film = Film::new(options, scenario);
        let mut old_rows = Vec::new();
        let mut sinks: Vec<Box<dyn RowSink>> = Vec::new();
        if options.resume {
            let path = folder.join("checkpoint.json");
            let told = RunCheckpoint::read(&path, fingerprint).map_err(|error| Failure::at(&path, error))?;
            engine.restore(&told.simulation).map_err(|error| Failure::at(&path, error))?;
            events.restore(&told.events).map_err(|error| Failure::at(&path, error))?;
            if let Some(watch) = &mut momentum {
                watch.drift = told.momentum_drift;
            }
            effort.restore(&told.efforts);
            let (sink, rows) = CsvWriter::resume(&csv, table, told.rows).map_err(Failure::new)?;
            film.restore(&folder, told.rows);
            old_rows = rows;
            sinks.push(Box::new(sink));
        } else {
            create_folder(&folder, existing).map_err(refused)?;
            sinks.push(Box::new(CsvWriter::create(&csv, table, existing).map_err(refused)?));
        }
        summary.write(&folder.join("summary.json"), existing).map_err(refused)?;
        other_sinks(scenario, &folder, table, existing, &mut sinks)?;
        let live = options.live.as_ref().map(|told| film.live(told, &summary)).transpose().map_err(Failure::new)?;
        let mut run = Self {
            options,
            scenario,
            folder,
            fingerprint,
            engine,
            recorder,
            sinks,
            traces,
            summary,
            rows: old_rows.len() as u64,
            events,
            momentum,
            effort,
            film,
            live,
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
        let from = self.engine.state().time;
        let mut progress = Progress::new(from, self.scenario.duration, self.options.quiet);
        let outcome = match self.follow(started, &mut progress) {
            Ok(outcome) => outcome,
            Err(message) => Outcome::Failed(message),
        };
        progress.clear();
        self.finish(outcome, started, from)
    }

    fn finish(mut self, outcome: Outcome, started: Instant, from: f64) -> ExitCode {
        let mut problems = Vec::new();
        if self.is_to_be_saved(&outcome) {
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
        summary.end_time = self.engine.state().time;
        summary.statistics = self.engine.statistics().into();
        summary.ledger = self.engine.ledger().ok().map(Into::into);
        (summary.events, summary.events_not_listed) = self.events.summary(self.scenario);
        summary.momentum = self.momentum.as_ref().map(MomentumWatch::summary);
        let told = self.engine.departures().iter().map(|d| d.describe(model));
        let doubts = self.scenario.model.notes.iter().map(|finding| Note::from(finding).brief);
        for warning in told.chain(self.effort.warnings()).chain(doubts) {
            if !summary.warnings.contains(&warning) {
                summary.warnings.push(warning);
            }
        }
        summary.set_wall_time(started.elapsed().as_secs_f64());
        summary.real_time_factor = (summary.end_time - from) / started.elapsed().as_secs_f64().max(1e-9);
        summary.outcome = match (outcome, problems.first()) {
            (Outcome::Finished | Outcome::Stopped(_), Some(problem)) => Outcome::Failed(problem.clone()),
            (outcome, _) => outcome,
        };
        let mut pages = Pages::default();
        if !self.options.plot.is_empty() {
            let path = self.folder.join("plot.svg");
            match plot::write_svg(&path, &summary.scenario, &self.traces.series(), Existing::Replace) {
                Ok(()) => pages.plot = Some(path),
                Err(error) => problems.push(error.to_string()),
            }
        }
        problems
            .extend(summary.write(&self.folder.join("summary.json"), Existing::Replace).err().map(|e| e.to_string()));
        let mut remarks = Vec::new();
        pages.report = self.page(&mut remarks);
        let works = report::works(self.scenario, self.engine.body_works());
        report::print(self.options, &self.summary, &works, &self.traces, &self.folder, &pages);
        report::tell(self.options, &self.summary, &self.folder, &problems, &remarks);
        if let Some(live) = self.live {
            live.end(&self.summary, &self.interrupted);
        }
        match self.summary.outcome {
            Outcome::Finished | Outcome::Stopped(_) => ExitCode::SUCCESS,
            Outcome::Interrupted => ExitCode::from(INTERRUPTED),
            _ => ExitCode::FAILURE,
        }
    }
}

impl Run<'_> {
    /// Writes the motion and the page, after all results. What goes wrong here takes nothing from them.
    fn page(&mut self, remarks: &mut Vec<String>) -> Option<PathBuf> {
        remarks.extend(self.film.write(&self.folder).err());
        if self.options.no_report {
            return None;
        }
        match film::report(&self.folder) {
            Ok(path) => Some(path),
            Err(error) => {
                remarks.push(format!("no report: {error}"));
                None
            }
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

/// The files that take the rows beside the CSV file, which is always there: a run that is resumed reads its first rows there.
fn other_sinks(
    scenario: &Scenario,
    folder: &Path,
    table: &Table,
    existing: Existing,
    sinks: &mut Vec<Box<dyn RowSink>>,
) -> Result<(), Failure> {
    for format in &scenario.results.formats {
        match format.as_str() {
            "parquet" => {
                let path = folder.join("results.parquet");
                sinks.push(Box::new(ParquetWriter::create(&path, table, existing).map_err(refused)?));
            }
            "mcap" => {
                let path = folder.join("results.mcap");
                let log = McapWriter::create(&path, table, &TopicLayout::of(table), existing).map_err(refused)?;
                sinks.push(Box::new(log));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Everything that makes the motion what it is.
fn fingerprint_of(scenario: &Scenario, formulation: Formulation, engine: &dyn Engine) -> u64 {
    let restarts = scenario.checkpoint_interval.filter(|_| !engine.checkpoints_leave_no_trace());
    let parts = (
        (&scenario.model.system, &scenario.initial, &scenario.integrator),
        (&scenario.motions, &scenario.torques, &scenario.wrenches, &scenario.feedforward),
        (scenario.duration, scenario.output_interval, restarts, &scenario.results, &scenario.events, formulation),
    );
    fingerprint(format!("{parts:?}").as_bytes())
}
