//! Whether the values of a frame can be what they claim to be.

use super::fault::Fault;

/// Angles below this may double, or grow by any factor, within rounding and noise.
const LARGE_ANGLE: f64 = 1e-2;
/// Degrees of a radian, and how near a ratio has to be.
const DEGREES: f64 = 180.0 / std::f64::consts::PI;
const NEAR: f64 = 0.02;

/// What a signal may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Least and greatest value.
    pub range: [f64; 2],
    /// Greatest change in a second.
    pub rate: f64,
    /// Whether it is the angle of a hinge, in radians.
    pub is_angle: bool,
}

impl Default for Bounds {
    /// Any finite value.
    fn default() -> Self {
        Self { range: [f64::NEG_INFINITY, f64::INFINITY], rate: f64::INFINITY, is_angle: false }
    }
}

/// Watches the values of frames. Allocates nothing after it is made.
#[derive(Debug)]
pub struct SignalWatch {
    bounds: Vec<Bounds>,
    period: f64,
    last: Vec<f64>,
    /// Whether there was a frame, or a value was expected, for each signal.
    known: Vec<bool>,
}

impl SignalWatch {
    /// For frames that come every `period` seconds.
    pub fn new(bounds: Vec<Bounds>, period: f64) -> Self {
        let count = bounds.len();
        Self { bounds, period, last: vec![0.0; count], known: vec![false; count] }
    }

    /// What a signal is at the start, so that the first frame can be told from nonsense.
    pub fn expect(&mut self, signal: usize, value: f64) {
        if let (Some(last), Some(known)) = (self.last.get_mut(signal), self.known.get_mut(signal)) {
            (*last, *known) = (value, true);
        }
    }

    /// What came before says nothing about what comes next.
    pub fn restart(&mut self) {
        self.known.fill(false);
    }

    /// The first value that cannot be, with its signal; none, and the values are those that the next are compared with. `cycles` have passed since the last frame.
    pub fn check(&mut self, values: &[f64], cycles: u64) -> Option<(Fault, usize, f64)> {
        let time = self.period * cycles.max(1) as f64;
        for (i, (&value, bounds)) in values.iter().zip(&self.bounds).enumerate() {
            let last = self.known[i].then_some(self.last[i]);
            if let Some(fault) = fault_of(value, bounds, last, time) {
                if fault == Fault::TooFast {
                    // Once is enough: what comes next is compared with what it jumped to.
                    self.last[i] = value;
                }
                return Some((fault, i, value));
            }
        }
        self.last.copy_from_slice(values);
        self.known.fill(true);
        None
    }
}

fn fault_of(value: f64, bounds: &Bounds, last: Option<f64>, time: f64) -> Option<Fault> {
    if !value.is_finite() {
        return Some(Fault::NotFinite);
    }
    if let Some(last) = last.filter(|_| bounds.is_angle)
        && value.abs().max(last.abs()) > LARGE_ANGLE * DEGREES
        && value.abs().min(last.abs()) > LARGE_ANGLE
        && [value / last, last / value].iter().any(|ratio| (ratio / DEGREES - 1.0).abs() < NEAR)
    {
        return Some(Fault::Degrees);
    }
    let [least, most] = bounds.range;
    if value < least || value > most {
        return Some(Fault::OutOfRange);
    }
    last.is_some_and(|last| (value - last).abs() > bounds.rate * time).then_some(Fault::TooFast)
}
