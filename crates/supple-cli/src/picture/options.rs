//! Options of `supple picture`.

use std::path::PathBuf;

use clap::ValueEnum;
use supple_report::picture::View;

use super::film::FilmOptions;
use crate::options::{FileOutput, Format, Place, PoseOptions, SetOptions, among};

/// Options.
#[derive(clap::Args)]
pub struct Options {
    /// Results folder of a run; or, without a run, a model, robot (.urdf), standard input data or scenario (at its start). For a film a scenario is simulated.
    #[arg(value_name = "WHAT")]
    pub folder: PathBuf,
    #[command(flatten)]
    pub output: FileOutput,
    /// Kind of picture [default: by the ending of the file].
    #[arg(long, value_name = "FORMAT", value_parser = among(&[Format::Svg, Format::Png]))]
    pub format: Option<Format>,
    /// Width and height, e.g. 1200x800 [default: 1000x700; GIF: 640x448; plots: width 960, height 240 per unit of measure].
    #[arg(long, value_name = "SIZE", value_parser = parse_size, allow_hyphen_values = true)]
    pub size: Option<[f64; 2]>,
    /// Pixels of a PNG or film per unit of --size; 3 for print [default: 1].
    #[arg(long, value_name = "FACTOR", value_parser = parse_zoom, allow_hyphen_values = true)]
    pub zoom: Option<f64>,
    /// Dark theme.
    #[arg(long)]
    pub dark: bool,

    /// Plot over time: a plot of the report, e.g. energy, or columns, e.g. hinge.shoulder,energy.total.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = "Plots")]
    pub plot: Vec<String>,
    /// Title of the plot.
    #[arg(long, value_name = "TEXT", requires = "plot", help_heading = "Plots")]
    pub title: Option<String>,
    /// Start time of a plot, of --frames or of a film, s.
    #[arg(long, value_name = "TIME", value_parser = parse_number, allow_hyphen_values = true, help_heading = "Plots")]
    pub from: Option<f64>,
    /// End time of a plot, of --frames or of a film, s.
    #[arg(long, value_name = "TIME", value_parser = parse_number, allow_hyphen_values = true, help_heading = "Plots")]
    pub to: Option<f64>,

    /// Time of a frame, s; several are overlaid, earlier ones paler [default: the last].
    #[arg(long, value_name = "TIME", value_parser = parse_number, allow_hyphen_values = true, conflicts_with = "plot", help_heading = "Frames")]
    pub frame: Vec<f64>,
    /// Overlay N frames, equally spaced over the run or from --from to --to.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=200), conflicts_with_all = ["plot", "frame"], help_heading = "Frames")]
    pub frames: Option<u32>,
    /// Deformation scale factor.
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = parse_exaggeration, allow_hyphen_values = true, conflicts_with = "plot", help_heading = "Frames")]
    pub exaggeration: f64,
    /// View: oblique as in the report, isometric, or along an axis.
    #[arg(long, value_enum, default_value_t = ViewName::Page, conflicts_with_all = ["plot", "camera"], help_heading = "Frames")]
    pub view: ViewName,
    /// View angles in degrees: azimuth about the vertical (from x where z is up, from z where y is up) and elevation.
    #[arg(long, value_name = "AZIMUTH,ELEVATION", value_parser = parse_camera, allow_hyphen_values = true, conflicts_with = "plot", help_heading = "Frames")]
    pub camera: Option<View>,
    /// Quantity shown as colour on flexible bodies [default: deflection].
    #[arg(long, visible_alias = "color", value_enum, conflicts_with = "plot", help_heading = "Frames")]
    pub colour: Option<ColourBy>,
    /// Also draw the undeformed bodies, dashed.
    #[arg(long, conflicts_with = "plot", help_heading = "Frames")]
    pub ghost: bool,
    /// Also draw the paths of the outermost nodes.
    #[arg(long, conflicts_with = "plot", help_heading = "Frames")]
    pub paths: bool,
    /// Also draw the names of the bodies.
    #[arg(long, conflicts_with = "plot", help_heading = "Frames")]
    pub names: bool,
    /// Draw only the bodies: no text, axes, scale or legend.
    #[arg(long, conflicts_with = "plot", help_heading = "Frames")]
    pub bare: bool,
    /// Fit the view to the frames drawn, or to the whole motion, so that several pictures share one scale.
    #[arg(long, value_enum, default_value_t = Fit::Drawn, conflicts_with = "plot", help_heading = "Frames")]
    pub fit: Fit,

    #[command(flatten)]
    pub film: FilmOptions,
    #[command(flatten, next_help_heading = "Without a run")]
    pub pose: PoseOptions,
    #[command(flatten)]
    pub set: SetOptions,
}

/// A view by name.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ViewName {
    /// Oblique, as in the report.
    Page,
    /// Isometric.
    Iso,
    /// From the end of the x axis.
    X,
    /// Against the y axis, x to the right where z is up.
    Y,
    /// From the end of the z axis, x to the right.
    Z,
}

impl ViewName {
    /// The view.
    pub fn view(self) -> View {
        match self {
            Self::Page => View::Page,
            Self::Iso => View::Isometric,
            Self::X => View::X,
            Self::Y => View::Y,
            Self::Z => View::Z,
        }
    }
}

/// Quantity shown as colour.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ColourBy {
    /// Distance from the undeformed position.
    Deflection,
    /// Greatest normal strain of a section; for beams with a `section`.
    Strain,
    /// Curvature of the centre line.
    Curvature,
    /// Nothing: one colour.
    None,
}

/// What a picture is fitted to.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Fit {
    /// The frames drawn.
    Drawn,
    /// The whole motion.
    Motion,
}

impl Options {
    /// The kind of picture at a place: that asked for, or by the ending of the file.
    pub fn format(&self, place: Place<'_>) -> Result<Format, String> {
        let Place::File(path) = place else {
            return self.format.ok_or_else(|| "--format svg or --format png is needed on standard output".to_owned());
        };
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        match (self.format, ending.as_deref()) {
            (Some(format), _) => Ok(format),
            (None, Some("svg")) => Ok(Format::Svg),
            (None, Some("png")) => Ok(Format::Png),
            (None, Some("gif" | "mp4" | "webm")) => Err(format!("{0}: for a film use --film {0}", path.display())),
            _ => Err(format!(
                "{}: the names of pictures end in .svg or .png; convert SVG to PDF with another program",
                path.display()
            )),
        }
    }
}

pub(super) fn parse_number(text: &str) -> Result<f64, String> {
    let number: f64 = text.trim().parse().map_err(|_| "not a number".to_owned())?;
    if number.is_finite() { Ok(number) } else { Err("must be finite".to_owned()) }
}

fn parse_size(text: &str) -> Result<[f64; 2], String> {
    let wrong = || "expected width and height, e.g. 1200x800".to_owned();
    let (width, height) = text.split_once(['x', 'X', '×']).ok_or_else(wrong)?;
    let side = |text: &str| parse_number(text).ok().filter(|x| *x > 0.0).ok_or_else(wrong);
    let size = [side(width)?, side(height)?];
    if size.iter().all(|x| *x <= 20_000.0) {
        Ok(size)
    } else {
        Err("at most 20000 each; use --zoom for more pixels".to_owned())
    }
}

fn parse_zoom(text: &str) -> Result<f64, String> {
    let zoom = parse_number(text)?;
    if zoom > 0.0 && zoom <= 20.0 { Ok(zoom) } else { Err("must be above 0 and at most 20".to_owned()) }
}

fn parse_exaggeration(text: &str) -> Result<f64, String> {
    let factor = parse_number(text)?;
    if (0.0..=1e6).contains(&factor) { Ok(factor) } else { Err("must be from 0 (rigid) to 1e6".to_owned()) }
}

fn parse_camera(text: &str) -> Result<View, String> {
    let wrong = || "expected two angles in degrees, e.g. -60,30".to_owned();
    let (azimuth, elevation) = text.split_once(',').ok_or_else(wrong)?;
    let (azimuth, elevation) =
        (parse_number(azimuth).map_err(|_| wrong())?, parse_number(elevation).map_err(|_| wrong())?);
    if elevation.abs() <= 90.0 {
        Ok(View::Angles { azimuth, elevation })
    } else {
        Err("the elevation must be from -90 to 90 degrees".to_owned())
    }
}
