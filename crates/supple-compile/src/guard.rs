//! What has to hold, as outputs: a status for each instance, and the smallest pivot of all that a program divides by.

use crate::program::{Program, Signal};
use supple::spatial::scalar::traced::{Binary, Operation};

impl Program {
    /// The same program with two more outputs.
    ///
    /// | output           | value                                                                                                    |
    /// |------------------|----------------------------------------------------------------------------------------------------------|
    /// | `status`         | 0, or the number of the first condition that does not hold, from 1: the other outputs mean nothing then  |
    /// | `smallest_pivot` | how far the nearest pivot is from zero: a configuration is singular where it is not positive; infinite for programs that divide by none |
    #[must_use]
    pub fn guarded(&self) -> Self {
        let mut program = self.clone();
        let status = program.status();
        let pivot = program.smallest_pivot();
        program.results.extend([status, pivot]);
        program.outputs.extend([Signal::new("status", "1"), Signal::new("smallest_pivot", "SI")]);
        program
    }

    fn push(&mut self, operation: Operation) -> u32 {
        self.operations.push(operation);
        self.operations.len() as u32 - 1
    }

    /// The number of the first condition that does not hold, from 1.
    fn status(&mut self) -> u32 {
        let mut status = self.push(Operation::Constant(0.0));
        for (i, condition) in self.conditions.clone().into_iter().enumerate().rev() {
            let number = self.push(Operation::Constant((i + 1) as f64));
            let (yes, no) = if condition.held { (status, number) } else { (number, status) };
            status = self.push(Operation::Select(condition.operation, yes, no));
        }
        status
    }

    /// The least of what conditions compare with a bound from below.
    fn smallest_pivot(&mut self) -> u32 {
        let mut least = None;
        for (bound, pivot) in self.pivots() {
            let margin = match self.operations[bound as usize] {
                Operation::Constant(0.0) => pivot,
                _ => self.push(Operation::Binary(Binary::Difference, pivot, bound)),
            };
            least = Some(match least {
                None => margin,
                Some(least) => {
                    let less = self.push(Operation::Binary(Binary::Less, margin, least));
                    self.push(Operation::Select(less, margin, least))
                }
            });
        }
        least.unwrap_or_else(|| self.push(Operation::Constant(f64::INFINITY)))
    }

    /// Comparisons `bound < pivot` that conditions ask to hold, each once.
    fn pivots(&self) -> Vec<(u32, u32)> {
        let mut stack: Vec<u32> = self.conditions.iter().filter(|c| c.held).map(|c| c.operation).collect();
        let (mut seen, mut found) = (vec![false; self.operations.len()], Vec::new());
        while let Some(at) = stack.pop() {
            if std::mem::replace(&mut seen[at as usize], true) {
                continue;
            }
            match self.operations[at as usize] {
                Operation::Binary(Binary::And, a, b) => stack.extend([a, b]),
                Operation::Binary(Binary::Less, a, b)
                    if !matches!(self.operations[b as usize], Operation::Constant(_)) =>
                {
                    found.push((a, b));
                }
                _ => {}
            }
        }
        found
    }
}
