//! What can go wrong in a verb.

use crate::model::{BodyIndex, NodeIndex};
use std::fmt;

/// A verb that could not give a result. Nothing of the state or the inputs is changed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum DynamicsError {
    /// The workspace was made for another model.
    WrongModel,
    /// Something that was made for one model is used with another.
    OtherModel {
        /// What it is.
        what: &'static str,
    },
    /// A slice has the wrong length.
    WrongSize {
        /// What it holds.
        quantity: &'static str,
        /// Its length.
        found: usize,
        /// The length for this model.
        expected: usize,
    },
    /// A wrench or a request names a body or node that does not exist.
    NoSuchNode {
        /// The body.
        body: BodyIndex,
        /// The node.
        node: NodeIndex,
    },
    /// A request names a body that does not exist.
    NoSuchBody {
        /// The body.
        body: BodyIndex,
        /// How many there are.
        bodies: usize,
    },
    /// Something that is not available for models with closures.
    NotForClosures {
        /// What it is.
        what: &'static str,
    },
    /// A change of mass of a body with modes.
    NotRigid {
        /// The body.
        body: BodyIndex,
        /// Its name.
        name: String,
    },
    /// A number of the state or the inputs is infinite or not a number.
    NotFinite {
        /// What it belongs to.
        quantity: &'static str,
        /// Its index there.
        index: usize,
    },
    /// A quaternion of the state is not of unit length.
    NotUnit {
        /// "hinge coordinate" or "attitude".
        quantity: &'static str,
        /// Its first index there.
        index: usize,
    },
    /// The inertia that a hinge or the modes of a body accelerate is not positive definite at this state.
    Singular {
        /// The body.
        body: BodyIndex,
        /// Its name.
        name: String,
    },
    /// A closure that no motion of the tree closes.
    CannotClose {
        /// Its place among the closures.
        closure: usize,
        /// Its name, where it has one.
        name: Option<String>,
        /// How far it stays open, the largest of its equations, m or rad.
        miss: f64,
    },
    /// Equations of closures that depend on others.
    Redundant {
        /// The closure of the first one, its place among the closures.
        closure: usize,
        /// Its name, where it has one.
        name: Option<String>,
        /// The place of the equation in the closure.
        equation: usize,
        /// What it holds.
        holds: &'static str,
        /// How many there are.
        count: usize,
    },
    /// Nodes that cannot be accelerated in every direction: their compliance has no inverse.
    Immovable {
        /// The body.
        body: BodyIndex,
        /// Its node.
        node: NodeIndex,
    },
    /// Closures are to be solved again, but no dynamics has been before.
    NotSolved,
    /// A motion is prescribed for an equation of a closure that cannot move.
    FixedEquation {
        /// Which closure.
        closure: usize,
        /// The place among its equations.
        equation: usize,
    },
    /// A coefficient of restitution outside of 0 to 1.
    Restitution {
        /// The value.
        value: f64,
    },
    /// All inputs are finite, the result is not: numbers too large for the scalar.
    Overflow {
        /// What overflowed.
        quantity: &'static str,
    },
}

impl fmt::Display for DynamicsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_what(f)?;
        self.remedy().map_or(Ok(()), |remedy| write!(f, "; {remedy}"))
    }
}

impl DynamicsError {
    /// What is wrong, without the remedy.
    fn write_what(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongModel => {
                write!(f, "the workspace belongs to another model")
            }
            Self::OtherModel { what } => {
                write!(f, "the {what} belongs to another model")
            }
            Self::WrongSize { quantity, found, expected } => {
                write!(f, "{quantity}: {found} numbers, this model needs {expected}")
            }
            Self::NoSuchNode { body, node } => write!(f, "body {} has no node {}", body.0, node.0),
            Self::NoSuchBody { body, bodies } => {
                write!(f, "there is no body {}: the model has {bodies}, counted from 0", body.0)
            }
            Self::NotForClosures { what } => write!(f, "{what} is not available for models with closures"),
            Self::NotRigid { name, .. } => write!(f, "body '{name}' has modes, which depend on its mass"),
            Self::NotFinite { quantity, index } => write!(f, "{quantity} [{index}] is not a finite number"),
            Self::NotUnit { quantity, index } => {
                write!(f, "the quaternion at {quantity} [{index}] is not of unit length")
            }
            Self::Singular { name, .. } => write!(
                f,
                "body '{name}': its hinge or modes accelerate no mass at this configuration; the mass matrix is singular"
            ),
            Self::CannotClose { closure, name, miss } => {
                let name = name.as_ref().map_or(format!("{closure}"), |name| format!("'{name}'"));
                write!(f, "closure {name} cannot be closed: it stays open by {miss:.3e} (m or rad)")
            }
            Self::Redundant { closure, name, equation, holds, count } => {
                let name = name.as_ref().map_or(format!("{closure}"), |name| format!("'{name}'"));
                write!(
                    f,
                    "closure {name}: equation {equation}, {holds}, depends on others; {count} equations do so in all"
                )
            }
            Self::Immovable { body, node } => {
                write!(f, "node {} of body {} cannot be accelerated in every direction by itself", node.0, body.0)
            }
            Self::NotSolved => write!(f, "the workspace holds no dynamics whose closures could be solved again"),
            Self::FixedEquation { closure, equation } => {
                write!(f, "closure {closure}: a motion is prescribed for equation {equation}, which holds a rotation")
            }
            Self::Restitution { value } => write!(f, "a coefficient of restitution of {value}"),
            Self::Overflow { quantity } => {
                write!(f, "{quantity} overflowed although every input is finite")
            }
        }
    }
}

impl std::error::Error for DynamicsError {}

impl DynamicsError {
    /// What to do about it, where there is more to say than what is wrong.
    pub fn remedy(&self) -> Option<&'static str> {
        match self {
            Self::WrongModel => Some("make one with Workspace::new(&model)"),
            Self::OtherModel { .. } => Some("make one with the model in use"),
            Self::NotForClosures { .. } => Some("take forward_dynamics"),
            Self::NotRigid { .. } => Some("give the mass that changes a body of its own, on a fixed hinge"),
            Self::NotUnit { .. } => Some("normalise it"),
            Self::Singular { .. } => Some("give the body mass there, or fix the hinge"),
            Self::CannotClose { .. } => {
                Some("check the lengths and where the frames are, or start nearer to the closed pose")
            }
            Self::Redundant { .. } => {
                Some("use closures with fewer equations, or a hinge with more freedom in the loop")
            }
            Self::Immovable { .. } => {
                Some("take operational_compliance, or nodes on bodies with more freedom between them")
            }
            Self::NotSolved => Some("call forward_dynamics or hybrid_dynamics before"),
            Self::FixedEquation { .. } => {
                Some("only translations, distances, couplings and the angles of driven closures can move as prescribed")
            }
            Self::Restitution { .. } => Some("give a number from 0 (it stays closed) to 1 (it rebounds without loss)"),
            Self::Overflow { .. } => Some("scale the model or the state"),
            _ => None,
        }
    }
}
