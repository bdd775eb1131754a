//! Sampled blocks at work: which are called when, what is on its way, and all their numbers.

mod checkpoint;

use super::blocks::{Block, BlockError, BlockIndex, Blocks, Measured, Source};
use super::brakes::{Brake, Grip, WorkedBrake};
use super::error::IntegrationError;
use super::request::Request;
use crate::inputs::Inputs;
use crate::model::{ClosureHandle, Model};
use crate::state::State;
use std::collections::VecDeque;

/// Instants nearer than this, relative to time and period, are one.
const SAME: f64 = 1e-12;

/// Outputs and requests of a block on their way.
#[derive(Default)]
struct Pending {
    instant: u64,
    outputs: Vec<f64>,
    requests: Vec<Request>,
}

/// Sampled blocks at work, beside a simulation ([`Simulation::set_blocks`](super::Simulation::set_blocks)) or alone: a controller whose plant is elsewhere, or
/// whoever wants to know how blocks answer to states without a motion that leads there, such as linear analysis.
///
/// After a few instants nothing allocates, unless a block does.
pub struct Network {
    blocks: Vec<Block>,
    /// Blocks in the order in which they are called.
    order: Vec<usize>,
    start: f64,
    /// The next instant of each block.
    next: Vec<u64>,
    /// Outputs that hold, and those that the block wrote last.
    pub(super) held: Vec<Vec<f64>>,
    written: Vec<Vec<f64>>,
    pending: Vec<VecDeque<Pending>>,
    /// Memory of what has arrived, to be used again.
    spare: Vec<Pending>,
    signals: Vec<f64>,
    /// What a block asks for, and what is to be done now.
    asked: Vec<Request>,
    pub(super) due: Vec<Request>,
    /// Which blocks were called in the last [`run`](Self::run).
    called: Vec<bool>,
    /// Speeds at which efforts are limited.
    limits: Vec<(usize, f64)>,
    /// Brakes that blocks work.
    pub(super) brakes: Vec<WorkedBrake>,
    /// The model, and its closures.
    model: Model,
    closures: Vec<ClosureHandle>,
}

impl Network {
    /// Blocks of a model whose instants are counted from `start`, none of which has been called.
    ///
    /// # Errors
    /// [`BlockError`] for times that make no sense, connections to what is not there, and blocks that wait for each other.
    pub fn new(blocks: Blocks, model: &Model, start: f64) -> Result<Self, BlockError> {
        let Blocks { blocks, .. } = blocks;
        for (own, block) in blocks.iter().enumerate() {
            let name = || block.name.clone();
            for (quantity, value) in [("period", block.period), ("phase", block.phase), ("delay", block.delay)] {
                if !value.is_finite() || value < 0.0 || (quantity == "period" && value == 0.0) {
                    return Err(BlockError::BadTime { block: name(), quantity, value });
                }
            }
            for &Source { block: BlockIndex(of), output, .. } in &block.inputs {
                if blocks.get(of).is_none_or(|of| output >= of.outputs) {
                    return Err(BlockError::NoSuchOutput { block: name(), of, output });
                }
            }
            for &(output, speed) in &block.forces {
                if output >= block.outputs {
                    return Err(BlockError::NoSuchOutput { block: name(), of: own, output });
                }
                if speed >= model.speed_count() {
                    return Err(BlockError::NoSuchSpeed { block: name(), speed });
                }
            }
        }
        let order = order(&blocks)?;
        let brakes = brakes(&blocks, model)?;
        let outputs = || blocks.iter().map(|block| vec![0.0; block.outputs]).collect();
        let most = blocks.iter().map(|block| block.inputs.len()).max().unwrap_or(0);
        Ok(Self {
            order,
            start,
            next: vec![0; blocks.len()],
            called: vec![false; blocks.len()],
            limits: Vec::new(),
            brakes,
            held: outputs(),
            written: outputs(),
            pending: blocks.iter().map(|_| VecDeque::new()).collect(),
            spare: Vec::new(),
            signals: Vec::with_capacity(most),
            asked: Vec::new(),
            due: Vec::new(),
            closures: model.closure_handles().collect(),
            model: model.clone(),
            blocks,
        })
    }

    /// Whether a block needs accelerations.
    pub fn needs_accelerations(&self) -> bool {
        self.blocks.iter().any(|block| block.law.needs_accelerations())
    }

    /// Period, phase and delay of each block, s.
    pub fn timing(&self) -> impl Iterator<Item = [f64; 3]> + '_ {
        self.blocks.iter().map(|block| [block.period, block.phase, block.delay * block.period])
    }

    /// Speeds that blocks act on, each once.
    pub fn driven_speeds(&self) -> Vec<usize> {
        let mut speeds: Vec<usize> =
            self.blocks.iter().flat_map(|block| block.forces.iter().map(|(_, speed)| *speed)).collect();
        speeds.sort_unstable();
        speeds.dedup();
        speeds
    }

    /// Instant `k` of a block, or what lies between instants.
    fn instant(&self, block: usize, k: f64) -> f64 {
        let Block { phase, period, .. } = self.blocks[block];
        self.start + phase + k * period
    }

    fn arrival(&self, block: usize, pending: &Pending) -> f64 {
        self.instant(block, pending.instant as f64 + self.blocks[block].delay)
    }

    /// The next time at which something happens.
    pub fn next_time(&self) -> Option<f64> {
        let instants = (0..self.blocks.len()).map(|block| self.instant(block, self.next[block] as f64));
        let first = |block: usize| self.pending[block].front().map(|pending| self.arrival(block, pending));
        instants.chain((0..self.blocks.len()).filter_map(first)).min_by(f64::total_cmp)
    }

    /// Whether `time` is not after `now`, rounding left aside.
    fn is_due(&self, block: usize, time: f64, now: f64) -> bool {
        time <= now + SAME * (now.abs() + self.blocks[block].period)
    }

    /// Calls the blocks whose instant has come at the time of `state`, and lets outputs arrive. Whether anything changed.
    ///
    /// # Errors
    /// [`IntegrationError::BlockOutput`] for an output that is not finite; a closure that cannot do what is asked.
    pub fn run(&mut self, state: &State, accelerations: &[f64]) -> Result<bool, IntegrationError> {
        let now = state.time;
        self.called.fill(false);
        // What arrived on the way is there before blocks are called, what arrives now is not. A simulation stops at each arrival; what runs alone may not.
        let mut changed = self.arrive(|network, block, time| !network.is_due(block, now, time));
        for i in 0..self.order.len() {
            let block = self.order[i];
            while self.is_due(block, self.instant(block, self.next[block] as f64), now) {
                self.call(block, state, accelerations)?;
                changed = true;
            }
        }
        changed |= self.arrive(|network, block, time| network.is_due(block, time, now));
        Ok(changed)
    }

    /// Lets outputs arrive whose time is due; whether there were any.
    fn arrive(&mut self, is_due: impl Fn(&Self, usize, f64) -> bool) -> bool {
        let mut changed = false;
        for block in 0..self.blocks.len() {
            while let Some(pending) = self.pending[block].front()
                && is_due(self, block, self.arrival(block, pending))
            {
                if let Some(mut pending) = self.pending[block].pop_front() {
                    self.held[block].copy_from_slice(&pending.outputs);
                    self.due.append(&mut pending.requests);
                    self.spare.push(pending);
                }
                changed = true;
            }
        }
        changed
    }

    fn call(&mut self, index: usize, state: &State, accelerations: &[f64]) -> Result<(), IntegrationError> {
        let (time, instant) = (self.instant(index, self.next[index] as f64), self.next[index]);
        let Self { blocks, limits, held, signals, .. } = self;
        // What acted until now is what the hinge let pass.
        let acted = |from: &Source| {
            let value = held[from.block.0][from.output];
            let limit = if from.before { limit_of(limits, &blocks[from.block.0], from.output) } else { None };
            limit.map_or(value, |limit| value.clamp(-limit, limit))
        };
        signals.clear();
        signals.extend(blocks[index].inputs.iter().map(acted));
        let (block, outputs) = (&mut self.blocks[index], &mut self.written[index]);
        self.called[index] = true;
        let measured = Measured { time, instant, state, accelerations, signals: &self.signals };
        block.law.sample(&measured, outputs);
        self.asked.clear();
        block.law.ask(&measured, &mut self.asked);
        self.next[index] += 1;
        if let Some(output) = outputs.iter().position(|x| !x.is_finite()) {
            return Err(IntegrationError::BlockOutput { time, block: block.name.clone(), output });
        }
        for request in &self.asked {
            request.check(&self.model).map_err(|source| IntegrationError::Dynamics { time, source })?;
        }
        if block.delay == 0.0 {
            self.held[index].copy_from_slice(outputs);
            self.due.extend(&self.asked);
        } else {
            let mut pending = self.spare.pop().unwrap_or_default();
            pending.instant = instant;
            pending.outputs.clear();
            pending.outputs.extend_from_slice(outputs);
            pending.requests.append(&mut self.asked);
            self.pending[index].push_back(pending);
        }
        Ok(())
    }

    /// Lets blocks that have been at rest for long hold the outputs of this state; what they remember stays.
    pub fn rest(&mut self, state: &State) {
        let accelerations = vec![0.0; state.speeds.len()];
        // Outputs that come late are read before they are written: once more for each block settles them.
        for _ in 0..=self.blocks.len() {
            let before = self.held.clone();
            for i in 0..self.order.len() {
                let index = self.order[i];
                let time = self.instant(index, 0.0);
                let block = &mut self.blocks[index];
                self.signals.clear();
                self.signals.extend(block.inputs.iter().map(|from| self.held[from.block.0][from.output]));
                let measured =
                    Measured { time, instant: 0, state, accelerations: &accelerations, signals: &self.signals };
                let memory = block.law.save();
                block.law.sample(&measured, &mut self.held[index]);
                block.law.load(&memory);
            }
            if self.held == before {
                break;
            }
        }
    }

    /// Efforts are limited at these speeds.
    pub fn limit(&mut self, limits: &[(usize, f64)]) {
        self.limits = limits.to_vec();
    }

    /// Tells the blocks that were called what of their outputs is beyond the limits, where `asked` is what all ask for.
    pub fn tell_limits(&mut self, asked: &[f64]) {
        for (block, _) in self.blocks.iter_mut().zip(&self.called).filter(|(_, called)| **called) {
            for place in 0..block.forces.len() {
                let (output, speed) = block.forces[place];
                if let Some(limit) = limit_of(&self.limits, block, output) {
                    let excess = asked[speed] - asked[speed].clamp(-limit, limit);
                    if excess != 0.0 {
                        block.law.limited(output, excess);
                    }
                }
            }
        }
    }

    /// The error that a block integrates.
    pub fn integrated_error(&self, BlockIndex(block): BlockIndex) -> Option<f64> {
        self.blocks.get(block)?.law.integrated_error()
    }

    /// Adds the outputs that act to the forces.
    pub fn act(&self, inputs: &mut Inputs) {
        for (block, held) in self.blocks.iter().zip(&self.held) {
            for &(output, speed) in &block.forces {
                if let Some(force) = inputs.forces.get_mut(speed) {
                    *force += held[output];
                }
            }
        }
    }

    /// Outputs of a block that hold: of one with a delay, those that have arrived.
    pub fn outputs(&self, BlockIndex(block): BlockIndex) -> Option<&[f64]> {
        self.held.get(block).map(Vec::as_slice)
    }

    /// Outputs that a block wrote when it was called last, whether they have arrived or not.
    pub fn written(&self, BlockIndex(block): BlockIndex) -> Option<&[f64]> {
        self.written.get(block).map(Vec::as_slice)
    }

    /// What a block finds as its last outputs when it is called next; a law that writes nothing passes them on.
    pub fn written_mut(&mut self, BlockIndex(block): BlockIndex) -> Option<&mut [f64]> {
        self.written.get_mut(block).map(Vec::as_mut_slice)
    }
}

/// The brakes of all blocks.
fn brakes(blocks: &[Block], model: &Model) -> Result<Vec<WorkedBrake>, BlockError> {
    let mut out = Vec::new();
    for (index, block) in blocks.iter().enumerate() {
        for &(output, brake) in &block.brakes {
            let Brake { body, most, slow } = brake;
            if output >= block.outputs {
                return Err(BlockError::NoSuchOutput { block: block.name.clone(), of: index, output });
            }
            let speeds = if body.0 < model.body_count() { model.hinge_speeds(body) } else { 0..0 };
            if speeds.len() != 1 || !(most >= 0.0 && slow >= 0.0) {
                return Err(BlockError::BadBrake { block: block.name.clone(), body: body.0 });
            }
            out.push(WorkedBrake { block: index, output, speed: speeds.start, brake, grip: Grip::Free });
        }
    }
    Ok(out)
}

/// The limit of efforts where an output acts.
fn limit_of(limits: &[(usize, f64)], block: &Block, output: usize) -> Option<f64> {
    let &(_, speed) = block.forces.iter().find(|(own, _)| *own == output)?;
    limits.iter().find(|(limited, _)| *limited == speed).map(|(_, limit)| *limit)
}

/// Blocks in the order of their undelayed connections; where these leave a choice, by role, then as they were added.
pub(super) fn order(blocks: &[Block]) -> Result<Vec<usize>, BlockError> {
    let mut order = Vec::with_capacity(blocks.len());
    let mut placed = vec![false; blocks.len()];
    let needs = |i: usize, placed: &[bool]| {
        let now = blocks[i].inputs.iter().filter(|from| !from.before).map(|from| from.block.0);
        now.into_iter().find(|of| blocks[*of].delay == 0.0 && !placed[*of])
    };
    while order.len() < blocks.len() {
        let ready = (0..blocks.len()).filter(|i| !placed[*i] && needs(*i, &placed).is_none());
        let Some(next) = ready.min_by_key(|i| blocks[*i].role) else {
            // Each waits for another: going from one to what it needs comes round.
            let mut path: Vec<usize> = placed.iter().position(|placed| !placed).into_iter().collect();
            while let Some(needed) = path.last().and_then(|last| needs(*last, &placed)) {
                if let Some(first) = path.iter().position(|i| *i == needed) {
                    path.drain(..first);
                    break;
                }
                path.push(needed);
            }
            path.reverse();
            return Err(BlockError::AlgebraicLoop { blocks: path.iter().map(|i| blocks[*i].name.clone()).collect() });
        };
        placed[next] = true;
        order.push(next);
    }
    Ok(order)
}
