//! `supple sweep`: the library makes the runs, the command shows how far they are and prints what came of them.

mod plan;
mod progress;
mod range;
mod summary;

use std::ops::Range;
use std::path::{Path, PathBuf};

use supple_io::results::create_folder;
use supple_run::sweep::{self, Manifest, Study, SweepOptions, done_runs};
use supple_run::{Existing, Interrupt, Output, RunError, RunErrorKind};

use crate::options::{Format, FormatOptions, Rows, SetOptions};
use crate::output::fail;
use crate::run::{self, INTERRUPTED, Printed};
use crate::signals;
use crate::status::Status;
use progress::SweepLine;

/// What `--set` and `--unset` mean here.
const SET: &str = "Override a value of the scenario of all runs, as `supple run` does, e.g. integrator.step=1e-3; the prefix model. selects its model, \
                   and study. the study itself, e.g. study.samples=100";
const UNSET: &str = "Remove a key of the scenario, or an entry of a list by its name, e.g. events.impact; the prefixes are those of --set. Before any --set";

/// Options.
#[derive(clap::Args)]
#[command(mut_arg("changes", |set| set.help(SET)), mut_arg("dropped", |unset| unset.help(UNSET)))]
pub struct Options {
    /// Study file.
    study: PathBuf,
    #[command(flatten)]
    set: SetOptions,
    /// Results folder, instead of the one given in the study.
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Make only runs A to B - 1; A or B may be omitted. Processes with different runs may share the folder.
    #[arg(long, value_name = "A:B", value_parser = range::parse)]
    runs: Option<range::Runs>,
    /// Threads; default: one per core.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Take the equations of motion from generated code, one program for all runs whose models differ in numbers; needs a C compiler.
    #[arg(long)]
    compiled: bool,
    /// Make the runs on an NVIDIA GPU, thousands at a time, with fixed steps of rk4 or linearly-implicit.
    #[arg(long, conflicts_with_all = ["compiled", "run"])]
    gpu: bool,
    /// Make only the runs that are missing in the results folder.
    #[arg(long)]
    resume: bool,
    /// Replace the sweep in the results folder.
    #[arg(long, conflicts_with_all = ["resume", "runs"])]
    force: bool,
    /// Repeat run K in full, with all results and its report, as `supple run` would, into run-K of the results folder or into --output.
    #[arg(long, value_name = "K", conflicts_with_all = ["resume", "runs", "jobs"])]
    run: Option<u64>,
    /// Print the values of the runs and stop.
    #[arg(long, conflicts_with_all = ["resume", "force", "run", "jobs"])]
    dry_run: bool,
    /// Make no runs; summarise the sweeps in these folders as one [default: the results folder], and write summary.json and sweep.html into
    /// --output, or into the first of them.
    #[arg(long, value_name = "FOLDER", num_args = 0.., conflicts_with_all = ["resume", "force", "run", "runs", "jobs", "dry_run"])]
    summary: Option<Vec<PathBuf>>,
    /// Write the plots of the summary as SVG files into this folder: distributions, sensitivities, scatter plots.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["run", "dry_run"])]
    svg: Option<PathBuf>,
    /// Print only warnings and errors.
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    format: FormatOptions<Rows>,
}

/// Runs a study as the command line asks.
pub fn run(options: &Options) -> Status {
    let study = match Study::read_changed(&options.study, &options.set.all()) {
        Ok(study) => study,
        Err(error) => return refused(&options.study, &error),
    };
    let runs = match options.runs.unwrap_or_default().of(study.runs()) {
        Ok(runs) => runs,
        Err(message) => return fail(2, "--runs", &message),
    };
    if let Some(folders) = &options.summary {
        return summarise(&study, folders, options);
    }
    if options.dry_run {
        return plan::print(&study, runs, &options.format);
    }
    let made = match (options.compiled, options.gpu) {
        (true, _) => study.compiled(),
        (false, true) => study.on_gpu(0),
        (false, false) => Ok(study),
    };
    let study = match made {
        Ok(study) => study,
        Err(error) => return refused(&options.study, &error),
    };
    match options.run {
        Some(run) => repeat(&study, run, options),
        None => make(&study, runs, options),
    }
}

/// Makes the runs.
fn make(study: &Study, runs: Range<u64>, options: &Options) -> Status {
    let usual = SweepOptions::new(study);
    let existing = match (options.resume, options.force) {
        (true, _) => Existing::Resume,
        (false, true) => Existing::Replace,
        (false, false) => Existing::Refuse,
    };
    let asked = SweepOptions {
        folder: options.output.clone().unwrap_or(usual.folder),
        runs,
        jobs: options.jobs.map_or(usual.jobs, usize::from),
        existing,
        interrupt: Interrupt::default(),
    };
    signals::end_with(&asked.interrupt);
    let mut line = SweepLine::new(options.quiet);
    let swept = sweep::sweep(study, &asked, &mut |progress| line.show(progress));
    line.clear();
    match swept {
        Ok(swept) => {
            if !options.quiet && options.format.or(Format::Table) == Format::Table {
                progress::print(&asked.folder, &swept, study);
            }
            if swept.interrupted {
                return Status::from(INTERRUPTED);
            }
            // Where other processes have runs of their own, the last one to end finds all.
            let all = done_runs(&asked.folder).map(|done| done.len() >= study.runs());
            if all.is_ok_and(|all| all) { summarise(study, &[], options) } else { Status::SUCCESS }
        }
        Err(error) => refused(&options.study, &error),
    }
}

/// Writes and prints the summary of folders, or of the results folder where there are none.
fn summarise(study: &Study, folders: &[PathBuf], options: &Options) -> Status {
    let usual = [options.output.clone().unwrap_or_else(|| study.folder())];
    let folders = if folders.is_empty() { &usual[..] } else { folders };
    let into = options.output.as_deref().unwrap_or(&folders[0]);
    let written = sweep::summarise(study, folders).and_then(|(summary, rows)| {
        create_folder(into, supple_io::results::Existing::Replace)?;
        sweep::write_summary(study, &rows, &summary, into)?;
        if let Some(pictures) = &options.svg {
            sweep::write_plots(study, &rows, &summary, pictures)?;
        }
        Ok(summary)
    });
    match written {
        Ok(_) if options.quiet => Status::SUCCESS,
        Ok(summary) => summary::print(&summary, into, options.format.or(Format::Table)),
        Err(error) => refused(&options.study, &error),
    }
}

/// Repeats a run in full.
fn repeat(study: &Study, run: u64, options: &Options) -> Status {
    if run >= study.runs() {
        let message = format!("the study has no run {run}; its runs are 0 to {}", study.runs().saturating_sub(1));
        return fail(2, "--run", &message);
    }
    let folder = study.folder();
    // Results that are there must be of the same study, or the run would be another one.
    let checked = Manifest::read(&folder).and_then(|found| match found {
        Some(manifest) if options.output.is_none() => manifest.check(study, &folder),
        _ => Ok(()),
    });
    if let Err(error) = checked {
        return refused(&options.study, &error);
    }
    let asked = supple_run::Options {
        changes: study.changes(run),
        output: Output::Folder(options.output.clone().unwrap_or_else(|| folder.join(format!("run-{run}")))),
        existing: if options.force { Existing::Replace } else { Existing::Refuse },
        report: true,
        formulation: study.formulation().clone(),
        ..supple_run::Options::default()
    };
    let printed = Printed { quiet: options.quiet, json: options.format.is_json(), live: None };
    run::follow(study.scenario_path(), asked, &printed)
}

/// Says why there is no sweep, and by which option there would be one.
fn refused(study: &Path, error: &RunError) -> Status {
    let remedy = match error.kind {
        RunErrorKind::Exists => {
            Some("make the others with --resume, replace all with --force, or choose another folder with --output")
        }
        RunErrorKind::Busy => {
            Some("wait until it has ended, give this one other runs with --runs, or choose another folder with -o")
        }
        _ => error.remedy.as_deref(),
    };
    let remedy = remedy.map(|remedy| format!("; {remedy}")).unwrap_or_default();
    if error.findings().is_some() {
        return crate::output::fail_plain(1, &error.message);
    }
    let place = error.place().unwrap_or_else(|| study.display().to_string());
    fail(1, &place, &format!("{}{remedy}", error.message))
}
