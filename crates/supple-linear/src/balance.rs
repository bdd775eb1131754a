//! Balancing: coordinates scaled by powers of two so that rows and columns of a matrix are of the same size (Parlett and Reinsch, 1969).
//!
//! Hinges in rad, modes of a body in units of their own and rates of stiff modes are of very different sizes; eigenvalues of a balanced
//! matrix have an error relative to the part of the system they belong to. Powers of two round nothing.

use faer::Mat;

/// A row and its column are balanced where scaling gains less than this.
const GAIN: f64 = 0.95;
/// Sweeps over all coordinates; a few suffice.
const MOST_SWEEPS: usize = 100;

/// Makes `D⁻¹ A D` of `A`. The diagonal of `D`.
pub(crate) fn balance(a: &mut Mat<f64>) -> Vec<f64> {
    let n = a.nrows();
    let mut scales = vec![1.0; n];
    for _ in 0..MOST_SWEEPS {
        let mut settled = true;
        for i in 0..n {
            let others = || (0..n).filter(|j| *j != i);
            let column: f64 = others().map(|j| a[(j, i)].abs()).sum();
            let row: f64 = others().map(|j| a[(i, j)].abs()).sum();
            if !(column > 0.0 && row > 0.0 && (column + row).is_finite()) {
                continue;
            }
            let factor = 2.0_f64.powi((0.5 * (row / column).log2()).round() as i32);
            if column * factor + row / factor < GAIN * (column + row) {
                settled = false;
                scales[i] *= factor;
                (0..n).for_each(|j| a[(i, j)] /= factor);
                (0..n).for_each(|j| a[(j, i)] *= factor);
            }
        }
        if settled {
            break;
        }
    }
    scales
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_oscillator_becomes_a_rotation_and_nothing_is_rounded() {
        let a = Mat::from_fn(2, 2, |i, j| [[0.0, 1.0], [-1e8, -3.0]][i][j]);
        let mut balanced = a.clone();
        let d = balance(&mut balanced);
        let ratio = (balanced[(1, 0)] / balanced[(0, 1)]).abs();
        assert!((0.25..4.0).contains(&ratio), "{ratio}");
        for i in 0..2 {
            for j in 0..2 {
                assert_eq!(d[i] * balanced[(i, j)] / d[j], a[(i, j)]);
            }
        }
    }
}
