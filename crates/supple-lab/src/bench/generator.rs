//! Random numbers that are the same on every machine: splitmix64.

/// A generator with a seed.
#[derive(Clone, Debug)]
pub struct Generator(u64);

impl Generator {
    /// Started from `seed`.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform between `low` and `high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Three numbers between `-size` and `size`.
    pub fn vector(&mut self, size: f64) -> [f64; 3] {
        std::array::from_fn(|_| self.between(-size, size))
    }

    /// A unit quaternion in a random direction.
    pub fn quaternion(&mut self) -> [f64; 4] {
        loop {
            let q: [f64; 4] = std::array::from_fn(|_| self.between(-1.0, 1.0));
            let square: f64 = q.iter().map(|x| x * x).sum();
            // Inside the ball, and not so near its centre that rounding shows.
            if (0.01..=1.0).contains(&square) {
                return q.map(|x| x / square.sqrt());
            }
        }
    }
}
