//! Many instances of one model at once.

use std::sync::{Mutex, PoisonError};

use numpy::{PyArray2, PyArray3};
use pyo3::prelude::*;
use supple::batch::{self, StepScheme, Steps};
use supple_gpu::{Batch, GpuError, Place};

use crate::arrays;
use crate::errors::{OrRaise, bad_argument};
use crate::model::Model;

/// States of many instances of a model, rows first: made by `model.batch(n)`. Its arrays are views.
///
/// >>> import supple
/// >>> model = supple.load("examples/double-pendulum/pendulum.toml")
/// >>> states = model.batch(100)
/// >>> states.coordinates[:, model.hinge_coordinates("elbow")] = 0.3
/// >>> supple.forward_dynamics(model, states).shape == (100, model.speed_count)
/// True
#[pyclass(module = "supple")]
pub struct States {
    coordinates: Vec<f64>,
    speeds: Vec<f64>,
    attitudes: Vec<[f64; 4]>,
    /// Forces or accelerations of a call.
    drive: Vec<f64>,
    instances: usize,
    model: Py<Model>,
    place: Place,
    batch: Mutex<Batch>,
}

/// Most instances of a batch: what fits into memory is less.
const MOST: usize = 1 << 24;

impl States {
    /// All at rest, on a device by its name; threads are those of the processor.
    pub fn on(model: &Bound<'_, Model>, instances: usize, (device, threads): (&str, usize)) -> PyResult<Self> {
        let py = model.py();
        let number = if device == "cuda" { Some("0") } else { device.strip_prefix("cuda:") };
        let place = match (device, number.map(str::parse)) {
            ("cpu", _) => Place::Processor { threads },
            (_, Some(Ok(number))) => Place::cuda(number).or_raise(py)?,
            _ => {
                let remedy = "write \"cpu\", \"cuda\" or \"cuda:1\"";
                return Err(bad_argument(py, format!("unknown device '{device}'"), remedy));
            }
        };
        Self::at_rest(model, instances, place)
    }

    /// All at rest.
    fn at_rest(model: &Bound<'_, Model>, instances: usize, place: Place) -> PyResult<Self> {
        let (py, engine) = (model.py(), &model.get().engine);
        if instances == 0 || instances > MOST {
            return Err(bad_argument(py, format!("{instances} instances"), "ask for 1 to 16777216"));
        }
        let one = supple::State::new(engine);
        let attitudes: Vec<[f64; 4]> = one.attitudes.iter().map(|attitude| attitude.0).collect();
        Ok(Self {
            coordinates: one.coordinates.repeat(instances),
            speeds: one.speeds.repeat(instances),
            attitudes: attitudes.repeat(instances),
            drive: vec![0.0; one.speeds.len() * instances],
            instances,
            model: model.clone().unbind(),
            batch: Mutex::new(Batch::new(engine, &place).or_raise(py)?),
            place,
        })
    }

    /// Reads forces or accelerations; fails for a batch of another model.
    fn prepare(&mut self, model: &Bound<'_, Model>, what: &str, from: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let py = model.py();
        if !self.model.is(model) {
            return Err(bad_argument(py, "the batch belongs to another model", "make one with model.batch(n)"));
        }
        match from {
            None => self.drive.fill(0.0),
            Some(from) => {
                let n = model.get().engine.speed_count();
                if from.len()? == n && self.instances != n && from.get_item(0)?.extract::<f64>().is_ok() {
                    arrays::read(py, what, from, &mut self.drive[..n])?;
                    let row = self.drive[..n].to_vec();
                    self.drive.chunks_mut(n).for_each(|into| into.copy_from_slice(&row));
                } else {
                    arrays::read(py, what, from, &mut self.drive)?;
                }
            }
        }
        Ok(())
    }

    /// Runs a verb of the batch into an array of `width` numbers per instance, without the lock of the interpreter.
    fn fill<'py>(
        &self,
        py: Python<'py>,
        shape: &[usize],
        out: Option<&Bound<'py, PyAny>>,
        verb: impl FnOnce(&mut Batch, batch::States<'_>, &[f64], &mut [f64]) -> Result<(), GpuError> + Send,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Self { coordinates, speeds, attitudes, drive, batch, .. } = self;
        let states = batch::States { coordinates, speeds, attitudes };
        let (array, done) = arrays::filled(py, shape, out, |into| {
            py.detach(|| verb(&mut batch.lock().unwrap_or_else(PoisonError::into_inner), states, drive, into))
        })?;
        done.or_raise(py)?;
        Ok(array)
    }

    /// Accelerations of all instances.
    pub fn forward_dynamics<'py>(
        &mut self,
        model: &Bound<'py, Model>,
        forces: Option<&Bound<'py, PyAny>>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.prepare(model, "forces", forces)?;
        let shape = [self.instances, model.get().engine.speed_count()];
        self.fill(model.py(), &shape, out, |batch, states, forces, into| batch.forward_dynamics(states, forces, into))
    }

    /// Forces of all instances.
    pub fn inverse_dynamics<'py>(
        &mut self,
        model: &Bound<'py, Model>,
        accelerations: Option<&Bound<'py, PyAny>>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.prepare(model, "accelerations", accelerations)?;
        let shape = [self.instances, model.get().engine.speed_count()];
        self.fill(model.py(), &shape, out, |batch, states, wanted, into| batch.inverse_dynamics(states, wanted, into))
    }

    /// Mass matrices of all instances.
    pub fn mass_matrix<'py>(
        &mut self,
        model: &Bound<'py, Model>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.prepare(model, "forces", None)?;
        let n = model.get().engine.speed_count();
        self.fill(model.py(), &[self.instances, n, n], out, |batch, states, _, into| batch.mass_matrix(states, into))
    }
}

/// The scheme of a name; by default one that bears the modes of the model.
fn scheme_of(py: Python<'_>, engine: &supple::Model, name: Option<&str>) -> PyResult<StepScheme> {
    match name {
        None if engine.body_indices().any(|body| engine.modes(body) > 0) => Ok(StepScheme::LinearlyImplicit),
        None | Some("rk4") => Ok(StepScheme::RungeKutta),
        Some("linearly-implicit") => Ok(StepScheme::LinearlyImplicit),
        Some(other) => {
            let remedy = "write \"rk4\" or \"linearly-implicit\"";
            Err(bad_argument(py, format!("unknown scheme '{other}'"), remedy))
        }
    }
}

#[pymethods]
impl States {
    /// The model that they belong to.
    #[getter]
    fn model(&self, py: Python<'_>) -> Py<Model> {
        self.model.clone_ref(py)
    }

    /// Coordinates, instances x coordinates. A view.
    #[getter]
    fn coordinates<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let states = this.borrow();
        let columns = states.coordinates.len() / states.instances;
        // SAFETY: the lists never change their length, so their memory stays where it is.
        unsafe { arrays::view(this.clone().into_any(), [states.instances, columns], &states.coordinates) }
    }

    #[setter]
    fn set_coordinates(&mut self, py: Python<'_>, values: &Bound<'_, PyAny>) -> PyResult<()> {
        arrays::read(py, "coordinates", values, &mut self.coordinates)
    }

    /// Speeds, instances x speeds. A view.
    #[getter]
    fn speeds<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let states = this.borrow();
        let columns = states.speeds.len() / states.instances;
        // SAFETY: as for coordinates.
        unsafe { arrays::view(this.clone().into_any(), [states.instances, columns], &states.speeds) }
    }

    #[setter]
    fn set_speeds(&mut self, py: Python<'_>, values: &Bound<'_, PyAny>) -> PyResult<()> {
        arrays::read(py, "speeds", values, &mut self.speeds)
    }

    /// Integrated elastic rotations, instances x nodes x 4. A view.
    #[getter]
    fn attitudes<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray3<f64>>> {
        let states = this.borrow();
        let nodes = states.attitudes.len() / states.instances;
        // SAFETY: as for coordinates.
        unsafe { arrays::view(this.clone().into_any(), [states.instances, nodes, 4], states.attitudes.as_flattened()) }
    }

    /// Takes `count` steps of `step` seconds with the forces held: the states become those at their end. On a GPU they are one launch.
    ///
    /// `scheme` is "rk4" or "linearly-implicit", both of order four; by default the latter for models with modes, whose stiffness would limit the
    /// steps of "rk4" to 2.8 / (2π f) with their highest frequency f. An instance that fails keeps the state before the call; `BatchError.instances` names it.
    #[pyo3(signature = (step, forces = None, *, scheme = None, count = 1))]
    fn step(
        &mut self,
        py: Python<'_>,
        step: f64,
        forces: Option<&Bound<'_, PyAny>>,
        scheme: Option<&str>,
        count: usize,
    ) -> PyResult<()> {
        if !(step.is_finite() && step > 0.0) {
            return Err(bad_argument(py, format!("a step of {step} s"), "give a positive number"));
        }
        let model = self.model.clone_ref(py);
        let scheme = scheme_of(py, &model.get().engine, scheme)?;
        self.prepare(model.bind(py), "forces", forces)?;
        let Self { coordinates, speeds, attitudes, drive, batch, .. } = self;
        let states = batch::StatesMut { coordinates, speeds, attitudes };
        let batch = batch.get_mut().unwrap_or_else(PoisonError::into_inner);
        py.detach(|| batch.steps(states, drive, Steps { scheme, length: step, count })).or_raise(py)
    }

    /// Motion of nodes, `body.node`, in inertial axes: instances x nodes x 9, with position, angular velocity and velocity in a row.
    ///
    /// >>> import supple
    /// >>> states = supple.load("examples/double-pendulum/pendulum.toml").batch(4)
    /// >>> states.node_motions(["lower.tip"])[0, 0, :3].round(6).tolist()
    /// [2.0, 0.0, 0.0]
    #[pyo3(signature = (nodes, *, out = None))]
    fn node_motions<'py>(
        &self,
        py: Python<'py>,
        nodes: Vec<String>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let model = self.model.get();
        let places = nodes.iter().map(|node| model.node_at(py, node)).collect::<PyResult<Vec<_>>>()?;
        let shape = [self.instances, nodes.len(), batch::NODE_MOTION];
        self.fill(py, &shape, out, |batch, states, _, into| batch.node_motions(states, &places, into))
    }

    fn __len__(&self) -> usize {
        self.instances
    }

    /// A copy that shares nothing with these states.
    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        let mut other = Self::at_rest(self.model.bind(py), self.instances, self.place.clone())?;
        other.coordinates.copy_from_slice(&self.coordinates);
        other.speeds.copy_from_slice(&self.speeds);
        other.attitudes.copy_from_slice(&self.attitudes);
        Ok(other)
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        self.copy(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.copy(py)
    }

    fn __repr__(&self) -> String {
        format!("States(instances={})", self.instances)
    }
}
