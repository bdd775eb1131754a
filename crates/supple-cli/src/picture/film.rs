//! `supple picture --film`: a run as GIF, MP4 or WebM.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use supple_io::results::{Existing, ResultsError};
use supple_io::scenario_file;
use supple_report::film::{self, FilmError, FilmKind, Filming, Pace};
use supple_report::motion::FrameStore;
use supple_report::picture::PictureError;
use supple_report::{Origin, Recording, Scene};
use supple_run::{Interrupt, Observer, Outcome, Output, Progress, Row, Run, Warning};

use super::{Options, Refusal, look, refused};
use crate::options::FileOutput;
use crate::output::{fail, fail_plain, print};
use crate::picture::options::parse_number;
use crate::run::{self, INTERRUPTED, ProgressLine, clock};
use crate::signals;
use crate::status::Status;

/// How often the line changes.
const PERIOD: Duration = Duration::from_millis(200);
const BAR: usize = 24;

/// A film in place of a picture.
#[derive(clap::Args)]
#[command(next_help_heading = "Films")]
pub struct FilmOptions {
    /// Film of the motion: .gif, or with ffmpeg installed .mp4 or .webm.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["output", "format", "plot", "frame", "frames"])]
    pub film: Option<PathBuf>,
    /// Frames per second [default: 20 for GIF, otherwise 25].
    #[arg(long, value_name = "NUMBER", value_parser = parse_number, allow_hyphen_values = true)]
    fps: Option<f64>,
    /// Length of the film, s [default: real time, but at least 3 and at most 30 s].
    #[arg(long, value_name = "TIME", value_parser = parse_number, allow_hyphen_values = true, conflicts_with = "speed")]
    seconds: Option<f64>,
    /// Speed relative to real time.
    #[arg(long, value_name = "FACTOR", value_parser = parse_number, allow_hyphen_values = true)]
    speed: Option<f64>,
}

impl FilmOptions {
    /// Whether something is said about a film without asking for one.
    pub fn is_idle(&self) -> bool {
        self.film.is_none() && (self.fps.is_some() || self.seconds.is_some() || self.speed.is_some())
    }
}

/// Makes a film.
pub fn written(options: &Options, place: &Path) -> Result<Status, Refusal> {
    let interrupt = Interrupt::default();
    signals::end_with(&interrupt);
    let (kind, existing) = kind(place, &options.output)?;
    let source = &options.folder;
    let recording = if source.is_file() { simulated(source, &interrupt)? } else { Recording::read(source)? };
    let FilmOptions { fps, seconds, speed, .. } = options.film;
    let asked = Filming {
        picture: look(options, &recording, options.size.unwrap_or(kind.usual_size())),
        zoom: options.zoom.unwrap_or(1.0),
        from: options.from,
        to: options.to,
        pace: match (seconds, speed) {
            (Some(seconds), _) => Pace::Seconds(seconds),
            (None, Some(speed)) => Pace::Speed(speed),
            (None, None) => Pace::Fitting,
        },
        rate: fps,
        mode: None,
    };
    shot(&recording, &asked, (place, existing), &interrupt)
}

/// Draws and writes the frames of a film.
pub(crate) fn shot(
    recording: &Recording,
    asked: &Filming,
    (place, existing): (&Path, Existing),
    interrupt: &Interrupt,
) -> Result<Status, Refusal> {
    let mut line = FilmLine::new();
    let result = film::write(recording, asked, (place, existing), &mut |done, all| {
        line.show(done, all);
        !interrupt.is_set()
    });
    line.clear();
    match result {
        Ok(()) => Ok(print(|out| writeln!(out, "{}", place.display()))),
        Err(error) => Err(told(error, place)),
    }
}

/// What a film is to be, by the ending of its file, before anything is computed.
pub(crate) fn kind(place: &Path, output: &FileOutput) -> Result<(FilmKind, Existing), Refusal> {
    let kind = FilmKind::of(place).map_err(|error| Refusal::Asked(error.to_string()))?;
    let existing = if output.force { Existing::Replace } else { Existing::Refuse };
    if existing == Existing::Refuse && place.exists() {
        return Err(occupied(place));
    }
    Ok((kind, existing))
}

fn occupied(place: &Path) -> Refusal {
    Refusal::Told(fail(1, &place.display().to_string(), &"the file already exists; use --force to overwrite it"))
}

/// By which option there would be a film.
fn told(error: FilmError, place: &Path) -> Refusal {
    match error {
        FilmError::Picture(error @ PictureError::Outside { .. }) => Refusal::Asked(format!("--from, --to: {error}")),
        FilmError::Picture(error @ PictureError::TooLarge { .. }) => Refusal::Asked(format!("--size, --zoom: {error}")),
        FilmError::Picture(error) => refused(error),
        FilmError::Results(ResultsError::Exists { .. }) => occupied(place),
        FilmError::Results(error) => Refusal::File(error.to_string()),
        FilmError::Rate { .. } => Refusal::Asked(format!("--fps: {error}")),
        FilmError::Length { .. } => Refusal::Asked(format!("--seconds, --speed: {error}")),
        FilmError::Backwards { .. } => Refusal::Asked(format!("--from, --to: {error}")),
        FilmError::TooLarge { .. } => Refusal::Asked(format!("--size, --zoom: {error}")),
        FilmError::NoProgram | FilmError::Program { .. } => {
            Refusal::Told(fail(1, &place.display().to_string(), &error))
        }
        FilmError::Interrupted => Refusal::Told(fail_plain(INTERRUPTED, &format!("supple: {error}"))),
        error => Refusal::Asked(error.to_string()),
    }
}

/// The motion of a scenario, simulated without a file.
fn simulated(path: &Path, interrupt: &Interrupt) -> Result<Recording, Refusal> {
    let scenario = scenario_file::read(path).map_err(|error| Refusal::Told(fail_plain(1, &error)))?;
    let asked = supple_run::Options {
        output: Output::Observer,
        report: true,
        keep_rows: false,
        interrupt: interrupt.clone(),
        ..supple_run::Options::default()
    };
    let run = Run::new(&scenario, path, &asked).map_err(|error| Refusal::Told(run::refused(path, &error)))?;
    let line = ProgressLine::new(run.state().time, scenario.duration, false);
    let mut watch = Camera { line, seen: None };
    let results = run.go(&mut watch);
    let refuse = |what: &str| Err(Refusal::Told(fail(1, &path.display().to_string(), &what)));
    match (results.outcome(), watch.seen) {
        (Outcome::Interrupted, _) => Err(told(FilmError::Interrupted, path)),
        (Outcome::Failed(reason), _) => refuse(&format!("the run ended early: {reason}")),
        (_, Some((scene, origin, store))) => Ok(Recording::new(scene, store.motion().clone(), origin)),
        (_, None) => refuse("nothing was recorded"),
    }
}

/// Keeps the frames of a run.
struct Camera {
    line: ProgressLine,
    seen: Option<(Scene, Origin, FrameStore)>,
}

impl Observer for Camera {
    fn begin(&mut self, run: &Run<'_>) {
        self.seen = run.scene().map(|(scene, origin)| (scene.clone(), origin.clone(), FrameStore::new(scene)));
    }

    fn progress(&mut self, progress: Progress) {
        self.line.show(progress.time);
    }

    fn row(&mut self, row: Row<'_>) {
        if let (Some((_, _, store)), Some(time)) = (&mut self.seen, row.values.first()) {
            store.take(*time, row.frame);
        }
    }

    fn warning(&mut self, warning: &Warning) {
        self.line.tell(&format!("supple: warning: {}", warning.text));
    }

    fn finished(&mut self, _: &supple_run::Summary) {
        self.line.clear();
    }
}

/// A line on the terminal while frames are drawn; nothing where nobody looks.
struct FilmLine {
    shown: bool,
    start: Instant,
    last: Instant,
}

impl FilmLine {
    fn new() -> Self {
        let now = Instant::now();
        Self { shown: io::stderr().is_terminal(), start: now, last: now }
    }

    fn show(&mut self, done: usize, all: usize) {
        if !self.shown || self.last.elapsed() < PERIOD {
            return;
        }
        self.last = Instant::now();
        // If nobody listens, the film is made all the same.
        let _ = write!(io::stderr(), "\r{}\x1b[K", line(done, all, self.start.elapsed()));
        let _ = io::stderr().flush();
    }

    fn clear(&self) {
        if self.shown {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

fn line(done: usize, all: usize, elapsed: Duration) -> String {
    let full = BAR * done / all.max(1);
    let left = if done > 0 {
        format!("{} left", clock(elapsed.as_secs_f64() * (all - done) as f64 / done as f64))
    } else {
        "starting".to_owned()
    };
    format!("[{}{}] frame {done} of {all}, {left}", "#".repeat(full), ".".repeat(BAR - full))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        assert_eq!(line(150, 600, Duration::from_secs(10)), "[######..................] frame 150 of 600, 0:30 left");
        assert_eq!(line(0, 600, Duration::ZERO), "[........................] frame 0 of 600, starting");
    }
}
