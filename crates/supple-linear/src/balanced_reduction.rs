//! Balanced reduction: states that inputs hardly reach and outputs hardly see are left out (Moore, 1981; square-root form of Tombs and
//! Postlethwaite).
//!
//! Poles that are not stable have no Gramians: they are split off and stay whole. Undamped modes and free hinges are among them.

use faer::linalg::solvers::Solve;
use faer::{Mat, Side};

use crate::parts::Parts;
use crate::poles::eigenvalues;
use crate::sign::{lyapunov, sign};
use crate::{AnalysisError, Complex, Matrix, Signal, StateSpace};

/// Poles closer to the imaginary axis than this part of the fastest are taken as not stable.
const MARGIN: f64 = 1e-9;

/// A model with fewer states.
#[derive(Clone, Debug, PartialEq)]
pub struct BalancedModel {
    /// The model. Its states have no meaning of their own: `reduced.1`, …; those of poles that are not stable come first.
    pub system: StateSpace,
    /// Hankel singular values of the stable part, the greatest first. Twice the sum of those left out bounds the error of the response.
    pub hankel: Vec<f64>,
    /// Poles that are not stable, which stay.
    pub kept: Vec<Complex>,
}

/// The model with `order` states.
///
/// # Errors
/// [`AnalysisError::Order`], where `order` is less than the number of poles that are not stable, or greater than that of the states.
pub fn balanced_reduction(system: &StateSpace, order: usize) -> Result<BalancedModel, AnalysisError> {
    let parts = continuous(Parts::balanced(system)?, system.dt)?;
    let poles = eigenvalues(&parts.a)?;
    let fastest = poles.last().map_or(0.0, |pole| pole.abs());
    let is_stable = |pole: &Complex| pole.re < -MARGIN * fastest;
    let kept: Vec<Complex> = poles.iter().copied().filter(|pole| !is_stable(pole)).collect();
    let (least, most) = (kept.len(), poles.len());
    if !(least..=most).contains(&order) {
        return Err(AnalysisError::Order { asked: order, least, most });
    }
    let slowest = poles.iter().filter(|pole| is_stable(pole)).map(|pole| -pole.re).fold(f64::INFINITY, f64::min);
    let [whole, stable] =
        if kept.is_empty() { [without_states(&parts), parts] } else { split(&parts, least, slowest, fastest)? };
    let (stable, hankel) = truncated(&stable, order - least)?;
    let parts = sampled(beside(&whole, &stable), system.dt)?;
    let kept = kept.into_iter().map(|pole| of_time(pole, system.dt)).collect();
    let states = (1..=order).map(|k| Signal { name: format!("reduced.{k}"), unit: "1".into() }).collect();
    let mut operating_point = system.operating_point.clone();
    operating_point.x = vec![0.0; order];
    let [a, b, c, d] = [&parts.a, &parts.b, &parts.c, &parts.d].map(|m| Matrix::from_faer(m.as_ref()));
    let (inputs, outputs) = (system.inputs.clone(), system.outputs.clone());
    Ok(BalancedModel {
        system: StateSpace { a, b, c, d, dt: system.dt, states, inputs, outputs, operating_point },
        hankel,
        kept,
    })
}

/// The part with the poles that are not stable, and the stable one, by the sign of `A` moved between them.
fn split(parts: &Parts, kept: usize, slowest: f64, fastest: f64) -> Result<[Parts; 2], AnalysisError> {
    let n = parts.a.nrows();
    if kept == n {
        return Ok([parts.clone(), without_states(parts)]);
    }
    let between = (MARGIN * fastest * slowest).sqrt();
    let one = Mat::<f64>::identity(n, n);
    let moved = Mat::from_fn(n, n, |i, j| parts.a[(i, j)] + if i == j { between } else { 0.0 });
    let sign = sign(&moved)?;
    let basis = |projector: Mat<f64>, size: usize| -> Result<Mat<f64>, AnalysisError> {
        let svd = projector.svd().map_err(|_| AnalysisError::NoConvergence)?;
        Ok(svd.U().subcols(0, size).to_owned())
    };
    let (right, left) = (basis(&one + &sign, kept)?, basis(&one - &sign, n - kept)?);
    let turn = Mat::from_fn(n, n, |i, j| if j < kept { right[(i, j)] } else { left[(i, j - kept)] });
    let factors = turn.partial_piv_lu();
    let a = factors.solve(&parts.a * &turn);
    let (b, c) = (factors.solve(&parts.b), &parts.c * &turn);
    let part = |first: usize, size: usize, d: Mat<f64>| Parts {
        a: a.submatrix(first, first, size, size).to_owned(),
        b: b.subrows(first, size).to_owned(),
        c: c.subcols(first, size).to_owned(),
        d,
    };
    let nothing = Mat::zeros(parts.d.nrows(), parts.d.ncols());
    Ok([part(0, kept, nothing), part(kept, n - kept, parts.d.clone())])
}

/// A model without states and without an answer.
fn without_states(parts: &Parts) -> Parts {
    let (m, p) = (parts.b.ncols(), parts.c.nrows());
    Parts { a: Mat::zeros(0, 0), b: Mat::zeros(0, m), c: Mat::zeros(p, 0), d: Mat::zeros(p, m) }
}

/// A stable model with `order` states, and its Hankel singular values.
fn truncated(parts: &Parts, order: usize) -> Result<(Parts, Vec<f64>), AnalysisError> {
    let Parts { a, b, c, d } = parts;
    if a.nrows() == 0 {
        return Ok((parts.clone(), Vec::new()));
    }
    // P = L L*, Q = M M*; M* L = U Σ V*.
    let reached = root(&lyapunov(a, &(b * b.transpose()))?)?;
    let seen = root(&lyapunov(&a.transpose().to_owned(), &(c.transpose() * c))?)?;
    let svd = (seen.transpose() * &reached).svd().map_err(|_| AnalysisError::NoConvergence)?;
    let hankel: Vec<f64> = (0..a.nrows()).map(|i| svd.S().column_vector()[i]).collect();
    // States that are not reached or not seen have no scale.
    let scale = |i: usize| if hankel[i] > 0.0 { hankel[i].sqrt().recip() } else { 0.0 };
    let scaled = |m: Mat<f64>| Mat::from_fn(m.nrows(), order, |i, j| m[(i, j)] * scale(j));
    let (right, left) = (scaled(&reached * svd.V()), scaled(&seen * svd.U()));
    let a = left.transpose() * a * &right;
    Ok((Parts { a, b: left.transpose() * b, c: c * &right, d: d.clone() }, hankel))
}

/// `L` with `L L* = X` for a symmetric matrix without negative eigenvalues, but for rounding.
fn root(x: &Mat<f64>) -> Result<Mat<f64>, AnalysisError> {
    let eigen = x.self_adjoint_eigen(Side::Lower).map_err(|_| AnalysisError::NoConvergence)?;
    let (u, s) = (eigen.U(), eigen.S().column_vector());
    Ok(Mat::from_fn(x.nrows(), x.nrows(), |i, j| u[(i, j)] * s[j].max(0.0).sqrt()))
}

/// Both side by side: their outputs add.
fn beside(one: &Parts, other: &Parts) -> Parts {
    let (n, all) = (one.a.nrows(), one.a.nrows() + other.a.nrows());
    let (m, p) = (one.b.ncols(), one.c.nrows());
    Parts {
        a: Mat::from_fn(all, all, |i, j| match (i < n, j < n) {
            (true, true) => one.a[(i, j)],
            (false, false) => other.a[(i - n, j - n)],
            _ => 0.0,
        }),
        b: Mat::from_fn(all, m, |i, j| if i < n { one.b[(i, j)] } else { other.b[(i - n, j)] }),
        c: Mat::from_fn(p, all, |i, j| if j < n { one.c[(i, j)] } else { other.c[(i, j - n)] }),
        d: &one.d + &other.d,
    }
}

/// A sampled model in continuous time by the bilinear map `z = (1 + s) / (1 − s)`, which keeps Gramians.
fn continuous(parts: Parts, dt: Option<f64>) -> Result<Parts, AnalysisError> {
    if dt.is_none() { Ok(parts) } else { bilinear(&parts, 1.0) }
}

fn sampled(parts: Parts, dt: Option<f64>) -> Result<Parts, AnalysisError> {
    if dt.is_none() { Ok(parts) } else { bilinear(&parts, -1.0) }
}

/// From `z` to `s` with `sign` 1, back with −1: `A' = ±(A ± 1)⁻¹ (A ∓ 1)`.
fn bilinear(parts: &Parts, sign: f64) -> Result<Parts, AnalysisError> {
    let Parts { a, b, c, d } = parts;
    let n = a.nrows();
    let plus = Mat::from_fn(n, n, |i, j| sign * a[(i, j)] + if i == j { 1.0 } else { 0.0 });
    let minus = Mat::from_fn(n, n, |i, j| a[(i, j)] - if i == j { sign } else { 0.0 });
    let factors = plus.partial_piv_lu();
    let root = std::f64::consts::SQRT_2;
    let inner = factors.solve(b);
    let turned = factors.solve(Mat::<f64>::identity(n, n));
    let out = Parts {
        a: factors.solve(&minus),
        b: Mat::from_fn(n, b.ncols(), |i, j| root * inner[(i, j)]),
        c: {
            let c = c * &turned;
            Mat::from_fn(c.nrows(), n, |i, j| root * c[(i, j)])
        },
        d: d - (parts.c.as_ref() * &inner) * faer::Scale(sign),
    };
    let finite = (0..n * n).all(|k| out.a[(k / n, k % n)].is_finite());
    if finite { Ok(out) } else { Err(AnalysisError::NotStable { pole: Complex::new(-1.0, 0.0) }) }
}

/// A pole of the bilinear map as one of the model.
fn of_time(pole: Complex, dt: Option<f64>) -> Complex {
    if dt.is_none() {
        return pole;
    }
    let (s, one) = (faer::c64::from(pole), faer::c64::new(1.0, 0.0));
    ((one + s) / (one - s)).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examples::{model, two_masses};
    use crate::{FrequencyResponse, poles, zero_order_hold};

    /// Three damped modes with falling gains, in units of their own.
    fn modes() -> StateSpace {
        let (w, zeta, gain): ([f64; 3], f64, [f64; 3]) = ([1.0, 8.0, 40.0], 0.02, [1.0, 0.3, 1e-3]);
        let (six, one): (&[f64], &[f64]) = (&[0.0; 6], &[0.0]);
        let mut system = model(&[six; 6], &[one; 6], &[six], &[one]);
        for k in 0..3 {
            let unit = 10.0_f64.powi(k as i32);
            (system.a[(2 * k, 2 * k + 1)], system.b[(2 * k + 1, 0)]) = (1.0, unit);
            (system.a[(2 * k + 1, 2 * k)], system.a[(2 * k + 1, 2 * k + 1)]) = (-w[k] * w[k], -2.0 * zeta * w[k]);
            system.c[(0, 2 * k)] = gain[k] * w[k] / unit;
        }
        system
    }

    /// Greatest difference of responses.
    fn difference(one: &StateSpace, other: &StateSpace) -> f64 {
        let [one, other] = [one, other].map(|system| FrequencyResponse::new(system).unwrap());
        let at = |k: i32| {
            let omega = 10.0_f64.powf(f64::from(k) / 50.0);
            let [x, y] = [&one, &other].map(|system| system.at(omega).unwrap().gain(0, 0));
            (x.re - y.re).hypot(x.im - y.im)
        };
        (-60..120).map(at).fold(0.0, f64::max)
    }

    #[test]
    fn the_error_is_within_its_bound_and_hankel_values_are_those_of_light_damping() {
        let system = modes();
        let reduced = balanced_reduction(&system, 4).unwrap();
        // A lightly damped mode has two Hankel singular values near |gain| / (4 ζ ω) of its peak.
        assert!((reduced.hankel[0] - 1.0 / (4.0 * 0.02)).abs() < 0.05 * reduced.hankel[0], "{:?}", reduced.hankel);
        let bound = 2.0 * (reduced.hankel[4] + reduced.hankel[5]);
        let error = difference(&system, &reduced.system);
        assert!(error <= bound * (1.0 + 1e-9) && error > 0.05 * bound, "{error:e} {bound:e}");
        assert!(difference(&system, &balanced_reduction(&system, 6).unwrap().system) < 1e-9);
        for (asked, least) in [(7, 0), (9, 0)] {
            assert_eq!(balanced_reduction(&system, asked), Err(AnalysisError::Order { asked, least, most: 6 }));
        }
    }

    #[test]
    fn drift_stays_and_too_few_states_are_refused() {
        let mut system = two_masses([1.0, 2.0], 50.0, 0.4);
        system.c = Matrix::from_fn(1, 4, |_, j| if j == 0 { 1.0 } else { 0.0 });
        system.d = Matrix::zeros(1, 1);
        system.outputs.truncate(1);
        let same = balanced_reduction(&system, 4).unwrap();
        assert_eq!(same.kept.len(), 2);
        let miss = difference(&system, &same.system);
        let size = difference(&system, &StateSpace { c: Matrix::zeros(1, 4), ..system.clone() });
        assert!(miss < 1e-9 * size, "{miss:e} {size:e}");
        let slow = balanced_reduction(&system, 2).unwrap();
        assert!(poles(&slow.system).unwrap().iter().all(|pole| pole.abs() < 1e-6));
        assert_eq!(balanced_reduction(&system, 1), Err(AnalysisError::Order { asked: 1, least: 2, most: 4 }));
    }

    #[test]
    fn sampled_models_are_reduced_within_the_same_bound() {
        let system = zero_order_hold(&modes(), 0.01, 0.0).unwrap();
        let reduced = balanced_reduction(&system, 4).unwrap();
        assert_eq!(reduced.system.dt, Some(0.01));
        let bound = 2.0 * (reduced.hankel[4] + reduced.hankel[5]);
        let error = difference(&system, &reduced.system);
        assert!(error <= bound * (1.0 + 1e-6), "{error:e} {bound:e}");
        assert!(difference(&system, &balanced_reduction(&system, 6).unwrap().system) < 1e-8);
    }
}
