//! Gauss-Legendre points: nodes of a beam whose sums are integrals.

/// Positions and weights of `n` points on the interval from 0 to `length`, exact for polynomials of degree `2 n - 1`.
pub fn gauss_legendre(n: usize, length: f64) -> Vec<(f64, f64)> {
    let mut points: Vec<(f64, f64)> = (0..n)
        .map(|i| {
            // Newton's iteration on the Legendre polynomial from Tricomi's estimate.
            let mut x = -((i as f64 + 0.75) / (n as f64 + 0.5) * std::f64::consts::PI).cos();
            let mut slope = 1.0;
            for _ in 0..100 {
                let (value, derivative) = legendre(n, x);
                slope = derivative;
                let step = value / derivative;
                x -= step;
                if step.abs() < 1e-16 {
                    break;
                }
            }
            let weight = 2.0 / ((1.0 - x * x) * slope * slope);
            (0.5 * length * (1.0 + x), 0.5 * length * weight)
        })
        .collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    points
}

/// `P_n(x)` and its derivative.
fn legendre(n: usize, x: f64) -> (f64, f64) {
    let (mut before, mut value) = (1.0, x);
    for k in 2..=n {
        let k = k as f64;
        (before, value) = (value, ((2.0 * k - 1.0) * x * value - (k - 1.0) * before) / k);
    }
    (value, n as f64 * (x * value - before) / (x * x - 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integrates_polynomials_exactly() {
        for n in [2, 5, 16, 40] {
            let degree = (2 * n - 1).min(20) as i32;
            let sum: f64 = gauss_legendre(n, 2.0).iter().map(|(x, w)| w * x.powi(degree)).sum();
            let exact = 2.0_f64.powi(degree + 1) / f64::from(degree + 1);
            assert!((sum / exact - 1.0).abs() < 1e-13, "{n} {sum} {exact}");
        }
    }
}
