//! Problems of a file as JSON.

use crate::status::Status;
use std::path::Path;

use serde::Serialize;
use supple_io::load::Refusal;

use crate::output::print;

#[derive(Serialize)]
struct Refused {
    file: String,
    sound: bool,
    problems: Vec<Problem>,
    omitted: usize,
}

#[derive(Serialize, Default)]
struct Problem {
    file: String,
    line: Option<usize>,
    column: Option<usize>,
    subject: Option<String>,
    what: String,
    expected: Option<String>,
    remedy: Option<String>,
}

/// Prints why a file is refused; the status is that of an unsound file.
pub fn print_json(refusal: &Refusal, file: &Path) -> Status {
    let file = file.display().to_string();
    let (problems, omitted) = match refusal {
        Refusal::Files(error) => {
            let problem = |finding: &supple_io::source::Finding| Problem {
                file: finding.place.file.clone(),
                line: Some(finding.place.line),
                column: Some(finding.place.column),
                subject: Some(finding.subject.clone()).filter(|subject| !subject.is_empty()),
                what: finding.what(),
                expected: finding.expected(),
                remedy: finding.remedy(),
            };
            (error.findings().iter().map(problem).collect(), error.omitted())
        }
        Refusal::Invalid(why) | Refusal::Unsupported(why) => {
            let remedy = Some(why.remedy.clone());
            (vec![Problem { file: file.clone(), what: why.what.clone(), remedy, ..Problem::default() }], 0)
        }
        other => (vec![Problem { file: file.clone(), what: other.to_string(), ..Problem::default() }], 0),
    };
    let refused = Refused { file, sound: false, problems, omitted };
    print(|out| {
        serde_json::to_writer_pretty(&mut *out, &refused)?;
        writeln!(out)
    });
    Status::FAILURE
}
