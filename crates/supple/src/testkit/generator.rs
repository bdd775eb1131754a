//! Deterministic random numbers: xoshiro256** started by splitmix64.

use std::f64::consts::TAU;

/// A generator that gives the same numbers for the same seed on every machine.
#[derive(Clone, Debug)]
pub struct Generator([u64; 4]);

impl Generator {
    /// A generator started from `seed`.
    pub fn new(seed: u64) -> Self {
        let mut state = seed;
        Self(std::array::from_fn(|_| {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = state;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        }))
    }

    /// Sixty-four random bits.
    pub fn bits(&mut self) -> u64 {
        let s = &mut self.0;
        let result = s[1].wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// Uniform between `low` and `high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        let unit = (self.bits() >> 11) as f64 / (1_u64 << 53) as f64;
        low + (high - low) * unit
    }

    /// Uniform in `0..count`.
    pub fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.bits()) * count as u128) >> 64) as usize
    }

    /// True with the given probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.between(0.0, 1.0) < probability
    }

    /// Uniform in decades: `10^x` with `x` between `low` and `high`.
    pub fn decades(&mut self, low: f64, high: f64) -> f64 {
        10.0_f64.powf(self.between(low, high))
    }

    /// `count` numbers uniform between `-size` and `size`.
    pub fn list(&mut self, count: usize, size: f64) -> Vec<f64> {
        (0..count).map(|_| self.between(-size, size)).collect()
    }

    /// Components uniform between `-size` and `size`.
    pub fn vector(&mut self, size: f64) -> [f64; 3] {
        std::array::from_fn(|_| self.between(-size, size))
    }

    /// A direction, uniform on the sphere.
    pub fn direction(&mut self) -> [f64; 3] {
        let (z, angle) = (self.between(-1.0, 1.0), self.between(0.0, TAU));
        let radius = (1.0 - z * z).sqrt();
        [radius * angle.cos(), radius * angle.sin(), z]
    }

    /// A unit quaternion `(x, y, z, w)` near a uniformly distributed one.
    pub fn quaternion(&mut self) -> [f64; 4] {
        let axis = self.direction();
        let (sine, cosine) = self.between(-TAU / 2.0, TAU / 2.0).sin_cos();
        [axis[0] * sine, axis[1] * sine, axis[2] * sine, cosine]
    }

    /// A rotation matrix.
    pub fn rotation(&mut self) -> [[f64; 3]; 3] {
        supple_spatial::Quaternion(self.quaternion()).to_matrix().0
    }
}

#[cfg(test)]
mod tests {
    use super::Generator;

    /// The first outputs for seed 0 of splitmix64 followed by xoshiro256**.
    #[test]
    fn numbers_do_not_change() {
        let mut rng = Generator::new(0);
        assert_eq!(rng.0[0], 0xe220_a839_7b1d_cdaf);
        assert_eq!(rng.bits(), 0x99ec_5f36_cb75_f2b4);
        let mean: f64 = (0..1000).map(|_| rng.between(0.0, 1.0)).sum::<f64>() / 1000.0;
        assert!((mean - 0.5).abs() < 0.03, "{mean}");
    }
}
