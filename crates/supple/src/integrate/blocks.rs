//! Sampled blocks: sensors, observers and controllers of a digital computer, beside the continuous motion.
//!
//! A block is called once at each of its instants, `start + phase + k · period` with a whole `k`, never at the trial stages of an integrator,
//! and its outputs hold in between. With a delay of `d` samples the outputs of instant `k` arrive at `start + phase + (k + d) · period`; the
//! integrator stops at instants and arrivals. At equal instants blocks are called in the order of their connections, sensors before
//! observers before controllers where connections leave a choice; delayed outputs arrive after that.

use super::brakes::Brake;
use super::request::Request;
use crate::state::State;
use std::fmt;
use supple_spatial::Traced;

/// What a block does at its instants. Functions of the state that act at all times are a [`Drive`](super::Drive).
pub trait Sampled: Send {
    /// Writes the outputs, from what is measured at this instant. They keep what the last call wrote.
    fn sample(&mut self, measured: &Measured<'_>, outputs: &mut [f64]);

    /// Asks for closures to close, be held or open, after [`sample`](Self::sample) of the same instant. Requests arrive with the outputs: at once
    /// after all blocks of the instant were called, or after the delay of the block; see [`Simulation::switch`](super::Simulation::switch).
    fn ask(&mut self, _measured: &Measured<'_>, _requests: &mut Vec<Request>) {}

    /// Whether it needs [`Measured::accelerations`]: an evaluation of the dynamics at every instant.
    fn needs_accelerations(&self) -> bool {
        false
    }

    /// What of an output that acts could not act, because efforts at its hinge exceed their
    /// [limit](super::Simulation::limit_efforts): called after [`sample`](Self::sample), with what is beyond the limit.
    fn limited(&mut self, _output: usize, _excess: f64) {}

    /// The error that it integrates, where it does, as [`sample`](Self::sample) saw it last: zero when the loop is at rest.
    fn integrated_error(&self) -> Option<f64> {
        None
    }

    /// Before the first call of a loop that starts at rest: makes what it remembers that of a block that has been at rest for long, with its
    /// output more by `more`. False where it integrates nothing that could be.
    fn settle(&mut self, _more: f64) -> bool {
        false
    }

    /// All numbers that the next call depends on, for a checkpoint.
    fn save(&self) -> Vec<f64> {
        Vec::new()
    }

    /// Takes back what [`save`](Self::save) gave; false where the numbers cannot be its own.
    fn load(&mut self, from: &[f64]) -> bool {
        from.is_empty()
    }

    /// One call on recorded numbers, for code: writes the outputs, and into `memory`, which holds what [`save`](Self::save) gives before the
    /// call, what it gives after it. False for laws that cannot be recorded, or that need more than their signals.
    fn record(&self, _memory: &mut [Traced], _signals: &[Traced], _outputs: &mut [Traced]) -> bool {
        false
    }
}

/// What a block measures at an instant.
#[derive(Debug)]
pub struct Measured<'a> {
    /// The instant.
    pub time: f64,
    /// The number of the instant, from 0.
    pub instant: u64,
    /// The state of the motion.
    pub state: &'a State,
    /// Accelerations of all speeds, under what acted until this instant; empty unless a block of the simulation
    /// [needs](Sampled::needs_accelerations) them.
    pub accelerations: &'a [f64],
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

/// Where a signal comes from.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// The block.
    pub block: BlockIndex,
    /// Which of its outputs.
    pub output: usize,
    /// As it held until the instant.
    pub before: bool,
}

/// A block and its connections.
pub struct Block {
    pub(super) name: String,
    pub(super) role: Role,
    pub(super) period: f64,
    pub(super) phase: f64,
    pub(super) delay: f64,
    pub(super) inputs: Vec<Source>,
    pub(super) outputs: usize,
    pub(super) forces: Vec<(usize, usize)>,
    pub(super) brakes: Vec<(usize, Brake)>,
    pub(super) law: Box<dyn Sampled>,
}

impl Block {
    /// A block of `outputs` numbers, called every `period` seconds.
    pub fn new(name: impl Into<String>, role: Role, period: f64, outputs: usize, law: impl Sampled + 'static) -> Self {
        let (phase, delay, inputs, forces, brakes) = (0.0, 0.0, Vec::new(), Vec::new(), Vec::new());
        Self { name: name.into(), role, period, phase, delay, inputs, outputs, forces, brakes, law: Box::new(law) }
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
        self.inputs.push(Source { block, output, before: false });
        self
    }

    /// The same, as it held until the instant: the other block need not be called first, and may itself read this one.
    #[must_use]
    pub fn reads_before(mut self, block: BlockIndex, output: usize) -> Self {
        self.inputs.push(Source { block, output, before: true });
        self
    }

    /// Output `output` acts as generalized force at the speed of this index, added to what the drive writes there.
    #[must_use]
    pub fn acts(mut self, output: usize, speed: usize) -> Self {
        self.forces.push((output, speed));
        self
    }

    /// Output `output` works a brake, part of the continuous motion. Above zero it is the rate, 1/s, at which the hinge loses its speed; it is then held and
    /// bears its load. A brake gives no more than its greatest effort: where holding takes more it slips, with that effort, and where it would have to push a hinge
    /// that moves it lets go, both until the next instant at which blocks are called. Zero releases it. A hinge that the drive prescribes is not braked.
    #[must_use]
    pub fn brakes(mut self, output: usize, brake: Brake) -> Self {
        self.brakes.push((output, brake));
        self
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Time between calls and time of the first one, s, and how many samples later its outputs arrive.
    pub fn timing(&self) -> [f64; 3] {
        [self.period, self.phase, self.delay]
    }

    /// What it reads.
    pub fn sources(&self) -> &[Source] {
        &self.inputs
    }

    /// Number of its outputs.
    pub fn output_count(&self) -> usize {
        self.outputs
    }

    /// Outputs that act, each with the speed that it acts on.
    pub fn acting(&self) -> &[(usize, usize)] {
        &self.forces
    }

    /// Its law.
    pub fn law(&self) -> &dyn Sampled {
        self.law.as_ref()
    }

    /// Its law, to be called.
    pub fn law_mut(&mut self) -> &mut dyn Sampled {
        self.law.as_mut()
    }
}

impl fmt::Debug for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, role, period, phase, delay, inputs, outputs, forces, brakes, .. } = self;
        f.debug_struct("Block")
            .field("name", name)
            .field("role", role)
            .field("period", period)
            .field("phase", phase)
            .field("delay", delay)
            .field("reads", inputs)
            .field("outputs", outputs)
            .field("acts", forces)
            .field("brakes", brakes)
            .finish_non_exhaustive()
    }
}

/// Sampled blocks and their connections, to be given to [`Simulation::set_blocks`](super::Simulation::set_blocks).
#[derive(Debug, Default)]
pub struct Blocks {
    pub(super) blocks: Vec<Block>,
    pub(super) at_rest: bool,
}

impl Blocks {
    /// None.
    pub fn new() -> Self {
        Self::default()
    }

    /// They have been at rest for long when they begin: outputs of the start hold from the start on, also those that come late.
    #[must_use]
    pub fn at_rest(mut self) -> Self {
        self.at_rest = true;
        self
    }

    /// Adds a block. It may read blocks that are added later: they are numbered in the order in which they are added, from 0.
    pub fn add(&mut self, block: Block) -> BlockIndex {
        self.blocks.push(block);
        BlockIndex(self.blocks.len() - 1)
    }

    /// All of them.
    pub fn all(&self) -> &[Block] {
        &self.blocks
    }

    /// All of them, to be called.
    pub fn all_mut(&mut self) -> &mut [Block] {
        &mut self.blocks
    }

    /// The order in which they are called at equal instants.
    ///
    /// # Errors
    /// Blocks that need each other's outputs at the same instant.
    pub fn order(&self) -> Result<Vec<BlockIndex>, BlockError> {
        Ok(super::network::order(&self.blocks)?.into_iter().map(BlockIndex).collect())
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
    /// A brake of a hinge that is not there or has other than one degree of freedom, or with an effort or speed below zero.
    BadBrake {
        /// The block.
        block: String,
        /// The body of the hinge.
        body: usize,
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
            Self::BadBrake { block, body } => write!(
                f,
                "block `{block}` brakes the hinge of body {body}: it must have one degree of freedom, and the brake no effort or speed below zero"
            ),
            Self::AlgebraicLoop { blocks } => write!(
                f,
                "blocks need each other's outputs at the same instant: `{}`; delay one of them",
                blocks.join("` → `")
            ),
        }
    }
}

impl std::error::Error for BlockError {}
