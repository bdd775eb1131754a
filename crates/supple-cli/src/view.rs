//! `supple view`: the report on a local server, live or of a finished run.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use supple_report::foxglove::Feed;
use supple_report::live::Source;
use supple_report::{Run, page};

use crate::formulation::Formulation;
use crate::output::{fail, fail_plain};
use crate::run::{self, LiveOptions};

/// Options.
#[derive(clap::Args)]
pub struct Options {
    /// A scenario to simulate and show live, or the results folder of a run.
    what: PathBuf,
    /// Port of the server on 127.0.0.1; 0 for any free port.
    #[arg(long, value_name = "PORT", default_value_t = 8765)]
    port: u16,
    /// Maximum speed relative to real time; 0 for as fast as possible.
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = parse_speed, allow_hyphen_values = true)]
    speed: f64,
    /// Also accept Foxglove and Lichtblick, by their WebSocket protocol on the same port.
    #[arg(long)]
    foxglove: bool,
    /// Also accept web pages of this origin, e.g. your own Lichtblick; programs, pages of this machine and app.foxglove.dev are always accepted.
    #[arg(long, value_name = "URL", requires = "foxglove", value_parser = parse_origin)]
    origin: Vec<String>,
    /// Results folder, instead of the one given in the scenario.
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Overwrite existing results.
    #[arg(long)]
    force: bool,
}

impl Options {
    /// None for as fast as possible.
    fn speed(&self) -> Option<f64> {
        Some(self.speed).filter(|speed| *speed > 0.0)
    }
}

fn parse_speed(text: &str) -> Result<f64, String> {
    let speed: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if speed.is_finite() && speed >= 0.0 { Ok(speed) } else { Err("must be finite and not negative".to_owned()) }
}

/// A site as browsers name it: without path.
fn parse_origin(text: &str) -> Result<String, String> {
    let text = text.trim_end_matches('/');
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    match host {
        Some(host) if !host.is_empty() && !host.contains(['/', ' ', '*']) => Ok(text.to_owned()),
        _ => {
            Err("must be an origin with http:// or https://, e.g. https://lichtblick.example.org".to_owned())
        }
    }
}

/// Shows a run.
pub fn run(options: &Options) -> ExitCode {
    if options.what.is_dir() {
        return recorded(&options.what, options);
    }
    run::run(&run::Options {
        scenario: options.what.clone(),
        output: options.output.clone(),
        force: options.force,
        resume: false,
        quiet: false,
        json: false,
        plot: Vec::new(),
        formulation: Formulation::default(),
        no_report: false,
        live: Some(LiveOptions {
            port: options.port,
            speed: options.speed(),
            foxglove: options.foxglove.then(|| options.origin.clone()),
        }),
    })
}

fn recorded(folder: &Path, options: &Options) -> ExitCode {
    if options.output.is_some() || options.force {
        return fail(crate::output::UNSUPPORTED, "view", &"--output and --force apply to scenarios only; leave them out");
    }
    let run = match Run::read(folder) {
        Ok(run) => run,
        Err(error) => return fail_plain(1, &format!("supple: {error}")),
    };
    let flag = Arc::new(AtomicBool::new(false));
    let own = Arc::clone(&flag);
    // Where signals cannot be caught, they end the program all the same.
    let _ = ctrlc::set_handler(move || own.store(true, Ordering::SeqCst));
    let feed = options.foxglove.then(|| Feed::recorded(folder, &run, options.speed())).transpose();
    let feed = feed.map(|feed| feed.map(|feed| feed.with_origins(options.origin.clone())));
    let source = Source::Page(page::of_run(&run).into());
    match feed.map_err(|error| error.to_string()).and_then(|feed| run::listen(options.port, source, feed)) {
        Ok(server) => {
            run::stay(&server, &flag);
            ExitCode::SUCCESS
        }
        Err(error) => fail_plain(1, &format!("supple: {error}")),
    }
}
