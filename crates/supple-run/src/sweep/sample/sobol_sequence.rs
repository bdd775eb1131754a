//! Sobol's sequence: points that fill a cube evenly, in the order of Gray's code, with a random shift of the digits.
//!
//! I. M. Sobol', USSR Comput. Math. Math. Phys. 7 (1967) 86-112; I. A. Antonov and V. M. Saleev, 19 (1979) 252-256; random shifts:
//! A. B. Owen, Randomly permuted (t,m,s)-nets, 1995.

use super::philox::{Stream, open_unit};
use super::sobol_table::POLYNOMIALS;

/// Bits of a point.
const BITS: usize = 32;

/// The directions of one dimension, bit by bit from the first of the fraction.
fn directions(dimension: usize) -> [u32; BITS] {
    let mut directions = [0; BITS];
    let Some((polynomial, first)) = dimension.checked_sub(1).and_then(|row| POLYNOMIALS.get(row)) else {
        directions.iter_mut().enumerate().for_each(|(i, v)| *v = 1 << (BITS - 1 - i));
        return directions;
    };
    let degree = first.len();
    for i in 0..BITS {
        directions[i] = match first.get(i) {
            Some(m) => m << (BITS - 1 - i),
            None => {
                let earlier = directions[i - degree];
                let mut v = earlier ^ (earlier >> degree);
                for k in 1..degree {
                    if polynomial >> (degree - k) & 1 == 1 {
                        v ^= directions[i - k];
                    }
                }
                v
            }
        };
    }
    directions
}

/// The sequence in so many dimensions.
#[derive(Clone, Debug)]
pub struct SobolSequence {
    directions: Vec<[u32; BITS]>,
}

impl SobolSequence {
    /// At most 64 dimensions have their own directions.
    pub fn new(dimensions: usize) -> Self {
        Self { directions: (0..dimensions).map(directions).collect() }
    }

    /// Bits of a point in one dimension.
    fn bits(&self, point: u64, dimension: usize) -> u32 {
        let gray = point ^ (point >> 1);
        let set = (0..BITS).filter(|i| gray >> i & 1 == 1);
        set.fold(0, |bits, i| bits ^ self.directions[dimension][i])
    }

    /// A coordinate of a point, above 0 and below 1, shifted at random.
    pub fn coordinate(&self, point: u64, dimension: usize, shift: Stream) -> f64 {
        let bits = u64::from(self.bits(point, dimension)) << (64 - BITS);
        open_unit(bits ^ shift.word(dimension as u64, 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::sample::Purpose;

    /// `scipy.stats.qmc.Sobol(64, scramble=False, bits=32).random(16)` of SciPy 1.17.1: points 1, 5 and 13.
    #[test]
    fn points_are_those_of_scipy() {
        let sequence = SobolSequence::new(64);
        let dimensions = [0, 1, 2, 7, 30, 63];
        for (point, expected) in [
            (1, [0.5, 0.5, 0.5, 0.5, 0.5, 0.5]),
            (5, [0.875, 0.875, 0.125, 0.375, 0.875, 0.625]),
            (13, [0.8125, 0.6875, 0.8125, 0.5625, 0.5625, 0.0625]),
        ] {
            let found = dimensions.map(|d| f64::from(sequence.bits(point, d)) * 2.0_f64.powi(-32));
            assert_eq!(found, expected, "point {point}");
        }
    }

    /// Of 2^m points, every one of 2^m slices holds one, whatever the shift.
    #[test]
    fn slices_are_filled() {
        let (sequence, shift) = (SobolSequence::new(64), Stream::new(5, Purpose::Shift));
        for dimension in 0..64 {
            let mut slices: Vec<u64> =
                (0..64).map(|point| (sequence.coordinate(point, dimension, shift) * 64.0) as u64).collect();
            slices.sort_unstable();
            assert_eq!(slices, (0..64).collect::<Vec<_>>(), "dimension {dimension}");
        }
    }
}
