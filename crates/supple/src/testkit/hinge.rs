//! The relative motion of each hinge kind: `R_J` turns `O` axes into `O⁺` axes, `d_J` is the
//! position of `O` in `O⁺` axes.

use super::attitude;
use crate::model::HingeKind;
use supple_spatial::{Dual, Matrix3, Quaternion, Scalar, Vector3};

/// Position and velocity across a hinge.
pub(super) struct Relative<T> {
    /// `R_J`.
    pub rotation: Matrix3<T>,
    /// `d_J`.
    pub displacement: Vector3<T>,
    /// Angular velocity in `O` axes.
    pub spin: Vector3<T>,
    /// Rate of `d_J`, in `O⁺` axes.
    pub velocity: Vector3<T>,
}

/// Relative motion at given coordinates and speeds: the rates are those of `R_J` and `d_J` along
/// the rates of the coordinates.
pub(super) fn relative<T: Scalar>(kind: &HingeKind, theta: &[T], beta: &[T]) -> Relative<T> {
    let rates = coordinate_rates(kind, theta, beta);
    let moving: Vec<_> = theta.iter().zip(rates).map(|(&x, rate)| attitude::moving(x, rate)).collect();
    let (rotation, displacement): (Matrix3<Dual<T>>, Vector3<Dual<T>>) = position(kind, &moving);
    Relative {
        rotation: attitude::value(&rotation),
        displacement: Vector3(displacement.0.map(|x| x.value)),
        spin: attitude::spin_moving(&rotation),
        velocity: Vector3(displacement.0.map(|x| x.derivative)),
    }
}

/// `R_J` and `d_J`.
pub(super) fn position<T: Scalar>(kind: &HingeKind, theta: &[T]) -> (Matrix3<T>, Vector3<T>) {
    let (still, here) = (Matrix3::IDENTITY, Vector3::ZERO);
    match kind {
        HingeKind::Fixed => (still, here),
        HingeKind::Revolute { axis } => (attitude::about(unit(*axis), theta[0]), here),
        HingeKind::Prismatic { axis } => (still, unit(*axis) * theta[0]),
        HingeKind::Screw { axis, pitch } => {
            let axis = unit(*axis);
            (attitude::about(axis, theta[0]), axis * (theta[0] * T::from_f64(*pitch)))
        }
        HingeKind::Universal { axes } => {
            let [first, second] = axes.map(unit);
            (attitude::about(first, theta[0]) * attitude::about(second, theta[1]), here)
        }
        HingeKind::Cylindrical { axis } => {
            let axis = unit(*axis);
            (attitude::about(axis, theta[0]), axis * theta[1])
        }
        HingeKind::Planar { normal } => {
            let axis: Vector3<f64> = unit(*normal);
            let [x, y] = HingeKind::plane_axes(axis.0).map(Vector3::from_f64);
            (attitude::about(unit(*normal), theta[2]), x * theta[0] + y * theta[1])
        }
        HingeKind::Spherical => (quaternion(theta).to_matrix(), here),
        HingeKind::Free => (quaternion(theta).to_matrix(), Vector3([theta[4], theta[5], theta[6]])),
    }
}

/// Rates of the coordinates from the speeds.
pub(super) fn coordinate_rates<T: Scalar>(kind: &HingeKind, theta: &[T], beta: &[T]) -> Vec<T> {
    match kind {
        HingeKind::Spherical => quaternion(theta).rate_moving(Vector3([beta[0], beta[1], beta[2]])).0.to_vec(),
        HingeKind::Free => {
            let q = quaternion(theta);
            let rate = q.rate_moving(Vector3([beta[0], beta[1], beta[2]]));
            let velocity = q.to_matrix() * Vector3([beta[3], beta[4], beta[5]]);
            [&rate.0[..], &velocity.0[..]].concat()
        }
        _ => beta.to_vec(),
    }
}

fn quaternion<T: Scalar>(theta: &[T]) -> Quaternion<T> {
    Quaternion([theta[0], theta[1], theta[2], theta[3]])
}

fn unit<T: Scalar>(axis: [f64; 3]) -> Vector3<T> {
    let length = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
    Vector3::from_f64(axis.map(|x| x / length))
}
