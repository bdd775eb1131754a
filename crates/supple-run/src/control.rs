//! Sensors, shapers and controllers of a scenario, in the engine's terms.

use supple::integrate::{Block, BlockIndex, Blocks, Measured, Role, Sampled, Simulation};
use supple::model::{Variable, VariableKind};
use supple::spatial::{Scalar, Traced};
use supple::{Inputs, Measurement, Model, State, Workspace};
use supple_io::results::Column;
use supple_io::scenario_file::{Connection, ControlBlock, Scenario};

use crate::design;

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

    fn record(&self, _: &mut [Traced], _: &[Traced], outputs: &mut [Traced]) -> bool {
        let Self::Constant(value) = self else { return false };
        outputs[0] = Traced::from_f64(*value);
        true
    }

    fn needs_accelerations(&self) -> bool {
        matches!(self, Self::Node(measurement, _) if measurement.needs_accelerations())
    }
}

/// What is measured without error, by the name of its column where it has one.
fn measured_name(connection: Connection, variables: &[Variable]) -> &str {
    use VariableKind::{HingeCoordinate, HingeSpeed, ModalCoordinate, ModalSpeed};
    let known = variables.iter().find(|variable| match (connection, variable.kind) {
        (Connection::State(Measurement::Coordinate(i)), HingeCoordinate | ModalCoordinate) => variable.index == i,
        (Connection::State(Measurement::Speed(i)), HingeSpeed | ModalSpeed) => variable.index == i,
        _ => false,
    });
    known.map_or("state", |variable| &variable.name)
}

/// The sampled blocks of a scenario, those of the file first and in its order, as a run that begins in this state has them.
///
/// # Errors
/// Gains that cannot be designed there.
pub fn blocks(scenario: &Scenario, start: &State, inputs: &Inputs) -> Result<Blocks, String> {
    let (told, model) = (&scenario.blocks, &scenario.model.model);
    let mut made: Vec<Block> = Vec::new();
    // What reads the state without a sensor: at the instants of its reader, once for all that share them.
    let mut ideals: Vec<(Connection, f64, f64)> = Vec::new();
    for block in told {
        let setting = design::setting(block, start, inputs)?;
        let law = block.kind.law(&setting).map_err(|error| format!("block `{}`: {error}", block.name))?;
        let period = block.setting.period;
        let mut own = Block::new(&block.name, block.kind.role, period, block.outputs.len(), law);
        own = own.phase(block.phase).delayed(block.delay / period);
        for connection in &block.inputs {
            own = match connection {
                Connection::Output { block, output } => own.reads(BlockIndex(*block), *output),
                Connection::Before { block, output } => own.reads_before(BlockIndex(*block), *output),
                other => {
                    let ideal = (*other, period, block.phase);
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
    let mut blocks = Blocks::new();
    for block in made {
        blocks.add(block);
    }
    let variables = model.variables();
    for (connection, period, phase) in ideals {
        let name = measured_name(connection, &variables);
        blocks.add(Block::new(name, Role::Sensor, period, 1, Ideal::new(connection, model)).phase(phase));
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
