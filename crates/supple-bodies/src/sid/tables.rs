//! The three-by-three blocks in the tables of standard input data.

use super::Taylor;

/// A three-by-three matrix.
pub(super) type Block = [[f64; 3]; 3];

/// `-½ ω·A ω` as coefficients of `Ω = (ω₁², ω₂², ω₃², ω₁ω₂, ω₂ω₃, ω₁ω₃)`.
pub(super) fn spin_coefficients(a: &Block) -> [f64; 6] {
    [-0.5 * a[0][0], -0.5 * a[1][1], -0.5 * a[2][2], -a[0][1], -a[1][2], -a[0][2]]
}

/// The symmetric `A` with these coefficients.
pub(super) fn from_spin_coefficients(o: [f64; 6]) -> Block {
    [[-2.0 * o[0], -o[3], -o[5]], [-o[3], -2.0 * o[1], -o[4]], [-o[5], -o[4], -2.0 * o[2]]]
}

/// `A - x̃`.
pub(super) fn less_cross(a: &Block, x: [f64; 3]) -> Block {
    let [p, q, r] = x;
    [[a[0][0], a[0][1] + r, a[0][2] - q], [a[1][0] - r, a[1][1], a[1][2] + p], [a[2][0] + q, a[2][1] - p, a[2][2]]]
}

/// `A` and `x` of `A - x̃`.
pub(super) fn split(b: &Block) -> (Block, [f64; 3]) {
    let symmetric = std::array::from_fn(|i| std::array::from_fn(|j| 0.5 * (b[i][j] + b[j][i])));
    (symmetric, [0.5 * (b[1][2] - b[2][1]), 0.5 * (b[2][0] - b[0][2]), 0.5 * (b[0][1] - b[1][0])])
}

/// The inertia in a column `11, 22, 33, 12, 13, 23` or a square, `value(row, column)` its entries.
pub(super) fn inertia(t: &Taylor, value: impl Fn(usize, usize) -> f64) -> Block {
    if t.columns == 1 {
        let at = |i| value(i, 0);
        [[at(0), at(3), at(4)], [at(3), at(1), at(5)], [at(4), at(5), at(2)]]
    } else {
        std::array::from_fn(|i| std::array::from_fn(|j| 0.5 * (value(i, j) + value(j, i))))
    }
}

/// Row of the column that holds an inertia, and its entry in the square.
pub(super) const INERTIA_COLUMN: [[usize; 2]; 6] = [[0, 0], [1, 1], [2, 2], [0, 1], [0, 2], [1, 2]];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_come_apart_again() {
        let a = [[1.0, 2.0, 3.0], [2.0, 5.0, 7.0], [3.0, 7.0, 11.0]];
        assert_eq!(split(&less_cross(&a, [0.5, -0.25, 4.0])), (a, [0.5, -0.25, 4.0]));
        assert_eq!(from_spin_coefficients(spin_coefficients(&a)), a);
        let w = [0.3, -0.7, 1.1];
        let [x, y, z] = w;
        let products = [x * x, y * y, z * z, x * y, y * z, x * z];
        let by_products: f64 = spin_coefficients(&a).iter().zip(products).map(|(o, p)| o * p).sum();
        let direct: f64 = (0..3).map(|i| (0..3).map(|j| w[i] * a[i][j] * w[j]).sum::<f64>()).sum();
        assert!((by_products + 0.5 * direct).abs() < 1e-14);
    }
}
