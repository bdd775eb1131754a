//! Random numbers by counting: Philox4x64 with ten rounds, a function of a counter and a key without any state.
//!
//! J. K. Salmon, M. A. Moraes, R. O. Dror and D. E. Shaw, Parallel random numbers: as easy as 1, 2, 3, SC11 (2011). NumPy has the same as
//! `numpy.random.Philox`.

const MULTIPLIERS: [u64; 2] = [0xD2E7_470E_E14C_6C93, 0xCA5A_8263_9512_1157];
const WEYL: [u64; 2] = [0x9E37_79B9_7F4A_7C15, 0xBB67_AE85_84CA_A73B];
const ROUNDS: usize = 10;

/// Four random words of a counter.
fn philox(mut counter: [u64; 4], mut key: [u64; 2]) -> [u64; 4] {
    for round in 0..ROUNDS {
        if round > 0 {
            key = [key[0].wrapping_add(WEYL[0]), key[1].wrapping_add(WEYL[1])];
        }
        let product = |i: usize| u128::from(MULTIPLIERS[i]) * u128::from(counter[2 * i]);
        let halves = |product: u128| ((product >> 64) as u64, product as u64);
        let ((high_0, low_0), (high_1, low_1)) = (halves(product(0)), halves(product(1)));
        counter = [high_1 ^ counter[1] ^ key[0], low_1, high_0 ^ counter[3] ^ key[1], low_0];
    }
    counter
}

/// What random numbers are for: those of different purposes are independent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum Purpose {
    /// Values of a run.
    Value = 1,
    /// Where a value lies in its slice of a Latin hypercube.
    Slice,
    /// Orders of slices and of changes.
    Order,
    /// Shift of Sobol's sequence.
    Shift,
    /// Start and direction of a trajectory.
    Trajectory,
    /// Seeds of sensors.
    Noise,
    /// Choices of resampled statistics.
    Resampling,
}

/// All random numbers of a seed and a purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream {
    key: [u64; 2],
}

impl Stream {
    /// Those of a seed.
    pub fn new(seed: u64, purpose: Purpose) -> Self {
        Self { key: [seed, purpose as u64] }
    }

    /// The random word of two numbers.
    pub fn word(self, first: u64, second: u64) -> u64 {
        self.word_of_three(first, second, 0)
    }

    /// The random word of three numbers.
    pub fn word_of_three(self, first: u64, second: u64, third: u64) -> u64 {
        philox([first, second, third, 0], self.key)[0]
    }

    /// A number above 0 and below 1.
    pub fn uniform(self, first: u64, second: u64) -> f64 {
        open_unit(self.word(first, second))
    }
}

/// A number above 0 and below 1 made of the first 52 bits.
pub fn open_unit(word: u64) -> f64 {
    ((word >> 12) as f64 + 0.5) * 2.0_f64.powi(-52)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `numpy.random.Philox(key=…, counter=… - 1).random_raw(4)` of NumPy 2.4.6, which counts before it computes.
    #[test]
    fn words_are_those_of_numpy() {
        let zero = [0x16554d9eca36314c, 0xdb20fe9d672d0fdc, 0xd7e772cee186176b, 0x7e68b68aec7ba23b];
        assert_eq!(philox([0; 4], [0; 2]), zero);
        let other = [0xa39b5519339fe354, 0xaceb1228efc25196, 0xa0a2e3c25aa5f4fc, 0x08d0cfa9332720df];
        assert_eq!(philox([1, 2, 3, 4], [5, 6]), other);
    }

    #[test]
    fn the_unit_interval_is_open() {
        assert!(open_unit(0) > 0.0 && open_unit(u64::MAX) < 1.0);
    }
}
