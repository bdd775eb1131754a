//! The `supple` command.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    // Before anything else: the rest of the program may hold instructions this processor lacks.
    if !supple_cli::is_processor_sufficient() {
        return ExitCode::FAILURE;
    }
    ExitCode::from(supple_cli::command(std::env::args_os()).0)
}
