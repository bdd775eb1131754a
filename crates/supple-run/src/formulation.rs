//! Formulations of the equations of motion.

use std::error::Error;
use std::fmt;

use supple::integrate;
use supple::{Model, System};

use crate::compiled::Code;

/// Makes a formulation for a model and the description that it was built from, or says why the model cannot be carried.
pub type MakeFormulation =
    fn(&System, &Model) -> Result<Box<dyn integrate::Formulation + Send>, Box<dyn Error + Send + Sync>>;

/// Formulations of the equations of motion.
#[derive(Clone, Default)]
pub enum Formulation {
    /// Recursive spatial operators, for every model.
    #[default]
    SpatialOperators,
    /// Another one, from elsewhere, for one-step methods that ask for accelerations alone.
    Other {
        /// As the summary of the run and `supple run --formulation` call it. A checkpoint belongs to the formulation of this name.
        name: &'static str,
        /// Makes it.
        make: MakeFormulation,
    },
    /// Recursive spatial operators as generated code, for every integrator; needs a C compiler.
    Compiled(Code),
}

impl Formulation {
    /// The name of another formulation than the usual one.
    pub(crate) fn other(&self) -> Option<&'static str> {
        match self {
            Self::SpatialOperators => None,
            Self::Other { name, .. } => Some(name),
            Self::Compiled(_) => Some("compiled"),
        }
    }

    /// Whether implicit steps cannot be taken with it.
    pub(crate) fn is_explicit_only(&self) -> bool {
        matches!(self, Self::Other { .. })
    }

    /// The options of `supple run` that ask for it.
    pub(crate) fn options(&self) -> String {
        match self {
            Self::SpatialOperators => String::new(),
            Self::Other { name, .. } => format!(" --formulation {name}"),
            Self::Compiled(_) => " --compiled".into(),
        }
    }
}

/// The name alone, the same in every process.
impl fmt::Debug for Formulation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.other().unwrap_or("SpatialOperators"))
    }
}
