//! Monte Carlo of Shuttle-arm slews: payload, stiffness, damping and start pose vary; the residual vibration of each is measured.
//!
//! ```text
//! cargo run --release -p supple-gpu --example monte_carlo                          a million slews on a GPU
//! cargo run --release -p supple-gpu --example monte_carlo -- --cpu                 some on the processor
//! cargo run --release -p supple-gpu --example monte_carlo -- --cpu --choose        errors of steppers and steps
//! ```
//!
//! `--instances N`, `--scheme rk4|linearly-implicit`, `--step S` (a part of the 0.01 s between updates of the servos), `--check N` (how many are compared
//! with the engine), `--batch N` (how many are on the way at once), `--picture FILE.svg`, `--threads N`, `--model FILE` (where the program has left the
//! folder that it was built in).

mod engine;
mod picture;
mod study;

use std::error::Error;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::time::Instant;
use study::{Result, Study};
use supple_compile::Verb;
use supple_gpu::{GpuError, Place};

/// What is asked.
struct Options {
    cpu: bool,
    choose: bool,
    threads: usize,
    instances: Option<usize>,
    batch: usize,
    check: usize,
    scheme: Verb,
    step: f64,
    picture: Option<PathBuf>,
    model: Option<PathBuf>,
}

impl Options {
    fn read(mut words: impl Iterator<Item = String>) -> std::result::Result<Self, Box<dyn Error>> {
        let mut options = Self {
            cpu: false,
            choose: false,
            threads: 0,
            instances: None,
            batch: 250_000,
            check: 100,
            scheme: Verb::LinearlyImplicitStep,
            step: 0.01,
            picture: None,
            model: None,
        };
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
            match word.as_str() {
                "--cpu" => options.cpu = true,
                "--choose" => options.choose = true,
                "--threads" => options.threads = value()?.parse()?,
                "--instances" => options.instances = Some(value()?.parse()?),
                "--batch" => options.batch = value()?.parse::<usize>()?.max(1),
                "--check" => options.check = value()?.parse()?,
                "--step" => options.step = value()?.parse()?,
                "--model" => options.model = Some(value()?.into()),
                "--picture" => options.picture = Some(value()?.into()),
                "--scheme" => {
                    options.scheme = match value()?.as_str() {
                        "rk4" => Verb::Rk4Step,
                        "linearly-implicit" => Verb::LinearlyImplicitStep,
                        other => return Err(format!("--scheme {other}: write rk4 or linearly-implicit").into()),
                    };
                }
                other => return Err(format!("{other} is no option; see the head of this example").into()),
            }
        }
        Ok(options)
    }
}

fn main() -> std::result::Result<(), Box<dyn Error>> {
    let options = Options::read(std::env::args().skip(1))?;
    let place = match options.cpu {
        true => Place::Processor { threads: options.threads },
        false => Place::cuda(0).map_err(|error: GpuError| format!("{error}\nthe same on the processor: --cpu"))?,
    };
    if let Place::Cuda { device, .. } = &place {
        println!("{}", device.facts());
    }
    let study = Study::new(options.model.as_deref())?;
    if options.choose {
        return choose(&study, &place, options.check.min(20));
    }
    let count = options.instances.unwrap_or(if options.cpu { 2000 } else { 1_000_000 });
    let (start, watched) = (Instant::now(), std::io::stderr().is_terminal());
    let ready = study.ready(&place, &options.scheme, options.step)?;
    println!("{}, steps of {} s: compiled in {:.1} s", options.scheme, options.step, start.elapsed().as_secs_f64());
    if let Some([registers, local]) = ready.registers() {
        println!("a thread has {registers} registers and {local} bytes of local memory");
    }
    let (start, mut results) = (Instant::now(), Vec::with_capacity(count));
    while results.len() < count {
        let part = results.len()..count.min(results.len() + options.batch);
        let part_size = part.len();
        results.extend(study.run(&ready, options.step, part, |share| {
            if watched {
                eprint!("\r{:.0} % of {} slews of {count}", 100.0 * share, part_size);
                let _ = std::io::stderr().flush();
            }
        })?);
        if watched {
            eprintln!("\r{} of {count} slews                    ", results.len());
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    tell(&results, seconds);
    let checked = options.check.min(count);
    if checked > 0 {
        let start = Instant::now();
        let error = engine::compare(&study, &results[..checked])?;
        println!(
            "{checked} of them by the engine in {:.1} s: residual vibration differs by {:.2e} m at most ({:.2e} relative), the far end of the payload after the slew \
             by {:.2e} m",
            start.elapsed().as_secs_f64(),
            error.vibration,
            error.relative,
            error.position
        );
    }
    if let Some(path) = &options.picture {
        picture::draw(&results, path)?;
        println!("{}", path.display());
    }
    Ok(())
}

/// Share of results below a bound.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    sorted.get(((sorted.len() - 1) as f64 * share).round() as usize).copied().unwrap_or(f64::NAN)
}

fn tell(results: &[Result], seconds: f64) {
    let failed = results.iter().filter(|result| result.failed).count();
    let mut list: Vec<f64> = results.iter().filter(|result| !result.failed).map(|result| result.vibration).collect();
    println!(
        "{} slews of {} s and {} s of hold in {seconds:.2} s: {:.0} slews per second; {failed} failed",
        results.len(),
        study::MOVE,
        study::HOLD,
        results.len() as f64 / seconds
    );
    if list.is_empty() {
        return;
    }
    list.sort_by(f64::total_cmp);
    let [low, middle, high, most] = [0.05, 0.5, 0.95, 0.999].map(|share| quantile(&list, share));
    println!(
        "residual vibration of the payload's far end, m: 5 % below {low:.3}, half below {middle:.3}, 95 % below {high:.3}, 99.9 % below {most:.3}"
    );
}

/// Errors of steppers and steps against the engine.
fn choose(study: &Study, place: &Place, count: usize) -> std::result::Result<(), Box<dyn Error>> {
    let expected = engine::results(study, 0..count)?;
    println!(
        "{:<24} {:>8} {:>12} {:>14} {:>14} {:>14}",
        "stepper", "step, s", "failed", "vibration, m", "position, m", "ms per slew"
    );
    for (verb, steps) in [
        (Verb::Rk4Step, [2.5e-4, 5e-4, 1e-3, 2.5e-3, 1e-2]),
        (Verb::LinearlyImplicitStep, [1e-3, 2e-3, 2.5e-3, 5e-3, 1e-2]),
    ] {
        for step in steps {
            let ready = study.ready(place, &verb, step)?;
            let start = Instant::now();
            let found = study.run(&ready, step, 0..count, |_| ())?;
            let time = 1e3 * start.elapsed().as_secs_f64() / count as f64;
            let error = engine::difference(&found, &expected);
            let failed = found.iter().filter(|result| result.failed).count();
            let (vibration, position) = (error.vibration, error.position);
            println!(
                "{:<24} {step:>8} {failed:>12} {vibration:>14.2e} {position:>14.2e} {time:>14.3}",
                verb.to_string()
            );
        }
    }
    Ok(())
}
