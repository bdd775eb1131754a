//! Shares of the variance: first-order indices by A. Saltelli et al., Comput. Phys. Commun. 181 (2010) 259-270, total ones by M. J. W. Jansen, 117
//! (1999) 35-43.

use serde::Serialize;

use super::Estimate;
use super::bootstrap::bounds_of_many;

/// Shares of the variance that one value has.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SobolIndex {
    /// Alone: what knowing the value would take from the variance.
    pub first: Estimate,
    /// With all interactions: what would be left if all others were known.
    pub total: Estimate,
}

/// Shares of each of `values` values. `outputs` come in groups of two more than values: of the first sample, of the first with one value of the second,
/// one after the other, of the second. Groups with a number that is not finite are left out.
pub fn sobol_indices(values: usize, outputs: &[f64]) -> Vec<SobolIndex> {
    let groups = outputs.chunks_exact(values + 2).filter(|group| group.iter().all(|y| y.is_finite()));
    let mut groups: Vec<Vec<f64>> = groups.map(<[f64]>::to_vec).collect();
    // The products below lose their digits where the mean is far from zero.
    let all: f64 = groups.iter().flatten().sum();
    let mean = all / (groups.len() * (values + 2)) as f64;
    groups.iter_mut().flatten().for_each(|y| *y -= mean);
    let whole: Vec<usize> = (0..groups.len()).collect();
    let mut found = vec![0.0; 2 * values];
    shares(&groups, &whole, &mut found);
    let bounds = bounds_of_many(groups.len(), 2 * values, |chosen, found| shares(&groups, chosen, found));
    let estimate = |k: usize| Estimate { value: found[k], low: bounds[k][0], high: bounds[k][1] };
    (0..values).map(|i| SobolIndex { first: estimate(i), total: estimate(values + i) }).collect()
}

/// First-order shares, then total ones, of the groups chosen.
fn shares(groups: &[Vec<f64>], chosen: &[usize], found: &mut [f64]) {
    let values = found.len() / 2;
    let (mut mean, mut middle, mut square) = (0.0, 0.0, 0.0);
    let mut differences = vec![0.0; values];
    found.fill(0.0);
    for group in chosen.iter().map(|g| &groups[*g]) {
        let (a, b) = (group[0], group[values + 1]);
        mean += group.iter().sum::<f64>() / group.len() as f64;
        middle += (a + b) / 2.0;
        square += (a * a + b * b) / 2.0;
        for i in 0..values {
            let change = group[i + 1] - a;
            differences[i] += change;
            found[i] += b * change;
            found[values + i] += change * change / 2.0;
        }
    }
    let count = chosen.len() as f64;
    let variance = square / count - (middle / count).powi(2);
    for i in 0..values {
        // What the second sample gives is taken about the mean of all outputs.
        found[i] = (found[i] - mean / count * differences[i]) / count / variance;
        found[values + i] /= count * variance;
    }
}

#[cfg(test)]
mod tests {
    use super::super::close;
    use super::*;
    use crate::sweep::sample::{Plan, normal_quantile};
    use std::f64::consts::PI;
    use supple_io::study_file::Sampling;

    /// `SALib.analyze.sobol.analyze(…, calc_second_order=False)` of SALib 1.6.0 on arbitrary numbers.
    #[test]
    fn indices_are_those_of_salib() {
        let outputs = [
            0.126, -0.132, 0.64, 0.105, -0.536, 0.362, 1.304, 0.947, -0.704, -1.265, -0.623, 0.041, -2.325, -0.219,
            -1.246, -0.732, -0.544, -0.316, 0.412, 1.043, -0.129, 1.366, -0.665, 0.352, 0.903, 0.094, -0.743, -0.922,
            -0.458, 0.22, -1.01, -0.209,
        ];
        let found = sobol_indices(2, &outputs);
        for (found, [first, total]) in
            found.iter().zip([[0.22843325362953373, 0.8582397542630896], [0.7066660906454914, 0.8593573367887629]])
        {
            close(found.first.value, first, 1e-13);
            close(found.total.value, total, 1e-13);
        }
    }

    /// Outputs of a function of so many values over a plan.
    fn outputs(values: usize, samples: u64, f: impl Fn(&[f64]) -> f64) -> Vec<f64> {
        let plan = Plan::of(Sampling::SobolIndices, samples, values, 1);
        let point = |run: u64| (0..values).map(|d| plan.position(run, d).unwrap()).collect::<Vec<f64>>();
        (0..plan.runs()).map(|run| f(&point(run))).collect()
    }

    /// T. Ishigami and T. Homma (1990): `sin a + 7 sin² b + 0.1 c⁴ sin a` on (-π, π), whose shares are known.
    #[test]
    fn shares_of_ishigami() {
        let angle = |u: f64| PI * (2.0 * u - 1.0);
        let f = |u: &[f64]| {
            let [a, b, c] = [angle(u[0]), angle(u[1]), angle(u[2])];
            a.sin() + 7.0 * b.sin().powi(2) + 0.1 * c.powi(4) * a.sin()
        };
        let (of_a, of_b) = (0.5 * (1.0 + 0.1 * PI.powi(4) / 5.0).powi(2), 49.0 / 8.0);
        let of_both = 0.01 * PI.powi(8) * (1.0 / 18.0 - 1.0 / 50.0);
        let variance = of_a + of_b + of_both;
        let found = sobol_indices(3, &outputs(3, 4096, f));
        let first = [of_a / variance, of_b / variance, 0.0];
        let total = [(of_a + of_both) / variance, of_b / variance, of_both / variance];
        for (i, found) in found.iter().enumerate() {
            assert!((found.first.value - first[i]).abs() < 5e-3, "{i}: {found:?} for {}", first[i]);
            assert!((found.total.value - total[i]).abs() < 5e-3, "{i}: {found:?} for {}", total[i]);
            assert!(found.first.low <= first[i] && first[i] <= found.first.high, "{i}: {found:?}");
            assert!(found.total.low <= total[i] && total[i] <= found.total.high, "{i}: {found:?}");
        }
    }

    /// Of `2 x + y` of normal values far from zero, four fifths and one fifth, without interaction.
    #[test]
    fn shares_of_a_sum_do_not_depend_on_its_mean() {
        let f = |u: &[f64]| 1e4 + 2.0 * normal_quantile(u[0]) + normal_quantile(u[1]);
        let found = sobol_indices(2, &outputs(2, 2048, f));
        for (found, share) in found.iter().zip([0.8, 0.2]) {
            assert!((found.first.value - share).abs() < 0.01 && (found.total.value - share).abs() < 0.01, "{found:?}");
        }
    }
}
