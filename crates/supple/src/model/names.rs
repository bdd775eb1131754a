//! Names of hinges, nodes and modes, and handles found by them.

use super::description::{HingeKind, System};
use super::handle::{ClosureHandle, HingeHandle, ModeHandle, MotorHandle, NodeHandle};
use super::{Actuator, BodyIndex, Model};
use crate::nearest::nearest;
use std::fmt;

/// What a description calls its parts, body by body.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    /// Name of the hinge: its own, or that of the body.
    pub hinges: Vec<String>,
    /// Kind of the hinge, which names its coordinates.
    pub kinds: Vec<HingeKind>,
    /// Names of the nodes: their own, or their numbers.
    pub nodes: Vec<Vec<String>>,
    /// Strains of the nodes per mode; empty where they are not known.
    pub strains: Vec<Vec<Box<[[f64; 4]]>>>,
}

impl Names {
    pub(crate) fn of(system: &System) -> Self {
        let bodies = || system.bodies.iter();
        let nodes = |body: &super::Body| {
            let names =
                body.nodes.iter().enumerate().map(|(j, node)| node.name.clone().unwrap_or_else(|| j.to_string()));
            names.collect()
        };
        Self {
            hinges: bodies().map(|body| body.hinge.name.as_ref().unwrap_or(&body.name).clone()).collect(),
            kinds: bodies().map(|body| body.hinge.kind.clone()).collect(),
            nodes: bodies().map(nodes).collect(),
            strains: bodies().map(|body| body.nodes.iter().map(|node| node.strain.clone().into()).collect()).collect(),
        }
    }
}

/// A name that nothing in the model has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameError {
    /// What was looked for: "body", "hinge", "motor", "closure", "node" or "mode".
    pub what: &'static str,
    /// The name.
    pub name: String,
    /// The body it was looked for in, for nodes and modes.
    pub body: Option<String>,
    /// The nearest name that there is.
    pub nearest: Option<String>,
    /// All names that there are; of modes the first and the last.
    pub known: Vec<String>,
}

impl NameError {
    fn new<'k>(
        what: &'static str,
        name: &str,
        body: Option<&str>,
        known: impl Iterator<Item = &'k str> + Clone,
    ) -> Self {
        Self {
            what,
            name: name.into(),
            body: body.map(Into::into),
            nearest: nearest(name, known.clone()).map(Into::into),
            known: known.map(Into::into).collect(),
        }
    }

    /// What to do about it.
    pub fn remedy(&self) -> String {
        match (&self.nearest, &self.known[..]) {
            (Some(near), _) => format!("did you mean '{near}'?"),
            (None, []) => format!("there is no {}", self.what),
            (None, known @ [.., last]) if self.what == "mode" => format!("modes are {} to {last}", known[0]),
            (None, known) => {
                let first: Vec<_> = known.iter().take(8).map(|name| format!("'{name}'")).collect();
                let more = if known.len() > 8 { ", …" } else { "" };
                format!("there are {}{more}", first.join(", "))
            }
        }
    }
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.body {
            Some(body) => write!(f, "body '{body}' has no {} '{}'", self.what, self.name)?,
            None => write!(f, "the model has no {} '{}'", self.what, self.name)?,
        }
        write!(f, "; {}", self.remedy())
    }
}

impl std::error::Error for NameError {}

impl<T> Model<T> {
    /// The body of a name.
    ///
    /// # Errors
    /// [`NameError`] with the nearest name of a body.
    pub fn body(&self, name: &str) -> Result<BodyIndex, NameError> {
        let known = self.topology.bodies.iter().map(|body| body.name.as_str());
        self.find(name).ok_or_else(|| NameError::new("body", name, None, known))
    }

    /// The hinge of a name: its own, or that of its body where it has none.
    ///
    /// Handles are found once and then set and read numbers at no cost:
    ///
    /// ```
    /// use supple::{Body, Hinge, HingeKind, Inputs, ModelBuilder, Parent, State, Workspace, WrenchFrame, reactions};
    ///
    /// let mut builder = ModelBuilder::new();
    /// builder.gravity([0.0, 0.0, -9.81]);
    /// let hinge = Hinge { name: Some("elbow".into()), ..Hinge::new(HingeKind::Revolute { axis: [0.0, 1.0, 0.0] }) };
    /// builder.body(Body::rigid("forearm", Parent::Ground, hinge, 1.0, [1.0, 0.0, 0.0], [[0.0; 3], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]));
    /// let model = builder.build()?;
    /// let elbow = model.hinge("elbow")?;
    /// assert_eq!(model.hinge("elbwo").unwrap_err().remedy(), "did you mean 'elbow'?");
    ///
    /// let (mut state, mut inputs) = (State::new(&model), Inputs::new(&model));
    /// state.set(elbow, 0.0)?;
    /// inputs.add_force(elbow, -9.81)?; // holds the weight
    /// let mut workspace = Workspace::new(&model);
    /// let solution = reactions(&model, &state, &inputs, &mut workspace)?;
    /// assert!(solution.acceleration(elbow)?.abs() < 1e-12);
    /// assert!((solution.hinge_wrench(elbow, WrenchFrame::Inertial)?.linear[2] - 9.81).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`NameError`] with the nearest name of a hinge.
    pub fn hinge(&self, name: &str) -> Result<HingeHandle, NameError> {
        let found = self.hinges().zip(&self.names.hinges).find(|(_, known)| *known == name);
        let known = self.names.hinges.iter().map(String::as_str);
        found.map(|(hinge, _)| hinge).ok_or_else(|| NameError::new("hinge", name, None, known))
    }

    /// The motor of a name. Its handle sets forces and reads speeds of the hinge that it drives.
    ///
    /// # Errors
    /// [`NameError`] with the nearest name of a motor.
    pub fn motor(&self, name: &str) -> Result<MotorHandle, NameError> {
        let known = self.actuators().iter().map(|motor| motor.name.as_str());
        let found = self.actuators().iter().enumerate().find(|(_, motor)| motor.name == name);
        let handle = |(i, motor): (usize, &Actuator)| {
            MotorHandle::new(self.stamp(), i, motor.speed, &self.topology.bodies[motor.body.0])
        };
        found.map(handle).ok_or_else(|| NameError::new("motor", name, None, known))
    }

    /// The closure of a name.
    ///
    /// # Errors
    /// [`NameError`] with the nearest name of a closure.
    pub fn closure(&self, name: &str) -> Result<ClosureHandle, NameError> {
        let names = || self.closures().iter().map(|closure| closure.name.as_deref());
        let found = self.closure_handles().zip(names()).find(|(_, known)| *known == Some(name));
        let known = names().flatten();
        found.map(|(closure, _)| closure).ok_or_else(|| NameError::new("closure", name, None, known))
    }

    /// The node of a body by name; a node without a name has its number, from 0.
    ///
    /// # Errors
    /// [`NameError`] with the nearest name of a body, or of a node of this body.
    pub fn node(&self, body: &str, node: &str) -> Result<NodeHandle, NameError> {
        let at = self.body(body)?;
        let names = &self.names.nodes[at.0];
        let found = self.nodes_of(at).zip(names).find(|(_, known)| *known == node);
        let known = names.iter().map(String::as_str);
        found.map(|(node, _)| node).ok_or_else(|| NameError::new("node", node, Some(body), known))
    }

    /// The mode of a body by its number, from 1 as in the names of results.
    ///
    /// # Errors
    /// [`NameError`] with the nearest name of a body, or the numbers of its modes.
    pub fn mode(&self, body: &str, number: usize) -> Result<ModeHandle, NameError> {
        let at = self.body(body)?;
        self.modes_of(at).find(|mode| mode.number() == number).ok_or_else(|| {
            let ends = [1, self.modes(at)].iter().filter(|_| self.modes(at) > 0).map(ToString::to_string).collect();
            let (what, name) = ("mode", number.to_string());
            NameError { what, name, body: Some(body.into()), nearest: None, known: ends }
        })
    }

    /// Name of a hinge: its own, or that of its body. `None` for a hinge of another model.
    pub fn hinge_name(&self, hinge: HingeHandle) -> Option<&str> {
        let known = self.names.hinges.get(hinge.body().0).filter(|_| hinge.stamp() == self.stamp());
        known.map(String::as_str)
    }

    /// Name of a node: its own, or its number. `None` for a node of another model.
    pub fn node_name(&self, node: NodeHandle) -> Option<&str> {
        let known = self.names.nodes.get(node.body().0).filter(|_| node.stamp() == self.stamp());
        known.and_then(|names| names.get(node.node().0)).map(String::as_str)
    }
}
