//! Verbs of the dynamics, on one state or on a batch.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use supple::{DenseWorkspace, Terms};

use crate::batch::States;
use crate::errors::{OrRaise, bad_argument};
use crate::model::{Model, Scratch};
use crate::state::State;
use crate::{arrays, inputs};

/// The state of a call; refused where it belongs to another model.
pub fn state_of<'py>(model: &Bound<'py, Model>, state: &Bound<'py, PyAny>) -> PyResult<PyRef<'py, State>> {
    let py = model.py();
    let Ok(state) = state.cast::<State>() else {
        let text = format!("this is a {}, and no state", state.get_type());
        return Err(bad_argument(py, text, "make one with model.state(), or many with model.batch(n)"));
    };
    let state = state.borrow();
    if !state.model.is(model) && state.engine.stamp != model.get().engine.stamp() {
        return Err(bad_argument(py, "the state belongs to another model", "make one with model.state()"));
    }
    Ok(state)
}

/// Accelerations from forces, by the articulated-body recursion in O(bodies).
///
/// `forces` is an array with one number per speed, a dictionary by the names of hinges and motors, or None. `wrenches` maps nodes to moment and force
/// in inertial axes: `{"boom.tip": [0, 0, 0, 0, 0, -10]}`. With `model.batch(n)` as state, all arrays have n rows.
///
/// >>> import supple
/// >>> model = supple.load("examples/double-pendulum/pendulum.toml")
/// >>> state = model.state()
/// >>> a = supple.forward_dynamics(model, state, {"pivot": 1.0})
/// >>> T = supple.inverse_dynamics(model, state, a)
/// >>> bool(abs(T[model.hinge_speeds("pivot")][0] - 1.0) < 1e-9)
/// True
#[pyfunction]
#[pyo3(signature = (model, state, forces = None, *, wrenches = None, out = None))]
pub fn forward_dynamics<'py>(
    model: &Bound<'py, Model>,
    state: &Bound<'py, PyAny>,
    forces: Option<&Bound<'py, PyAny>>,
    wrenches: Option<&Bound<'py, PyDict>>,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, this) = (model.py(), model.get());
    if let Ok(states) = state.cast::<States>() {
        no_wrenches(py, wrenches)?;
        return states.borrow_mut().forward_dynamics(model, forces, out);
    }
    let state = state_of(model, state)?;
    this.with_scratch(|Scratch { workspace, inputs, .. }| {
        inputs::numbers(this, "forces", forces, &mut inputs.forces)?;
        inputs::wrenches(this, wrenches, inputs)?;
        let solution = supple::forward_dynamics(&this.engine, &state.engine, inputs, workspace).or_raise(py)?;
        arrays::vector(py, solution.accelerations(), out)
    })
}

fn no_wrenches(py: Python<'_>, wrenches: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
    match wrenches {
        None => Ok(()),
        Some(_) => Err(bad_argument(py, "batches take no wrenches", "call the verb on single states")),
    }
}

/// The same accelerations by the dense mass matrix: a check, cubic in the number of speeds.
#[pyfunction]
#[pyo3(signature = (model, state, forces = None, *, wrenches = None, out = None))]
pub fn composite_forward_dynamics<'py>(
    model: &Bound<'py, Model>,
    state: &Bound<'py, PyAny>,
    forces: Option<&Bound<'py, PyAny>>,
    wrenches: Option<&Bound<'py, PyDict>>,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, this) = (model.py(), model.get());
    let state = state_of(model, state)?;
    this.with_scratch(|Scratch { workspace, inputs, dense }| {
        inputs::numbers(this, "forces", forces, &mut inputs.forces)?;
        inputs::wrenches(this, wrenches, inputs)?;
        let dense = dense.get_or_insert_with(|| DenseWorkspace::new(&this.engine));
        let solution = supple::composite_forward_dynamics(&this.engine, &state.engine, inputs, workspace, dense);
        arrays::vector(py, solution.or_raise(py)?.accelerations(), out)
    })
}

/// Forces for given accelerations, in O(bodies).
///
/// `accelerations` as the forces of `forward_dynamics`; None for zero.
#[pyfunction]
#[pyo3(signature = (model, state, accelerations = None, *, wrenches = None, out = None))]
pub fn inverse_dynamics<'py>(
    model: &Bound<'py, Model>,
    state: &Bound<'py, PyAny>,
    accelerations: Option<&Bound<'py, PyAny>>,
    wrenches: Option<&Bound<'py, PyDict>>,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, this) = (model.py(), model.get());
    if let Ok(states) = state.cast::<States>() {
        no_wrenches(py, wrenches)?;
        return states.borrow_mut().inverse_dynamics(model, accelerations, out);
    }
    let state = state_of(model, state)?;
    this.with_scratch(|Scratch { workspace, inputs, .. }| {
        inputs::numbers(this, "accelerations", accelerations, &mut inputs.accelerations)?;
        inputs::wrenches(this, wrenches, inputs)?;
        let solution = supple::inverse_dynamics(&this.engine, &state.engine, inputs, workspace).or_raise(py)?;
        arrays::vector(py, solution.forces(), out)
    })
}

/// Accelerations and forces of everything, where the hinges named in `prescribed` have the accelerations given and all others the forces given.
///
/// Gives the pair `(accelerations, forces)`.
#[pyfunction]
#[pyo3(signature = (model, state, forces = None, accelerations = None, *, prescribed, wrenches = None))]
pub fn hybrid_dynamics<'py>(
    model: &Bound<'py, Model>,
    state: &Bound<'py, PyAny>,
    forces: Option<&Bound<'py, PyAny>>,
    accelerations: Option<&Bound<'py, PyAny>>,
    prescribed: Vec<String>,
    wrenches: Option<&Bound<'py, PyDict>>,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let (py, this) = (model.py(), model.get());
    let state = state_of(model, state)?;
    this.with_scratch(|Scratch { workspace, inputs, .. }| {
        inputs::numbers(this, "forces", forces, &mut inputs.forces)?;
        inputs::numbers(this, "accelerations", accelerations, &mut inputs.accelerations)?;
        inputs::wrenches(this, wrenches, inputs)?;
        inputs::prescribed(this, &prescribed, py, inputs)?;
        let solution = supple::hybrid_dynamics(&this.engine, &state.engine, inputs, workspace);
        inputs.prescribed.fill(false);
        let solution = solution.or_raise(py)?;
        Ok((arrays::vector(py, solution.accelerations(), None)?, arrays::vector(py, solution.forces(), None)?))
    })
}

/// Forces at zero acceleration: the sum of the terms chosen, all by default.
///
/// `terms` names some of "velocity", "elastic", "damping", "gravity", "external", "elements".
#[pyfunction]
#[pyo3(signature = (model, state, terms = None, *, wrenches = None, out = None))]
pub fn bias_forces<'py>(
    model: &Bound<'py, Model>,
    state: &Bound<'py, PyAny>,
    terms: Option<Vec<String>>,
    wrenches: Option<&Bound<'py, PyDict>>,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, this) = (model.py(), model.get());
    let state = state_of(model, state)?;
    let chosen = terms.map_or(Ok(Terms::ALL), |names| terms_of(py, &names))?;
    this.with_scratch(|Scratch { workspace, inputs, .. }| {
        inputs::wrenches(this, wrenches, inputs)?;
        let solution = supple::bias_forces(&this.engine, &state.engine, inputs, chosen, workspace).or_raise(py)?;
        arrays::vector(py, solution.forces(), out)
    })
}

fn terms_of(py: Python<'_>, names: &[String]) -> PyResult<Terms> {
    let mut chosen =
        Terms { velocity: false, elastic: false, damping: false, gravity: false, external: false, elements: false };
    for name in names {
        let term = match name.as_str() {
            "velocity" => &mut chosen.velocity,
            "elastic" => &mut chosen.elastic,
            "damping" => &mut chosen.damping,
            "gravity" => &mut chosen.gravity,
            "external" => &mut chosen.external,
            "elements" => &mut chosen.elements,
            _ => {
                let remedy = "terms are velocity, elastic, damping, gravity, external, elements";
                return Err(bad_argument(py, format!("unknown term '{name}'"), remedy));
            }
        };
        *term = true;
    }
    Ok(chosen)
}

/// The mass matrix, n x n; of a batch, instances x n x n.
#[pyfunction]
#[pyo3(signature = (model, state, *, out = None))]
pub fn mass_matrix<'py>(
    model: &Bound<'py, Model>,
    state: &Bound<'py, PyAny>,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, this) = (model.py(), model.get());
    if let Ok(states) = state.cast::<States>() {
        return states.borrow_mut().mass_matrix(model, out);
    }
    let state = state_of(model, state)?;
    let n = this.engine.speed_count();
    this.with_scratch(|Scratch { workspace, dense, .. }| {
        let dense = dense.get_or_insert_with(|| DenseWorkspace::new(&this.engine));
        let fill = |into: &mut [f64]| supple::mass_matrix(&this.engine, &state.engine, workspace, dense, into);
        let (array, done) = arrays::filled(py, &[n, n], out, fill)?;
        done.or_raise(py)?;
        Ok(array)
    })
}
