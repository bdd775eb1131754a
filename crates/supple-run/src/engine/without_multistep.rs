//! In the place of Adams and BDF where the program is built without them.

use super::{Engine, Start};
use crate::RunError;

/// Refuses a scenario whose method is a multistep method.
pub fn start(_: Start<'_>) -> Result<Box<dyn Engine + '_>, RunError> {
    Err(RunError::unsupported("this program was built without adams and bdf").with_remedy(
        "build it with the feature `multistep`, or use one of dormand-prince, prince-dormand8, rk4, generalized-alpha, \
         linearly-implicit, exponential, exponential-adams, gauss",
    ))
}
