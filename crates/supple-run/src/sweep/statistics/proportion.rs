//! How often something happens.

use super::{Estimate, TAIL};
use crate::sweep::sample::normal_quantile;

/// The part of `count` that `happened`; E. B. Wilson's interval, J. Am. Stat. Assoc. 22 (1927) 209-212, which holds for none and for all, too.
pub fn proportion(happened: u64, count: u64) -> Estimate {
    if count == 0 {
        return Estimate { value: f64::NAN, low: f64::NAN, high: f64::NAN };
    }
    let (n, z) = (count as f64, normal_quantile(1.0 - TAIL));
    let p = happened as f64 / n;
    let centre = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let half = z / (1.0 + z * z / n) * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    // Exactly none and all, whatever rounding makes of the difference.
    let low = if happened == 0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if happened == count { 1.0 } else { (centre + half).min(1.0) };
    Estimate { value: p, low, high }
}

#[cfg(test)]
mod tests {
    use super::super::close;
    use super::*;

    /// `scipy.stats.binomtest(7, 50).proportion_ci(0.95, method="wilson")` of SciPy 1.17.1.
    #[test]
    fn the_interval_is_that_of_scipy() {
        let found = proportion(7, 50);
        close(found.low, 0.06950833427016292, 1e-14);
        close(found.high, 0.26186193710585537, 1e-14);
        for count in [40, 77, 1000] {
            assert_eq!((proportion(0, count).low, proportion(count, count).high), (0.0, 1.0));
        }
        let none = proportion(0, 10_000);
        assert!(none.low == 0.0 && none.high > 3e-4 && none.high < 5e-4);
    }
}
