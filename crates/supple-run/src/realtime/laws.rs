//! Whether laws of controllers and steps of plants are called as they are, or as code generated from them.

use supple::integrate::Sampled;
use supple_compile::native::{Build, CompiledLaw};

use crate::RunError;

/// How laws and steps are called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Laws {
    /// As they are.
    #[default]
    Plain,
    /// As compiled code. Laws, where they can be recorded, give the same bits, as nothing is contracted; steps of a plant the same within rounding.
    Compiled,
}

impl Laws {
    /// A law of so many signals and outputs as code; none where it is called as it is.
    pub(crate) fn compiled(self, law: &dyn Sampled, sizes: [usize; 2]) -> Result<Option<CompiledLaw>, RunError> {
        match self {
            Self::Plain => Ok(None),
            Self::Compiled => Build { fma: false, ..Build::default() }.law(law, sizes).map_err(RunError::cannot_begin),
        }
    }
}
