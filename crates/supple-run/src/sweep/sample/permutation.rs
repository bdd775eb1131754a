//! A random order of `0..count` of which any entry is found without the others: a Feistel network on the bits of the number, repeated until
//! the result is in the range. Networks on few bits reach some orders more often than others, so few entries are shuffled instead.
//!
//! J. Black and P. Rogaway, Ciphers with arbitrary finite domains, CT-RSA 2002.

use super::philox::Stream;

/// Rounds of the network.
const ROUNDS: u64 = 6;
/// Most entries that are shuffled.
const SHUFFLED: u64 = 32;

/// The entry at `place` of the random order that `which` names.
pub fn permuted(stream: Stream, which: u64, place: u64, count: u64) -> u64 {
    if count <= SHUFFLED {
        return shuffled(stream, which, count).get(place as usize).copied().unwrap_or(0);
    }
    let half = (64 - (count - 1).leading_zeros()).div_ceil(2).max(1);
    let mask = (1_u64 << half) - 1;
    let mut x = place;
    loop {
        let (mut left, mut right) = (x >> half, x & mask);
        for round in 0..ROUNDS {
            (left, right) = (right, left ^ (stream.word_of_three(which, right, 1 + round) & mask));
        }
        x = left << half | right;
        // Each number has one successor and one predecessor, so that this comes back to the range.
        if x < count {
            return x;
        }
    }
}

/// All entries of a random order: R. Durstenfeld, Algorithm 235, Commun. ACM 7 (1964) 420.
fn shuffled(stream: Stream, which: u64, count: u64) -> Vec<u64> {
    let mut order: Vec<u64> = (0..count).collect();
    for last in (1..order.len()).rev() {
        let word = stream.word(which, last as u64);
        order.swap(last, ((u128::from(word) * (last as u128 + 1)) >> 64) as usize);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::sample::Purpose;

    #[test]
    fn every_entry_comes_once() {
        let stream = Stream::new(3, Purpose::Order);
        for count in [1, 2, 3, 5, 16, 17, 100, 1000] {
            let mut entries: Vec<u64> = (0..count).map(|place| permuted(stream, 7, place, count)).collect();
            entries.sort_unstable();
            assert_eq!(entries, (0..count).collect::<Vec<_>>());
        }
    }

    /// Each of the 24 orders of four comes about as often: chi-squared with 23 degrees of freedom stays below its quantile of 1 - 1e-6, 73.5.
    #[test]
    fn orders_are_alike() {
        let stream = Stream::new(1, Purpose::Order);
        let mut counts = std::collections::HashMap::new();
        let trials = 24_000;
        for which in 0..trials {
            let order: Vec<u64> = (0..4).map(|place| permuted(stream, which, place, 4)).collect();
            *counts.entry(order).or_insert(0_i32) += 1;
        }
        assert_eq!(counts.len(), 24);
        let statistic: f64 = counts.values().map(|n| f64::from(n - 1000).powi(2) / 1000.0).sum();
        assert!(statistic < 73.5, "{statistic}");
    }
}
