//! Verbs and steps on a GPU, many instances at once, beside compiled code in lanes on all cores.

use super::systems::{self, NamedSystem, is_like};
use crate::{Format, LabError};
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use supple::Model;
use supple_compile::native::{Build, Native};
use supple_compile::{Lanes, Program, Recording, Reference, Verb};
use supple_gpu::{Device, Evaluation, Place, Plan, Precision, Shape};

/// What is timed: systems by name, and a verb of each.
const ROWS: [(&str, Verb); 8] = [
    ("arm7", Verb::ForwardDynamics),
    ("shuttle-rigid", Verb::ForwardDynamics),
    ("shuttle-rl", Verb::ForwardDynamics),
    ("shuttle-ee", Verb::ForwardDynamics),
    ("shuttle-stiffened", Verb::ForwardDynamics),
    ("shuttle-stiffened", Verb::Rk4Step),
    ("beams10x5", Verb::ForwardDynamics),
    ("beams10x10", Verb::ForwardDynamics),
];
/// Numbers in registers that are tried; the last is as many as the compiler likes.
const REGISTERS: [usize; 4] = [80, 96, 110, usize::MAX];
/// Programs of more operations are compiled once: compilers take minutes for them.
const LONG: usize = 20_000;
/// Least time of a measurement, and how often it is repeated.
const LEAST: Duration = Duration::from_millis(200);
const REPEATS: usize = 5;
/// Steps of one launch.
const STEPS: usize = 100;
/// Length of a step, s.
const LENGTH: f64 = 1e-4;
const VECTORS: usize = 32;

/// What is timed on a GPU, and how.
#[derive(Clone, Debug)]
pub struct GpuOptions {
    /// Only systems with these names.
    pub system: Vec<String>,
    /// Also forward dynamics of these rigid trees.
    pub tree: Vec<PathBuf>,
    /// Instances at once.
    pub instances: usize,
    /// `f32` instead of `f64`.
    pub single: bool,
    /// How rows are written.
    pub format: Format,
}

/// One line.
#[derive(Clone, Debug, Serialize)]
struct Row {
    system: String,
    verb: &'static str,
    /// Evaluations, or steps, per second on the device.
    per_second: f64,
    /// Operations of one, and their share of what the device could do at most in double precision.
    operations: usize,
    of_peak: Option<f64>,
    /// Share of the bandwidth of the device's memory that inputs and outputs take; nothing moves between steps.
    of_memory: Option<f64>,
    /// What keeps it from being faster, as far as these shares tell.
    limit: &'static str,
    /// How many numbers were held in registers in the fastest kernel; registers of its threads, and bytes of their local memory.
    held: usize,
    registers: usize,
    local_bytes: usize,
    /// The same on all cores of the processor, eight lanes each.
    cores_per_second: f64,
    times_cores: f64,
}

/// Times what is asked and writes rows as they come.
///
/// # Errors
/// No driver, device or compiler, with what to do; results that are not the engine's; rows that cannot be written.
pub fn run(options: &GpuOptions, out: &mut dyn Write, notice: &mut dyn FnMut(&str)) -> Result<(), LabError> {
    let failed = |what: String| LabError::failed("bench", what);
    let device = Device::open(0).map_err(|error| failed(error.to_string()))?;
    notice(&device.facts().to_string());
    let wants = |name: &str| options.system.is_empty() || options.system.iter().any(|pattern| is_like(pattern, name));
    let mut all = systems::standard();
    let mut asked: Vec<(String, Verb)> = ROWS.map(|(name, verb)| (name.into(), verb)).into();
    for path in &options.tree {
        let trees = systems::trees(path).map_err(failed)?;
        asked.extend(trees.iter().map(|system| (system.name.clone(), Verb::ForwardDynamics)));
        all.extend(trees);
    }
    let mut rows = Vec::new();
    head(options.format, out)?;
    for (name, verb) in asked.into_iter().filter(|(name, _)| wants(name)) {
        let system = all.iter().find(|system: &&NamedSystem| system.name == name);
        let Some(system) = system else { return Err(failed(format!("no system is called '{name}'"))) };
        let model = system.build().map_err(|error| failed(format!("{name}: {error}")))?;
        let row = timed(&model, (&name, &verb), options, &device);
        rows.push(row.map_err(|error| failed(format!("{name}: {verb}: {error}")))?);
        line(options.format, &rows[rows.len() - 1], out)?;
    }
    if options.format == Format::Json {
        serde_json::to_writer_pretty(&mut *out, &rows).map_err(io::Error::from)?;
        writeln!(out)?;
    }
    if rows.is_empty() {
        return Err(LabError::unsupported("bench", "none of these systems is timed on a GPU; leave --system out"));
    }
    Ok(())
}

fn timed(model: &Model, (name, verb): (&str, &Verb), options: &GpuOptions, device: &Device) -> Result<Row, String> {
    let text = |error: &dyn std::fmt::Display| error.to_string();
    let recording = Recording { model, state: None, verb, parameters: &[] };
    let program = recording.program().map_err(|error| text(&error))?.scheduled();
    let reference = recording.reference(&program, VECTORS).map_err(|error| text(&error))?;
    let operations = program.counts().total();
    let mut best: Option<(f64, usize, [usize; 2])> = None;
    let tried = if operations > LONG { &REGISTERS[2..3] } else { &REGISTERS[..] };
    for held in tried {
        let shape = Shape { registers: *held, ..Shape::of(device) };
        let precision = if options.single { Precision::Single } else { Precision::Double };
        let place = Place::Cuda { device: device.clone(), precision, shape };
        let (rate, registers) = match verb {
            Verb::Rk4Step => steps(model, verb, &place, options.instances)?,
            _ => evaluations(&program, &reference, (device, precision, shape), options.instances)?,
        };
        if best.is_none_or(|(most, ..)| rate > most) {
            best = Some((rate, *held, registers));
        }
    }
    let Some((per_second, held, [registers, local_bytes])) = best else { return Err("nothing was timed".into()) };
    let native = Build { lanes: Some(Lanes::Eight), ..Build::default() }.native(&program);
    let cores_per_second = on_all_cores(&native.map_err(|error| text(&error))?, &reference);
    // Peaks are those of double precision.
    let peak = device.facts().peak().filter(|_| !options.single);
    let of_peak = peak.map(|peak| per_second * operations as f64 / peak);
    let moved = match verb {
        Verb::Rk4Step => 0.0,
        _ => per_second * ((program.inputs.len() + program.outputs.len()) * if options.single { 4 } else { 8 }) as f64,
    };
    let of_memory = device.facts().bandwidth.map(|most| moved / most);
    Ok(Row {
        system: name.into(),
        verb: verb.name(),
        per_second,
        operations,
        of_peak,
        of_memory,
        limit: limit([of_peak, of_memory], local_bytes),
        held,
        registers,
        local_bytes,
        cores_per_second,
        times_cores: per_second / cores_per_second,
    })
}

/// A share of a half is near what kernels reach. Else threads wait: for numbers that left their registers, or for results and instructions.
fn limit(shares: [Option<f64>; 2], local_bytes: usize) -> &'static str {
    match shares.map(|share| share.unwrap_or(0.0)) {
        [of_peak, of_memory] if of_peak >= of_memory.max(0.5) => "arithmetic",
        [_, of_memory] if of_memory >= 0.5 => "memory",
        _ if local_bytes > 0 => "registers",
        _ => "latency",
    }
}

/// The least time of a call that is long enough to be measured; `call` does its work so many times.
fn least(mut call: impl FnMut(usize) -> Result<(), String>) -> Result<f64, String> {
    let mut times = 1;
    call(times)?;
    let mut best = f64::INFINITY;
    for _ in 0..REPEATS {
        loop {
            let start = Instant::now();
            call(times)?;
            let took = start.elapsed();
            if took >= LEAST || times >= 1 << 20 {
                best = best.min(took.as_secs_f64() / times as f64);
                break;
            }
            times *= 2;
        }
    }
    Ok(best)
}

/// Evaluations per second with inputs on the device; the results are compared with the engine's first.
fn evaluations(
    program: &Program,
    reference: &Reference,
    (device, precision, shape): (&Device, Precision, Shape),
    instances: usize,
) -> Result<(f64, [usize; 2]), String> {
    let mut evaluation = Evaluation::new(device, program, precision, shape).map_err(|error| error.to_string())?;
    let rows: Vec<f64> = (0..instances).flat_map(|k| reference.vectors[k % VECTORS].inputs.iter().copied()).collect();
    evaluation.set_inputs(&rows, instances).map_err(|error| error.to_string())?;
    evaluation.run(1).map_err(|error| error.to_string())?;
    let (found, status) = evaluation.results().map_err(|error| error.to_string())?;
    if precision == Precision::Double {
        for (k, row) in found.chunks(program.outputs.len().max(1)).enumerate() {
            let difference = reference.difference(row, &reference.vectors[k % VECTORS]);
            if status[k] != 0 || difference.is_nan() || difference > reference.allowed {
                return Err(format!("instance {k} differs from the engine by {difference:.3e}, status {}", status[k]));
            }
        }
    }
    let time = least(|times| evaluation.run(times).map_err(|error| error.to_string()))?;
    Ok((instances as f64 / time, evaluation.registers()))
}

/// Steps per second with states on the device, from rest without forces.
fn steps(model: &Model, verb: &Verb, place: &Place, instances: usize) -> Result<(f64, [usize; 2]), String> {
    let plan = Plan { model, state: None, step: verb, parameters: &[], law: None };
    let ready = plan.on(place).map_err(|error| error.to_string())?;
    let mut fleet = ready.fleet(instances).map_err(|error| error.to_string())?;
    let forces: Vec<f64> = (0..model.speed_count()).map(|i| 0.1 * (i % 3) as f64).collect();
    fleet.set_forces(&forces).map_err(|error| error.to_string())?;
    let time = least(|times| {
        // Every measurement begins where the last one ended: nothing grows under these forces.
        (0..times).try_for_each(|_| fleet.advance(LENGTH, STEPS)).map_err(|error| error.to_string())
    })?;
    if let Some(k) = fleet.outcomes().map_err(|error| error.to_string())?.iter().position(|x| x.failed.is_some()) {
        return Err(format!("instance {k} failed"));
    }
    Ok(((instances * STEPS) as f64 / time, ready.registers().unwrap_or_default()))
}

/// Evaluations per second of compiled code in eight lanes on all cores.
fn on_all_cores(native: &Native, reference: &Reference) -> f64 {
    let (stop, lanes) = (AtomicBool::new(false), Lanes::Eight.count());
    let work = || {
        let vectors = |i: usize| (0..lanes).map(move |k| reference.vectors[k % VECTORS].inputs[i]);
        let rows: Vec<f64> = (0..native.inputs().len()).flat_map(vectors).collect();
        let (mut out, mut status, mut done) = (vec![0.0; native.outputs().len() * lanes], [0; 8], 0_usize);
        while !stop.load(Ordering::Relaxed) {
            for _ in 0..100 {
                let _ = std::hint::black_box(native.run_lanes(&rows, std::hint::black_box(&mut out), &mut status));
            }
            done += 100 * lanes;
        }
        done
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let start = Instant::now();
    let done: usize = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        std::thread::sleep(2 * LEAST);
        stop.store(true, Ordering::Relaxed);
        threads.into_iter().map(|thread| thread.join().unwrap_or(0)).sum()
    });
    done as f64 / start.elapsed().as_secs_f64()
}

fn head(format: Format, out: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Csv => writeln!(
            out,
            "system,verb,per_second,operations,of_peak,of_memory,limit,held,registers,local_bytes,cores_per_second,times_cores"
        )?,
        Format::Table => writeln!(
            out,
            "{:<18} {:<17} {:>11} {:>10} {:>8} {:>9} {:<10} {:>6} {:>9} {:>8} {:>12} {:>8}",
            "system",
            "verb",
            "per second",
            "operations",
            "of peak",
            "of memory",
            "limit",
            "held",
            "registers",
            "local B",
            "on all cores",
            "ratio"
        )?,
        Format::Json | Format::Peers => (),
    }
    out.flush()
}

fn line(format: Format, row: &Row, out: &mut dyn Write) -> io::Result<()> {
    let Row {
        system, verb, per_second, operations, registers, local_bytes, cores_per_second, times_cores, limit, ..
    } = row;
    let [share, moved] =
        [row.of_peak, row.of_memory].map(|x| x.map_or_else(String::new, |share| format!("{share:.3}")));
    let held = if row.held == usize::MAX { "all".into() } else { row.held.to_string() };
    match format {
        Format::Csv => writeln!(
            out,
            "{system},{verb},{per_second:.4e},{operations},{share},{moved},{limit},{held},{registers},{local_bytes},{cores_per_second:.4e},{times_cores:.1}"
        )?,
        Format::Table => writeln!(
            out,
            "{system:<18} {verb:<17} {per_second:>11.3e} {operations:>10} {share:>8} {moved:>9} {limit:<10} {held:>6} {registers:>9} {local_bytes:>8} {cores_per_second:>12.3e} \
             {times_cores:>8.1}"
        )?,
        Format::Peers => writeln!(out, "supple-gpu/{system},{verb}_per_second,{per_second:.5e},1/s")?,
        Format::Json => (),
    }
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without a GPU nobody would miss a system.
    #[test]
    fn all_systems_are_there() {
        let all = systems::standard();
        assert!(ROWS.iter().all(|(name, _)| all.iter().any(|system| system.name == *name)));
    }
}
