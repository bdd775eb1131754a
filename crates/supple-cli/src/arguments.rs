//! The command line.

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};

use crate::output::UNSUPPORTED;
use crate::status::Status;
use crate::{
    bode, check, compare, compile, completions, design, equilibrium, identify, import, lab, linear, man, modes,
    optimise, picture, realtime, report, run, schema, state, sweep, view,
};

/// Flexible multibody dynamics and control: simulate, linearise, control and optimise systems of rigid and flexible bodies.
#[derive(Parser)]
#[command(name = "supple", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Simulate a scenario: a model, its drives, the duration and the results to record.
    ///
    /// Reads a scenario (TOML, format supple-scenario-1) with its model, integrates the motion and writes results.csv, the other
    /// formats that the scenario requests, summary.json, motion.json and report.html into the results folder. The energy balance is
    /// always computed. Ctrl-C, SIGTERM and SIGHUP end the run cleanly: all files are complete, and --resume continues from the checkpoint.
    /// Only one run at a time can write into a folder; --force replaces the results of an earlier run. A run is refused if its results would exceed
    /// results.most_bytes of the scenario (10 GB) or the free space of the disk. Exit status: 0 done, 1 a file is invalid or the run ended early (its results are kept), 2 not supported, 130 interrupted.
    Run(run::Options),
    /// Check a file: describe the system, or list all errors
    ///
    /// Prints the tree of bodies with hinges and masses, fidelity and first frequencies of flexible bodies (alone, hinge locked), first and
    /// highest frequencies of the system and how much one more mode would change the first, numbers of coordinates and speeds,
    /// condition number of the mass matrix at rest, notes. A scenario is checked together with its model.
    /// JSON keys: file, kind, sound, name, units, gravity, elastic_rotation, inertia_convention, total_mass, coordinates,
    /// speeds, node_attitudes, condition, bodies, closures, closing, frequencies, damping, loss, scenario, notes; of an invalid file: file, sound, problems, omitted.
    /// Exit status: 0 valid, 1 invalid, 2 not a file for this command.
    #[command(verbatim_doc_comment)]
    Check(check::Options),
    /// Show a run in a browser, live or afterwards, or a model without a run.
    ///
    /// Serves the report on 127.0.0.1, which other machines cannot reach. A scenario is simulated as by `supple run`, at most at --speed
    /// times real time, and its report follows live until Ctrl-C. A model or robot is shown undeformed at zero coordinates, or in the
    /// state of --at, with its mode shapes. Exit status: as of `supple run`.
    View(view::Options),
    /// Rebuild the report of a run from its results.
    ///
    /// Reads summary.json, results.csv and motion.json of the results folder, also of an interrupted, failed or killed run, and writes
    /// report.html, or the file of --output. Exit status: 0 done, 1 a file is missing, damaged or cannot be written.
    Report(report::Options),
    /// Compare two runs: one report with both, and their differences per column.
    ///
    /// Reads both results folders. Columns and times may differ: common columns are compared over the common time span, with the second
    /// run interpolated at the times of the first. Writes compare.html, or the file of --output. Exit status: 0 done, 1 a file is
    /// missing, damaged or cannot be written.
    Compare(compare::Options),
    /// Draw figures (SVG, PNG) and films of a run or a model, without a browser.
    ///
    /// Reads the results folder of a run; a model, robot or scenario is drawn without a run, in the state of --at. Without --plot and --film, draws the bodies at the times of --frame, by default at the end of the run, in
    /// parallel projection and with deformations to scale unless --exaggeration is given. With --plot, draws recorded columns over time.
    /// With --film, draws the motion as GIF, or with the program ffmpeg as MP4 or WebM; a scenario in place of a folder is simulated first.
    /// Without --output, lists what can be drawn.
    /// The file extension selects SVG or PNG; the font of PNG files is built in. Exit status: 0 done, 1 a file is missing, damaged or
    /// cannot be written, or ffmpeg fails, 2 an error on the command line, 130 interrupted.
    Picture(picture::Options),
    /// Compute modes of flexible bodies, or of the whole system: frequencies, damping, shapes, effective masses; maps of frequencies
    ///
    /// Without --system: modes of each body with its frame fixed and no load on its nodes; coupled modes are first converted to eigenmodes.
    /// With --system: modes of the whole system about the state of --at, hinges locked unless freed, ordered by the absolute value of the eigenvalue.
    /// JSON keys: file, directions, bodies (name, fidelity, rigid, reachable, turned, free, locked_frequencies, modes, warnings);
    /// with --system: file, modes, coordinates, bodies, nodes (each of modes: eigenvalue, frequency_hz, damping_ratio, shape, participation,
    /// body_participation, strain_energy, element_energy, effective_mass, node_shapes). Arrays of six of bodies are in the order of `directions`;
    /// infinite numbers are null. Exit status: 0 done, 1 the file is invalid or there are no modes, 2 not supported.
    #[command(verbatim_doc_comment)]
    Modes(modes::Options),
    /// Find the equilibrium of a system under gravity, springs and other forces, also at large rotations
    ///
    /// Hinges are free unless locked; those with a prescribed motion are held. The search starts at the state of --at. JSON keys: file, stable,
    /// neutral (directions that nothing resists), growth, residual, iterations, state (name, unit, value), forces. --format toml, or -o with a name that ends in .toml, writes the table `initial` of a
    /// scenario. Exit status: 0 done, 1 the file is invalid or there is no equilibrium, 2 not supported.
    #[command(verbatim_doc_comment)]
    Equilibrium(equilibrium::Options),
    /// Print everything about a system in one state: mass matrix, bias forces, accelerations, inverse dynamics, reactions, energy, node motion
    ///
    /// The state is zero coordinates for a model or robot, and the start for a scenario, with the forces that act there; --at sets other values. Closures are closed, if possible without moving the hinges of --at. JSON keys: file, state (name, unit, value), speeds (name, unit, force_unit), M, C, C_parts, T, udot, inverse_T,
    /// reactions, energy, mass, linear_momentum, angular_momentum, com, bodies (name, nodes), node_positions, node_attitudes, node_velocities,
    /// node_accelerations (angular first; by body and node); keys that `supple eval` has too mean the same. Exit status: 0 done, 1 the file is invalid, 2 not supported.
    #[command(verbatim_doc_comment)]
    State(state::Options),
    /// Write a linear model about a state: A, B, C, D with chosen inputs and outputs, for control design
    ///
    /// Hinges are free unless locked. JSON and the files of NumPy (.npz) and MATLAB (.mat) have the same members: A, B, C, D, dt (0 in continuous
    /// time), states, inputs, outputs with their units, operating_point with x, u, y. With --format table: signals, poles and zeros.
    /// Exit status: 0 done, 1 the file is invalid or there is no linear model, 2 not supported.
    #[command(verbatim_doc_comment)]
    Linearize(linear::Options),
    /// Compute the frequency response between inputs and outputs: Bode, Nyquist, singular values, as table or picture
    ///
    /// Hinges are free unless locked. JSON keys: frequency_hz, responses (input, output, unit, magnitude, phase_deg, re, im), singular_values.
    /// Exit status: 0 done, 1 the file is invalid or there is no response, 2 not supported.
    #[command(verbatim_doc_comment)]
    Bode(bode::Options),
    /// Design input shapers and PID, LQR and LQG controllers.
    #[command(subcommand)]
    Design(design::Design),
    /// Run a scenario many times with varied parameters, and summarise the results
    ///
    /// Reads a study (TOML, format supple-study-1): the scenario, the parameters as lists, distributions or designs, and the numbers to extract
    /// from each run. A run depends only on the study and its number, so any split over threads, processes and machines
    /// gives the same rows. Writes sweep.json, Parquet files in parts/ and, when all runs are complete, summary.json and sweep.html into the results folder.
    /// A run that fails gives a row with its status. Ctrl-C, SIGTERM and SIGHUP keep complete runs; --resume makes the missing ones, also after a crash. Exit status: 0 done, 1 a file is invalid or cannot be written, 2 an error on the command line, 130 interrupted.
    #[command(verbatim_doc_comment)]
    Sweep(sweep::Options),
    /// Estimate parameters of a scenario from a recording: stiffness, damping, payload, friction, with confidence bounds
    ///
    /// Reads an identification (TOML, format supple-identify-1), its scenario and its recording (CSV or MCAP), and fits the model by least squares with
    /// derivatives that are integrated with the motion. Prints values with bounds; warnings name parameters that the measurements do not
    /// determine and residuals that are not white. With -o, writes identified.json, changes.txt, fit.csv, fit.svg and residuals.svg. Ctrl-C keeps the best values so far.
    /// JSON keys: parameters (name, keys, value, bound, joint_bound, deviation, certainty), confidence, correlation, condition, residual_variance, degrees_of_freedom,
    /// iterations, converged, interrupted, warnings, columns (column, times, measured, fitted, noise, noise_found, residual, whiteness).
    /// Exit status: 0 done, 1 a file is invalid or no minimum was reached, 2 not supported, 130 interrupted.
    #[command(verbatim_doc_comment)]
    Identify(identify::Options),
    /// Find the move from rest to rest with the least time or effort, within limits of drives and residual vibration
    ///
    /// Reads an optimisation (TOML, format supple-optimise-1) and its scenario. Hinges move in segments of constant jerk within limits of speed,
    /// acceleration, jerk, torque and its rate; nodes must stay near their final positions after the move. With -o, writes optimum.json, move.csv, motions.toml
    /// (tables for a scenario) and move.svg. Ctrl-C keeps the best move so far.
    /// JSON keys: duration, feasible, violation, effort, residuals, times, hinges (hinge, positions, speeds, accelerations, efforts, greatest_effort), rounds,
    /// interrupted. Exit status: 0 done, 1 a file is invalid or no move keeps all limits, 2 not supported, 130 interrupted.
    #[command(verbatim_doc_comment)]
    Optimise(optimise::Options),
    /// Run the plant of a scenario in real time, for a controller in another program: `supple control` with the same file
    ///
    /// Simulates like `supple run`, in real time or --speed times faster, with the sensors of the scenario; all other sampled blocks run in the
    /// controller. Waits for the controller, sends the measurements of every cycle as a UDP frame, and brakes by itself if commands are missing or cannot
    /// be trusted. Needs an integrator with fixed steps of equal duration. Listens on 127.0.0.1 by default, and only to its controller.
    /// Writes the same results as `supple run`, with an MCAP log. Exit status: 0 done, 1 a file is invalid or the run ended early, 2 not supported, 3 ended in the
    /// safe state, 130 interrupted.
    #[command(verbatim_doc_comment)]
    Plant(realtime::PlantOptions),
    /// Run the controllers of a scenario in real time, for a plant in another program: `supple plant` with the same file
    ///
    /// Answers each frame of the plant with a command, within the limits of `real_time` of the scenario; ends when the plant does. A frame that
    /// cannot be trusted leads to the safe state; the line `acknowledge` on standard input leaves it. Writes every cycle into an MCAP log.
    /// Exit status: 0 done, 1 a file is invalid or the plant is gone, 2 not supported, 3 ended in the safe state, 130 interrupted.
    #[command(verbatim_doc_comment)]
    Control(realtime::ControlOptions),
    /// Generate C, Rust, CUDA or CasADi code for the dynamics of a model, or compile and check it immediately
    ///
    /// Each function (verb) becomes a straight-line program for this model, with all constants folded. Writes code with names and units of all
    /// numbers, reference results of the engine and a check that compares both; its last line is the worst relative difference. A model or
    /// robot with closures is recorded at the state of --at, a scenario at its start, with closures closed: the code is valid where the same
    /// equations are independent, and returns a status elsewhere. --force replaces existing code.
    /// Exit status: 0 done, 1 the file is invalid, a verb cannot be recorded or compiled, or differs from the engine, 2 an error on the command line.
    #[command(verbatim_doc_comment)]
    Compile(compile::Options),
    /// Convert a robot (URDF, MJCF) or standard input data (SID) into a model file
    ///
    /// Writes the model to standard output, or to the file of --output; notes on standard error list what is not converted. The output
    /// is read back before it is written and must give exactly the imported system. Exit status: 0 done, 1 the file is invalid or cannot be written, 2 not supported.
    #[command(verbatim_doc_comment)]
    Import(import::Options),
    /// Print the JSON schema of a file format, for completion and validation in editors.
    ///
    /// Writes to standard output, or to the file of --output.
    Schema(schema::Options),
    /// Repeat a published calculation, and print published values next to computed ones.
    ///
    /// Prints one row per case, discretisation, model, treatment of the boom tips and quantity, as soon as its run has
    /// ended. For a run that fails, the drift is `inf`, and a row gives the time at which it stopped.
    Study(lab::StudyOptions),
    /// Count the operations of each algorithm on a serial chain of flexible bodies.
    ///
    /// The chain has revolute hinges, mass-normalised cantilever modes, diagonal stiffness and damping, and
    /// constant modal mass. The production code runs on numbers that count operations; rows paper-* are the
    /// published polynomials.
    Cost(lab::CostOptions),
    /// Benchmark the functions of the engine (verbs) on standard systems, on rigid trees or on your own robot
    ///
    /// One row per system, verb and scalar: nanoseconds and instructions per call and instance. Calls cycle through 256 random states;
    /// times are thread CPU times. CSV columns: system, verb, scalar, ns_per_call (best batch), instructions_per_call (empty where the
    /// kernel does not allow counting). JSON keys: checks (system, speeds, forward_of_inverse), rows (as the columns, and ns_median).
    /// Exit status: 0 done, 1 a file is invalid or a verb failed, 2 an error on the command line.
    #[command(verbatim_doc_comment)]
    Bench(lab::BenchOptions),
    /// Evaluate a reference case: mass matrix, forces, accelerations, energy, momentum, node motion.
    ///
    /// Reads one case (JSON, schema supple-oracle-1) and prints the answers as one JSON object.
    /// Exit status: 0 done, 1 the case is invalid or has no answer, 2 a kind of case that is not
    /// supported.
    Eval(lab::EvalOptions),
    /// Print the manual page of a command, or write all of them into a folder for man.
    ///
    /// Pages are in section 1, in the format of man: `supple man run | man -l -` shows one without installing it.
    Man(man::Options),
    /// Print shell completions.
    Completions {
        /// Shell.
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
}

/// Runs the command on its arguments, the first of which is the name of the program. What clap answers itself (help, version, mistakes on the command
/// line) is printed here as well.
#[inline(never)] // Nothing of it may move in front of the check of the processor.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Status {
    match Arguments::try_parse_from(arguments) {
        Ok(arguments) => execute(arguments.command),
        Err(answer) => show(&answer),
    }
}

/// Prints an answer of clap.
fn show(answer: &clap::Error) -> Status {
    // If nobody listens, the status still tells.
    let _ = answer.print();
    Status(u8::try_from(answer.exit_code()).unwrap_or(UNSUPPORTED))
}

fn execute(command: Command) -> Status {
    match command {
        Command::Eval(options) => lab::eval(&options),
        Command::Cost(options) => lab::cost(&options).unwrap_or_else(|message| refuse(&message)),
        Command::Bench(options) => lab::bench(&options),
        Command::Run(options) => run::run(&options),
        Command::Sweep(options) => sweep::run(&options),
        Command::Report(options) => report::run(&options),
        Command::Compare(options) => compare::run(&options),
        Command::View(options) => view::run(&options),
        Command::Plant(options) => realtime::plant(&options),
        Command::Control(options) => realtime::control(&options),
        Command::Picture(options) => picture::run(&options),
        Command::Study(options) => lab::study(&options).unwrap_or_else(|message| refuse(&message)),
        Command::Check(options) => check::run(&options),
        Command::Modes(options) => modes::run(&options),
        Command::State(options) => state::run(&options),
        Command::Linearize(options) => linear::run(&options),
        Command::Bode(options) => bode::run(&options),
        Command::Equilibrium(options) => equilibrium::run(&options),
        Command::Identify(options) => identify::run(&options),
        Command::Optimise(options) => optimise::run(&options),
        Command::Design(design) => design::run(&design),
        Command::Compile(options) => compile::run(&options),
        Command::Import(options) => import::run(&options),
        Command::Schema(options) => schema::run(&options),
        Command::Man(options) => man::run(&options, Arguments::command()),
        Command::Completions { shell } => completions::run(shell, Arguments::command()),
    }
}

/// Says what is wrong as for any other error on the command line.
fn refuse(message: &str) -> Status {
    show(&Arguments::command().error(ErrorKind::ValueValidation, message))
}
