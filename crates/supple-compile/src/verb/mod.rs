//! Verbs that become programs, and their names.
//!
//! | name                                | gives                                                                          |
//! |-------------------------------------|--------------------------------------------------------------------------------|
//! | `forward_dynamics`                  | accelerations from forces                                                      |
//! | `inverse_dynamics`                  | forces from accelerations                                                      |
//! | `hybrid_dynamics:HINGE,…`           | forces of the hinges named, accelerations of all else                          |
//! | `bias_forces`, `gravity_forces`     | forces at zero acceleration; those of gravity alone                            |
//! | `mass_matrix`, `energy`             | the mass matrix by rows; kinetic, elastic, gravitational, stored energy        |
//! | `node_pose:BODY.NODE`               | position and rotation matrix of a node                                         |
//! | `node_velocity:BODY.NODE`           | its angular velocity and velocity                                              |
//! | `node_jacobian:BODY.NODE`           | both per speed                                                                 |
//! | `linearization`                     | accelerations, and their derivatives by displacements, speeds and forces       |
//! | `rk4_step`                          | the state after one step of the classical Runge-Kutta scheme                   |
//! | `linearly_implicit_step`            | the same, with stiffness and damping of the modes solved for                   |

mod dynamics;
mod linearization;
mod node;
mod quantity;
pub(crate) mod step;

use crate::recorder::{RecordError, Recorder};
use std::fmt;
use std::str::FromStr;
use supple::Model;
use supple::spatial::Traced;

/// What a program computes from a state and inputs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Verb {
    /// Accelerations from forces: [`forward_dynamics`](supple::forward_dynamics).
    ForwardDynamics,
    /// Forces from accelerations: [`inverse_dynamics`](supple::inverse_dynamics).
    InverseDynamics,
    /// Forces of prescribed hinges, accelerations of all else: [`hybrid_dynamics`](supple::hybrid_dynamics). Goes in and comes out per speed.
    HybridDynamics {
        /// Names of the hinges whose accelerations are given.
        prescribed: Vec<String>,
    },
    /// Forces at zero acceleration: [`bias_forces`](supple::bias_forces).
    BiasForces,
    /// The part of them that gravity has.
    GravityForces,
    /// The mass matrix by rows: [`mass_matrix`](supple::mass_matrix).
    MassMatrix,
    /// Kinetic, elastic, gravitational and stored energy: [`energy`](supple::energy).
    Energy,
    /// Position and rotation matrix by rows of a node, in inertial axes.
    NodePose(NodeName),
    /// Angular velocity and velocity of a node, in inertial axes.
    NodeVelocity(NodeName),
    /// Angular velocity and velocity of a node per speed, by rows: [`node_jacobian`](supple::node_jacobian).
    NodeJacobian(NodeName),
    /// Accelerations, then their derivatives by displacements, speeds and forces, by rows:
    /// [`forward_dynamics_derivatives`](supple::forward_dynamics_derivatives).
    Linearization(Differentiation),
    /// One step of the classical Runge-Kutta scheme under held forces.
    Rk4Step,
    /// One linearly implicit step of order four under held forces.
    LinearlyImplicitStep,
}

/// A node by the name of its body and its own.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NodeName {
    /// Name of the body.
    pub body: String,
    /// Name of the node, or its number where it has none.
    pub node: String,
}

/// How derivatives are recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Differentiation {
    /// Whichever gives fewer operations.
    #[default]
    Fewest,
    /// By the analytic recursion, for trees without force elements.
    Recursion,
    /// By dual numbers, one column at a time.
    Dual,
}

/// A text that names no verb.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownVerb {
    /// The text.
    pub text: String,
    /// What is missing behind the name of a verb, where the verb is known.
    pub missing: Option<&'static str>,
}

impl fmt::Display for UnknownVerb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.missing {
            Some(missing) => write!(f, "'{}' does not say all: write {missing}", self.text),
            None => write!(f, "there is no verb '{}'; verbs are {}", self.text, Verb::NAMES.join(", ")),
        }
    }
}

impl std::error::Error for UnknownVerb {}

const HYBRID: &str = "hybrid_dynamics:HINGE,HINGE";
const POSE: &str = "node_pose:BODY.NODE";
const VELOCITY: &str = "node_velocity:BODY.NODE";
const JACOBIAN: &str = "node_jacobian:BODY.NODE";

impl Verb {
    /// All verbs that need no names of parts of a model.
    pub const ALL: [Self; 9] = [
        Self::ForwardDynamics,
        Self::InverseDynamics,
        Self::BiasForces,
        Self::GravityForces,
        Self::MassMatrix,
        Self::Energy,
        Self::Linearization(Differentiation::Fewest),
        Self::Rk4Step,
        Self::LinearlyImplicitStep,
    ];

    /// How all verbs are written.
    pub const NAMES: [&str; 13] = [
        "forward_dynamics",
        "inverse_dynamics",
        HYBRID,
        "bias_forces",
        "gravity_forces",
        "mass_matrix",
        "energy",
        POSE,
        VELOCITY,
        JACOBIAN,
        "linearization",
        "rk4_step",
        "linearly_implicit_step",
    ];

    /// Its name in commands and in code, without what follows the colon.
    pub fn name(&self) -> &'static str {
        match self {
            Self::ForwardDynamics => "forward_dynamics",
            Self::InverseDynamics => "inverse_dynamics",
            Self::HybridDynamics { .. } => "hybrid_dynamics",
            Self::BiasForces => "bias_forces",
            Self::GravityForces => "gravity_forces",
            Self::MassMatrix => "mass_matrix",
            Self::Energy => "energy",
            Self::NodePose(_) => "node_pose",
            Self::NodeVelocity(_) => "node_velocity",
            Self::NodeJacobian(_) => "node_jacobian",
            Self::Linearization(_) => "linearization",
            Self::Rk4Step => "rk4_step",
            Self::LinearlyImplicitStep => "linearly_implicit_step",
        }
    }

    /// Its name with what follows the colon, in letters, digits and `_`: what functions and files of code are called.
    pub fn code_name(&self) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        self.to_string().chars().map(plain).collect()
    }

    /// Whether speeds go in.
    pub(crate) fn takes_speeds(&self) -> bool {
        !matches!(self, Self::MassMatrix | Self::GravityForces | Self::NodePose(_) | Self::NodeJacobian(_))
    }

    /// Whether forces of motors go in.
    pub(crate) fn takes_motors(&self) -> bool {
        self.takes_speeds() && !matches!(self, Self::Energy | Self::NodeVelocity(_))
    }

    /// Whether the engine checks that all that comes out is finite.
    pub(crate) fn checks_outputs(&self) -> bool {
        !matches!(
            self,
            Self::MassMatrix | Self::Energy | Self::NodePose(_) | Self::NodeVelocity(_) | Self::Linearization(_)
        )
    }

    /// Runs it on symbols.
    pub(crate) fn trace(&self, model: Model<Traced>, recorder: &mut Recorder<'_>) -> Result<(), RecordError> {
        match self {
            Self::ForwardDynamics => dynamics::forward(&model, recorder),
            Self::InverseDynamics => dynamics::inverse(&model, recorder),
            Self::HybridDynamics { prescribed } => dynamics::hybrid(&model, prescribed, recorder),
            Self::BiasForces => dynamics::bias(&model, supple::Terms::ALL, recorder),
            Self::GravityForces => {
                dynamics::bias(&model, supple::Terms { gravity: true, ..supple::Terms::NONE }, recorder)
            }
            Self::MassMatrix => quantity::mass_matrix(&model, recorder),
            Self::Energy => quantity::energy(&model, recorder),
            Self::NodePose(name) => node::pose(&model, name, recorder),
            Self::NodeVelocity(name) => node::velocity(&model, name, recorder),
            Self::NodeJacobian(name) => node::jacobian(&model, name, recorder),
            Self::Linearization(by) => linearization::derivatives(&model, *by, recorder),
            Self::Rk4Step => step::step(&model, supple::generic::runge_kutta_step, recorder),
            Self::LinearlyImplicitStep => step::step(&model, supple::generic::linearly_implicit_step, recorder),
        }
    }
}

impl fmt::Display for Verb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self {
            Self::HybridDynamics { prescribed } => write!(f, ":{}", prescribed.join(",")),
            Self::NodePose(name) | Self::NodeVelocity(name) | Self::NodeJacobian(name) => {
                write!(f, ":{}.{}", name.body, name.node)
            }
            Self::Linearization(Differentiation::Recursion) => f.write_str(":recursion"),
            Self::Linearization(Differentiation::Dual) => f.write_str(":dual"),
            _ => Ok(()),
        }
    }
}

impl FromStr for Verb {
    type Err = UnknownVerb;

    fn from_str(text: &str) -> Result<Self, UnknownVerb> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let unknown = |missing| UnknownVerb { text: text.into(), missing };
        let node = |missing| match rest.rsplit_once('.') {
            Some((body, node)) if !body.is_empty() && !node.is_empty() => {
                Ok(NodeName { body: body.into(), node: node.into() })
            }
            _ => Err(unknown(Some(missing))),
        };
        match (name, rest) {
            ("hybrid_dynamics", "") => Err(unknown(Some(HYBRID))),
            ("hybrid_dynamics", _) => {
                Ok(Self::HybridDynamics { prescribed: rest.split(',').map(|hinge| hinge.trim().into()).collect() })
            }
            ("node_pose", _) => node(POSE).map(Self::NodePose),
            ("node_velocity", _) => node(VELOCITY).map(Self::NodeVelocity),
            ("node_jacobian", _) => node(JACOBIAN).map(Self::NodeJacobian),
            ("linearization", "recursion") => Ok(Self::Linearization(Differentiation::Recursion)),
            ("linearization", "dual") => Ok(Self::Linearization(Differentiation::Dual)),
            (_, "") => Self::ALL.into_iter().find(|verb| verb.name() == text).ok_or_else(|| unknown(None)),
            _ => Err(unknown(None)),
        }
    }
}
