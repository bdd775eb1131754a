//! Square-root-free Cholesky factors `L D L*` of symmetric positive definite blocks, packed by rows of the lower triangle.
//!
//! `L` has ones on its diagonal; in their place a factor holds `D⁻¹`, so that solving multiplies and never divides.
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

/// Overwrites the packed triangle `a` with its factor, `a = L D L*`; the result holds where every pivot is positive and has a
/// reciprocal.
#[inline]
pub fn factor_in_place<T: Scalar>(a: &mut [T], n: usize) -> T::Mask {
    (0..n).fold(T::Mask::splat(true), |definite, i| definite & factor_row(a, i))
}

#[inline(always)]
fn factor_row<T: Scalar>(a: &mut [T], i: usize) -> T::Mask {
    let (above, rest) = a.split_at_mut(row_start(i));
    let row = &mut rest[..=i];
    // u_ij = l_ij d_j = a_ij - Σ u_ik l_jk
    for j in 0..i {
        let other = &above[row_start(j)..][..j];
        let mut u = row[j];
        for k in 0..j {
            u = (-row[k]).mul_add(other[k], u);
        }
        row[j] = u;
    }
    // d_i = a_ii - Σ u_ij l_ij
    let mut pivot = row[i];
    for j in 0..i {
        let l = row[j] * above[row_start(j) + j];
        pivot = (-row[j]).mul_add(l, pivot);
        row[j] = l;
    }
    row[i] = pivot.recip();
    sound(row[i])
}

/// `x ← L⁻¹ x`.
#[inline]
pub fn solve_lower<T: Scalar, R: Linear<T>>(l: &[T], x: &mut [R]) {
    for i in 1..x.len() {
        solve_row(l, x, i);
    }
}

#[inline(always)]
fn solve_row<T: Scalar, R: Linear<T>>(l: &[T], x: &mut [R], i: usize) {
    let row = &l[row_start(i)..row_start(i) + i];
    let (known, rest) = x.split_at_mut(i);
    let mut sum = rest[0];
    for k in 0..i {
        sum = known[k].scale_add(-row[k], sum);
    }
    rest[0] = sum;
}

/// `x ← D⁻¹ x`.
#[inline(always)]
pub fn solve_diagonal<T: Scalar, R: Linear<T>>(l: &[T], x: &mut [R]) {
    for i in 0..x.len() {
        x[i] = x[i].scale(pivot_inverse(l, i));
    }
}

/// `x ← L⁻* x`.
#[inline]
pub fn solve_upper<T: Scalar, R: Linear<T>>(l: &[T], x: &mut [R]) {
    for i in (1..x.len()).rev() {
        let row = &l[row_start(i)..row_start(i) + i];
        let y = x[i];
        for k in 0..i {
            x[k] = y.scale_add(-row[k], x[k]);
        }
    }
}

/// `x ← (L D L*)⁻¹ x`.
#[inline]
pub fn solve<T: Scalar, R: Linear<T>>(l: &[T], x: &mut [R]) {
    solve_lower(l, x);
    solve_diagonal(l, x);
    solve_upper(l, x);
}

/// `x ← D^-½ x`: after [`solve_lower`], or before [`solve_upper`], a solve with the factor `L D^½` of `(L D^½)(L D^½)*`.
#[inline]
pub fn solve_diagonal_root<T: Scalar, R: Linear<T>>(l: &[T], x: &mut [R]) {
    for i in 0..x.len() {
        x[i] = x[i].scale(pivot_inverse(l, i).sqrt());
    }
}

/// `1 / d_i`.
#[inline(always)]
pub fn pivot_inverse<T: Scalar>(l: &[T], i: usize) -> T {
    l[row_start(i) + i]
}

/// Where pivot `i` of a factor is positive and has a reciprocal.
#[inline]
pub fn is_sound<T: Scalar>(l: &[T], i: usize) -> T::Mask {
    sound(pivot_inverse(l, i))
}

#[inline(always)]
fn sound<T: Scalar>(inverse: T) -> T::Mask {
    T::ZERO.less_than(inverse) & inverse.less_than(T::from_f64(f64::INFINITY))
}

/// `ln det (L D L*)`.
#[inline]
pub fn log_det<T: Scalar>(l: &[T], n: usize) -> T {
    (0..n).fold(T::ZERO, |sum, i| sum - pivot_inverse(l, i).ln())
}

/// The same where the size is known when compiled: the loops of the first rows unroll.
pub mod unrolled {
    use super::{Linear, Mask, Scalar, factor_row, solve_row};

    /// Runs `$step` for the rows `$i` of `0..$n`. The number of the first ones is known when compiled: their loops unroll.
    macro_rules! each_row {
        ($n:expr, $i:ident => $step:expr) => {
            each_row!($n, $i => $step, 0 1 2 3 4 5 6 7 8 9);
            for $i in 10..$n {
                $step;
            }
        };
        ($n:expr, $i:ident => $step:expr, $($row:literal)+) => {
            $(if $row < $n {
                let $i = $row;
                $step;
            })+
        };
    }

    /// [`factor_in_place`](super::factor_in_place).
    #[inline(always)]
    pub fn factor_in_place<T: Scalar>(a: &mut [T], n: usize) -> T::Mask {
        let mut definite = T::Mask::splat(true);
        each_row!(n, i => definite = definite & factor_row(a, i));
        definite
    }

    /// [`solve_lower`](super::solve_lower).
    #[inline(always)]
    pub fn solve_lower<T: Scalar, R: Linear<T>>(l: &[T], x: &mut [R]) {
        each_row!(x.len(), i => solve_row(l, x, i));
    }
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
        let mut again = a;
        assert!(unrolled::factor_in_place(&mut again, 3));
        assert_eq!(again, l);
        let mut y = [1.0_f64, -2.0, 0.3];
        unrolled::solve_lower(&l, &mut y);
        solve_diagonal_root(&l, &mut y);
        let square: f64 = y.iter().map(|y| y * y).sum();
        assert!((square - (x[0] - 2.0 * x[1] + 0.3 * x[2])).abs() < 1e-14);
        let det = 4.0 * (6.0 - 0.49) - (2.0 + 0.35) - 0.5 * (0.7 + 1.5);
        assert!((log_det(&l, 3) - f64::ln(det)).abs() < 1e-14);
        assert!(!factor_in_place(&mut [1.0_f64, 2.0, 1.0], 2));
    }
}
