//! Rest-to-rest motion of one hinge by inversion: the torque that moves the linear model from rest to rest in a given time, exactly.
//!
//! The linear model of a hinge is a row of oscillators under one torque ([`HingeModes`]): `q̈_i + 2 ζ_i ω_i q̇_i + ω_i² q_i = φ_i τ`,
//! `θ = Σ φ_i q_i`. It has a flat output `y`, which determines everything by its derivatives. With `f_i = 1 + 2 ζ_i s/ω_i + s²/ω_i²`, or `s²` for the
//! mode in which the arm turns as a rigid body, and `κ_i = φ_i²/ω_i²`, or `φ_i²` for that mode:
//!
//! ```text
//! τ = g Π f_j y                 θ = g Σ_i κ_i Π_{j≠i} f_j y                 s = d/dt
//! ```
//!
//! `g` makes `θ = y` at rest. A polynomial `y` with as many vanishing derivatives at both ends as there are states less one starts and ends at rest.

mod eigen;
mod hinge_modes;
mod smooth_step;

pub use eigen::symmetric_eigen;
pub use hinge_modes::{HingeMode, HingeModes, InversionError};

use smooth_step::SmoothStep;

/// A motion from rest to rest.
#[derive(Clone, Debug, PartialEq)]
pub struct RestToRest {
    start: f64,
    duration: f64,
    from: f64,
    distance: f64,
    step: SmoothStep,
    /// Coefficients of `y` and its derivatives, over time as a part of the duration.
    torque: Vec<f64>,
    hinge: Vec<f64>,
}

/// The motion at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RestToRestSample {
    /// Torque or force of the hinge, beside what holds the arm where it starts.
    pub effort: f64,
    /// Coordinate of the hinge.
    pub position: f64,
    /// Its speed.
    pub speed: f64,
    /// Its acceleration.
    pub acceleration: f64,
}

/// `p q` of polynomials by rising powers.
fn product(p: &[f64], q: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; p.len() + q.len() - 1];
    for (i, p) in p.iter().enumerate() {
        q.iter().enumerate().for_each(|(j, q)| out[i + j] += p * q);
    }
    out
}

impl RestToRest {
    /// From one coordinate to another, from one time to another.
    ///
    /// # Errors
    /// Numbers that are not finite, a duration that is not positive, no mode at all.
    pub fn new(modes: &[HingeMode], times: [f64; 2], ends: [f64; 2]) -> Result<Self, InversionError> {
        let [start, end] = times;
        let (duration, [from, to]) = (end - start, ends);
        for (quantity, value, right) in [
            ("the duration", duration, duration > 0.0 && duration.is_finite()),
            ("the first coordinate", from, from.is_finite()),
            ("the last coordinate", to, to.is_finite()),
            ("the number of modes", 0.0, !modes.is_empty()),
        ] {
            if !right {
                return Err(InversionError::Motion { quantity, value });
            }
        }
        let factor = |mode: &HingeMode| match mode.frequency {
            0.0 => vec![0.0, 0.0, 1.0],
            w => vec![1.0, 2.0 * mode.damping / w, 1.0 / (w * w)],
        };
        let gain = |mode: &HingeMode| match mode.frequency {
            0.0 => mode.hinge * mode.hinge,
            w => (mode.hinge / w).powi(2),
        };
        let all_but = |left_out: Option<usize>| {
            let kept = modes.iter().enumerate().filter(|(i, _)| Some(*i) != left_out);
            kept.fold(vec![1.0], |p, (_, mode)| product(&p, &factor(mode)))
        };
        let mut hinge = vec![0.0; 2 * modes.len() - 1];
        for (i, mode) in modes.iter().enumerate() {
            let part = all_but(Some(i));
            hinge.iter_mut().zip(part).for_each(|(sum, part)| *sum += gain(mode) * part);
        }
        let g = hinge[0].recip();
        // d/dt is 1/duration of the derivative by x.
        let scaled =
            |p: Vec<f64>| -> Vec<f64> { p.iter().enumerate().map(|(k, c)| g * c / duration.powi(k as i32)).collect() };
        let (torque, hinge) = (scaled(all_but(None)), scaled(hinge));
        if !torque.iter().chain(&hinge).all(|c| c.is_finite()) {
            return Err(InversionError::Motion { quantity: "the share of the hinge in all modes", value: 0.0 });
        }
        let step = SmoothStep::new(2 * modes.len(), torque.len() + 1);
        Ok(Self { start, duration, from, distance: to - from, step, torque, hinge })
    }

    /// First and last time.
    pub fn times(&self) -> [f64; 2] {
        [self.start, self.start + self.duration]
    }

    /// Effort and motion at a time; at rest before the start and after the end.
    pub fn at(&self, time: f64) -> RestToRestSample {
        let x = (time - self.start) / self.duration;
        let inside = (0.0..=1.0).contains(&x);
        let end = if x > 1.0 { 1.0 } else { 0.0 };
        let sum = |p: &[f64], order: usize| -> f64 {
            let scale = self.distance / self.duration.powi(order as i32);
            match (inside, order) {
                (true, _) => {
                    let terms = p.iter().enumerate().map(|(k, c)| c * self.step.derivative(k + order, x));
                    scale * terms.sum::<f64>()
                }
                (false, 0) => self.distance * p[0] * end,
                (false, _) => 0.0,
            }
        };
        RestToRestSample {
            effort: sum(&self.torque, 0),
            position: self.from + sum(&self.hinge, 0),
            speed: sum(&self.hinge, 1),
            acceleration: sum(&self.hinge, 2),
        }
    }
}
