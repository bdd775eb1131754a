//! Cholesky factors of symmetric positive definite blocks, packed by rows of the lower triangle.
//!
//! The diagonal of a factor holds reciprocals, so that solving multiplies and never divides.
//! A pivot that is not positive is recorded in a mask, not branched upon.

use super::Linear;
use crate::Scalar;
use crate::scalar::Mask;

/// Number of entries of a packed triangle of size `n`.
#[inline(always)]
pub const fn packed_len(n: usize) -> usize {
    n * (n + 1) / 2
}

/// Start of row `i` in a packed lower triangle.
#[inline(always)]
pub const fn row_start(i: usize) -> usize {
    i * (i + 1) / 2
}

/// Overwrites the packed triangle `a` with its factor `L`, `a = L L*`; the result holds where
/// every pivot is positive.
#[inline]
pub fn factor_in_place<T: Scalar>(a: &mut [T], n: usize) -> T::Mask {
    let mut definite = T::Mask::splat(true);
    for i in 0..n {
        let (above, rest) = a.split_at_mut(row_start(i));
        let row = &mut rest[..=i];
        for j in 0..i {
            let other = &above[row_start(j)..=row_start(j) + j];
            let mut s = row[j];
            for k in 0..j {
                s = (-row[k]).mul_add(other[k], s);
            }
            row[j] = s * other[j];
        }
        let mut pivot = row[i];
        for k in 0..i {
            pivot = (-row[k]).mul_add(row[k], pivot);
        }
        definite = definite & T::ZERO.less_than(pivot);
        row[i] = pivot.sqrt().recip();
    }
    definite
}

/// `x ← L⁻¹ x`.
#[inline]
pub fn solve_lower<T: Scalar, R: Linear<T>>(l: &[T], x: &mut [R]) {
    for i in 0..x.len() {
        let row = &l[row_start(i)..=row_start(i) + i];
        let mut s = x[i];
        for k in 0..i {
            s = x[k].scale_add(-row[k], s);
        }
        x[i] = s.scale(row[i]);
    }
}

/// `x ← L⁻* x`.
#[inline]
pub fn solve_upper<T: Scalar, R: Linear<T>>(l: &[T], x: &mut [R]) {
    for i in (0..x.len()).rev() {
        let row = &l[row_start(i)..=row_start(i) + i];
        let y = x[i].scale(row[i]);
        x[i] = y;
        for k in 0..i {
            x[k] = y.scale_add(-row[k], x[k]);
        }
    }
}

/// `x ← (L L*)⁻¹ x`.
#[inline]
pub fn solve<T: Scalar, R: Linear<T>>(l: &[T], x: &mut [R]) {
    solve_lower(l, x);
    solve_upper(l, x);
}

/// `ln det (L L*)`.
#[inline]
pub fn log_det<T: Scalar>(l: &[T], n: usize) -> T {
    let mut s = T::ZERO;
    for i in 0..n {
        s += l[row_start(i) + i].ln();
    }
    -(s + s)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_and_tells_definite_from_indefinite() {
        let a = [4.0_f64, 1.0, 3.0, -0.5, 0.7, 2.0];
        let full = [[4.0, 1.0, -0.5], [1.0, 3.0, 0.7], [-0.5, 0.7, 2.0]];
        let mut l = a;
        assert!(factor_in_place(&mut l, 3));
        let mut x = [1.0_f64, -2.0, 0.3];
        solve(&l, &mut x);
        for (row, b) in full.iter().zip([1.0, -2.0, 0.3]) {
            let s: f64 = row.iter().zip(x).map(|(a, x)| a * x).sum();
            assert!((s - b).abs() < 1e-14);
        }
        let det = 4.0 * (6.0 - 0.49) - (2.0 + 0.35) - 0.5 * (0.7 + 1.5);
        assert!((log_det(&l, 3) - f64::ln(det)).abs() < 1e-14);
        assert!(!factor_in_place(&mut [1.0_f64, 2.0, 1.0], 2));
    }
}
