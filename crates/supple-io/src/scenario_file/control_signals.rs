//! Signals of blocks: what the names of inputs stand for.
//!
//! `"encoder"` is the first output of the block `encoder`, `"slew.speed"` another one, `"hinge.shoulder"` a coordinate of the state, measured
//! without error; a number is itself. Where `reference` is a block with outputs `speed` and `acceleration`, these are the reference's too
//! unless something else is said.

use supple::Model;
use supple_control::block::{Hinges, Input, Otherwise};

use super::control::{Connection, ControlBlock, Draft};
use super::quantity::Watched;
use super::read::Reader;
use crate::document::Value;
use crate::source::Rule;

/// Names of blocks and of their outputs, and of quantities of the state.
pub(super) struct Signals<'s> {
    pub(super) blocks: &'s [(String, Vec<[String; 3]>)],
    pub(super) quantities: &'s [(String, Watched)],
}

impl Signals<'_> {
    /// What a name stands for.
    fn find(&self, name: &str) -> Option<Connection> {
        for (block, (own, outputs)) in self.blocks.iter().enumerate() {
            if own == name {
                return Some(Connection::Output { block, output: 0 });
            }
            let rest = name.strip_prefix(own.as_str()).and_then(|rest| rest.strip_prefix('.'));
            if let Some(output) = rest.and_then(|rest| outputs.iter().position(|[output, ..]| output == rest)) {
                return Some(Connection::Output { block, output });
            }
        }
        let found = self.quantities.iter().find(|(quantity, _)| quantity == name)?.1;
        matches!(found, Watched::Coordinate(_) | Watched::Speed(_)).then_some(Connection::State(found))
    }

    /// All names.
    fn names(&self) -> impl Iterator<Item = String> {
        let outputs = self.blocks.iter().flat_map(|(name, outputs)| {
            outputs
                .iter()
                .enumerate()
                .map(move |(i, [output, ..])| if i == 0 { name.clone() } else { format!("{name}.{output}") })
        });
        let state =
            self.quantities.iter().filter(|(_, watched)| matches!(watched, Watched::Coordinate(_) | Watched::Speed(_)));
        outputs.chain(state.map(|(name, _)| name.clone()))
    }
}

impl Reader<'_> {
    /// Connects the inputs of a block.
    pub(super) fn connect(&mut self, draft: &mut Draft<'_>, signals: &Signals<'_>, model: &Model) {
        let kind = draft.block.kind;
        let hinges = if kind.hinges == Hinges::Several { draft.hinges.len() } else { 1 };
        for input in kind.inputs {
            let count = input.count(hinges);
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
        let coordinate = |j: usize| Connection::State(Watched::Coordinate(model.hinge_coordinates(hinges[j]).start));
        let speed = |j: usize| Connection::State(Watched::Speed(model.hinge_speeds(hinges[j]).start));
        match input.otherwise {
            Otherwise::Number(number) => Some(vec![Connection::Constant(number); count]),
            Otherwise::Place(_) => Some(vec![Connection::Constant(0.0)]),
            Otherwise::Coordinate if !hinges.is_empty() => Some((0..count).map(coordinate).collect()),
            Otherwise::Speed if !hinges.is_empty() => Some((0..count).map(speed).collect()),
            // The law does without.
            Otherwise::Speed => Some(vec![Connection::Constant(0.0); count]),
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
        let signals: usize = block.kind.inputs.iter().map(|input| input.count(hinges)).sum();
        if block.inputs.len() != signals || self.report.count() > 0 {
            return None;
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
