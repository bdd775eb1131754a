//! Sensors, shapers and controllers of a scenario, in the engine's terms.

use supple::integrate::{Block, BlockIndex, Blocks, GivenStep, Measured, Role, Sampled, Simulation};
use supple::model::{Variable, VariableKind};
use supple::spatial::{Scalar, Traced};
use supple::{Inputs, Measurement, Model, State, Workspace};
use supple_control::block::{Law, Needs, Value};
use supple_control::realtime::Measurements;
use supple_io::results::Column;
use supple_io::scenario_file::{Connection, ControlBlock, Scenario};

use crate::realtime::{Laws, Wiring};
use crate::{RunError, Start, design, effort};

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
fn law(
    block: &ControlBlock,
    begin: Begin<'_>,
    limit: Option<f64>,
    (start, inputs): (&State, &Inputs),
) -> Result<Law, String> {
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
    if let Some(limit) = limit {
        let told = setting.number_or(CLAMP, limit).map_err(|error| error.to_string())?;
        setting.values.insert(CLAMP, Value::Number(told.min(limit)));
    }
    block.kind.law(&setting).map_err(|error| format!("block `{}`: {error}", block.name))
}

/// The parameter of blocks that limit their own effort.
const CLAMP: &str = "u_clamp";

/// The effort limit of the hinge that a block alone acts on, where the block can keep it.
fn own_limit(scenario: &Scenario, block: &ControlBlock) -> Option<f64> {
    let [speed] = block.acts[..] else { return None };
    let acting = scenario.blocks.iter().filter(|other| other.acts.contains(&speed)).count();
    let keeps = block.kind.parameters.iter().any(|parameter| parameter.key == CLAMP);
    let limit = effort::limits(scenario).into_iter().find(|(limited, _)| *limited == speed)?.1;
    (acting == 1 && keeps).then_some(limit)
}

/// What reads the state without a sensor: at the instants of its reader, once for all that share them.
pub type Reading = (Connection, f64, f64);

/// Which blocks of a scenario are made: all, or those of one program where plant and controllers are two.
pub enum Part<'w> {
    /// All.
    Whole,
    /// All, in a program that has no plant.
    Alone,
    /// Those of the plant, with the block that stands for all others; and steps from elsewhere, where it takes such.
    Plant(&'w Wiring, Box<dyn Sampled>, Option<Box<dyn GivenStep + Send>>),
    /// Those of the controllers, called as they are or as code; what the plant sends is written from outside.
    Controllers(&'w Wiring, Laws),
}

impl Part<'_> {
    /// Steps from elsewhere, once.
    pub fn take_steps(&mut self) -> Option<Box<dyn GivenStep + Send>> {
        if let Self::Plant(_, _, steps) = self { steps.take() } else { None }
    }
}

/// Writes what it reads.
struct Copied;

impl Sampled for Copied {
    fn sample(&mut self, measured: &Measured<'_>, outputs: &mut [f64]) {
        outputs.copy_from_slice(measured.signals);
    }
}

/// A law that was made elsewhere.
struct Given(Box<dyn Sampled>);

impl Sampled for Given {
    fn sample(&mut self, measured: &Measured<'_>, outputs: &mut [f64]) {
        self.0.sample(measured, outputs);
    }
}

/// Phase and delay of a block; a trial has neither.
fn timing(block: &ControlBlock, begin: Begin<'_>) -> (f64, f64) {
    if matches!(begin, Begin::Trial) { (0.0, 0.0) } else { (block.phase, block.delay) }
}

/// All readings of the blocks of a scenario.
pub fn readings(scenario: &Scenario, begin: Begin<'_>) -> Vec<Reading> {
    let mut readings: Vec<Reading> = Vec::new();
    for block in &scenario.blocks {
        for connection in &block.inputs {
            let reading = (*connection, block.setting.period, timing(block, begin).0);
            let is_output = matches!(connection, Connection::Output { .. } | Connection::Before { .. });
            if !is_output && !readings.contains(&reading) {
                readings.push(reading);
            }
        }
    }
    readings
}

/// The sampled blocks of a scenario, those of the file first and in its order, as a run that begins there has them. The effort limit of a hinge is that of the
/// block that acts on it.
///
/// # Errors
/// Gains that cannot be designed there.
pub fn blocks_of(scenario: &Scenario, start: &Start) -> Result<Blocks, RunError> {
    blocks(scenario, (&start.state, &start.inputs), start.begin(), Part::Alone)
}

/// The blocks of a scenario, those of the file first and in its order, then the readings, then the link of a plant.
pub fn blocks(
    scenario: &Scenario,
    (start, inputs): (&State, &Inputs),
    begin: Begin<'_>,
    part: Part<'_>,
) -> Result<Blocks, RunError> {
    let (told, model) = (&scenario.blocks, &scenario.model.model);
    let readings = match &part {
        Part::Whole | Part::Alone => readings(scenario, begin),
        Part::Plant(wiring, ..) | Part::Controllers(wiring, _) => wiring.readings.clone(),
    };
    let link = BlockIndex(told.len() + readings.len());
    let mut blocks = match (begin, &part) {
        // A link must not be asked before its first instant.
        (Begin::Fresh | Begin::Smooth, _) | (_, Part::Plant(..)) => Blocks::new(),
        (Begin::AtRest(_) | Begin::Trial, _) => Blocks::new().at_rest(),
    };
    for (index, block) in told.iter().enumerate() {
        let (role, period, outputs) = (block.kind.role, block.setting.period, block.outputs.len());
        let (phase, delay) = timing(block, begin);
        let timed = |made: Block| made.phase(phase).delayed(delay / period);
        let own = match &part {
            Part::Plant(wiring, ..) if wiring.is_controller(index) => {
                let copied = timed(Block::new(&block.name, role, period, outputs, Copied));
                wiring.commands_of(index).fold(copied, |own, command| own.reads(link, command))
            }
            Part::Controllers(wiring, _) if !wiring.is_controller(index) => {
                Block::new(&block.name, Role::Sensor, wiring.period, outputs, Measurements)
            }
            _ => {
                let cannot = |error: String| RunError::cannot_begin(error).on_line(Some(block.line));
                // Where the plant is elsewhere, nobody tells a block what its hinge cut off.
                let is_apart = matches!(part, Part::Alone | Part::Controllers(..));
                let limit = if is_apart { own_limit(scenario, block) } else { None };
                let mut law = law(block, begin, limit, (start, inputs)).map_err(cannot)?;
                match begin {
                    Begin::Fresh | Begin::Smooth => {}
                    Begin::AtRest(more) => drop(law.settle(more.get(index).copied().unwrap_or(0.0))),
                    Begin::Trial => drop(law.settle(0.0)),
                }
                connect(timed(calling(block, law, &part)?), block, phase, (told.len(), &readings))
            }
        };
        let acts = block.acts.iter().enumerate().filter(|_| !matches!(part, Part::Controllers(..)));
        blocks.add(acts.fold(own, |own, (output, speed)| own.acts(output, *speed)));
    }
    let variables = model.variables();
    for (connection, period, phase) in readings {
        let (name, law) = (measured_name(connection, &variables), Ideal::new(connection, model));
        blocks.add(match &part {
            Part::Controllers(wiring, _) if !matches!(law, Ideal::Constant(_)) => {
                Block::new(name, Role::Sensor, wiring.period, 1, Measurements)
            }
            _ => Block::new(name, Role::Sensor, period, 1, law).phase(phase),
        });
    }
    if let Part::Plant(wiring, law, _) = part {
        let count = wiring.commands.len() + wiring.drives.len();
        let mut block = Block::new("link", Role::Observer, wiring.period, count, Given(law));
        for signal in &wiring.measurements {
            block = block.reads(signal.block, signal.output);
        }
        for (place, drive) in wiring.drives.iter().enumerate() {
            let output = wiring.commands.len() + place;
            block = match drive.holding_brake() {
                Some(brake) => block.brakes(output, brake),
                None => block.acts(output, drive.speed_place),
            };
        }
        blocks.add(block);
    }
    Ok(blocks)
}

/// A block that calls its law as it is, or as code where its part asks for that.
fn calling(told: &ControlBlock, law: Law, part: &Part<'_>) -> Result<Block, RunError> {
    let (role, period, outputs) = (told.kind.role, told.setting.period, told.outputs.len());
    let compiled = match part {
        Part::Controllers(_, laws) => laws.compiled(&law, [told.inputs.len(), outputs])?,
        _ => None,
    };
    Ok(match compiled {
        Some(compiled) => Block::new(&told.name, role, period, outputs, compiled),
        None => Block::new(&told.name, role, period, outputs, law),
    })
}

/// Connects a block with others and with readings of the state, which come after the `first` blocks.
fn connect(own: Block, told: &ControlBlock, phase: f64, (first, readings): (usize, &[Reading])) -> Block {
    let period = told.setting.period;
    told.inputs.iter().fold(own, |own, connection| match connection {
        Connection::Output { block, output } => own.reads(BlockIndex(*block), *output),
        Connection::Before { block, output } => own.reads_before(BlockIndex(*block), *output),
        other => {
            let place = readings.iter().position(|known| *known == (*other, period, phase));
            own.reads(BlockIndex(first + place.unwrap_or(readings.len())), 0)
        }
    })
}

/// The column of an output of a block.
pub fn column_name(block: &ControlBlock, output: &str) -> String {
    format!("{}.{}.{output}", block.table.word(), block.name)
}

/// Columns of all outputs.
pub fn columns(scenario: &Scenario) -> Vec<Column> {
    let of_block = |block: &ControlBlock| {
        let column = |own: &[String; 3]| Column::new(column_name(block, &own[0]), own[1].as_str(), own[2].as_str());
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
