//! `supple control`.

use std::io::{self, BufRead, Write};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use supple_io::scenario_file::Scenario;
use supple_run::realtime::{self, Acknowledgement, Addresses, ControlSummary, Laws, Rehearsal};

use super::{CONTROL_PORT, PLANT_PORT, Prepared, SAFE, SideOptions, loopback, parse_address, summary_text, times_text};
use crate::output::fail_plain;
use crate::run;
use crate::status::Status;

/// Options.
#[derive(clap::Args)]
pub struct ControlOptions {
    /// Where to listen: a port of 127.0.0.1, or ADDRESS:PORT.
    #[arg(long, value_name = "ADDRESS", value_parser = parse_address, default_value_t = loopback(CONTROL_PORT))]
    listen: SocketAddr,
    /// Address of the plant: a port of 127.0.0.1, or ADDRESS:PORT. Frames of other senders are ignored.
    #[arg(long, value_name = "ADDRESS", value_parser = parse_address, default_value_t = loopback(PLANT_PORT))]
    plant: SocketAddr,
    /// Time to wait for the plant, s.
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = parse_patience)]
    wait: f64,
    /// Run this many cycles of plant and controllers in this process, as fast as possible, and print their times.
    #[arg(long, value_name = "CYCLES")]
    rehearse: Option<u64>,
    /// Run controllers and observers as generated code; with --rehearse, the steps of the plant too. Needs a C compiler.
    #[arg(long)]
    compiled: bool,
    #[command(flatten)]
    side: SideOptions,
}

fn parse_patience(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if (0.0..=1e6).contains(&seconds) { Ok(seconds) } else { Err("must be from 0 to 1e6".to_owned()) }
}

/// Runs controllers.
pub fn control(options: &ControlOptions) -> Status {
    let path = &options.side.scenario;
    let Prepared { scenario, asked, key } = match options.side.prepare(options.listen) {
        Ok(prepared) => prepared,
        Err(status) => return status,
    };
    let laws = if options.compiled { Laws::Compiled } else { Laws::Plain };
    if let Some(cycles) = options.rehearse {
        return rehearse(&scenario, path, (cycles, laws));
    }
    let acknowledgement = Acknowledgement::default();
    listen_for_acknowledgements(acknowledgement.clone());
    let (heard, lines) = channel();
    let printed = print_lines(lines);
    let link = realtime::ControlOptions {
        addresses: Addresses { own: options.listen, peer: options.plant },
        key,
        injections: options.side.fault.clone(),
        patience: Duration::from_secs_f64(options.wait),
        acknowledgement,
        laws,
        heard: Some(heard),
    };
    let done = realtime::control(&scenario, path, (&asked, &link));
    // The last line is printed before what comes next.
    drop(link);
    let _ = printed.map(JoinHandle::join);
    match done {
        Ok(summary) => print(&summary, options.side.quiet, asked.interrupt.is_set()),
        Err(error) => run::refused(path, &error),
    }
}

/// Prints how long the cycles of both sides take.
fn rehearse(scenario: &Scenario, path: &Path, (cycles, laws): (u64, Laws)) -> Status {
    let run = || {
        let mut rehearsal = Rehearsal::new(scenario, laws)?;
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

/// Prints lines of the log as they come: a terminal may be slow, the controller may not.
fn print_lines(lines: Receiver<(f64, String)>) -> Option<JoinHandle<()>> {
    let print = move || {
        for (time, line) in lines {
            let _ = writeln!(io::stderr(), "supple: {time:.6} s: {line}");
        }
    };
    // Where no thread can be had, the log has the lines.
    thread::Builder::new().name("lines".into()).spawn(print).ok()
}

fn print(summary: &ControlSummary, quiet: bool, interrupted: bool) -> Status {
    if !quiet {
        let mut out = io::stdout();
        let _ = writeln!(out, "controllers:");
        let _ = write!(out, "{}", summary_text("step", &summary.link));
        if !summary.watches_frozen {
            let _ = writeln!(out, "  frozen positions are not detected: not all hinges have drives");
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
