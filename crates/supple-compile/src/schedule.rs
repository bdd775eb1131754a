//! The order in which operations are done, and how long programs are cut into functions of bounded size.

use crate::program::{Program, operands, renumbered};
use std::ops::Range;
use supple::spatial::scalar::traced::{Condition, Operation};

impl Program {
    /// The same program with every operation as late as the first that needs it allows: numbers live short, so that they stay in
    /// registers.
    #[must_use]
    pub fn scheduled(&self) -> Self {
        let count = self.operations.len();
        let mut place = vec![u32::MAX; count];
        let mut operations = Vec::with_capacity(count);
        // Depth first from the results: what an operation needs comes right before it.
        let ends = self.results.iter().copied().chain(self.conditions.iter().map(|c| c.operation));
        let mut stack: Vec<(u32, bool)> = Vec::new();
        for end in ends {
            stack.push((end, false));
            while let Some((at, ready)) = stack.pop() {
                if place[at as usize] != u32::MAX {
                    continue;
                }
                let operation = &self.operations[at as usize];
                if ready {
                    place[at as usize] = operations.len() as u32;
                    operations.push(renumbered(operation, |a| place[a as usize]));
                } else {
                    stack.push((at, true));
                    stack.extend(operands(operation).filter(|a| place[*a as usize] == u32::MAX).map(|a| (a, false)));
                }
            }
        }
        let condition = |c: &Condition| Condition { operation: place[c.operation as usize], held: c.held };
        Self {
            operations,
            results: self.results.iter().map(|at| place[*at as usize]).collect(),
            conditions: self.conditions.iter().map(condition).collect(),
            ..self.clone()
        }
    }
}

/// A program cut into parts of at most so many operations, which hand numbers on through an array.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    /// Operations of each part.
    pub ranges: Vec<Range<usize>>,
    /// Per operation: its place in the array, where a later part or the end needs it.
    pub slots: Vec<Option<u32>>,
    /// Length of the array.
    pub size: usize,
}

impl Parts {
    /// Cuts a program; constants and inputs need no place, every part has them. One part needs no array.
    pub fn new(program: &Program, most: usize) -> Self {
        let count = program.operations.len();
        let ranges: Vec<_> = (0..count).step_by(most.max(1)).map(|i| i..(i + most).min(count)).collect();
        if ranges.len() == 1 {
            return Self { ranges, slots: vec![None; count], size: 0 };
        }
        let part = |at: usize| at / most.max(1);
        // Per operation: the last part that reads it. Results and conditions are read by the part that makes them.
        let mut last = (0..count).map(part).collect::<Vec<_>>();
        for (at, operation) in program.operations.iter().enumerate() {
            for a in operands(operation) {
                last[a as usize] = last[a as usize].max(part(at));
            }
        }
        let mut slots = vec![None; count];
        let (mut free, mut size) = (Vec::new(), 0);
        // Places that become free after a part.
        let mut until: Vec<Vec<u32>> = vec![Vec::new(); ranges.len()];
        for (index, range) in ranges.iter().enumerate() {
            for at in range.clone() {
                let everywhere = matches!(program.operations[at], Operation::Input(_) | Operation::Constant(_));
                if everywhere || last[at] == index {
                    continue;
                }
                let slot = free.pop().unwrap_or_else(|| {
                    size += 1;
                    size - 1
                });
                slots[at] = Some(slot);
                until[last[at]].push(slot);
            }
            free.append(&mut until[index]);
        }
        Self { ranges, slots, size: size as usize }
    }
}
