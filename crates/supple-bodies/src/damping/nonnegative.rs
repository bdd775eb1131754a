//! Least squares whose unknowns are not negative, by Lawson and Hanson's active sets.

/// Part of the diagonal that is added to it: of columns that are alike, each gets its share.
const RIDGE: f64 = 1e-10;
/// Gradients below this part of the largest are zero.
const FLAT: f64 = 1e-12;

/// The `x ≥ 0` of least `|Σ x_k a_k - b|`, for columns `a_k`. Columns of zeros get zero.
pub(super) fn least_squares(columns: &[Vec<f64>], b: &[f64]) -> Vec<f64> {
    let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(x, y)| x * y).sum() };
    let n = columns.len();
    let sizes: Vec<f64> = columns.iter().map(|a| dot(a, a).sqrt()).collect();
    let scale = |k: usize| if sizes[k] > 0.0 { sizes[k].recip() } else { 0.0 };
    // Of unit columns.
    let right: Vec<f64> = (0..n).map(|k| scale(k) * dot(&columns[k], b)).collect();
    let gram = |i: usize, j: usize| scale(i) * scale(j) * dot(&columns[i], &columns[j]) + RIDGE * f64::from(i == j);
    let gram: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| gram(i, j)).collect()).collect();
    let flat = FLAT * right.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let mut x = vec![0.0; n];
    let mut chosen: Vec<usize> = Vec::new();
    // Every set is visited once; a bound in case rounding should disagree.
    for _ in 0..3 * n {
        let gradient = |k: &usize| right[*k] - dot(&gram[*k], &x);
        let rest = (0..n).filter(|k| !chosen.contains(k));
        let best = rest.max_by(|i, j| gradient(i).total_cmp(&gradient(j)));
        let Some(best) = best.filter(|k| gradient(k) > flat) else { break };
        chosen.push(best);
        loop {
            let z = solve(&gram, &right, &chosen);
            // As far towards it as nothing becomes negative.
            let part = chosen.iter().zip(&z).filter(|(_, z)| **z <= 0.0).map(|(&k, z)| x[k] / (x[k] - z));
            let part = part.fold(1.0_f64, f64::min);
            chosen.iter().zip(&z).for_each(|(&k, z)| x[k] += part * (z - x[k]));
            if part == 1.0 {
                break;
            }
            // The one that has reached zero leaves, with all that rounding leaves there.
            let before = chosen.len();
            chosen.retain(|k| x[*k] > f64::EPSILON * flat.max(f64::MIN_POSITIVE));
            if chosen.len() == before {
                break;
            }
            (0..n).filter(|k| !chosen.contains(k)).for_each(|k| x[k] = 0.0);
        }
    }
    x.iter().enumerate().map(|(k, x)| x.max(0.0) * scale(k)).collect()
}

/// `G z = h` of the chosen rows and columns, by Cholesky's factors: what is added to the diagonal makes `G` definite.
fn solve(gram: &[Vec<f64>], right: &[f64], chosen: &[usize]) -> Vec<f64> {
    let n = chosen.len();
    let mut l = vec![vec![0.0_f64; n]; n];
    for i in 0..n {
        for j in 0..=i {
            let sum: f64 = (0..j).map(|k| l[i][k] * l[j][k]).sum();
            let left = gram[chosen[i]][chosen[j]] - sum;
            l[i][j] = if i == j { left.max(RIDGE).sqrt() } else { left / l[j][j] };
        }
    }
    let mut z = vec![0.0; n];
    for i in 0..n {
        let sum: f64 = (0..i).map(|k| l[i][k] * z[k]).sum();
        z[i] = (right[chosen[i]] - sum) / l[i][i];
    }
    for i in (0..n).rev() {
        let sum: f64 = (i + 1..n).map(|k| l[k][i] * z[k]).sum();
        z[i] = (z[i] - sum) / l[i][i];
    }
    z
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The gradient vanishes where an unknown is positive, and points outward where it is zero: the conditions of Karush, Kuhn and Tucker, which
    /// tell the minimum from everything else.
    #[test]
    fn the_minimum_is_found() {
        let mut seed = 1_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
        };
        for (rows, n) in [(5, 3), (8, 12), (20, 20)] {
            let columns: Vec<Vec<f64>> = (0..n).map(|_| (0..rows).map(|_| random()).collect()).collect();
            let b: Vec<f64> = (0..rows).map(|_| random()).collect();
            let x = least_squares(&columns, &b);
            let residual: Vec<f64> =
                (0..rows).map(|i| b[i] - columns.iter().zip(&x).map(|(a, x)| a[i] * x).sum::<f64>()).collect();
            assert!(x.iter().any(|x| *x > 0.0));
            for (a, x) in columns.iter().zip(&x) {
                let gradient: f64 = a.iter().zip(&residual).map(|(a, r)| a * r).sum();
                assert!(*x >= 0.0 && gradient < 1e-7, "{x} {gradient}");
                assert!(*x == 0.0 || gradient.abs() < 1e-7, "{x} {gradient}");
            }
        }
    }
}
