//! Poses, velocities, Jacobians, energy and momentum.

use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use supple::spatial::{Matrix3, Motion, Vector3};

use crate::dynamics::state_of;
use crate::errors::{OrRaise, bad_argument};
use crate::model::{Model, Scratch};
use crate::{arrays, inputs};

/// Where the frames of bodies and the nodes are and how they move, in inertial axes. Results are fresh arrays.
///
/// Frames are called by `body`, nodes by `body.node`.
#[pyclass(frozen, module = "supple")]
pub struct Kinematics {
    names: Vec<String>,
    places: Vec<Frame>,
}

#[derive(Clone, Copy)]
struct Frame {
    position: Vector3<f64>,
    attitude: Matrix3<f64>,
    velocity: Motion<f64>,
    acceleration: Option<Motion<f64>>,
    deflection: Option<Vector3<f64>>,
}

impl Kinematics {
    fn at(&self, py: Python<'_>, name: &str) -> PyResult<&Frame> {
        let place = self.names.iter().position(|known| known == name);
        place.map(|i| &self.places[i]).ok_or_else(|| {
            let near = supple::nearest(name, self.names.iter().map(String::as_str));
            let remedy =
                near.map_or("frames are bodies and body.node".into(), |near| format!("did you mean '{near}'?"));
            let fields = [
                crate::errors::field(py, "name", name),
                crate::errors::field(py, "what", "frame"),
                crate::errors::field(py, "remedy", &remedy),
            ];
            crate::errors::exception(py, "UnknownNameError", format!("there is no frame '{name}'; {remedy}"), fields)
        })
    }
}

fn six<'py>(py: Python<'py>, motion: Motion<f64>) -> Bound<'py, PyArray1<f64>> {
    let ([a, b, c], [d, e, f]) = (motion.angular.0, motion.linear.0);
    PyArray1::from_slice(py, &[a, b, c, d, e, f])
}

#[pymethods]
impl Kinematics {
    /// Names of all frames.
    #[getter]
    fn frames(&self) -> Vec<&str> {
        self.names.iter().map(String::as_str).collect()
    }

    /// Position, m.
    fn position<'py>(&self, py: Python<'py>, frame: &str) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(PyArray1::from_slice(py, &self.at(py, frame)?.position.0))
    }

    /// Rotation matrix: axes of the frame to inertial axes.
    fn rotation<'py>(&self, py: Python<'py>, frame: &str) -> PyResult<Bound<'py, PyArray2<f64>>> {
        arrays::matrix(py, 3, 3, self.at(py, frame)?.attitude.0.as_flattened())
    }

    /// Angular velocity, then velocity.
    fn velocity<'py>(&self, py: Python<'py>, frame: &str) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(six(py, self.at(py, frame)?.velocity))
    }

    /// Angular acceleration, then acceleration; of nodes, where `kinematics` was given accelerations.
    fn acceleration<'py>(&self, py: Python<'py>, frame: &str) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let found = self.at(py, frame)?.acceleration;
        found.map(|motion| six(py, motion)).ok_or_else(|| {
            bad_argument(py, "no accelerations were given", "call kinematics(model, state, accelerations), for a node")
        })
    }

    /// Displacement of a node by deformation, in axes of its body, m.
    fn deflection<'py>(&self, py: Python<'py>, node: &str) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let found = self.at(py, node)?.deflection;
        found
            .map(|vector| PyArray1::from_slice(py, &vector.0))
            .ok_or_else(|| bad_argument(py, format!("'{node}' is a body"), "deflections are those of nodes, body.node"))
    }
}

/// Poses and velocities of all frames, and their accelerations where those of the speeds are given.
///
/// >>> import supple
/// >>> model = supple.load("examples/double-pendulum/pendulum.toml")
/// >>> supple.kinematics(model, model.state()).position("lower.tip").round(6).tolist()
/// [2.0, 0.0, 0.0]
#[pyfunction]
#[pyo3(signature = (model, state, accelerations = None))]
pub fn kinematics<'py>(
    model: &Bound<'py, Model>,
    state: &Bound<'py, PyAny>,
    accelerations: Option<&Bound<'py, PyAny>>,
) -> PyResult<Kinematics> {
    let (py, this) = (model.py(), model.get());
    let state = state_of(model, state)?;
    let engine = &this.engine;
    let mut given = vec![0.0; engine.speed_count()];
    inputs::numbers(this, "accelerations", accelerations, &mut given)?;
    this.with_scratch(|Scratch { workspace, .. }| {
        let found = match accelerations {
            Some(_) => supple::kinematics_with(engine, &state.engine, &given, workspace),
            None => supple::kinematics(engine, &state.engine, workspace),
        };
        let found = found.or_raise(py)?;
        let (mut names, mut places) = (Vec::new(), Vec::new());
        for body in engine.body_indices() {
            names.push(engine.name(body).to_owned());
            places.push(Frame {
                position: found.body_position(body),
                attitude: found.body_attitude(body),
                velocity: found.body_velocity(body),
                acceleration: None,
                deflection: None,
            });
            for node in engine.nodes_of(body) {
                names.push(format!("{}.{}", engine.name(body), engine.node_name(node).unwrap_or_default()));
                places.push(Frame {
                    position: found.node_position(body, node.node()),
                    attitude: found.node_attitude(body, node.node()),
                    velocity: found.node_velocity(body, node.node()),
                    acceleration: found.node_acceleration(body, node.node()),
                    deflection: Some(found.node_deflection(body, node.node())),
                });
            }
        }
        Ok(Kinematics { names, places })
    })
}

/// Jacobian of a node, 6 x n: angular velocity and velocity in inertial axes, per speed.
#[pyfunction]
#[pyo3(signature = (model, state, node, *, out = None))]
pub fn jacobian<'py>(
    model: &Bound<'py, Model>,
    state: &Bound<'py, PyAny>,
    node: &str,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, this) = (model.py(), model.get());
    let state = state_of(model, state)?;
    let place = this.node_at(py, node)?;
    this.with_scratch(|Scratch { workspace, .. }| {
        let shape = [6, this.engine.speed_count()];
        let fill = |into: &mut [f64]| supple::node_jacobian(&this.engine, &state.engine, place, workspace, into);
        let (array, done) = arrays::filled(py, &shape, out, fill)?;
        done.or_raise(py)?;
        Ok(array)
    })
}

/// Inertia that nodes show to wrenches on them, 6 m x 6 m for m nodes, in inertial axes.
#[pyfunction]
pub fn operational_inertia<'py>(
    model: &Bound<'py, Model>,
    state: &Bound<'py, PyAny>,
    nodes: Vec<String>,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, this) = (model.py(), model.get());
    let state = state_of(model, state)?;
    let places = nodes.iter().map(|node| this.node_at(py, node)).collect::<PyResult<Vec<_>>>()?;
    this.with_scratch(|Scratch { workspace, .. }| {
        let size = 6 * places.len();
        let fill =
            |into: &mut [f64]| supple::operational_inertia(&this.engine, &state.engine, &places, workspace, into);
        let (array, done) = arrays::filled(py, &[size, size], None, fill)?;
        done.or_raise(py)?;
        Ok(array)
    })
}

/// Energies, J.
#[pyclass(frozen, get_all, module = "supple")]
pub struct Energy {
    /// Kinetic energy.
    kinetic: f64,
    /// Strain energy of flexible bodies.
    elastic: f64,
    /// Potential energy of gravity.
    gravitational: f64,
    /// Energy that force elements store.
    stored: f64,
    /// The sum.
    total: f64,
}

#[pymethods]
impl Energy {
    fn __repr__(&self) -> String {
        let Self { kinetic, elastic, gravitational, stored, .. } = self;
        format!("Energy(kinetic={kinetic}, elastic={elastic}, gravitational={gravitational}, stored={stored})")
    }
}

/// Kinetic, elastic, gravitational and stored energy.
#[pyfunction]
pub fn energy(model: &Bound<'_, Model>, state: &Bound<'_, PyAny>) -> PyResult<Energy> {
    let this = model.get();
    let state = state_of(model, state)?;
    let found = this.with_scratch(|s| supple::energy(&this.engine, &state.engine, &mut s.workspace));
    let found = found.or_raise(model.py())?;
    let supple::Energy { kinetic, elastic, gravitational, stored } = found;
    Ok(Energy { kinetic, elastic, gravitational, stored, total: found.total() })
}

/// Mass, mass centre and momenta about the inertial origin, in inertial axes.
#[pyclass(frozen, module = "supple")]
pub struct Momentum(supple::Momentum);

#[pymethods]
impl Momentum {
    /// Mass, kg.
    #[getter]
    fn mass(&self) -> f64 {
        self.0.mass
    }

    /// Mass centre, m.
    #[getter]
    fn centre_of_mass<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.0.centre_of_mass.0)
    }

    /// Linear momentum, kg m/s.
    #[getter]
    fn linear<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.0.linear.0)
    }

    /// Angular momentum, kg m²/s.
    #[getter]
    fn angular<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.0.angular.0)
    }
}

/// Mass, mass centre, linear and angular momentum.
#[pyfunction]
pub fn momentum(model: &Bound<'_, Model>, state: &Bound<'_, PyAny>) -> PyResult<Momentum> {
    let this = model.get();
    let state = state_of(model, state)?;
    let found = this.with_scratch(|s| supple::momentum(&this.engine, &state.engine, &mut s.workspace));
    Ok(Momentum(found.or_raise(model.py())?))
}
