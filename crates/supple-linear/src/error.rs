//! What can go wrong with a linear model or an equilibrium.

use std::fmt;
use supple::{AccessError, DynamicsError, NameError};

/// Why there is no result. Each says what is wrong and what to do about it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum LinearError {
    /// A verb of the engine failed.
    Dynamics(DynamicsError),
    /// A body, hinge, node or mode that the model does not have.
    Name(NameError),
    /// An input or output that the model does not have.
    UnknownSignal {
        /// "input" or "output".
        list: &'static str,
        /// The name or pattern.
        name: String,
        /// The nearest name that there is.
        nearest: Option<String>,
        /// Some of the names that there are.
        known: Vec<String>,
    },
    /// A signal that is asked for twice.
    RepeatedSignal {
        /// "input" or "output".
        list: &'static str,
        /// Its name.
        name: String,
    },
    /// A force in a hinge that is locked: it changes nothing.
    LockedInput {
        /// The input.
        name: String,
    },
    /// A hinge that is to be both locked and free.
    LockedAndFree {
        /// The hinge.
        hinge: String,
    },
    /// Nothing is left that can move.
    NoFreedom,
    /// A hinge whose acceleration is an input, but closures do not let it move by itself.
    CannotMove {
        /// The input.
        name: String,
    },
    /// No equilibrium was found.
    NoEquilibrium(NoEquilibrium),
    /// A system that moves steadily, but whose coefficients change while it does.
    NotSteady {
        /// The hinge that moves.
        hinge: String,
        /// What changes most: "mass", "damping", "stiffness" or "forces".
        quantity: &'static str,
        /// By how much of its size.
        change: f64,
    },
    /// Eigenvalues that could not be calculated.
    NoEigenvalues,
}

/// Where the search for an equilibrium ended.
#[derive(Clone, Debug, PartialEq)]
pub struct NoEquilibrium {
    /// What the largest part of the residual belongs to, a speed of the model by name.
    pub at: String,
    /// Force that is left there, N, N m, or J of a mode.
    pub force: f64,
    /// Size of the residual as a part of the loads.
    pub residual: f64,
    /// Steps that were taken.
    pub iterations: usize,
    /// Whether nothing resists the force: the coordinate runs away.
    pub unresisted: bool,
}

impl LinearError {
    /// What to do about it.
    pub fn remedy(&self) -> String {
        match self {
            Self::Dynamics(error) => error.remedy().unwrap_or("give numbers that fit the model").into(),
            Self::Name(error) => error.remedy(),
            Self::UnknownSignal { nearest: Some(near), .. } => format!("did you mean '{near}'?"),
            Self::UnknownSignal { known, .. } if known.is_empty() => "the model has none".into(),
            Self::UnknownSignal { known, .. } => format!("there are {}, …; patterns take *", known.join(", ")),
            Self::RepeatedSignal { .. } => "name it once".into(),
            Self::LockedInput { .. } => "free the hinge, or take its acceleration as the input".into(),
            Self::LockedAndFree { .. } => "name it in one of the two; a name decides before a pattern or `all`".into(),
            Self::NoFreedom => "free a hinge, or give a body modes".into(),
            Self::CannotMove { .. } => "free more hinges of the loop, or drive another one".into(),
            Self::NoEquilibrium(end) if end.unresisted => {
                format!("hold '{}', or give it a spring", end.at)
            }
            Self::NoEquilibrium(_) => "start nearer to it, hold more hinges, or check loads and stiffness".into(),
            Self::NotSteady { .. } => {
                "lock the hinge and look at one angle after the other, or make what it carries symmetric".into()
            }
            Self::NoEigenvalues => "check the model for masses and stiffnesses that are too far apart".into(),
        }
    }
}

impl fmt::Display for LinearError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // These say their remedy themselves.
            Self::Dynamics(error) => return error.fmt(f),
            Self::Name(error) => return error.fmt(f),
            Self::UnknownSignal { list, name, .. } => write!(f, "the model has no {list} '{name}'")?,
            Self::RepeatedSignal { list, name } => write!(f, "the {list} '{name}' is asked for twice")?,
            Self::LockedInput { name } => write!(f, "the input '{name}' acts in a hinge that is locked")?,
            Self::LockedAndFree { hinge } => write!(f, "the hinge '{hinge}' is to be both locked and free")?,
            Self::NoFreedom => write!(f, "nothing can move: all hinges are locked and no body is flexible")?,
            Self::CannotMove { name } => write!(f, "the input '{name}' moves a hinge that closures hold")?,
            Self::NoEquilibrium(end) => write!(
                f,
                "no equilibrium found in {} steps: {:.3e} is left at '{}', a residual of {:.1e} of the loads",
                end.iterations, end.force, end.at, end.residual
            )?,
            Self::NotSteady { hinge, quantity, change } => write!(
                f,
                "the motion of hinge '{hinge}' is not steady: its {quantity} changes by {:.2} % while it turns",
                100.0 * change
            )?,
            Self::NoEigenvalues => write!(f, "the eigenvalues could not be calculated")?,
        }
        write!(f, "; {}", self.remedy())
    }
}

impl std::error::Error for LinearError {}

impl From<DynamicsError> for LinearError {
    fn from(error: DynamicsError) -> Self {
        Self::Dynamics(error)
    }
}

impl From<NameError> for LinearError {
    fn from(error: NameError) -> Self {
        Self::Name(error)
    }
}

impl From<AccessError> for LinearError {
    fn from(error: AccessError) -> Self {
        let AccessError::Overflow { quantity } = error else {
            return Self::Dynamics(DynamicsError::WrongModel);
        };
        Self::Dynamics(DynamicsError::Overflow { quantity })
    }
}
