//! A mode of a system as a film.

use std::path::{Path, PathBuf};

use supple_io::results::plot::short;
use supple_linear::SystemModes;
use supple_report::film::{FilmKind, Filming, Pace};
use supple_report::picture::{FramePicture, Ghost, View};
use supple_report::{Motion, Origin, Recording};
use supple_run::Interrupt;

use super::page;
use crate::operating::Operating;
use crate::options::FileOutput;
use crate::picture::options::{ViewName, parse_camera, parse_number, parse_size, parse_zoom};
use crate::picture::{Refusal, film};
use crate::signals;
use crate::status::Status;

/// Seconds that a period takes, unless others are asked for; periods of a GIF, which is repeated by whatever shows it, and of other films.
const PERIOD: f64 = 2.0;
const PERIODS: [usize; 2] = [1, 3];
/// Damping ratios below this are rounding.
const ROUNDED: f64 = 5e-7;

/// A film of a mode.
#[derive(clap::Args)]
#[command(next_help_heading = "Films")]
pub struct ModeFilm {
    /// With --system: film of one mode: .gif, or with ffmpeg installed .mp4 or .webm.
    #[arg(long, value_name = "FILE", requires = "system", conflicts_with_all = ["output", "format", "json", "map"])]
    pub film: Option<PathBuf>,
    /// Number of the mode, as in the table.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "film", value_parser = clap::value_parser!(u32).range(1..))]
    mode: u32,
    /// Length of the film, s [default: 2 s for a period, one of a GIF, otherwise three].
    #[arg(long, value_name = "TIME", requires = "film", value_parser = parse_number, allow_hyphen_values = true)]
    seconds: Option<f64>,
    /// Frames per second [default: 20 of a GIF, otherwise 25].
    #[arg(long, value_name = "NUMBER", requires = "film", value_parser = parse_number, allow_hyphen_values = true)]
    fps: Option<f64>,
    /// Width and height [default: GIF: 640x448, otherwise 1000x700].
    #[arg(long, value_name = "SIZE", requires = "film", value_parser = parse_size, allow_hyphen_values = true)]
    size: Option<[f64; 2]>,
    /// Pixels per unit of --size [default: 1].
    #[arg(long, value_name = "FACTOR", requires = "film", value_parser = parse_zoom, allow_hyphen_values = true)]
    zoom: Option<f64>,
    /// View: oblique as in the report, isometric, or along an axis.
    #[arg(long, value_enum, default_value_t = ViewName::Page, requires = "film", conflicts_with = "camera")]
    view: ViewName,
    /// View angles in degrees: azimuth about the vertical (from x where z is up, from z where y is up) and elevation.
    #[arg(long, value_name = "AZIMUTH,ELEVATION", requires = "film", value_parser = parse_camera, allow_hyphen_values = true)]
    camera: Option<View>,
    /// Dark theme.
    #[arg(long, requires = "film")]
    dark: bool,
}

impl ModeFilm {
    /// Whether there can be such a film, before anything is computed.
    pub fn check(&self, place: &Path, output: &FileOutput) -> Result<(), Refusal> {
        film::kind(place, output).map(|_| ())
    }

    /// Makes the film of a mode about a state.
    pub fn write(
        &self,
        place: &Path,
        output: &FileOutput,
        (operating, at): (&Operating, &supple::State),
        found: &SystemModes,
    ) -> Result<Status, Refusal> {
        let (kind, existing) = film::kind(place, output)?;
        let interrupt = Interrupt::default();
        signals::end_with(&interrupt);
        let Operating { loaded, source, .. } = operating;
        let number = self.mode as usize;
        let Some(mode) = found.modes.get(number - 1) else {
            return Err(Refusal::Asked(match found.modes.len() {
                0 => "--film: nothing can move, so there are no modes; free hinges with --free".to_owned(),
                last => format!("--mode: there is no mode {number}; choose one from 1 to {last}"),
            }));
        };
        let scene = page::scene(source, loaded);
        let period = page::shape(mode).period(&scene, (&loaded.model, at));
        let period = period.map_err(|error| Refusal::Asked(error.to_string()))?;
        let periods = PERIODS[usize::from(kind != FilmKind::Gif)];
        let seconds = self.seconds.unwrap_or(PERIOD * periods as f64);
        let damping = if mode.damping_ratio.abs() < ROUNDED { 0.0 } else { 100.0 * mode.damping_ratio };
        let (hertz, all) = (short(mode.frequency), found.modes.len());
        let rest = page::at_rest(&scene, (&loaded.model, at)).map_err(|error| Refusal::Asked(error.to_string()))?;
        let recording = Recording::new(scene, repeated(&period, periods), Origin::default());
        // A GIF that is repeated has its first frame but once.
        let frame = if kind == FilmKind::Gif { 1.0 / self.fps.unwrap_or(kind.usual_rate()) } else { 0.0 };
        let asked = Filming {
            picture: FramePicture {
                size: self.size.unwrap_or(kind.usual_size()),
                view: self.camera.unwrap_or(self.view.view()),
                dark: self.dark,
                ghost: Ghost::Rest(rest),
                ..FramePicture::default()
            },
            zoom: self.zoom.unwrap_or(1.0),
            from: None,
            to: (frame > 0.0 && frame < seconds).then(|| periods as f64 * (1.0 - frame / seconds)),
            pace: Pace::Seconds(if frame < seconds { seconds - frame } else { seconds }),
            rate: self.fps,
            mode: Some(format!("mode {number} of {all}, {hertz} Hz, damping {} %", short(damping))),
        };
        film::shot(&recording, &asked, (place, existing), &interrupt)
    }
}

/// A period again and again.
fn repeated(period: &Motion, times: usize) -> Motion {
    let length = period.frames.0.len() / period.len().max(1);
    let mut out = period.clone();
    for k in 1..times {
        // The first frame is the last one of the period before.
        out.times.0.extend(period.times.0.iter().skip(1).map(|time| time + k as f64));
        out.frames.0.extend(&period.frames.0[length..]);
    }
    out
}
