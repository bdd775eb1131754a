//! Signals of blocks: what the names of inputs stand for.
//!
//! `"encoder"` is the first output of the block `encoder`, `"slew.speed"` another one, `"hinge.shoulder"` a coordinate of the state and
//! `"gyro.boom.tip.z"` a number of a node, measured without error; a number is itself. Where `reference` is a block with outputs `speed` and `acceleration`, these are the reference's too
//! unless something else is said.

use supple::{Measurement, Model};
use supple_control::block::{Hinges, Input, Needs, Otherwise};

use super::control::{Connection, ControlBlock, Draft};
use super::quantity::Watched;
use super::read::Reader;
use crate::document::Value;
use crate::source::Rule;

/// What others see of a block.
pub(super) struct KnownBlock {
    name: String,
    outputs: Vec<[String; 3]>,
    acts: Vec<usize>,
    /// Of a sensor, what it measures and with which noise.
    quantity: Option<String>,
    noise: f64,
    /// Whether its outputs are all states.
    gives_states: bool,
}

impl KnownBlock {
    pub(super) fn of(draft: &Draft<'_>) -> Self {
        let ControlBlock { name, outputs, acts, kind, .. } = &draft.block;
        Self {
            name: name.clone(),
            outputs: outputs.clone(),
            acts: acts.clone(),
            quantity: draft.table.text("quantity").map(str::to_owned),
            noise: draft.table.number("noise").unwrap_or(0.0),
            gives_states: kind.gives_states,
        }
    }
}

/// Names of blocks and of their outputs, and of what sensors measure.
pub(super) struct Signals<'s> {
    pub(super) blocks: &'s [KnownBlock],
    pub(super) quantities: &'s [(String, Watched)],
    pub(super) model: &'s Model,
}

impl Signals<'_> {
    /// What a name stands for.
    fn find(&self, name: &str) -> Option<Connection> {
        for (block, KnownBlock { name: own, outputs, .. }) in self.blocks.iter().enumerate() {
            if own == name {
                return Some(Connection::Output { block, output: 0 });
            }
            let rest = name.strip_prefix(own.as_str()).and_then(|rest| rest.strip_prefix('.'));
            if let Some(output) = rest.and_then(|rest| outputs.iter().position(|[output, ..]| output == rest)) {
                return Some(Connection::Output { block, output });
            }
        }
        Measurement::find(self.model, name).map(Connection::State)
    }

    /// All names.
    fn names(&self) -> impl Iterator<Item = String> {
        let outputs = self.blocks.iter().flat_map(|KnownBlock { name, outputs, .. }| {
            outputs
                .iter()
                .enumerate()
                .map(move |(i, [output, ..])| if i == 0 { name.clone() } else { format!("{name}.{output}") })
        });
        let state = self.quantities.iter().filter(|(_, watched)| matches!(watched, Watched::Measured(_)));
        outputs.chain(state.map(|(name, _)| name.clone()))
    }
}

impl Reader<'_> {
    /// Connects the inputs of a block.
    pub(super) fn connect(&mut self, draft: &mut Draft<'_>, signals: &Signals<'_>, model: &Model) {
        let kind = draft.block.kind;
        let hinges = if kind.hinges == Hinges::Several { draft.hinges.len() } else { 1 };
        for input in kind.inputs {
            let Some(count) = input.count(hinges) else {
                self.connect_all(draft, input, signals, model);
                continue;
            };
            if input.otherwise == Otherwise::EffortBefore {
                self.connect_efforts(draft, input, signals, model);
                continue;
            }
            let told = match draft.table.get(input.key) {
                Some(value) => self.told(value, input, count, signals),
                None => self.follow(draft, input, signals),
            };
            let found = match (told, draft.table.get(input.key)) {
                (Some(found), _) => found,
                // Reported already.
                (None, Some(_)) => continue,
                (None, None) => {
                    let Some(found) = self.usual(draft, input, count, model) else { continue };
                    if found.iter().any(|found| matches!(found, Connection::Constant(_))) {
                        draft.block.inputs.extend(found);
                        continue;
                    }
                    found
                }
            };
            draft.block.setting.connected.push(input.key);
            draft.block.inputs.extend(found);
        }
    }

    /// Connects what has as many signals as the file or the model says: measurements, or all states.
    fn connect_all(&mut self, draft: &mut Draft<'_>, input: &Input, signals: &Signals<'_>, model: &Model) {
        let value = draft.table.get(input.key);
        if input.otherwise == Otherwise::Measurements {
            let Some(value) = value else {
                self.add(draft.table.span(), Rule::MissingKey { key: input.key, meaning: input.meaning });
                return;
            };
            self.measurements(draft, value, input, signals);
            return;
        }
        let own = value.and_then(Value::text);
        let found = match (value, own) {
            (None, _) => {
                let coordinates = (0..model.coordinate_count()).map(Measurement::Coordinate);
                coordinates.chain((0..model.speed_count()).map(Measurement::Speed)).map(Connection::State).collect()
            }
            (Some(value), name) => {
                let observers = || signals.blocks.iter().enumerate().filter(|(_, block)| block.gives_states);
                let Some((block, known)) = observers().find(|(_, block)| Some(block.name.as_str()) == name) else {
                    let known = self.report.names(observers().map(|(_, block)| block.name.as_str()));
                    let name = name.unwrap_or("").to_owned();
                    self.add(value.span(), Rule::UnknownName { kind: "observer", name, known });
                    return;
                };
                (0..known.outputs.len()).map(|output| Connection::Output { block, output }).collect::<Vec<_>>()
            }
        };
        draft.block.setting.connected.push(input.key);
        draft.block.inputs.extend(found);
    }

    /// What is measured, with its names in linear models and its noise.
    fn measurements(&mut self, draft: &mut Draft<'_>, value: Value<'_>, input: &Input, signals: &Signals<'_>) {
        let count = value.items().map_or(1, Iterator::count);
        let Some(found) = self.told(value, input, count, signals) else { return };
        let told_noise = draft.table.get("sensor_noise");
        let noise = told_noise.and_then(|value| value.number().map(|x| vec![x; count]).or_else(|| value.numbers()));
        let texts = value.items().map_or_else(|| vec![value.text()], |items| items.map(|item| item.text()).collect());
        for (i, (connection, text)) in found.iter().zip(texts).enumerate() {
            let (name, own_noise) = match connection {
                Connection::Output { block, .. } => {
                    let known = &signals.blocks[*block];
                    (known.quantity.clone(), known.noise)
                }
                Connection::State(_) => (text.map(str::to_owned), 0.0),
                _ => (None, 0.0),
            };
            let Some(name) = name else {
                let what = "the filter needs to know which quantity this is".to_owned();
                let expected = "sensors, or quantities of the state".to_owned();
                self.add(value.span(), Rule::Mismatch { what, expected });
                return;
            };
            let deviation = noise.as_ref().map_or(own_noise, |noise| noise.get(i).copied().unwrap_or(0.0));
            if deviation <= 0.0 {
                let what = format!("`{name}` is measured without noise");
                let expected = "`sensor_noise` above zero for each measurement, or sensors with `noise`".to_owned();
                self.add(told_noise.unwrap_or(value).span(), Rule::Mismatch { what, expected });
                return;
            }
            draft.block.setting.measured.push(name);
            draft.block.setting.sensor_noise.push(deviation);
        }
        draft.block.setting.connected.push(input.key);
        draft.block.inputs.extend(found);
    }

    /// Efforts at the hinges as they held until the instant.
    fn connect_efforts(&mut self, draft: &mut Draft<'_>, input: &Input, signals: &Signals<'_>, model: &Model) {
        let before = |connection: Connection| match connection {
            Connection::Output { block, output } => Connection::Before { block, output },
            other => other,
        };
        if let Some(value) = draft.table.get(input.key) {
            let Some(found) = self.told(value, input, draft.hinges.len().max(1), signals) else { return };
            draft.block.inputs.extend(found.into_iter().map(before));
            return;
        }
        for body in &draft.hinges {
            let speed = model.hinge_speeds(*body).start;
            let acting = signals.blocks.iter().enumerate().filter_map(|(block, known)| {
                known.acts.iter().position(|own| *own == speed).map(|output| Connection::Before { block, output })
            });
            let mut acting = acting.collect::<Vec<_>>();
            match acting.len() {
                0 => draft.block.inputs.push(Connection::Constant(0.0)),
                1 => draft.block.inputs.extend(acting.pop()),
                several => {
                    let what = format!("{several} blocks act on a hinge of the observer");
                    let expected = "`effort` with a signal for each hinge".to_owned();
                    self.add(draft.table.span(), Rule::Mismatch { what, expected });
                    return;
                }
            }
        }
    }

    /// What the file says.
    fn told(
        &mut self,
        value: Value<'_>,
        input: &Input,
        count: usize,
        signals: &Signals<'_>,
    ) -> Option<Vec<Connection>> {
        let mut one = |value: Value<'_>| {
            if let Some(number) = value.number() {
                return Some(Connection::Constant(number));
            }
            let name = value.text()?;
            let found = signals.find(name);
            if found.is_none() {
                let all: Vec<String> = signals.names().collect();
                let known = self.report.names(all.iter().map(String::as_str));
                self.report.add(
                    self.source,
                    value.span(),
                    Rule::UnknownName { kind: "signal", name: name.to_owned(), known },
                );
            }
            found
        };
        let Some(items) = value.items() else { return one(value).map(|signal| vec![signal; count]) };
        let found: Vec<Connection> = items.map(one).collect::<Option<_>>()?;
        if found.len() == count {
            return Some(found);
        }
        let rule = Rule::Length { quantity: input.key.into(), found: found.len(), expected: count, one_per: "hinge" };
        self.add(value.span(), rule);
        None
    }

    /// Speed and acceleration of the blocks that give the position.
    fn follow(&mut self, draft: &Draft<'_>, input: &Input, signals: &Signals<'_>) -> Option<Vec<Connection>> {
        let (base, of) = input.key.rsplit_once('_').filter(|(_, of)| ["speed", "acceleration"].contains(of))?;
        let value = draft.table.get(base)?;
        let one = |value: Value<'_>| {
            let name = value.text()?;
            let name = name.strip_suffix(".position").unwrap_or(name);
            signals.find(&format!("{name}.{of}")).filter(|found| matches!(found, Connection::Output { .. }))
        };
        match value.items() {
            Some(items) => items.map(one).collect(),
            None => one(value).map(|signal| {
                vec![signal; if draft.block.kind.hinges == Hinges::Several { draft.hinges.len() } else { 1 }]
            }),
        }
    }

    /// What holds where nothing is said.
    fn usual(&mut self, draft: &Draft<'_>, input: &Input, count: usize, model: &Model) -> Option<Vec<Connection>> {
        let hinges = &draft.hinges;
        let coordinate =
            |j: usize| Connection::State(Measurement::Coordinate(model.hinge_coordinates(hinges[j]).start));
        let speed = |j: usize| Connection::State(Measurement::Speed(model.hinge_speeds(hinges[j]).start));
        match input.otherwise {
            Otherwise::Number(number) => Some(vec![Connection::Constant(number); count]),
            Otherwise::Place(_) => Some(vec![Connection::Constant(0.0)]),
            Otherwise::Coordinate if !hinges.is_empty() => Some((0..count).map(coordinate).collect()),
            Otherwise::Speed if !hinges.is_empty() => Some((0..count).map(speed).collect()),
            // The law does without.
            Otherwise::Speed => Some(vec![Connection::Constant(0.0); count]),
            Otherwise::Measurements | Otherwise::States | Otherwise::EffortBefore => None,
            Otherwise::Required | Otherwise::Coordinate => {
                self.add(draft.table.span(), Rule::MissingKey { key: input.key, meaning: input.meaning });
                None
            }
        }
    }

    /// The block, where a law can be made of it.
    pub(super) fn finish(&mut self, draft: Draft<'_>) -> Option<ControlBlock> {
        let Draft { block, table, .. } = draft;
        let hinges = if block.kind.hinges == Hinges::Several { block.setting.hinges.len() } else { 1 };
        let counts = block.kind.inputs.iter().map(|input| input.count(hinges));
        let signals: Option<usize> = counts.sum();
        if signals.is_some_and(|signals| block.inputs.len() != signals) || self.report.count() > 0 {
            return None;
        }
        // Gains of a linear model come with the run.
        if block.kind.needs == Needs::Linear {
            return Some(block);
        }
        if let Err(error) = block.law() {
            let span = table.get(error.key).map_or(table.span(), Value::span);
            let what = format!("`{}`: {}", error.key, error.what);
            self.add(span, Rule::Mismatch { what, expected: error.expected });
            return None;
        }
        Some(block)
    }
}
