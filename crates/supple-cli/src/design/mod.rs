//! `supple design`: help with the design of control.

mod shaper;

use std::process::ExitCode;

/// What is designed.
#[derive(clap::Subcommand)]
pub enum Design {
    /// Impulses of an input shaper, or every shaper beside the others.
    ///
    /// With a KIND, prints times and amplitudes of its impulses; without one, for every kind how long it takes, the delay it adds and the
    /// band of frequencies in which at most --tolerance of the vibration is left. Commands that are convolved with the impulses leave no
    /// vibration of the modes given. Several modes take their shapers one after the other.
    /// JSON keys of a kind: kind, modes (frequency, damping), tolerance, times, amplitudes, duration, delay, bands (low, high, width;
    /// frequencies relative to that of the mode, null where there is no edge); without one: shapers, a list of these.
    /// Exit status: 0 done, 1 there is no such shaper, 2 an error on the command line.
    #[command(verbatim_doc_comment)]
    Shaper(shaper::Options),
}

/// Designs and prints.
pub fn run(design: &Design) -> ExitCode {
    match design {
        Design::Shaper(options) => shaper::run(options),
    }
}
