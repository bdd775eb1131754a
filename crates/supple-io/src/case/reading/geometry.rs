//! Rules of directions, rotations and symmetric matrices.

use super::value::Value;
use crate::case::error::Rule;

/// Largest deviation of a rotation matrix from orthonormality, of a quaternion from unit length
/// and, relative to its largest entry, of a matrix from symmetry.
pub(super) const TOLERANCE: f64 = 1e-9;

/// The axes themselves.
pub(super) const IDENTITY: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// A direction of any length but zero.
pub(super) fn direction(value: Value<'_, '_>) -> Option<[f64; 3]> {
    let axis: [f64; 3] = value.array("axis")?;
    let length = axis.iter().fold(0.0, |length: f64, x| length.hypot(*x));
    value.check(length.is_finite() && length > f64::MIN_POSITIVE, || Rule::ZeroAxis).then_some(axis)
}

/// A right-handed orthonormal matrix.
pub(super) fn rotation(value: Value<'_, '_>) -> Option<[[f64; 3]; 3]> {
    let r = value.matrix3()?;
    let mut deviation = 0.0_f64;
    for i in 0..3 {
        for j in 0..3 {
            let product: f64 = (0..3).map(|k| r[k][i] * r[k][j]).sum();
            let off = (product - f64::from(u8::from(i == j))).abs();
            // Not `max`: it would lose an overflow to NaN.
            deviation = if off <= deviation { deviation } else { off };
        }
    }
    let minor = |i: usize, j: usize| r[1][i] * r[2][j] - r[1][j] * r[2][i];
    let determinant = r[0][0] * minor(1, 2) - r[0][1] * minor(0, 2) + r[0][2] * minor(0, 1);
    let kept = deviation <= TOLERANCE && determinant > 0.0;
    value.check(kept, || Rule::NotRotation { deviation, determinant }).then_some(r)
}

/// Notes a quaternion that is not of unit length.
pub(super) fn check_unit(value: Value<'_, '_>, quaternion: &[f64]) -> bool {
    let norm = quaternion.iter().fold(0.0, |norm: f64, x| norm.hypot(*x));
    value.check((norm - 1.0).abs() <= TOLERANCE, || Rule::NotUnit { norm })
}

/// Notes a square matrix that differs from its transpose.
pub(super) fn check_symmetric<R: AsRef<[f64]>>(value: Value<'_, '_>, rows: &[R]) -> bool {
    let at = |i: usize, j: usize| rows[i].as_ref()[j];
    let size = rows.iter().flat_map(|row| row.as_ref()).fold(0.0, |size: f64, x| size.max(x.abs()));
    let pairs = (0..rows.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
    let worst = pairs.max_by(|&(i, j), &(k, l)| (at(i, j) - at(j, i)).abs().total_cmp(&(at(k, l) - at(l, k)).abs()));
    let Some((i, j)) = worst else { return true };
    let difference = (at(i, j) - at(j, i)).abs();
    value.check(difference <= TOLERANCE * size, || Rule::NotSymmetric { entry: vec![i, j], difference })
}
