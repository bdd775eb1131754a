//! `supple completions`: what a shell completes.

use crate::status::Status;

use clap::Command;
use clap_complete::{Shell, generate};

use crate::output::print;

/// Prints the completions of `command` for a shell.
pub fn run(shell: Shell, mut command: Command) -> Status {
    // Into memory first: the generator takes a writer that fails for a panic.
    let mut script = Vec::new();
    generate(shell, &mut command, "supple", &mut script);
    print(|out| out.write_all(&script))
}
