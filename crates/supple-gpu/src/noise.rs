//! Random numbers that depend on a seed and a place alone, so that neither the device nor the order of the work shows.

/// Steps of the sequence of seeds: the golden ratio in 64 bits.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The finalizer of SplitMix64.
fn mixed(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The number at a place of the sequence of a seed, from 0 to 1.
pub(crate) fn at(seed: u64, place: u64) -> f64 {
    let z = mixed(seed.wrapping_add(place.wrapping_add(1).wrapping_mul(GOLDEN)));
    (z >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
}

/// The same in CUDA C++.
pub(crate) const TEXT: &str = "\
static __device__ real supple_noise(unsigned long long seed, unsigned long long place)
{
    unsigned long long z = seed + (place + 1) * 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    z = z ^ (z >> 31);
    return (real)((double)(z >> 11) * (1.0 / 9007199254740992.0));
}

";

/// Draws for instances of a study: number `number` of instance `instance` is the same in every batch, order and place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draws {
    /// The seed of the study.
    pub seed: u64,
}

impl Draws {
    /// The seed of an instance.
    pub fn seed_of(&self, instance: usize) -> u64 {
        mixed(self.seed ^ mixed(instance as u64))
    }

    /// Evenly from `low` to `high`.
    pub fn uniform(&self, instance: usize, number: usize, [low, high]: [f64; 2]) -> f64 {
        // Places from 2^63 on: those before are for noise while the instance runs.
        low + (high - low) * at(self.seed_of(instance), (1 << 63) + number as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_even_and_differ() {
        let draws = Draws { seed: 5 };
        let list: Vec<f64> = (0..20_000).map(|i| draws.uniform(i, i % 3, [-1.0, 3.0])).collect();
        let mean = list.iter().sum::<f64>() / list.len() as f64;
        let square = list.iter().map(|x| (x - 1.0).powi(2)).sum::<f64>() / list.len() as f64;
        assert!((mean - 1.0).abs() < 0.03 && (square - 16.0 / 12.0).abs() < 0.03, "{mean} {square}");
        assert!(list.iter().all(|x| (-1.0..3.0).contains(x)));
        assert_ne!(draws.seed_of(1), draws.seed_of(2));
        assert_ne!(at(1, 2), at(2, 1));
    }
}
