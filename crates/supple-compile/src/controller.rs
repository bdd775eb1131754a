//! Controllers and observers of a run as one program: what they do at an instant.
//!
//! Blocks that can be recorded become code; what the others give, sensors and references among them, goes in. What blocks remember between
//! instants goes in and comes out behind the signals: see [`Controller::memory`].

use crate::program::{Program, Signal};
use crate::reference::{Reference, Vector};
use std::fmt;
use supple::integrate::{BlockError, BlockIndex, Blocks, Measured};
use supple::spatial::{Mask, Scalar, Traced};
use supple::{Model, State};

/// Why blocks do not become a program.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ControllerError {
    /// Connections that have no order.
    Blocks(BlockError),
    /// No block can be recorded.
    Nothing,
    /// A block that acts cannot be recorded.
    NotRecorded {
        /// Its name.
        block: String,
    },
    /// Blocks at instants of their own.
    OtherInstants {
        /// The first of them.
        block: String,
    },
    /// A delay within the controller.
    Delayed {
        /// The block whose outputs are read later.
        block: String,
    },
}

impl fmt::Display for ControllerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Blocks(error) => error.fmt(f),
            Self::Nothing => write!(
                f,
                "no controller, observer or filter becomes code; kinds that do: pid, low-pass, notch, lead-lag, kalman, lqr, lqg"
            ),
            Self::NotRecorded { block } => write!(
                f,
                "block `{block}` acts on a hinge and does not become code; kinds that do: pid, low-pass, notch, lead-lag, kalman, lqr and lqg \
                 without `poses`"
            ),
            Self::OtherInstants { block } => {
                write!(
                    f,
                    "block `{block}` is called at other instants than those before it; give all one `update_rate` and `phase`"
                )
            }
            Self::Delayed { block } => write!(
                f,
                "outputs of block `{block}` arrive later and another block of the controller reads them; delay only what acts"
            ),
        }
    }
}

impl std::error::Error for ControllerError {}

/// A controller that became a program.
#[derive(Clone, Debug)]
pub struct Controller {
    /// Signals and memory in, efforts and memory out.
    pub program: Program,
    /// What is remembered before the first instant: the last inputs, and the last outputs, of the program.
    pub memory: Vec<f64>,
    /// Time between instants, s.
    pub period: f64,
}

/// What of a block belongs to the controller.
struct Plan {
    /// Blocks that are recorded, in the order of their calls.
    order: Vec<usize>,
    /// Outputs of other blocks that go in.
    external: Vec<(usize, usize)>,
    /// Outputs of recorded blocks that are read as they held before.
    before: Vec<(usize, usize)>,
    /// Speeds that are acted on.
    speeds: Vec<usize>,
}

/// Numbers of all recorded blocks at an instant.
struct Numbers<T> {
    outputs: Vec<Vec<T>>,
    external: Vec<T>,
    before: Vec<T>,
    memory: Vec<Vec<T>>,
}

impl Plan {
    fn new(blocks: &Blocks) -> Result<Self, ControllerError> {
        let all = blocks.all();
        // Laws are recorded apart first: a recording of its own tells whether there is one.
        let recorded: Vec<bool> = all.iter().map(|block| Traced::record(|| try_record(block)).0).collect();
        let lost = all.iter().zip(&recorded).find(|(block, recorded)| !**recorded && !block.acting().is_empty());
        if let Some((block, _)) = lost {
            return Err(ControllerError::NotRecorded { block: block.name().to_owned() });
        }
        let order: Vec<usize> =
            blocks.order().map_err(ControllerError::Blocks)?.into_iter().map(|BlockIndex(i)| i).collect();
        let order: Vec<usize> = order.into_iter().filter(|i| recorded[*i]).collect();
        let first = order.iter().find(|i| !all[**i].sources().is_empty()).ok_or(ControllerError::Nothing)?;
        let [period, phase, _] = all[*first].timing();
        let mut plan = Self { order, external: Vec::new(), before: Vec::new(), speeds: Vec::new() };
        for (i, block) in all.iter().enumerate() {
            let name = || block.name().to_owned();
            if !recorded[i] {
                continue;
            }
            if !block.sources().is_empty() && block.timing()[..2] != [period, phase] {
                return Err(ControllerError::OtherInstants { block: name() });
            }
            for source in block.sources() {
                let (of, place) = (source.block.0, (source.block.0, source.output));
                let list = match (recorded[of], source.before) {
                    (false, _) => &mut plan.external,
                    (true, _) if all[of].timing()[2] != 0.0 => {
                        return Err(ControllerError::Delayed { block: all[of].name().to_owned() });
                    }
                    (true, true) => &mut plan.before,
                    (true, false) => continue,
                };
                if !list.contains(&place) {
                    list.push(place);
                }
            }
            plan.speeds.extend(block.acting().iter().map(|(_, speed)| *speed));
        }
        plan.speeds.sort_unstable();
        plan.speeds.dedup();
        Ok(plan)
    }

    /// What a block reads.
    fn signals<T: Scalar>(&self, blocks: &Blocks, block: usize, numbers: &Numbers<T>) -> Vec<T> {
        let place = |list: &[(usize, usize)], at: (usize, usize)| list.iter().position(|known| *known == at);
        let read = |source: &supple::integrate::Source| {
            let at = (source.block.0, source.output);
            if let Some(i) = place(&self.external, at) {
                return numbers.external[i];
            }
            match place(&self.before, at).filter(|_| source.before) {
                Some(i) => numbers.before[i],
                None => numbers.outputs[at.0][at.1],
            }
        };
        blocks.all()[block].sources().iter().map(read).collect()
    }

    /// What acts on each speed.
    fn efforts<T: Scalar>(&self, blocks: &Blocks, numbers: &Numbers<T>) -> Vec<T> {
        let effort = |speed: &usize| {
            let acting = blocks.all().iter().zip(&numbers.outputs);
            let parts = acting.flat_map(|(block, outputs)| block.acting().iter().map(move |(i, at)| (outputs[*i], at)));
            parts.filter(|(_, at)| *at == speed).map(|(part, _)| part).reduce(|a, b| a + b).unwrap_or(T::ZERO)
        };
        self.speeds.iter().map(effort).collect()
    }

    /// The memory after an instant, as it goes into the next.
    fn remembered<T: Scalar>(&self, numbers: &Numbers<T>) -> Vec<T> {
        let own = self.order.iter().flat_map(|i| numbers.memory[*i].iter().copied());
        own.chain(self.before.iter().map(|(block, output)| numbers.outputs[*block][*output])).collect()
    }
}

/// Whether a law can be recorded.
fn try_record(block: &supple::integrate::Block) -> bool {
    let numbers = |count: usize| (0..count).map(|_| Traced::input(1.0)).collect::<Vec<_>>();
    let mut memory = numbers(block.law().save().len());
    block.law().record(&mut memory, &numbers(block.sources().len()), &mut vec![Traced::ZERO; block.output_count()])
}

impl Controller {
    /// The program of blocks, as [`Simulation::set_blocks`](supple::integrate::Simulation::set_blocks) would take them, before their first
    /// instant.
    ///
    /// # Errors
    /// Blocks that act and cannot be recorded; blocks at different instants.
    pub fn record(blocks: &Blocks, model: &Model) -> Result<Self, ControllerError> {
        let plan = Plan::new(blocks)?;
        let (all, variables) = (blocks.all(), model.variables());
        let (mut inputs, mut outputs, mut memory) = (Vec::new(), Vec::new(), Vec::new());
        for (block, output) in &plan.external {
            let name = signal_name(blocks, *block, *output);
            let unit = variables.iter().find(|variable| variable.name == name).map_or("SI", |variable| variable.unit);
            inputs.push(Signal::new(name, unit));
        }
        for speed in &plan.speeds {
            let is_force = |kind| {
                matches!(
                    kind,
                    supple::model::VariableKind::HingeForceInput | supple::model::VariableKind::ModalForceInput
                )
            };
            let known = variables.iter().find(|v| is_force(v.kind) && v.index == *speed);
            let (name, unit) = known.map_or(("effort", "SI"), |v| (v.name.as_str(), v.unit));
            outputs.push(Signal::new(name.strip_prefix("input.").unwrap_or(name), unit));
        }
        let mut remembered = Vec::new();
        for i in &plan.order {
            let own = all[*i].law().save();
            remembered
                .extend((0..own.len()).map(|k| Signal::new(format!("memory.{}.{}", all[*i].name(), k + 1), "SI")));
            memory.extend(own);
        }
        for (block, output) in &plan.before {
            remembered.push(Signal::new(format!("memory.{}", signal_name(blocks, *block, *output)), "SI"));
            memory.push(0.0);
        }
        inputs.extend(remembered.iter().cloned().map(Signal::given));
        outputs.extend(remembered);
        let (results, graph) = Traced::record(|| {
            let symbols = |values: &[f64]| values.iter().map(|x| Traced::input(*x)).collect::<Vec<_>>();
            let external = symbols(&vec![1.0; plan.external.len()]);
            let mut numbers = numbers(blocks, &plan, &symbols(&memory), external);
            for i in &plan.order {
                let signals = plan.signals(blocks, *i, &numbers);
                let Numbers { outputs, memory, .. } = &mut numbers;
                all[*i].law().record(&mut memory[*i], &signals, &mut outputs[*i]);
            }
            let mut out = plan.efforts(blocks, &numbers);
            out.extend(plan.remembered(&numbers));
            // What matters is that the recording asks.
            let _ = out.iter().fold(Traced::ZERO, |sum, x| sum + *x).is_finite().all();
            out.iter().map(|x| x.operation()).collect::<Vec<u32>>()
        });
        let period = plan.order.iter().map(|i| all[*i].timing()[0]).next().unwrap_or(0.0);
        Ok(Self { program: Program::new("controller", (inputs, 0), outputs, &graph, &results), memory, period })
    }

    /// Numbers that blocks give in this process over so many instants, each with the memory before and after it. Signals wander.
    ///
    /// # Errors
    /// As [`record`](Self::record).
    pub fn reference(mut blocks: Blocks, model: &Model, count: usize) -> Result<Reference, ControllerError> {
        let plan = Plan::new(&blocks)?;
        let mut state = State::new(model);
        let mut memory: Vec<f64> = plan.order.iter().flat_map(|i| blocks.all()[*i].law().save()).collect();
        memory.extend(plan.before.iter().map(|_| 0.0));
        let mut vectors = Vec::with_capacity(count);
        for k in 0..count {
            let wander =
                |i: usize| (0.013 * (1.0 + i as f64) * k as f64).sin() + 0.3 * (0.171 * k as f64 + i as f64).cos();
            let external: Vec<f64> = (0..plan.external.len()).map(wander).collect();
            let inputs = external.iter().chain(&memory).copied().collect();
            let mut now = numbers(&blocks, &plan, &memory, external);
            for i in &plan.order {
                let signals = plan.signals(&blocks, *i, &now);
                let block = &mut blocks.all_mut()[*i];
                state.time = k as f64 * block.timing()[0];
                let measured = Measured {
                    time: state.time,
                    instant: k as u64,
                    state: &state,
                    accelerations: &[],
                    signals: &signals,
                };
                block.law_mut().sample(&measured, &mut now.outputs[*i]);
                now.memory[*i] = block.law().save();
            }
            let mut outputs = plan.efforts(&blocks, &now);
            memory = plan.remembered(&now);
            outputs.extend(&memory);
            vectors.push(Vector { inputs, outputs });
        }
        Ok(Reference { vectors, allowed: 1e-10, floor: 0.0 })
    }
}

/// The numbers before an instant.
fn numbers<T: Scalar>(blocks: &Blocks, plan: &Plan, memory: &[T], external: Vec<T>) -> Numbers<T> {
    let all = blocks.all();
    let (mut own, mut at) = (vec![Vec::new(); all.len()], 0);
    for i in &plan.order {
        let count = all[*i].law().save().len();
        own[*i] = memory[at..at + count].to_vec();
        at += count;
    }
    let outputs = all.iter().map(|block| vec![T::ZERO; block.output_count()]).collect();
    Numbers { outputs, external, before: memory[at..].to_vec(), memory: own }
}

fn signal_name(blocks: &Blocks, block: usize, output: usize) -> String {
    let of = &blocks.all()[block];
    if of.output_count() == 1 { of.name().to_owned() } else { format!("{}.{}", of.name(), output + 1) }
}
