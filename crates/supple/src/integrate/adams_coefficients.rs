//! Coefficients of Adams formulas on unequal steps.
//!
//! With `t_n` the last node and `h` the step to `t_{n+1} = t_n + h`, the polynomial through the rates at `t_n, …, t_{n-k}` is
//! `Σ Φ_j Π_{i<j} (t - t_{n-i}) / (t_n - t_{n-1-i})`, where `Φ_j = f[t_n, …, t_{n-j}] Π_{1≤i≤j} (t_n - t_{n-i})` are differences scaled
//! so that on equal steps they are those of the backward kind. Then
//!
//! | symbol | is                                                       | here      |
//! |--------|----------------------------------------------------------|-----------|
//! | `β_j`  | `Π_{i<j} (t_{n+1} - t_{n-i}) / (t_n - t_{n-1-i})`         | `growth`  |
//! | `g_j`  | `∫ Π_{i<j} (t - t_{n-i}) / (t_{n+1} - t_{n-i}) dt / h`    | `weights` |
//! | `w_j`  | `∫ Π_{i<j} (t - t_{n-i}) / (t_n - t_{n-1-i}) dt / h`      | [`within`] |
//!
//! the integrals from `t_n` to `t_{n+1}`. `Φ_{j+1}(n+1) = Φ_j(n+1) - β_j Φ_j(n)`. As `∫` of `s^{q-1}`-weighted products obey a recursion in
//! `q`, no polynomial is ever written out.

/// Highest order.
pub(super) const ORDERS: usize = 12;
/// Differences kept: one above the highest order, to judge it.
pub(super) const KEPT: usize = ORDERS + 2;

/// `β_j` and `g_j` for one step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Coefficients {
    /// `β_j`.
    pub growth: [f64; KEPT],
    /// `g_j`.
    pub weights: [f64; KEPT + 1],
}

impl Coefficients {
    /// For a step of `h` from `nodes[0]`, the latest of the nodes.
    pub fn new(nodes: &[f64], h: f64) -> Self {
        let mut out = Self::default();
        let count = nodes.len().min(KEPT);
        // t_{n+1} - t_{n-i}
        let distance = |i: usize| h + (nodes[0] - nodes[i]);
        out.growth[0] = 1.0;
        for j in 1..count {
            out.growth[j] = out.growth[j - 1] * distance(j - 1) / (nodes[0] - nodes[j]);
        }
        // c_{j,q} = c_{j-1,q} - c_{j-1,q+1} h / (t_{n+1} - t_{n-j+1}),  c_{0,q} = 1/q,  g_j = c_{j,1}
        let mut c: [f64; KEPT + 1] = std::array::from_fn(|i| 1.0 / (i as f64 + 1.0));
        out.weights[0] = 1.0;
        for j in 1..=count {
            let ratio = h / distance(j - 1);
            for q in 0..=KEPT - j {
                c[q] -= c[q + 1] * ratio;
            }
            out.weights[j] = c[0];
        }
        out
    }

    /// `g_j - g_{j-1}`: the share of `h Φ_j` that a formula of order `j` misses.
    pub fn missing(&self, j: usize) -> f64 {
        self.weights[j] - self.weights[j - 1]
    }
}

/// `w_j` for a change `h` of time from `nodes[0]`, also backwards into the last steps.
pub(super) fn within(nodes: &[f64], h: f64) -> [f64; KEPT] {
    let mut out = [0.0; KEPT];
    let mut w: [f64; KEPT] = std::array::from_fn(|i| 1.0 / (i as f64 + 1.0));
    out[0] = 1.0;
    for j in 1..nodes.len().min(KEPT) {
        // w_{j,q} = (w_{j-1,q} (t - t_{n-j+1}) - w_{j-1,q+1} h) / (t_n - t_{n-j})
        let span = nodes[0] - nodes[j];
        let (near, far) = ((h + (nodes[0] - nodes[j - 1])) / span, h / span);
        for q in 0..KEPT - j {
            w[q] = w[q] * near - w[q + 1] * far;
        }
        out[j] = w[0];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On equal steps the weights are those of the Adams-Bashforth formulas, `1, 1/2, 5/12, 3/8, 251/720`, and nothing grows.
    #[test]
    fn equal_steps() {
        let nodes: Vec<f64> = (0..6).map(|i| -0.5 * f64::from(i)).collect();
        let found = Coefficients::new(&nodes, 0.5);
        for (g, expected) in found.weights.iter().zip([1.0, 0.5, 5.0 / 12.0, 3.0 / 8.0, 251.0 / 720.0]) {
            assert!((g - expected).abs() < 4.0 * f64::EPSILON, "{g} {expected}");
        }
        assert!(found.growth[..6].iter().all(|b| (b - 1.0).abs() < 4.0 * f64::EPSILON));
    }

    /// Forward, `w_j = g_j β_j`; and a polynomial is integrated exactly on unequal steps, forward and back.
    #[test]
    fn unequal_steps() {
        let nodes = [1.0, 0.7, 0.55, 0.1, -0.4];
        for h in [0.45, -0.2, -0.3] {
            let w = within(&nodes, h);
            if h > 0.0 {
                let found = Coefficients::new(&nodes, h);
                for j in 0..nodes.len() {
                    assert!((w[j] - found.weights[j] * found.growth[j]).abs() < 1e-14, "{j}");
                }
            }
            // Scaled differences of f(t) = t^4 by their definition.
            let mut divided: Vec<f64> = nodes.iter().map(|t| t.powi(4)).collect();
            let mut scale = 1.0;
            let mut sum = w[0] * divided[0];
            for j in 1..nodes.len() {
                for i in 0..nodes.len() - j {
                    divided[i] = (divided[i] - divided[i + 1]) / (nodes[i] - nodes[i + j]);
                }
                scale *= nodes[0] - nodes[j];
                sum += w[j] * scale * divided[0];
            }
            let exact = ((1.0 + h).powi(5) - 1.0) / 5.0;
            assert!((h * sum - exact).abs() < 1e-14, "{h}: {} {exact}", h * sum);
        }
    }
}
