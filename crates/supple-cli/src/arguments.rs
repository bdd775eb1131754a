//! What can be asked on the command line.

use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};

use crate::{check, compare, completions, import, lab, modes, picture, report, run, schema, view};

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
    Eval(lab::EvalOptions),
    /// Count the operations of each algorithm on a serial chain of flexible bodies.
    ///
    /// Rotary hinges, mass-normalised cantilever modes, diagonal stiffness and damping, constant
    /// modal mass. Counts come from running the real code on counting numbers; rows paper-*
    /// are the published polynomials.
    Cost(lab::CostOptions),
    /// Time every verb on standard systems, on rigid trees or on a robot of your own.
    ///
    /// One row per system, verb and scalar: nanoseconds and instructions of one call and one instance. Each call visits the next of 256
    /// random states; the clock is the time that the thread has the processor. CSV columns: system, verb, scalar, ns_per_call (best
    /// batch), instructions_per_call (empty where the kernel does not let one count them). JSON keys: checks (system, speeds,
    /// forward_of_inverse), rows (as the columns, and ns_median). Exit status: 0 done, 1 a file is unsound or a verb failed, 2 a mistake
    /// on the command line.
    #[command(verbatim_doc_comment)]
    Bench(lab::BenchOptions),
    /// Run a scenario: a model, what drives it, for how long, with which results.
    ///
    /// Reads a scenario (TOML, format supple-scenario-1) with its model, follows the motion and writes results.csv, the other
    /// formats that the scenario asks for, summary.json, motion.json and a page to look at, report.html, into the folder of the results. The energy ledger is always kept. Ctrl-C ends
    /// the run cleanly: what was computed is complete, and --resume goes on from there. Exit status: 0 done, 1 the files are unsound
    /// or the run ended early (what was computed is kept), 2 not supported, 130 interrupted.
    Run(run::Options),
    /// Make the page of a run again from its results.
    ///
    /// Reads summary.json, results.csv and motion.json of the folder, also of a run that was interrupted, failed or killed, and writes
    /// report.html there, or the file of --output. Exit status: 0 done, 1 a file is missing, damaged or cannot be written.
    Report(report::Options),
    /// Put two runs side by side in one page, and tell how far apart they are.
    ///
    /// Reads the folders of results of both, which may have other columns and other times: columns that both have are compared where
    /// both have a time, the second run interpolated at the times of the first. The page is compare.html, or the file of --output. Exit status: 0 done, 1 a file is missing, damaged or
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
    /// against time. Without --output, what can be drawn is listed. The ending of the file says whether it is SVG or PNG; letters of a PNG are part of the program. Exit status: 0 done, 1 a
    /// file is missing, damaged or cannot be written, 2 a mistake on the command line.
    Picture(picture::Options),
    /// Reproduce a published table: what was printed beside what comes out here.
    ///
    /// One row per case, discretisation, model, treatment of the boom tips and quantity, printed as soon as its run has
    /// ended. A run that breaks off is a result too: its drift is `inf`, and a row tells when it stopped.
    Study(lab::StudyOptions),
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
    /// The model goes to standard output, or into the file of --output; notes on standard error tell what it leaves out. The text is
    /// read back before it is written: it gives the very system that was imported. Exit status: 0 done, 1 the file is unsound or cannot be written, 2 not supported.
    #[command(verbatim_doc_comment)]
    Import(import::Options),
    /// Print the JSON schema of a kind of file, for editors that complete and underline.
    ///
    /// It goes to standard output, or into the file of --output.
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
        Command::Eval(options) => lab::eval(&options),
        Command::Cost(options) => lab::cost(&options).unwrap_or_else(|message| refuse(&message)),
        Command::Bench(options) => lab::bench(&options),
        Command::Run(options) => run::run(&options),
        Command::Report(options) => report::run(&options),
        Command::Compare(options) => compare::run(&options),
        Command::View(options) => view::run(&options),
        Command::Picture(options) => picture::run(&options),
        Command::Study(options) => lab::study(&options).unwrap_or_else(|message| refuse(&message)),
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
