//! A polynomial from 0 to 1 whose first derivatives vanish at both ends.
//!
//! In Bernstein's basis of degree `2 n - 1` its coefficients are `n` zeros and `n` ones, and those of its derivatives are whole numbers. Sums of
//! powers would lose a digit with each degree; here all weights are positive.

/// The polynomial over `0 ≤ x ≤ 1` with `n - 1` vanishing derivatives at either end.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SmoothStep {
    /// Of the derivative of each order, coefficients in Bernstein's basis.
    derivatives: Vec<Vec<f64>>,
}

impl SmoothStep {
    /// With derivatives up to an order.
    pub(super) fn new(n: usize, order: usize) -> Self {
        let mut coefficients: Vec<f64> = (0..2 * n).map(|i| if i < n { 0.0 } else { 1.0 }).collect();
        let mut derivatives = Vec::with_capacity(order + 1);
        for _ in 0..=order {
            let degree = coefficients.len().saturating_sub(1) as f64;
            let next = coefficients.windows(2).map(|pair| degree * (pair[1] - pair[0])).collect();
            derivatives.push(std::mem::replace(&mut coefficients, next));
        }
        Self { derivatives }
    }

    /// A derivative inside the interval, by its order.
    pub(super) fn derivative(&self, order: usize, x: f64) -> f64 {
        let Some(coefficients) = self.derivatives.get(order).filter(|list| !list.is_empty()) else { return 0.0 };
        let degree = coefficients.len() - 1;
        // Σ c_i binomial(degree, i) x^i (1-x)^(degree-i), each weight from the last one.
        let (near, far, ratio) = if x < 0.5 { (x, 1.0 - x, true) } else { (1.0 - x, x, false) };
        let at = |i: usize| if ratio { coefficients[i] } else { coefficients[degree - i] };
        let mut weight = far.powi(degree as i32);
        let mut sum = weight * at(0);
        for i in 1..=degree {
            weight *= (degree + 1 - i) as f64 / i as f64 * (near / far);
            sum += weight * at(i);
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_conditions_at_each_end_give_the_cubic_step() {
        let step = SmoothStep::new(2, 3);
        for x in [0.0, 0.1, 0.5, 0.7, 1.0_f64] {
            assert!((step.derivative(0, x) - (3.0 * x * x - 2.0 * x.powi(3))).abs() < 1e-15);
            assert!((step.derivative(1, x) - 6.0 * x * (1.0 - x)).abs() < 1e-14);
            assert!((step.derivative(2, x) - (6.0 - 12.0 * x)).abs() < 1e-13);
            assert!((step.derivative(3, x) + 12.0).abs() < 1e-13);
        }
    }

    /// Of degree 31: the ends are met and derivatives are those of differences.
    #[test]
    fn high_degrees_keep_their_digits() {
        let step = SmoothStep::new(16, 18);
        for order in 0..16 {
            let ends = [step.derivative(order, 0.0), step.derivative(order, 1.0)];
            assert_eq!(ends, if order == 0 { [0.0, 1.0] } else { [0.0, 0.0] }, "{order}");
        }
        assert!((step.derivative(0, 0.5) - 0.5).abs() < 1e-15);
        for order in 0..17 {
            for x in [0.2, 0.45, 0.8] {
                let slope = (step.derivative(order, x + 1e-6) - step.derivative(order, x - 1e-6)) / 2e-6;
                let size = (0..=20).map(|i| step.derivative(order + 1, 0.05 * f64::from(i)).abs()).fold(0.0, f64::max);
                assert!((slope - step.derivative(order + 1, x)).abs() < 1e-7 * size, "{order} {x}");
            }
        }
    }
}
