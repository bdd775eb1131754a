//! `supple design shaper`: impulses of input shapers, with full precision.

use crate::status::Status;
use std::io::{self, Write};
use std::path::PathBuf;

use serde::Serialize;
use supple_control::shaper::TOLERANCE;
use supple_control::{Mode, Shaper, ShaperError, ShaperKind};

use super::answer::write_json;
use super::workspace::{self, Question};
use crate::modes::Axis;
use crate::options::{FileOptions, Format, FormatOptions, Rows, SetOptions};
use crate::output::{fail, print};

/// Options.
#[derive(clap::Args)]
pub struct Options {
    /// Shaper: zv, zvd, zvdd, ei, ei2, ei3 or um-zv; all of them, compared, if omitted. Or a FILE: model or scenario (.toml), robot
    /// (.urdf, .xml).
    #[arg(value_name = "KIND|FILE")]
    subject: Option<String>,
    /// Natural frequency of the mode, in Hz; a list for several modes.
    #[arg(long, value_name = "HZ", value_delimiter = ',', allow_negative_numbers = true)]
    frequency: Vec<f64>,
    /// Damping ratio of the mode, from 0 to below 1; a list for several modes, or one for all.
    #[arg(long, value_name = "RATIO", value_delimiter = ',', default_value = "0", allow_negative_numbers = true)]
    damping: Vec<f64>,
    /// Residual vibration that ei, ei2 and ei3 allow, and the level of the bands, as a fraction of that without a shaper.
    #[arg(long, value_name = "PART", default_value_t = TOLERANCE)]
    tolerance: f64,
    /// With a FILE: range of a hinge or of a value of the file, NAME=FROM:TO:COUNT as in `supple modes`, e.g. elbow=-1:1:5 or
    /// set:body.payload.rigid.mass=0:100:5. May be repeated.
    #[arg(long, value_name = "NAME=FROM:TO:COUNT", value_parser = Axis::parse)]
    map: Vec<Axis>,
    /// With a FILE: number of modes to suppress.
    #[arg(long, value_name = "N", default_value = "2", value_parser = clap::value_parser!(u32).range(1..=8))]
    count: u32,
    /// With a FILE: only this shaper.
    #[arg(long, value_name = "KIND", value_parser = named)]
    kind: Option<ShaperKind>,
    #[command(flatten)]
    set: SetOptions,
    #[command(flatten)]
    format: FormatOptions<Rows>,
}

/// A kind by its name; lists them where another is asked for.
fn named(name: &str) -> Result<ShaperKind, String> {
    let names = ShaperKind::ALL.map(ShaperKind::name).join(", ");
    ShaperKind::named(name).ok_or_else(|| format!("there is no shaper `{name}`; there are {names}, or give a file"))
}

#[derive(Serialize)]
struct OfMode {
    frequency: f64,
    damping: f64,
}

/// A band around a mode; edges that are not there are null.
#[derive(Serialize)]
struct OfBand {
    low: Option<f64>,
    high: Option<f64>,
    width: Option<f64>,
}

#[derive(Serialize)]
struct Designed {
    kind: &'static str,
    modes: Vec<OfMode>,
    tolerance: f64,
    times: Vec<f64>,
    amplitudes: Vec<f64>,
    duration: f64,
    delay: f64,
    bands: Vec<OfBand>,
}

#[derive(Serialize)]
struct Comparison {
    shapers: Vec<Designed>,
}

/// Prints the impulses of a shaper, or all shapers beside each other.
pub fn run(options: &Options) -> Status {
    let format = options.format.or(Format::Table);
    if let Some(file) = options.subject.as_deref().filter(|subject| is_file(subject)) {
        return of_file(options, file, format);
    }
    let told = options.subject.as_deref().map(named).transpose();
    let (kind, modes) = match (told, modes(options)) {
        (Ok(kind), Ok(modes)) => (kind, modes),
        (Err(message), _) | (_, Err(message)) => return fail(2, "design shaper", &message),
    };
    let Some(kind) = kind else {
        let all = ShaperKind::ALL.map(|kind| (kind.name(), design(kind, &modes, options.tolerance)));
        // What is true of all is no fault of one.
        if let [(_, Err(error)), ..] = &all
            && all.iter().all(|(_, designed)| designed.is_err())
        {
            return fail(1, "design shaper", error);
        }
        return print(|out| write_all(out, format, all));
    };
    match design(kind, &modes, options.tolerance) {
        Ok(designed) => print(|out| write_one(out, format, &designed)),
        Err(error) => fail(1, "design shaper", &error),
    }
}

/// Whether a word is a file rather than the name of a shaper.
fn is_file(word: &str) -> bool {
    ShaperKind::named(word).is_none() && (word.contains(['.', '/', '\\']) || std::path::Path::new(word).exists())
}

fn of_file(options: &Options, file: &str, format: Format) -> Status {
    let told = match options {
        Options { frequency, .. } if !frequency.is_empty() => {
            Some("--frequency does not apply to a file, which has its own frequencies; leave it out".to_owned())
        }
        Options { tolerance, .. } if !(*tolerance > 0.0 && *tolerance < 1.0) => {
            Some(ShaperError::Tolerance { value: *tolerance }.to_string())
        }
        _ => None,
    };
    if let Some(told) = told {
        return fail(2, "design shaper", &told);
    }
    let set = SetOptions::of(options.set.all());
    let file = FileOptions { file: PathBuf::from(file), side: None, lenient: false, set };
    let (axes, count, tolerance) = (&options.map[..], options.count as usize, options.tolerance);
    workspace::run(&Question { file: &file, axes, count, tolerance, kind: options.kind }, format)
}

/// Each frequency with its damping.
fn modes(options: &Options) -> Result<Vec<Mode>, String> {
    let (frequencies, dampings) = (&options.frequency, &options.damping);
    if frequencies.is_empty() {
        return Err("give the natural frequency of the mode with --frequency, or a file".to_owned());
    }
    if dampings.len() != 1 && dampings.len() != frequencies.len() {
        return Err(format!(
            "{} frequencies but {} damping ratios; give one ratio for each frequency, or one for all",
            frequencies.len(),
            dampings.len()
        ));
    }
    let damping = |i: usize| dampings[i.min(dampings.len() - 1)];
    Ok(frequencies
        .iter()
        .enumerate()
        .map(|(i, frequency)| Mode { frequency: *frequency, damping: damping(i) })
        .collect())
}

fn design(kind: ShaperKind, modes: &[Mode], tolerance: f64) -> Result<Designed, ShaperError> {
    let kind = kind.with_tolerance(tolerance);
    if !(tolerance > 0.0 && tolerance < 1.0) {
        return Err(ShaperError::Tolerance { value: tolerance });
    }
    let shaper = Shaper::for_modes(kind, modes)?;
    let band = |mode: &Mode| {
        let band = shaper.band(*mode, tolerance);
        let finite = |x: f64| Some(x).filter(|x| x.is_finite());
        OfBand {
            low: band.and_then(|band| finite(band.low)),
            high: band.and_then(|band| finite(band.high)),
            width: band.and_then(|band| finite(band.width())),
        }
    };
    Ok(Designed {
        kind: kind.name(),
        modes: modes.iter().map(|mode| OfMode { frequency: mode.frequency, damping: mode.damping }).collect(),
        tolerance,
        times: shaper.times().to_vec(),
        amplitudes: shaper.amplitudes().to_vec(),
        duration: shaper.duration(),
        delay: shaper.delay(),
        bands: modes.iter().map(band).collect(),
    })
}

fn write_one(out: &mut dyn Write, format: Format, designed: &Designed) -> io::Result<()> {
    let impulses = || designed.times.iter().zip(&designed.amplitudes);
    match format {
        Format::Json => return write_json(out, designed),
        Format::Csv => {
            writeln!(out, "time,amplitude")?;
            return impulses().try_for_each(|(t, a)| writeln!(out, "{t:?},{a:?}"));
        }
        _ => {}
    }
    writeln!(out, "{}, duration {:.6} s, delay {:.6} s", designed.kind, designed.duration, designed.delay)?;
    writeln!(out, "{:>24} {:>24}", "time s", "amplitude")?;
    impulses().try_for_each(|(t, a)| writeln!(out, "{t:>24.17} {a:>24.17}"))?;
    for (mode, band) in designed.modes.iter().zip(&designed.bands) {
        let edge =
            |edge: Option<f64>| edge.map_or("no edge".into(), |ratio| format!("{:.4} Hz", ratio * mode.frequency));
        let (hz, percent) = (mode.frequency, 100.0 * designed.tolerance);
        match (band.low, band.high) {
            (None, None) => writeln!(out, "mode of {hz} Hz: more than {percent} % of the vibration remains")?,
            (low, high) => {
                writeln!(out, "mode of {hz} Hz: at most {percent} % remains from {} to {}", edge(low), edge(high))?;
            }
        }
    }
    Ok(())
}

fn write_all(
    out: &mut dyn Write,
    format: Format,
    all: [(&'static str, Result<Designed, ShaperError>); 7],
) -> io::Result<()> {
    if format == Format::Json {
        let shapers = all.into_iter().filter_map(|(_, designed)| designed.ok()).collect();
        return write_json(out, &Comparison { shapers });
    }
    let is_csv = format == Format::Csv;
    match is_csv {
        true => writeln!(out, "kind,impulses,duration,delay,low,high,width")?,
        false => {
            let heads = ["shaper", "impulses", "duration s", "delay s", "band from", "to", "width"];
            let [kind, impulses, rest @ ..] = heads;
            write!(out, "{kind:<8} {impulses:>8}")?;
            rest.iter().try_for_each(|head| write!(out, " {head:>12}"))?;
            writeln!(out)?;
        }
    }
    for (name, designed) in all {
        let designed = match designed {
            Ok(designed) => designed,
            // The others are still of use.
            Err(error) if !is_csv => {
                writeln!(out, "{name:<8} {}", error.what())?;
                continue;
            }
            Err(_) => continue,
        };
        // Of several modes the narrowest band.
        let narrowest = designed.bands.iter().min_by(|a, b| {
            let width = |band: &&OfBand| band.width.unwrap_or(f64::INFINITY);
            width(a).total_cmp(&width(b))
        });
        let band = narrowest.map_or([None; 3], |band| [band.low, band.high, band.width]);
        let (count, numbers) = (designed.times.len(), [designed.duration, designed.delay]);
        if is_csv {
            let text = |x: Option<f64>| x.map_or(String::new(), |x| format!("{x:?}"));
            let all: Vec<String> = numbers.map(Some).into_iter().chain(band).map(text).collect();
            writeln!(out, "{name},{count},{}", all.join(","))?;
        } else {
            write!(out, "{name:<8} {count:>8}")?;
            numbers.iter().try_for_each(|x| write!(out, " {x:>12.6}"))?;
            band.iter().try_for_each(|x| write!(out, " {:>12}", x.map_or("-".into(), |x| format!("{x:.4}"))))?;
            writeln!(out)?;
        }
    }
    Ok(())
}
