//! The engine on the scalars that tests of several crates use, compiled here once for all of them: at level 1 they share it
//! (`docs/decisions/0023-compile-time.md`).

use super::{EveryVerb, Verb};
use supple_spatial::{Dual, Lanes};

type Verbs<T> = [(&'static str, Verb<T>); 33];

#[allow(clippy::type_complexity)] // a list of them
/// Every verb on derivatives, in single precision, and on lanes.
pub fn verbs_on_other_scalars() -> (Verbs<Dual<f64>>, Verbs<f32>, Verbs<Lanes<f64, 4>>, Verbs<Lanes<f64, 8>>) {
    (EveryVerb::list(), EveryVerb::list(), EveryVerb::list(), EveryVerb::list())
}
