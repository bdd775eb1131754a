//! How two columns go together.

use super::{Estimate, TAIL};
use crate::sweep::sample::normal_quantile;

/// Pearson's coefficient: how near a straight line is. Interval by R. A. Fisher's transformation.
pub fn pearson(x: &[f64], y: &[f64]) -> Estimate {
    interval(coefficient(x, y), x.len(), 1.0)
}

/// Spearman's coefficient, that of the ranks: how near a rise or fall is. Interval by Fisher's transformation with the variance of D. G. Bonett and
/// T. A. Wright, Psychometrika 65 (2000) 23-28.
pub fn spearman(x: &[f64], y: &[f64]) -> Estimate {
    let r = coefficient(&ranks(x), &ranks(y));
    interval(r, x.len(), 1.0 + r * r / 2.0)
}

fn coefficient(x: &[f64], y: &[f64]) -> f64 {
    let mean = |list: &[f64]| list.iter().sum::<f64>() / list.len() as f64;
    let (mx, my) = (mean(x), mean(y));
    let sum = |product: &dyn Fn(f64, f64) -> f64| x.iter().zip(y).map(|(x, y)| product(x - mx, y - my)).sum::<f64>();
    let (xy, xx, yy) = (sum(&|x, y| x * y), sum(&|x, _| x * x), sum(&|_, y| y * y));
    // A column that never changes goes together with nothing.
    if xx > 0.0 && yy > 0.0 { (xy / (xx * yy).sqrt()).clamp(-1.0, 1.0) } else { f64::NAN }
}

fn interval(r: f64, count: usize, variance: f64) -> Estimate {
    let half = match count {
        0..=3 => f64::NAN,
        n => normal_quantile(1.0 - TAIL) * (variance / (n as f64 - 3.0)).sqrt(),
    };
    Estimate { value: r, low: (r.atanh() - half).tanh(), high: (r.atanh() + half).tanh() }
}

/// Ranks; numbers that are equal share the mean of theirs.
fn ranks(numbers: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..numbers.len()).collect();
    order.sort_by(|a, b| numbers[*a].total_cmp(&numbers[*b]));
    let mut ranks = vec![0.0; numbers.len()];
    let mut first = 0;
    for same in order.chunk_by(|a, b| numbers[*a] == numbers[*b]) {
        let rank = first as f64 + (same.len() as f64 + 1.0) / 2.0;
        same.iter().for_each(|i| ranks[*i] = rank);
        first += same.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::super::close;
    use super::*;

    /// `scipy.stats.spearmanr` and `scipy.stats.pearsonr` of SciPy 1.17.1; two of the numbers are equal.
    #[test]
    fn coefficients_are_those_of_scipy() {
        let x = [2.5, -1.0, 0.3, 7.2, 3.3, 3.3, -4.1, 0.9, 5.5, 1.7, 2.2, -0.6];
        let y = [1.0, 2.0, -3.0, 4.0, 5.5, 0.5, -2.0, 2.5, 3.5, 1.5, 6.0, -1.0];
        close(spearman(&x, &y).value, 0.5849396010625192, 1e-14);
        close(pearson(&x, &y).value, 0.6230284411688137, 1e-14);
        let found = pearson(&x, &y);
        close(found.low, (found.value.atanh() - 1.959963984540054 / 3.0).tanh(), 1e-14);
        assert!(pearson(&x, &[1.0; 12]).value.is_nan());
    }
}
