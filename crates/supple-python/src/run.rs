//! Scenarios: a run from its file to its results.

use std::path::PathBuf;
use std::time::Instant;

use numpy::PyArray1;
use pyo3::prelude::*;
use supple_run::{Code, Existing, Formulation, Interrupt, Observer, Options, Output, Progress, Run, Warning};

use crate::errors::{OrRaise, bad_argument, exception, field};
use crate::model::Changes;
use crate::watch::LOOK;

/// Results of a run: columns by name, a summary, files.
#[pyclass(frozen, module = "supple")]
pub struct RunResults(supple_run::Results);

#[pymethods]
impl RunResults {
    /// Names, units and descriptions of the columns.
    #[getter]
    fn columns(&self) -> Vec<(&str, &str, &str)> {
        let columns = self.0.table().columns();
        columns.iter().map(|c| (c.name.as_str(), c.unit.as_str(), c.description.as_str())).collect()
    }

    /// All values of a column.
    fn column<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(PyArray1::from_slice(py, self.0.column(name).or_raise(py)?))
    }

    /// The summary as JSON.
    fn summary_text(&self, py: Python<'_>) -> PyResult<String> {
        serde_json::to_string(self.0.summary()).map_err(|error| exception(py, "RunError", error, []))
    }

    /// Whether the run reached its end, or an event that was to end it.
    #[getter]
    fn complete(&self) -> bool {
        self.0.is_complete()
    }

    /// Folder of the files; None where results are in memory alone.
    #[getter]
    fn folder(&self) -> Option<String> {
        self.0.folder().map(|path| path.display().to_string())
    }

    /// The page to open in a browser; None where it was not asked for.
    #[getter]
    fn report(&self) -> Option<String> {
        self.0.report().map(|path| path.display().to_string())
    }
}

/// Looks for Ctrl-C, and hands progress and warnings on.
struct Watcher {
    interrupt: Interrupt,
    progress: Option<Py<PyAny>>,
    looked: Instant,
    /// What ended the run from Python.
    raised: Option<PyErr>,
    warnings: Vec<String>,
}

impl Observer for Watcher {
    fn progress(&mut self, progress: Progress) {
        if self.raised.is_some() || self.looked.elapsed() < LOOK {
            return;
        }
        self.looked = Instant::now();
        let done = Python::attach(|py| {
            py.check_signals()?;
            let call = self.progress.as_ref().map(|call| call.call1(py, (progress.time, progress.end)));
            call.transpose().map(drop)
        });
        if let Err(error) = done {
            self.raised = Some(error);
            self.interrupt.interrupt();
        }
    }

    fn warning(&mut self, warning: &Warning) {
        self.warnings.push(warning.text.clone());
    }
}

/// Runs a scenario; `supple.simulate` describes it.
#[pyfunction]
#[pyo3(signature = (file, *, changes = None, folder = None, replace = false, resume = false, report = false, compiled = false, progress = None))]
#[allow(clippy::too_many_arguments)] // keywords of one call in Python
pub fn run_scenario(
    py: Python<'_>,
    file: PathBuf,
    changes: Option<Changes>,
    folder: Option<PathBuf>,
    replace: bool,
    resume: bool,
    report: bool,
    compiled: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Py<RunResults>, Vec<String>)> {
    if replace && resume {
        return Err(bad_argument(py, "results cannot be both replaced and resumed", "omit one of the two"));
    }
    let existing = match (replace, resume) {
        (true, _) => Existing::Replace,
        (_, true) => Existing::Resume,
        _ => Existing::Refuse,
    };
    let changes = changes.map_or_else(|| Ok(Vec::new()), |changes| changes.parse(py))?;
    let interrupt = Interrupt::default();
    let options = Options {
        changes,
        output: folder.map_or(Output::Memory, Output::Folder),
        existing,
        report,
        formulation: if compiled { Formulation::Compiled(Code::default()) } else { Formulation::default() },
        interrupt: interrupt.clone(),
        ..Options::default()
    };
    let mut watcher = Watcher { interrupt, progress, looked: Instant::now(), raised: None, warnings: Vec::new() };
    let results = py.detach(|| -> Result<_, supple_run::RunError> {
        let scenario = supple_run::read_changed(&file, &options.changes)?;
        Ok(Run::new(&scenario, &file, &options)?.go(&mut watcher))
    });
    let results = results.or_raise(py)?;
    if let Some(error) = watcher.raised {
        return Err(error);
    }
    let (complete, outcome) = (results.is_complete(), results.outcome().clone());
    let results = Py::new(py, RunResults(results))?;
    if !complete {
        let text = match outcome {
            supple_run::Outcome::Failed(message) => message,
            other => format!("the run ended early: {other:?}"),
        };
        let kept = field(py, "results", results.clone_ref(py));
        return Err(exception(py, "RunError", text, [field(py, "kind", "EndedEarly"), kept]));
    }
    Ok((results, watcher.warnings))
}
