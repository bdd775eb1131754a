//! The command `supple`.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the command on its arguments, the first of which is its name; gives its exit status.
#[pyfunction]
pub fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    run(py, arguments)
}

#[cfg(feature = "command")]
fn run(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| supple_cli::command(arguments)).0
}

#[cfg(not(feature = "command"))]
fn run(_: Python<'_>, _: Vec<OsString>) -> u8 {
    use std::io::Write;
    let _ = writeln!(
        std::io::stderr(),
        "supple: this build of the Python package has no command; build it with the feature `command`"
    );
    2
}
