//! Confidence by resampling: B. Efron, Ann. Statist. 7 (1979) 1-26, intervals by percentiles.

use super::TAIL;
use super::order::quantile_of_sorted;
use crate::sweep::sample::{Purpose, Stream};

/// Resamples where they are cheap, and at least so many.
const MOST: usize = 1000;
const LEAST: usize = 200;
/// Numbers that all resamples together may draw.
const BUDGET: usize = 100_000_000;

/// Bounds of a statistic of `count` items by resampling them: the statistic is given which items there are, some several times. The same items give
/// the same bounds.
pub fn bounds(count: usize, mut statistic: impl FnMut(&[usize]) -> f64) -> [f64; 2] {
    if count < 2 {
        return [f64::NAN; 2];
    }
    let resamples = (BUDGET / count).clamp(LEAST, MOST);
    let stream = Stream::new(0, Purpose::Resampling);
    let mut chosen = vec![0; count];
    let mut found: Vec<f64> = Vec::with_capacity(resamples);
    for resample in 0..resamples {
        for (i, item) in chosen.iter_mut().enumerate() {
            let word = stream.word(resample as u64, i as u64);
            *item = ((u128::from(word) * count as u128) >> 64) as usize;
        }
        found.push(statistic(&chosen));
    }
    found.retain(|value| value.is_finite());
    found.sort_by(f64::total_cmp);
    [TAIL, 1.0 - TAIL].map(|share| quantile_of_sorted(&found, share))
}
