//! Where in its distribution each value of a run lies, by the number of the run.

use supple_io::study_file::{Item, Law, Sampling, StudyFile};

use super::distribution::quantile;
use super::permutation::permuted;
use super::philox::{Purpose, Stream};
use super::sobol_sequence::SobolSequence;

/// Where a value lies.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    /// At this entry of its list.
    Entry(usize),
    /// At this quantile, above 0 and below 1.
    Quantile(f64),
}

/// The values of every run of a study, none of which is stored.
#[derive(Clone, Debug)]
pub struct Plan {
    sampling: Sampling,
    samples: u64,
    dimensions: usize,
    seed: u64,
    /// Entries of the lists of a grid, by dimension.
    lengths: Vec<u64>,
    sequence: SobolSequence,
}

impl Plan {
    /// That of a study.
    pub fn new(study: &StudyFile) -> Self {
        let dimensions = study.dimensions;
        let length = |law: &Law| if let Law::List { items, .. } = law { items.len() as u64 } else { 1 };
        let of_dimension = |d| study.varied.iter().find(|v| v.dimension == d).map_or(1, |v| length(&v.law));
        let in_sequence = match study.sampling {
            Sampling::SobolSequence => dimensions,
            Sampling::SobolIndices => 2 * dimensions,
            _ => 0,
        };
        Self {
            sampling: study.sampling,
            samples: study.samples.unwrap_or(1),
            dimensions,
            seed: study.seed,
            lengths: (0..dimensions).map(of_dimension).collect(),
            sequence: SobolSequence::new(in_sequence),
        }
    }

    /// How many runs there are.
    pub fn runs(&self) -> u64 {
        let k = self.dimensions as u64;
        match self.sampling {
            Sampling::Grid => self.lengths.iter().product(),
            Sampling::Random | Sampling::LatinHypercube | Sampling::SobolSequence => self.samples,
            Sampling::Morris { .. } => self.samples * (k + 1),
            Sampling::SobolIndices => self.samples * (k + 2),
        }
    }

    /// The quantile of a value in a run, where it has one.
    pub fn position(&self, run: u64, dimension: usize) -> Option<f64> {
        match self.place(run, dimension) {
            Place::Quantile(u) => Some(u),
            Place::Entry(_) => None,
        }
    }

    /// A value of a run.
    pub fn value(&self, run: u64, dimension: usize, law: &Law) -> Item {
        let number = |number: f64| Item { text: format!("{number:?}"), number: Some(number) };
        match (self.place(run, dimension), law) {
            (Place::Entry(entry), Law::List { items, .. }) => items[entry % items.len()].clone(),
            (Place::Quantile(u), Law::List { items, weights: None }) => {
                items[((u * items.len() as f64) as usize).min(items.len() - 1)].clone()
            }
            (Place::Quantile(u), Law::List { items, weights: Some(weights) }) => {
                let mut sum = 0.0;
                let found = weights.iter().position(|weight| {
                    sum += weight;
                    u < sum
                });
                let last = weights.iter().rposition(|weight| *weight > 0.0).unwrap_or(0);
                items[found.unwrap_or(last)].clone()
            }
            (Place::Quantile(u), law) => number(quantile(law, u).unwrap_or(f64::NAN)),
            // A grid has no distributions.
            (Place::Entry(_), law) => number(quantile(law, 0.5).unwrap_or(f64::NAN)),
        }
    }

    fn place(&self, run: u64, dimension: usize) -> Place {
        let (d, k) = (dimension as u64, self.dimensions as u64);
        Place::Quantile(match self.sampling {
            Sampling::Grid => {
                let later: u64 = self.lengths[dimension + 1..].iter().product();
                return Place::Entry((run / later % self.lengths[dimension]) as usize);
            }
            Sampling::Random => self.stream(Purpose::Value).uniform(run, d),
            Sampling::LatinHypercube => {
                let slice = permuted(self.stream(Purpose::Order), d, run, self.samples);
                let within = self.stream(Purpose::Slice).uniform(run, d);
                ((slice as f64 + within) / self.samples as f64).min(1.0 - f64::EPSILON / 2.0)
            }
            Sampling::SobolSequence => self.sequence.coordinate(run, dimension, self.stream(Purpose::Shift)),
            Sampling::Morris { levels } => {
                let (trajectory, step) = (run / (k + 1), run % (k + 1));
                self.level(trajectory, d, step, u64::from(levels))
            }
            Sampling::SobolIndices => {
                // The first sample, the first with one value of the second, one after the other, the second.
                let (sample, slot) = (run / (k + 2), run % (k + 2));
                let of_second = slot == k + 1 || slot == d + 1;
                let coordinate = if of_second { dimension + self.dimensions } else { dimension };
                self.sequence.coordinate(sample, coordinate, self.stream(Purpose::Shift))
            }
        })
    }

    /// Quantile of a value of a trajectory after so many changes: each value changes once, by half of the levels up or down. Levels are the
    /// middles of equal parts, so that distributions without ends have them too.
    fn level(&self, trajectory: u64, d: u64, step: u64, levels: u64) -> f64 {
        let turn = permuted(self.stream(Purpose::Order), trajectory, d, self.dimensions as u64);
        let word = self.stream(Purpose::Trajectory).word(trajectory, d);
        let (low, begins_high) = ((word >> 1) % (levels / 2), word & 1 == 1);
        let is_high = begins_high != (turn < step);
        let level = if is_high { low + levels / 2 } else { low };
        (level as f64 + 0.5) / levels as f64
    }

    fn stream(&self, purpose: Purpose) -> Stream {
        Stream::new(self.seed, purpose)
    }
}
