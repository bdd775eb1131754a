//! Rotation matrices, and angular velocities as the rates of these matrices.

use crate::model::ElasticRotation;
use supple_spatial::{Dual, Matrix3, Scalar, Vector3};

/// Rotation by `angle` about a unit `axis`: `I + sin ã + (1 - cos) ã²`.
pub(super) fn about<T: Scalar>(axis: Vector3<T>, angle: T) -> Matrix3<T> {
    let (sine, cosine) = angle.sin_cos();
    let skew = Matrix3::skew(axis);
    Matrix3::IDENTITY + skew * sine + skew * skew * (T::ONE - cosine)
}

/// `exp(θ̃)` by its power series, which holds for every angle and has no branch.
pub(super) fn exponential<T: Scalar>(theta: Vector3<T>) -> Matrix3<T> {
    let square = theta.dot(theta);
    // sin θ / θ and (1 - cos θ) / θ² as nested products.
    let (mut first, mut second) = (T::ONE, T::ONE);
    for i in (1..24).rev() {
        let i = f64::from(i);
        first = T::ONE - first * square * T::from_f64(1.0 / (2.0 * i * (2.0 * i + 1.0)));
        second = T::ONE - second * square * T::from_f64(1.0 / ((2.0 * i + 1.0) * (2.0 * i + 2.0)));
    }
    let skew = Matrix3::skew(theta);
    Matrix3::IDENTITY + skew * first + skew * skew * (second * T::from_f64(0.5))
}

/// `R_e` as a function of `θ = λ η`; `None` where it is a state.
pub(super) fn elastic<T: Scalar>(option: ElasticRotation, theta: Vector3<T>) -> Option<Matrix3<T>> {
    let axis = |i: usize| {
        let mut axis = Vector3::ZERO;
        axis[i] = T::ONE;
        about(axis, theta[i])
    };
    match option {
        ElasticRotation::None => Some(Matrix3::IDENTITY),
        ElasticRotation::FirstOrder => Some(Matrix3::IDENTITY + Matrix3::skew(theta)),
        ElasticRotation::Euler321 => Some(axis(2) * axis(1) * axis(0)),
        ElasticRotation::Euler123 => Some(axis(0) * axis(1) * axis(2)),
        ElasticRotation::RotationVector => Some(exponential(theta)),
        ElasticRotation::Integrated => None,
    }
}

/// `x` with its rate.
pub(super) fn moving<T: Scalar>(x: T, rate: T) -> Dual<T> {
    Dual { value: x, derivative: rate }
}

/// Values of a moving matrix.
pub(super) fn value<T: Scalar>(m: &Matrix3<Dual<T>>) -> Matrix3<T> {
    Matrix3(m.0.map(|row| row.map(|x| x.value)))
}

/// Rates of a moving matrix.
fn rate<T: Scalar>(m: &Matrix3<Dual<T>>) -> Matrix3<T> {
    Matrix3(m.0.map(|row| row.map(|x| x.derivative)))
}

/// The vector of the antisymmetric part.
fn unskew<T: Scalar>(m: &Matrix3<T>) -> Vector3<T> {
    let half = T::from_f64(0.5);
    let m = &m.0;
    Vector3([m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]]) * half
}

/// Angular velocity of a turning frame in fixed axes, from `Ṙ Rᵀ`.
pub(super) fn spin_fixed<T: Scalar>(r: &Matrix3<Dual<T>>) -> Vector3<T> {
    unskew(&(rate(r) * value(r).transpose()))
}

/// Angular velocity of a turning frame in its own axes, from `Rᵀ Ṙ`.
pub(super) fn spin_moving<T: Scalar>(r: &Matrix3<Dual<T>>) -> Vector3<T> {
    unskew(&(value(r).transpose() * rate(r)))
}
