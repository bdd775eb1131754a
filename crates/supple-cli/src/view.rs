//! `supple view`: the report on a local server, live or of a finished run, and models without a run.

use crate::status::Status;
use std::path::{Path, PathBuf};

use supple_io::kind::{Kind, kind_of};
use supple_report::foxglove::Feed;
use supple_report::live::Source;
use supple_report::{Run, page};
use supple_run::{Existing, Interrupt};

use crate::options::{FolderOutput, PoseOptions, SetOptions};
use crate::output::{UNSUPPORTED, fail, fail_plain};
use crate::run::{self, LiveOptions, Printed};
use crate::signals;

/// Options.
#[derive(clap::Args)]
pub struct Options {
    /// A scenario to simulate and show live, the results folder of a run, or a model or robot to look at without a run.
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
    #[command(flatten)]
    pose: PoseOptions,
    #[command(flatten)]
    set: SetOptions,
    #[command(flatten)]
    output: FolderOutput,
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
        _ => Err("must be an origin with http:// or https://, e.g. https://lichtblick.example.org".to_owned()),
    }
}

/// Shows a run.
pub fn run(options: &Options) -> Status {
    if options.what.is_dir() {
        return recorded(&options.what, options);
    }
    if let Ok(Kind::Model | Kind::Robot | Kind::StandardInput) = kind_of(&options.what) {
        return posed(&options.what, options);
    }
    if let Some(option) = options.pose.given() {
        return fail(UNSUPPORTED, "view", &format!("{option} is for models and robots: leave it out"));
    }
    let asked = supple_run::Options {
        changes: options.set.all(),
        output: options.output.output(),
        existing: if options.output.force { Existing::Replace } else { Existing::Refuse },
        report: true,
        meshes: options.pose.meshes.folders(),
        ..supple_run::Options::default()
    };
    let live = LiveOptions {
        port: options.port,
        speed: options.speed(),
        foxglove: options.foxglove.then(|| options.origin.clone()),
    };
    run::follow(&options.what, asked, &Printed { quiet: false, json: false, live: Some(live) })
}

/// Shows what a file describes in a state, without a run.
fn posed(file: &Path, options: &Options) -> Status {
    if options.output.output.is_some() || options.output.force || options.foxglove {
        let told = "--output, --force and --foxglove are for scenarios and runs, and this is a model: leave them out";
        return fail(UNSUPPORTED, "view", &told);
    }
    match options.pose.read(file, &options.set, "view", true) {
        Ok(still) => serve(page::of_model(&still), None, options.port),
        Err(status) => status,
    }
}

fn recorded(folder: &Path, options: &Options) -> Status {
    if let Some(option) = options.pose.given() {
        return fail(UNSUPPORTED, "view", &format!("{option} is for models and robots: leave it out"));
    }
    if options.output.output.is_some() || options.output.force || !options.set.all().is_empty() {
        let told = "--set, --output and --force are for scenarios: leave them out";
        return fail(UNSUPPORTED, "view", &told);
    }
    let run = match Run::read(folder) {
        Ok(run) => run,
        Err(error) => return fail_plain(1, &format!("supple: {error}")),
    };
    let feed = options.foxglove.then(|| Feed::recorded(folder, &run, options.speed())).transpose();
    match feed {
        Ok(feed) => {
            let feed = feed.map(|feed| feed.with_origins(options.origin.clone()));
            serve(page::of_run(&run), feed, options.port)
        }
        Err(error) => fail_plain(1, &format!("supple: {error}")),
    }
}

/// Serves a page until Ctrl-C.
fn serve(page: String, feed: Option<Feed>, port: u16) -> Status {
    let interrupt = Interrupt::default();
    signals::end_with(&interrupt);
    match run::listen(port, Source::Page(page.into()), feed) {
        Ok(server) => {
            run::stay(&server, &interrupt);
            Status::SUCCESS
        }
        Err(error) => fail_plain(1, &format!("supple: {error}")),
    }
}
