//! Which block of a scenario belongs to which program, and what they tell each other: sensors are the plant's, everything else is the controller's.
//!
//! The plant sends what its sensors read and what controllers read of the state, position and speed of every drive among it; the controller sends the outputs of all its
//! blocks. Both keep the numbers of all blocks, so that each reads and records what it would in one program.

use std::ops::Range;

use supple::integrate::{BlockIndex, Brake};
use supple::model::VariableKind;
use supple::{BodyIndex, Measurement, State};
use supple_control::block::Needs;
use supple_control::realtime::{Bounds, DriveLimits, DriveSignals, Key, LinkPlan, MOST_VALUES};
use supple_io::results::Column;
use supple_io::scenario_file::{Connection, ControlBlock, ControlTable, Scenario};

use crate::RunError;
use crate::control::{self, Begin, Reading};

/// Instants nearer than this, relative to the period, are one.
const SAME: f64 = 1e-9;

/// A hinge counts as held where its damper would give less than this share of the greatest effort.
const SLOW: f64 = 0.01;

/// What goes over a link.
#[derive(Clone, Debug)]
pub struct Wiring {
    /// Time between frames: that of the fastest controller.
    pub(crate) period: f64,
    /// What reads the state without a sensor.
    pub(crate) readings: Vec<Reading>,
    /// What the plant sends.
    pub(crate) measurements: Vec<WireSignal>,
    /// What the controller sends.
    pub(crate) commands: Vec<WireSignal>,
    /// Hinges on which the controller acts.
    pub(crate) drives: Vec<WireDrive>,
    /// All coordinates and speeds among the measurements, where a controller knows the state of the plant.
    pub(crate) state: [Vec<usize>; 2],
    /// Of each block whether it is the controller's.
    is_controller: Vec<bool>,
    layout: u64,
}

/// A signal.
#[derive(Clone, Debug)]
pub(crate) struct WireSignal {
    /// The block, a reading included, and its output.
    pub block: BlockIndex,
    pub output: usize,
    /// Name, unit and meaning.
    pub column: Column,
}

/// A drive.
#[derive(Clone, Debug)]
pub(crate) struct WireDrive {
    pub body: BodyIndex,
    /// Its coordinate and speed in the state.
    pub coordinate_place: usize,
    pub speed_place: usize,
    /// Whether it turns.
    is_angle: bool,
    /// Position and speed among the measurements, and the commands that act.
    pub position: usize,
    pub speed: usize,
    pub efforts: Vec<usize>,
    pub limits: DriveLimits,
    pub brake: f64,
    /// Whether its brake can hold the hinge, and not damp it only.
    pub holds: bool,
}

impl WireDrive {
    /// The brake that holds its hinge, where there is one.
    pub fn holding_brake(&self) -> Option<Brake> {
        let (body, most) = (self.body, self.limits.effort);
        self.holds.then(|| Brake { body, most, slow: SLOW * most / self.brake })
    }
}

impl Wiring {
    /// Of a scenario.
    ///
    /// # Errors
    /// A scenario without controllers, or whose controllers have no common rate; more signals than a frame can hold.
    pub fn of(scenario: &Scenario) -> Result<Self, RunError> {
        let told = &scenario.blocks;
        let is_controller: Vec<bool> = told.iter().map(|block| block.table != ControlTable::Sensor).collect();
        let period = common_period(told.iter().filter(|block| block.table != ControlTable::Sensor))?;
        let columns = control::columns(scenario);
        let mut firsts = vec![0];
        told.iter().for_each(|block| firsts.push(firsts[firsts.len() - 1] + block.outputs.len()));
        let signal = |block: usize, output: usize| WireSignal {
            block: BlockIndex(block),
            output,
            column: columns[firsts[block] + output].clone(),
        };
        let controllers = (0..told.len()).filter(|block| is_controller[*block]);
        let commands: Vec<WireSignal> = controllers
            .flat_map(|block| (0..told[block].outputs.len()).map(move |o| (block, o)))
            .map(|(b, o)| signal(b, o))
            .collect();
        let mut own = Self {
            period,
            readings: control::readings(scenario, Begin::Fresh),
            measurements: Vec::new(),
            commands,
            drives: Vec::new(),
            state: Default::default(),
            is_controller,
            layout: 0,
        };
        for block in told.iter().filter(|block| block.table != ControlTable::Sensor) {
            for connection in &block.inputs {
                match *connection {
                    Connection::Output { block, output } | Connection::Before { block, output } => {
                        if !own.is_controller[block] {
                            own.measure(signal(block, output));
                        }
                    }
                    Connection::Constant(_) => {}
                    state => {
                        own.read_state(scenario, (state, block.setting.period, block.phase));
                    }
                }
            }
        }
        own.find_drives(scenario, &signal);
        own.tell_state(scenario)?;
        let most = own.measurements.len().max(own.commands.len());
        if most > MOST_VALUES {
            return Err(RunError::unsupported(format!("{most} signals in one direction, a frame holds {MOST_VALUES}")));
        }
        own.layout = own.identity(scenario);
        Ok(own)
    }

    /// The place of a measurement, which is sent from now on.
    fn measure(&mut self, signal: WireSignal) -> usize {
        let known = |told: &WireSignal| (told.block, told.output) == (signal.block, signal.output);
        self.measurements.iter().position(known).unwrap_or_else(|| {
            self.measurements.push(signal);
            self.measurements.len() - 1
        })
    }

    /// The same of a reading of the state.
    fn read_state(&mut self, scenario: &Scenario, reading: Reading) -> usize {
        let place = self.readings.iter().position(|known| *known == reading).unwrap_or_else(|| {
            self.readings.push(reading);
            self.readings.len() - 1
        });
        let mut column = column_of(scenario, reading.0, place);
        // The same quantity at other instants has another name.
        if self
            .measurements
            .iter()
            .any(|told| told.column.name == column.name && told.block.0 != scenario.blocks.len() + place)
        {
            column.name += &format!(".{place}");
        }
        self.measure(WireSignal { block: BlockIndex(scenario.blocks.len() + place), output: 0, column })
    }

    /// Controllers with a model of the plant know its state as it is.
    fn tell_state(&mut self, scenario: &Scenario) -> Result<(), RunError> {
        let knows = |block: &&ControlBlock| matches!(block.kind.needs, Needs::Model | Needs::Node);
        let Some(block) = scenario.blocks.iter().find(knows) else { return Ok(()) };
        let State { coordinates, speeds, attitudes, closed, .. } = &scenario.initial;
        if !attitudes.is_empty() || !closed.is_empty() {
            let what = if attitudes.is_empty() { "closures" } else { "integrated elastic rotations" };
            let message =
                format!("controller `{}` needs the state of the plant, whose {what} frames do not contain", block.name);
            let remedy = "use a controller with measured signals, or `supple run`";
            return Err(RunError::unsupported(message).with_remedy(remedy));
        }
        let (coordinates, speeds, period) = (coordinates.len(), speeds.len(), self.period);
        let mut read = |quantity| self.read_state(scenario, (Connection::State(quantity), period, 0.0));
        let coordinates = (0..coordinates).map(|i| read(Measurement::Coordinate(i))).collect();
        self.state = [coordinates, (0..speeds).map(|i| read(Measurement::Speed(i))).collect()];
        Ok(())
    }

    fn find_drives(&mut self, scenario: &Scenario, signal: &dyn Fn(usize, usize) -> WireSignal) {
        let model = &scenario.model.model;
        for (index, block) in scenario.blocks.iter().enumerate() {
            for (output, &speed_place) in block.acts.iter().enumerate() {
                let acts = |told: &WireSignal| told.block == BlockIndex(index) && told.output == output;
                let Some(command) = self.commands.iter().position(acts) else { continue };
                if let Some(known) = self.drives.iter_mut().find(|drive| drive.speed_place == speed_place) {
                    known.efforts.push(command);
                    continue;
                }
                let of_speed = |body: &BodyIndex| model.hinge_speeds(*body).contains(&speed_place);
                let Some(body) = model.body_indices().find(of_speed) else { continue };
                let coordinate_place = model.hinge_coordinates(body).start;
                let mut find = |quantity: Measurement| {
                    let reads = |block: &ControlBlock| {
                        block.table == ControlTable::Sensor
                            && block.inputs.first() == Some(&Connection::State(quantity))
                    };
                    match scenario.blocks.iter().position(reads) {
                        Some(sensor) => self.measure(signal(sensor, 0)),
                        None => self.read_state(scenario, (Connection::State(quantity), self.period, 0.0)),
                    }
                };
                let position = find(Measurement::Coordinate(coordinate_place));
                let speed = find(Measurement::Speed(speed_place));
                let rules = scenario.real_time.drives.iter().find(|rules| rules.body == body);
                let brake = rules.map_or(0.0, |rules| rules.brake);
                let is_moved = scenario.motions.iter().any(|motion| motion.body == body);
                let is_simple = model.hinge_speeds(body).len() == 1 && model.closures().is_empty();
                self.drives.push(WireDrive {
                    body,
                    coordinate_place,
                    speed_place,
                    is_angle: column_of(scenario, Connection::State(Measurement::Coordinate(coordinate_place)), 0).unit
                        == "rad",
                    position,
                    speed,
                    efforts: vec![command],
                    limits: rules.map_or(DriveLimits::default(), |rules| rules.limits),
                    brake,
                    holds: brake > 0.0 && is_simple && !is_moved,
                });
            }
        }
    }

    /// Whether a block of the scenario is the controller's.
    pub(crate) fn is_controller(&self, block: usize) -> bool {
        self.is_controller[block]
    }

    /// The commands that are outputs of a block.
    pub(crate) fn commands_of(&self, block: usize) -> Range<usize> {
        let first = self.commands.iter().position(|command| command.block.0 == block).unwrap_or(0);
        let count = self.commands.iter().filter(|command| command.block.0 == block).count();
        first..first + count
    }

    /// A number that differs where signals or blocks do.
    pub(crate) fn layout(&self) -> u64 {
        self.layout
    }

    fn identity(&self, scenario: &Scenario) -> u64 {
        let names =
            |signals: &[WireSignal]| signals.iter().map(|signal| signal.column.name.clone()).collect::<Vec<_>>();
        let parts = (names(&self.measurements), names(&self.commands), self.period, &scenario.real_time);
        Key::default().checksum(format!("{parts:?}{}", control::identity(scenario)).as_bytes())
    }

    /// What both ends agree on, of a scenario that starts in a state.
    pub(crate) fn plan(&self, scenario: &Scenario, start: &State) -> LinkPlan {
        let mut bounds = vec![Bounds::default(); self.measurements.len()];
        let mut expected = Vec::new();
        for drive in &self.drives {
            bounds[drive.position] = drive.limits.position_bounds(drive.is_angle);
            bounds[drive.speed] = drive.limits.speed_bounds();
            expected.push((drive.position, start.coordinates[drive.coordinate_place]));
        }
        let drive = |drive: &WireDrive| DriveSignals {
            position: drive.position,
            speed: drive.speed,
            efforts: drive.efforts.clone(),
            limits: drive.limits,
        };
        let latency = scenario.blocks.iter().filter(|block| block.table == ControlTable::Sensor);
        let latency = latency.map(|block| block.phase + block.delay).fold(0.0, f64::max);
        LinkPlan {
            start: start.time,
            period: self.period,
            measurements: bounds,
            expected,
            // Readings with latency are zero until the first one arrives.
            warm_up: if latency > 0.0 { (latency / self.period).ceil() as u64 + 2 } else { 0 },
            commands: self.commands.len(),
            drives: self.drives.iter().map(drive).collect(),
            losses: scenario.real_time.losses,
            policy: scenario.real_time.deadline,
        }
    }
}

/// The period of the fastest block, of which all others are whole multiples.
fn common_period<'b>(blocks: impl Iterator<Item = &'b ControlBlock> + Clone) -> Result<f64, RunError> {
    let Some(fastest) = blocks.clone().min_by(|a, b| a.setting.period.total_cmp(&b.setting.period)) else {
        return Err(RunError::unsupported("the scenario has no controller that could run in another program")
            .with_remedy("add a `[[controller]]`, or use `supple run`"));
    };
    let period = fastest.setting.period;
    for block in blocks {
        for (what, time) in [("is called every", block.setting.period), ("is called first after", block.phase)] {
            let cycles = time / period;
            if (cycles - cycles.round()).abs() > SAME * cycles.max(1.0) {
                let message = format!(
                    "block `{}` {what} {time} s, which is not a whole number of cycles of {period} s of block `{}`",
                    block.name, fastest.name
                );
                return Err(RunError::unsupported(message).with_remedy("choose rates with whole ratios"));
            }
        }
    }
    Ok(period)
}

/// The column of a quantity of the state.
fn column_of(scenario: &Scenario, connection: Connection, place: usize) -> Column {
    use VariableKind::{HingeCoordinate, HingeSpeed, ModalCoordinate, ModalSpeed};
    let (kinds, index) = match connection {
        Connection::State(Measurement::Coordinate(index)) => ([HingeCoordinate, ModalCoordinate], index),
        Connection::State(Measurement::Speed(index)) => ([HingeSpeed, ModalSpeed], index),
        _ => return Column::new(format!("reading.{place}"), "1", "a quantity of a node, as a controller reads it"),
    };
    let variables = scenario.model.model.variables();
    let found = variables.iter().find(|variable| kinds.contains(&variable.kind) && variable.index == index);
    found.map_or_else(
        || Column::new(format!("reading.{place}"), "1", "a quantity of the state"),
        |variable| Column::new(variable.name.clone(), variable.unit, variable.description),
    )
}
