//! States: the one object whose arrays are views.

use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use supple::spatial::Quaternion;

use crate::arrays;
use crate::errors::OrRaise;
use crate::model::{Model, Place};

/// Coordinates, speeds and time of a model. Its arrays are views: what is written into them is in the state.
///
/// >>> import supple
/// >>> model = supple.load("examples/double-pendulum/pendulum.toml")
/// >>> state = model.state()
/// >>> state.hinge("elbow")[:] = 0.3          # coordinates of a hinge
/// >>> state["speed.pivot"] = 1.0          # one variable by its full name
/// >>> state.coordinates[model.hinge_coordinates("elbow")]
/// array([0.3])
#[pyclass(module = "supple")]
pub struct State {
    pub engine: supple::State,
    pub model: Py<Model>,
}

impl State {
    /// At rest.
    pub fn at_rest(model: &Bound<'_, Model>) -> Self {
        Self { engine: supple::State::new(&model.get().engine), model: model.clone().unbind() }
    }

    /// A state of the engine.
    pub fn of(engine: supple::State, model: &Bound<'_, Model>) -> Self {
        Self { engine, model: model.clone().unbind() }
    }

    fn flat_attitudes(&self) -> &[f64] {
        // SAFETY: a quaternion is an array of four numbers and nothing else, at its own alignment.
        const { assert!(size_of::<Quaternion<f64>>() == 32) };
        unsafe { std::slice::from_raw_parts(self.engine.attitudes.as_ptr().cast(), 4 * self.engine.attitudes.len()) }
    }
}

/// Which numbers of a state a view shows.
fn part<'py>(this: &Bound<'py, State>, of: impl FnOnce(&State) -> &[f64]) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let borrowed = this.borrow();
    let values = of(&borrowed);
    // SAFETY: the lists of a state never change their length, so their memory stays where it is.
    unsafe { arrays::view(this.clone().into_any(), values.len(), values) }
}

#[pymethods]
impl State {
    #[new]
    fn new(model: &Bound<'_, Model>) -> Self {
        Self::at_rest(model)
    }

    /// The model that it belongs to.
    #[getter]
    fn model(&self, py: Python<'_>) -> Py<Model> {
        self.model.clone_ref(py)
    }

    /// Time, s.
    #[getter]
    fn time(&self) -> f64 {
        self.engine.time
    }

    #[setter]
    fn set_time(&mut self, time: f64) {
        self.engine.time = time;
    }

    /// Coordinates: per body modal coordinates, then those of its hinge. A view.
    #[getter]
    fn coordinates<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        part(this, |state| &state.engine.coordinates)
    }

    #[setter]
    fn set_coordinates(&mut self, py: Python<'_>, values: &Bound<'_, PyAny>) -> PyResult<()> {
        arrays::read(py, "coordinates", values, &mut self.engine.coordinates)
    }

    /// Speeds, in the same order. A view.
    #[getter]
    fn speeds<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        part(this, |state| &state.engine.speeds)
    }

    #[setter]
    fn set_speeds(&mut self, py: Python<'_>, values: &Bound<'_, PyAny>) -> PyResult<()> {
        arrays::read(py, "speeds", values, &mut self.engine.speeds)
    }

    /// Elastic rotations of nodes that are integrated: unit quaternions (x, y, z, w), one row each. A view.
    #[getter]
    fn attitudes<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let borrowed = this.borrow();
        let values = borrowed.flat_attitudes();
        // SAFETY: as for coordinates.
        unsafe { arrays::view(this.clone().into_any(), [values.len() / 4, 4], values) }
    }

    /// Coordinates of a hinge. A view.
    fn hinge<'py>(this: &Bound<'py, Self>, name: &str) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let range = this.borrow().model.get().engine.hinge(name).or_raise(this.py())?.coordinates();
        part(this, |state| &state.engine.coordinates[range])
    }

    /// Speeds of a hinge. A view.
    fn hinge_speeds<'py>(this: &Bound<'py, Self>, name: &str) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let range = this.borrow().model.get().engine.hinge(name).or_raise(this.py())?.speeds();
        part(this, |state| &state.engine.speeds[range])
    }

    /// Modal coordinates of a body. A view.
    fn modes<'py>(this: &Bound<'py, Self>, body: &str) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let borrowed = this.borrow();
        let engine = &borrowed.model.get().engine;
        let range = engine.modal_coordinates(engine.body(body).or_raise(this.py())?);
        part(this, |state| &state.engine.coordinates[range])
    }

    /// Modal speeds of a body. A view.
    fn modal_speeds<'py>(this: &Bound<'py, Self>, body: &str) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let borrowed = this.borrow();
        let engine = &borrowed.model.get().engine;
        let range = engine.modal_speeds(engine.body(body).or_raise(this.py())?);
        part(this, |state| &state.engine.speeds[range])
    }

    /// Turns the nodes of `attitudes` as the modal coordinates say: for states that start deformed.
    fn turn_nodes(&mut self) {
        self.engine.turn_nodes(&self.model.get().engine);
    }

    /// Moves the coordinates by `displacement`, one number for each speed, along the manifold of rotations.
    fn displace(&mut self, py: Python<'_>, displacement: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut step = vec![0.0; self.engine.speeds.len()];
        arrays::read(py, "displacement", displacement, &mut step)?;
        self.engine.displace(&self.model.get().engine, &step);
        Ok(())
    }

    /// Raises an error unless all numbers are finite and all quaternions of unit length.
    fn check(&self, py: Python<'_>) -> PyResult<()> {
        self.engine.check(&self.model.get().engine).or_raise(py)
    }

    fn __getitem__(&self, py: Python<'_>, name: &str) -> PyResult<f64> {
        Ok(match self.model.get().place(py, name)? {
            Place::Coordinate(i) => self.engine.coordinates[i],
            Place::Speed(i) => self.engine.speeds[i],
        })
    }

    fn __setitem__(&mut self, py: Python<'_>, name: &str, value: f64) -> PyResult<()> {
        match self.model.get().place(py, name)? {
            Place::Coordinate(i) => self.engine.coordinates[i] = value,
            Place::Speed(i) => self.engine.speeds[i] = value,
        }
        Ok(())
    }

    /// A copy that shares nothing with this state.
    fn copy(&self, py: Python<'_>) -> Self {
        Self { engine: self.engine.clone(), model: self.model.clone_ref(py) }
    }

    fn __copy__(&self, py: Python<'_>) -> Self {
        self.copy(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> Self {
        self.copy(py)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.borrow().engine == self.engine)
    }

    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let py = this.py();
        let state = this.borrow();
        if state.engine.held.iter().any(Option::is_some) {
            let remedy = "pickle it before closures are held, or simulate from a scenario with a checkpoint";
            return Err(crate::errors::bad_argument(py, "the state holds closures away from their place", remedy));
        }
        let attitudes = PyArray1::from_slice(py, state.flat_attitudes());
        let numbers = (
            state.model.clone_ref(py),
            state.engine.time,
            PyArray1::from_slice(py, &state.engine.coordinates),
            PyArray1::from_slice(py, &state.engine.speeds),
            attitudes,
            state.engine.closed.clone(),
        );
        Ok((py.import("supple._pickle")?.getattr("state")?, numbers.into_pyobject(py)?.into_any()))
    }

    /// Which closures act, in the order of `model.closures`.
    #[getter]
    fn closed(&self) -> Vec<bool> {
        self.engine.closed.clone()
    }

    #[setter]
    fn set_closed(&mut self, py: Python<'_>, closed: Vec<bool>) -> PyResult<()> {
        if closed.len() != self.engine.closed.len() {
            let text = format!("{} flags for {} closures", closed.len(), self.engine.closed.len());
            return Err(crate::errors::bad_argument(py, text, "give one for each of model.closures"));
        }
        self.engine.closed = closed;
        Ok(())
    }

    fn __repr__(&self) -> String {
        let (q, u) = (self.engine.coordinates.len(), self.engine.speeds.len());
        format!("State(time={}, coordinates={q}, speeds={u})", self.engine.time)
    }
}
