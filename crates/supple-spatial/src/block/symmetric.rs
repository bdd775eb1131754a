//! Products with packed symmetric blocks (lower triangle by rows).

use super::cholesky::row_start;
use crate::Scalar;

/// `out ← A x` for the packed symmetric `A`.
#[inline]
pub fn assign_mul<T: Scalar>(a: &[T], x: &[T], out: &mut [T]) {
    for i in 0..x.len() {
        let row = &a[row_start(i)..=row_start(i) + i];
        let mut s = row[i] * x[i];
        for k in 0..i {
            s = row[k].mul_add(x[k], s);
            out[k] = row[k].mul_add(x[i], out[k]);
        }
        out[i] = s;
    }
}

/// Entry `(i, j)` of the packed symmetric `A`.
#[inline(always)]
pub fn entry<T: Copy>(a: &[T], i: usize, j: usize) -> T {
    let (i, j) = if i < j { (j, i) } else { (i, j) };
    a[row_start(i) + j]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn product_with_the_packed_triangle() {
        let a = [4.0_f64, 1.0, 3.0, -0.5, 0.7, 2.0];
        let x = [1.0, -2.0, 0.5];
        let mut out = [f64::NAN; 3];
        assign_mul(&a, &x, &mut out);
        for i in 0..3 {
            let s: f64 = (0..3).map(|j| entry(&a, i, j) * x[j]).sum();
            assert!((s - out[i]).abs() < 1e-15);
        }
    }
}
