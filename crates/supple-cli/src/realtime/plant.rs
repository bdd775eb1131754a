//! `supple plant`.

use std::io::{self, Write};
use std::net::SocketAddr;

use supple_run::realtime::{self, Addresses, Laws, Pace};
use supple_run::{Observer, Outcome, Progress, Row, Run, Summary, Warning};

use super::{CONTROL_PORT, PLANT_PORT, Prepared, SAFE, SideOptions, loopback, parse_address, summary_text};
use crate::output::fail;
use crate::run::{self, Live, LiveOptions, Printed, ProgressLine, Watch};
use crate::status::Status;

/// Options.
#[derive(clap::Args)]
pub struct PlantOptions {
    /// Where to listen: a port of 127.0.0.1, or ADDRESS:PORT.
    #[arg(long, value_name = "ADDRESS", value_parser = parse_address, default_value_t = loopback(PLANT_PORT))]
    listen: SocketAddr,
    /// Address of the controller: a port of 127.0.0.1, or ADDRESS:PORT. Frames of other senders are ignored.
    #[arg(long, value_name = "ADDRESS", value_parser = parse_address, default_value_t = loopback(CONTROL_PORT))]
    controller: SocketAddr,
    /// Simulated seconds per second of real time.
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = parse_speed, conflicts_with = "lock_step")]
    speed: f64,
    /// Wait for the command of each cycle, which acts at once: every run gives the same bytes, those of `supple run`.
    #[arg(long)]
    lock_step: bool,
    /// Take the integration steps as generated code. Needs a C compiler.
    #[arg(long)]
    compiled: bool,
    /// Show the run in a browser while it goes on.
    #[arg(long)]
    view: bool,
    /// Port of that page on 127.0.0.1; 0 for any free port.
    #[arg(long, value_name = "PORT", default_value_t = 8765, requires = "view")]
    port: u16,
    #[command(flatten)]
    side: SideOptions,
}

fn parse_speed(text: &str) -> Result<f64, String> {
    let speed: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if speed.is_finite() && speed > 0.0 { Ok(speed) } else { Err("must be finite and above zero".to_owned()) }
}

/// Runs a plant.
pub fn plant(options: &PlantOptions) -> Status {
    let path = &options.side.scenario;
    let Prepared { scenario, asked, key } = match options.side.prepare(options.listen) {
        Ok(prepared) => prepared,
        Err(status) => return status,
    };
    let asked = supple_run::Options { keep_rows: false, report: true, ..asked };
    let link = realtime::PlantOptions {
        addresses: Addresses { own: options.listen, peer: options.controller },
        pace: if options.lock_step { Pace::LockStep } else { Pace::Clock(options.speed) },
        key,
        laws: if options.compiled { Laws::Compiled } else { Laws::Plain },
        injections: options.side.fault.clone(),
        waiting: if options.side.quiet { |_| {} } else { tell_waiting },
    };
    let progress = ProgressLine::new(scenario.initial.time, scenario.duration, options.side.quiet);
    let view = options.view.then_some(LiveOptions { port: options.port, speed: None, foxglove: None });
    let interrupt = asked.interrupt.clone();
    let mut watch = PlantWatch { view, watch: Watch { progress, live: None, interrupt: interrupt.clone() } };
    let done = realtime::plant(&scenario, path, (&asked, &link), &mut watch);
    let (results, link) = match done {
        Ok(done) => done,
        Err(error) => return run::refused(path, &error),
    };
    run::print(&Printed { quiet: options.side.quiet, json: false, live: None }, &results);
    if !options.side.quiet {
        let _ = write!(io::stdout(), "{}", summary_text("step", &link));
    }
    if let Some(live) = watch.watch.live {
        live.end(results.summary(), &interrupt);
    }
    match results.outcome() {
        Outcome::Finished | Outcome::Stopped(_) if link.is_safe => Status::from(SAFE),
        Outcome::Finished | Outcome::Stopped(_) => Status::SUCCESS,
        Outcome::Interrupted => Status::from(run::INTERRUPTED),
        Outcome::Failed(reason) => fail(1, &path.display().to_string(), reason),
        _ => Status::FAILURE,
    }
}

/// Sees what the terminal and the browser see, and starts the server for the latter.
struct PlantWatch {
    view: Option<LiveOptions>,
    watch: Watch,
}

impl Observer for PlantWatch {
    fn begin(&mut self, run: &Run<'_>) {
        if let (Some(told), Some((scene, origin))) = (&self.view, run.scene()) {
            match Live::start(told, scene, origin, run.summary()) {
                Ok(live) => self.watch.live = Some(live),
                // The arm does not wait for those who look.
                Err(error) => self.watch.progress.tell(&format!("supple: {error}")),
            }
        }
    }

    fn progress(&mut self, progress: Progress) {
        self.watch.progress(progress);
    }

    fn row(&mut self, row: Row<'_>) {
        self.watch.row(row);
    }

    fn warning(&mut self, warning: &Warning) {
        self.watch.warning(warning);
    }

    fn finished(&mut self, summary: &Summary) {
        self.watch.finished(summary);
    }
}

/// Says where the plant is and whom it waits for.
fn tell_waiting(Addresses { own, peer }: Addresses) {
    let _ = writeln!(io::stderr(), "supple: plant at {own}, waiting for `supple control` at {peer}");
}
