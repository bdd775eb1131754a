//! Coefficients of the linearly implicit scheme: an additive Runge-Kutta pair of order 4 with an estimate of order 3, six stages.
//!
//! With `A` frozen in a step, `f(y) = [f(y) - A (y - y₀)] + A (y - y₀)`: the bracket is advanced by the explicit rows, the rest by the
//! diagonally implicit ones. All conditions that couple both sets of rows hold up to order 4, so that the order does not depend on `A`.
//! The implicit rows are L-stable and stiffly accurate, with stages of order 2 (Kennedy and Carpenter, Applied Numerical Mathematics
//! 44, 2003: ARK4(3)6L[2]SA).

pub(crate) const STAGES: usize = 6;
pub(crate) const ORDER: i32 = 4;
/// Diagonal of the implicit rows; the first stage has none.
pub(crate) const GAMMA: f64 = 0.25;

pub(crate) const PLACES: [f64; STAGES] = [0.0, 0.5, 83.0 / 250.0, 31.0 / 50.0, 17.0 / 20.0, 1.0];

pub(crate) const EXPLICIT: [&[f64]; STAGES] = [
    &[],
    &[0.5],
    &[13861.0 / 62500.0, 6889.0 / 62500.0],
    &[-116923316275.0 / 2393684061468.0, -2731218467317.0 / 15368042101831.0, 9408046702089.0 / 11113171139209.0],
    &[
        -451086348788.0 / 2902428689909.0,
        -2682348792572.0 / 7519795681897.0,
        12662868775082.0 / 11960479115383.0,
        3355817975965.0 / 11060851509271.0,
    ],
    &[
        647845179188.0 / 3216320057751.0,
        73281519250.0 / 8382639484533.0,
        552539513391.0 / 3454668386233.0,
        3354512671639.0 / 8306763924573.0,
        4040.0 / 17871.0,
    ],
];

/// Implicit rows without the diagonal.
pub(crate) const IMPLICIT: [&[f64]; STAGES] = [
    &[],
    &[0.25],
    &[8611.0 / 62500.0, -1743.0 / 31250.0],
    &[5012029.0 / 34652500.0, -654441.0 / 2922500.0, 174375.0 / 388108.0],
    &[15267082809.0 / 155376265600.0, -71443401.0 / 120774400.0, 730878875.0 / 902184768.0, 2285395.0 / 8070912.0],
    &[82889.0 / 524892.0, 0.0, 15625.0 / 83664.0, 69875.0 / 102672.0, -2260.0 / 8211.0],
];

pub(crate) const WEIGHTS: [f64; STAGES] =
    [82889.0 / 524892.0, 0.0, 15625.0 / 83664.0, 69875.0 / 102672.0, -2260.0 / 8211.0, 0.25];

pub(crate) const ESTIMATE: [f64; STAGES] = [
    4586570599.0 / 29645900160.0,
    0.0,
    178811875.0 / 945068544.0,
    814220225.0 / 1159782912.0,
    -3700637.0 / 11593932.0,
    61727.0 / 225920.0,
];

#[cfg(test)]
mod tests {
    use super::*;

    type Matrix = [[f64; STAGES]; STAGES];

    fn rows(of: [&[f64]; STAGES], diagonal: f64) -> Matrix {
        std::array::from_fn(|i| {
            std::array::from_fn(|j| of[i].get(j).copied().unwrap_or(if i == j && i > 0 { diagonal } else { 0.0 }))
        })
    }

    fn times(a: &Matrix, x: [f64; STAGES]) -> [f64; STAGES] {
        std::array::from_fn(|i| (0..STAGES).map(|j| a[i][j] * x[j]).sum())
    }

    fn product(x: [f64; STAGES], y: [f64; STAGES]) -> [f64; STAGES] {
        std::array::from_fn(|i| x[i] * y[i])
    }

    /// Every tree up to the order, with every choice of explicit and implicit rows at its inner nodes.
    fn worst(weights: &[f64; STAGES], order: usize) -> f64 {
        let sets = [rows(EXPLICIT, 0.0), rows(IMPLICIT, GAMMA)];
        let mut worst = 0.0_f64;
        let mut condition = |phi: [f64; STAGES], density: f64| {
            let sum: f64 = weights.iter().zip(phi).map(|(b, x)| b * x).sum();
            worst = worst.max((sum - 1.0 / density).abs());
        };
        let one = [1.0; STAGES];
        condition(one, 1.0);
        for a in &sets {
            let x = times(a, one);
            condition(x, 2.0);
            for b in &sets {
                let y = times(b, one);
                if order >= 3 {
                    condition(product(x, y), 3.0);
                    condition(times(a, y), 6.0);
                }
                for c in &sets {
                    let z = times(c, one);
                    if order >= 4 {
                        condition(product(product(x, y), z), 4.0);
                        condition(product(x, times(b, z)), 8.0);
                        condition(times(a, product(y, z)), 12.0);
                        condition(times(a, times(b, z)), 24.0);
                    }
                }
            }
        }
        worst
    }

    #[test]
    fn order_conditions_hold_for_every_mixture() {
        assert!(worst(&WEIGHTS, 4) < 1e-14, "{:e}", worst(&WEIGHTS, 4));
        assert!(worst(&ESTIMATE, 3) < 1e-14, "{:e}", worst(&ESTIMATE, 3));
        // The estimate must be of lower order, or it estimates nothing.
        assert!(worst(&ESTIMATE, 4) > 1e-4);
    }

    #[test]
    fn rows_end_at_their_places_and_stages_are_of_second_order() {
        let (explicit, implicit) = (rows(EXPLICIT, 0.0), rows(IMPLICIT, GAMMA));
        let one = [1.0; STAGES];
        let (x, y, z) = (times(&explicit, one), times(&implicit, one), times(&implicit, PLACES));
        for i in 0..STAGES {
            assert!((x[i] - PLACES[i]).abs() < 1e-14 && (y[i] - PLACES[i]).abs() < 1e-14, "{i}");
            assert!((z[i] - 0.5 * PLACES[i] * PLACES[i]).abs() < 1e-14, "{i}");
        }
        assert_eq!(&implicit[STAGES - 1], &WEIGHTS);
    }
}
