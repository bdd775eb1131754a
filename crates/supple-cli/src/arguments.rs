//! The command line.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};

use crate::cost::modes::{ModeList, parse_modes};
use crate::cost::{Format, MAX_BODIES, MAX_SIZE, Model};
use crate::formulation::Formulation;
use crate::output::{UNSUPPORTED, fail};
use crate::study::{self, Study};
use crate::{bench, check, compare, completions, cost, eval, import, modes, picture, report, run, schema, view};
use supple_bodies::catalogue::beam_chain::MOST_MODES;

/// Flexible multibody dynamics by recursive spatial operators.
#[derive(Parser)]
#[command(name = "supple", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Evaluate a reference case: mass matrix, forces, accelerations, energy, momentum, node motion.
    ///
    /// Reads one case (JSON, schema supple-oracle-1) and prints the answers as one JSON object.
    /// Exit status: 0 done, 1 the case is invalid or has no answer, 2 a kind of case that is not
    /// supported.
    Eval {
        /// File with the case; standard input if omitted or -.
        file: Option<PathBuf>,
        /// Formulation of the equations of motion; `book` gives M, C, udot, inverse_T and energy only.
        #[arg(long, value_enum, default_value_t)]
        formulation: Formulation,
    },
    /// Count the operations of each algorithm on a serial chain of flexible bodies.
    ///
    /// Revolute hinges, mass-normalised cantilever modes, diagonal stiffness and damping, constant
    /// modal mass. The real code runs on numbers that count operations; rows paper-* are the
    /// published polynomials.
    Cost {
        /// Number of bodies.
        #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=MAX_BODIES as i64))]
        bodies: u32,
        /// Numbers of modes per body: 0,1,5,10 or 1..20 or 10..100:10.
        #[arg(long, value_name = "LIST", default_value = "0,1,5,10", value_parser = parse_modes)]
        modes: ModeList,
        /// Fidelity of the bodies; all but ruthless-constant are counted on a chain of beams.
        #[arg(long, value_enum, default_value_t = Model::RuthlessConstant)]
        model: Model,
        /// Output format.
        #[arg(long, value_enum, default_value_t = Format::Table)]
        format: Format,
    },
    /// Benchmark every verb on standard systems, on rigid trees or on your own robot.
    ///
    /// One row per system, verb and scalar: nanoseconds and instructions per call and instance. Calls cycle through 256 random states;
    /// times are thread CPU times. CSV columns: system, verb, scalar, ns_per_call (best batch), instructions_per_call (empty where the
    /// kernel does not allow counting). JSON keys: checks (system, speeds, forward_of_inverse), rows (as the columns, and ns_median).
    /// Exit status: 0 done, 1 a file is invalid or a verb failed, 2 an error on the command line.
    #[command(verbatim_doc_comment)]
    Bench(bench::Options),
    /// Simulate a scenario: a model, its drives, the duration and the results to record.
    ///
    /// Reads a scenario (TOML, format supple-scenario-1) with its model, integrates the motion and writes results.csv, the other
    /// formats that the scenario requests, summary.json, motion.json and report.html into the results folder. The energy balance is
    /// always computed. Ctrl-C ends the run cleanly: all files are complete, and --resume continues from the checkpoint. Exit status:
    /// 0 done, 1 a file is invalid or the run ended early (its results are kept), 2 not supported, 130 interrupted.
    Run {
        /// Scenario file.
        scenario: PathBuf,
        /// Results folder, instead of the one given in the scenario.
        #[arg(short, long, value_name = "FOLDER")]
        output: Option<PathBuf>,
        /// Overwrite existing results.
        #[arg(long)]
        force: bool,
        /// Continue from the checkpoint in the results folder.
        #[arg(long, conflicts_with = "force")]
        resume: bool,
        /// Print only warnings and errors.
        #[arg(short, long)]
        quiet: bool,
        /// Print the summary as JSON.
        #[arg(long)]
        json: bool,
        /// Plot these columns over time into plot.svg, e.g. hinge.shoulder,energy.total.
        #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
        plot: Vec<String>,
        /// Formulation of the equations of motion; `book` needs an explicit integrator.
        #[arg(long, value_enum, default_value_t)]
        formulation: Formulation,
        /// Do not write report.html.
        #[arg(long)]
        no_report: bool,
    },
    /// Rebuild the report of a run from its results.
    ///
    /// Reads summary.json, results.csv and motion.json of the results folder, also of an interrupted, failed or killed run, and writes
    /// report.html. Exit status: 0 done, 1 a file is missing, damaged or cannot be written.
    Report {
        /// Results folder of a run.
        folder: PathBuf,
        /// Output file [default: report.html in the folder].
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Compare two runs: one report with both, and their differences per column.
    ///
    /// Reads both results folders. Columns and times may differ: common columns are compared over the common time span, with the second
    /// run interpolated at the times of the first. Exit status: 0 done, 1 a file is missing, damaged or
    /// cannot be written.
    Compare(compare::Options),
    /// Show a run in a browser, live or afterwards.
    ///
    /// Serves the report on 127.0.0.1, which other machines cannot reach. A scenario is simulated as by `supple run`, at most at --speed
    /// times real time, and its report follows live until Ctrl-C. Exit status: as of `supple run`.
    View(view::Options),
    /// Draw frames or plots of a run as SVG or PNG figures for papers, without a browser.
    ///
    /// Reads the results folder of a run. Without --plot, draws the bodies at the times of --frame, by default at the end of the run, in
    /// parallel projection and with deformations to scale unless --exaggeration is given. With --plot, draws recorded columns over time.
    /// The file extension selects SVG or PNG; the font of PNG files is built in. Exit status: 0 done, 1 a file is missing, damaged or
    /// cannot be written, 2 an error on the command line.
    Picture(picture::Options),
    /// Reproduce a published table: published values next to computed ones.
    ///
    /// One row per case, discretisation, model, treatment of the boom tips and quantity, printed as soon as its run has
    /// ended. A run that fails is a result too: its drift is `inf`, and a row gives the time at which it stopped.
    Study {
        /// Table to reproduce.
        #[arg(value_enum)]
        name: Study,
        /// Output format.
        #[arg(long, value_enum, default_value_t = study::Format::Table)]
        format: study::Format,
        /// Relative tolerance of the integrator; the absolute tolerance is a hundredth of it. In `statics`, of Newton's
        /// iteration [default: by table].
        #[arg(long, value_name = "TOLERANCE", value_parser = study::parse_tolerance)]
        tolerance: Option<f64>,
        /// Only this case, such as I-f.
        #[arg(long)]
        case: Option<String>,
        /// Only this model, such as EE.
        #[arg(long)]
        model: Option<String>,
        /// Also draw the rows of the first case and model into this SVG file (craig-bampton, figure2 and book-convergence only).
        #[arg(long, value_name = "FILE")]
        svg: Option<PathBuf>,
    },
    /// Check a file: describe the system, or list all errors.
    ///
    /// Prints the tree of bodies with hinges and masses, fidelity and first frequencies of flexible bodies (alone, hinge locked), numbers
    /// of coordinates and speeds, condition number of the mass matrix at rest, notes. A scenario is checked together with its model.
    /// JSON keys: file, kind, sound, name, gravity, elastic_rotation, inertia_convention, total_mass, coordinates, speeds,
    /// node_attitudes, condition, bodies, scenario, notes; of an invalid file: file, sound, problems, omitted.
    /// Exit status: 0 valid, 1 invalid, 2 not a file for this command.
    #[command(verbatim_doc_comment)]
    Check(check::Options),
    /// Modes of flexible bodies: frequencies, damping, effective masses, sketches.
    ///
    /// Modes of each body with its frame fixed and no load on its nodes; coupled modes are reported as their eigenmodes.
    /// JSON keys: file, directions, bodies (name, fidelity, rigid, reachable, turned, free, locked_frequencies, modes, warnings);
    /// with --system: file, frequencies. Arrays of six are in the order of `directions`; infinite numbers are null.
    /// Exit status: 0 done, 1 the file is invalid, 2 not supported.
    #[command(verbatim_doc_comment)]
    Modes(modes::Options),
    /// Convert a robot (URDF) or standard input data (SID) into a model file.
    ///
    /// Notes on standard error list what is not converted. The output is read back before it is written and must give exactly the
    /// imported system. Exit status: 0 done, 1 the file is invalid or cannot be written, 2 not supported.
    #[command(verbatim_doc_comment)]
    Import(import::Options),
    /// Print the JSON schema of a file format, for completion and validation in editors.
    Schema(schema::Options),
    /// Print shell completions.
    Completions {
        /// Shell.
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
}

/// Runs the command. Errors on the command line end the program with status 2.
#[inline(never)] // Nothing of it may move in front of the check of the processor.
pub fn run() -> ExitCode {
    match Arguments::parse().command {
        Command::Eval { file, formulation } => eval::run(file.as_deref(), formulation),
        Command::Cost { bodies, modes, model, format } => {
            let bodies = bodies as usize;
            if let Some(modes) = modes.0.iter().find(|&&modes| bodies * (modes + 1) * (modes + 1) > MAX_SIZE) {
                refuse(&format!(
                    "{bodies} bodies of {modes} modes are too many: bodies times (modes + 1)² is {}, the limit is {MAX_SIZE}; use fewer \
                     bodies, as counts of the recursive algorithms are affine in their number",
                    bodies * (modes + 1) * (modes + 1)
                ));
            }
            if model.fidelity().is_some() && modes.0.iter().any(|&modes| modes > MOST_MODES) {
                refuse(&format!(
                    "beams have at most {MOST_MODES} modes here; use --model ruthless-constant for more"
                ));
            }
            cost::run(bodies, &modes, model, format)
        }
        Command::Bench(options) => bench::run(&options),
        Command::Run { scenario, output, force, resume, quiet, json, plot, formulation, no_report } => {
            let live = None;
            run::run(&run::Options { scenario, output, force, resume, quiet, json, plot, formulation, no_report, live })
        }
        Command::Report { folder, output } => report::run(&folder, output.as_deref()),
        Command::Compare(options) => compare::run(&options),
        Command::View(options) => view::run(&options),
        Command::Picture(options) => picture::run(&options),
        Command::Study { name, format, tolerance, case, model, svg } => {
            if let Some(missing) = name.missing() {
                return fail(UNSUPPORTED, "study", &missing);
            }
            if svg.is_some() && !name.is_drawn() {
                refuse("--svg is available for craig-bampton, figure2 and book-convergence only; leave it out");
            }
            let plan = study::Plan::new(name, tolerance).only(case.as_deref(), model.as_deref());
            if plan.runs.is_empty() {
                refuse("no run of this study has that case and model; leave out --case and --model to list them all");
            }
            if let Some(Err(error)) = svg.map(|file| study::draw(&plan, &file)) {
                return fail(1, "study", &error);
            }
            study::run(&plan, format)
        }
        Command::Check(options) => check::run(&options),
        Command::Modes(options) => modes::run(&options),
        Command::Import(options) => import::run(&options),
        Command::Schema(options) => schema::run(&options),
        Command::Completions { shell } => completions::run(shell, Arguments::command()),
    }
}

/// Ends the program as for any other error on the command line.
fn refuse(message: &str) -> ! {
    Arguments::command().error(ErrorKind::ValueValidation, message).exit()
}
