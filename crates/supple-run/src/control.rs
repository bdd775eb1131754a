//! Sensors, shapers and controllers of a scenario, in the engine's terms.

use supple::integrate::{Block, BlockIndex, Blocks, Measured, Role, Sampled, Simulation};
use supple::{Inputs, Measurement, Model, State, Workspace};
use supple_control::block::{Law, Needs};
use supple_io::results::Column;
use supple_io::scenario_file::{Connection, ControlBlock, Scenario};

use crate::{RunError, design};

/// What is measured without error, or a constant.
enum Ideal {
    Constant(f64),
    Coordinate(usize),
    Speed(usize),
    Node(Measurement, Box<(Model, Workspace)>),
}

impl Ideal {
    fn new(connection: Connection, model: &Model) -> Self {
        match connection {
            Connection::State(Measurement::Coordinate(i)) => Self::Coordinate(i),
            Connection::State(Measurement::Speed(i)) => Self::Speed(i),
            Connection::State(measurement) => Self::Node(measurement, Box::new((model.clone(), Workspace::new(model)))),
            Connection::Constant(value) => Self::Constant(value),
            // Outputs of blocks are read as they are.
            Connection::Output { .. } | Connection::Before { .. } => Self::Constant(f64::NAN),
        }
    }
}

impl Sampled for Ideal {
    fn sample(&mut self, measured: &Measured<'_>, outputs: &mut [f64]) {
        let Measured { state, accelerations, .. } = measured;
        outputs[0] = match self {
            Self::Constant(value) => *value,
            Self::Coordinate(i) => state.coordinates[*i],
            Self::Speed(i) => state.speeds[*i],
            Self::Node(measurement, plant) => {
                let (model, workspace) = plant.as_mut();
                // What is not finite is reported with the name of the block.
                measurement.value(model, state, accelerations, workspace).unwrap_or(f64::NAN)
            }
        };
    }

    fn needs_accelerations(&self) -> bool {
        matches!(self, Self::Node(measurement, _) if measurement.needs_accelerations())
    }
}

/// What readings of sensors have that their loop is not designed by.
const FAULTS: [&str; 5] = ["noise", "quantum", "dropout", "freeze_from", "freeze_to"];

/// How blocks begin.
#[derive(Clone, Copy, Debug)]
pub enum Begin<'b> {
    /// As they are made.
    Fresh,
    /// The same without noise, steps and gaps in the readings of sensors, for linear analysis.
    Smooth,
    /// As if they had been at rest for long, the output of each more by what it integrates.
    AtRest(&'b [f64]),
    /// The same to look at a loop: without errors of sensors, delays and designs. What a design is to hold gives nothing.
    Trial,
}

/// Stands for a law whose gains are not designed yet: an observer that knows the state, a regulator that gives nothing.
struct Undesigned {
    gives_states: bool,
}

impl Sampled for Undesigned {
    fn sample(&mut self, measured: &Measured<'_>, outputs: &mut [f64]) {
        outputs.fill(0.0);
        if self.gives_states {
            let State { coordinates, speeds, .. } = measured.state;
            outputs.iter_mut().zip(coordinates.iter().chain(speeds)).for_each(|(output, x)| *output = *x);
        }
    }
}

/// The law of a block as it begins.
fn law(block: &ControlBlock, begin: Begin<'_>, start: &State, inputs: &Inputs) -> Result<Law, String> {
    if matches!(begin, Begin::Trial) && block.kind.needs == Needs::Linear {
        return Ok(Law(Box::new(Undesigned { gives_states: block.kind.gives_states })));
    }
    let mut setting = design::setting(block, start, inputs)?;
    if matches!(begin, Begin::AtRest(_) | Begin::Trial) {
        setting.begin_at(start);
    }
    if matches!(begin, Begin::Smooth | Begin::Trial) && block.kind.role == Role::Sensor {
        setting.values.retain(|key, _| !FAULTS.contains(key));
    }
    block.kind.law(&setting).map_err(|error| format!("block `{}`: {error}", block.name))
}

/// The blocks of a scenario, those of the file first and in its order.
pub fn blocks(scenario: &Scenario, start: &State, inputs: &Inputs, begin: Begin<'_>) -> Result<Blocks, RunError> {
    let (told, model) = (&scenario.blocks, &scenario.model.model);
    let is_trial = matches!(begin, Begin::Trial);
    let mut made: Vec<Block> = Vec::new();
    // What reads the state without a sensor: at the instants of its reader, once for all that share them.
    let mut ideals: Vec<(Connection, f64, f64)> = Vec::new();
    for (place, block) in told.iter().enumerate() {
        let cannot = |error: String| RunError::cannot_begin(error).on_line(Some(block.line));
        let mut law = law(block, begin, start, inputs).map_err(cannot)?;
        match begin {
            Begin::Fresh | Begin::Smooth => {}
            Begin::AtRest(more) => drop(law.settle(more.get(place).copied().unwrap_or(0.0))),
            Begin::Trial => drop(law.settle(0.0)),
        }
        let period = block.setting.period;
        let (phase, delay) = if is_trial { (0.0, 0.0) } else { (block.phase, block.delay) };
        let mut own = Block::new(&block.name, block.kind.role, period, block.outputs.len(), law);
        own = own.phase(phase).delayed(delay / period);
        for connection in &block.inputs {
            own = match connection {
                Connection::Output { block, output } => own.reads(BlockIndex(*block), *output),
                Connection::Before { block, output } => own.reads_before(BlockIndex(*block), *output),
                other => {
                    let ideal = (*other, period, phase);
                    let place = ideals.iter().position(|known| *known == ideal).unwrap_or_else(|| {
                        ideals.push(ideal);
                        ideals.len() - 1
                    });
                    own.reads(BlockIndex(told.len() + place), 0)
                }
            };
        }
        for (output, speed) in block.acts.iter().enumerate() {
            own = own.acts(output, *speed);
        }
        made.push(own);
    }
    let mut blocks = match begin {
        Begin::Fresh | Begin::Smooth => Blocks::new(),
        Begin::AtRest(_) | Begin::Trial => Blocks::new().at_rest(),
    };
    for block in made {
        blocks.add(block);
    }
    for (connection, period, phase) in ideals {
        blocks.add(Block::new("state", Role::Sensor, period, 1, Ideal::new(connection, model)).phase(phase));
    }
    Ok(blocks)
}

/// Columns of all outputs.
pub fn columns(scenario: &Scenario) -> Vec<Column> {
    let of_block = |block: &ControlBlock| {
        let table = block.table.word();
        let column = |[output, unit, meaning]: &[String; 3]| {
            Column::new(format!("{table}.{}.{output}", block.name), unit.as_str(), meaning.as_str())
        };
        block.outputs.iter().map(column).collect::<Vec<_>>()
    };
    scenario.blocks.iter().flat_map(of_block).collect()
}

/// Appends all outputs as they hold now.
pub fn write(scenario_blocks: usize, run: &Simulation, row: &mut Vec<f64>) {
    for block in 0..scenario_blocks {
        row.extend(run.block_outputs(BlockIndex(block)).unwrap_or_default());
    }
}

/// What of the blocks makes the motion what it is. Models carry stamps, which are others each time a file is read.
pub fn identity(scenario: &Scenario) -> String {
    let of_block = |block: &ControlBlock| {
        let s = &block.setting;
        let model = s.plant.as_ref().map(|plant| (plant.model.speed_count(), &plant.node));
        let parts = (&block.name, block.kind.name, s.period, &s.values, &s.connected, &s.hinges);
        format!(
            "{parts:?} {:?}",
            (
                &s.trajectory,
                &s.shaper,
                &s.measured,
                &s.sensor_noise,
                model,
                block.phase,
                block.delay,
                &block.inputs,
                &block.acts
            )
        )
    };
    scenario.blocks.iter().map(of_block).collect()
}
