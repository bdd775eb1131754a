//! `supple run`: the library runs, the command shows how far it is and prints how it ended.

mod live;
mod progress;
mod report;

use crate::status::Status;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use supple_io::scenario_file;
use supple_run::{
    Code, Existing, Formulation, Interrupt, Observer, Outcome, Output, Row, Run, RunError, RunErrorKind, Warning,
    resume_command,
};

use crate::options::{FolderOutput, FormatOptions, FormulationName, MeshOptions, SetOptions, TextOrJson};
use crate::output::{UNSUPPORTED, fail, fail_plain};
use crate::signals;
pub use live::{Live, LiveOptions, listen, stay};
pub use progress::{ProgressLine, clock};
pub use report::print;

/// Size of results from which on it is printed before the run, bytes.
const LARGE: f64 = 1e8;

/// Status of a run that its user or the system has interrupted: that of a program ended by Ctrl-C.
pub const INTERRUPTED: u8 = 130;

/// Options.
#[derive(clap::Args)]
pub struct Options {
    /// Scenario file.
    scenario: PathBuf,
    #[command(flatten)]
    set: SetOptions,
    #[command(flatten)]
    output: FolderOutput,
    /// Continue from the checkpoint in the results folder.
    #[arg(long, conflicts_with = "force")]
    resume: bool,
    /// Print only warnings and errors.
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    format: FormatOptions<TextOrJson>,
    /// Plot these columns over time into plot.svg, e.g. hinge.shoulder,energy.total.
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    plot: Vec<String>,
    /// Formulation of the equations of motion; `book` needs an explicit integrator.
    #[arg(long, value_enum, default_value_t)]
    formulation: FormulationName,
    /// Take the equations of motion from generated code of the model; needs a C compiler.
    #[arg(long, conflicts_with = "formulation")]
    compiled: bool,
    #[command(flatten)]
    meshes: MeshOptions,
    /// Do not write report.html.
    #[arg(long)]
    no_report: bool,
}

/// How a run is printed.
pub struct Printed {
    /// No progress, no summary.
    pub quiet: bool,
    /// The summary as JSON.
    pub json: bool,
    /// Let it be looked at while it goes on.
    pub live: Option<LiveOptions>,
}

/// Runs a scenario as the command line asks.
pub fn run(options: &Options) -> Status {
    let existing = match (options.resume, options.output.force) {
        (true, _) => Existing::Resume,
        (false, true) => Existing::Replace,
        (false, false) => Existing::Refuse,
    };
    let asked = supple_run::Options {
        changes: options.set.all(),
        output: options.output.output(),
        existing,
        plot: options.plot.clone(),
        report: !options.no_report,
        meshes: options.meshes.folders(),
        formulation: match options.compiled {
            true => Formulation::Compiled(Code::default()),
            false => options.formulation.into(),
        },
        ..supple_run::Options::default()
    };
    let printed = Printed { quiet: options.quiet, json: options.format.is_json(), live: None };
    follow(&options.scenario, asked, &printed)
}

/// Runs a scenario and prints how it ended.
pub fn follow(path: &Path, options: supple_run::Options, printed: &Printed) -> Status {
    signals::end_with(&options.interrupt);
    let scenario = match scenario_file::read_with_meshes(path, &options.changes, &options.meshes) {
        Ok(scenario) => scenario,
        Err(error) => return fail_plain(1, &error),
    };
    // Rows go into files: however long the run, memory stays small.
    let options = supple_run::Options { keep_rows: false, ..options };
    let run = match Run::new(&scenario, path, &options) {
        Ok(run) => run,
        Err(error) => {
            // What is hardly meant may be why it does not begin.
            for note in &scenario.notes {
                let _ = writeln!(io::stderr(), "{}", note.as_note());
            }
            return refused(path, &error);
        }
    };
    let live = match (&printed.live, run.scene()) {
        (Some(told), Some((scene, origin))) => match Live::start(told, scene, origin, run.summary()) {
            Ok(live) => Some(live),
            Err(error) => return fail(1, &path.display().to_string(), &error),
        },
        _ => None,
    };
    let interrupt = options.interrupt.clone();
    if run.size().bytes > LARGE && !printed.quiet {
        let _ = writeln!(io::stderr(), "supple: the results take {}", run.size());
    }
    let progress = ProgressLine::new(run.state().time, scenario.duration, printed.quiet);
    let mut watch = Watch { progress, live, interrupt: interrupt.clone() };
    let results = run.go(&mut watch);
    report::print(printed, &results);
    report::tell(&resume_command(path, &options), &results);
    if let Some(live) = watch.live {
        live.end(results.summary(), &interrupt);
    }
    match results.outcome() {
        Outcome::Finished | Outcome::Stopped(_) => Status::SUCCESS,
        Outcome::Interrupted => Status::from(INTERRUPTED),
        _ => Status::FAILURE,
    }
}

/// What a terminal and a browser see of a run.
pub struct Watch {
    /// The line on the terminal.
    pub progress: ProgressLine,
    /// The server for browsers.
    pub live: Option<Live>,
    /// Ends the run.
    pub interrupt: Interrupt,
}

impl Observer for Watch {
    fn progress(&mut self, progress: supple_run::Progress) {
        self.progress.show(progress.time);
    }

    fn row(&mut self, row: Row<'_>) {
        if let Some(live) = &mut self.live {
            live.tell(row.values, row.frame, &self.interrupt);
        }
    }

    fn warning(&mut self, warning: &Warning) {
        self.progress.tell(&format!("supple: warning: {}", warning.text));
        if let Some(live) = &self.live {
            live.warn(warning);
        }
    }

    fn finished(&mut self, _: &supple_run::Summary) {
        self.progress.clear();
    }
}

/// Says why a run did not begin, and by which option it would.
pub fn refused(scenario: &Path, error: &RunError) -> Status {
    let status = if error.kind == RunErrorKind::Unsupported { UNSUPPORTED } else { 1 };
    let remedy = match error.kind {
        RunErrorKind::Exists => {
            Some("overwrite them with --force, continue with --resume, or choose another folder with --output")
        }
        RunErrorKind::Busy => Some("wait until it has ended, or choose another folder with -o"),
        RunErrorKind::Outside => Some("name another folder, or choose this one with -o"),
        RunErrorKind::NoCheckpoint => Some("start without --resume, and with `checkpoint_interval` in the scenario"),
        RunErrorKind::DamagedCheckpoint => Some("start again without --resume, and with --force"),
        RunErrorKind::OldCheckpoint => Some("start again without --resume"),
        RunErrorKind::ForeignCheckpoint => Some("undo that, or start again without --resume"),
        _ => error.remedy.as_deref(),
    };
    let option = if error.kind == RunErrorKind::NoColumn { "--plot: " } else { "" };
    let remedy = remedy.map(|remedy| format!("; {remedy}")).unwrap_or_default();
    let source = error.place().unwrap_or_else(|| scenario.display().to_string());
    fail(status, &source, &format!("{option}{}{remedy}", error.message))
}

impl FolderOutput {
    /// Where the results of a scenario go.
    pub fn output(&self) -> Output {
        self.output.clone().map_or(Output::Scenario, Output::Folder)
    }
}
