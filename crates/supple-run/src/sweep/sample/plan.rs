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
        let length = |law: &Law| if let Law::List { items, .. } = law { items.len() as u64 } else { 1 };
        let of_dimension = |d| study.varied.iter().find(|v| v.dimension == d).map_or(1, |v| length(&v.law));
        let lengths = (0..study.dimensions).map(of_dimension).collect();
        Self { lengths, ..Self::of(study.sampling, study.samples.unwrap_or(1), study.dimensions, study.seed) }
    }

    /// That of a sampling of distributions.
    pub fn of(sampling: Sampling, samples: u64, dimensions: usize, seed: u64) -> Self {
        let in_sequence = match sampling {
            Sampling::SobolSequence => dimensions,
            Sampling::SobolIndices => 2 * dimensions,
            _ => 0,
        };
        Self {
            sampling,
            samples,
            dimensions,
            seed,
            lengths: vec![1; dimensions],
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

#[cfg(test)]
mod tests {
    use super::*;

    fn positions(plan: &Plan, dimension: usize) -> Vec<f64> {
        (0..plan.runs()).map(|run| plan.position(run, dimension).unwrap()).collect()
    }

    #[test]
    fn each_slice_of_a_hypercube_is_met_once() {
        let plan = Plan::of(Sampling::LatinHypercube, 1000, 3, 4);
        for d in 0..3 {
            let mut slices: Vec<u64> = positions(&plan, d).iter().map(|u| (u * 1000.0) as u64).collect();
            slices.sort_unstable();
            assert_eq!(slices, (0..1000).collect::<Vec<_>>());
        }
        // Values of a run have nothing to do with each other: five standard errors.
        let (x, y) = (positions(&plan, 0), positions(&plan, 1));
        let product: f64 = x.iter().zip(&y).map(|(x, y)| (x - 0.5) * (y - 0.5)).sum::<f64>() / 1000.0;
        assert!(product.abs() < 5.0 / 12.0 / 1000.0_f64.sqrt(), "{product}");
    }

    /// Each trajectory changes every value once, by a half of its range, and stays on its levels.
    #[test]
    fn trajectories_change_one_value_after_the_other() {
        let plan = Plan::of(Sampling::Morris { levels: 4 }, 50, 5, 2);
        assert_eq!(plan.runs(), 300);
        let point = |run: u64| (0..5).map(|d| plan.position(run, d).unwrap()).collect::<Vec<f64>>();
        let mut first_changes = [0; 5];
        for trajectory in 0..50 {
            let mut changed = Vec::new();
            for step in 0..5 {
                let (from, to) = (point(6 * trajectory + step), point(6 * trajectory + step + 1));
                let moved: Vec<usize> = (0..5).filter(|d| from[*d] != to[*d]).collect();
                assert_eq!(moved.len(), 1);
                assert_eq!((to[moved[0]] - from[moved[0]]).abs(), 0.5);
                assert!(from.iter().all(|u| [0.125, 0.375, 0.625, 0.875].contains(u)));
                changed.push(moved[0]);
            }
            first_changes[changed[0]] += 1;
            changed.sort_unstable();
            assert_eq!(changed, [0, 1, 2, 3, 4]);
        }
        assert!(first_changes.iter().all(|count| *count > 0), "{first_changes:?}");
    }

    #[test]
    fn samples_are_mixed_one_value_at_a_time() {
        let plan = Plan::of(Sampling::SobolIndices, 8, 2, 0);
        assert_eq!(plan.runs(), 32);
        for sample in 0..8 {
            let at = |slot: u64, d: usize| plan.position(4 * sample + slot, d).unwrap();
            assert_eq!([at(1, 0), at(1, 1)], [at(3, 0), at(0, 1)]);
            assert_eq!([at(2, 0), at(2, 1)], [at(0, 0), at(3, 1)]);
            assert!(at(0, 0) != at(3, 0) && at(0, 1) != at(3, 1));
        }
    }

    /// More samples leave the first ones as they are, another seed does not.
    #[test]
    fn samples_can_be_added() {
        for sampling in
            [Sampling::Random, Sampling::SobolSequence, Sampling::Morris { levels: 6 }, Sampling::SobolIndices]
        {
            let first = |samples, seed| {
                let plan = Plan::of(sampling, samples, 3, seed);
                (0..10).map(|run| plan.position(run, 1).unwrap().to_bits()).collect::<Vec<_>>()
            };
            assert_eq!(first(10, 1), first(1000, 1), "{sampling:?}");
            assert_ne!(first(10, 1), first(10, 2), "{sampling:?}");
        }
    }
}
