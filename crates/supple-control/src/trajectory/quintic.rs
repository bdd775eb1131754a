//! The polynomial of degree five with given ends.
//!
//! With `τ = (t - t₀)/T`, `D = x₁ - x₀`, `V = T v`, `A = T² a`:
//!
//! ```text
//! x = x₀ + V₀ τ + A₀/2 τ² + c₃ τ³ + c₄ τ⁴ + c₅ τ⁵
//! c₃ =  10 D - 6 V₀ - 4 V₁ - (3 A₀ -   A₁)/2
//! c₄ = -15 D + 8 V₀ + 7 V₁ + (3 A₀ - 2 A₁)/2
//! c₅ =   6 D - 3 V₀ - 3 V₁ - (  A₀ -   A₁)/2
//! ```

use super::{Sample, polynomial};
use crate::error::ProfileError;
use crate::rules;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Quintic {
    pub times: [f64; 2],
    /// Coefficients in the time since the start, and in the time to the end: each half is expressed from its own end, which is
    /// then exact.
    from: [[f64; 6]; 2],
}

fn coefficients(duration: f64, ends: [Sample; 2]) -> [f64; 6] {
    let way = ends[1].position - ends[0].position;
    let [v0, v1] = ends.map(|end| duration * end.speed);
    let [a0, a1] = ends.map(|end| duration * duration * end.acceleration);
    [
        ends[0].position,
        v0,
        0.5 * a0,
        10.0 * way - 6.0 * v0 - 4.0 * v1 - 0.5 * (3.0 * a0 - a1),
        -15.0 * way + 8.0 * v0 + 7.0 * v1 + 0.5 * (3.0 * a0 - 2.0 * a1),
        6.0 * way - 3.0 * v0 - 3.0 * v1 - 0.5 * (a0 - a1),
    ]
}

impl Quintic {
    pub fn new(times: [f64; 2], ends: [Sample; 2]) -> Result<Self, ProfileError> {
        rules::increasing(&times)?;
        rules::finite("position", &ends.map(|end| end.position))?;
        rules::finite("speed", &ends.map(|end| end.speed))?;
        rules::finite("acceleration", &ends.map(|end| end.acceleration))?;
        let duration = times[1] - times[0];
        rules::representable("duration", times[0], &[duration])?;
        // Seen from the end, time runs backwards: speeds change their sign.
        let turned = |end: Sample| Sample { speed: -end.speed, ..end };
        let from = [coefficients(duration, ends), coefficients(duration, [turned(ends[1]), turned(ends[0])])];
        for c in from {
            // Of every power the largest value in [0, 1], differentiated twice: k (k - 1) ≤ 20.
            let largest = c.iter().map(|c| c.abs()).sum::<f64>();
            rules::representable("acceleration", times[0], &[largest, 20.0 * largest / duration / duration])?;
        }
        Ok(Self { times, from })
    }

    pub fn at(&self, time: f64) -> Sample {
        let [t0, t1] = self.times;
        let duration = t1 - t0;
        let early = time - t0 <= 0.5 * duration;
        let (c, tau, side) = if early {
            (&self.from[0], (time - t0) / duration, 1.0)
        } else {
            (&self.from[1], (t1 - time) / duration, -1.0)
        };
        let first: [f64; 5] = polynomial::derivative(c);
        let second: [f64; 4] = polynomial::derivative(&first);
        Sample {
            position: polynomial::value(c, tau),
            speed: side * polynomial::value(&first, tau) / duration,
            acceleration: polynomial::value(&second, tau) / duration / duration,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use supple::spatial::Dual;

    const ENDS: [Sample; 2] = [
        Sample { position: 0.3, speed: -1.1, acceleration: 2.0 },
        Sample { position: -0.8, speed: 0.7, acceleration: -3.0 },
    ];

    #[test]
    fn speed_and_acceleration_are_the_derivatives_of_the_position() {
        let motion = Quintic::new([0.0, 1.0], ENDS).unwrap();
        for i in 0..=64 {
            let tau = f64::from(i) / 64.0;
            // The first half's polynomial, over the whole: the second half must be the same one.
            let p = polynomial::value(&motion.from[0], Dual::variable(Dual::variable(tau)));
            let found = motion.at(tau);
            // c · eps · size: the coefficients are below 30, with k (k - 1) below 600.
            assert!((found.position - p.value.value).abs() < 60.0 * f64::EPSILON, "{tau}");
            assert!((found.speed - p.derivative.value).abs() < 300.0 * f64::EPSILON, "{tau}");
            assert!((found.acceleration - p.derivative.derivative).abs() < 1200.0 * f64::EPSILON, "{tau}");
        }
    }
}
