//! A force element: ports, parameters and law; in a description, and in a model.

use super::joint_port::{SeenPort, through};
use super::law::{Evaluate, Evaluation, ForceLaw, Law};
use super::port::{Effect, Measured, Port};
use crate::model::cast::Cast;
use std::any::TypeId;
use std::fmt;
use std::sync::Arc;
use supple_spatial::{Scalar, Vector3};

/// A force element of a [`System`](crate::System).
///
/// ```
/// use supple::force::{ForceElement, HingeSpring, Port};
/// use supple::BodyIndex;
/// let spring = ForceElement::new(HingeSpring { stiffness: 20.0, rest: 0.1 }, [Port::hinge(BodyIndex(0))]);
/// assert_eq!(spring.law::<HingeSpring>().map(|law| law.stiffness), Some(20.0));
/// ```
#[derive(Clone, Debug)]
pub struct ForceElement {
    /// Optional name, unique in the system.
    pub name: Option<String>,
    /// Where it acts.
    pub ports: Vec<Port>,
    law: Arc<dyn Law>,
}

impl ForceElement {
    /// An element without a name.
    pub fn new(law: impl Law + 'static, ports: impl Into<Vec<Port>>) -> Self {
        Self { name: None, ports: ports.into(), law: Arc::new(law) }
    }

    /// The same element with a name.
    pub fn named(self, name: impl Into<String>) -> Self {
        Self { name: Some(name.into()), ..self }
    }

    /// The same law at other ports.
    pub fn at(self, ports: impl Into<Vec<Port>>) -> Self {
        Self { ports: ports.into(), ..self }
    }

    /// Its law, where it is of this type.
    pub fn law<L: ForceLaw>(&self) -> Option<&L> {
        self.law.as_any().downcast_ref()
    }

    /// Its law as an object.
    pub fn as_law(&self) -> &dyn Law {
        &*self.law
    }
}

impl PartialEq for ForceElement {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.ports == other.ports && self.law.equals(&*other.law)
    }
}

/// A port with the places of what it measures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum PortPlace<T> {
    /// Places of coordinate and speed in a state.
    Hinge { coordinate: Option<usize>, speed: usize },
    /// A node, with its attitude state where it has one.
    Node { body: usize, node: usize, attitude: Option<usize> },
    /// A point of the ground.
    Ground(Vector3<T>),
    /// A body.
    Body(usize),
}

impl<T> PortPlace<T> {
    /// The body that it belongs to; that of a hinge is known by its speed.
    pub fn needs_pose(&self) -> bool {
        matches!(self, Self::Node { .. } | Self::Body(_))
    }
}

impl<U: Scalar> Cast<U> for PortPlace<f64> {
    type Output = PortPlace<U>;
    fn cast(&self) -> PortPlace<U> {
        match *self {
            Self::Hinge { coordinate, speed } => PortPlace::Hinge { coordinate, speed },
            Self::Node { body, node, attitude } => PortPlace::Node { body, node, attitude },
            Self::Ground(position) => PortPlace::Ground(position.cast()),
            Self::Body(body) => PortPlace::Body(body),
        }
    }
}

/// An element of a model.
#[derive(Clone, Debug)]
pub(crate) struct ElementData<T> {
    /// The element of the description that it comes from.
    pub element: usize,
    pub law: Arc<dyn Law>,
    pub evaluate: Evaluate<T>,
    pub parameters: Box<[T]>,
    pub ports: Box<[PortPlace<T>]>,
    /// Its place among the inputs of elements, where it has one.
    pub input: Option<usize>,
    /// The ports as the law sees them, where they are not those.
    pub seen: Option<Box<[SeenPort<T>]>>,
}

impl<T: Scalar> ElementData<T> {
    /// Evaluates the law with the inputs of elements; without them those are zero.
    #[inline]
    pub fn act(&self, inputs: Option<&[T]>, at: &Measured<'_, T>, out: &mut Effect<'_, T>) {
        let input = [self.input.and_then(|i| inputs.map(|inputs| inputs[i])).unwrap_or(T::ZERO)];
        let numbers = if self.input.is_some() { &input[..] } else { &self.parameters };
        match &self.seen {
            None => (self.evaluate)(numbers, at, out),
            Some(seen) => through(seen, at, out, |at, out| (self.evaluate)(numbers, at, out)),
        }
    }

    /// Whether it acts: while all closures that it takes hold of are closed.
    #[inline]
    pub fn acts(&self, closed: &[bool]) -> bool {
        let open = |port: &SeenPort<T>| matches!(port, SeenPort::Joint(joint) if !closed[joint.closure]);
        !self.seen.as_ref().is_some_and(|seen| seen.iter().any(open))
    }
}

/// All elements of a model.
#[derive(Clone, Debug)]
pub(crate) struct Elements<T> {
    pub list: Box<[ElementData<T>]>,
    /// Some element looks at poses of bodies.
    pub needs_poses: bool,
    /// Most ports of one element.
    pub most_ports: usize,
}

/// A scalar that the elements of a model cannot be evaluated in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnlistedScalar {
    /// The scalar.
    pub scalar: &'static str,
    /// The kind of element.
    pub element: &'static str,
}

impl fmt::Display for UnlistedScalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { scalar, element } = self;
        write!(
            f,
            "force elements of kind '{element}' are not compiled for the scalar {scalar}; add it to the list in the macro force_element!"
        )
    }
}

impl std::error::Error for UnlistedScalar {}

/// The function of a law for one scalar.
fn evaluation<T: Scalar>(law: &dyn Law) -> Result<Evaluate<T>, UnlistedScalar> {
    let unlisted = || UnlistedScalar { scalar: std::any::type_name::<T>(), element: law.name() };
    let found = law.evaluation(TypeId::of::<T>()).ok_or_else(unlisted)?;
    found.downcast_ref::<Evaluation<T>>().map(|evaluation| evaluation.0).ok_or_else(unlisted)
}

impl ElementData<f64> {
    /// Element `element` of a checked description, at these places.
    pub fn new(
        element: usize,
        of: &ForceElement,
        ports: Vec<PortPlace<f64>>,
        seen: Option<Vec<SeenPort<f64>>>,
        input: Option<usize>,
    ) -> Result<Self, UnlistedScalar> {
        let law = Arc::clone(&of.law);
        Ok(Self {
            element,
            evaluate: evaluation(&*law)?,
            parameters: law.parameters().into(),
            ports: ports.into(),
            seen: seen.map(Into::into),
            input,
            law,
        })
    }
}

impl<T: Scalar> Elements<T> {
    pub fn new(list: Vec<ElementData<T>>) -> Self {
        let needs_poses = list.iter().any(|e| e.ports.iter().any(PortPlace::needs_pose));
        let most_ports = list.iter().map(|e| e.ports.len()).max().unwrap_or(0);
        Self { list: list.into(), needs_poses, most_ports }
    }
}

impl<T> Elements<T> {
    /// Number of inputs of elements.
    pub fn inputs(&self) -> usize {
        self.list.iter().filter(|element| element.input.is_some()).count()
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

impl Elements<f64> {
    /// The same elements of another scalar.
    pub fn cast<U: Scalar>(&self) -> Result<Elements<U>, UnlistedScalar> {
        let element = |of: &ElementData<f64>| -> Result<ElementData<U>, UnlistedScalar> {
            Ok(ElementData {
                element: of.element,
                law: Arc::clone(&of.law),
                evaluate: evaluation(&*of.law)?,
                parameters: of.parameters.cast(),
                ports: of.ports.cast(),
                seen: of.seen.as_ref().map(Cast::cast),
                input: of.input,
            })
        };
        Ok(Elements::new(self.list.iter().map(element).collect::<Result<Vec<_>, _>>()?))
    }
}
