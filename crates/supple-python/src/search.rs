//! Searches for numbers: parameters of recordings, and moves within limits.

use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use serde::Serialize;
use supple_io::{identification_file, optimisation_file};
use supple_run::{IdentifyOptions, Interrupt, Iteration, OptimiseOptions, RunError, Trial};

use crate::errors::{OrRaise, bad_argument, exception};
use crate::model::Changes;
use crate::watch::{Watched, watched};

/// What was found, as JSON, with changes of a scenario where there are any, and what was raised in Python meanwhile.
type Found = (String, Vec<String>, Option<PyErr>);

/// Identifies parameters; `supple.identify` describes it.
#[pyfunction]
#[pyo3(signature = (file, *, changes = None, folder = None, replace = false, progress = None))]
#[allow(clippy::too_many_arguments)] // keywords of one call in Python
pub fn identify_file(
    py: Python<'_>,
    file: PathBuf,
    changes: Option<Changes>,
    folder: Option<PathBuf>,
    replace: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<Found> {
    free(py, folder.as_deref().filter(|_| !replace), "identified.json")?;
    let interrupt = Interrupt::default();
    let changes = changes.map_or_else(|| Ok(Vec::new()), |changes| changes.parse(py))?;
    let asked = IdentifyOptions { changes, interrupt: interrupt.clone() };
    let found = watched(py, &interrupt, progress.as_ref(), of_iteration, |observe| {
        let problem = identification_file::read(&file)?;
        let found = supple_run::identify(&problem, &asked, &mut |now| observe(now.clone()))?;
        if let Some(folder) = &folder {
            supple_run::write_estimate(&found, folder)?;
        }
        Ok::<_, RunError>(found)
    });
    answer(py, found, supple_run::Estimate::changes)
}

/// Optimises a move; `supple.optimise` describes it.
#[pyfunction]
#[pyo3(signature = (file, *, changes = None, folder = None, replace = false, progress = None))]
#[allow(clippy::too_many_arguments)] // keywords of one call in Python
pub fn optimise_file(
    py: Python<'_>,
    file: PathBuf,
    changes: Option<Changes>,
    folder: Option<PathBuf>,
    replace: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<Found> {
    free(py, folder.as_deref().filter(|_| !replace), "optimum.json")?;
    let interrupt = Interrupt::default();
    let changes = changes.map_or_else(|| Ok(Vec::new()), |changes| changes.parse(py))?;
    let asked = OptimiseOptions { changes, interrupt: interrupt.clone() };
    let found = watched(py, &interrupt, progress.as_ref(), of_trial, |observe| {
        let problem = optimisation_file::read(&file)?;
        let found = supple_run::optimise(&problem, &asked, &mut |now| observe(*now))?;
        if let Some(folder) = &folder {
            supple_run::write_optimum(&found, folder)?;
        }
        Ok::<_, RunError>(found)
    });
    answer(py, found, |_| Vec::new())
}

fn of_iteration<'py>(py: Python<'py>, now: &Iteration) -> PyResult<Bound<'py, PyTuple>> {
    PyTuple::new(py, [now.number as f64, now.residual])
}

fn of_trial<'py>(py: Python<'py>, now: &Trial) -> PyResult<Bound<'py, PyTuple>> {
    PyTuple::new(py, [now.duration, now.effort, now.violation])
}

/// Refuses a folder with results of another search, `file` among them.
fn free(py: Python<'_>, folder: Option<&Path>, file: &str) -> PyResult<()> {
    match folder.map(|folder| folder.join(file)).filter(|path| path.exists()) {
        None => Ok(()),
        Some(path) => {
            let what = format!("there is {} already", path.display());
            Err(bad_argument(py, what, "replace the results with replace=True, or choose another folder"))
        }
    }
}

fn answer<T: Serialize>(
    py: Python<'_>,
    found: Watched<Result<T, RunError>>,
    changes: impl Fn(&T) -> Vec<String>,
) -> PyResult<Found> {
    let Watched { value, raised } = found;
    let value = match (value, raised) {
        // The cause, not its consequences.
        (Err(_), Some(raised)) => return Err(raised),
        (value, raised) => (value.or_raise(py)?, raised),
    };
    let text = serde_json::to_string(&value.0).map_err(|error| exception(py, "RunError", error, []))?;
    Ok((text, changes(&value.0), value.1))
}
