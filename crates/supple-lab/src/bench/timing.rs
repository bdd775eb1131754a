//! How long a call takes: batches of calls, their least and their median mean.

use super::clock::{InstructionCounter, now_ns};
use supple::DynamicsError;

/// How long it is measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// Number of batches.
    pub batches: usize,
    /// Least length of a batch, in nanoseconds.
    pub batch_ns: f64,
}

/// Cost of one call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// Nanoseconds in the best batch.
    pub least_ns: f64,
    /// Nanoseconds in the middle batch: far above the best on a machine that has other things to do.
    pub median_ns: f64,
    /// Instructions in user space, where they can be counted.
    pub instructions: Option<f64>,
}

impl Timing {
    /// The cost of one of `instances` that a call treats at once.
    pub fn per_instance(self, instances: usize) -> Self {
        let n = instances as f64;
        Self {
            least_ns: self.least_ns / n,
            median_ns: self.median_ns / n,
            instructions: self.instructions.map(|count| count / n),
        }
    }
}

/// Times `call(0)`, `call(1)`, …
pub fn time(
    effort: Effort,
    counter: Option<&mut InstructionCounter>,
    mut call: impl FnMut(usize) -> Result<(), DynamicsError>,
) -> Result<Timing, DynamicsError> {
    let mut next = 0;
    let mut batch = |calls: usize| -> Result<f64, DynamicsError> {
        let start = now_ns();
        for _ in 0..calls {
            call(next)?;
            next = next.wrapping_add(1);
        }
        Ok(now_ns() - start)
    };
    // Warms up, and finds how many calls a batch has.
    let mut calls = 1;
    loop {
        let took = batch(calls)?;
        if took > effort.batch_ns {
            break;
        }
        let short = took < 0.1 * effort.batch_ns;
        calls = if short { calls * 4 } else { (calls as f64 * 1.3 * effort.batch_ns / took) as usize + 1 };
    }
    let mut means = Vec::with_capacity(effort.batches.max(1));
    for _ in 0..effort.batches.max(1) {
        means.push(batch(calls)? / calls as f64);
    }
    means.sort_by(f64::total_cmp);
    let counted = counter.and_then(|counter| {
        let mut outcome = Ok(0.0);
        let count = counter.count(|| outcome = batch(calls)).ok()?;
        outcome.is_ok().then_some(count as f64 / calls as f64)
    });
    Ok(Timing { least_ns: means[0], median_ns: means[means.len() / 2], instructions: counted })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every call gets the next number, and a thousand times the work takes longer.
    #[test]
    fn calls_come_in_turn() {
        let effort = Effort { batches: 3, batch_ns: 2e4 };
        let cost = |work: usize| {
            let mut expected = 0;
            let timing = time(effort, None, |i| {
                assert_eq!(i, expected);
                expected += 1;
                (0..work).for_each(|k| assert!(std::hint::black_box(k) < work));
                Ok(())
            });
            timing.unwrap()
        };
        let (little, much) = (cost(10), cost(10_000));
        assert!(little.least_ns <= little.median_ns && little.median_ns < much.least_ns, "{little:?} {much:?}");
    }

    #[test]
    fn a_call_that_fails_ends_it() {
        let effort = Effort { batches: 3, batch_ns: 1e3 };
        let failed = time(effort, None, |i| if i == 2 { Err(DynamicsError::WrongModel) } else { Ok(()) });
        assert_eq!(failed, Err(DynamicsError::WrongModel));
    }
}
