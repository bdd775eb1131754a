//! What steps with a given number of corrections leave out.

/// Corrections left out that are below this part of the speeds are not worth a word: errors of the step itself are larger.
const NEGLIGIBLE: f64 = 1e-6;

/// Steps whose iteration ended before it had converged, by its given number of corrections.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shortfall {
    /// How many.
    pub steps: u64,
    /// The most that one of them left out, relative to the speeds, by estimate.
    pub greatest: f64,
    /// When the first one ended.
    pub first: f64,
}

impl Shortfall {
    /// A step left out so much.
    pub(super) fn note(&mut self, left: f64, time: f64) {
        if left > NEGLIGIBLE {
            self.first = if self.steps == 0 { time } else { self.first };
            self.greatest = self.greatest.max(left);
            self.steps += 1;
        }
    }

    /// Itself, where there was any.
    pub(super) fn any(self) -> Option<Self> {
        (self.steps > 0).then_some(self)
    }
}
