//! Equilibria, linear models and system modes.

use numpy::{Complex64, PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use supple::Inputs;
use supple_linear::{Complex, Matrix, Selection, Signal, StateSpace, equilibrium, linearize, lock, system_modes};

use crate::dynamics::state_of;
use crate::errors::OrRaise;
use crate::model::Model;
use crate::state::State;
use crate::{arrays, inputs};

/// What acts and which hinges are locked, as all functions here take it.
pub fn operating(
    model: &Bound<'_, Model>,
    forces: Option<&Bound<'_, PyAny>>,
    wrenches: Option<&Bound<'_, PyDict>>,
    locked: &[String],
) -> PyResult<Inputs> {
    let this = model.get();
    let mut acting = Inputs::new(&this.engine);
    inputs::numbers(this, "forces", forces, &mut acting.forces)?;
    inputs::wrenches(this, wrenches, &mut acting)?;
    let names: Vec<&str> = locked.iter().map(String::as_str).collect();
    lock(&this.engine, &mut acting, &names).or_raise(model.py())?;
    Ok(acting)
}

fn names(signals: &[Signal]) -> Vec<(&str, &str)> {
    signals.iter().map(|signal| (signal.name.as_str(), signal.unit.as_str())).collect()
}

fn dictionary<'py>(py: Python<'py>, linear: &StateSpace) -> PyResult<Bound<'py, PyDict>> {
    let out = PyDict::new(py);
    let matrix = |m: &Matrix| arrays::matrix(py, m.rows(), m.columns(), m.as_slice());
    for (name, m) in [("A", &linear.a), ("B", &linear.b), ("C", &linear.c), ("D", &linear.d)] {
        out.set_item(name, matrix(m)?)?;
    }
    out.set_item("states", names(&linear.states))?;
    out.set_item("inputs", names(&linear.inputs))?;
    out.set_item("outputs", names(&linear.outputs))?;
    let point = &linear.operating_point;
    for (name, values) in [("x", &point.x), ("u", &point.u), ("y", &point.y)] {
        out.set_item(name, PyArray1::from_slice(py, values))?;
    }
    Ok(out)
}

/// Matrices and names of a linear model.
#[pyfunction]
#[pyo3(signature = (model, state, inputs, outputs, *, forces = None, wrenches = None, locked = Vec::new()))]
pub fn linearize_parts<'py>(
    model: &Bound<'py, Model>,
    state: &Bound<'py, PyAny>,
    inputs: Vec<String>,
    outputs: Vec<String>,
    forces: Option<&Bound<'py, PyAny>>,
    wrenches: Option<&Bound<'py, PyDict>>,
    locked: Vec<String>,
) -> PyResult<Bound<'py, PyDict>> {
    let (py, engine) = (model.py(), &model.get().engine);
    let at = state_of(model, state)?.engine.clone();
    let acting = operating(model, forces, wrenches, &locked)?;
    let selection = Selection { inputs, outputs };
    let linear = py.detach(|| linearize(engine, &at, &acting, &selection)).or_raise(py)?;
    dictionary(py, &linear)
}

/// Names and units of what `linearize` takes as inputs, and as outputs.
#[pyfunction]
pub fn signals(model: &Bound<'_, Model>) -> [Vec<(String, String)>; 2] {
    let engine = &model.get().engine;
    let list = |signals: Vec<Signal>| signals.into_iter().map(|signal| (signal.name, signal.unit)).collect();
    [list(supple_linear::input_signals(engine)), list(supple_linear::output_signals(engine))]
}

fn complex<'py>(
    py: Python<'py>,
    rows: usize,
    columns: usize,
    values: impl Iterator<Item = Complex>,
) -> PyResult<Bound<'py, PyAny>> {
    let flat: Vec<Complex64> = values.map(|z| Complex64::new(z.re, z.im)).collect();
    Ok(PyArray1::from_vec(py, flat).reshape([rows, columns])?.into_any())
}

/// Arrays and names of the modes of a system.
#[pyfunction]
#[pyo3(signature = (model, state, *, forces = None, wrenches = None, locked = Vec::new()))]
pub fn modes_parts<'py>(
    model: &Bound<'py, Model>,
    state: &Bound<'py, PyAny>,
    forces: Option<&Bound<'py, PyAny>>,
    wrenches: Option<&Bound<'py, PyDict>>,
    locked: Vec<String>,
) -> PyResult<Bound<'py, PyDict>> {
    let (py, engine) = (model.py(), &model.get().engine);
    let at = state_of(model, state)?.engine.clone();
    let acting = operating(model, forces, wrenches, &locked)?;
    let found = py.detach(|| system_modes(engine, &at, &acting)).or_raise(py)?;
    let modes = &found.modes;
    let (count, n) = (modes.len(), found.coordinates.len());
    let out = PyDict::new(py);
    let list = |values: Vec<f64>| PyArray1::from_vec(py, values);
    let eigenvalues: Vec<Complex64> =
        modes.iter().map(|mode| Complex64::new(mode.eigenvalue.re, mode.eigenvalue.im)).collect();
    out.set_item("eigenvalues", PyArray1::from_vec(py, eigenvalues))?;
    out.set_item("frequencies", list(modes.iter().map(|mode| mode.frequency).collect()))?;
    out.set_item("damping_ratios", list(modes.iter().map(|mode| mode.damping_ratio).collect()))?;
    out.set_item("shapes", complex(py, count, n, modes.iter().flat_map(|mode| mode.shape.iter().copied()))?)?;
    let masses: Vec<f64> = modes.iter().flat_map(|mode| mode.effective_mass).collect();
    out.set_item("effective_masses", arrays::matrix(py, count, 6, &masses)?)?;
    let shares: Vec<f64> = modes.iter().flat_map(|mode| mode.participation.iter().copied()).collect();
    out.set_item("participation", arrays::matrix(py, count, n, &shares)?)?;
    let shares: Vec<f64> = modes.iter().flat_map(|mode| mode.body_participation.iter().copied()).collect();
    out.set_item("body_participation", arrays::matrix(py, count, found.bodies.len(), &shares)?)?;
    let nodes = modes.iter().flat_map(|mode| mode.node_shapes.iter().flatten().copied());
    out.set_item("node_shapes", complex(py, count, 6 * found.nodes.len(), nodes)?)?;
    out.set_item("coordinates", found.coordinates.iter().map(|signal| signal.name.as_str()).collect::<Vec<_>>())?;
    out.set_item("bodies", &found.bodies)?;
    out.set_item("nodes", &found.nodes)?;
    Ok(out)
}

/// A state in which nothing accelerates.
#[pyclass(frozen, module = "supple")]
pub struct Equilibrium {
    found: supple_linear::Equilibrium,
    model: Py<Model>,
}

#[pymethods]
impl Equilibrium {
    /// The state, a copy.
    #[getter]
    fn state(&self, py: Python<'_>) -> State {
        State::of(self.found.state.clone(), self.model.bind(py))
    }

    /// Forces of the drives at each speed: those given, and those that hold locked hinges.
    #[getter]
    fn forces<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.found.forces)
    }

    /// Whether no small motion about it grows.
    #[getter]
    fn stable(&self) -> bool {
        self.found.stable
    }

    /// Directions in which nothing resists, so that it stays wherever it is put: the coordinates that move most, joined by `+`.
    #[getter]
    fn neutral(&self) -> Vec<String> {
        self.found.neutral.clone()
    }

    /// Largest real part of the eigenvalues of small motions, 1/s.
    #[getter]
    fn growth(&self) -> f64 {
        self.found.growth
    }

    /// Size of the forces that are left, as a part of the loads.
    #[getter]
    fn residual(&self) -> f64 {
        self.found.residual
    }

    /// Steps that were taken.
    #[getter]
    fn iterations(&self) -> usize {
        self.found.iterations
    }
}

/// An equilibrium near a state, with large rotations. Hinges named in `locked` (patterns take *) are held.
///
/// >>> import supple
/// >>> model = supple.load("examples/double-pendulum/pendulum.toml")
/// >>> hanging = supple.equilibrium(model, model.state())
/// >>> hanging.stable, round(float(supple.kinematics(model, hanging.state).position("lower.tip")[1]), 3)
/// (True, -2.0)
#[pyfunction]
#[pyo3(signature = (model, state, *, forces = None, wrenches = None, locked = Vec::new()), name = "equilibrium")]
pub fn find_equilibrium<'py>(
    model: &Bound<'py, Model>,
    state: &Bound<'py, PyAny>,
    forces: Option<&Bound<'py, PyAny>>,
    wrenches: Option<&Bound<'py, PyDict>>,
    locked: Vec<String>,
) -> PyResult<Equilibrium> {
    let (py, engine) = (model.py(), &model.get().engine);
    let at = state_of(model, state)?.engine.clone();
    let acting = operating(model, forces, wrenches, &locked)?;
    let found = py.detach(|| equilibrium(engine, &at, &acting)).or_raise(py)?;
    Ok(Equilibrium { found, model: model.clone().unbind() })
}
