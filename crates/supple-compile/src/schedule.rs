//! The order in which operations are done, and how long programs are cut into functions of bounded size.

use crate::order::{sines_first, sunk, tidied};
use crate::program::{Program, is_given, operands, renumbered};
use std::ops::Range;
use supple::spatial::scalar::traced::Condition;

impl Program {
    /// The same program in an order in which numbers live short, so that they stay in registers: see [`pressure`](Self::pressure).
    #[must_use]
    pub fn scheduled(&self) -> Self {
        let sunk = self.ordered(&sunk(self));
        let tidied = sunk.ordered(&tidied(&sunk));
        tidied.ordered(&sines_first(&tidied))
    }

    /// The program with its operations in another order, each after its operands.
    fn ordered(&self, order: &[u32]) -> Self {
        let mut place = vec![0; self.operations.len()];
        let mut operations = Vec::with_capacity(order.len());
        for at in order {
            place[*at as usize] = operations.len() as u32;
            operations.push(renumbered(&self.operations[*at as usize], |a| place[a as usize]));
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
    /// Per operation: the outputs that it gives.
    pub outputs: Vec<Vec<usize>>,
    /// Length of the array.
    pub size: usize,
}

impl Parts {
    /// Cuts a program where few numbers are alive; constants and inputs need no place, every part has them. One part needs no array.
    pub fn new(program: &Program, most: usize) -> Self {
        let count = program.operations.len();
        let ranges = cuts(program, most.max(1));
        let mut outputs = vec![Vec::new(); count];
        program.results.iter().enumerate().for_each(|(i, at)| outputs[*at as usize].push(i));
        if ranges.len() <= 1 {
            return Self { ranges, slots: vec![None; count], outputs, size: 0 };
        }
        let mut part_of = vec![0; count];
        for (index, range) in ranges.iter().enumerate() {
            part_of[range.clone()].fill(index);
        }
        let part = |at: usize| part_of[at];
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
                let everywhere = is_given(&program.operations[at]);
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
        Self { ranges, slots, outputs, size: size as usize }
    }
}

/// Parts of at most so many operations, and of three quarters of them at least, that end where the fewest numbers are alive.
fn cuts(program: &Program, most: usize) -> Vec<Range<usize>> {
    let (count, alive) = (program.operations.len(), program.alive());
    let (mut ranges, mut start) = (Vec::new(), 0);
    while count - start > most {
        let ends = start + most.div_ceil(4) * 3..=start + most;
        let end = ends.min_by_key(|end| (alive[*end - 1], count - *end)).unwrap_or(start + most).max(start + 1);
        ranges.push(start..end);
        start = end;
    }
    if start < count || count == 0 {
        ranges.push(start..count);
    }
    ranges
}
