//! Input shapers: impulse sequences that leave little vibration.
//!
//! A command that is convolved with the impulses of a shaper moves the same way a little later, and vibration of the mode that the shaper
//! was designed for cancels. The amplitudes sum to one, so the shaped command ends where the command ends.
//!
//! | [`ShaperKind`] | impulses | duration, half periods | at the mode                                                       |
//! |----------------|----------|------------------------|-------------------------------------------------------------------|
//! | `Zv`           | 2        | 1                      | no vibration                                                      |
//! | `Zvd`          | 3        | 2                      | no vibration, nor its derivative by frequency                     |
//! | `Zvdd`         | 4        | 3                      | no vibration, nor its first two derivatives                       |
//! | `Ei`           | 3        | 2                      | the tolerance; none at one frequency on each side                 |
//! | `Ei2`          | 4        | 3                      | none; the tolerance once on each side, none beyond it             |
//! | `Ei3`          | 5        | 4                      | the tolerance there and on each side, none at two on each side    |
//! | `UmZv`         | 3        | 2/3                    | no vibration; impulses 1, -1, 1 for actuators that are on or off  |
//!
//! Every kind is exact for every damping ratio for which it exists: those without a closed form solve their constraint equations.
//!
//! ```
//! use supple_control::{Mode, Shaper, ShaperKind};
//!
//! let mode = Mode { frequency: 1.5, damping: 0.02 };
//! let shaper = Shaper::design(ShaperKind::Zvd, mode)?;
//! assert!(shaper.residual(mode) < 1e-14);
//! let band = shaper.band(mode, 0.05).unwrap();
//! assert!(band.low < 0.87 && band.high > 1.13);
//! # Ok::<(), supple_control::ShaperError>(())
//! ```

mod error;
mod extra_insensitive;
mod newton;
mod residual;
mod unity_magnitude;
mod zero_vibration;

pub use error::ShaperError;
pub use residual::Band;

use std::f64::consts::TAU;

/// A mode of vibration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mode {
    /// Natural frequency in Hz: that of the mode without its damping.
    pub frequency: f64,
    /// Damping ratio, from 0 to below 1.
    pub damping: f64,
}

/// Residual vibration that EI shapers allow where nothing else is said.
pub const TOLERANCE: f64 = 0.05;

/// Kinds of shapers; see the [table](self).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ShaperKind {
    /// Zero vibration.
    Zv,
    /// Zero vibration and derivative.
    Zvd,
    /// Zero vibration and two derivatives.
    Zvdd,
    /// Extra-insensitive: one hump.
    Ei {
        /// Residual vibration of the hump, between 0 and 1.
        tolerance: f64,
    },
    /// Extra-insensitive with two humps.
    Ei2 {
        /// Residual vibration of the humps.
        tolerance: f64,
    },
    /// Extra-insensitive with three humps.
    Ei3 {
        /// Residual vibration of the humps.
        tolerance: f64,
    },
    /// Zero vibration with impulses 1, -1, 1.
    UmZv,
}

impl ShaperKind {
    /// All kinds, with the usual tolerance.
    pub const ALL: [Self; 7] = [
        Self::Zv,
        Self::Zvd,
        Self::Zvdd,
        Self::Ei { tolerance: TOLERANCE },
        Self::Ei2 { tolerance: TOLERANCE },
        Self::Ei3 { tolerance: TOLERANCE },
        Self::UmZv,
    ];

    /// Its name in commands and files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Zv => "zv",
            Self::Zvd => "zvd",
            Self::Zvdd => "zvdd",
            Self::Ei { .. } => "ei",
            Self::Ei2 { .. } => "ei2",
            Self::Ei3 { .. } => "ei3",
            Self::UmZv => "um-zv",
        }
    }

    /// The kind of a name, with the usual tolerance.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The same kind with another tolerance, where it has one.
    #[must_use]
    pub fn with_tolerance(self, tolerance: f64) -> Self {
        match self {
            Self::Ei { .. } => Self::Ei { tolerance },
            Self::Ei2 { .. } => Self::Ei2 { tolerance },
            Self::Ei3 { .. } => Self::Ei3 { tolerance },
            other => other,
        }
    }

    /// The residual vibration that it allows, where it has one.
    pub fn tolerance(self) -> Option<f64> {
        match self {
            Self::Ei { tolerance } | Self::Ei2 { tolerance } | Self::Ei3 { tolerance } => Some(tolerance),
            _ => None,
        }
    }
}

/// Impulses of a shaper. Times increase from zero, amplitudes sum to one.
#[derive(Clone, Debug, PartialEq)]
pub struct Shaper {
    times: Vec<f64>,
    amplitudes: Vec<f64>,
}

/// Impulses whose times differ by less, relative to the duration, are one.
const SAME: f64 = 1e-12;
/// How far a sum of given amplitudes may be from one.
const UNIT: f64 = 1e-9;

impl Shaper {
    /// The shaper of a kind for a mode.
    ///
    /// # Errors
    /// A frequency that is not positive, a damping ratio outside of 0 to below 1, a tolerance that is not between 0 and 1, or a damping for
    /// which the kind has no solution.
    pub fn design(kind: ShaperKind, mode: Mode) -> Result<Self, ShaperError> {
        let Mode { frequency, damping } = mode;
        // A period must be a number too.
        if !(frequency > 0.0 && frequency.is_finite() && frequency.recip().is_finite()) {
            return Err(ShaperError::Frequency { value: frequency });
        }
        if !(0.0..1.0).contains(&damping) {
            return Err(ShaperError::Damping { value: damping });
        }
        if let Some(value) = kind.tolerance().filter(|value| !(*value > 0.0 && *value < 1.0)) {
            return Err(ShaperError::Tolerance { value });
        }
        let designed = match kind {
            ShaperKind::Zv => Some(zero_vibration::design(1, damping)),
            ShaperKind::Zvd => Some(zero_vibration::design(2, damping)),
            ShaperKind::Zvdd => Some(zero_vibration::design(3, damping)),
            ShaperKind::Ei { tolerance } => extra_insensitive::design(1, tolerance, damping),
            ShaperKind::Ei2 { tolerance } => extra_insensitive::design(2, tolerance, damping),
            ShaperKind::Ei3 { tolerance } => extra_insensitive::design(3, tolerance, damping),
            ShaperKind::UmZv => unity_magnitude::design(damping),
        };
        let half_period = 0.5 / (frequency * damped(damping));
        let (times, amplitudes) = designed.ok_or(ShaperError::NoSolution { kind: kind.name(), damping })?;
        Ok(Self { times: times.iter().map(|tau| tau * half_period).collect(), amplitudes })
    }

    /// The shaper for several modes: their shapers, one after the other.
    ///
    /// # Errors
    /// As [`design`](Self::design).
    pub fn for_modes(kind: ShaperKind, modes: &[Mode]) -> Result<Self, ShaperError> {
        let none = Self { times: vec![0.0], amplitudes: vec![1.0] };
        modes.iter().try_fold(none, |all, mode| Ok(all.convolved(&Self::design(kind, *mode)?)))
    }

    /// Impulses of one's own.
    ///
    /// # Errors
    /// No impulses, lists of different lengths, numbers that are not finite, times that do not increase from zero, amplitudes that do not
    /// sum to one.
    pub fn from_impulses(times: &[f64], amplitudes: &[f64]) -> Result<Self, ShaperError> {
        let increase = times.windows(2).all(|pair| pair[0] < pair[1]);
        if times.len() != amplitudes.len() || times.first() != Some(&0.0) || !increase {
            return Err(ShaperError::Times);
        }
        let sum: f64 = amplitudes.iter().sum();
        if (sum - 1.0).abs() > UNIT || !sum.is_finite() || times.iter().any(|time| !time.is_finite()) {
            return Err(ShaperError::Sum { value: sum });
        }
        Ok(Self { times: times.to_vec(), amplitudes: amplitudes.to_vec() })
    }

    /// This shaper and another one after it.
    #[must_use]
    pub fn convolved(&self, other: &Self) -> Self {
        let mut impulses: Vec<(f64, f64)> = Vec::new();
        for (t, a) in self.impulses() {
            impulses.extend(other.impulses().map(|(u, b)| (t + u, a * b)));
        }
        impulses.sort_by(|a, b| a.0.total_cmp(&b.0));
        let same = SAME * (self.duration() + other.duration());
        let (mut times, mut amplitudes): (Vec<f64>, Vec<f64>) = (Vec::new(), Vec::new());
        for (t, a) in impulses {
            match (times.last(), amplitudes.last_mut()) {
                (Some(last), Some(sum)) if t - last <= same => *sum += a,
                _ => {
                    times.push(t);
                    amplitudes.push(a);
                }
            }
        }
        Self { times, amplitudes }
    }

    /// Times of the impulses, s; the first is zero.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// Amplitudes of the impulses; they sum to one.
    pub fn amplitudes(&self) -> &[f64] {
        &self.amplitudes
    }

    /// Time and amplitude of each impulse.
    pub fn impulses(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.times.iter().copied().zip(self.amplitudes.iter().copied())
    }

    /// How much later the end of a shaped command comes, s.
    pub fn duration(&self) -> f64 {
        self.times.last().copied().unwrap_or(0.0)
    }

    /// How much later a shaped ramp is, s: the mean of the times, weighted with the amplitudes.
    pub fn delay(&self) -> f64 {
        self.impulses().map(|(t, a)| t * a).sum()
    }
}

/// Ratio of the damped to the natural frequency, `√(1 - ζ²)`.
fn damped(damping: f64) -> f64 {
    ((1.0 - damping) * (1.0 + damping)).sqrt()
}

/// Natural frequency in rad/s.
fn angular(mode: Mode) -> f64 {
    TAU * mode.frequency
}
