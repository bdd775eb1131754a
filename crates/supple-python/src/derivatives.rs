//! Derivatives of the dynamics.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use supple::Derivatives;

use crate::dynamics::state_of;
use crate::errors::OrRaise;
use crate::model::{Model, Scratch};
use crate::{arrays, inputs};

/// Three matrices, n x n: by displacement, by speed, by the third.
type Matrices<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>);

fn matrices<'py>(py: Python<'py>, n: usize, of: &Derivatives) -> PyResult<Matrices<'py>> {
    let matrix = |values: &[f64]| arrays::matrix(py, n, n, values).map(Bound::into_any);
    Ok((matrix(of.displacement())?, matrix(of.speed())?, matrix(of.input())?))
}

/// Derivatives of the accelerations: by displacements, speeds and forces, each n x n.
///
/// Displacements are taken along the manifold of configurations, as `State.displace` moves a state.
///
/// >>> import supple
/// >>> model = supple.load("examples/double-pendulum/pendulum.toml")
/// >>> state = model.state()
/// >>> dq, dv, dforce = supple.forward_dynamics_derivatives(model, state)
/// >>> dq.shape == dv.shape == dforce.shape == (model.speed_count, model.speed_count)
/// True
#[pyfunction]
#[pyo3(signature = (model, state, forces = None, *, wrenches = None))]
pub fn forward_dynamics_derivatives<'py>(
    model: &Bound<'py, Model>,
    state: &Bound<'py, PyAny>,
    forces: Option<&Bound<'py, PyAny>>,
    wrenches: Option<&Bound<'py, PyDict>>,
) -> PyResult<Matrices<'py>> {
    let (py, this) = (model.py(), model.get());
    let state = state_of(model, state)?;
    let mut derivatives = Derivatives::new(&this.engine);
    this.with_scratch(|Scratch { workspace, inputs, .. }| {
        inputs::numbers(this, "forces", forces, &mut inputs.forces)?;
        inputs::wrenches(this, wrenches, inputs)?;
        supple::forward_dynamics_derivatives(&this.engine, &state.engine, inputs, workspace, &mut derivatives)
            .map(drop)
            .or_raise(py)
    })?;
    matrices(py, this.engine.speed_count(), &derivatives)
}

/// Derivatives of the forces of `inverse_dynamics`: by displacements, speeds and accelerations, each n x n.
#[pyfunction]
#[pyo3(signature = (model, state, accelerations = None, *, wrenches = None))]
pub fn inverse_dynamics_derivatives<'py>(
    model: &Bound<'py, Model>,
    state: &Bound<'py, PyAny>,
    accelerations: Option<&Bound<'py, PyAny>>,
    wrenches: Option<&Bound<'py, PyDict>>,
) -> PyResult<Matrices<'py>> {
    let (py, this) = (model.py(), model.get());
    let state = state_of(model, state)?;
    let mut derivatives = Derivatives::new(&this.engine);
    this.with_scratch(|Scratch { workspace, inputs, .. }| {
        inputs::numbers(this, "accelerations", accelerations, &mut inputs.accelerations)?;
        inputs::wrenches(this, wrenches, inputs)?;
        supple::inverse_dynamics_derivatives(&this.engine, &state.engine, inputs, workspace, &mut derivatives)
            .map(drop)
            .or_raise(py)
    })?;
    matrices(py, this.engine.speed_count(), &derivatives)
}
