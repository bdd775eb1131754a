//! What drives the instances: a law of control, recorded once, evaluated before a step where the states are.

use crate::error::{GpuError, LawError};
use supple::spatial::{Scalar, Traced};
use supple::{Model, State};
use supple_compile::{Program, Signal, record_function};

/// How many numbers of each kind a law has beside the state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LawSizes {
    /// Columns of the table, a row of which is read in each update: references, feedforward, time.
    pub columns: usize,
    /// Numbers of each instance: references, gains.
    pub numbers: usize,
    /// Random numbers from 0 to 1 of each update.
    pub noise: usize,
}

/// What a law sees in an update.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// Coordinates, as [`State::coordinates`].
    pub coordinates: &'a [Traced],
    /// Components of integrated attitudes, four each.
    pub attitudes: &'a [Traced],
    /// Speeds.
    pub speeds: &'a [Traced],
    /// What the law left in its last update.
    pub memory: &'a [Traced],
    /// The row of the table.
    pub row: &'a [Traced],
    /// Numbers of the instance.
    pub numbers: &'a [Traced],
    /// Random numbers from 0 to 1.
    pub noise: &'a [Traced],
}

/// What a law gives.
#[derive(Clone, Debug, Default)]
pub struct Acts {
    /// Forces, one for each speed, then one for each motor among the force elements.
    pub forces: Vec<Traced>,
    /// What it remembers.
    pub memory: Vec<Traced>,
}

/// A law of control, with the memory that instances start with.
#[derive(Clone, Debug)]
pub struct Law {
    pub(crate) program: Program,
    pub(crate) sizes: LawSizes,
    pub(crate) memory: Vec<f64>,
    /// Steps between updates.
    pub(crate) every: usize,
}

/// A hinge that follows a table: `force + stiffness (offset + scale · angle - q) + damping (scale · speed - q̇)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Tracked {
    /// Its name: a hinge of one axis.
    pub hinge: String,
    /// Force per angle, N m/rad or N/m.
    pub stiffness: f64,
    /// Force per speed.
    pub damping: f64,
}

impl Law {
    /// Records a law that starts with `memory`. It may be any function of what it sees: `work` runs once, on symbols.
    ///
    /// # Errors
    /// As many forces as the model has speeds and motors, and as many remembered numbers as before, are needed.
    pub fn record(
        model: &Model,
        sizes: LawSizes,
        memory: &[f64],
        work: impl FnOnce(Seen<'_>) -> Acts,
    ) -> Result<Self, GpuError> {
        let state = State::new(model);
        let (coordinates, attitudes) = (state.coordinates.len(), 4 * state.attitudes.len());
        let forces = force_count(model);
        let mut sample = state.coordinates.clone();
        sample.extend(state.attitudes.iter().flat_map(|q| q.0));
        sample.extend(&state.speeds);
        let own = sample.len();
        sample.extend(memory);
        sample.resize(sample.len() + sizes.columns + sizes.numbers + sizes.noise, 0.5);
        let named =
            |kind: &str, count: usize| (0..count).map(|i| signal(format!("{kind}.{}", i + 1))).collect::<Vec<_>>();
        let inputs = [
            named("state", own),
            named("memory", memory.len()),
            named("row", sizes.columns),
            named("number", sizes.numbers),
            named("noise", sizes.noise),
        ]
        .concat();
        let outputs = [named("force", forces), named("memory", memory.len())].concat();
        let mut given = (0, 0);
        let done = record_function("law", (inputs, &sample), outputs, |x| {
            let (state, rest) = x.split_at(own);
            let (held, rest) = rest.split_at(memory.len());
            let (row, rest) = rest.split_at(sizes.columns);
            let (numbers, noise) = rest.split_at(sizes.numbers);
            let (coordinates, turns) = state.split_at(coordinates);
            let (attitudes, speeds) = turns.split_at(attitudes);
            let acts = work(Seen { coordinates, attitudes, speeds, memory: held, row, numbers, noise });
            given = (acts.forces.len(), acts.memory.len());
            [acts.forces, acts.memory].concat()
        });
        let wrong = |found, expected| LawError::Results(supple_compile::Refused::WrongSize { found, expected });
        if given != (forces, memory.len()) {
            let (found, expected) = if given.0 == forces { (given.1, memory.len()) } else { (given.0, forces) };
            return Err(wrong(found, expected).into());
        }
        let program = done.map_err(LawError::Results)?.scheduled();
        Ok(Self { program, sizes, memory: memory.to_vec(), every: 1 })
    }

    /// Hinges that follow a table by feedforward and proportional-derivative control. Columns of the table, for each hinge: angle, speed, force.
    /// Numbers of an instance, for each hinge: offset and scale of the angle.
    ///
    /// # Errors
    /// A hinge that the model does not have, or that has more than one axis.
    pub fn tracking(model: &Model, hinges: &[Tracked]) -> Result<Self, GpuError> {
        let places = hinges.iter().map(|hinge| one_axis(model, &hinge.hinge)).collect::<Result<Vec<_>, _>>()?;
        let forces = force_count(model);
        let sizes = LawSizes { columns: 3 * hinges.len(), numbers: 2 * hinges.len(), noise: 0 };
        Self::record(model, sizes, &[], |seen| {
            let mut acts = Acts { forces: vec![Traced::ZERO; forces], memory: Vec::new() };
            for (i, (hinge, (coordinate, speed))) in hinges.iter().zip(&places).enumerate() {
                let [offset, scale] = [seen.numbers[2 * i], seen.numbers[2 * i + 1]];
                let [angle, rate, force] = [seen.row[3 * i], seen.row[3 * i + 1], seen.row[3 * i + 2]];
                let lag = offset + scale * angle - seen.coordinates[*coordinate];
                let slow = scale * rate - seen.speeds[*speed];
                let [stiffness, damping] = [hinge.stiffness, hinge.damping].map(Traced::from_f64);
                acts.forces[*speed] = damping.mul_add(slow, stiffness.mul_add(lag, force));
            }
            acts
        })
    }

    /// The same, updated every so many steps; forces are held between.
    ///
    /// # Errors
    /// Zero steps.
    pub fn every(self, steps: usize) -> Result<Self, GpuError> {
        if steps == 0 { Err(LawError::NeverUpdated.into()) } else { Ok(Self { every: steps, ..self }) }
    }
}

/// Forces that a step takes: one for each speed and each motor.
pub(crate) fn force_count(model: &Model) -> usize {
    model.speed_count() + supple::Inputs::new(model).element_forces.len()
}

fn signal(name: String) -> Signal {
    Signal { name, unit: "SI".into() }
}

/// Places of the coordinate and the speed of a hinge of one axis.
pub fn one_axis(model: &Model, hinge: &str) -> Result<(usize, usize), LawError> {
    let refused = |reason| LawError::Hinge { hinge: hinge.into(), reason };
    let found = model.hinge(hinge).map_err(|_| refused("the model has no hinge of this name"))?;
    let (coordinates, speeds) = (found.coordinates(), found.speeds());
    if coordinates.len() == 1 && speeds.len() == 1 {
        Ok((coordinates.start, speeds.start))
    } else {
        Err(refused("it does not have exactly one axis; write your own law with Law::record"))
    }
}
