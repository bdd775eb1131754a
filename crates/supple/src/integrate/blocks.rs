//! Sampled blocks: sensors, observers and controllers of a digital computer, beside the continuous motion.
//!
//! A block is called once at each of its instants, `start + phase + k · period` with a whole `k`, never at the trial stages of an integrator,
//! and its outputs hold in between. With a delay of `d` samples the outputs of instant `k` arrive at `start + phase + (k + d) · period`; the
//! integrator stops at instants and arrivals. At equal instants blocks are called in the order of their connections, sensors before
//! observers before controllers where connections leave a choice; delayed outputs arrive after that.

use super::error::IntegrationError;
use crate::inputs::Inputs;
use crate::model::Model;
use crate::state::State;
use std::collections::VecDeque;
use std::fmt;

/// Instants nearer than this, relative to time and period, are one.
const SAME: f64 = 1e-12;

/// What a block does at its instants. Functions of the state that act at all times are a [`Drive`](super::Drive).
pub trait Sampled: Send {
    /// Writes the outputs, from what is measured at this instant. They keep what the last call wrote.
    fn sample(&mut self, measured: &Measured<'_>, outputs: &mut [f64]);

    /// All numbers that the next call depends on, for a checkpoint.
    fn save(&self) -> Vec<f64> {
        Vec::new()
    }

    /// Takes back what [`save`](Self::save) gave; false where the numbers cannot be its own.
    fn load(&mut self, from: &[f64]) -> bool {
        from.is_empty()
    }
}

/// What a block is told at an instant.
#[derive(Debug)]
pub struct Measured<'a> {
    /// The instant.
    pub time: f64,
    /// The number of the instant, from 0.
    pub instant: u64,
    /// The state of the motion.
    pub state: &'a State,
    /// The signals that the block is connected to, in the order of its connections.
    pub signals: &'a [f64],
}

/// What a block is; at equal instants the order in which blocks are called where connections leave a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Turns the state into measured signals.
    Sensor,
    /// Estimates what is not measured.
    Observer,
    /// Finds what is to act.
    Controller,
}

/// A block of [`Blocks`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BlockIndex(pub usize);

/// A block and its connections.
pub struct Block {
    name: String,
    role: Role,
    period: f64,
    phase: f64,
    delay: f64,
    inputs: Vec<(BlockIndex, usize)>,
    outputs: usize,
    forces: Vec<(usize, usize)>,
    law: Box<dyn Sampled>,
}

impl Block {
    /// A block of `outputs` numbers, called every `period` seconds.
    pub fn new(name: impl Into<String>, role: Role, period: f64, outputs: usize, law: impl Sampled + 'static) -> Self {
        let (phase, delay, inputs, forces) = (0.0, 0.0, Vec::new(), Vec::new());
        Self { name: name.into(), role, period, phase, delay, inputs, outputs, forces, law: Box::new(law) }
    }

    /// The first instant comes `phase` seconds after the start; left out, at the start.
    #[must_use]
    pub fn phase(mut self, phase: f64) -> Self {
        self.phase = phase;
        self
    }

    /// Outputs arrive `samples` periods after their instant; parts of a period are possible. Left out, at once.
    #[must_use]
    pub fn delayed(mut self, samples: f64) -> Self {
        self.delay = samples;
        self
    }

    /// Connects output `output` of `block` to the next of the signals that this block measures.
    #[must_use]
    pub fn reads(mut self, block: BlockIndex, output: usize) -> Self {
        self.inputs.push((block, output));
        self
    }

    /// Output `output` acts as generalized force at the speed of this index, added to what the drive writes there.
    #[must_use]
    pub fn acts(mut self, output: usize, speed: usize) -> Self {
        self.forces.push((output, speed));
        self
    }
}

impl fmt::Debug for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, role, period, phase, delay, inputs, outputs, forces, .. } = self;
        f.debug_struct("Block")
            .field("name", name)
            .field("role", role)
            .field("period", period)
            .field("phase", phase)
            .field("delay", delay)
            .field("reads", inputs)
            .field("outputs", outputs)
            .field("acts", forces)
            .finish_non_exhaustive()
    }
}

/// Sampled blocks and their connections, to be given to [`Simulation::set_blocks`](super::Simulation::set_blocks).
#[derive(Debug, Default)]
pub struct Blocks {
    blocks: Vec<Block>,
}

impl Blocks {
    /// None.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a block. It may read blocks that are added later: they are numbered in the order in which they are added, from 0.
    pub fn add(&mut self, block: Block) -> BlockIndex {
        self.blocks.push(block);
        BlockIndex(self.blocks.len() - 1)
    }
}

/// Why blocks cannot be used.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum BlockError {
    /// A period that is not positive, or a phase or delay that is negative or not finite.
    BadTime {
        /// The block.
        block: String,
        /// What it is.
        quantity: &'static str,
        /// Its value.
        value: f64,
    },
    /// A connection to an output that is not there.
    NoSuchOutput {
        /// The block that is connected.
        block: String,
        /// The block asked for, and its output.
        of: usize,
        /// The output.
        output: usize,
    },
    /// A force at a speed that the model does not have.
    NoSuchSpeed {
        /// The block.
        block: String,
        /// The speed.
        speed: usize,
    },
    /// Blocks that need each other's outputs at the same instant.
    AlgebraicLoop {
        /// Their names, in a circle.
        blocks: Vec<String>,
    },
}

impl fmt::Display for BlockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadTime { block, quantity, value } => {
                write!(
                    f,
                    "block `{block}`: the {quantity} must be finite and not negative, and a period positive: {value}"
                )
            }
            Self::NoSuchOutput { block, of, output } => {
                write!(f, "block `{block}` is connected to output {output} of block {of}, which is not there")
            }
            Self::NoSuchSpeed { block, speed } => {
                write!(f, "block `{block}` acts on speed {speed}, which the model does not have")
            }
            Self::AlgebraicLoop { blocks } => write!(
                f,
                "blocks need each other's outputs at the same instant: `{}`; delay one of them",
                blocks.join("` → `")
            ),
        }
    }
}

impl std::error::Error for BlockError {}

/// Outputs of a block on their way.
struct Pending {
    instant: u64,
    outputs: Vec<f64>,
}

/// Blocks at work.
pub(super) struct Network {
    blocks: Vec<Block>,
    /// Blocks in the order in which they are called.
    order: Vec<usize>,
    start: f64,
    /// The next instant of each block.
    next: Vec<u64>,
    /// Outputs that hold, and those that the block wrote last.
    held: Vec<Vec<f64>>,
    written: Vec<Vec<f64>>,
    pending: Vec<VecDeque<Pending>>,
    signals: Vec<f64>,
}

impl Network {
    pub fn new(blocks: Blocks, model: &Model, start: f64) -> Result<Self, BlockError> {
        let Blocks { blocks } = blocks;
        for block in &blocks {
            let name = || block.name.clone();
            for (quantity, value) in [("period", block.period), ("phase", block.phase), ("delay", block.delay)] {
                if !value.is_finite() || value < 0.0 || (quantity == "period" && value == 0.0) {
                    return Err(BlockError::BadTime { block: name(), quantity, value });
                }
            }
            for &(BlockIndex(of), output) in &block.inputs {
                if blocks.get(of).is_none_or(|of| output >= of.outputs) {
                    return Err(BlockError::NoSuchOutput { block: name(), of, output });
                }
            }
            for &(output, speed) in &block.forces {
                if output >= block.outputs {
                    return Err(BlockError::NoSuchOutput { block: name(), of: 0, output });
                }
                if speed >= model.speed_count() {
                    return Err(BlockError::NoSuchSpeed { block: name(), speed });
                }
            }
        }
        let order = order(&blocks)?;
        let outputs = || blocks.iter().map(|block| vec![0.0; block.outputs]).collect();
        let most = blocks.iter().map(|block| block.inputs.len()).max().unwrap_or(0);
        Ok(Self {
            order,
            start,
            next: vec![0; blocks.len()],
            held: outputs(),
            written: outputs(),
            pending: blocks.iter().map(|_| VecDeque::new()).collect(),
            signals: Vec::with_capacity(most),
            blocks,
        })
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

    /// Calls the blocks whose instant has come, and lets outputs arrive. Whether anything changed.
    pub fn run(&mut self, state: &State) -> Result<bool, IntegrationError> {
        let now = state.time;
        let mut changed = false;
        for i in 0..self.order.len() {
            let block = self.order[i];
            while self.is_due(block, self.instant(block, self.next[block] as f64), now) {
                self.call(block, state)?;
                changed = true;
            }
        }
        for block in 0..self.blocks.len() {
            while let Some(pending) = self.pending[block].front()
                && self.is_due(block, self.arrival(block, pending), now)
            {
                if let Some(pending) = self.pending[block].pop_front() {
                    self.held[block] = pending.outputs;
                }
                changed = true;
            }
        }
        Ok(changed)
    }

    fn call(&mut self, index: usize, state: &State) -> Result<(), IntegrationError> {
        let (time, instant) = (self.instant(index, self.next[index] as f64), self.next[index]);
        let (block, outputs) = (&mut self.blocks[index], &mut self.written[index]);
        self.signals.clear();
        self.signals.extend(block.inputs.iter().map(|(BlockIndex(of), output)| self.held[*of][*output]));
        block.law.sample(&Measured { time, instant, state, signals: &self.signals }, outputs);
        self.next[index] += 1;
        if let Some(output) = outputs.iter().position(|x| !x.is_finite()) {
            return Err(IntegrationError::BlockOutput { time, block: block.name.clone(), output });
        }
        if block.delay == 0.0 {
            self.held[index].copy_from_slice(outputs);
        } else {
            self.pending[index].push_back(Pending { instant, outputs: outputs.clone() });
        }
        Ok(())
    }

    /// Adds the outputs that act.
    pub fn act(&self, inputs: &mut Inputs) {
        for (block, held) in self.blocks.iter().zip(&self.held) {
            for &(output, speed) in &block.forces {
                if let Some(force) = inputs.forces.get_mut(speed) {
                    *force += held[output];
                }
            }
        }
    }

    /// Outputs of a block that hold.
    pub fn outputs(&self, BlockIndex(block): BlockIndex) -> Option<&[f64]> {
        self.held.get(block).map(Vec::as_slice)
    }

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
            }
            let own = block.law.save();
            out.push(own.len() as f64);
            out.extend(own);
        }
        out
    }

    /// Takes back what [`save`](Self::save) gave; false where the numbers cannot be those of these blocks, which then are as they were but for
    /// blocks that took theirs.
    pub fn load(&mut self, from: &[f64]) -> bool {
        let mut numbers = Numbers(from);
        let Some(start) = numbers.one() else { return false };
        let mut read = Vec::new();
        for block in &self.blocks {
            let Some(part) = Part::read(&mut numbers, block.outputs) else { return false };
            read.push(part);
        }
        if !numbers.0.is_empty() {
            return false;
        }
        self.start = start;
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
    fn read(numbers: &mut Numbers<'_>, outputs: usize) -> Option<Self> {
        let next = numbers.whole()?;
        let (held, written) = (numbers.list(outputs)?, numbers.list(outputs)?);
        let mut pending = VecDeque::new();
        for _ in 0..numbers.whole()? {
            pending.push_back(Pending { instant: numbers.whole()?, outputs: numbers.list(outputs)? });
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

/// Blocks in the order of their undelayed connections; where these leave a choice, by role, then as they were added.
fn order(blocks: &[Block]) -> Result<Vec<usize>, BlockError> {
    let mut order = Vec::with_capacity(blocks.len());
    let mut placed = vec![false; blocks.len()];
    let needs = |i: usize, placed: &[bool]| {
        blocks[i].inputs.iter().map(|(BlockIndex(of), _)| *of).find(|of| blocks[*of].delay == 0.0 && !placed[*of])
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
