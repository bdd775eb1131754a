//! How closely hinges follow their references: those of controllers, and the motions that feedforward torques are for.

use serde::{Deserialize, Serialize};
use supple::Measurement;
use supple::integrate::{BlockIndex, Simulation};
use supple::model::{Variable, VariableKind};
use supple_control::Trajectory;
use supple_io::results::TrackingStory;
use supple_io::scenario_file::{Connection, ControlBlock, Scenario};

use super::Peak;

/// Part of the way of a reference within which it has settled.
const BAND: f64 = 0.02;
/// Changes of a reference that are rounding, relative to its greatest value.
const ROUNDED: f64 = 1e-9;

/// Hinges with references.
pub struct Tracking {
    followed: Vec<Followed>,
}

struct Followed {
    hinge: String,
    unit: &'static str,
    by: String,
    coordinate: usize,
    reference: Reference,
}

enum Reference {
    Signal { block: usize, output: usize },
    Constant(f64),
    Motion(Box<Trajectory>),
}

/// What was seen of one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrackingRecord {
    error: Peak,
    last: f64,
    /// Reference: least, greatest, last; and the coordinate at the start.
    least: f64,
    greatest: f64,
    reference: f64,
    from: f64,
    seen: bool,
    /// When the error was last out of the band.
    outside: f64,
}

impl Tracking {
    /// Of a scenario.
    pub fn new(scenario: &Scenario, variables: &[Variable]) -> Self {
        let coordinate = |place: usize| {
            let own = |v: &&Variable| v.kind == VariableKind::HingeCoordinate && v.index == place;
            variables.iter().find(own).map(|v| (v.name.trim_start_matches("hinge.").to_owned(), v.unit))
        };
        let mut followed = Vec::new();
        for motion in &scenario.feedforward {
            let place = scenario.model.model.hinge_coordinates(motion.body).start;
            if let (Some((hinge, unit)), Ok(trajectory)) = (coordinate(place), scenario.trajectory(motion)) {
                let (by, reference) = ("feedforward".to_owned(), Reference::Motion(Box::new(trajectory)));
                followed.push(Followed { hinge, unit, by, coordinate: place, reference });
            }
        }
        for block in &scenario.blocks {
            for (acts, connection) in references(scenario, block) {
                let reference = match connection {
                    Connection::Output { block, output } => Reference::Signal { block, output },
                    Connection::Constant(value) => Reference::Constant(value),
                    _ => continue,
                };
                // What is compared with the reference need not be the hinge that is driven.
                let place = measured(scenario, block, acts);
                if let Some((place, (hinge, unit))) = place.and_then(|place| Some((place, coordinate(place)?))) {
                    followed.push(Followed { hinge, unit, by: block.name.clone(), coordinate: place, reference });
                }
            }
        }
        Self { followed }
    }

    /// Looks at the row that a run has reached; whether a reference that is only known as it comes has changed.
    pub fn observe(&self, run: &Simulation, records: &mut Vec<TrackingRecord>) -> bool {
        records.resize(self.followed.len(), TrackingRecord::default());
        let (state, mut changed) = (run.state(), false);
        for (own, record) in self.followed.iter().zip(records) {
            let reference = match &own.reference {
                Reference::Constant(value) => *value,
                Reference::Motion(motion) => motion.at(state.time).position,
                Reference::Signal { block, output } => {
                    let outputs = run.block_outputs(BlockIndex(*block)).unwrap_or_default();
                    outputs.get(*output).copied().unwrap_or_default()
                }
            };
            let coordinate = state.coordinates[own.coordinate];
            if !record.seen {
                *record = TrackingRecord {
                    least: reference,
                    greatest: reference,
                    reference,
                    from: coordinate,
                    seen: true,
                    ..*record
                };
            }
            let size = record.least.abs().max(record.greatest.abs()).max(reference.abs());
            let moved = (reference - record.reference).abs() > ROUNDED * size;
            changed |= moved && matches!(own.reference, Reference::Signal { .. });
            (record.least, record.greatest) = (record.least.min(reference), record.greatest.max(reference));
            (record.reference, record.last) = (reference, reference - coordinate);
            record.error.see(record.last.abs(), state.time);
        }
        changed
    }

    /// Looks at whether the errors are within their bands, since the motion has ended.
    pub fn settle(&self, time: f64, since: Option<f64>, records: &mut [TrackingRecord]) {
        for record in records {
            let way = (record.greatest - record.least).max((record.reference - record.from).abs());
            if since.is_none_or(|since| time < since) || record.last.abs() > BAND * way {
                record.outside = time;
            }
        }
    }

    /// What was seen, the greatest errors first.
    pub fn told(&self, records: &[TrackingRecord], end: Option<f64>) -> Vec<TrackingStory> {
        let told = |(own, record): (&Followed, &TrackingRecord)| {
            let way = (record.greatest - record.least).max((record.reference - record.from).abs());
            let settled = record.last.abs() <= BAND * way;
            TrackingStory {
                hinge: own.hinge.clone(),
                unit: own.unit.to_owned(),
                reference: own.by.clone(),
                greatest: record.error.value,
                time: record.error.time,
                at_end: record.last,
                settling_time: end.filter(|_| settled).map(|end| (record.outside - end).max(0.0)),
            }
        };
        let mut all: Vec<TrackingStory> = self.followed.iter().zip(records).map(told).collect();
        all.sort_by(|a, b| b.greatest.total_cmp(&a.greatest));
        all
    }
}

/// Coordinates of the hinges that a block acts on with what their references come from, where the file says so.
pub fn references(scenario: &Scenario, block: &ControlBlock) -> Vec<(usize, Connection)> {
    signals(scenario, block, "reference")
}

/// The coordinate that a block measures for the hinge with coordinate `acts` that it drives: that of the hinge itself unless the file says otherwise; none where it measures something else
/// than a coordinate.
pub fn measured(scenario: &Scenario, block: &ControlBlock, acts: usize) -> Option<usize> {
    let told = signals(scenario, block, "measured");
    let Some((_, from)) = told.iter().find(|(place, _)| *place == acts) else { return Some(acts) };
    let mut from = *from;
    // Through sensors and filters back to the state; no chain has more blocks than there are.
    for _ in 0..=scenario.blocks.len() {
        let (block, output) = match from {
            Connection::State(Measurement::Coordinate(place)) => return Some(place),
            Connection::Output { block, output } => (&scenario.blocks[block], output),
            _ => return None,
        };
        if block.kind.gives_states {
            let name = &block.outputs.get(output)?[0];
            let own = |v: &Variable| v.kind == VariableKind::HingeCoordinate && v.name == *name;
            return scenario.model.model.variables().iter().find(|v| own(v)).map(|v| v.index);
        }
        // What several signals make is none of them.
        let [only] = block.inputs[..] else { return None };
        from = only;
    }
    None
}

/// Coordinates of the hinges that a block acts on with an input of it, where that is connected.
fn signals(scenario: &Scenario, block: &ControlBlock, key: &str) -> Vec<(usize, Connection)> {
    let hinges = block.acts.len();
    let has = block.kind.inputs.iter().any(|input| input.key == key && input.count(hinges) == Some(hinges));
    if hinges == 0 || !has || !block.setting.is_connected(key) {
        return Vec::new();
    }
    let count = |input: &supple_control::block::Input| input.count(hinges);
    let known: usize = block.kind.inputs.iter().filter_map(count).sum();
    let listed = block.inputs.len().saturating_sub(known);
    let before = block.kind.inputs.iter().take_while(|input| input.key != key);
    let start: usize = before.map(|input| count(input).unwrap_or(listed)).sum();
    let sources = block.inputs.iter().skip(start);
    block.acts.iter().zip(sources).filter_map(|(speed, from)| Some((coordinate_of(scenario, *speed)?, *from))).collect()
}

/// The coordinate whose rate a speed of a hinge is; none for hinges with quaternions.
pub fn coordinate_of(scenario: &Scenario, speed: usize) -> Option<usize> {
    let model = &scenario.model.model;
    let body = model.body_indices().find(|body| model.hinge_speeds(*body).contains(&speed))?;
    let (coordinates, speeds) = (model.hinge_coordinates(body), model.hinge_speeds(body));
    (coordinates.len() == speeds.len()).then(|| coordinates.start + speed - speeds.start)
}
