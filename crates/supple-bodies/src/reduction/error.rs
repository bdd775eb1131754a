//! What can go wrong in a reduction.

use std::fmt;

/// Why no modes came out.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ReductionError {
    /// The stiffness of the free degrees of freedom has a motion without strain that is not rigid: a mechanism, or a free structure
    /// whose rigid motions are unknown.
    Mechanism {
        /// A degree of freedom that takes part in it.
        dof: usize,
    },
    /// More modes than degrees of freedom that move mass.
    TooManyModes {
        /// Modes asked for.
        asked: usize,
        /// Modes there are.
        available: usize,
    },
    /// The iteration did not find all modes.
    NotConverged {
        /// Modes asked for.
        asked: usize,
        /// Modes found.
        found: usize,
    },
    /// A degree of freedom that the structure does not have.
    NoDof {
        /// The degree of freedom asked for.
        dof: usize,
        /// How many there are.
        dofs: usize,
    },
    /// A degree of freedom that is both held and interface.
    HeldInterface {
        /// The degree of freedom.
        dof: usize,
    },
    /// A matrix with an entry that is not finite, or an eigenproblem that failed in rounding.
    NotFinite,
}

impl fmt::Display for ReductionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mechanism { dof } => {
                write!(f, "degree of freedom {dof} moves without strain, yet not rigidly: hold it or stiffen it")
            }
            Self::TooManyModes { asked, available } => {
                write!(f, "{asked} modes asked for, but only {available} move mass: ask for fewer or refine the mesh")
            }
            Self::NotConverged { asked, found } => write!(f, "only {found} of {asked} modes converged"),
            Self::NoDof { dof, dofs } => write!(f, "degree of freedom {dof} of {dofs} (counted from 0)"),
            Self::HeldInterface { dof } => write!(f, "degree of freedom {dof} is both held and interface"),
            Self::NotFinite => write!(f, "a matrix has entries that are not finite"),
        }
    }
}

impl std::error::Error for ReductionError {}
