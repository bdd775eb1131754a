//! From a scenario to results that prove themselves.

use std::path::{Path, PathBuf};
use std::time::Instant;

use supple::State;
use supple::integrate::Simulation;
use supple_io::results::{self, CsvWriter, Outcome, RowSink, Summary, Written, plot};
use supple_io::scenario_file::Scenario;

use crate::checkpoint::{RunCheckpoint, fingerprint};
use crate::closures::ClosureWatch;
use crate::collapse::CollapseWatch;
use crate::control::{self, Part};
use crate::corrections;
use crate::effort::EffortWatch;
use crate::engine;
use crate::events::EventLog;
use crate::film::{self, Film};
use crate::lock::FolderLock;
use crate::loop_watch::LoopWatch;
use crate::momentum::MomentumWatch;
use crate::place;
use crate::realtime::LinkNews;
use crate::record::Recorder;
use crate::results::{Kept, plotted, works};
use crate::row_files::{Files, RowFiles};
use crate::sinks::{live_log, other_sinks, write_log};
use crate::sound_start::{check_stops, check_times};
use crate::story::StoryWatch;
use crate::warnings::Warnings;
use crate::{Existing, Formulation, Observer, Options, Output, Results, RunError, RunErrorKind, Size};

/// Simulated points that a plot keeps.
const PLOT_BINS: usize = 400;

/// A run that can begin, or go on: [`advance`](Self::advance) row by row, or [`go`](Self::go) to the end.
pub struct Run<'s> {
    pub(crate) options: Options,
    pub(crate) scenario: &'s Scenario,
    /// Of the results; none where they stay in memory.
    pub(crate) folder: Option<PathBuf>,
    pub(crate) fingerprint: u64,
    pub(crate) engine: Simulation,
    pub(crate) recorder: Recorder,
    /// The files of rows, among them those as text, which a run that is resumed starts from.
    pub(crate) files: RowFiles,
    /// Whether a file could not be written.
    pub(crate) write_failed: bool,
    pub(crate) traces: plot::Traces,
    pub(crate) kept: Kept,
    summary: Summary,
    pub(crate) rows: u64,
    pub(crate) events: EventLog,
    /// Where nothing external acts.
    pub(crate) momentum: Option<MomentumWatch>,
    /// Where there are closures.
    pub(crate) closures: Option<ClosureWatch>,
    /// Motors and their limits.
    pub(crate) effort: EffortWatch,
    /// Controllers whose loops are unstable.
    pub(crate) loops: LoopWatch,
    /// What happens.
    pub(crate) story: StoryWatch,
    /// The size of the steps.
    pub(crate) collapse: CollapseWatch,
    /// All warnings so far, and how many departures are among them.
    pub(crate) warnings: Warnings,
    /// What is doubtful about the start.
    pub(crate) doubts: Vec<String>,
    pub(crate) departed: usize,
    /// The motion for the page.
    pub(crate) film: Option<Film>,
    /// When the first step was asked for.
    pub(crate) started: Option<Instant>,
    /// Simulated time where it started or resumed, and of the last checkpoint.
    pub(crate) from: f64,
    pub(crate) saved: f64,
    outcome: Option<Outcome>,
    size: Size,
    /// Of the link to controllers elsewhere.
    pub(crate) news: LinkNews,
    /// Keeps other runs out of the folder until all is written.
    _lock: Option<FolderLock>,
}

impl<'s> Run<'s> {
    /// Prepares the run of a scenario that was read from `path`, which names it and the place of its results. Files are created here,
    /// after everything that can be refused has been looked at.
    ///
    /// # Errors
    /// [`RunError`] says what the scenario asks for in vain, or why results cannot be written or resumed.
    pub fn new(scenario: &'s Scenario, path: &Path, options: &Options) -> Result<Self, RunError> {
        Self::of_part(scenario, path, options, (Part::Whole, LinkNews::default()))
    }

    /// The same with some of the blocks of the scenario, and what their link has to tell.
    pub(crate) fn of_part(
        scenario: &'s Scenario,
        path: &Path,
        options: &Options,
        (part, news): (Part<'_>, LinkNews),
    ) -> Result<Self, RunError> {
        check_times(scenario)?;
        let model = &scenario.model.model;
        let (mut engine, integrator, told) =
            engine::start(scenario, &options.formulation, part).map_err(|error| error.of_scenario(path))?;
        let mut events = EventLog::new(scenario);
        let mut momentum = MomentumWatch::new(scenario, engine.state());
        let mut closures = ClosureWatch::new(model);
        let (mut effort, mut story) = (EffortWatch::new(scenario), StoryWatch::new(scenario));
        let (mut collapse, mut warnings) = (CollapseWatch::default(), Warnings::default());
        check_stops(scenario, engine.state())?;
        let folder = place::folder_of(scenario, path, options)?;
        let recorder = Recorder::new(scenario).map_err(|error| {
            RunError::cannot_begin(error).with_remedy("rename the body, hinge or node that the column is named after")
        })?;
        let fingerprint = fingerprint_of(scenario, &options.formulation);
        let existing = match options.existing {
            Existing::Refuse => results::Existing::Refuse,
            Existing::Replace | Existing::Resume => results::Existing::Replace,
        };
        let table = recorder.table();
        // Whatever can be refused is refused before the folder is touched.
        let columns = plotted(table, &options.plot)?;
        let traces = plot::Traces::new(table, &columns, PLOT_BINS)?;
        let mut summary = Summary::new(scenario_name(path, scenario), table, integrator);
        summary.set_physics(model);
        summary.damping = told.damping;
        if let Some(other) = options.formulation.other() {
            summary.physics.formulation = other.into();
        }
        summary.start_time = scenario.initial.time;
        let drawn = folder.is_some() || options.report && options.output == Output::Observer;
        let mut film = drawn.then(|| Film::new(path, options, scenario));
        let size = Size::of(scenario, table);
        let (mut old_rows, mut files, mut lock) = (Vec::new(), RowFiles::default(), None);
        if let Some(folder) = &folder {
            let csv_path = folder.join("results.csv");
            if options.existing == Existing::Resume {
                if folder.is_dir() {
                    lock = FolderLock::take(folder)?;
                }
                let path = folder.join("checkpoint.json");
                let told =
                    RunCheckpoint::read(&path, fingerprint).map_err(|error| RunError::of_checkpoint(&path, &error))?;
                size.check(scenario.results.most_bytes, folder, told.rows.rows)?;
                engine.restore(&told.simulation).map_err(|error| RunError::cannot_begin(error).at(&path))?;
                events.restore(&told.events).map_err(|error| RunError::cannot_begin(error).at(&path))?;
                if let Some(watch) = &mut momentum {
                    watch.drift = told.momentum_drift;
                }
                if let Some(watch) = &mut closures {
                    watch.greatest = told.closure_residuals;
                }
                effort.restore(&told.efforts);
                story.restore(&told.story);
                warnings.restore(&told.warnings);
                collapse = told.collapse;
                let (writer, rows) = CsvWriter::resume(&csv_path, table, told.rows)?;
                film.iter_mut().for_each(|film| film.restore(folder, told.rows.rows));
                (files, old_rows) = (RowFiles::new(writer), rows);
                place::discard(folder, false)?;
            } else {
                size.check(scenario.results.most_bytes, folder, 0)?;
                lock = place::occupy(folder, options.existing)?;
                place::discard(folder, true)?;
                files = RowFiles::new(CsvWriter::create(&csv_path, table, existing)?);
            }
            summary.write(&folder.join("summary.json"), existing)?;
            if let Some(files) = files.here() {
                other_sinks(scenario, folder, table, existing, &mut files.sinks)?;
            }
        }
        let from = engine.state().time;
        let kept = Kept::new(table.columns().len(), options.keep_rows || options.output == Output::Memory);
        let mut run = Self {
            options: options.clone(),
            scenario,
            folder,
            fingerprint,
            engine,
            recorder,
            files,
            write_failed: false,
            traces,
            kept,
            summary,
            rows: old_rows.len() as u64,
            events,
            momentum,
            closures,
            effort,
            loops: LoopWatch::new(scenario),
            story,
            collapse,
            warnings,
            doubts: told.doubts,
            departed: 0,
            film,
            started: None,
            from,
            saved: from,
            outcome: None,
            size,
            news,
            _lock: lock,
        };
        for row in &old_rows {
            if let Some(files) = run.files.here() {
                files.sinks.iter_mut().try_for_each(|sink| sink.append(row))?;
            }
            run.traces.append(row)?;
            run.kept.append(row);
        }
        Ok(run)
    }

    /// From now on a thread of its own writes the rows, each at once: whenever the process is killed, its files have them.
    ///
    /// # Errors
    /// No thread can be had; a log that cannot be written.
    pub(crate) fn write_apart(&mut self) -> Result<(), RunError> {
        if let (Some(folder), Some(files)) = (&self.folder, self.files.here()) {
            files.sinks.extend(live_log(self.scenario, folder, self.recorder.table())?);
        }
        let columns = self.recorder.table().columns().len();
        self.files.write_apart(columns).map_err(|error| RunError::new(RunErrorKind::File, error))
    }

    /// Computes the next row of results; false where there is none, because the run has ended one way or another.
    pub fn advance(&mut self, observer: &mut dyn Observer) -> bool {
        if self.outcome.is_none() {
            self.outcome = self.next_row(observer).unwrap_or_else(|message| Some(Outcome::Failed(message)));
        }
        self.outcome.is_none()
    }

    /// Runs to the end: whatever happens, what was computed is complete and readable afterwards.
    pub fn go(mut self, observer: &mut dyn Observer) -> Results {
        observer.begin(&self);
        while self.advance(observer) {}
        self.finish(observer)
    }

    /// The state reached.
    pub fn state(&self) -> &State {
        self.engine.state()
    }

    /// What the results take on the disk, by estimate.
    pub fn size(&self) -> Size {
        self.size
    }

    /// What is known of the run at its start; complete in the [`Results`].
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// What the page of the run draws, and where the run comes from; none where nobody sees it.
    #[cfg(feature = "report")]
    pub fn scene(&self) -> Option<(&supple_report::Scene, &supple_report::Origin)> {
        self.film.as_ref().map(|film| (film.scene(), film.origin()))
    }

    /// Completes the results of a run, which counts as interrupted where it has not ended.
    pub fn finish(mut self, observer: &mut dyn Observer) -> Results {
        let outcome = self.outcome.take().unwrap_or(Outcome::Interrupted);
        self.tell_notes(observer);
        let time = self.engine.state().time;
        let totals = self.effort.totals().into_iter().chain(corrections::total(&self.engine));
        totals.for_each(|total| self.warnings.tell(time, total, observer));
        if matches!(outcome, Outcome::Finished | Outcome::Stopped(_)) {
            self.tell_pieces(observer);
        }
        let started = self.started.unwrap_or_else(Instant::now);
        let mut problems = Vec::new();
        if self.is_to_be_saved(&outcome) {
            problems.extend(self.save().err());
        }
        let files = self.complete_files(&mut problems);
        let last_row = match self.files.here() {
            Some(files) => files.csv.last_row(),
            None => self.kept.time().map(|time| (self.rows, time)),
        };
        let can_go_on = self.write_failed.then(|| {
            let checkpoint = self.folder.as_ref().map(|folder| folder.join("checkpoint.json"));
            checkpoint.is_some_and(|path| path.exists())
        });
        let summary = &mut self.summary;
        summary.files = files.iter().map(Into::into).collect();
        summary.end_time = self.engine.state().time;
        summary.statistics = self.engine.statistics().into();
        let has_ledger = self.engine.keeps_ledger();
        summary.ledger = has_ledger.then(|| self.engine.ledger().ok().map(Into::into)).flatten();
        (summary.events, summary.events_not_listed) = self.events.summary(self.scenario);
        summary.momentum = self.momentum.as_ref().map(MomentumWatch::summary);
        summary.closures = self.closures.as_ref().map(ClosureWatch::summary);
        summary.story = Some(self.story.story(self.scenario, &self.effort));
        summary.warnings = self.warnings.told().iter().map(|warning| warning.text.clone()).collect();
        summary.set_wall_time(started.elapsed().as_secs_f64());
        summary.real_time_factor = (summary.end_time - self.from) / started.elapsed().as_secs_f64().max(1e-9);
        summary.outcome = match (outcome, problems.first()) {
            (Outcome::Finished | Outcome::Stopped(_), Some(problem)) => Outcome::Failed(problem.clone()),
            (outcome, _) => outcome,
        };
        let (mut plot, mut report, mut remarks) = (None, None, Vec::new());
        if let Some(folder) = &self.folder {
            if !self.options.plot.is_empty() {
                let path = folder.join("plot.svg");
                match plot::write_svg(&path, &summary.scenario, &self.traces.series(), results::Existing::Replace) {
                    Ok(()) => plot = Some(path),
                    Err(error) => problems.push(error.to_string()),
                }
            }
            let written = summary.write(&folder.join("summary.json"), results::Existing::Replace);
            problems.extend(written.err().map(|error| error.to_string()));
            // The motion and the page come after all results. What goes wrong here takes nothing from them.
            self.film.iter_mut().for_each(|film| film.finish(self.scenario, self.engine.state()));
            remarks.extend(self.film.as_mut().and_then(|film| film.write(folder).err()));
            if self.options.report {
                match film::report(folder) {
                    Ok(path) => report = Some(path),
                    Err(error) => remarks.push(format!("no report: {error}")),
                }
            }
        }
        remarks.into_iter().for_each(|remark| self.warnings.tell(self.summary.end_time, remark, observer));
        observer.finished(&self.summary);
        Results {
            table: self.recorder.table().clone(),
            works: if has_ledger { works(self.scenario, self.engine.body_works()) } else { Vec::new() },
            summary: self.summary,
            kept: self.kept,
            folder: self.folder,
            plot,
            report,
            traces: self.traces,
            problems,
            last_row,
            can_go_on,
        }
    }

    /// Completes the files of rows, and makes the log of them: it is the same whether the run was resumed or not.
    fn complete_files(&mut self, problems: &mut Vec<String>) -> Vec<Written> {
        let Some(Files { csv, sinks }) = self.files.here() else { return Vec::new() };
        let mut files = Vec::new();
        let mut note = |done: Result<Vec<Written>, results::ResultsError>| match done {
            Ok(written) => files.extend(written),
            Err(error) => {
                let error = error.to_string();
                if !problems.contains(&error) {
                    problems.push(error);
                }
            }
        };
        let completed = csv.complete();
        let all_rows = completed.is_ok();
        note(completed.map(|written| vec![written]));
        std::mem::take(sinks).into_iter().for_each(|sink| note(sink.finish()));
        if let (Some(folder), true) = (&self.folder, all_rows) {
            let (events, _) = self.events.summary(self.scenario);
            note(write_log(self.scenario, folder, self.recorder.table(), (self.warnings.told(), &events)));
        }
        self.write_failed |= !problems.is_empty();
        files
    }
}

fn scenario_name(path: &Path, scenario: &Scenario) -> String {
    let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    scenario.name.clone().unwrap_or(file)
}

/// Everything that makes the motion what it is.
fn fingerprint_of(scenario: &Scenario, formulation: &Formulation) -> u64 {
    // Numbers alone: a state also carries the stamp of its model, which is another one each time the file is read.
    let State { time, coordinates, speeds, attitudes, closed, .. } = &scenario.initial;
    let initial = (time, coordinates, speeds, attitudes, closed, &scenario.held);
    // How much a disk may take, and how long a run may compute, changes no row.
    let mut integrator = scenario.integrator.clone();
    (integrator.wall_seconds, integrator.max_steps) = (None, None);
    let supple_io::scenario_file::Results { folder, formats, columns, nodes, .. } = &scenario.results;
    let recorded = (folder, formats, columns, nodes);
    let parts = (
        (&scenario.model.system, initial, scenario.start, &integrator),
        (&scenario.motions, &scenario.torques, &scenario.wrenches, &scenario.feedforward),
        (&scenario.closure_motions, &scenario.motor_forces, scenario.effort_limits),
        (scenario.duration, scenario.output_interval, recorded, &scenario.events, formulation),
    );
    let blocks = control::identity(scenario);
    fingerprint(format!("{parts:?}{blocks}").as_bytes())
}
