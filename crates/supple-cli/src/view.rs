//! `supple view`: the page over a local server, of a run that goes on or of one that has ended.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use supple_report::live::Source;
use supple_report::{Run, page};

use crate::formulation::Formulation;
use crate::output::{fail, fail_plain};
use crate::run::{self, LiveOptions};

/// What is asked.
#[derive(clap::Args)]
pub struct Options {
    /// A scenario, which is run and shown at the same time, or the folder of the results of a run.
    what: PathBuf,
    /// Port of the server on 127.0.0.1; 0 for any that is free.
    #[arg(long, value_name = "PORT", default_value_t = 8765)]
    port: u16,
    /// Simulated seconds per second of the clock at most; 0 for as fast as possible.
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = parse_speed, allow_hyphen_values = true)]
    speed: f64,
    /// Folder for the results of a scenario instead of its own.
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Replace results that are there.
    #[arg(long)]
    force: bool,
}

fn parse_speed(text: &str) -> Result<f64, String> {
    let speed: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if speed.is_finite() && speed >= 0.0 { Ok(speed) } else { Err("must be finite and not negative".to_owned()) }
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
        live: Some(LiveOptions { port: options.port, speed: Some(options.speed).filter(|speed| *speed > 0.0) }),
    })
}

fn recorded(folder: &Path, options: &Options) -> ExitCode {
    if options.output.is_some() || options.force {
        return fail(crate::output::UNSUPPORTED, "view", &"--output and --force are for scenarios: leave them out");
    }
    let run = match Run::read(folder) {
        Ok(run) => run,
        Err(error) => return fail_plain(1, &format!("supple: {error}")),
    };
    let flag = Arc::new(AtomicBool::new(false));
    let own = Arc::clone(&flag);
    // Where signals cannot be caught, they end the program all the same.
    let _ = ctrlc::set_handler(move || own.store(true, Ordering::SeqCst));
    match run::listen(options.port, Source::Page(page::of_run(&run).into())) {
        Ok(server) => {
            run::stay(&server, &flag);
            ExitCode::SUCCESS
        }
        Err(error) => fail_plain(1, &format!("supple: {error}")),
    }
}
