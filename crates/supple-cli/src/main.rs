//! The `supple` command.
#![forbid(unsafe_code)]

mod arguments;
mod bode;
mod check;
mod compare;
mod completions;
mod design;
mod equilibrium;
mod import;
mod lab;
mod linear;
mod modes;
mod operating;
mod options;
mod output;
mod picture;
mod processor;
mod report;
mod run;
mod schema;
mod signals;
mod state;
mod view;

use std::process::ExitCode;

fn main() -> ExitCode {
    // Before anything else: the rest of the program may hold instructions this processor lacks.
    if !processor::is_sufficient() {
        return ExitCode::FAILURE;
    }
    arguments::run()
}
