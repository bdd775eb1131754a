//! `supple control`.

use std::io::{self, BufRead, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use supple_io::scenario_file::{self, Scenario};
use supple_run::Existing;
use supple_run::realtime::{self, Acknowledgement, Addresses, ControlSummary, Rehearsal};

use super::{CONTROL_PORT, PLANT_PORT, SAFE, SideOptions, parse_address, summary_text, times_text};
use crate::options::{FolderOutput, SetOptions};
use crate::output::fail_plain;
use crate::run;
use crate::signals;
use crate::status::Status;

/// Options.
#[derive(clap::Args)]
pub struct ControlOptions {
    /// Scenario file.
    scenario: PathBuf,
    /// Where to listen: a port of 127.0.0.1, or ADDRESS:PORT.
    #[arg(long, value_name = "ADDRESS", value_parser = parse_address, default_value_t = SocketAddr::from(([127, 0, 0, 1], CONTROL_PORT)))]
    listen: SocketAddr,
    /// The plant: a port of 127.0.0.1, or ADDRESS:PORT. What others send is not received.
    #[arg(long, value_name = "ADDRESS", value_parser = parse_address, default_value_t = SocketAddr::from(([127, 0, 0, 1], PLANT_PORT)))]
    plant: SocketAddr,
    /// How long the plant may take to answer, s.
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = parse_patience)]
    wait: f64,
    /// Run plant and controllers here in turns for so many cycles, as fast as they go, and print how long they take.
    #[arg(long, value_name = "CYCLES")]
    rehearse: Option<u64>,
    #[command(flatten)]
    set: SetOptions,
    #[command(flatten)]
    output: FolderOutput,
    #[command(flatten)]
    side: SideOptions,
}

fn parse_patience(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if (0.0..=1e6).contains(&seconds) { Ok(seconds) } else { Err("must be from 0 to 1e6".to_owned()) }
}

/// Runs controllers.
pub fn control(options: &ControlOptions) -> Status {
    let path = &options.scenario;
    let asked = supple_run::Options {
        changes: options.set.all(),
        output: options.output.output(),
        existing: if options.output.force { Existing::Replace } else { Existing::Refuse },
        ..supple_run::Options::default()
    };
    signals::end_with(&asked.interrupt);
    let key = match options.side.key() {
        Ok(key) => key,
        Err(error) => return fail_plain(1, &format!("supple: {error}")),
    };
    let scenario = match scenario_file::read_changed(path, &options.set.changes) {
        Ok(scenario) => scenario,
        Err(error) => return fail_plain(1, &error),
    };
    options.side.ask(options.listen);
    if let Some(cycles) = options.rehearse {
        return rehearse(&scenario, path, cycles);
    }
    let acknowledgement = Acknowledgement::default();
    listen_for_acknowledgements(acknowledgement.clone());
    let link = realtime::ControlOptions {
        addresses: Addresses { own: options.listen, peer: options.plant },
        key,
        injections: options.side.fault.clone(),
        patience: Duration::from_secs_f64(options.wait),
        acknowledgement,
    };
    match realtime::control(&scenario, path, (&asked, &link)) {
        Ok(summary) => print(&summary, options.side.quiet, asked.interrupt.is_set()),
        Err(error) => run::refused(path, &error),
    }
}

/// Prints how long the cycles of both sides take.
fn rehearse(scenario: &Scenario, path: &Path, cycles: u64) -> Status {
    let run = || {
        let mut rehearsal = Rehearsal::new(scenario)?;
        rehearsal.run(cycles)?;
        Ok(rehearsal.finish())
    };
    let times = match run() {
        Ok(times) => times,
        Err(error) => return run::refused(path, &error),
    };
    for (side, timing) in [("controller", &times.controller), ("plant", &times.plant)] {
        let (text, count) = (times_text(&timing.steps), timing.steps.count());
        let _ = writeln!(io::stdout(), "{side}: {count} cycles, {text}, {} overruns", timing.overruns);
    }
    for line in &times.lines {
        let _ = writeln!(io::stderr(), "supple: {line}");
    }
    if times.lines.is_empty() { Status::SUCCESS } else { Status::from(SAFE) }
}

/// Lines on standard input that say `acknowledge` leave the safe state.
fn listen_for_acknowledgements(acknowledgement: Acknowledgement) {
    // Where no thread can be had, or nobody writes, the safe state stays.
    let _ = thread::Builder::new().name("acknowledge".into()).spawn(move || {
        for line in io::stdin().lock().lines().map_while(Result::ok) {
            if line.trim() == "acknowledge" {
                acknowledgement.acknowledge();
            }
        }
    });
}

fn print(summary: &ControlSummary, quiet: bool, interrupted: bool) -> Status {
    for (time, line) in &summary.lines {
        let _ = writeln!(io::stderr(), "supple: {time:.6} s: {line}");
    }
    if !quiet {
        let mut out = io::stdout();
        let _ = writeln!(out, "controllers:");
        let _ = write!(out, "{}", summary_text("step", &summary.link));
        if !summary.watches_frozen {
            let _ = writeln!(out, "  positions are not watched for being frozen: not all hinges have drives");
        }
        if summary.rows_lost > 0 {
            let _ = writeln!(out, "  {} rows are missing in the log", summary.rows_lost);
        }
        if let Some(folder) = &summary.folder {
            let _ = writeln!(out, "log in {}: results.csv results.mcap", folder.display());
        }
    }
    match (interrupted, summary.link.is_safe, summary.has_ended) {
        (true, ..) => Status::from(run::INTERRUPTED),
        (_, true, _) => Status::from(SAFE),
        (_, _, true) => Status::SUCCESS,
        _ => fail_plain(1, &"supple: the plant is gone"),
    }
}
