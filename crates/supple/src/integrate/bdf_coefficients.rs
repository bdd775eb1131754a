//! Coefficients of backward differentiation, see `bdf`.

use super::settings::Tolerance;

/// Highest order.
pub(super) const ORDERS: usize = 5;
/// Differences kept: two above the highest order, to judge and to raise it.
pub(super) const KEPT: usize = ORDERS + 3;
/// `κ_k`.
pub(super) const KAPPA: [f64; ORDERS + 1] = [0.0, -0.1850, -1.0 / 9.0, -0.0823, -0.0415, 0.0];

/// `γ_k = Σ_{1≤j≤k} 1/j`.
pub(super) fn gamma(k: usize) -> f64 {
    (1..=k).map(|j| 1.0 / j as f64).sum()
}

/// `(1 - κ_k) γ_k`.
pub(super) fn alpha(k: usize) -> f64 {
    (1.0 - KAPPA[k]) * gamma(k)
}

/// Share of `∇^{k+1}` that the formula of order `k` misses.
pub(super) fn missing(k: usize) -> f64 {
    KAPPA[k.min(ORDERS)] * gamma(k) + 1.0 / (k as f64 + 1.0)
}

/// What differences become for steps `factor` times as long: new differences `j` from old ones `i`, in row `i` and column `j`.
pub(super) fn stretching(order: usize, factor: f64) -> [[f64; ORDERS + 1]; ORDERS + 1] {
    // Row i of the polynomial's values in terms of differences: Π_{m<i} (m - factor j) / (m + 1), for 1 and for the factor.
    let values = |factor: f64| {
        let mut out = [[0.0; ORDERS + 1]; ORDERS + 1];
        for j in 0..=order {
            out[0][j] = 1.0;
            for i in 1..=order {
                out[i][j] = out[i - 1][j] * ((i - 1) as f64 - factor * j as f64) / i as f64;
            }
        }
        out
    };
    let (new, own) = (values(factor), values(1.0));
    let mut change = [[0.0; ORDERS + 1]; ORDERS + 1];
    for (i, row) in change.iter_mut().enumerate().take(order + 1) {
        for (j, entry) in row.iter_mut().enumerate().take(order + 1) {
            *entry = (0..=order).map(|m| new[i][m] * own[m][j]).sum();
        }
    }
    change
}

/// How much less than the tolerance a step may err, so that errors at the end are proportional to the tolerance: they are to those of steps as
/// order five to six.
pub(super) fn strictness(tolerance: Option<Tolerance>) -> f64 {
    tolerance.map_or(1.0, |tolerance| (1e-4 / tolerance.relative).max(1.0).powf(0.2))
}
