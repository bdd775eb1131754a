//! A motion convolved with the impulses of a shaper: `x(t) = Σ Aᵢ c(t - tᵢ)`.

use super::{Sample, Trajectory};
use crate::shaper::Shaper;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Shaped {
    command: Trajectory,
    shaper: Shaper,
    pub breaks: Vec<f64>,
}

impl Shaped {
    pub fn new(command: Trajectory, shaper: Shaper) -> Self {
        let copies = shaper.times().iter().flat_map(|t| command.breaks().iter().map(move |b| b + t));
        let mut breaks: Vec<f64> = copies.collect();
        breaks.sort_by(f64::total_cmp);
        breaks.dedup();
        Self { command, shaper, breaks }
    }

    pub fn at(&self, time: f64) -> Sample {
        let start = self.command.first().position;
        let mut sum = Sample::at_rest(start);
        for (t, a) in self.shaper.impulses() {
            let c = self.command.at(time - t);
            // Differences from the start: amplitudes sum to one only up to rounding.
            sum.position += a * (c.position - start);
            sum.speed += a * c.speed;
            sum.acceleration += a * c.acceleration;
        }
        sum
    }
}
