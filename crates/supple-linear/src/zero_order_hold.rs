//! Models in discrete time: inputs are held between samples and arrive after a delay.
//!
//! With the delay `(d + f) dt`, `0 ≤ f < 1`, the input in `[0, dt)` is that of sample `k − d − 1` for the time `f dt` and that of
//! `k − d` afterwards: `x⁺ = Φ x + Γ₁ u[k − d − 1] + Γ₀ u[k − d]` with `Φ = exp(A dt)`. Inputs that are still under way are states.

use faer::Mat;

use crate::exponential::exponential;
use crate::parts::Parts;
use crate::{AnalysisError, Matrix, Signal, StateSpace};

/// Most samples that an input may be delayed.
pub const MOST_SAMPLES: f64 = 1e4;
/// A delay this close to whole samples is taken as whole.
const WHOLE: f64 = 1e-9;

/// The model sampled every `dt` seconds, with its inputs held and delayed by `delay` seconds.
///
/// States that are added for a delay are named `delay.INPUT.k`, the input `k` samples ago.
///
/// # Errors
/// A model that is sampled already; a period or a delay that makes no sense; numbers that overflow.
pub fn zero_order_hold(system: &StateSpace, dt: f64, delay: f64) -> Result<StateSpace, AnalysisError> {
    if let Some(dt) = system.dt {
        return Err(AnalysisError::AlreadySampled { dt });
    }
    if !(dt > 0.0 && dt.is_finite()) {
        return Err(AnalysisError::SamplingPeriod { dt });
    }
    if !(delay >= 0.0 && delay / dt <= MOST_SAMPLES) {
        return Err(AnalysisError::Delay { delay, dt });
    }
    let parts = Parts::of(system)?;
    let (whole, part) = split(delay / dt);
    let [phi, late] = held(&parts, (1.0 - part) * dt);
    if part == 0.0 && whole == 0 {
        let a = Matrix::from_faer(phi.as_ref());
        let b = Matrix::from_faer(late.as_ref());
        return finite(StateSpace { a, b, dt: Some(dt), ..system.clone() });
    }
    let [phi_first, early] = held(&parts, part * dt);
    let early = &phi * &early;
    delayed(system, (&phi * &phi_first, early, late), (whole, part > 0.0), dt)
}

/// Whole samples and the rest.
fn split(samples: f64) -> (usize, f64) {
    let nearest = samples.round();
    if (samples - nearest).abs() < WHOLE {
        return (nearest as usize, 0.0);
    }
    (samples.floor() as usize, samples - samples.floor())
}

/// `exp(A t)` and `∫ exp(A s) ds B` from 0 to `t`: blocks of one exponential (Van Loan).
fn held(parts: &Parts, t: f64) -> [Mat<f64>; 2] {
    let (n, m) = (parts.a.nrows(), parts.b.ncols());
    let block = Mat::from_fn(n + m, n + m, |i, j| match (i < n, j < n) {
        (true, true) => t * parts.a[(i, j)],
        (true, false) => t * parts.b[(i, j - n)],
        _ => 0.0,
    });
    let e = exponential(&block);
    [e.submatrix(0, 0, n, n).to_owned(), e.submatrix(0, n, n, m).to_owned()]
}

/// With the inputs of the last samples as states, the latest first.
fn delayed(
    system: &StateSpace,
    (phi, early, late): (Mat<f64>, Mat<f64>, Mat<f64>),
    (whole, has_part): (usize, bool),
    dt: f64,
) -> Result<StateSpace, AnalysisError> {
    let (n, m) = (phi.nrows(), late.ncols());
    let kept = whole + usize::from(has_part);
    let size = n + m * kept;
    let (mut a, mut b) = (Matrix::zeros(size, size), Matrix::zeros(size, m));
    let (mut c, mut d) = (Matrix::zeros(system.c.rows(), size), Matrix::zeros(system.c.rows(), m));
    // Place of the input `k` samples ago; none for the one that comes now.
    let place = |k: usize, j: usize| (k > 0).then(|| n + m * (k - 1) + j);
    for i in 0..n {
        (0..n).for_each(|j| a[(i, j)] = phi[(i, j)]);
        for j in 0..m {
            match place(whole, j) {
                Some(at) => a[(i, at)] += late[(i, j)],
                None => b[(i, j)] += late[(i, j)],
            }
            if let (true, Some(at)) = (has_part, place(whole + 1, j)) {
                a[(i, at)] += early[(i, j)];
            }
        }
    }
    for j in 0..m {
        b[(n + j, j)] = 1.0;
        (1..kept).for_each(|k| a[(n + m * k + j, n + m * (k - 1) + j)] = 1.0);
    }
    for i in 0..c.rows() {
        (0..n).for_each(|j| c[(i, j)] = system.c[(i, j)]);
        for j in 0..m {
            match place(kept, j) {
                Some(at) => c[(i, at)] += system.d[(i, j)],
                None => d[(i, j)] += system.d[(i, j)],
            }
        }
    }
    let past = (1..=kept).flat_map(|k| system.inputs.iter().map(move |input| (k, input)));
    let past = past.map(|(k, input)| Signal { name: format!("delay.{}.{k}", input.name), unit: input.unit.clone() });
    let states = system.states.iter().cloned().chain(past).collect();
    let mut operating_point = system.operating_point.clone();
    (0..kept).for_each(|_| operating_point.x.extend(&system.operating_point.u));
    finite(StateSpace { a, b, c, d, dt: Some(dt), states, operating_point, ..system.clone() })
}

fn finite(system: StateSpace) -> Result<StateSpace, AnalysisError> {
    Parts::of(&system).map(|_| system)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examples::{model, oscillator};

    #[test]
    fn a_double_integrator_and_an_oscillator_have_closed_forms() {
        let dt = 0.3;
        let free = model(&[&[0.0, 1.0], &[0.0, 0.0]], &[&[0.0], &[1.0]], &[&[1.0, 0.0]], &[&[0.0]]);
        let sampled = zero_order_hold(&free, dt, 0.0).unwrap();
        let expected = [[1.0, dt, 0.5 * dt * dt], [0.0, 1.0, dt]];
        let (w, t) = (1e3_f64, 0.0017);
        let vibrating = zero_order_hold(&oscillator(w, 0.0), t, 0.0).unwrap();
        let (sin, cos) = (w * t).sin_cos();
        let turned = [[cos, sin / w, (1.0 - cos) / (w * w)], [-w * sin, cos, sin / w]];
        for i in 0..2 {
            for (system, expected) in [(&sampled, expected), (&vibrating, turned)] {
                let found = [system.a[(i, 0)], system.a[(i, 1)], system.b[(i, 0)]];
                for (found, expected) in found.iter().zip(expected[i]) {
                    assert!((found - expected).abs() < 1e-12 * expected.abs().max(1e-3), "{found} {expected}");
                }
            }
        }
        assert_eq!(sampled.dt, Some(dt));
    }

    /// Answer of a lag with direct passage to a pulse of one sample, `age` seconds after its start at the model.
    fn pulse(age: f64, dt: f64) -> f64 {
        let step = |age: f64| if age > -1e-12 { 1.0 - (-3.0 * age).exp() + 0.5 } else { 0.0 };
        step(age) - step(age - dt)
    }

    #[test]
    fn delays_of_whole_and_part_samples_move_the_answer() {
        let dt = 0.1;
        let lag = model(&[&[-3.0]], &[&[3.0]], &[&[1.0]], &[&[0.5]]);
        for delay in [0.0, 0.04, 0.1, 0.25, 0.3, 0.37] {
            let system = zero_order_hold(&lag, dt, delay).unwrap();
            let n = system.a.rows();
            assert_eq!((system.states.len(), system.operating_point.x.len()), (n, n));
            let mut x = vec![0.0; n];
            for k in 0..20 {
                let u = if k == 0 { 1.0 } else { 0.0 };
                let row = |matrix: &Matrix, i: usize| (0..n).map(|j| matrix[(i, j)] * x[j]).sum::<f64>();
                let y = row(&system.c, 0) + system.d[(0, 0)] * u;
                let expected = pulse(f64::from(k) * dt - delay, dt);
                assert!((y - expected).abs() < 1e-13, "delay {delay}, sample {k}: {y}, not {expected}");
                x = (0..n).map(|i| row(&system.a, i) + system.b[(i, 0)] * u).collect();
            }
        }
    }

    #[test]
    fn senseless_times_are_refused() {
        let lag = model(&[&[-3.0]], &[&[3.0]], &[&[1.0]], &[&[0.5]]);
        for dt in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(matches!(zero_order_hold(&lag, dt, 0.0), Err(AnalysisError::SamplingPeriod { .. })));
        }
        for delay in [-1e-3, f64::NAN, 1e9] {
            assert!(matches!(zero_order_hold(&lag, 0.1, delay), Err(AnalysisError::Delay { .. })));
        }
        let sampled = zero_order_hold(&lag, 0.1, 0.0).unwrap();
        assert_eq!(zero_order_hold(&sampled, 0.1, 0.0), Err(AnalysisError::AlreadySampled { dt: 0.1 }));
        let growing = model(&[&[1e3]], &[&[1.0]], &[&[1.0]], &[&[0.0]]);
        assert_eq!(zero_order_hold(&growing, 1.0, 0.0), Err(AnalysisError::NotFinite));
    }
}
