//! Standard output and the end of the program.

use std::fmt::Display;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::process::ExitCode;

/// Status for input that asks for something this version does not have.
pub const UNSUPPORTED: u8 = 2;

/// Writes to standard output. A reader that has gone away has had enough: that is no failure.
pub fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> ExitCode {
    let mut out = BufWriter::new(io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {
            // Dropping the buffer would try to write the rest.
            drop(out.into_parts());
            ExitCode::SUCCESS
        }
        Err(error) => fail(1, "standard output", &error),
    }
}

/// Says on standard error what is wrong; the error names its own source.
pub fn fail_plain(status: u8, error: &impl Display) -> ExitCode {
    let _ = writeln!(io::stderr().lock(), "{error}");
    ExitCode::from(status)
}

/// Says on standard error, line by line, what is wrong with `source`.
pub fn fail(status: u8, source: &str, error: &impl Display) -> ExitCode {
    let mut out = io::stderr().lock();
    for line in error.to_string().lines() {
        // If nobody listens, the status still tells.
        let _ = writeln!(out, "supple: {source}: {line}");
    }
    ExitCode::from(status)
}
