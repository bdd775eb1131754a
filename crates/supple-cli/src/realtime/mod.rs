//! `supple plant` and `supple control`: plant and controllers as two programs.

mod control;
mod plant;

pub use control::{ControlOptions, control};
pub use plant::{PlantOptions, plant};

use std::fmt::Write;
use std::net::SocketAddr;
use std::path::PathBuf;

use supple_io::scenario_file::{self, Scenario};
use supple_run::realtime::{Histogram, Injection, Key, LinkSummary, Schedule};
use supple_run::{Existing, Options};

use crate::options::{FolderOutput, SetOptions};
use crate::output::fail_plain;
use crate::signals;
use crate::status::Status;

/// Status of a side that ended in its safe state.
const SAFE: u8 = 3;

/// Ports where nothing else is said.
const PLANT_PORT: u16 = 47_110;
const CONTROL_PORT: u16 = 47_111;

/// What both sides understand.
#[derive(clap::Args)]
struct SideOptions {
    /// Scenario file.
    scenario: PathBuf,
    #[command(flatten)]
    set: SetOptions,
    #[command(flatten)]
    output: FolderOutput,
    /// File with the shared key of both sides: 32 hexadecimal digits. Without it, checksums detect damage but not forgery.
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// Request the highest priority of ordinary programs.
    #[arg(long)]
    priority: bool,
    /// Lock the memory of the process, so that it is never swapped out.
    #[arg(long)]
    lock_memory: bool,
    /// Run on this core only.
    #[arg(long, value_name = "NUMBER")]
    core: Option<usize>,
    /// Inject a fault into the frames sent: drop=PROBABILITY, nan@SECONDS, replay@SECONDS or forge@SECONDS.
    #[arg(long, value_name = "FAULT")]
    fault: Vec<Injection>,
    /// Print only warnings and errors.
    #[arg(short, long)]
    quiet: bool,
}

/// What a side needs before it can begin.
struct Prepared {
    scenario: Scenario,
    asked: Options,
    key: Key,
}

impl SideOptions {
    /// Reads the files, lets signals end the run, and asks the system for what the options ask for.
    fn prepare(&self, listen: SocketAddr) -> Result<Prepared, Status> {
        let asked = Options {
            changes: self.set.all(),
            output: self.output.output(),
            existing: if self.output.force { Existing::Replace } else { Existing::Refuse },
            ..Options::default()
        };
        signals::end_with(&asked.interrupt);
        let key = self.key().map_err(|error| fail_plain(1, &format!("supple: {error}")))?;
        let scenario = scenario_file::read_changed(&self.scenario, &self.set.all());
        let scenario = scenario.map_err(|error| fail_plain(1, &error))?;
        self.ask(listen);
        Ok(Prepared { scenario, asked, key })
    }

    /// The key; zero where none is said.
    fn key(&self) -> Result<Key, String> {
        let Some(path) = &self.key else { return Ok(Key::default()) };
        let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let rule = "a key is 32 hexadecimal digits, e.g. from `openssl rand -hex 16`";
        Key::from_hex(&text).ok_or_else(|| format!("{}: not a key; {rule}", path.display()))
    }

    /// Asks the system, and says what it answers; and what to think of when others can reach this side.
    fn ask(&self, listen: SocketAddr) {
        if !listen.ip().is_loopback() && self.key.is_none() {
            let text = "other machines can reach this address, and there is no --key: frames of anyone who sends from the address of the peer are accepted";
            let _ = std::io::Write::write_fmt(&mut std::io::stderr(), format_args!("supple: warning: {text}\n"));
        }
        let schedule = Schedule { priority: self.priority, lock_memory: self.lock_memory, core: self.core };
        for line in schedule.ask() {
            let _ = std::io::Write::write_fmt(&mut std::io::stderr(), format_args!("supple: {line}\n"));
        }
    }
}

/// An address that no other machine can reach.
fn loopback(port: u16) -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], port))
}

/// An address: a port of this machine, or an address with a port.
fn parse_address(text: &str) -> Result<SocketAddr, String> {
    if let Ok(port) = text.parse::<u16>() {
        return Ok(loopback(port));
    }
    text.parse()
        .map_err(|_| "must be a port of this machine, e.g. 47110, or an address with one, e.g. 10.0.0.2:47110".into())
}

/// What there is to say of a link at its end.
fn summary_text(what: &str, link: &LinkSummary) -> String {
    let mut out = format!("  {} cycles, {} frames lost, {} overruns\n", link.cycles, link.lost, link.timing.overruns);
    for (name, times) in [(what, &link.timing.steps), ("jitter", &link.timing.jitter)] {
        if times.count() > 0 {
            let _ = writeln!(out, "  {name}: {}", times_text(times));
        }
    }
    if link.is_safe {
        out.push_str("  ended in the safe state\n");
    }
    out
}

fn times_text(times: &Histogram) -> String {
    let us = |nanoseconds: u64| nanoseconds as f64 / 1e3;
    let [median, rare] = [0.5, 0.9999].map(|part| us(times.percentile(part)));
    format!("median {median:.1} µs, 99.99 % below {rare:.1} µs, worst {:.1} µs", us(times.worst()))
}
