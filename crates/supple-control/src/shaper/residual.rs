//! How much vibration a shaper leaves.

use super::{Mode, Shaper, angular, damped};

/// Frequencies, as ratios to that of a mode, between which vibration stays at or below a level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Band {
    /// Lower edge.
    pub low: f64,
    /// Upper edge; infinite where damping keeps everything above below the level.
    pub high: f64,
}

impl Band {
    /// Insensitivity: upper minus lower edge.
    pub fn width(self) -> f64 {
        self.high - self.low
    }
}

/// Steps of the search per period of the fastest ripple.
const STEPS: f64 = 1000.0;
/// Ratio above which edges are not looked for.
const HIGHEST: f64 = 20.0;
/// A hump that touches the level is not above it; relative.
const TOUCH: f64 = 1e-9;

impl Shaper {
    /// Residual vibration of a mode, 0.05 for 5 %: what the impulses leave when the last has come, in proportion to what one impulse of
    /// amplitude one gives, `exp(-ζωtₙ) |Σ Aᵢ exp((ζω + iω_d)tᵢ)|`.
    pub fn residual(&self, mode: Mode) -> f64 {
        let omega = angular(mode);
        let (decay, turn) = (mode.damping * omega, omega * damped(mode.damping));
        let last = self.duration();
        let (mut re, mut im) = (0.0, 0.0);
        for (t, a) in self.impulses() {
            let (size, (sin, cos)) = (a * (decay * (t - last)).exp(), (turn * t).sin_cos());
            re += size * cos;
            im += size * sin;
        }
        re.hypot(im)
    }

    /// Residual vibration where the frequency is `ratio` times that of the mode.
    pub fn residual_at(&self, mode: Mode, ratio: f64) -> f64 {
        self.residual(Mode { frequency: ratio * mode.frequency, ..mode })
    }

    /// The band around a mode in which residual vibration is at most `level`; none where it is above it at the mode.
    pub fn band(&self, mode: Mode, level: f64) -> Option<Band> {
        let above = |ratio: f64| self.residual_at(mode, ratio) > level * (1.0 + TOUCH);
        if !level.is_finite() || above(1.0) {
            return None;
        }
        let step = 1.0 / (STEPS * (self.duration() * mode.frequency).max(1.0));
        // The residual at ratio zero is the sum of the amplitudes, one.
        let down =
            (1..).map(|i| 1.0 - f64::from(i) * step).take_while(|ratio| *ratio > 0.0).find(|ratio| above(*ratio));
        let up =
            (1..).map(|i| 1.0 + f64::from(i) * step).take_while(|ratio| *ratio < HIGHEST).find(|ratio| above(*ratio));
        Some(Band {
            low: down.map_or(0.0, |outside| edge(above, outside + step, outside)),
            high: up.map_or(f64::INFINITY, |outside| edge(above, outside - step, outside)),
        })
    }
}

/// Where `above` begins between a ratio inside and one outside.
fn edge(above: impl Fn(f64) -> bool, mut inside: f64, mut outside: f64) -> f64 {
    loop {
        let middle = 0.5 * (inside + outside);
        if middle == inside || middle == outside {
            return inside;
        }
        if above(middle) {
            outside = middle;
        } else {
            inside = middle;
        }
    }
}
