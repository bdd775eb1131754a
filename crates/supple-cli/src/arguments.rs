//! What can be asked on the command line.

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
    /// Exit status: 0 done, 1 the case is unsound or has no answer, 2 a kind of case that is not
    /// supported.
    Eval {
        /// File with the case; standard input if none or -.
        file: Option<PathBuf>,
        /// By which equations of motion; book answers with M, C, udot, inverse_T and energy alone.
        #[arg(long, value_enum, default_value_t)]
        formulation: Formulation,
    },
    /// Count the operations of each algorithm on a serial chain of flexible bodies.
    ///
    /// Rotary hinges, mass-normalised cantilever modes, diagonal stiffness and damping, constant
    /// modal mass. Counts come from running the real code on counting numbers; rows paper-*
    /// are the published polynomials.
    Cost {
        /// Number of bodies.
        #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=MAX_BODIES as i64))]
        bodies: u32,
        /// Numbers of modes per body: 0,1,5,10 or 1..20 or 10..100:10.
        #[arg(long, value_name = "LIST", default_value = "0,1,5,10", value_parser = parse_modes)]
        modes: ModeList,
        /// Which terms of the dynamics are in; all but ruthless-constant are counted on a chain of beams.
        #[arg(long, value_enum, default_value_t = Model::RuthlessConstant)]
        model: Model,
        /// How to print the counts.
        #[arg(long, value_enum, default_value_t = Format::Table)]
        format: Format,
    },
    /// Time every verb on standard systems, on rigid trees or on a robot of your own.
    ///
    /// One row per system, verb and scalar: nanoseconds and instructions of one call and one instance. Each call visits the next of 256
    /// random states; the clock is the time that the thread has the processor. CSV columns: system, verb, scalar, ns_per_call (best
    /// batch), instructions_per_call (empty where the kernel does not let one count them). JSON keys: checks (system, speeds,
    /// forward_of_inverse), rows (as the columns, and ns_median). Exit status: 0 done, 1 a file is unsound or a verb failed, 2 a mistake
    /// on the command line.
    #[command(verbatim_doc_comment)]
    Bench(bench::Options),
    /// Run a scenario: a model, what drives it, for how long, with which results.
    ///
    /// Reads a scenario (TOML, format supple-scenario-1) with its model, follows the motion and writes results.csv, the other
    /// formats that the scenario asks for, summary.json, motion.json and a page to look at, report.html, into the folder of the results. The energy ledger is always kept. Ctrl-C ends
    /// the run cleanly: what was computed is complete, and --resume goes on from there. Exit status: 0 done, 1 the files are unsound
    /// or the run ended early (what was computed is kept), 2 not supported, 130 interrupted.
    Run {
        /// The scenario.
        scenario: PathBuf,
        /// Folder for the results instead of that of the scenario.
        #[arg(short, long, value_name = "FOLDER")]
        output: Option<PathBuf>,
        /// Replace results that are there.
        #[arg(long)]
        force: bool,
        /// Go on from the checkpoint in the folder of the results.
        #[arg(long, conflicts_with = "force")]
        resume: bool,
        /// Print nothing but warnings and errors.
        #[arg(short, long)]
        quiet: bool,
        /// Print the summary as JSON.
        #[arg(long)]
        json: bool,
        /// Draw these columns against time into plot.svg, such as hinge.shoulder,energy.total.
        #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
        plot: Vec<String>,
        /// By which equations of motion; book needs an integrator that asks for accelerations alone.
        #[arg(long, value_enum, default_value_t)]
        formulation: Formulation,
        /// Write no report.html.
        #[arg(long)]
        no_report: bool,
    },
    /// Make the page of a run again from its results.
    ///
    /// Reads summary.json, results.csv and motion.json of the folder, also of a run that was interrupted, failed or killed, and writes
    /// report.html there. Exit status: 0 done, 1 a file is missing, damaged or cannot be written.
    Report {
        /// Folder of the results of a run.
        folder: PathBuf,
        /// File to write instead of report.html in the folder.
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Put two runs side by side in one page, and tell how far apart they are.
    ///
    /// Reads the folders of results of both, which may have other columns and other times: columns that both have are compared where
    /// both have a time, the second run interpolated at the times of the first. Exit status: 0 done, 1 a file is missing, damaged or
    /// cannot be written.
    Compare(compare::Options),
    /// Show a run in a browser: while it goes on, or after it.
    ///
    /// Serves the page on 127.0.0.1, which no other machine can reach. A scenario is run as by `supple run`, no faster than --speed
    /// allows, and its page follows it; the page stays until Ctrl-C. Exit status: as of `supple run`.
    View(view::Options),
    /// Draw frames or plots of a run for a paper, as SVG or PNG, without a browser.
    ///
    /// Reads the folder of results of a run. Without --plot the bodies are drawn at the times of --frame, or at the end of the run: in
    /// parallel projection, the deformation at true size unless --exaggeration says otherwise. With --plot recorded columns are drawn
    /// against time. The ending of the file says whether it is SVG or PNG; letters of a PNG are part of the program. Exit status: 0 done, 1 a
    /// file is missing, damaged or cannot be written, 2 a mistake on the command line.
    Picture(picture::Options),
    /// Reproduce a published table: what was printed beside what comes out here.
    ///
    /// One row per case, discretisation, model, treatment of the boom tips and quantity, printed as soon as its run has
    /// ended. A run that breaks off is a result too: its drift is `inf`, and a row tells when it stopped.
    Study {
        /// Which table.
        #[arg(value_enum)]
        name: Study,
        /// How to print the rows.
        #[arg(long, value_enum, default_value_t = study::Format::Table)]
        format: study::Format,
        /// Relative tolerance of the integrator; the absolute one is a hundredth of it. In `statics`, of Newton's
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
    /// Check a file and tell what it describes, or everything that is wrong with it.
    ///
    /// Tells bodies as a tree with hinges and masses, fidelity and first frequencies of flexible bodies (alone, hinge locked), numbers
    /// of coordinates and speeds, condition of the mass matrix at rest, notes. A scenario is checked together with its model.
    /// JSON keys: file, kind, sound, name, gravity, elastic_rotation, inertia_convention, total_mass, coordinates, speeds,
    /// node_attitudes, condition, bodies, scenario, notes; of an unsound file: file, sound, problems, omitted.
    /// Exit status: 0 sound, 1 unsound, 2 not a file for this command.
    #[command(verbatim_doc_comment)]
    Check(check::Options),
    /// Mode tables of flexible bodies: frequencies, damping, effective masses, sketches.
    ///
    /// Modes of each body with its frame at rest and nothing on its nodes; coupled modes are reported as the eigenmodes they make up.
    /// JSON keys: file, directions, bodies (name, fidelity, rigid, reachable, turned, free, locked_frequencies, modes, warnings);
    /// with --system: file, frequencies. Arrays of six are in the order of `directions`; numbers that are infinite are null.
    /// Exit status: 0 done, 1 the file is unsound, 2 not supported.
    #[command(verbatim_doc_comment)]
    Modes(modes::Options),
    /// Turn a robot (URDF) or standard input data (SID) into a model file.
    ///
    /// Notes on standard error tell what the model leaves out. The text is read back before it is written: it gives the very system
    /// that was imported. Exit status: 0 done, 1 the file is unsound or cannot be written, 2 not supported.
    #[command(verbatim_doc_comment)]
    Import(import::Options),
    /// Print the JSON schema of a kind of file, for editors that complete and underline.
    Schema(schema::Options),
    /// Print completions for a shell.
    Completions {
        /// Which shell.
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
}

/// Does what the command line asks. Mistakes there end the program with status 2.
#[inline(never)] // Nothing of it may move in front of the check of the processor.
pub fn run() -> ExitCode {
    match Arguments::parse().command {
        Command::Eval { file, formulation } => eval::run(file.as_deref(), formulation),
        Command::Cost { bodies, modes, model, format } => {
            let bodies = bodies as usize;
            if let Some(modes) = modes.0.iter().find(|&&modes| bodies * (modes + 1) * (modes + 1) > MAX_SIZE) {
                refuse(&format!(
                    "{bodies} bodies of {modes} modes are too many: bodies times (modes + 1)² is {}, at most {MAX_SIZE} \
                     is counted; counts of the recursive algorithms are affine in the number of bodies, so take fewer",
                    bodies * (modes + 1) * (modes + 1)
                ));
            }
            if model.fidelity().is_some() && modes.0.iter().any(|&modes| modes > MOST_MODES) {
                refuse(&format!(
                    "beams have at most {MOST_MODES} modes here; more only with --model ruthless-constant"
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
                refuse("only craig-bampton, figure2 and book-convergence are drawn: leave out --svg");
            }
            let plan = study::Plan::new(name, tolerance).only(case.as_deref(), model.as_deref());
            if plan.runs.is_empty() {
                refuse("no run of this study has that case and model; without --case and --model it lists them all");
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

/// Ends the program as for any other mistake on the command line.
fn refuse(message: &str) -> ! {
    Arguments::command().error(ErrorKind::ValueValidation, message).exit()
}
