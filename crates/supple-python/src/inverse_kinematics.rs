//! Inverse kinematics, manipulability and motions in space.

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use supple_control::{CartesianLimits, CartesianTrajectory, MotionLimits, Pose};
use supple_linear::{HingeLimit, IkError, IkOptions, IkOutcome, IkSolution, Part, Task};

use crate::dynamics::state_of;
use crate::errors::{OrRaise, Raise, bad_argument, exception, field};
use crate::linear::operating;
use crate::model::Model;
use crate::state::State;

impl Raise for IkError {
    fn raise(&self, py: Python<'_>) -> PyErr {
        match self {
            Self::Dynamics(error) => error.raise(py),
            Self::Equilibrium(error) => error.raise(py),
            Self::Handle(error) => error.raise(py),
            _ => exception(py, "KinematicsError", self, [field(py, "remedy", self.remedy())]),
        }
    }
}

/// One task: node, position, attitude, axes, weight.
type Asked = (String, Option<[f64; 3]>, Option<[f64; 4]>, [bool; 3], f64);

/// Where a search of inverse kinematics ended.
#[pyclass(frozen, module = "supple")]
pub struct IkResult {
    found: IkSolution,
    model: Py<Model>,
}

#[pymethods]
impl IkResult {
    /// Whether all tasks are met.
    #[getter]
    fn reached(&self) -> bool {
        self.found.outcome == IkOutcome::Reached
    }

    /// "reached", "out of reach", "at limits" or "not converged".
    #[getter]
    fn outcome(&self) -> &'static str {
        match self.found.outcome {
            IkOutcome::Reached => "reached",
            IkOutcome::OutOfReach => "out of reach",
            IkOutcome::AtLimits => "at limits",
            IkOutcome::NotConverged => "not converged",
        }
    }

    /// The state, a copy: the nearest to the targets that was found.
    #[getter]
    fn state(&self, py: Python<'_>) -> State {
        State::of(self.found.state.clone(), self.model.bind(py))
    }

    /// Distance of each task from its target, m.
    #[getter]
    fn position_errors<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.found.position_errors)
    }

    /// Angle of each task from its target, rad.
    #[getter]
    fn rotation_errors<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.found.rotation_errors)
    }

    /// Names of the hinges at a limit.
    #[getter]
    fn at_limits(&self) -> Vec<String> {
        let engine = &self.model.get().engine;
        self.found.at_limits.iter().filter_map(|hinge| engine.hinge_name(*hinge)).map(str::to_owned).collect()
    }

    /// Least over greatest singular value of the Jacobian of the tasks: zero where the pose is singular.
    #[getter]
    fn conditioning(&self) -> f64 {
        self.found.conditioning
    }

    /// Steps of all searches.
    #[getter]
    fn steps(&self) -> u32 {
        self.found.steps
    }

    fn __repr__(&self) -> String {
        let worst =
            self.found.position_errors.iter().chain(&self.found.rotation_errors).fold(0.0_f64, |m, x| m.max(*x));
        format!("IkResult('{}', largest error {worst:.3e}, {} steps)", self.outcome(), self.found.steps)
    }
}

/// The search; `supple.inverse_kinematics` reads the tasks.
#[pyfunction]
#[pyo3(signature = (model, state, tasks, *, hinges, limits, equilibrium, tolerances, restarts, forces = None, wrenches = None, locked = Vec::new()))]
#[allow(clippy::too_many_arguments)] // keywords of one call in Python
pub fn find_pose<'py>(
    model: &Bound<'py, Model>,
    state: &Bound<'py, PyAny>,
    tasks: Vec<Asked>,
    hinges: Vec<String>,
    limits: Vec<(String, f64, f64)>,
    equilibrium: bool,
    tolerances: (f64, f64),
    restarts: u32,
    forces: Option<&Bound<'py, PyAny>>,
    wrenches: Option<&Bound<'py, PyDict>>,
    locked: Vec<String>,
) -> PyResult<IkResult> {
    let (py, this) = (model.py(), model.get());
    let at = state_of(model, state)?.engine.clone();
    let acting = operating(model, forces, wrenches, &locked)?;
    let task = |(node, position, attitude, axes, weight): Asked| {
        let (body, at) = this.node_at(py, &node)?;
        let handle = this.engine.nodes_of(body).find(|handle| handle.node() == at);
        let handle = handle.ok_or_else(|| bad_argument(py, format!("no node '{node}'"), "model.nodes lists them"))?;
        Ok(Task { node: handle, position, attitude, axes, weight })
    };
    let tasks = tasks.into_iter().map(task).collect::<PyResult<Vec<_>>>()?;
    let hinges = hinges.iter().map(|name| this.engine.hinge(name).or_raise(py)).collect::<PyResult<Vec<_>>>()?;
    let limit = |(name, lower, upper): &(String, f64, f64)| {
        Ok(HingeLimit { hinge: this.engine.hinge(name).or_raise(py)?, lower: *lower, upper: *upper })
    };
    let options = IkOptions {
        hinges,
        limits: limits.iter().map(limit).collect::<PyResult<_>>()?,
        equilibrium,
        position_tolerance: tolerances.0,
        rotation_tolerance: tolerances.1,
        restarts,
        ..IkOptions::default()
    };
    let found = py.detach(|| supple_linear::inverse_kinematics(&this.engine, &at, &acting, &tasks, &options));
    Ok(IkResult { found: found.or_raise(py)?, model: model.clone().unbind() })
}

/// How well the hinges can move a node: velocities for unit speeds, an ellipsoid.
#[pyclass(frozen, get_all, module = "supple")]
pub struct Manipulability {
    /// Yoshikawa's measure, the root of det(J J*).
    measure: f64,
    /// Semi-axes of the ellipsoid, longest first.
    singular_values: Vec<f64>,
    /// Shortest over longest semi-axis: zero where the pose is singular.
    conditioning: f64,
}

/// Manipulability of a node by `hinges` (all where none are given): of its "translation", "rotation" or "both".
///
/// >>> import supple
/// >>> model = supple.load("examples/double-pendulum/pendulum.toml")
/// >>> supple.manipulability(model, model.state(), "lower.tip", part="translation").measure   # stretched: singular
/// 0.0
#[pyfunction]
#[pyo3(signature = (model, state, node, *, hinges = Vec::new(), part = "both"))]
pub fn manipulability<'py>(
    model: &Bound<'py, Model>,
    state: &Bound<'py, PyAny>,
    node: &str,
    hinges: Vec<String>,
    part: &str,
) -> PyResult<Manipulability> {
    let (py, this) = (model.py(), model.get());
    let at = state_of(model, state)?;
    let (body, place) = this.node_at(py, node)?;
    let handle = this.engine.nodes_of(body).find(|handle| handle.node() == place);
    let handle = handle.ok_or_else(|| bad_argument(py, format!("no node '{node}'"), "model.nodes lists them"))?;
    let hinges = hinges.iter().map(|name| this.engine.hinge(name).or_raise(py)).collect::<PyResult<Vec<_>>>()?;
    let part = match part {
        "translation" => Part::Translation,
        "rotation" => Part::Rotation,
        "both" => Part::Both,
        _ => {
            let remedy = "write \"translation\", \"rotation\" or \"both\"";
            return Err(bad_argument(py, format!("unknown part '{part}'"), remedy));
        }
    };
    let found = supple_linear::manipulability(&this.engine, &at.engine, handle, &hinges, part).or_raise(py)?;
    let supple_linear::Manipulability { measure, singular_values, conditioning } = found;
    Ok(Manipulability { measure, singular_values, conditioning })
}

/// A motion of a frame from pose to pose with bounded speed, acceleration and jerk; it rests at every pose.
///
/// Poses are pairs of a position and a unit quaternion (x, y, z, w). Bounds are `(speed, acceleration, jerk)`, of the position in m and of the rotation in rad.
///
/// >>> import supple
/// >>> motion = supple.CartesianPath([([0, 0, 0], [0, 0, 0, 1]), ([1, 0, 0], [0, 0, 0, 1])], linear=(0.5, 1.0, 10.0), angular=(1.0, 2.0, 20.0))
/// >>> position, attitude, velocity, acceleration = motion(0.5 * motion.end)
/// >>> position.round(6).tolist()
/// [0.5, 0.0, 0.0]
#[pyclass(frozen, module = "supple")]
pub struct CartesianPath(CartesianTrajectory);

/// Position, quaternion, velocity and acceleration.
type FrameArrays<'py> =
    (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>);

#[pymethods]
impl CartesianPath {
    #[new]
    #[pyo3(signature = (poses, *, linear, angular, start = 0.0))]
    fn new(
        py: Python<'_>,
        poses: Vec<([f64; 3], [f64; 4])>,
        linear: (f64, f64, f64),
        angular: (f64, f64, f64),
        start: f64,
    ) -> PyResult<Self> {
        let poses: Vec<Pose> = poses.into_iter().map(|(position, attitude)| Pose { position, attitude }).collect();
        let bounds = |(speed, acceleration, jerk)| MotionLimits { speed, acceleration, jerk };
        let limits = CartesianLimits { linear: bounds(linear), angular: bounds(angular) };
        let made = CartesianTrajectory::new(start, &poses, limits);
        made.map(Self).map_err(|error| exception(py, "ArgumentError", error, []))
    }

    /// When it starts, s.
    #[getter]
    fn start(&self) -> f64 {
        self.0.start()
    }

    /// When it ends, s.
    #[getter]
    fn end(&self) -> f64 {
        self.0.end()
    }

    /// Position, quaternion, velocity and acceleration (angular parts first) at a time.
    fn __call__<'py>(&self, py: Python<'py>, time: f64) -> FrameArrays<'py> {
        let sample = self.0.at(time);
        let six = |motion: supple::spatial::Motion<f64>| {
            PyArray1::from_iter(py, motion.angular.0.into_iter().chain(motion.linear.0))
        };
        let pose = sample.pose;
        (
            PyArray1::from_slice(py, &pose.position),
            PyArray1::from_slice(py, &pose.attitude),
            six(sample.velocity),
            six(sample.acceleration),
        )
    }
}
