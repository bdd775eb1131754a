//! In the place of Adams and BDF where the program is built without them.

use super::super::Failure;
use super::{Engine, Start};
use crate::output::UNSUPPORTED;

/// Refuses a scenario whose method is a multistep method.
pub fn start(_: Start<'_>) -> Result<Box<dyn Engine + '_>, Failure> {
    let message = "this program was built without adams and bdf; build it with the feature `multistep`, or use one of dormand-prince, \
                   prince-dormand8, rk4, generalized-alpha, linearly-implicit, exponential, exponential-adams, gauss";
    Err(Failure { status: UNSUPPORTED, ..Failure::new(message) })
}
