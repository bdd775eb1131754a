//! Linear-quadratic regulators and Kalman filters: gains, costs and poles.
//!
//! ```text
//! u = -K x                        minimises ∫ x* Q x + u* R u dt, or the sum over samples
//! x̂ = x̄ + L (y - C x̄ - D u)       has the least variance with noise w, v of covariances W, V
//! ```
//!
//! In continuous time `x̂' = A x̂ + B u + L (y - C x̂ - D u)` with intensities of white noise instead of covariances.

use faer::linalg::solvers::Solve;
use faer::{Mat, Side};

use crate::parts::Parts;
use crate::poles::eigenvalues;
use crate::riccati::{Riccati, symmetric};
use crate::{AnalysisError, Complex, Matrix, StateSpace};

/// A weight is symmetric to this part of its size, and its eigenvalues are not below minus this part.
const ROUNDING: f64 = 1e-10;

/// A linear-quadratic regulator.
#[derive(Clone, Debug, PartialEq)]
pub struct Regulator {
    /// `K`, a row per input: `u = -K x`.
    pub gain: Matrix,
    /// `X`: `x* X x` is the cost from `x` on.
    pub cost: Matrix,
    /// Poles of `A - B K`, ordered by absolute value.
    pub poles: Vec<Complex>,
}

/// A Kalman filter.
#[derive(Clone, Debug, PartialEq)]
pub struct KalmanFilter {
    /// `L`, a column per output. Of a sampled model the gain of the update, `x̂ = x̄ + L (y - C x̄)`.
    pub gain: Matrix,
    /// Covariance of the error; of a sampled model before the update.
    pub covariance: Matrix,
    /// Poles of the error, ordered by absolute value.
    pub poles: Vec<Complex>,
}

/// A regulator for weights `Q` of the states and `R` of the inputs, in continuous or discrete time as the model is.
///
/// ```
/// use supple_linear::{Matrix, OperatingPoint, Signal, StateSpace, lqr};
///
/// let one = |name: &str| vec![Signal { name: name.into(), unit: "1".into() }];
/// let number = |x: f64| Matrix::from_fn(1, 1, |_, _| x);
/// let system = StateSpace {
///     a: number(1.0), b: number(1.0), c: number(1.0), d: number(0.0), dt: None,
///     states: one("x"), inputs: one("u"), outputs: one("y"), operating_point: OperatingPoint::default(),
/// };
/// let regulator = lqr(&system, &number(3.0), &number(1.0))?;
/// assert!((regulator.gain[(0, 0)] - 3.0).abs() < 1e-12); // a + √(a² + q/r)
/// assert!((regulator.poles[0].re + 2.0).abs() < 1e-12);
/// # Ok::<(), supple_linear::AnalysisError>(())
/// ```
///
/// # Errors
/// Weights that are no weights, or a system that cannot be made stable.
pub fn lqr(system: &StateSpace, q: &Matrix, r: &Matrix) -> Result<Regulator, AnalysisError> {
    let Parts { a, b, .. } = Parts::of(system)?;
    let (q, r) = (weight("Q", q, a.nrows(), false)?, weight("R", r, b.ncols(), true)?);
    let factor = r.llt(Side::Lower).map_err(|_| AnalysisError::Weight { name: "R" })?;
    let equation = Riccati { g: symmetric(&(&b * factor.solve(b.transpose()))), h: q, a };
    let x = equation.solve(system.dt.is_some())?;
    let a = &equation.a;
    let gain = match system.dt {
        None => factor.solve(b.transpose() * &x),
        Some(_) => {
            let inner = symmetric(&(&r + b.transpose() * &x * &b));
            let inner = inner.llt(Side::Lower).map_err(|_| AnalysisError::NoRegulator)?;
            inner.solve(b.transpose() * &x * a)
        }
    };
    let poles = stable(&(a - &b * &gain), system.dt)?;
    Ok(Regulator { gain: Matrix::from_faer(gain.as_ref()), cost: Matrix::from_faer(x.as_ref()), poles })
}

/// A Kalman filter for noise `W` on the states and `V` on the outputs: covariances of a sampled model, intensities of one in continuous time.
///
/// # Errors
/// Matrices that are no covariances, or states that no output shows and that do not die away.
pub fn kalman(system: &StateSpace, w: &Matrix, v: &Matrix) -> Result<KalmanFilter, AnalysisError> {
    let Parts { a, c, .. } = Parts::of(system)?;
    let (w, v) = (weight("W", w, a.nrows(), false)?, weight("V", v, c.nrows(), true)?);
    let factor = v.llt(Side::Lower).map_err(|_| AnalysisError::Weight { name: "V" })?;
    let g = symmetric(&(c.transpose() * factor.solve(&c)));
    let x = Riccati { a: a.transpose().to_owned(), g, h: w }.solve(system.dt.is_some())?;
    let (gain, error) = match system.dt {
        None => {
            let gain = factor.solve(&c * &x).transpose().to_owned();
            (gain.clone(), &a - gain * &c)
        }
        Some(_) => {
            let inner = symmetric(&(&v + &c * &x * c.transpose()));
            let inner = inner.llt(Side::Lower).map_err(|_| AnalysisError::NoRegulator)?;
            let gain = inner.solve(&c * &x).transpose().to_owned();
            let error = &a - &a * &gain * &c;
            (gain, error)
        }
    };
    let poles = stable(&error, system.dt)?;
    Ok(KalmanFilter { gain: Matrix::from_faer(gain.as_ref()), covariance: Matrix::from_faer(x.as_ref()), poles })
}

/// A Kalman filter of a sampled model whose noise enters with its inputs, through `B` and `D`: what acts from one instant to the next is `u + w`, and
/// outputs are measured under what acted until their instant, as accelerometers do.
///
/// ```text
/// x(k) = A x(k-1) + B (u + w)(k-1)            y(k) = C x(k) + D (u + w)(k-1) + v(k)
/// ```
///
/// With `C' = C A`, `D' = C B + D` noise of states and outputs is correlated: `S = B W D'*`, `R = D' W D'* + V`. Where `D = 0` it is [`kalman`] with
/// `B W B*` on the states.
///
/// # Errors
/// As [`kalman`]; a model in continuous time.
pub fn kalman_of_inputs(system: &StateSpace, w: &Matrix, v: &Matrix) -> Result<KalmanFilter, AnalysisError> {
    if system.dt.is_none() {
        return Err(AnalysisError::NotSampled);
    }
    let Parts { a, b, c, d } = Parts::of(system)?;
    let (w, v) = (weight("W", w, b.ncols(), false)?, weight("V", v, c.nrows(), true)?);
    let seen = &c * &b + &d;
    let ahead = &c * &a;
    let r = symmetric(&(&seen * &w * seen.transpose() + &v));
    let s = &b * &w * seen.transpose();
    let process = &b * &w * b.transpose();
    let factor = r.llt(Side::Lower).map_err(|_| AnalysisError::Weight { name: "V" })?;
    // What the outputs tell of the noise is taken out: A - S R⁻¹ C', B W B* - S R⁻¹ S*.
    let own = &a - &s * factor.solve(&ahead);
    let equation = Riccati {
        a: own.transpose().to_owned(),
        g: symmetric(&(ahead.transpose() * factor.solve(&ahead))),
        h: symmetric(&(&process - &s * factor.solve(s.transpose()))),
    };
    // Covariance after the update.
    let x = equation.solve(true)?;
    let inner = symmetric(&(&r + &ahead * &x * ahead.transpose()));
    let inner = inner.llt(Side::Lower).map_err(|_| AnalysisError::NoRegulator)?;
    let gain = inner.solve(&ahead * &x * a.transpose() + s.transpose()).transpose().to_owned();
    let poles = stable(&(&a - &gain * &ahead), system.dt)?;
    let covariance = symmetric(&(&a * &x * a.transpose() + process));
    let plain = |m: &Mat<f64>| Matrix::from_faer(m.as_ref());
    Ok(KalmanFilter { gain: plain(&gain), covariance: plain(&covariance), poles })
}

/// A weight: finite, square, symmetric, not negative, or positive where it is to be inverted.
fn weight(name: &'static str, m: &Matrix, n: usize, positive: bool) -> Result<Mat<f64>, AnalysisError> {
    let error = AnalysisError::Weight { name };
    if (m.rows(), m.columns()) != (n, n) || m.as_slice().iter().any(|x| !x.is_finite()) {
        return Err(error);
    }
    let m = m.to_faer();
    let size = m.norm_max();
    let is_symmetric = (0..n).all(|i| (0..i).all(|j| (m[(i, j)] - m[(j, i)]).abs() <= ROUNDING * size));
    // Scaled to a unit diagonal: small weights are no rounding of great ones.
    let scale = |i: usize| if m[(i, i)] > 0.0 { m[(i, i)].sqrt().recip() } else { 1.0 };
    let unit = Mat::from_fn(n, n, |i, j| m[(i, j)] * scale(i) * scale(j));
    let least = unit.self_adjoint_eigenvalues(Side::Lower).map_err(|_| error.clone())?.first().copied();
    let bound = if positive { ROUNDING } else { -ROUNDING * (n as f64).max(1.0) };
    if !is_symmetric || least.is_some_and(|least| least < bound) {
        return Err(error);
    }
    Ok(symmetric(&m))
}

/// The poles, all of which must be stable.
fn stable(a: &Mat<f64>, dt: Option<f64>) -> Result<Vec<Complex>, AnalysisError> {
    let mut balanced = a.clone();
    crate::balance::balance(&mut balanced);
    let poles = eigenvalues(&balanced)?;
    let is_stable = |pole: &Complex| if dt.is_some() { pole.abs() < 1.0 } else { pole.re < 0.0 };
    if poles.iter().all(is_stable) { Ok(poles) } else { Err(AnalysisError::NoRegulator) }
}
