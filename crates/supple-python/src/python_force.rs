//! Force elements whose law is a function in Python.
//!
//! The engine keeps laws as functions of numbers: the first parameter of this one is the place of its function in a list of this module. It is compiled for
//! plain numbers, and for dual numbers by central differences of those, so that implicit schemes and linear models have tangents; batches (lanes), single
//! precision and generated code refuse it by name.

use std::any::{Any, TypeId};
use std::sync::{Arc, PoisonError, RwLock, Weak};

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use supple::force::{Effect, Evaluation, ForceElement, ForceLaw, Law, Measured, Port, PortKind, Rule};
use supple::spatial::{Dual, Force, Scalar, Vector3};

use crate::errors::bad_argument;
use crate::model::Model;
use crate::python_error;

/// Most ports of an element.
const MOST_PORTS: usize = 4;
/// Step of the differences, as a part of the motion: the cube root of rounding.
const STEP: f64 = 6e-6;

const HINGES: [PortKind; MOST_PORTS] = [PortKind::Coordinate; MOST_PORTS];
const NODES: [PortKind; MOST_PORTS] = [PortKind::Node; MOST_PORTS];

/// Functions of the laws that are alive.
static FUNCTIONS: RwLock<Vec<Weak<Py<PyAny>>>> = RwLock::new(Vec::new());

/// A force element written in Python.
#[derive(Clone)]
pub struct PythonForce {
    name: Option<String>,
    /// As the user wrote them.
    words: Vec<String>,
    ports: Vec<Port>,
    law: PythonLaw,
}

/// Its law.
#[derive(Clone, Debug)]
pub struct PythonLaw {
    place: usize,
    nodes: bool,
    ports: usize,
    function: Arc<Py<PyAny>>,
}

impl PartialEq for PythonLaw {
    fn eq(&self, other: &Self) -> bool {
        self.place == other.place
    }
}

impl PythonForce {
    /// As the engine takes it.
    pub fn element(&self) -> ForceElement {
        let element = ForceElement::new(self.law.clone(), self.ports.clone());
        match &self.name {
            Some(name) => element.named(name.clone()),
            None => element,
        }
    }

    /// Name, ports and function, as they were given.
    pub fn parts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        (self.name.clone(), self.words.clone(), self.law.function.clone_ref(py)).into_pyobject(py)
    }
}

/// Reads `(name, ports, function)`; ports are hinges with one direction by name, or nodes as `body.node`.
pub fn read(model: &Model, given: &Bound<'_, PyTuple>) -> PyResult<PythonForce> {
    let py = given.py();
    let (name, words, function): (Option<String>, Vec<String>, Py<PyAny>) = given.extract()?;
    if words.is_empty() || words.len() > MOST_PORTS {
        return Err(bad_argument(
            py,
            format!("{} ports", words.len()),
            "give one to four hinges, or one to four nodes",
        ));
    }
    if !function.bind(py).is_callable() {
        return Err(bad_argument(
            py,
            "the law of a force element is no function",
            "give a function of what it measures",
        ));
    }
    let hinge = |word: &String| model.engine.hinge(word).ok().map(|hinge| Port::hinge(hinge.body()));
    let hinges: Vec<Port> = words.iter().map_while(hinge).collect();
    let nodes = hinges.len() < words.len();
    let node = |word: &String| model.node_at(py, word).map(|(body, node)| Port::node(body, node));
    let ports = if nodes { words.iter().map(node).collect::<PyResult<Vec<_>>>()? } else { hinges };
    let function = Arc::new(function);
    let mut functions = FUNCTIONS.write().unwrap_or_else(PoisonError::into_inner);
    functions.push(Arc::downgrade(&function));
    let law = PythonLaw { place: functions.len() - 1, nodes, ports: ports.len(), function };
    Ok(PythonForce { name, words, ports, law })
}

/// What a law measures at a port and writes there, in plain numbers: coordinate and speed of a hinge, or position, angular velocity and velocity of a node.
#[derive(Clone, Copy, Default)]
struct Numbers {
    coordinate: f64,
    speed: f64,
    position: [f64; 3],
    velocity: [f64; 6],
}

/// What the function gives: a force or a wrench per port, then stored energy and dissipated power.
#[derive(Clone, Copy, Default)]
struct Answer {
    ports: [[f64; 6]; MOST_PORTS],
    stored: f64,
    dissipated: f64,
}

/// Value and derivative of a number of one of the scalars of this law.
fn parts<T: Scalar>(number: T) -> (f64, f64) {
    let number: &dyn Any = &number;
    match (number.downcast_ref::<f64>(), number.downcast_ref::<Dual<f64>>()) {
        (Some(value), _) => (*value, 0.0),
        (_, Some(dual)) => (dual.value, dual.derivative),
        _ => (f64::NAN, 0.0),
    }
}

/// A number of that scalar.
fn whole<T: Scalar>(value: f64, derivative: f64) -> T {
    let (plain, dual): (Box<dyn Any>, Box<dyn Any>) = (Box::new(value), Box::new(Dual { value, derivative }));
    let found = plain.downcast::<T>().or_else(|_| dual.downcast::<T>());
    found.map_or(T::from_f64(f64::NAN), |number| *number)
}

/// What is measured at all ports, and its derivative.
fn measure<T: Scalar>(ports: usize, at: &Measured<'_, T>) -> [[Numbers; MOST_PORTS]; 2] {
    let mut both = [[Numbers::default(); MOST_PORTS]; 2];
    for port in 0..ports {
        let set = |number: T, place: fn(&mut Numbers) -> &mut f64, both: &mut [[Numbers; MOST_PORTS]; 2]| {
            let (value, derivative) = parts(number);
            *place(&mut both[0][port]) = value;
            *place(&mut both[1][port]) = derivative;
        };
        set(at.coordinate(port), |n| &mut n.coordinate, &mut both);
        set(at.speed(port), |n| &mut n.speed, &mut both);
        let velocity = at.velocity(port);
        for axis in 0..3 {
            for (number, place) in
                [(at.position(port).0[axis], 0), (velocity.angular.0[axis], 1), (velocity.linear.0[axis], 2)]
            {
                let (value, derivative) = parts(number);
                for (numbers, part) in both.iter_mut().zip([value, derivative]) {
                    match place {
                        0 => numbers[port].position[axis] = part,
                        1 => numbers[port].velocity[axis] = part,
                        _ => numbers[port].velocity[3 + axis] = part,
                    }
                }
            }
        }
    }
    both
}

/// The numbers at `value + step · derivative`.
fn moved(both: &[[Numbers; MOST_PORTS]; 2], step: f64) -> [Numbers; MOST_PORTS] {
    let mut out = both[0];
    for (number, rate) in out.iter_mut().zip(&both[1]) {
        number.coordinate += step * rate.coordinate;
        number.speed += step * rate.speed;
        number.position.iter_mut().zip(rate.position).for_each(|(x, r)| *x += step * r);
        number.velocity.iter_mut().zip(rate.velocity).for_each(|(x, r)| *x += step * r);
    }
    out
}

/// Size of a derivative, with which its step is scaled.
fn size(rates: &[Numbers; MOST_PORTS]) -> f64 {
    let largest = |n: &Numbers| {
        n.position.iter().chain(&n.velocity).fold(n.coordinate.abs().max(n.speed.abs()), |m, x| m.max(x.abs()))
    };
    rates.iter().map(largest).fold(0.0, f64::max)
}

impl ForceLaw for PythonLaw {
    const NAME: &'static str = "force element in Python";
    const PORTS: &'static [PortKind] = &[];

    fn parameters(&self) -> Vec<f64> {
        vec![self.place as f64, f64::from(u8::from(self.nodes)), self.ports as f64]
    }

    fn evaluate<T: Scalar>(p: &[T], at: &Measured<'_, T>, out: &mut Effect<'_, T>) {
        let [place, nodes, ports] = [0, 1, 2].map(|i| parts(p[i]).0);
        let (place, nodes, ports) = (place as usize, nodes != 0.0, ports as usize);
        let function = FUNCTIONS.read().unwrap_or_else(PoisonError::into_inner).get(place).and_then(Weak::upgrade);
        let Some(function) = function else { return };
        let (time, _) = parts(at.time());
        let both = measure(ports, at);
        let value = call(&function, nodes, ports, time, &both[0]);
        let rate = size(&both[1]);
        let (ahead, behind, step) = if rate > 0.0 {
            let step = STEP / rate;
            (
                call(&function, nodes, ports, time, &moved(&both, step)),
                call(&function, nodes, ports, time, &moved(&both, -step)),
                step,
            )
        } else {
            (value, value, 1.0)
        };
        let number = |of: fn(&Answer, usize, usize) -> f64, port: usize, i: usize| -> T {
            whole(of(&value, port, i), (of(&ahead, port, i) - of(&behind, port, i)) / (2.0 * step))
        };
        let force: fn(&Answer, usize, usize) -> f64 = |answer, port, i| answer.ports[port][i];
        for port in 0..ports {
            if nodes {
                let vector = |first: usize| Vector3([0_usize, 1, 2].map(|i| number(force, port, first + i)));
                out.apply(port, Force::new(vector(0), vector(3)));
            } else {
                out.push(port, number(force, port, 0));
            }
        }
        out.store(number(|answer, _, _| answer.stored, 0, 0));
        out.dissipate(number(|answer, _, _| answer.dissipated, 0, 0));
    }
}

impl Law for PythonLaw {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn ports(&self) -> &'static [PortKind] {
        let kinds: &'static [PortKind; MOST_PORTS] = if self.nodes { &NODES } else { &HINGES };
        &kinds[..self.ports.min(MOST_PORTS)]
    }

    fn parameters(&self) -> Vec<f64> {
        ForceLaw::parameters(self)
    }

    fn rules(&self) -> Vec<Rule> {
        Vec::new()
    }

    fn kinks(&self) -> Vec<f64> {
        Vec::new()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn is_stiff(&self) -> bool {
        true
    }

    fn has_input(&self) -> bool {
        false
    }

    fn equals(&self, other: &dyn Law) -> bool {
        other.as_any().downcast_ref::<Self>() == Some(self)
    }

    fn evaluation(&self, scalar: TypeId) -> Option<Box<dyn Any>> {
        Evaluation::<f64>::boxed::<Self>(scalar).or_else(|| Evaluation::<Dual<f64>>::boxed::<Self>(scalar))
    }
}

/// Calls the function. What it raises is kept, and the forces are then not finite.
fn call(function: &Py<PyAny>, nodes: bool, ports: usize, time: f64, at: &[Numbers; MOST_PORTS]) -> Answer {
    Python::attach(|py| {
        ask(py, function, nodes, ports, time, &at[..ports]).unwrap_or_else(|error| {
            python_error::keep(error);
            Answer { ports: [[f64::NAN; 6]; MOST_PORTS], ..Answer::default() }
        })
    })
}

/// `function(time, x, v)` gives the forces, or a dictionary with `force`, `stored` and `dissipated`.
fn ask(py: Python<'_>, function: &Py<PyAny>, nodes: bool, ports: usize, time: f64, at: &[Numbers]) -> PyResult<Answer> {
    let given = if nodes {
        let places: Vec<Vec<f64>> = at.iter().map(|n| n.position.to_vec()).collect();
        let rates: Vec<Vec<f64>> = at.iter().map(|n| n.velocity.to_vec()).collect();
        function.bind(py).call1((
            time,
            numpy::PyArray2::from_vec2(py, &places)?,
            numpy::PyArray2::from_vec2(py, &rates)?,
        ))?
    } else {
        let of = |number: fn(&Numbers) -> f64| numpy::PyArray1::from_iter(py, at.iter().map(number));
        function.bind(py).call1((time, of(|n| n.coordinate), of(|n| n.speed)))?
    };
    let mut answer = Answer::default();
    let forces = match given.cast::<PyDict>() {
        Ok(named) => {
            let number = |key: &str| named.get_item(key)?.map_or(Ok(0.0), |value| value.extract::<f64>());
            (answer.stored, answer.dissipated) = (number("stored")?, number("dissipated")?);
            named.get_item("force")?.ok_or_else(|| {
                bad_argument(
                    py,
                    "the answer of a force element has no 'force'",
                    "give forces, or a dictionary with 'force'",
                )
            })?
        }
        Err(_) => given,
    };
    let width = if nodes { 6 } else { 1 };
    let mut flat = vec![0.0; width * ports];
    match forces.extract::<f64>() {
        Ok(one) if flat.len() == 1 => flat[0] = one,
        _ => crate::arrays::read(py, "the answer of a force element", &forces, &mut flat)?,
    }
    for (port, numbers) in flat.chunks(width).enumerate() {
        answer.ports[port][..width].copy_from_slice(numbers);
    }
    if let Some(bad) = flat.iter().find(|x| !x.is_finite()) {
        return Err(bad_argument(py, format!("a force element in Python gave {bad}"), "return finite numbers"));
    }
    Ok(answer)
}
