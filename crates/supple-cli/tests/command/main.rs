//! The command as users call it.

#[path = "../run_support/mod.rs"]
mod run_support;

mod bad_events;
mod bad_inputs;
mod bench;
mod casadi;
mod closures;
mod command;
mod compile;
mod design;
mod files;
mod film;
mod linear;
mod looks;
mod man;
mod physics;
mod picture;
mod realtime;
mod report;
mod run;
mod run_endings;
mod run_events;
mod run_folder;
mod run_momentum;
mod run_multistep;
mod run_resume;
mod sound_files;
mod state;
mod sweep;
mod view_foxglove;
mod warnings;

/// The command of this build.
const fn program() -> &'static str {
    env!("CARGO_BIN_EXE_supple")
}
