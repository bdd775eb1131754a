//! Corrections of implicit steps that were too few.

use supple::integrate::{Shortfall, Simulation};

/// What to warn of as soon as a step has left out too much.
pub fn warning(run: &Simulation) -> Option<String> {
    let Shortfall { first, .. } = run.shortfall()?;
    Some(format!(
        "the `corrections` of generalized-alpha are too few, first in the step that ends at t = {first}; allow more, or take a shorter `step`"
    ))
}

/// What there is to say at the end.
pub fn total(run: &Simulation) -> Option<String> {
    let Shortfall { steps, greatest, .. } = run.shortfall()?;
    let accepted = run.statistics().accepted;
    Some(format!(
        "{steps} of {accepted} steps of generalized-alpha left out corrections, up to {greatest:.1e} of the speeds"
    ))
}
