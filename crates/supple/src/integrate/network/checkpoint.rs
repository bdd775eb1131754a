//! All numbers of a network, to be kept and taken back.

use super::super::brakes::Grip;
use super::super::request::Request;
use super::{Network, Pending};
use crate::model::ClosureHandle;
use std::collections::VecDeque;

impl Network {
    /// All numbers, those of the blocks included.
    pub fn save(&self) -> Vec<f64> {
        let mut out = vec![self.start];
        for (i, block) in self.blocks.iter().enumerate() {
            out.push(self.next[i] as f64);
            out.extend(self.held[i].iter().chain(&self.written[i]));
            out.push(self.pending[i].len() as f64);
            for pending in &self.pending[i] {
                out.push(pending.instant as f64);
                out.extend(&pending.outputs);
                out.push(pending.requests.len() as f64);
                out.extend(pending.requests.iter().flat_map(|request| request.save()));
            }
            let own = block.law.save();
            out.push(own.len() as f64);
            out.extend(own);
        }
        out.extend(self.brakes.iter().flat_map(|own| own.grip.save()));
        out
    }

    /// Takes back what [`save`](Self::save) gave; false where the numbers cannot be those of these blocks, of which some may have taken theirs.
    pub fn load(&mut self, from: &[f64]) -> bool {
        let mut numbers = Numbers(from);
        let Some(start) = numbers.one() else { return false };
        let mut read = Vec::new();
        for block in &self.blocks {
            let Some(part) = Part::read(&mut numbers, block.outputs, &self.closures) else { return false };
            read.push(part);
        }
        let mut grips = Vec::new();
        for _ in &self.brakes {
            let Some(grip) = numbers.list(2).and_then(|list| Grip::load(&list)) else { return false };
            grips.push(grip);
        }
        if !numbers.0.is_empty() {
            return false;
        }
        self.start = start;
        self.brakes.iter_mut().zip(grips).for_each(|(own, grip)| own.grip = grip);
        for (i, part) in read.into_iter().enumerate() {
            if !self.blocks[i].law.load(&part.own) {
                return false;
            }
            (self.next[i], self.held[i], self.written[i]) = (part.next, part.held, part.written);
            self.pending[i] = part.pending;
        }
        true
    }
}

/// Numbers of one block in a checkpoint.
struct Part {
    next: u64,
    held: Vec<f64>,
    written: Vec<f64>,
    pending: VecDeque<Pending>,
    own: Vec<f64>,
}

impl Part {
    fn read(numbers: &mut Numbers<'_>, outputs: usize, closures: &[ClosureHandle]) -> Option<Self> {
        let next = numbers.whole()?;
        let (held, written) = (numbers.list(outputs)?, numbers.list(outputs)?);
        let mut pending = VecDeque::new();
        for _ in 0..numbers.whole()? {
            let (instant, outputs) = (numbers.whole()?, numbers.list(outputs)?);
            let mut requests = Vec::new();
            for _ in 0..numbers.whole()? {
                requests.push(Request::load([numbers.one()?, numbers.one()?, numbers.one()?], closures)?);
            }
            pending.push_back(Pending { instant, outputs, requests });
        }
        let count = usize::try_from(numbers.whole()?).ok()?;
        Some(Self { next, held, written, pending, own: numbers.list(count)? })
    }
}

/// Numbers still to be read.
struct Numbers<'a>(&'a [f64]);

impl Numbers<'_> {
    fn one(&mut self) -> Option<f64> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn whole(&mut self) -> Option<u64> {
        self.one().filter(|x| x.fract() == 0.0 && (0.0..=9e15).contains(x)).map(|x| x as u64)
    }

    fn list(&mut self, count: usize) -> Option<Vec<f64>> {
        let (list, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(list.to_vec())
    }
}
