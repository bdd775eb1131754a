//! Confidence by resampling: B. Efron, Ann. Statist. 7 (1979) 1-26, intervals by percentiles.

use super::TAIL;
use super::order::quantile_of_sorted;
use crate::sweep::sample::{Purpose, Stream};

/// Resamples where they are cheap, and at least so many.
const MOST: usize = 1000;
const LEAST: usize = 200;
/// Numbers that all resamples together may draw.
const BUDGET: usize = 100_000_000;

/// Bounds of statistics of `count` items by resampling them: the statistics are given which items there are, some several times. The same items
/// give the same bounds.
pub fn bounds<const N: usize>(count: usize, mut statistics: impl FnMut(&[usize]) -> [f64; N]) -> [[f64; 2]; N] {
    let all = bounds_of_many(count, N, |chosen, found| found.copy_from_slice(&statistics(chosen)));
    std::array::from_fn(|i| all[i])
}

/// The same of a number of statistics that is not known before.
pub fn bounds_of_many(count: usize, many: usize, mut statistics: impl FnMut(&[usize], &mut [f64])) -> Vec<[f64; 2]> {
    if count < 2 {
        return vec![[f64::NAN; 2]; many];
    }
    let resamples = (BUDGET / count).clamp(LEAST, MOST);
    let stream = Stream::new(0, Purpose::Resampling);
    let (mut chosen, mut found) = (vec![0; count], vec![0.0; many]);
    let mut columns = vec![Vec::with_capacity(resamples); many];
    for resample in 0..resamples {
        for (i, item) in chosen.iter_mut().enumerate() {
            let word = stream.word(resample as u64, i as u64);
            *item = ((u128::from(word) * count as u128) >> 64) as usize;
        }
        statistics(&chosen, &mut found);
        columns.iter_mut().zip(&found).for_each(|(column, value)| column.push(*value));
    }
    let between = |mut column: Vec<f64>| {
        column.retain(|value| value.is_finite());
        column.sort_by(f64::total_cmp);
        [TAIL, 1.0 - TAIL].map(|share| quantile_of_sorted(&column, share))
    };
    columns.into_iter().map(between).collect()
}
