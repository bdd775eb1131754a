//! Studies: their runs by number, for sweeps over threads, processes and machines.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use numpy::ndarray::ArrayView1;
use numpy::{PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use supple_run::sweep::{self, Row, RunStatus, Runner};
use supple_run::{Formulation, Interrupt};

use crate::arrays;
use crate::errors::{OrRaise, bad_argument, exception};
use crate::model::Changes;

/// Every way in which a run ends; their places are the numbers in rows.
const STATUSES: [RunStatus; 3] = [RunStatus::Finished, RunStatus::Stopped, RunStatus::Failed];

/// Numbers (runs x columns), columns of texts by their places, statuses, and messages by runs.
type Rows<'py> =
    (Bound<'py, PyArray2<f64>>, BTreeMap<usize, Vec<String>>, Bound<'py, PyArray1<u8>>, BTreeMap<u64, String>);

/// A study that was read and checked; `supple.sweep` makes its runs.
#[pyclass(frozen, module = "supple")]
pub struct Study {
    study: sweep::Study,
    /// Runners of earlier calls, one for each call that runs.
    runners: Mutex<Vec<Runner>>,
    interrupt: Interrupt,
}

impl Study {
    fn numeric_columns(&self) -> Vec<bool> {
        let varied = self.study.names().len();
        (0..self.study.columns().len()).map(|i| i >= varied || self.study.is_number(i)).collect()
    }

    fn is_on_gpu(&self) -> bool {
        self.study.option() == Some("--gpu")
    }

    /// The rows of some runs.
    fn rows(&self, py: Python<'_>, first: u64, end: u64) -> PyResult<Vec<Row>> {
        let interrupted = || exception(py, "RunError", "the sweep was interrupted", []);
        if self.is_on_gpu() {
            let runs: Vec<u64> = (first..end).collect();
            let jobs = std::thread::available_parallelism().map_or(1, usize::from);
            let made = py.detach(|| sweep::rows_of(&self.study, &runs, jobs, &self.interrupt)).or_raise(py)?;
            return if made.len() == runs.len() { Ok(made) } else { Err(interrupted()) };
        }
        let kept = self.runners.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut runner = kept.unwrap_or_else(|| Runner::new(&self.study));
        let mut made = Vec::new();
        for run in first..end {
            made.push(py.detach(|| runner.run_until(run, &self.interrupt)).ok_or_else(interrupted)?);
            py.check_signals()?;
        }
        self.runners.lock().unwrap_or_else(PoisonError::into_inner).push(runner);
        Ok(made)
    }
}

#[pymethods]
impl Study {
    #[new]
    #[pyo3(signature = (file, *, changes = None, compiled = false, gpu = false))]
    fn new(py: Python<'_>, file: PathBuf, changes: Option<Changes>, compiled: bool, gpu: bool) -> PyResult<Self> {
        if compiled && gpu {
            return Err(bad_argument(py, "runs are made by generated code or on a GPU", "give compiled or gpu"));
        }
        let changes = changes.map_or_else(|| Ok(Vec::new()), |changes| changes.parse(py))?;
        let read = || {
            let study = sweep::Study::read_changed(&file, &changes)?;
            match (compiled, gpu) {
                (true, _) => study.compiled(),
                (false, true) => study.on_gpu(0),
                (false, false) => Ok(study),
            }
        };
        let study = py.detach(read).or_raise(py)?;
        Ok(Self { study, runners: Mutex::default(), interrupt: Interrupt::default() })
    }

    /// Whether its runs are made by generated code.
    #[getter]
    fn compiled(&self) -> bool {
        matches!(self.study.formulation(), Formulation::Compiled(_))
    }

    /// Whether its runs are made on a GPU.
    #[getter]
    fn gpu(&self) -> bool {
        self.is_on_gpu()
    }

    /// Number of runs.
    #[getter]
    fn runs(&self) -> u64 {
        self.study.runs()
    }

    /// Everything that makes its rows what they are.
    #[getter]
    fn fingerprint(&self) -> u64 {
        self.study.fingerprint()
    }

    /// Names, units and meanings of the columns: what varies, then the extracted numbers.
    #[getter]
    fn columns(&self) -> Vec<(&str, &str, &str)> {
        let columns = self.study.columns().iter();
        columns.map(|c| (c.name.as_str(), c.unit.as_str(), c.description.as_str())).collect()
    }

    /// Whether each column has numbers; else it has texts.
    #[getter]
    fn numeric(&self) -> Vec<bool> {
        self.numeric_columns()
    }

    /// Names of what varies.
    #[getter]
    fn varied(&self) -> Vec<&str> {
        self.study.names().collect()
    }

    /// The files that the study depends on, itself first.
    #[getter]
    fn files(&self) -> Vec<String> {
        let others = self.study.inputs().iter().map(|(path, _)| path.as_path());
        std::iter::once(self.study.path()).chain(others).map(|path| path.display().to_string()).collect()
    }

    /// Words of the statuses in rows.
    #[getter]
    fn status_words(&self) -> Vec<&'static str> {
        STATUSES.iter().map(|status| status.word()).collect()
    }

    /// Makes the runs from `first` up to `end`, without the lock of the interpreter. Several threads may do so at once.
    fn run_range<'py>(&self, py: Python<'py>, first: u64, end: u64) -> PyResult<Rows<'py>> {
        if first > end || end > self.study.runs() {
            let text = format!("runs {first} to {end} of a study with {} runs", self.study.runs());
            return Err(bad_argument(py, text, "give a range within them"));
        }
        let numeric = self.numeric_columns();
        let columns = numeric.len();
        let mut texts: BTreeMap<usize, Vec<String>> =
            (0..columns).filter(|i| !numeric[*i]).map(|i| (i, Vec::new())).collect();
        let (mut numbers, mut statuses, mut messages) = (Vec::new(), Vec::new(), BTreeMap::new());
        for row in self.rows(py, first, end)? {
            let Row { run, values, numbers: extracted, status, message } = row;
            numbers.extend(values.iter().map(|value| value.number.unwrap_or(f64::NAN)).chain(extracted));
            for (column, list) in &mut texts {
                list.push(values[*column].text.trim_matches('"').to_owned());
            }
            statuses.push(STATUSES.iter().position(|known| *known == status).unwrap_or_default() as u8);
            if !message.is_empty() {
                messages.insert(run, message);
            }
        }
        let numbers = arrays::matrix(py, statuses.len(), columns, &numbers)?;
        Ok((numbers, texts, PyArray1::from_slice(py, &statuses), messages))
    }

    /// Statistics of rows as JSON, as `supple sweep` writes them: the runs from `first` on, their extracted numbers, statuses and messages.
    fn summary_text(
        &self,
        py: Python<'_>,
        first: u64,
        numbers: PyReadonlyArray2<'_, f64>,
        statuses: PyReadonlyArray1<'_, u8>,
        messages: BTreeMap<u64, String>,
    ) -> PyResult<String> {
        let varied = self.study.names().len();
        let row = |(i, (numbers, status)): (usize, (ArrayView1<'_, f64>, &u8))| {
            let run = first + i as u64;
            Row {
                run,
                values: self.study.values(run),
                numbers: numbers.iter().skip(varied).copied().collect(),
                status: STATUSES.get(usize::from(*status)).copied().unwrap_or(RunStatus::Failed),
                message: messages.get(&run).cloned().unwrap_or_default(),
            }
        };
        let (numbers, statuses) = (numbers.as_array(), statuses.as_array());
        let rows: Vec<Row> = numbers.rows().into_iter().zip(statuses).enumerate().map(row).collect();
        let summary = py.detach(|| sweep::SweepSummary::of(&self.study, &rows));
        serde_json::to_string(&summary).map_err(|error| exception(py, "RunError", error, []))
    }

    /// Ends runs that other threads make; they raise `RunError`. No run can be made afterwards.
    fn interrupt(&self) {
        self.interrupt.interrupt();
    }

    fn __repr__(&self) -> String {
        format!("Study('{}', runs={})", self.study.name(), self.study.runs())
    }
}
