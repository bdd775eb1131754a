//! The largest ratio of error to tolerance of every quantity over many systems.

/// Ratios by name, with the seed of the system that had the largest.
#[derive(Clone, Debug, Default)]
pub struct Worst {
    entries: Vec<Entry>,
}

#[derive(Clone, Debug)]
struct Entry {
    what: String,
    ratio: f64,
    seed: u64,
    count: usize,
}

impl Worst {
    /// Nothing recorded.
    pub fn new() -> Self {
        Self::default()
    }

    /// Records an error beside what is allowed; an error that is not a number counts as infinite.
    pub fn record(&mut self, what: &str, seed: u64, error: f64, allowed: f64) {
        let ratio = error / allowed;
        let ratio = if ratio.is_nan() { f64::INFINITY } else { ratio };
        if ratio > 1.0 {
            println!("seed {seed}: {what} is off by {error:.3e}, allowed {allowed:.3e}");
        }
        match self.entries.iter_mut().find(|entry| entry.what == what) {
            Some(entry) => {
                entry.count += 1;
                if ratio > entry.ratio {
                    (entry.ratio, entry.seed) = (ratio, seed);
                }
            }
            None => self.entries.push(Entry { what: what.into(), ratio, seed, count: 1 }),
        }
    }

    /// Prints the table and asserts that no ratio exceeds one.
    ///
    /// # Panics
    /// Where one does, or where nothing was recorded.
    #[track_caller]
    pub fn assert_within(&self) {
        for Entry { what, ratio, seed, count } in &self.entries {
            println!("{what:<44} {ratio:.2e} of the tolerance at most (seed {seed}, {count} checks)");
        }
        assert!(!self.entries.is_empty(), "nothing was compared");
        let bad: Vec<_> = self.entries.iter().filter(|e| e.ratio > 1.0).collect();
        assert!(bad.is_empty(), "beyond the tolerance: {bad:?}");
    }
}

#[cfg(test)]
mod tests {
    use super::Worst;

    #[test]
    fn keeps_the_largest_ratio() {
        let mut worst = Worst::new();
        worst.record("x", 1, 1e-12, 1e-10);
        worst.record("x", 2, 1e-11, 1e-10);
        worst.record("x", 3, 0.0, 1e-10);
        worst.assert_within();
        assert!((worst.entries[0].ratio - 0.1).abs() < 1e-15 && worst.entries[0].seed == 2);
    }

    #[test]
    #[should_panic(expected = "beyond the tolerance")]
    fn refuses_what_is_not_a_number() {
        let mut worst = Worst::new();
        worst.record("x", 1, f64::NAN, 1e-10);
        worst.assert_within();
    }
}
