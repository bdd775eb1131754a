//! Models: what is read or described once and never changed.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use supple::model::VariableKind;
use supple::{BodyIndex, DenseWorkspace, Inputs, NodeIndex, System, Workspace};
use supple_io::change::Change;
use supple_io::load::{self, LoadOptions};
use supple_io::model_file::{self, BeamLine, SystemDamping};
use supple_io::urdf::Root;

use crate::batch::States;
use crate::compiled::Compiled;
use crate::errors::{OrRaise, bad_argument, exception, field};
use crate::python_force::{self, PythonForce};
use crate::state::State;

/// A checked, immutable system.
///
/// Models come from files (`supple.load`), from tables in Python (`supple.Builder`), or from a text in the format of model files.
/// They can be shared by threads, copied and pickled.
///
/// >>> import supple
/// >>> model = supple.Model.from_text('''
/// ... format = "supple-model-1"
/// ... gravity = [0, 0, -9.81]
/// ... [[body]]
/// ... name = "bob"
/// ... hinge = { name = "pivot", kind = "revolute", axis = [0, 1, 0] }
/// ... rigid = { mass = 1.0, mass_centre = [0, 0, -1.0], inertia = [0.01, 0.01, 0.01] }
/// ... ''')
/// >>> model.bodies, model.hinges, model.speed_count
/// (['bob'], ['pivot'], 1)
#[pyclass(frozen, module = "supple")]
pub struct Model {
    pub engine: supple::Model,
    pub system: System,
    pub name: Option<String>,
    pub beams: Vec<BeamLine>,
    pub damping: Option<SystemDamping>,
    /// Force elements written in Python; the system has them after its own.
    forces: Vec<PythonForce>,
    notes: Vec<String>,
    /// Boxed: a call moves a pointer, not the kilobyte of a workspace.
    #[allow(clippy::vec_box)]
    memory: Mutex<Vec<Box<Scratch>>>,
}

/// What a verb works in.
pub struct Scratch {
    pub workspace: Workspace,
    pub inputs: Inputs,
    pub dense: Option<DenseWorkspace>,
}

/// How files are read.
#[derive(FromPyObject)]
pub struct Changes(Option<Vec<(String, Option<String>)>>);

impl Changes {
    /// As the engine takes them.
    pub fn parse(self, py: Python<'_>) -> PyResult<Vec<Change>> {
        let change = |(key, value): (String, Option<String>)| {
            let change = match value {
                Some(value) => Change::parse(&format!("{key}={value}")),
                None => Change::parse_dropped(&key),
            };
            change.map_err(|text| exception(py, "ArgumentError", text, []))
        };
        let mut all = self.0.unwrap_or_default();
        // Keys are left out before others are set.
        all.sort_by_key(|(_, value)| value.is_some());
        all.into_iter().map(change).collect()
    }
}

impl Model {
    fn new(file: model_file::ModelFile, notes: Vec<String>) -> Self {
        let model_file::ModelFile { name, system, beams, model, damping, .. } = file;
        Self { engine: model, system, name, beams, damping, forces: Vec::new(), notes, memory: Mutex::default() }
    }

    /// The model of a file, whatever its format.
    pub fn of_loaded(loaded: load::Loaded) -> Self {
        let load::Loaded { name, system, model, beams, damping, notes, .. } = loaded;
        let notes = notes.into_iter().map(|note| note.brief).collect();
        Self { engine: model, system, name, beams, damping, forces: Vec::new(), notes, memory: Mutex::default() }
    }

    /// Lends memory to `work`: that of an earlier call where there is any.
    pub fn with_scratch<R>(&self, work: impl FnOnce(&mut Scratch) -> R) -> R {
        let kept = self.memory.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut scratch = kept.unwrap_or_else(|| {
            let (workspace, inputs) = (Workspace::new(&self.engine), Inputs::new(&self.engine));
            Box::new(Scratch { workspace, inputs, dense: None })
        });
        let done = work(&mut scratch);
        self.memory.lock().unwrap_or_else(PoisonError::into_inner).push(scratch);
        done
    }

    /// A node by its name, `body.node`.
    pub fn node_at(&self, py: Python<'_>, name: &str) -> PyResult<(BodyIndex, NodeIndex)> {
        let (body, node) = self.split(py, name)?;
        let handle = self.engine.node(body, node).or_raise(py)?;
        Ok((handle.body(), handle.node()))
    }

    /// Body and node of `body.node`; bodies may have dots in their names.
    fn split<'n>(&self, py: Python<'_>, name: &'n str) -> PyResult<(&'n str, &'n str)> {
        let known = |(at, _): &(usize, &str)| self.engine.find(&name[..*at]).is_some();
        let dots = || name.match_indices('.');
        let found = dots().find(known).or_else(|| dots().next_back());
        found.map(|(at, _)| (&name[..at], &name[at + 1..])).ok_or_else(|| {
            bad_argument(py, format!("'{name}' names no node"), "write body.node, as model.nodes lists them")
        })
    }

    /// Where a variable of the state is: in coordinates or speeds.
    pub fn place(&self, py: Python<'_>, name: &str) -> PyResult<Place> {
        let variables = self.engine.variables();
        let found = variables.iter().find(|variable| variable.name == name);
        match found.map(|variable| (variable.kind, variable.index)) {
            Some((VariableKind::HingeCoordinate | VariableKind::ModalCoordinate, i)) => Ok(Place::Coordinate(i)),
            Some((VariableKind::HingeSpeed | VariableKind::ModalSpeed, i)) => Ok(Place::Speed(i)),
            _ => {
                let known: Vec<&str> = variables.iter().filter(|v| is_state(v.kind)).map(|v| v.name.as_str()).collect();
                let near = supple::nearest(name, known.iter().copied());
                let remedy = near
                    .map_or_else(|| "model.state_names lists them".into(), |near| format!("did you mean '{near}'?"));
                let text = format!("the state has no variable '{name}'; {remedy}");
                let fields = [
                    field(py, "name", name),
                    field(py, "what", "variable"),
                    field(py, "nearest", near),
                    field(py, "remedy", remedy),
                ];
                Err(exception(py, "UnknownNameError", text, fields))
            }
        }
    }
}

/// Where a variable of the state is.
#[derive(Clone, Copy)]
pub enum Place {
    Coordinate(usize),
    Speed(usize),
}

fn is_state(kind: VariableKind) -> bool {
    use VariableKind as Kind;
    matches!(kind, Kind::HingeCoordinate | Kind::ModalCoordinate | Kind::HingeSpeed | Kind::ModalSpeed)
}

fn slice_of<'py>(py: Python<'py>, range: Range<usize>) -> Bound<'py, pyo3::types::PySlice> {
    pyo3::types::PySlice::new(py, range.start as isize, range.end as isize, 1)
}

/// What pickle asks for: a function and its arguments, text and folders of the model.
type Reduced<'py> = (Bound<'py, PyAny>, (String, Bound<'py, PyList>));

#[pymethods]
impl Model {
    /// Reads a model from a text in the format of model files. `folder` is where files that it names lie.
    #[staticmethod]
    #[pyo3(signature = (text, *, name = "model", folder = None))]
    fn from_text(py: Python<'_>, text: &str, name: &str, folder: Option<PathBuf>) -> PyResult<Self> {
        let file = model_file::from_text(name, text, folder.as_deref()).or_raise(py)?;
        let notes = file.notes.iter().map(|note| note.as_note().to_string()).collect();
        Ok(Self::new(file, notes))
    }

    /// The model with force elements written in Python: a list of `(name, ports, function)`. `supple.Builder.python_force` describes them.
    fn with_python_forces(&self, py: Python<'_>, forces: &Bound<'_, PyList>) -> PyResult<Self> {
        let mut system = self.system.clone();
        let mut all = self.forces.clone();
        for given in forces.iter() {
            let force = python_force::read(self, &given.extract::<Bound<'_, PyTuple>>()?)?;
            system.forces.push(force.element());
            all.push(force);
        }
        let engine = supple::Model::build(&system).map_err(|error| exception(py, "ArgumentError", error, []))?;
        Ok(Self {
            engine,
            system,
            name: self.name.clone(),
            beams: self.beams.clone(),
            damping: self.damping.clone(),
            forces: all,
            notes: self.notes.clone(),
            memory: Mutex::default(),
        })
    }

    /// Name of the model, or None.
    #[getter]
    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Names of the bodies, parents first.
    #[getter]
    fn bodies(&self) -> Vec<&str> {
        self.engine.body_indices().map(|body| self.engine.name(body)).collect()
    }

    /// Names of the hinges, in the order of the bodies that they carry.
    #[getter]
    fn hinges(&self) -> Vec<&str> {
        self.engine.hinges().filter_map(|hinge| self.engine.hinge_name(hinge)).collect()
    }

    /// Names of the nodes, as `body.node`.
    #[getter]
    fn nodes(&self) -> Vec<String> {
        let engine = &self.engine;
        let of = |body: BodyIndex| {
            let name = move |node| format!("{}.{}", engine.name(body), engine.node_name(node).unwrap_or_default());
            engine.nodes_of(body).map(name).collect::<Vec<_>>()
        };
        engine.body_indices().flat_map(of).collect()
    }

    /// Names of the motors.
    #[getter]
    fn motors(&self) -> Vec<&str> {
        self.engine.actuators().iter().map(|motor| motor.name.as_str()).collect()
    }

    /// Names of the closures.
    #[getter]
    fn closures(&self) -> Vec<Option<&str>> {
        self.engine.closures().iter().map(|closure| closure.name.as_deref()).collect()
    }

    /// Names of the force elements; None where one has no name.
    #[getter]
    fn forces(&self) -> Vec<Option<&str>> {
        self.engine.forces().iter().map(|element| element.name.as_deref()).collect()
    }

    /// Names of all coordinates, then of all speeds: what `state[name]` takes.
    #[getter]
    fn state_names(&self) -> Vec<String> {
        self.engine.variables().into_iter().filter(|v| is_state(v.kind)).map(|v| v.name).collect()
    }

    /// For each of `state_names`: whether it is a speed, and its place among the speeds or coordinates.
    fn state_places(&self) -> Vec<(bool, usize)> {
        let speed = |kind| matches!(kind, VariableKind::HingeSpeed | VariableKind::ModalSpeed);
        let states = self.engine.variables().into_iter().filter(|v| is_state(v.kind));
        states.map(|v| (speed(v.kind), v.index)).collect()
    }

    /// Number of coordinates.
    #[getter]
    fn coordinate_count(&self) -> usize {
        self.engine.coordinate_count()
    }

    /// Number of speeds: the size of the mass matrix.
    #[getter]
    fn speed_count(&self) -> usize {
        self.engine.speed_count()
    }

    /// Number of bodies.
    #[getter]
    fn body_count(&self) -> usize {
        self.engine.body_count()
    }

    /// Remarks about the file or description that are no errors.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.notes.iter().cloned().chain(self.engine.notes().iter().cloned()).collect()
    }

    /// Every state, input and output of the model: dictionaries with `name`, `unit`, `description`.
    fn variables<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let entry = |variable: supple::model::Variable| {
            let entry = PyDict::new(py);
            entry.set_item("name", variable.name)?;
            entry.set_item("unit", variable.unit)?;
            entry.set_item("description", variable.description)?;
            entry.set_item("role", format!("{:?}", variable.kind.role()).to_lowercase())?;
            Ok(entry)
        };
        self.engine.variables().into_iter().map(entry).collect()
    }

    /// Where the coordinates of a hinge are, as a slice of `state.coordinates`.
    fn hinge_coordinates<'py>(&self, py: Python<'py>, hinge: &str) -> PyResult<Bound<'py, pyo3::types::PySlice>> {
        Ok(slice_of(py, self.engine.hinge(hinge).or_raise(py)?.coordinates()))
    }

    /// Where the speeds of a hinge are, as a slice of `state.speeds`, of forces and of accelerations.
    fn hinge_speeds<'py>(&self, py: Python<'py>, hinge: &str) -> PyResult<Bound<'py, pyo3::types::PySlice>> {
        Ok(slice_of(py, self.engine.hinge(hinge).or_raise(py)?.speeds()))
    }

    /// Where the modal coordinates of a body are, as a slice of `state.coordinates`.
    fn modal_coordinates<'py>(&self, py: Python<'py>, body: &str) -> PyResult<Bound<'py, pyo3::types::PySlice>> {
        Ok(slice_of(py, self.engine.modal_coordinates(self.engine.body(body).or_raise(py)?)))
    }

    /// Where the modal speeds of a body are, as a slice of `state.speeds`.
    fn modal_speeds<'py>(&self, py: Python<'py>, body: &str) -> PyResult<Bound<'py, pyo3::types::PySlice>> {
        Ok(slice_of(py, self.engine.modal_speeds(self.engine.body(body).or_raise(py)?)))
    }

    /// A state at rest, undeformed, hinges at zero.
    fn state(this: &Bound<'_, Self>) -> State {
        State::at_rest(this)
    }

    /// States of `instances` instances at rest, rows first: what the verbs take for all of them at once.
    ///
    /// `threads` counts that of the caller; 0 takes as many as the machine has. `device` is "cpu", or "cuda" for an NVIDIA GPU ("cuda:1" for the second
    /// one), where results differ in the last digits.
    #[pyo3(signature = (instances, *, threads = 0, device = "cpu"))]
    fn batch(this: &Bound<'_, Self>, instances: usize, threads: usize, device: &str) -> PyResult<States> {
        States::on(this, instances, (device, threads))
    }

    /// A verb as code that the C compiler of the system makes for this model alone: "forward_dynamics", "inverse_dynamics", "rk4_step" and what
    /// `supple compile --list` names. It is kept for later calls and programs.
    fn compiled(this: &Bound<'_, Self>, verb: &str) -> PyResult<Compiled> {
        Compiled::new(this, verb)
    }

    /// The text of a model file that describes this model.
    fn to_text(&self, py: Python<'_>) -> PyResult<String> {
        let mut system = self.system.clone();
        system.forces.truncate(system.forces.len() - self.forces.len());
        model_file::write_named(self.name.as_deref(), &system)
            .map_err(|error| exception(py, "UnsupportedError", error, []))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let forces = PyList::empty(py);
        for force in &self.forces {
            forces.append(force.parts(py)?)?;
        }
        Ok((py.import("supple._pickle")?.getattr("model")?, (self.to_text(py)?, forces)))
    }

    fn __copy__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __deepcopy__(this: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        this
    }

    fn __repr__(&self) -> String {
        let engine = &self.engine;
        let name = self.name.as_ref().map(|name| format!("'{name}', ")).unwrap_or_default();
        let (bodies, speeds) = (engine.body_count(), engine.speed_count());
        let closures = engine.closures().len();
        let closed = if closures > 0 { format!(", closures={closures}") } else { String::new() };
        format!("Model({name}bodies={bodies}, speeds={speeds}{closed})")
    }
}

/// Reads a model, a scenario's model, a robot or standard input data.
#[pyfunction]
#[pyo3(signature = (file, *, side = None, lenient = false, floating = false, changes = None))]
pub fn load_model(
    py: Python<'_>,
    file: PathBuf,
    side: Option<PathBuf>,
    lenient: bool,
    floating: bool,
    changes: Option<Changes>,
) -> PyResult<Model> {
    let changes = changes.map_or_else(|| Ok(Vec::new()), |changes| changes.parse(py))?;
    let root = if floating { Root::Free } else { Root::default() };
    let options = LoadOptions { side, lenient, root, changes, ..LoadOptions::default() };
    let loaded = py.detach(|| load::load(Path::new(&file), &options)).or_raise(py)?;
    Ok(Model::of_loaded(loaded))
}
