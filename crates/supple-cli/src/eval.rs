//! `supple eval`: the answers to a reference case.

use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::Path;
use std::process::ExitCode;

use supple_io::case::{AnyCase, EvaluateError, MAX_BYTES, ReadError, evaluate_by_book};

use crate::formulation::Formulation;
use crate::output::{UNSUPPORTED, fail, print};

/// Reads a case from a file or, without one, from standard input, and prints its answers.
pub fn run(file: Option<&Path>, formulation: Formulation) -> ExitCode {
    let file = file.filter(|path| *path != Path::new("-"));
    let source = file.map_or("standard input".to_owned(), |path| path.display().to_string());
    let bytes = match read(file) {
        Ok(bytes) => bytes,
        Err(error) => return fail(1, &source, &error),
    };
    let case = match AnyCase::from_bytes(&bytes) {
        Ok(case) => case,
        Err(error) => {
            let status = if matches!(error, ReadError::Unsupported { .. }) { UNSUPPORTED } else { 1 };
            return fail(status, &source, &error);
        }
    };
    if formulation == Formulation::Book {
        return by_book(&source, &case);
    }
    match case.evaluate() {
        Ok(answer) => print(|mut out| {
            answer.write_json(&mut out)?;
            writeln!(out)
        }),
        Err(error) => fail(1, &source, &error),
    }
}

/// The answers that Book's formulation has.
fn by_book(source: &str, case: &AnyCase) -> ExitCode {
    let AnyCase::Tree(case) = case else {
        let message = "kind: Book's formulation evaluates cases of kind `tree`; leave out --formulation for others";
        return fail(UNSUPPORTED, source, &message);
    };
    match evaluate_by_book(case) {
        Ok(answer) => print(|mut out| {
            answer.write_json(&mut out)?;
            writeln!(out)
        }),
        Err(error @ EvaluateError::Book(_)) => fail(UNSUPPORTED, source, &error),
        Err(error) => fail(1, source, &error),
    }
}

/// All bytes, up to one more than any case may have.
fn read(file: Option<&Path>) -> io::Result<Vec<u8>> {
    let limit = MAX_BYTES as u64 + 1;
    let mut bytes = Vec::new();
    match file {
        Some(path) => File::open(path)?.take(limit).read_to_end(&mut bytes)?,
        None => {
            let input = io::stdin().lock();
            if input.is_terminal() {
                eprintln!("supple: reading a case from the terminal; end it with Ctrl-D");
            }
            input.take(limit).read_to_end(&mut bytes)?
        }
    };
    Ok(bytes)
}
