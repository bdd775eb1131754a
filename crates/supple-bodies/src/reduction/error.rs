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

impl ReductionError {
    /// What to do about it.
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::Mechanism { .. } => "hold it or stiffen it",
            Self::TooManyModes { .. } => "request fewer, or refine the mesh",
            Self::NotConverged { .. } => "ask for fewer",
            Self::NoDof { .. } => "degrees of freedom are counted from 0",
            Self::HeldInterface { .. } => "choose one of the two",
            Self::NotFinite => "look for a failed export",
        }
    }

    /// What is wrong, without the remedy.
    pub fn what(&self) -> String {
        match self {
            Self::Mechanism { dof } => {
                format!("degree of freedom {dof} moves without strain, and this is no rigid-body motion")
            }
            Self::TooManyModes { asked, available } => {
                format!("{asked} modes requested, but only {available} move mass")
            }
            Self::NotConverged { asked, found } => format!("only {found} of {asked} modes converged"),
            Self::NoDof { dof, dofs } => format!("there is no degree of freedom {dof}, only {dofs}"),
            Self::HeldInterface { dof } => format!("degree of freedom {dof} is both held and interface"),
            Self::NotFinite => "a matrix has entries that are not finite".into(),
        }
    }
}

impl fmt::Display for ReductionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.what(), self.remedy())
    }
}

impl std::error::Error for ReductionError {}
