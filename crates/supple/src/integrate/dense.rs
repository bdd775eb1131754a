//! The state within the last step.
//!
//! | scheme         | extension                                                             | local error |
//! |----------------|-----------------------------------------------------------------------|-------------|
//! | Dormand-Prince | the quartic of Hairer, Nørsett and Wanner, II.6, from all seven rates | `h⁵`        |
//! | all others     | the cubic through states and rates at both ends                       | `h⁴`        |

use super::scheme::Scheme;

/// Weights of the rates in the quartic term of Dormand-Prince.
const QUARTIC: [f64; 7] = [
    -12715105075.0 / 11282082432.0,
    0.0,
    87487479700.0 / 32700410799.0,
    -10690763975.0 / 1880347072.0,
    701980252875.0 / 199316789632.0,
    -1453857185.0 / 822651844.0,
    69997945.0 / 29380423.0,
];

/// The last step, to be read within and to be taken again.
#[derive(Clone, Debug)]
pub(super) struct Dense {
    quartic: bool,
    from: f64,
    h: f64,
    taken: bool,
    has_end: bool,
    y: Vec<f64>,
    start_rates: Vec<f64>,
    end_rates: Vec<f64>,
    term: Vec<f64>,
    algorithmic: Vec<f64>,
}

impl Dense {
    pub fn new(scheme: Scheme, from: f64, n: usize) -> Self {
        let quartic = scheme == Scheme::DormandPrince;
        let zeros = || vec![0.0; n];
        Self {
            quartic,
            from,
            h: 0.0,
            taken: false,
            has_end: false,
            y: zeros(),
            start_rates: zeros(),
            end_rates: zeros(),
            term: if quartic { zeros() } else { Vec::new() },
            algorithmic: if let Scheme::GeneralizedAlpha { .. } = scheme { zeros() } else { Vec::new() },
        }
    }

    /// Start of the last step.
    pub fn from(&self) -> f64 {
        self.from
    }

    /// State at the start of the last step.
    pub fn start(&self) -> &[f64] {
        &self.y
    }

    /// Size of the last step.
    pub fn step(&self) -> f64 {
        self.h
    }

    /// No step has been taken yet at `time`.
    pub fn forget(&mut self, time: f64) {
        (self.from, self.taken) = (time, false);
    }

    /// A step of `h` from `from` begins to be kept, with its rates.
    pub fn begin(&mut self, from: f64, h: f64, rates: &[f64], algorithmic: &[f64]) {
        let n = self.y.len();
        (self.from, self.h, self.taken, self.has_end) = (from, h, true, false);
        self.start_rates.copy_from_slice(&rates[..n]);
        self.algorithmic.copy_from_slice(algorithmic);
        for (i, term) in self.term.iter_mut().enumerate() {
            let sum: f64 = QUARTIC.iter().enumerate().map(|(s, d)| d * rates[s * n + i]).sum();
            *term = h * sum;
        }
    }

    /// Takes the state at the start of the step and leaves another buffer for it.
    pub fn keep_start(&mut self, y: &mut Vec<f64>) {
        std::mem::swap(&mut self.y, y);
    }

    /// Gives back what held at the start of the step.
    pub fn restore(&mut self, y: &mut [f64], rates: &mut [f64], algorithmic: &mut [f64]) {
        y.copy_from_slice(&self.y);
        rates.copy_from_slice(&self.start_rates);
        algorithmic.copy_from_slice(&self.algorithmic);
    }

    /// Whether the rates at the end of the step are missing.
    pub fn needs_end(&self) -> bool {
        self.taken && !self.has_end
    }

    pub fn set_end(&mut self, rates: &[f64]) {
        self.end_rates.copy_from_slice(rates);
        self.has_end = true;
    }

    /// The state at `time`, for the step that ends at `to` in `y_end`.
    pub fn at(&self, time: f64, to: f64, y_end: &[f64], out: &mut [f64]) {
        let h = to - self.from;
        let x = (time - self.from) / h;
        for i in 0..out.len() {
            let change = y_end[i] - self.y[i];
            let start = h * self.start_rates[i] - change;
            let end = change - h * self.end_rates[i] - start;
            let quartic = if self.quartic { self.term[i] } else { 0.0 };
            out[i] = self.y[i] + x * (change + (1.0 - x) * (start + x * (end + (1.0 - x) * quartic)));
        }
    }
}
