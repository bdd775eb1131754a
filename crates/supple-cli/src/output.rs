//! Standard output and the end of the program.

use crate::status::Status;
use std::fmt::Display;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::Path;

use supple_io::load::Refusal;
use supple_lab::LabError;

/// Status for input that asks for something this version does not have.
pub const UNSUPPORTED: u8 = 2;

/// Writes to standard output. A reader that has gone away has had enough: that is no failure.
pub fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Status {
    let mut out = BufWriter::new(io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Ok(()) => Status::SUCCESS,
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {
            // Dropping the buffer would try to write the rest.
            drop(out.into_parts());
            Status::SUCCESS
        }
        Err(error) => fail(1, "standard output", &error),
    }
}

/// Says on standard error what is wrong; the error names its own source.
pub fn fail_plain(status: u8, error: &impl Display) -> Status {
    let _ = writeln!(io::stderr().lock(), "{error}");
    Status::from(status)
}

/// Says on standard error, line by line, what is wrong with `source`.
pub fn fail(status: u8, source: &str, error: &impl Display) -> Status {
    let mut out = io::stderr().lock();
    for line in error.to_string().lines() {
        // If nobody listens, the status still tells.
        let _ = writeln!(out, "supple: {source}: {line}");
    }
    Status::from(status)
}

/// Says on standard error why `file` describes no system.
pub fn refuse(refusal: &Refusal, file: &Path) -> Status {
    match refusal {
        Refusal::Files(error) => fail_plain(1, error),
        Refusal::Unsupported(text) => fail(UNSUPPORTED, &file.display().to_string(), text),
        refusal => fail(1, &file.display().to_string(), refusal),
    }
}

/// Writes rows to standard output; what was written before a problem stays.
pub fn print_rows(write: impl FnOnce(&mut dyn Write) -> Result<(), LabError>) -> Status {
    let mut problem = None;
    let status = print(|out| match write(out) {
        Err(LabError::Output(error)) => Err(error),
        Err(error) => {
            problem = Some(error);
            Ok(())
        }
        Ok(()) => Ok(()),
    });
    match problem {
        Some(LabError::Failed { subject, message }) => fail(1, &subject, &message),
        Some(LabError::Unsupported { subject, message }) => fail(UNSUPPORTED, &subject, &message),
        Some(LabError::File { path, refusal }) => refuse(&refusal, &path),
        Some(error) => fail_plain(1, &format!("supple: {error}")),
        None => status,
    }
}
