//! Sensors, shapers and controllers of a scenario: read, connected by name, each made once so that a scenario that is read can be run.

use std::collections::HashMap;
use std::ops::Range;

use supple::integrate::Role;
use supple::model::VariableKind;
use supple::{BodyIndex, HingeKind, Measurement, Model, State};
use supple_bodies::rigid::rigid_system;
use supple_control::block::{
    HingePlace, Hinges, Kind, Law, Needs, PlantModel, Setting, SettingError, Takes, Value as Told, kind,
};
use supple_control::{Mode, Shaper, ShaperKind};

use super::Motion;
use super::control_shapes::{CURVES, is_controller, is_observer};
use super::control_signals::{KnownBlock, Signals};
use super::control_table::ControlTable;
use super::curve::{Curves, span_of_error};
use super::names::Names;
use super::quantity::quantities;
use super::read::Reader;
use crate::document::{Table, Value};
use crate::model_file::ModelFile;
use crate::source::Rule;

/// What a signal of a block comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Connection {
    /// An output of a block, by its place.
    Output {
        /// The block.
        block: usize,
        /// The output.
        output: usize,
    },
    /// An output of a block as it held until the instant.
    Before {
        /// The block.
        block: usize,
        /// The output.
        output: usize,
    },
    /// What a sensor without error measures.
    State(Measurement),
    /// Always the same.
    Constant(f64),
}

/// A sampled block of a scenario.
#[derive(Clone, Debug)]
pub struct ControlBlock {
    /// Its name.
    pub name: String,
    /// The table that it stands in.
    pub table: ControlTable,
    /// Its kind.
    pub kind: &'static Kind,
    /// The line of the file in which it begins.
    pub line: usize,
    /// What it is made from.
    pub setting: Setting,
    /// Time of its first call, s.
    pub phase: f64,
    /// Time until its outputs arrive, s.
    pub delay: f64,
    /// Its signals, in the order in which the law reads them.
    pub inputs: Vec<Connection>,
    /// Speeds on which the first output acts, one for each hinge.
    pub acts: Vec<usize>,
    /// Name, unit and meaning of each output, in their order.
    pub outputs: Vec<[String; 3]>,
}

impl ControlBlock {
    /// Its law, at its start.
    ///
    /// # Errors
    /// None for blocks of a scenario that was read.
    pub fn law(&self) -> Result<Law, SettingError> {
        self.kind.law(&self.setting)
    }
}

/// A table that is being read.
pub(super) struct Draft<'d> {
    pub(super) block: ControlBlock,
    pub(super) table: Table<'d>,
    pub(super) hinges: Vec<BodyIndex>,
}

impl Reader<'_> {
    /// All blocks; what is wrong with them is reported.
    pub(super) fn blocks(
        &mut self,
        document: Table<'_>,
        file: &ModelFile,
        (state, motions): (&State, &[Motion]),
    ) -> Vec<ControlBlock> {
        let names = Names::new(&file.system);
        let mut drafts: Vec<Draft<'_>> = Vec::new();
        let mut named: HashMap<&str, Range<usize>> = HashMap::new();
        use ControlTable::{Controller, Observer, Sensor, Shaper};
        for of in [Sensor, Shaper, Observer, Controller] {
            for table in document.tables(of.word()) {
                let Some((name, value)) = table.get("name").and_then(|value| Some((value.text()?, value))) else {
                    continue;
                };
                let first = named.entry(name).or_insert(value.span()).clone();
                if first != value.span() {
                    let first_line = self.source.place(first).line;
                    self.add(value.span(), Rule::DuplicateName { kind: "block", name: name.to_owned(), first_line });
                }
                drafts.extend(self.draft(of, table, file, &names));
            }
        }
        for draft in &mut drafts {
            self.material(draft, document, (file, state, &names));
            self.check_motions(draft, file, motions);
        }
        let known: Vec<KnownBlock> = drafts.iter().map(KnownBlock::of).collect();
        let signals = Signals { blocks: &known, quantities: &quantities(&file.model), model: &file.model };
        for draft in &mut drafts {
            self.connect(draft, &signals, &file.model);
        }
        self.doubt_idle(&drafts, document);
        drafts.into_iter().filter_map(|draft| self.finish(draft)).collect()
    }

    /// A block with its kind, times, hinges and outputs.
    fn draft<'d>(
        &mut self,
        of: ControlTable,
        table: Table<'d>,
        file: &ModelFile,
        names: &Names<'_>,
    ) -> Option<Draft<'d>> {
        let kind = match of {
            ControlTable::Sensor => kind("sensor")?,
            ControlTable::Shaper => kind("shaper")?,
            ControlTable::Observer => kind(table.text("kind")?).filter(|kind| is_observer(kind))?,
            ControlTable::Controller => kind(table.text("kind")?).filter(|kind| is_controller(kind))?,
        };
        let period = table.number("update_rate").filter(|rate| *rate > 0.0)?.recip();
        let mut hinges = Vec::new();
        let one = table.get("hinge").into_iter();
        for value in one.chain(table.get("hinges").and_then(Value::items).into_iter().flatten()) {
            hinges.extend(self.control_hinge(value, file, names));
        }
        self.count_hinges(kind, table, hinges.len());
        let count = if kind.hinges == Hinges::Several { hinges.len().max(1) } else { 1 };
        let hinge_name = |j: usize| {
            let body = &file.system.bodies[hinges.get(j).map_or(0, |body| body.0)];
            body.hinge.name.clone().unwrap_or_else(|| body.name.clone())
        };
        let mut outputs = Vec::new();
        for output in kind.outputs {
            for j in 0..count {
                let name =
                    if count > 1 { format!("{}.{}", output.name, hinge_name(j)) } else { output.name.to_owned() };
                outputs.push([name, unit(output.unit, file, hinges.get(j)), output.meaning.to_owned()]);
            }
        }
        if kind.gives_states {
            outputs = states(&file.model);
        }
        let acts_on_nothing = kind.needs == Needs::Trajectory || kind.hinges == Hinges::None || kind.gives_states;
        let acts = if acts_on_nothing {
            Vec::new()
        } else {
            hinges.iter().map(|body| file.model.hinge_speeds(*body).start).collect()
        };
        let block = ControlBlock {
            name: table.text("name")?.to_owned(),
            table: of,
            kind,
            setting: Setting::every(period),
            line: self.source.place(table.span()).line,
            phase: table.number("phase").unwrap_or(0.0),
            delay: table.number("delay").or(table.number("latency")).unwrap_or(0.0),
            inputs: Vec::new(),
            acts,
            outputs,
        };
        Some(Draft { block, table, hinges })
    }

    /// A hinge with one degree of freedom.
    fn control_hinge(&mut self, value: Value<'_>, file: &ModelFile, names: &Names<'_>) -> Option<BodyIndex> {
        let name = value.text()?;
        let free = |body: BodyIndex| file.model.hinge_speeds(body).len() == 1;
        match names.hinge(name) {
            Some(body) if free(body) => Some(body),
            Some(_) => {
                let what = format!("the hinge `{name}` does not have exactly one degree of freedom");
                self.add(value.span(), Rule::Mismatch { what, expected: "a hinge with one degree of freedom".into() });
                None
            }
            None => {
                let known = self.report.names(names.hinges().filter(|name| names.hinge(name).is_some_and(free)));
                self.add(value.span(), Rule::UnknownName { kind: "hinge", name: name.to_owned(), known });
                None
            }
        }
    }

    fn count_hinges(&mut self, kind: &Kind, table: Table<'_>, found: usize) {
        let told = table.get("hinge").or(table.get("hinges"));
        let (least, most) = match kind.hinges {
            Hinges::None if kind.needs == Needs::Trajectory => (0, 1),
            Hinges::None => (0, 0),
            Hinges::AtMostOne => (0, 1),
            Hinges::One => (1, 1),
            Hinges::Several => (1, usize::MAX),
        };
        if found < least && told.is_none() {
            let meaning = "the hinge on which it acts";
            self.add(table.span(), Rule::MissingKey { key: if most > 1 { "hinges" } else { "hinge" }, meaning });
        }
        if let Some(value) = told.filter(|_| found > most) {
            let what = format!("{found} hinges of a {}", kind.name);
            self.add(value.span(), Rule::Mismatch { what, expected: format!("at most {most}") });
        }
    }

    /// Parameters, and whatever else the block is made from. Keys of other kinds are reported.
    fn material(
        &mut self,
        draft: &mut Draft<'_>,
        document: Table<'_>,
        (file, state, names): (&ModelFile, &State, &Names<'_>),
    ) {
        let (table, kind) = (draft.table, draft.block.kind);
        let mut used: Vec<&str> = vec!["name", "kind", "update_rate", "phase", "delay", "latency", "hinge", "hinges"];
        used.extend(kind.parameters.iter().map(|parameter| parameter.key));
        used.extend(kind.inputs.iter().map(|input| input.key));
        match kind.needs {
            Needs::Nothing => {}
            Needs::Trajectory => used.extend(CURVES),
            Needs::Shaper => used.extend(["frequency", "damping", "tolerance"]),
            Needs::Model => used.push("model"),
            Needs::Node => used.extend(["model", "body", "node"]),
            Needs::Linear => {}
        }
        for (key, _, value) in table.entries().filter(|(key, ..)| !used.contains(key)) {
            let because = format!("a {} has none", kind.name);
            self.add(value.span(), Rule::Useless { key: key.to_owned(), because });
        }
        for parameter in kind.parameters {
            let Some(value) = table.get(parameter.key) else {
                if matches!(parameter.takes, Takes::Number(_) | Takes::Numbers) {
                    self.add(table.span(), Rule::MissingKey { key: parameter.key, meaning: parameter.meaning });
                }
                continue;
            };
            let told = match parameter.takes {
                Takes::Flag => value.flag().map(Told::Flag),
                Takes::Word(_) => value.text().map(|word| Told::Word(word.to_owned())),
                _ => value.number().map(Told::Number).or_else(|| value.numbers().map(Told::Numbers)),
            };
            draft.block.setting.values.extend(told.map(|told| (parameter.key, told)));
        }
        match kind.needs {
            Needs::Nothing => {}
            Needs::Trajectory => self.trajectory(draft, document, file, state),
            Needs::Shaper => self.shaper(draft),
            Needs::Model | Needs::Node | Needs::Linear => self.plant(draft, file, state, names),
        }
    }

    fn trajectory(&mut self, draft: &mut Draft<'_>, document: Table<'_>, file: &ModelFile, state: &State) {
        let table = draft.table;
        let told: Vec<&'static str> = CURVES.into_iter().filter(|key| table.get(key).is_some()).collect();
        if told.len() != 1 {
            self.add(table.span(), Rule::OneOf { keys: CURVES.to_vec(), found: told });
            return;
        }
        let Some(curve) = (Curves { source: self.source, folder: self.folder, report: self.report }).motion(table)
        else {
            return;
        };
        let start =
            draft.hinges.first().map_or(0.0, |body| state.coordinates[file.model.hinge_coordinates(*body).start]);
        match curve.trajectory(start, document.number("duration").unwrap_or(1.0)) {
            Ok(trajectory) => draft.block.setting.trajectory = Some(trajectory),
            Err(error) => self.add(span_of_error(table, &error), Rule::Profile(error)),
        }
    }

    fn shaper(&mut self, draft: &mut Draft<'_>) {
        let table = draft.table;
        let list =
            |key: &str| table.get(key).and_then(|value| value.number().map(|x| vec![x]).or_else(|| value.numbers()));
        let Some(frequencies) = list("frequency").filter(|all| !all.is_empty()) else { return };
        let dampings = list("damping").unwrap_or_else(|| vec![0.0]);
        if dampings.len() != 1 && dampings.len() != frequencies.len() {
            let rule = Rule::Length {
                quantity: "damping".into(),
                found: dampings.len(),
                expected: frequencies.len(),
                one_per: "frequency",
            };
            self.add(table.span_of("damping"), rule);
            return;
        }
        let Some(mut kind) = table.text("kind").and_then(ShaperKind::named) else { return };
        if let Some(tolerance) = table.number("tolerance") {
            kind = kind.with_tolerance(tolerance);
        }
        let mode = |(i, frequency): (usize, &f64)| Mode {
            frequency: *frequency,
            damping: dampings[i.min(dampings.len() - 1)],
        };
        let modes: Vec<Mode> = frequencies.iter().enumerate().map(mode).collect();
        match Shaper::for_modes(kind, &modes) {
            Ok(shaper) => draft.block.setting.shaper = Some(shaper),
            Err(error) => {
                self.add(table.span(), Rule::Mismatch { what: error.what(), expected: error.remedy().into() })
            }
        }
    }

    /// The model inside the controller.
    fn plant(&mut self, draft: &mut Draft<'_>, file: &ModelFile, state: &State, names: &Names<'_>) {
        let table = draft.table;
        let kind = draft.block.kind;
        let flexible =
            table.text("model") == Some("flexible") || kind.needs == Needs::Linear || kind.role == Role::Observer;
        let made = if flexible { Ok(file.model.clone()) } else { Model::build(&rigid_system(&file.system)) };
        let model = match made {
            Ok(model) => model,
            Err(error) => {
                let what = format!("the model without its modes cannot be built: {error}");
                self.add(table.span(), Rule::Mismatch { what, expected: "`model = \"flexible\"`".into() });
                return;
            }
        };
        let node = match draft.block.kind.needs {
            Needs::Node if table.get("body").is_none() => {
                self.add(table.span(), Rule::MissingKey { key: "body", meaning: "body of the node" });
                None
            }
            Needs::Node => self.node(table, file, names, true),
            _ => None,
        };
        let plant = &file.model;
        let pairs = |theirs: Range<usize>, own: Range<usize>| theirs.zip(own).map(|(a, b)| [a, b]).collect::<Vec<_>>();
        let (mut coordinates, mut speeds) = (Vec::new(), Vec::new());
        for body in plant.body_indices() {
            coordinates.extend(pairs(plant.hinge_coordinates(body), model.hinge_coordinates(body)));
            speeds.extend(pairs(plant.hinge_speeds(body), model.hinge_speeds(body)));
        }
        if flexible {
            coordinates = (0..plant.coordinate_count()).map(|i| [i, i]).collect();
            speeds = (0..plant.speed_count()).map(|i| [i, i]).collect();
        }
        let place =
            |model: &Model, body: BodyIndex| [model.hinge_coordinates(body).start, model.hinge_speeds(body).start];
        let hinges =
            draft.hinges.iter().map(|body| HingePlace { plant: place(plant, *body), own: place(&model, *body) });
        draft.block.setting.hinges = hinges.collect();
        let mut start = State::new(&model);
        coordinates.iter().for_each(|&[theirs, own]| start.coordinates[own] = state.coordinates[theirs]);
        speeds.iter().for_each(|&[theirs, own]| start.speeds[own] = state.speeds[theirs]);
        start.turn_nodes(&model);
        draft.block.setting.start = Some(start);
        draft.block.setting.plant = Some(PlantModel { model, coordinates, speeds, node });
    }
}

/// All states of a model as outputs, coordinates before speeds.
fn states(model: &Model) -> Vec<[String; 3]> {
    let variables = model.variables();
    let of = |kinds: [VariableKind; 2], meaning: &'static str| {
        let mut found: Vec<_> = variables.iter().filter(|variable| kinds.contains(&variable.kind)).collect();
        found.sort_by_key(|variable| variable.index);
        found.into_iter().map(move |v| [v.name.clone(), v.unit.to_owned(), meaning.to_owned()]).collect::<Vec<_>>()
    };
    let mut out = of([VariableKind::HingeCoordinate, VariableKind::ModalCoordinate], "estimate of a coordinate");
    out.extend(of([VariableKind::HingeSpeed, VariableKind::ModalSpeed], "estimate of a speed"));
    out
}

/// The unit of an output: of those of angles and of lengths, that of the hinge; none where there is no hinge.
fn unit(told: &str, file: &ModelFile, hinge: Option<&BodyIndex>) -> String {
    let Some((angle, length)) = told.split_once(", ") else { return told.to_owned() };
    let is_length = |body: &BodyIndex| matches!(file.system.bodies[body.0].hinge.kind, HingeKind::Prismatic { .. });
    hinge.map_or("1", |body| if is_length(body) { length } else { angle }).to_owned()
}
