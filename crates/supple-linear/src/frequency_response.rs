//! Frequency response `G = C (z − A)⁻¹ B + D`, with `z = jω`, of sampled models `z = exp(jω dt)`.

use faer::{Mat, c64};

use crate::hessenberg;
use crate::parts::Parts;
use crate::{AnalysisError, Complex, StateSpace};

/// A model prepared for many frequencies: O(n³) once, O(n²) each.
#[derive(Clone, Debug)]
pub struct FrequencyResponse {
    parts: Parts,
    dt: Option<f64>,
}

/// The response at one frequency.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// The frequency, rad/s.
    pub omega: f64,
    inputs: usize,
    /// Output by output.
    gains: Vec<Complex>,
}

impl FrequencyResponse {
    /// Of a model.
    ///
    /// # Errors
    /// Matrices that do not fit or are not finite.
    pub fn new(system: &StateSpace) -> Result<Self, AnalysisError> {
        let mut parts = Parts::balanced(system)?;
        hessenberg::reduce(&mut parts);
        Ok(Self { parts, dt: system.dt })
    }

    /// The response at `omega`, rad/s.
    ///
    /// # Errors
    /// A frequency that is not finite, or that of a pole on the axis.
    pub fn at(&self, omega: f64) -> Result<Response, AnalysisError> {
        let z = match self.dt {
            Some(dt) => c64::new((omega * dt).cos(), (omega * dt).sin()),
            None => c64::new(0.0, omega),
        };
        let Parts { a, b, c, d } = &self.parts;
        let x = hessenberg::solve_shifted(a, z, b).ok_or(AnalysisError::AtPole { omega })?;
        let gain =
            |i: usize, j: usize| (0..a.nrows()).fold(c64::new(d[(i, j)], 0.0), |sum, k| sum + x[(k, j)] * c[(i, k)]);
        let inputs = b.ncols();
        let gains: Vec<Complex> = (0..c.nrows() * inputs).map(|k| gain(k / inputs, k % inputs).into()).collect();
        if gains.iter().any(|gain| !gain.abs().is_finite()) {
            return Err(AnalysisError::AtPole { omega });
        }
        Ok(Response { omega, inputs, gains })
    }
}

impl Response {
    /// From an input to an output: its absolute value is the magnitude of a Bode plot, its angle the phase; over the frequencies it is a
    /// Nyquist plot.
    ///
    /// # Panics
    /// For an input or output that the model has not.
    pub fn gain(&self, output: usize, input: usize) -> Complex {
        assert!(input < self.inputs, "input {input} of {}", self.inputs);
        self.gains[output * self.inputs + input]
    }

    /// Singular values, the greatest first: gains over all directions of inputs.
    ///
    /// # Errors
    /// [`AnalysisError::NoConvergence`].
    pub fn singular_values(&self) -> Result<Vec<f64>, AnalysisError> {
        if self.inputs == 0 {
            return Ok(Vec::new());
        }
        let rows = self.gains.len() / self.inputs;
        let matrix = Mat::from_fn(rows, self.inputs, |i, j| c64::from(self.gain(i, j)));
        matrix.singular_values().map_err(|_| AnalysisError::NoConvergence)
    }
}

/// Phases without jumps: each is moved by whole turns to within half a turn of the one before.
pub fn unwrapped(phases: &[f64]) -> Vec<f64> {
    use std::f64::consts::TAU;
    let mut last = None;
    let mut continuous = |phase: &f64| {
        let near = last.map_or(*phase, |last: f64| phase + TAU * ((last - phase) / TAU).round());
        last = Some(near);
        near
    };
    phases.iter().map(&mut continuous).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examples::{model, oscillator, two_masses};
    use crate::zero_order_hold;

    fn close(found: Complex, expected: c64, tolerance: f64) {
        let miss = (c64::from(found) - expected).norm();
        assert!(miss <= tolerance * expected.norm(), "{found:?}, not {expected}");
    }

    #[test]
    fn transfer_functions_in_closed_form() {
        let (w, zeta) = (20.0, 0.01);
        let response = FrequencyResponse::new(&oscillator(w, zeta)).unwrap();
        let (masses, k, c) = ([2.0, 3.0], 700.0, 0.3);
        let free = FrequencyResponse::new(&two_masses(masses, k, c)).unwrap();
        for omega in [0.0, 1e-3, 1.0, 19.9, 20.0, 21.0, 1e5] {
            let s = c64::new(0.0, omega);
            close(response.at(omega).unwrap().gain(0, 0), 1.0 / (s * s + 2.0 * zeta * w * s + w * w), 1e-12);
            if omega == 0.0 {
                // The masses drift.
                assert_eq!(free.at(omega), Err(AnalysisError::AtPole { omega }));
                continue;
            }
            let [m1, m2] = masses;
            let coupling = c * s + k;
            let divisor = s * s * (m1 * m2 * s * s + (m1 + m2) * coupling);
            // The double pole at zero leaves a condition of (fastest / ω)², and outputs have the rounding of the greatest state, 1 / m₁ ω.
            let fastest = (k * (1.0 / m1 + 1.0 / m2)).sqrt();
            let tolerance = |gain: c64| {
                1e-12 + 16.0 * f64::EPSILON * ((fastest / omega).powi(2) + 1.0 / (m1 * omega * gain.norm()))
            };
            for (i, expected) in [(m2 * s * s + coupling) / divisor, coupling / divisor].into_iter().enumerate() {
                close(free.at(omega).unwrap().gain(i, 0), expected, tolerance(expected));
            }
        }
        assert!(matches!(response.at(f64::NAN), Err(AnalysisError::AtPole { .. })));
    }

    #[test]
    fn many_states_give_the_same_as_a_dense_solution() {
        // A chain of masses with dampers, in uneven units.
        let n = 12;
        let unit = |i: usize| 10.0_f64.powi((i % 5) as i32 - 2);
        let rows: Vec<Vec<f64>> = (0..n)
            .map(|i| (0..n).map(|j| ((7 * i + 3 * j) % 11) as f64 - 5.0 - if i == j { 40.0 } else { 0.0 }).collect())
            .collect();
        let a: Vec<Vec<f64>> = rows
            .iter()
            .enumerate()
            .map(|(i, r)| r.iter().enumerate().map(|(j, x)| x * unit(i) / unit(j)).collect())
            .collect();
        let a: Vec<&[f64]> = a.iter().map(Vec::as_slice).collect();
        let b: Vec<Vec<f64>> = (0..n).map(|i| vec![unit(i), unit(i) * (i as f64 - 4.0)]).collect();
        let b: Vec<&[f64]> = b.iter().map(Vec::as_slice).collect();
        let c: Vec<f64> = (0..n).map(|j| (j as f64 - 2.0) / unit(j)).collect();
        let system = model(&a, &b, &[&c, &c[..]], &[&[0.5, 0.0], &[0.0, 0.25]]);
        let prepared = FrequencyResponse::new(&system).unwrap();
        for omega in [0.1, 30.0, 4000.0] {
            let dense = Mat::from_fn(n, n, |i, j| c64::new(-a[i][j], if i == j { omega } else { 0.0 }));
            let right = Mat::from_fn(n, 2, |i, j| c64::new(b[i][j], 0.0));
            let x = faer::linalg::solvers::Solve::solve(&dense.partial_piv_lu(), &right);
            for j in 0..2 {
                let direct = (0..n).fold(c64::new(system.d[(1, j)], 0.0), |sum, k| sum + x[(k, j)] * c[k]);
                let miss = (c64::from(prepared.at(omega).unwrap().gain(1, j)) - direct).norm();
                assert!(miss < 1e-11 * (1.0 + direct.norm()), "{omega} {j} {miss}");
            }
        }
    }

    #[test]
    fn singular_values_of_decoupled_channels_are_their_gains() {
        let system = model(
            &[&[-1.0, 0.0], &[0.0, -2.0]],
            &[&[1.0, 0.0], &[0.0, 8.0]],
            &[&[1.0, 0.0], &[0.0, 1.0]],
            &[&[0.0; 2], &[0.0; 2]],
        );
        let found = FrequencyResponse::new(&system).unwrap().at(3.0).unwrap().singular_values().unwrap();
        let expected = [8.0 / 13.0_f64.sqrt(), 1.0 / 10.0_f64.sqrt()];
        assert!(found.iter().zip(expected).all(|(x, y)| (x - y).abs() < 1e-14), "{found:?}");
    }

    #[test]
    fn a_sampled_lag_has_its_own_transfer_function() {
        let (dt, omega) = (0.2, 5.0);
        let lag = model(&[&[-3.0]], &[&[3.0]], &[&[1.0]], &[&[0.0]]);
        let sampled = zero_order_hold(&lag, dt, 0.0).unwrap();
        let (z, decay) = (c64::new((omega * dt).cos(), (omega * dt).sin()), (-3.0 * dt).exp());
        close(
            FrequencyResponse::new(&sampled).unwrap().at(omega).unwrap().gain(0, 0),
            (1.0 - decay) / (z - decay),
            1e-12,
        );
    }

    #[test]
    fn phases_are_continuous() {
        let falling: Vec<f64> = (0..40).map(|k| -0.3 * f64::from(k)).collect();
        let wrapped: Vec<f64> = falling.iter().map(|phase| Complex::new(phase.cos(), phase.sin()).arg()).collect();
        assert!(unwrapped(&wrapped).iter().zip(&falling).all(|(x, y)| (x - y).abs() < 1e-12));
    }
}
