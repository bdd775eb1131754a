//! `supple picture`: frames, plots and films of a run, and models without a run.

pub(crate) mod film;
pub(crate) mod options;
mod still;

use crate::status::Status;
use std::io::{self, Write};

use supple_io::drawing::Drawing;
use supple_io::results::Column;
use supple_io::results::plot::{self, PlotLook};
use supple_io::source::nearest;
use supple_report::picture::{self, FramePicture, Ghost, PictureError, Plot, Quantity};
use supple_report::{Recording, ReportError, Run};

pub use options::Options;
use options::{ColourBy, Fit};

use crate::options::{Format, Place};
use crate::output::{UNSUPPORTED, fail, fail_plain, print};

/// Deflections of a pose up to this one are rounding, m.
const ROUNDING: f64 = 1e-12;
/// Columns that a message lists.
const MOST_LISTED: usize = 24;

/// What keeps a picture from being drawn.
pub(crate) enum Refusal {
    /// Something asked for on the command line.
    Asked(String),
    /// A file.
    File(String),
    /// It is said already.
    Told(Status),
}

impl From<ReportError> for Refusal {
    fn from(error: ReportError) -> Self {
        Self::File(error.to_string())
    }
}

impl Refusal {
    /// Says it on standard error, for a command.
    pub(crate) fn tell(self, command: &str) -> Status {
        match self {
            Self::Asked(error) => fail(UNSUPPORTED, command, &error),
            Self::File(error) => fail_plain(1, &format!("supple: {error}")),
            Self::Told(status) => status,
        }
    }
}

/// Draws a picture.
pub fn run(options: &Options) -> Status {
    made(options).unwrap_or_else(|refusal| refusal.tell("picture"))
}

fn made(options: &Options) -> Result<Status, Refusal> {
    if let Some(place) = &options.film.film {
        return film::written(options, place);
    }
    if options.film.is_idle() {
        return Err(Refusal::Asked("--fps, --seconds and --speed apply to --film only; leave them out".to_owned()));
    }
    if options.folder.is_file() {
        return still::draw(options);
    }
    if let Some(option) = options.pose.given().or((!options.set.all().is_empty()).then_some("--set")) {
        return Err(Refusal::Asked(format!("{option} is for models, robots and scenarios: leave it out")));
    }
    let run = Run::read(&options.folder)?;
    let all = run.all_columns(&options.folder)?;
    let plots = picture::plots(&all, &run.recording);
    let Some(place) = options.output.place() else {
        return Ok(print(|out| write_list(out, &run, &plots)));
    };
    // Before anything is drawn, what the file is to be.
    let format = options.format(place).map_err(Refusal::Asked)?;
    finish(options, (place, format), || match &options.plot[..] {
        [] => frames(options, &run),
        asked => columns(options, &run, (&all, &plots), asked),
    })
}

/// Draws and writes a picture.
fn finish(
    options: &Options,
    (place, format): (Place<'_>, Format),
    draw: impl FnOnce() -> Result<Drawing, Refusal>,
) -> Result<Status, Refusal> {
    if options.zoom.is_some() && format != Format::Png {
        return Err(Refusal::Asked("--zoom applies to PNG only; leave it out".to_owned()));
    }
    let drawing = draw()?;
    let bytes = match format {
        Format::Png => picture::png(&drawing, options.zoom.unwrap_or(1.0))
            .map_err(|error| Refusal::Asked(format!("--size, --zoom: {error}")))?,
        _ => drawing.svg().into_bytes(),
    };
    Ok(match (options.output.write(place, &bytes, 1), place) {
        (Err(status), _) => status,
        (Ok(()), Place::File(path)) => print(|out| writeln!(out, "{}", path.display())),
        (Ok(()), Place::StandardOutput) => Status::SUCCESS,
    })
}

fn frames(options: &Options, run: &Run) -> Result<Drawing, Refusal> {
    let size = options.size.unwrap_or(FramePicture::default().size);
    let asked = FramePicture { times: times(options, run)?, ..look(options, &run.recording, size) };
    picture::frame(&run.recording, &asked).map_err(refused)
}

/// How frames look, whenever they are.
fn look(options: &Options, recording: &Recording, size: [f64; 2]) -> FramePicture {
    FramePicture {
        times: Vec::new(),
        exaggeration: options.exaggeration,
        size,
        view: options.camera.unwrap_or(options.view.view()),
        colours: match options.colour {
            None => bent(options, recording).then_some(Quantity::Deflection),
            Some(ColourBy::None) => None,
            Some(ColourBy::Deflection) => Some(Quantity::Deflection),
            Some(ColourBy::Strain) => Some(Quantity::Strain),
            Some(ColourBy::Curvature) => Some(Quantity::Curvature),
        },
        ghost: ghost(options, recording),
        paths: options.paths,
        names: options.names,
        bare: options.bare,
        dark: options.dark,
        whole_motion: options.fit == Fit::Motion,
        still: options.folder.is_file() && options.film.film.is_none(),
    }
}

/// Undeformed bodies behind, where they are asked for, or where a single frame or a film exaggerates the deformation.
fn ghost(options: &Options, recording: &Recording) -> Ghost {
    let flexible = recording.scene.bodies.iter().any(|body| body.modes > 0);
    let several = options.frame.len() > 1 || options.frames.is_some_and(|frames| frames > 1);
    let needed = options.exaggeration > 1.0 && flexible && !several && !options.bare;
    if options.ghost || needed { Ghost::Undeformed } else { Ghost::None }
}

/// By which option a picture could not be drawn.
fn refused(error: PictureError) -> Refusal {
    use PictureError::{Outside, TooSmall, Without};
    let option = match error {
        Outside { .. } => "--frame: ",
        TooSmall { .. } => "--size: ",
        Without { .. } => "--colour: ",
        _ => "",
    };
    Refusal::Asked(format!("{option}{error}"))
}

/// Whether there is a deflection to colour: that of a run, but of a pose only where it is bent.
fn bent(options: &Options, recording: &Recording) -> bool {
    let most = Quantity::Deflection.greatest(&recording.scene, &recording.motion);
    most.is_some_and(|most| !options.folder.is_file() || most > ROUNDING)
}

/// The times that are drawn: those asked for, or some evenly over the motion.
fn times(options: &Options, run: &Run) -> Result<Vec<f64>, Refusal> {
    if options.frames.is_none() && (options.from.is_some() || options.to.is_some()) {
        return Err(Refusal::Asked("--from and --to apply to --plot and --frames only; leave them out".to_owned()));
    }
    let (Some(count), Some([start, end])) = (options.frames, run.recording.motion.span()) else {
        return Ok(options.frame.clone());
    };
    let (from, to) = (options.from.unwrap_or(start), options.to.unwrap_or(end));
    // Whether the motion has these times is judged frame by frame.
    if !(from <= to && from <= end && to >= start) {
        let told = format!("--from {from} --to {to}: the motion is from {start} to {end} s");
        return Err(Refusal::Asked(told));
    }
    let time = |i: u32| if count > 1 { from + (to - from) * f64::from(i) / f64::from(count - 1) } else { to };
    Ok((0..count).map(time).collect())
}

fn columns(
    options: &Options,
    run: &Run,
    (all, plots): (&[Column], &[Plot]),
    asked: &[String],
) -> Result<Drawing, Refusal> {
    let chosen = picture::chosen(all, plots, asked).map_err(|name| Refusal::Asked(unknown(&name, all, plots)))?;
    let window = [options.from.unwrap_or(f64::NEG_INFINITY), options.to.unwrap_or(f64::INFINITY)];
    let series = picture::series(&options.folder, &run.recording, &chosen, window)?;
    if series.iter().all(|series| series.points.is_empty()) {
        let [start, end] = [run.summary.start_time, run.summary.end_time];
        return Err(Refusal::Asked(format!(
            "--from, --to: there is nothing to draw: the run is from {start} to {end} s"
        )));
    }
    let least = plot::smallest(&series);
    if let Some([width, height]) = options.size
        && (width < least[0] || height < least[1])
    {
        let told =
            format!("--size: {width} by {height} is too small for this plot: at least {} by {}", least[0], least[1]);
        return Err(Refusal::Asked(told));
    }
    let title = options.title.as_deref().unwrap_or(&chosen.title);
    Ok(plot::drawing(title, &series, &PlotLook { size: options.size, dark: options.dark }))
}

fn unknown(name: &str, columns: &[Column], plots: &[Plot]) -> String {
    let names: Vec<&str> = plots.iter().map(|plot| plot.name.as_str()).collect();
    let known = names.iter().copied().chain(columns.iter().map(|column| column.name.as_str()));
    let meant = nearest(name, known).map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
    let more = if names.len() > MOST_LISTED { ", …" } else { "" };
    let listed = names[..names.len().min(MOST_LISTED)].join(", ");
    format!(
        "--plot: there is no plot and no column `{name}`; {meant}the plots are: {listed}{more}; run without -o to list all columns"
    )
}

/// What can be drawn of a run.
fn write_list(out: &mut dyn Write, run: &Run, plots: &[Plot]) -> io::Result<()> {
    match run.recording.motion.span() {
        Some([start, end]) => writeln!(out, "frames from {start} to {end} s")?,
        None => writeln!(out, "no frames")?,
    }
    writeln!(out, "plots:")?;
    for plot in plots {
        writeln!(out, "  {:<20} {}", plot.name, plot.title)?;
        plot.columns.iter().try_for_each(|column| writeln!(out, "    {}[{}]", column.name, column.unit))?;
    }
    writeln!(out, "draw one with -o picture.svg")
}
