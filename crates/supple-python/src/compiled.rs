//! Verbs compiled for one model by the C compiler of the system.

use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use supple::Inputs;
use supple_compile::Verb;
use supple_compile::native::{self, CallError, Compile, CompileError, Memory};

use crate::dynamics::state_of;
use crate::errors::{OrRaise, Raise, bad_argument, exception, field};
use crate::model::Model;
use crate::{arrays, inputs};

/// A verb of one model as compiled code: made by `model.compiled(verb)`, called as the verb is.
///
/// >>> import supple
/// >>> model = supple.load("examples/double-pendulum/pendulum.toml")
/// >>> dynamics = model.compiled("forward_dynamics")  # doctest: +SKIP
/// >>> a = dynamics(model.state(), {"pivot": 1.0})  # doctest: +SKIP
#[pyclass(frozen, module = "supple")]
pub struct Compiled {
    compiled: native::Compiled,
    model: Py<Model>,
    /// What calls work in, one for each that runs.
    memory: Mutex<Vec<(Inputs, Memory)>>,
}

impl Raise for CompileError {
    fn raise(&self, py: Python<'_>) -> PyErr {
        exception(py, "UnsupportedError", self, [])
    }
}

impl Raise for CallError {
    fn raise(&self, py: Python<'_>) -> PyErr {
        exception(py, "DynamicsError", self, [field(py, "kind", "Refused")])
    }
}

impl Compiled {
    /// Records a verb of a model and compiles it, or takes what was compiled before.
    pub fn new(model: &Bound<'_, Model>, verb: &str) -> PyResult<Self> {
        let py = model.py();
        let verb: Verb = verb.parse().map_err(|error| bad_argument(py, error, "`supple compile --list` names them"))?;
        let engine = &model.get().engine;
        let compiled = py.detach(|| engine.compiled(&verb)).or_raise(py)?;
        Ok(Self { compiled, model: model.clone().unbind(), memory: Mutex::default() })
    }
}

#[pymethods]
impl Compiled {
    /// What the verb gives at a state, in the order of `outputs`; `forces`, `accelerations` and `out` as in the verbs; it takes no wrenches. `step` is the length of a step, s, for
    /// verbs that make one.
    #[pyo3(signature = (state, forces = None, *, accelerations = None, step = 1e-3, out = None))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        state: &Bound<'py, PyAny>,
        forces: Option<&Bound<'py, PyAny>>,
        accelerations: Option<&Bound<'py, PyAny>>,
        step: f64,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let model = self.model.bind(py);
        let state = state_of(model, state)?;
        let kept = self.memory.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut lent = kept.unwrap_or_else(|| (Inputs::new(&model.get().engine), self.compiled.memory()));
        let mut call = || {
            let (given, memory) = &mut lent;
            inputs::numbers(model.get(), "forces", forces, &mut given.forces)?;
            inputs::numbers(model.get(), "accelerations", accelerations, &mut given.accelerations)?;
            memory.step = step;
            arrays::vector(py, self.compiled.call(&state.engine, given, memory).or_raise(py)?, out)
        };
        let done = call();
        self.memory.lock().unwrap_or_else(PoisonError::into_inner).push(lent);
        done
    }

    /// Names of what comes out.
    #[getter]
    fn outputs(&self) -> Vec<String> {
        self.compiled.native().outputs().iter().map(|signal| signal.name.clone()).collect()
    }

    /// The library that was compiled.
    #[getter]
    fn library(&self) -> String {
        self.compiled.native().path().display().to_string()
    }

    fn __repr__(&self) -> String {
        format!("Compiled(outputs={})", self.compiled.native().outputs().len())
    }
}
