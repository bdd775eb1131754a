//! Simulations driven from Python: drives that act at all times, controllers that are called at instants.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use supple::integrate::{self, Block, Blocks, Drive, Measured, Role, Sampled, Scheme, Stepping, Tolerance};
use supple::{Inputs, State as EngineState};

use crate::dynamics::state_of;
use crate::errors::{OrRaise, bad_argument};
use crate::model::Model;
use crate::state::State;
use crate::{arrays, inputs, python_error};

/// How long a simulation runs before it looks for Ctrl-C.
const LOOK: Duration = Duration::from_millis(50);
/// Most rows that are recorded in one call.
const MOST_ROWS: usize = 10_000_000;

/// A function in Python that gives forces from the state.
struct Function {
    function: Py<PyAny>,
    /// The state that it is shown, the same object in every call.
    shown: Py<State>,
    model: Py<Model>,
}

impl Function {
    fn new(model: &Bound<'_, Model>, function: Py<PyAny>) -> PyResult<Self> {
        let py = model.py();
        if !function.bind(py).is_callable() {
            return Err(bad_argument(py, "a drive or controller is no function", "give a function of time and state"));
        }
        let shown = Py::new(py, State::at_rest(model))?;
        Ok(Self { function, shown, model: model.clone().unbind() })
    }

    /// Writes the forces. What the function raises is kept; forces are then not finite, and the function is not called again.
    fn forces(&self, state: &EngineState, out: &mut [f64]) {
        if python_error::is_pending() {
            return out.fill(f64::NAN);
        }
        let done = Python::attach(|py| {
            {
                let mut shown = self.shown.borrow_mut(py);
                shown.engine.time = state.time;
                shown.engine.coordinates.copy_from_slice(&state.coordinates);
                shown.engine.speeds.copy_from_slice(&state.speeds);
                shown.engine.attitudes.copy_from_slice(&state.attitudes);
                shown.engine.closed.copy_from_slice(&state.closed);
            }
            let given = self.function.bind(py).call1((state.time, &self.shown))?;
            let given = (!given.is_none()).then_some(&given);
            inputs::numbers(self.model.get(), "forces of a drive or controller", given, out)?;
            match out.iter().position(|x| !x.is_finite()) {
                Some(i) => {
                    let text = format!("the force at speed {i} from a drive or controller is {}", out[i]);
                    Err(bad_argument(py, text, "return finite numbers"))
                }
                None => Ok(()),
            }
        });
        if let Err(error) = done {
            python_error::keep(error);
            out.fill(f64::NAN);
        }
    }
}

/// What acts at all times.
struct PythonDrive {
    function: Option<Function>,
    constant: Vec<f64>,
}

impl Drive for PythonDrive {
    fn drive(&mut self, state: &EngineState, inputs: &mut Inputs) {
        match &self.function {
            Some(function) => function.forces(state, &mut inputs.forces),
            None => inputs.forces.copy_from_slice(&self.constant),
        }
    }
}

impl Sampled for Function {
    fn sample(&mut self, measured: &Measured<'_>, outputs: &mut [f64]) {
        self.forces(measured.state, outputs);
    }
}

/// The scheme of a name, as scenario files call it.
fn scheme(py: Python<'_>, name: &str) -> PyResult<Scheme> {
    Ok(match name {
        "automatic" => Scheme::Automatic,
        "dormand-prince" => Scheme::DormandPrince,
        "prince-dormand8" => Scheme::PrinceDormand8,
        "rk4" => Scheme::RungeKutta4,
        "generalized-alpha" => Scheme::generalized_alpha(0.8),
        "linearly-implicit" => Scheme::LinearlyImplicit,
        "exponential" => Scheme::Exponential,
        "exponential-adams" => Scheme::ExponentialAdams,
        "gauss" => Scheme::gauss(3),
        "adams" => Scheme::Adams,
        "bdf" => Scheme::Bdf,
        _ => {
            let remedy = "take automatic, dormand-prince, prince-dormand8, rk4, generalized-alpha, linearly-implicit, exponential, \
                          exponential-adams, gauss, adams or bdf";
            return Err(bad_argument(py, format!("unknown integrator '{name}'"), remedy));
        }
    })
}

/// A model in motion. Forces come from a function, `drive(time, state)`, at all times, or from controllers at instants.
///
/// `drive` gives an array of forces, a dictionary by the names of hinges and motors, or None. The state that it is shown is one object that changes; copy it to
/// keep it. Instead of a function, `forces` that do not change may be given. Hinges named in `locked` (patterns take *) go on at the speeds they have.
///
/// >>> import supple
/// >>> model = supple.load("examples/double-pendulum/pendulum.toml")
/// >>> run = supple.Simulation(model, model.state(), drive=lambda time, state: {"pivot": -state["speed.pivot"]})
/// >>> run.advance(0.1)
/// >>> round(run.state.time, 6)
/// 0.1
#[pyclass(frozen, subclass, module = "supple")]
pub struct Simulation {
    run: Mutex<integrate::Simulation>,
    blocks: Mutex<Vec<(Function, f64, f64)>>,
    model: Py<Model>,
}

/// Rows of a motion: times, coordinates and speeds.
struct Rows {
    times: Vec<f64>,
    coordinates: Vec<f64>,
    speeds: Vec<f64>,
}

impl Simulation {
    fn with<R>(&self, work: impl FnOnce(&mut integrate::Simulation) -> R) -> R {
        work(&mut self.run.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Hands the controllers that were added to the engine, once.
    fn connect(&self, py: Python<'_>) -> PyResult<()> {
        let added = std::mem::take(&mut *self.blocks.lock().unwrap_or_else(PoisonError::into_inner));
        if added.is_empty() {
            return Ok(());
        }
        let n = self.model.get().engine.speed_count();
        let mut blocks = Blocks::new();
        for (i, (function, period, delay)) in added.into_iter().enumerate() {
            let block = Block::new(format!("controller {i}"), Role::Controller, period, n, function);
            blocks.add((0..n).fold(block.delayed(delay / period), |block, speed| block.acts(speed, speed)));
        }
        py.detach(|| self.with(|run| run.set_blocks(blocks))).or_raise(py)
    }

    /// Steps to `end`, recording rows at `times`; looks for Ctrl-C now and then.
    fn go(&self, py: Python<'_>, end: f64, times: &[f64]) -> PyResult<Rows> {
        drop(python_error::take());
        self.connect(py)?;
        let mut rows = Rows { times: Vec::new(), coordinates: Vec::new(), speeds: Vec::new() };
        let mut rest = times;
        loop {
            let done = py.detach(|| {
                self.with(|run| {
                    let begun = Instant::now();
                    record(run, &mut rest, &mut rows)?;
                    while run.state().time < end && begun.elapsed() < LOOK {
                        run.advance_step(end)?;
                        record(run, &mut rest, &mut rows)?;
                    }
                    Ok(run.state().time >= end)
                })
            });
            let done: Result<bool, integrate::IntegrationError> = done;
            let finished = done.or_raise(py)?;
            if let Some(error) = python_error::take() {
                return Err(error);
            }
            py.check_signals()?;
            if finished {
                return Ok(rows);
            }
        }
    }
}

/// Rows at the times that the last step has passed.
fn record(
    run: &mut integrate::Simulation,
    rest: &mut &[f64],
    rows: &mut Rows,
) -> Result<(), integrate::IntegrationError> {
    while let [first, others @ ..] = *rest {
        let now = run.state().time;
        if *first > now {
            break;
        }
        let state = if *first == now { run.state() } else { run.sample(*first)? };
        rows.times.push(*first);
        rows.coordinates.extend_from_slice(&state.coordinates);
        rows.speeds.extend_from_slice(&state.speeds);
        *rest = others;
    }
    Ok(())
}

/// Times, coordinates and speeds of recorded rows.
type RowArrays<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>);

#[pymethods]
impl Simulation {
    #[new]
    #[pyo3(signature = (model, state, *, drive = None, forces = None, locked = Vec::new(), integrator = "automatic", relative_tolerance = 1e-8, absolute_tolerance = 1e-10, step = None))]
    #[allow(clippy::too_many_arguments)] // keywords of one call in Python
    fn new<'py>(
        model: &Bound<'py, Model>,
        state: &Bound<'py, PyAny>,
        drive: Option<Py<PyAny>>,
        forces: Option<&Bound<'py, PyAny>>,
        locked: Vec<String>,
        integrator: &str,
        relative_tolerance: f64,
        absolute_tolerance: f64,
        step: Option<f64>,
    ) -> PyResult<Self> {
        let (py, this) = (model.py(), model.get());
        if drive.is_some() && forces.is_some() {
            return Err(bad_argument(py, "both a drive and forces are given", "omit one of the two"));
        }
        let start = state_of(model, state)?.engine.clone();
        let mut constant = vec![0.0; this.engine.speed_count()];
        inputs::numbers(this, "forces", forces, &mut constant)?;
        let function = drive.map(|function| Function::new(model, function)).transpose()?;
        let stepping = match step {
            Some(step) => Stepping::Fixed(step),
            None => Tolerance { relative: relative_tolerance, absolute: absolute_tolerance }.into(),
        };
        let scheme = scheme(py, integrator)?;
        drop(python_error::take());
        let acting = PythonDrive { function, constant };
        let mut run = integrate::Simulation::new(&this.engine, start, acting, scheme, stepping).or_raise(py)?;
        if !locked.is_empty() {
            let mut held = Inputs::new(&this.engine);
            let names: Vec<&str> = locked.iter().map(String::as_str).collect();
            supple_linear::lock(&this.engine, &mut held, &names).or_raise(py)?;
            run.prescribe(&held.prescribed).or_raise(py)?;
        }
        Ok(Self { run: Mutex::new(run), blocks: Mutex::default(), model: model.clone().unbind() })
    }

    /// Adds a controller, `function(time, state)`, called every `period` seconds; its forces hold in between and arrive after `delay` seconds. To be added
    /// before the first step.
    #[pyo3(signature = (function, period, *, delay = 0.0))]
    fn add_controller(&self, py: Python<'_>, function: Py<PyAny>, period: f64, delay: f64) -> PyResult<()> {
        if !(period.is_finite() && period > 0.0 && delay.is_finite() && delay >= 0.0) {
            let text = format!("a period of {period} s and a delay of {delay} s");
            return Err(bad_argument(py, text, "give a positive period and a delay that is not negative"));
        }
        let function = Function::new(self.model.bind(py), function)?;
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner).push((function, period, delay));
        Ok(())
    }

    /// Integrates to the time `end`. Other threads run meanwhile, and Ctrl-C ends it at the last step.
    fn advance(&self, py: Python<'_>, end: f64) -> PyResult<()> {
        if !end.is_finite() {
            return Err(bad_argument(py, format!("an end at {end}"), "give a finite time"));
        }
        self.go(py, end, &[]).map(drop)
    }

    /// Integrates to the time `end`; gives times, coordinates and speeds at `times`, a row each. `supple.Simulation.run` is the usual way.
    fn advance_recording<'py>(&self, py: Python<'py>, end: f64, times: Vec<f64>) -> PyResult<RowArrays<'py>> {
        if !end.is_finite() || times.iter().any(|t| !t.is_finite()) || times.len() > MOST_ROWS {
            return Err(bad_argument(
                py,
                "times that are not finite, or too many",
                "give at most 10000000 finite times",
            ));
        }
        let rows = self.go(py, end, &times)?;
        let engine = &self.model.get().engine;
        let count = rows.times.len();
        Ok((
            PyArray1::from_slice(py, &rows.times).into_any(),
            arrays::matrix(py, count, engine.coordinate_count(), &rows.coordinates)?.into_any(),
            arrays::matrix(py, count, engine.speed_count(), &rows.speeds)?.into_any(),
        ))
    }

    /// The model.
    #[getter]
    fn model(&self, py: Python<'_>) -> Py<Model> {
        self.model.clone_ref(py)
    }

    /// The state reached, a copy.
    #[getter]
    fn state(&self, py: Python<'_>) -> State {
        State::of(self.with(|run| run.state().clone()), self.model.bind(py))
    }

    /// What is lost from the energy balance so far, J: total energy, less that at the start, less work, plus what was dissipated.
    #[getter]
    fn energy_balance_error(&self, py: Python<'_>) -> PyResult<f64> {
        Ok(self.with(|run| run.ledger()).or_raise(py)?.balance_error())
    }

    /// Steps and evaluations so far.
    #[getter]
    fn statistics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let found = self.with(|run| run.statistics());
        let out = PyDict::new(py);
        for (name, count) in [
            ("accepted", found.accepted),
            ("rejected", found.rejected),
            ("evaluations", found.evaluations),
            ("factorisations", found.factorisations),
        ] {
            out.set_item(name, count)?;
        }
        Ok(out)
    }
}
