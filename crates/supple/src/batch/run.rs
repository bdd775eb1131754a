//! Instances handed out to threads and lanes.
//!
//! Threads take the next block of instances until none is left, in groups of `W` lanes. Every lane has the bits of its scalar run, so neither
//! the number of threads nor the grouping shows in a result. Where a group fails, each of its instances runs again alone: neighbours of
//! an instance at fault keep their results, and the error is that of the scalar run.

use super::error::{BatchError, InstanceError};
use super::memory::Memory;
use super::pool::Pool;
use super::verb::Verb;
use crate::model::Model;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use supple_spatial::Lanes;

/// Groups of lanes that a thread takes at once, where all share one model.
const GROUPS_PER_BLOCK: usize = 4;

/// Memory of one group of lanes, and of an instance that runs alone.
#[derive(Debug)]
pub(super) struct Group<const W: usize> {
    pub together: Memory<Lanes<f64, W>>,
    /// Where all instances share one model.
    pub alone: Option<Memory<Lanes<f64, 1>>>,
}

/// How the rows of a call go into a memory and come out of it. `Rows` are the rows of a block that the call writes.
pub(super) trait Exchange: Sync {
    /// Rows of a block of instances.
    type Rows: Send;
    /// Inputs of the instances `from` into the lanes; their rows start at instance `block` in `rows`.
    fn load<const W: usize>(
        &self,
        rows: &Self::Rows,
        block: usize,
        from: Range<usize>,
        memory: &mut Memory<Lanes<f64, W>>,
    );
    /// Result of a lane into row `row` of `rows`.
    fn store<const W: usize>(&self, memory: &Memory<Lanes<f64, W>>, lane: usize, rows: &mut Self::Rows, row: usize);
    /// What is left in row `row` of `rows` of an instance without a result.
    fn spoil(&self, rows: &mut Self::Rows, row: usize);
}

/// Models of the instances.
#[derive(Debug)]
pub(super) enum Models {
    Shared(Model),
    Own(Vec<Model>),
}

impl Models {
    /// The model of an instance.
    pub fn of(&self, instance: usize) -> &Model {
        match self {
            Self::Shared(model) => model,
            Self::Own(models) => &models[instance],
        }
    }
}

/// The memory of a batch.
#[derive(Debug)]
pub(super) struct Groups<const W: usize> {
    pub models: Models,
    /// One per thread where all instances share one model; else one per `W` instances, since a workspace holds constants of its model.
    pub list: Vec<Mutex<Group<W>>>,
}

impl<const W: usize> Groups<W> {
    /// Instances per block.
    pub fn block(&self) -> usize {
        match self.models {
            Models::Shared(_) => W * GROUPS_PER_BLOCK,
            Models::Own(_) => W,
        }
    }

    /// Runs `verb` on `instances` whose rows come in `blocks`.
    pub fn run<V: Verb, E: Exchange>(
        &mut self,
        pool: &mut Pool,
        instances: usize,
        verb: &V,
        exchange: &E,
        blocks: impl Iterator<Item = E::Rows> + Send,
    ) -> Result<(), BatchError> {
        for group in &mut self.list {
            let group = group.get_mut().unwrap_or_else(PoisonError::into_inner);
            verb.prepare(&mut group.together);
            if let Some(alone) = &mut group.alone {
                verb.prepare(alone);
            }
        }
        let failures = Mutex::new(Vec::new());
        let blocks = Mutex::new(blocks.enumerate());
        let next = || blocks.lock().unwrap_or_else(PoisonError::into_inner).next();
        let (this, length) = (&*self, self.block());
        pool.run(&|thread| {
            while let Some((block, mut rows)) = next() {
                let at = match this.models {
                    Models::Shared(_) => thread,
                    Models::Own(_) => block,
                };
                let mut group = this.list[at].lock().unwrap_or_else(PoisonError::into_inner);
                let block = block * length..instances.min((block + 1) * length);
                let failed = this.run_block(&mut group, verb, exchange, block, &mut rows);
                if !failed.is_empty() {
                    failures.lock().unwrap_or_else(PoisonError::into_inner).extend(failed);
                }
            }
        });
        let mut failures = failures.into_inner().unwrap_or_else(PoisonError::into_inner);
        failures.sort_by_key(|failure: &InstanceError| failure.instance);
        if failures.is_empty() { Ok(()) } else { Err(BatchError::Instances(failures)) }
    }

    /// All groups of a block, and the failures among its instances.
    fn run_block<V: Verb, E: Exchange>(
        &self,
        group: &mut Group<W>,
        verb: &V,
        exchange: &E,
        block: Range<usize>,
        rows: &mut E::Rows,
    ) -> Vec<InstanceError> {
        let mut failed = Vec::new();
        for first in block.clone().step_by(W) {
            let members = first..block.end.min(first + W);
            exchange.load(rows, block.start, members.clone(), &mut group.together);
            if verb.run(&mut group.together).is_ok() {
                for (lane, instance) in members.enumerate() {
                    exchange.store(&group.together, lane, rows, instance - block.start);
                }
                continue;
            }
            for instance in members {
                let mut own = None;
                let alone = match &mut group.alone {
                    Some(alone) => alone,
                    None => own.insert(Memory::new(self.models.of(instance).cast())),
                };
                verb.prepare(alone);
                exchange.load(rows, block.start, instance..instance + 1, alone);
                match verb.run(alone) {
                    Ok(()) => exchange.store(alone, 0, rows, instance - block.start),
                    Err(error) => {
                        exchange.spoil(rows, instance - block.start);
                        failed.push(InstanceError { instance, error });
                    }
                }
            }
        }
        failed
    }
}
