//! Reference cases.

use pyo3::prelude::*;
use supple_io::case::{AnyCase, Problem, ReadError};

use crate::errors::{exception, field};

/// Answers of a reference case (JSON) as JSON.
#[pyfunction]
pub fn evaluate_case_text(py: Python<'_>, text: &str) -> PyResult<String> {
    let case = AnyCase::from_bytes(text.as_bytes()).map_err(|error| refused(py, &error))?;
    let mut out = Vec::new();
    let answer = py.detach(|| case.evaluate()).map_err(|error| exception(py, "CaseError", error, []))?;
    answer.write_json(&mut out).map_err(|error| exception(py, "CaseError", error, []))?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}

fn refused(py: Python<'_>, error: &ReadError) -> PyErr {
    let class = if matches!(error, ReadError::Unsupported { .. }) { "UnsupportedError" } else { "CaseError" };
    let listed = match error {
        ReadError::Invalid { problems, .. } => problems.iter().map(Problem::to_string).collect(),
        _ => Vec::new(),
    };
    exception(py, class, error, [field(py, "remedy", error.remedy()), field(py, "problems", listed)])
}
