//! `supple design`: help with the design of control.

mod answer;
mod page;
mod pid;
mod regulator;
mod shaper;
mod workspace;

use crate::status::Status;

/// What is designed.
#[derive(clap::Subcommand)]
pub enum Design {
    /// Compute the impulses of an input shaper, or compare all shapers, for frequencies or for an arm
    ///
    /// With a KIND, prints times and amplitudes of its impulses; without one, for every kind its duration, the delay it adds and the band of frequencies in which at most --tolerance of the vibration remains. A command convolved with the impulses leaves no vibration in the given modes. The shapers of several modes are convolved with each other.
    /// With a FILE, a model or scenario, prints for every kind the vibration that remains over the arm's workspace in percent and the delay it
    /// adds, and recommends one. --map gives the workspace, payload included, as in `supple modes --system`; without it, up to five
    /// hinges from -90° to 90°. Hinges are locked.
    /// JSON keys of a kind: kind, modes (frequency, damping), tolerance, times, amplitudes, duration, delay, bands (low, high, width;
    /// frequencies relative to that of the mode, null where there is no edge); without one: shapers, a list of these. Of a FILE: places, modes
    /// (frequency, low, high), shapers (kind, duration, delay, worst_percent, mean_percent), recommended.
    /// Exit status: 0 done, 1 there is no such shaper, 2 an error on the command line.
    #[command(verbatim_doc_comment)]
    Shaper(shaper::Options),
    /// Design a linear-quadratic regulator for the linear model of a file: u = -K x
    ///
    /// Prints gains, poles of the closed loop and margins. States are those of `supple linearize`: displacements, then speeds. In
    /// continuous time, or sampled with --dt. --q gives the weights of the states, or with --weigh of outputs.
    /// JSON keys: states, inputs, gain, poles, open_poles, margins (input, stable, gain, gain_reduction, phase_deg, delay_s, modulus,
    /// crossovers_rad_s; null where infinite), dt.
    /// Exit status: 0 done, 1 there is no such regulator, 2 an error on the command line.
    #[command(verbatim_doc_comment)]
    Lqr(regulator::LqrOptions),
    /// Design a regulator with a Kalman filter for the linear model of a file: u = -K x̂
    ///
    /// As `supple design lqr`, from measured outputs. Process noise enters with the inputs.
    /// JSON keys: those of lqr, and outputs, filter_gain, filter_poles, regulator_poles.
    /// Exit status: 0 done, 1 there is no such regulator or filter, 2 an error on the command line.
    #[command(verbatim_doc_comment)]
    Lqg(regulator::LqgOptions),
    /// Compute the gains of a PD or PID controller at a hinge from the inertia of the rigid arm
    ///
    /// With the inertia J at the hinge, other hinges locked: p = J ω², d = 2 ζ ω J, i = p ω / 10 with --integral. Poles and margins are those of the
    /// flexible linear model with all other hinges locked, unless freed.
    /// JSON keys: hinge, inertia, p, i, d, poles, margins.
    /// Exit status: 0 done, 1 there is no such controller, 2 an error on the command line.
    #[command(verbatim_doc_comment)]
    Pid(pid::Options),
}

/// Designs and prints.
pub fn run(design: &Design) -> Status {
    match design {
        Design::Shaper(options) => shaper::run(options),
        Design::Lqr(options) => regulator::lqr(options),
        Design::Lqg(options) => regulator::lqg(options),
        Design::Pid(options) => pid::run(options),
    }
}
