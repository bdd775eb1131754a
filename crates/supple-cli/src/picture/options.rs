//! What can be asked of `supple picture`.

use std::path::PathBuf;

use clap::ValueEnum;
use supple_report::picture::View;

use crate::options::{FileOutput, Format, Place, among};

/// What is asked.
#[derive(clap::Args)]
pub struct Options {
    /// Folder of the results of a run.
    pub folder: PathBuf,
    #[command(flatten)]
    pub output: FileOutput,
    /// Kind of picture [default: by the ending of the file].
    #[arg(long, value_name = "FORMAT", value_parser = among(&[Format::Svg, Format::Png]))]
    pub format: Option<Format>,
    /// Width and height, such as 1200x800 [default: 1000x700, plots 960 and 240 per unit].
    #[arg(long, value_name = "SIZE", value_parser = parse_size, allow_hyphen_values = true)]
    pub size: Option<[f64; 2]>,
    /// Pixels of a PNG per unit of --size; 3 for print [default: 1].
    #[arg(long, value_name = "FACTOR", value_parser = parse_zoom, allow_hyphen_values = true)]
    pub zoom: Option<f64>,
    /// Light on dark.
    #[arg(long)]
    pub dark: bool,

    /// Draw columns against time: a plot of the page, such as energy, or columns, such as hinge.shoulder,energy.total.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = "Plots")]
    pub plot: Vec<String>,
    /// What stands above the plot.
    #[arg(long, value_name = "TEXT", requires = "plot", help_heading = "Plots")]
    pub title: Option<String>,
    /// First time of a plot or of --frames, s.
    #[arg(long, value_name = "TIME", value_parser = parse_number, allow_hyphen_values = true, help_heading = "Plots")]
    pub from: Option<f64>,
    /// Last time of a plot or of --frames, s.
    #[arg(long, value_name = "TIME", value_parser = parse_number, allow_hyphen_values = true, help_heading = "Plots")]
    pub to: Option<f64>,

    /// Time of a frame, s; several are drawn over each other, the earlier ones paler [default: the last].
    #[arg(long, value_name = "TIME", value_parser = parse_number, allow_hyphen_values = true, conflicts_with = "plot", help_heading = "Frames")]
    pub frame: Vec<f64>,
    /// As many frames, evenly over the run or from --from to --to.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=200), conflicts_with_all = ["plot", "frame"], help_heading = "Frames")]
    pub frames: Option<u32>,
    /// How many times as large as it is the deformation is drawn.
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = parse_exaggeration, allow_hyphen_values = true, conflicts_with = "plot", help_heading = "Frames")]
    pub exaggeration: f64,
    /// From where: obliquely as the page, all axes alike, or along an axis.
    #[arg(long, value_enum, default_value_t = ViewName::Page, conflicts_with_all = ["plot", "camera"], help_heading = "Frames")]
    pub view: ViewName,
    /// From where, in degrees: about the vertical (from x where z is up, from z where y is up), above the horizontal plane.
    #[arg(long, value_name = "AZIMUTH,ELEVATION", value_parser = parse_camera, allow_hyphen_values = true, conflicts_with = "plot", help_heading = "Frames")]
    pub camera: Option<View>,
    /// What colours tell of flexible bodies [default: deflection].
    #[arg(long, visible_alias = "color", value_enum, conflicts_with = "plot", help_heading = "Frames")]
    pub colour: Option<ColourBy>,
    /// Also the same hinge motion without deformation, dashed.
    #[arg(long, conflicts_with = "plot", help_heading = "Frames")]
    pub ghost: bool,
    /// Also the paths of the outermost nodes.
    #[arg(long, conflicts_with = "plot", help_heading = "Frames")]
    pub paths: bool,
    /// Also the names of the bodies.
    #[arg(long, conflicts_with = "plot", help_heading = "Frames")]
    pub names: bool,
    /// Nothing but the system: no words, axes, scale or legend.
    #[arg(long, conflicts_with = "plot", help_heading = "Frames")]
    pub bare: bool,
    /// What fills the picture: what is drawn, or the whole motion, so that several pictures have one scale.
    #[arg(long, value_enum, default_value_t = Fit::Drawn, conflicts_with = "plot", help_heading = "Frames")]
    pub fit: Fit,
}

/// A view by name.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ViewName {
    /// Obliquely, as the page begins.
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

/// What colours tell.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ColourBy {
    /// How far a place is from where it would be undeformed.
    Deflection,
    /// The greatest normal strain of a section; of beams whose section the model tells.
    Strain,
    /// Curvature of the centre line.
    Curvature,
    /// Nothing: one colour.
    None,
}

/// What fills a picture.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Fit {
    /// What is drawn.
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
            _ => Err(format!("{}: pictures end in .svg or .png; PDF is made of SVG by other programs", path.display())),
        }
    }
}

fn parse_number(text: &str) -> Result<f64, String> {
    let number: f64 = text.trim().parse().map_err(|_| "not a number".to_owned())?;
    if number.is_finite() { Ok(number) } else { Err("must be finite".to_owned()) }
}

fn parse_size(text: &str) -> Result<[f64; 2], String> {
    let wrong = || "not a width and a height such as 1200x800".to_owned();
    let (width, height) = text.split_once(['x', 'X', '×']).ok_or_else(wrong)?;
    let side = |text: &str| parse_number(text).ok().filter(|x| *x > 0.0).ok_or_else(wrong);
    let size = [side(width)?, side(height)?];
    if size.iter().all(|x| *x <= 20_000.0) {
        Ok(size)
    } else {
        Err("at most 20000 each; --zoom makes more pixels".to_owned())
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
    let wrong = || "not two angles in degrees such as -60,30".to_owned();
    let (azimuth, elevation) = text.split_once(',').ok_or_else(wrong)?;
    let (azimuth, elevation) =
        (parse_number(azimuth).map_err(|_| wrong())?, parse_number(elevation).map_err(|_| wrong())?);
    if elevation.abs() <= 90.0 {
        Ok(View::Angles { azimuth, elevation })
    } else {
        Err("the elevation must be from -90 to 90 degrees".to_owned())
    }
}
