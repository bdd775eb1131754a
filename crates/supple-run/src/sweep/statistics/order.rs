//! Percentiles. The interval of a quantile is between two of the sorted numbers, whatever their distribution: how many of them lie below the
//! quantile is binomial.

use super::{Estimate, TAIL};

/// The quantile of sorted numbers, on straight lines between them, as NumPy has it.
pub fn quantile_of_sorted(sorted: &[f64], share: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let place = share * last as f64;
    let below = (place.floor() as usize).min(last);
    let above = (below + 1).min(last);
    sorted[below] + (place - below as f64) * (sorted[above] - sorted[below])
}

/// A percentile of sorted numbers, with the narrowest interval of order statistics that leaves out at most 2.5 % on each side; a bound is NaN where
/// there are too few numbers for it.
pub fn percentile(sorted: &[f64], percent: f64) -> Estimate {
    let share = percent / 100.0;
    let (below, above) = ranks(sorted.len(), share);
    let at = |rank: Option<usize>| rank.map_or(f64::NAN, |rank| sorted[rank - 1]);
    Estimate { value: quantile_of_sorted(sorted, share), low: at(below), high: at(above) }
}

/// Ranks, from one, of the numbers that bound a quantile.
fn ranks(count: usize, share: f64) -> (Option<usize>, Option<usize>) {
    if count == 0 || !(share > 0.0 && share < 1.0) {
        return (None, None);
    }
    // The lower bound is beyond the quantile where fewer than its rank lie below, the upper one short of it where at least its rank do.
    let (mut below, mut sum) = (None, 0.0);
    for k in 0..count {
        sum += binomial(count, k, share);
        if sum > TAIL {
            break;
        }
        below = Some(k + 1);
    }
    let (mut above, mut sum) = (None, 0.0);
    for k in (1..=count).rev() {
        sum += binomial(count, k, share);
        if sum > TAIL {
            break;
        }
        above = Some(k);
    }
    (below, above)
}

/// The chance that `k` of `count` happen.
fn binomial(count: usize, k: usize, share: f64) -> f64 {
    let (n, k) = (count as f64, k as f64);
    let ways = libm::lgamma(n + 1.0) - libm::lgamma(k + 1.0) - libm::lgamma(n - k + 1.0);
    (ways + k * share.ln() + (n - k) * (-share).ln_1p()).exp()
}

#[cfg(test)]
mod tests {
    use super::super::close;
    use super::*;

    /// `numpy.percentile(…, [5, 25, 50, 75, 95])` of NumPy 2.4.6.
    #[test]
    fn percentiles_are_those_of_numpy() {
        let mut sample = [2.5, -1.0, 0.3, 7.2, 3.3, 3.3, -4.1, 0.9, 5.5, 1.7, 2.2, -0.6];
        sample.sort_by(f64::total_cmp);
        for (percent, expected) in [
            (5.0, -2.3949999999999996),
            (25.0, 0.07500000000000001),
            (50.0, 1.9500000000000002),
            (75.0, 3.3),
            (95.0, 6.264999999999999),
        ] {
            close(percentile(&sample, percent).value, expected, 1e-15);
        }
    }

    /// `scipy.stats.quantile_test(numpy.arange(1, n + 1), p=…).confidence_interval(0.95)` of SciPy 1.17.1.
    #[test]
    fn bounds_are_those_of_scipy() {
        let numbers = |n: usize| (1..=n).map(|i| i as f64).collect::<Vec<_>>();
        let bounds = |n: usize, percent: f64| {
            let found = percentile(&numbers(n), percent);
            (found.low, found.high)
        };
        assert_eq!(bounds(100, 50.0), (40.0, 61.0));
        assert_eq!(bounds(1000, 95.0), (936.0, 964.0));
        let few = percentile(&numbers(20), 99.0);
        assert!(few.low == 19.0 && few.high.is_nan());
        assert!(percentile(&[], 50.0).value.is_nan());
    }
}
