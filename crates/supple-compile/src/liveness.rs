//! How many numbers of a program are alive at once, and what that costs where they do not fit into registers.

use crate::program::{Program, is_given, operands};
use supple::spatial::scalar::traced::{Operation, Unary};

/// What a program asks of registers. Inputs and constants count where they are used: they are in memory anyway.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pressure {
    /// Most numbers alive at once.
    pub most: usize,
    /// Numbers alive, on average over the operations.
    pub average: f64,
}

impl Program {
    /// Numbers alive at once, in the order of the operations.
    pub fn pressure(&self) -> Pressure {
        let alive = self.alive();
        let average = alive.iter().sum::<usize>() as f64 / alive.len().max(1) as f64;
        Pressure { most: alive.into_iter().max().unwrap_or(0), average }
    }

    /// Per operation: how many numbers are alive after it. What an operation reads for the last time is free for what it makes.
    pub(crate) fn alive(&self) -> Vec<usize> {
        let last = self.last_uses();
        let mut ending = vec![0_usize; self.operations.len()];
        let mut alive = 0;
        let after = |at: usize| {
            if self.is_computed(at) && last[at] > at {
                alive += 1;
                ending[last[at]] += 1;
            }
            alive -= ending[at];
            alive
        };
        (0..self.operations.len()).map(after).collect()
    }

    /// How often a number has to be read back from memory where only so many stay in registers, and the one that is needed last goes first.
    pub fn reloads(&self, registers: usize) -> usize {
        let mut uses: Vec<Vec<usize>> = vec![Vec::new(); self.operations.len()];
        for (at, operation) in self.operations.iter().enumerate() {
            operands(operation).for_each(|a| uses[a as usize].push(at));
        }
        uses.iter_mut().for_each(|list| list.reverse());
        let next = |uses: &[Vec<usize>], at: u32| uses[at as usize].last().copied().unwrap_or(usize::MAX);
        let (mut held, mut inside, mut reloads) = (Vec::<u32>::new(), vec![false; self.operations.len()], 0);
        for (at, operation) in self.operations.iter().enumerate() {
            let mut needed: Vec<u32> = operands(operation).filter(|a| self.is_computed(*a as usize)).collect();
            needed.sort_unstable();
            needed.dedup();
            for a in &needed {
                if !inside[*a as usize] {
                    reloads += 1;
                    inside[*a as usize] = true;
                    held.push(*a);
                }
            }
            operands(operation).for_each(|a| {
                let list = &mut uses[a as usize];
                while list.last().is_some_and(|use_| *use_ <= at) {
                    list.pop();
                }
            });
            held.retain(|a| {
                let stays = !uses[*a as usize].is_empty();
                inside[*a as usize] = stays;
                stays
            });
            if self.is_computed(at) && !uses[at].is_empty() {
                held.push(at as u32);
                inside[at] = true;
            }
            while held.len() > registers {
                let Some(farthest) = (0..held.len()).max_by_key(|i| next(&uses, held[*i])) else { break };
                inside[held.swap_remove(farthest) as usize] = false;
            }
        }
        reloads
    }

    /// Whether an operation gives a number that is not in memory already. Sines and cosines of inputs are there from the start.
    pub(crate) fn is_computed(&self, at: usize) -> bool {
        let stored = is_given(&self.operations[at]);
        !stored && self.angle_of_input(at).is_none()
    }

    /// The input whose sine or cosine an operation gives.
    pub(crate) fn angle_of_input(&self, at: usize) -> Option<u32> {
        let Operation::Unary(Unary::Sine | Unary::Cosine, angle) = self.operations[at] else { return None };
        match self.operations[angle as usize] {
            Operation::Input(i) => Some(i),
            _ => None,
        }
    }

    /// Per operation: the last one that reads it; itself where none does. Results are written where they are made.
    fn last_uses(&self) -> Vec<usize> {
        let mut last: Vec<usize> = (0..self.operations.len()).collect();
        for (at, operation) in self.operations.iter().enumerate() {
            operands(operation).for_each(|a| last[a as usize] = at);
        }
        last
    }
}
