//! The step taken last, to be read within and to be taken again.

/// Where the last step began, and the rates at both its ends.
#[derive(Clone, Debug)]
pub(super) struct LastStep {
    pub from: f64,
    pub h: f64,
    /// Whether there is one.
    pub taken: bool,
    /// The state at its start, and the rates there.
    pub y: Vec<f64>,
    pub rates: Vec<f64>,
    /// Rates at its end, where they are known.
    end_rates: Vec<f64>,
    ended: bool,
}

impl LastStep {
    pub fn new(from: f64, n: usize) -> Self {
        let zeros = || vec![0.0; n];
        Self { from, h: 0.0, taken: false, y: zeros(), rates: zeros(), end_rates: zeros(), ended: false }
    }

    /// No step has been taken yet at `time`.
    pub fn forget(&mut self, time: f64) {
        (self.from, self.taken) = (time, false);
    }

    /// A step of `h` from `from` is kept, with the rates at its start; takes the state there and leaves another buffer for it.
    pub fn keep(&mut self, from: f64, h: f64, y: &mut Vec<f64>, rates: &[f64]) {
        (self.from, self.h, self.taken, self.ended) = (from, h, true, false);
        std::mem::swap(&mut self.y, y);
        self.rates.copy_from_slice(rates);
    }

    /// Whether the rates at its end are missing.
    pub fn needs_end(&self) -> bool {
        self.taken && !self.ended
    }

    pub fn set_end(&mut self, rates: &[f64]) {
        self.end_rates.copy_from_slice(rates);
        self.ended = true;
    }

    /// The state at the place `x`, from 0 to 1, of a step to `end`: the cubic through states and rates at both ends, with a local error of
    /// `h⁴`, and where there is one a quartic term more.
    pub fn at(&self, x: f64, end: &[f64], quartic: Option<&[f64]>, out: &mut [f64]) {
        for i in 0..out.len() {
            let change = end[i] - self.y[i];
            let start = self.h * self.rates[i] - change;
            let last = change - self.h * self.end_rates[i] - start;
            let quartic = quartic.map_or(0.0, |term| term[i]);
            out[i] = self.y[i] + x * (change + (1.0 - x) * (start + x * (last + (1.0 - x) * quartic)));
        }
    }
}
