//! `supple bench`, `cost`, `study` and `eval`: what serves comparison and proof.

use crate::status::Status;
use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

use supple_lab::bench::{self, ScalarKind, Verb};
use supple_lab::cost::modes::{ModeList, parse_modes};
use supple_lab::cost::{self, MAX_BODIES, MAX_LOOPS};
use supple_lab::eval;
use supple_lab::study::{self, Plan, Study};

use crate::options::{Format, FormatOptions, FormulationName, Rows, RowsOrPeers};
use crate::output::{UNSUPPORTED, fail, print_rows};

/// What `supple bench` is asked.
#[derive(clap::Args)]
pub struct BenchOptions {
    /// Only systems with these names; * matches anything, ? for one character.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    system: Vec<String>,
    /// Only these verbs.
    #[arg(long, value_enum, value_name = "VERB", value_delimiter = ',')]
    verb: Vec<Verb>,
    /// Only these scalars [default: all; f64 with --format peers].
    #[arg(long, value_enum, value_name = "SCALAR", value_delimiter = ',')]
    scalar: Vec<ScalarKind>,
    /// Also benchmark a robot (.urdf, .xml) or a model (.toml).
    #[arg(long, value_name = "FILE")]
    urdf: Vec<PathBuf>,
    /// Floating base for robots.
    #[arg(long)]
    floating: bool,
    /// Benchmark these rigid trees (.tree, or a folder of them) instead of the standard systems; with --gpu, in addition to them.
    #[arg(long, value_name = "PATH")]
    tree: Vec<PathBuf>,
    /// Minimum duration of a batch in milliseconds [default: BATCH_MS, or 4].
    #[arg(long, value_name = "MS", value_parser = bench::parse_length)]
    min_time_ms: Option<f64>,
    /// Number of batches [default: BATCHES, or 41].
    #[arg(long, value_name = "N", value_parser = bench::parse_batches)]
    batches: Option<usize>,
    /// Compare compiled code with the engine, as fractions of its time: forward_dynamics, or the verbs named. Needs a C compiler.
    #[arg(long)]
    compiled: bool,
    /// Benchmark forward dynamics and steps on an NVIDIA GPU, many instances at once, compared with compiled code on all cores. Needs the CUDA driver, NVRTC and
    /// a C compiler.
    #[arg(long, conflicts_with_all = ["compiled", "verb", "scalar", "urdf", "floating", "list"])]
    gpu: bool,
    /// Instances at once on the GPU.
    #[arg(long, value_name = "N", requires = "gpu", default_value_t = 1 << 20, value_parser = clap::value_parser!(u32).range(1..))]
    instances: u32,
    /// Single precision on the GPU.
    #[arg(long, requires = "gpu")]
    single: bool,
    #[command(flatten)]
    format: FormatOptions<RowsOrPeers>,
    /// List systems, verbs and scalars without timing.
    #[arg(long)]
    list: bool,
}

/// Times verbs: a table on a terminal, CSV elsewhere.
pub fn bench(options: &BenchOptions) -> Status {
    let usual = if io::stdout().is_terminal() { Format::Table } else { Format::Csv };
    let asked = bench::Options {
        system: options.system.clone(),
        verb: options.verb.clone(),
        scalar: options.scalar.clone(),
        urdf: options.urdf.clone(),
        floating: options.floating,
        tree: options.tree.clone(),
        min_time_ms: options.min_time_ms,
        batches: options.batches,
        compiled: options.compiled,
        format: options.format.rows_or(usual),
    };
    if options.list {
        return print_rows(|out| bench::list(&asked, out));
    }
    let mut notice = |text: &str| drop(writeln!(io::stderr().lock(), "supple: bench: {text}"));
    if options.gpu {
        let asked = bench::gpu::GpuOptions {
            system: options.system.clone(),
            tree: options.tree.clone(),
            instances: options.instances as usize,
            single: options.single,
            format: asked.format,
        };
        return print_rows(|out| bench::gpu::run(&asked, out, &mut notice));
    }
    print_rows(|out| bench::run(&asked, out, &mut notice))
}

/// What `supple cost` is asked.
#[derive(clap::Args)]
pub struct CostOptions {
    /// Number of bodies; with --closed, of each loop.
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "10", value_parser = clap::value_parser!(u32).range(1..=MAX_BODIES as i64))]
    bodies: Vec<u32>,
    /// Numbers of modes per body: 0,1,5,10 or 1..20 or 10..100:10.
    #[arg(long, value_name = "LIST", default_value = "0,1,5,10", value_parser = parse_modes)]
    modes: ModeList,
    /// Fidelity of the bodies; all but ruthless-constant are counted on a chain of beams.
    #[arg(long, value_enum, default_value_t = cost::Model::RuthlessConstant)]
    model: cost::Model,
    /// Count forward dynamics of a closed system, made of the same links.
    #[arg(long, value_enum, value_name = "SYSTEM")]
    closed: Option<cost::Closed>,
    /// Number of loops of the closed system.
    #[arg(long, value_name = "K", value_delimiter = ',', default_value = "1", requires = "closed", value_parser = clap::value_parser!(u32).range(1..=MAX_LOOPS as i64))]
    loops: Vec<u32>,
    #[command(flatten)]
    format: FormatOptions<Rows>,
}

/// Counts operations. An error is a mistake on the command line.
pub fn cost(options: &CostOptions) -> Result<Status, String> {
    let CostOptions { bodies, modes, model, closed, loops, format } = options;
    let numbers = |list: &[u32]| list.iter().map(|n| *n as usize).collect::<Vec<_>>();
    let (bodies, loops) = (numbers(bodies), numbers(loops));
    let most = |list: &[usize]| list.iter().copied().max().unwrap_or(1);
    let all = if closed.is_some() { most(&bodies) * most(&loops) } else { most(&bodies) };
    cost::check(all, modes, *model)?;
    let format = format.rows_or(Format::Table);
    Ok(print_rows(|out| match closed {
        Some(closed) => cost::run_closed(*closed, [&loops, &bodies], modes, *model, format, out),
        None => cost::run(&bodies, modes, *model, format, out),
    }))
}

/// What `supple study` is asked.
#[derive(clap::Args)]
pub struct StudyOptions {
    /// Study to repeat.
    #[arg(value_enum)]
    name: Study,
    #[command(flatten)]
    format: FormatOptions<Rows>,
    /// Relative tolerance of the integrator; the absolute one is a hundredth of it. In `statics`, of Newton's iteration [default: by study].
    #[arg(long, value_name = "TOLERANCE", value_parser = study::parse_tolerance)]
    tolerance: Option<f64>,
    /// Only this case, such as I-f.
    #[arg(long)]
    case: Option<String>,
    /// Only this model, such as EE.
    #[arg(long)]
    model: Option<String>,
    /// Also plot the rows of the first case and model into this SVG file (histories, figure2, book-convergence, correction, passivity, observer, orders, conjugate-gradients and craig-bampton only).
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// Reproduces a table. An error is a mistake on the command line.
pub fn study(options: &StudyOptions) -> Result<Status, String> {
    let StudyOptions { name, format, tolerance, case, model, svg } = options;
    if let Some(missing) = name.missing() {
        return Ok(fail(UNSUPPORTED, "study", &missing));
    }
    if svg.is_some() && !name.is_drawn() {
        return Err(
            "--svg is available for the studies histories, figure2, book-convergence, correction, passivity, observer, orders, conjugate-gradients and craig-bampton only; leave it out"
                .to_owned(),
        );
    }
    let plan = Plan::new(*name, *tolerance).only(case.as_deref(), model.as_deref());
    if plan.runs.is_empty() {
        return Err(
            "no run of this study has that case and model; leave out --case and --model to list them all".into()
        );
    }
    if let Some(Err(error)) = svg.as_ref().map(|file| study::draw(&plan, file)) {
        return Ok(fail(1, "study", &error));
    }
    // Files and pipes get rows only.
    let watched = io::stderr().is_terminal();
    let mut told = |line: &str| {
        if watched {
            let _ = writeln!(io::stderr().lock(), "supple: {line}");
        }
    };
    Ok(print_rows(|out| study::run(&plan, format.rows_or(Format::Table), out, &mut told)))
}

/// What `supple eval` is asked.
#[derive(clap::Args)]
pub struct EvalOptions {
    /// File with the case; standard input if omitted or -.
    file: Option<PathBuf>,
    /// Formulation of the equations of motion; `book` gives M, C, udot, inverse_T and energy only.
    #[arg(long, value_enum, default_value_t)]
    formulation: FormulationName,
}

/// Reads a case from a file or, without one, from standard input, and prints its answers.
pub fn eval(options: &EvalOptions) -> Status {
    let file = options.file.as_deref().filter(|path| *path != Path::new("-"));
    let source = file.map_or("standard input".to_owned(), |path| path.display().to_string());
    match read(file) {
        Ok(bytes) => print_rows(|out| eval::answer(&bytes, &source, options.formulation.into(), out)),
        Err(error) => fail(1, &source, &error),
    }
}

/// All bytes, up to one more than any case may have.
fn read(file: Option<&Path>) -> io::Result<Vec<u8>> {
    let limit = eval::LONGEST as u64 + 1;
    let mut bytes = Vec::new();
    match file {
        Some(path) => File::open(path)?.take(limit).read_to_end(&mut bytes)?,
        None => {
            let input = io::stdin().lock();
            if input.is_terminal() {
                let _ = writeln!(io::stderr(), "supple: reading a case from the terminal; end it with Ctrl-D");
            }
            input.take(limit).read_to_end(&mut bytes)?
        }
    };
    Ok(bytes)
}
