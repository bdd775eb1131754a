//! From a document to a scenario.

use std::collections::HashSet;
use std::ops::Range;
use std::path::Path;

use supple::integrate::Limits;
use supple::{BodyIndex, NodeIndex, WrenchFrame};

use super::curve::Curves;
use super::directions;
use super::event::Events;
use super::initial::{Initial, Planned};
use super::lock;
use super::names::Names;
use super::shapes::SCENARIO;
use super::{FORMAT, Motion, NodeWrench, Results, Scenario, StartAt, Torque};
use crate::change::Change;
use crate::document::convert::convert;
use crate::document::{Table, Value, check_document};
use crate::kind;
use crate::model_file::{self, ModelFile, modal};
use crate::robot;
use crate::source::folder::Folder;
use crate::source::{Finding, Report, Rule, Source, shorten, written};

/// Most results of a run.
const MAX_RESULTS: f64 = 1e9;

/// Where the model of a scenario comes from.
#[derive(Clone, Copy)]
pub(super) enum ModelFrom<'r> {
    /// The file that the scenario names, with these values in place of its own.
    File(&'r [Change]),
    /// It was read before, with what the reader passed over.
    Before(&'r (ModelFile, Vec<Finding>)),
}

/// Reads a scenario.
pub(super) fn read(source: &Source, folder: &Folder, model: ModelFrom<'_>, report: &mut Report) -> Option<Scenario> {
    check_document(source, &SCENARIO, report, |document, report| {
        modal::check_format(document, FORMAT, source, report)?;
        Reader { source, folder, model, report }.scenario(document)
    })
}

/// Reads the model of a scenario alone.
pub(super) fn read_model(
    source: &Source,
    folder: &Folder,
    model: ModelFrom<'_>,
    report: &mut Report,
) -> Option<(ModelFile, Vec<Finding>)> {
    check_document(source, &SCENARIO, report, |document, report| {
        Reader { source, folder, model, report }.model(document)
    })
}

/// Reads the tables of a scenario and reports what is wrong with them.
pub(super) struct Reader<'r> {
    pub(super) source: &'r Source,
    pub(super) folder: &'r Folder,
    model: ModelFrom<'r>,
    pub(super) report: &'r mut Report,
}

impl Reader<'_> {
    pub(super) fn add(&mut self, span: Range<usize>, rule: Rule) {
        self.report.add(self.source, span, rule);
    }

    fn scenario(mut self, document: Table<'_>) -> Option<Scenario> {
        let integrator = self.integrator(document.table("integrator"));
        self.times(document);
        let results = self.results(document.table("results"));
        // Names can only be checked against a model.
        let (mut model, mut notes) = self.model(document)?;
        let units = convert(document, &SCENARIO, &directions::of(&model), self.source, self.report);
        let locks = lock::change(&mut model, document, self.source, self.report)?;
        let names = Names::new(&model.system);
        let motions = self.motions(&document.tables("motion"), &[], &model, &names);
        let planned = document.table("feedforward").map_or(Vec::new(), |table| table.tables("motion"));
        let feedforward = self.motions(&planned, &motions, &model, &names);
        let torques = self.torques(document, &model, &names, &motions);
        let wrenches = self.wrenches(document, &model, &names);
        let closure_motions = self.closure_motions(document, &model);
        let motor_forces = self.motor_forces(document, &model);
        let nodes = self.result_nodes(document, &model, &names);
        let real_time = self.real_time(document, &model, &names);
        let mut initial = Initial { source: self.source, report: self.report, file: &model, names: &names };
        let mut state = initial.read(document.table("initial"));
        let placed = initial.placed(document.table("initial"));
        // A run without a duration is told already.
        let duration = document.number("duration").unwrap_or(1.0);
        let motions = initial.start_motions(motions, duration, &mut state);
        let feedforward = initial.start_feedforward(feedforward, duration, &state);
        initial.check_stops(document, &state);
        let blocks = self.blocks(document, &model, (&state, &motions));
        let mut events =
            Events { source: self.source, report: self.report, file: &model, names: &names, locks: &locks };
        let held = events.start(document.table("initial"), &mut state);
        let events = events.read(&document.tables("events"));
        late_motions(document, state.time + duration, self.source, self.report);
        let doubts = self.report.take_doubts();
        notes.extend(doubts.iter().cloned());
        Some(Scenario {
            name: document.text("name").map(str::to_owned),
            model_name: document.text("model")?.to_owned(),
            notes,
            doubts,
            duration: document.number("duration")?,
            output_interval: document.number("output_interval")?,
            initial: state,
            start: if document.text("start") == Some("equilibrium") { StartAt::Equilibrium } else { StartAt::Initial },
            placed,
            refuses_redundant: document.table("initial").and_then(|table| table.text("redundant_equations"))
                == Some("error"),
            integrator: integrator?,
            motions,
            feedforward,
            torques,
            wrenches,
            closure_motions,
            motor_forces,
            effort_limits: document.get("effort_limits").and_then(Value::flag).unwrap_or(true),
            blocks,
            events,
            locks,
            held,
            results: Results { nodes, ..results? },
            real_time,
            units,
            checkpoint_interval: document.number("checkpoint_interval"),
            model,
        })
    }

    /// The model, whose problems are reported in its own file.
    fn model(&mut self, document: Table<'_>) -> Option<(ModelFile, Vec<Finding>)> {
        let of_model = match self.model {
            ModelFrom::File(changes) => changes,
            ModelFrom::Before(model) => return Some(model.clone()),
        };
        let is_robot = kind::is_robot(Path::new(document.text("model")?));
        if !is_robot {
            for key in ["side_file", "lenient"] {
                if let Some(value) = document.get(key) {
                    let because = "it applies to robots (.urdf, .xml) only".into();
                    self.add(value.span(), Rule::Useless { key: key.into(), because });
                }
            }
        }
        let shared = document.get("shared").and_then(Value::flag) == Some(true);
        let path = self.path(document.get("model")?, shared)?;
        if let (Some(change), true) = (of_model.first(), is_robot) {
            let because = "a robot (.urdf, .xml) has no keys to set; import it as a model".into();
            self.add(document.span_of("model"), Rule::Useless { key: change.to_string(), because });
        }
        let name = document.text("model")?;
        let side = document.get("side_file").map(|side| Some((self.path(side, shared)?, side.text()?)));
        let read = if is_robot {
            let lenient = document.get("lenient").and_then(Value::flag).unwrap_or(false);
            let options = robot::Options { lenient, ..robot::Options::default() };
            let side = match side {
                Some(side) => Some(side?),
                None => None,
            };
            let side = side.as_ref().map(|(path, name)| (path.as_path(), *name));
            robot::read_as(&path, name, side, &options, self.folder.files()).map(|robot| (robot.file, robot.notes))
        } else {
            model_file::read_as(&path, name, of_model, self.folder.files()).map(|file| {
                let notes = file.notes.clone();
                (file, notes)
            })
        };
        read.map_err(|error| self.report.absorb(error)).ok()
    }

    fn path(&mut self, value: Value<'_>, shared: bool) -> Option<std::path::PathBuf> {
        let name = value.text()?;
        let found = if shared { self.folder.resolve_anywhere(name) } else { self.folder.resolve(name) };
        match found {
            Ok(path) => Some(path),
            Err(fault) => {
                self.add(value.span(), Rule::Path { name: shorten(name, 60), fault });
                None
            }
        }
    }

    fn times(&mut self, document: Table<'_>) {
        let (Some(duration), Some(interval)) = (document.number("duration"), document.number("output_interval")) else {
            return;
        };
        if duration / interval > MAX_RESULTS {
            let what = format!("{:e} results", duration / interval);
            let rule = Rule::Mismatch { what, expected: "at most 1e9: a longer output_interval".into() };
            self.add(document.span_of("output_interval"), rule);
        }
        // Steps that are known to be too many are refused before the first.
        let integrator = document.table("integrator");
        let told = integrator.and_then(|table| table.get("max_steps")).and_then(Value::whole);
        let most = told.map_or(Limits::default().steps as f64, |steps| steps as f64);
        for table in ["sensor", "shaper", "observer", "controller"].iter().flat_map(|table| document.tables(table)) {
            let Some(calls) = table.number("update_rate").map(|rate| rate * duration).filter(|calls| *calls > most)
            else {
                continue;
            };
            let what = format!("{calls:.3e} calls in {duration} s");
            let expected = format!(
                "at most {most:e}, with a step for each: a lower `update_rate` (controllers of robots have 100 to 10000 Hz), or more `max_steps`"
            );
            self.add(table.span_of("update_rate"), Rule::Mismatch { what, expected });
        }
        let Some(integrator) = integrator else { return };
        for key in ["step", "greatest_step"] {
            let Some(steps) = integrator.number(key).map(|step| duration / step).filter(|steps| steps.floor() > most)
            else {
                continue;
            };
            let what = format!("{steps:.3e} steps for {duration} s");
            let expected = format!("at most {most}: a longer `{key}`, or more `max_steps`");
            self.add(integrator.span_of(key), Rule::Mismatch { what, expected });
        }
    }

    /// The body of a hinge that moves.
    pub(super) fn hinge(
        &mut self,
        table: Table<'_>,
        file: &ModelFile,
        names: &Names<'_>,
    ) -> Option<(BodyIndex, usize)> {
        let value = table.get("hinge")?;
        let name = value.text()?;
        let Some(body) = names.hinge(name) else {
            let moves = |name: &&str| names.hinge(name).is_some_and(|body| !file.model.hinge_speeds(body).is_empty());
            let known = self.report.names(names.hinges().filter(moves));
            self.add(value.span(), Rule::UnknownName { kind: "hinge", name: name.to_owned(), known });
            return None;
        };
        let speeds = file.model.hinge_speeds(body).len();
        if speeds == 0 {
            let what = format!("the hinge `{name}` is fixed");
            self.add(value.span(), Rule::Mismatch { what, expected: "a hinge that can move".into() });
            return None;
        }
        Some((body, speeds))
    }

    /// Prescribed motions of hinges with one degree of freedom, at most one each; `others` already have one.
    fn motions<'d>(
        &mut self,
        tables: &[Table<'d>],
        others: &[Planned<'_>],
        file: &ModelFile,
        names: &Names<'_>,
    ) -> Vec<Planned<'d>> {
        let mut moved: HashSet<BodyIndex> = others.iter().map(|planned| planned.motion.body).collect();
        let mut motions = Vec::new();
        for table in tables.iter().copied() {
            let hinge = self.hinge(table, file, names);
            let curve = Curves { source: self.source, folder: self.folder, report: self.report }.motion(table);
            let Some((body, speeds)) = hinge else { continue };
            let name = table.text("hinge").unwrap_or_default();
            if speeds > 1 {
                let what = format!("the hinge `{name}` has {speeds} speeds");
                let rule = Rule::Mismatch { what, expected: "a hinge with one degree of freedom".into() };
                self.add(table.span_of("hinge"), rule);
            } else if !moved.insert(body) {
                let what = format!("hinge `{name}` already has a prescribed motion");
                self.add(table.span_of("hinge"), Rule::Mismatch { what, expected: "one motion per hinge".into() });
            } else if let Some(curve) = curve {
                motions.push(Planned { motion: Motion { body, curve }, table });
            }
        }
        motions
    }

    fn torques(
        &mut self,
        document: Table<'_>,
        file: &ModelFile,
        names: &Names<'_>,
        motions: &[Planned<'_>],
    ) -> Vec<Torque> {
        let mut torques: Vec<Torque> = Vec::new();
        let moved: HashSet<BodyIndex> = motions.iter().map(|planned| planned.motion.body).collect();
        for table in document.tables("torque") {
            let hinge = self.hinge(table, file, names);
            let curve = Curves { source: self.source, folder: self.folder, report: self.report }.torque(table);
            let Some((body, speeds)) = hinge else { continue };
            let name = table.text("hinge").unwrap_or_default();
            let told = table.get("speed").and_then(Value::whole);
            if moved.contains(&body) {
                let what = format!("hinge `{name}` has a prescribed motion, so a torque has no effect");
                self.add(table.span_of("hinge"), Rule::Mismatch { what, expected: "a motion or a torque".into() });
            } else if told.is_none() && speeds > 1 {
                let meaning = "which speed of the hinge, which has more than one";
                self.add(table.span_of("hinge"), Rule::MissingKey { key: "speed", meaning });
            } else if told.is_some_and(|speed| speed >= speeds) {
                let rule = Rule::Range {
                    quantity: "speed".into(),
                    value: told.unwrap_or_default() as f64,
                    expected: format!("a whole number from 0 to {}", speeds - 1),
                };
                self.add(table.span_of("speed"), rule);
            } else if let Some(curve) = curve {
                torques.push(Torque { body, speed: told.unwrap_or(0), curve });
            }
        }
        torques
    }

    fn wrenches(&mut self, document: Table<'_>, file: &ModelFile, names: &Names<'_>) -> Vec<NodeWrench> {
        let mut wrenches = Vec::new();
        for table in document.tables("wrench") {
            let place = self.node(table, file, names, true);
            let curve = Curves { source: self.source, folder: self.folder, report: self.report }.wrench(table);
            let (Some((body, node)), Some(curve)) = (place, curve) else { continue };
            let in_body = table.text("frame") == Some("body");
            let frame = if in_body { WrenchFrame::Body } else { WrenchFrame::Inertial };
            wrenches.push(NodeWrench { body, node, frame, curve });
        }
        wrenches
    }

    /// A node of a body; by default the first, or the only one where `only`.
    pub(super) fn node(
        &mut self,
        table: Table<'_>,
        file: &ModelFile,
        names: &Names<'_>,
        only: bool,
    ) -> Option<(BodyIndex, NodeIndex)> {
        let value = table.get("body")?;
        let name = value.text()?;
        let Some(body) = names.body(name) else {
            let known = self.report.names(names.bodies());
            self.add(value.span(), Rule::UnknownName { kind: "body", name: name.to_owned(), known });
            return None;
        };
        let nodes = &file.system.bodies[body.0].nodes;
        match table.get("node") {
            Some(reference) => modal::find_node(reference, nodes, self.source, self.report).map(|node| (body, node)),
            None if only && nodes.len() > 1 => {
                let meaning = "node of the body, which has more than one";
                self.add(value.span(), Rule::MissingKey { key: "node", meaning });
                None
            }
            None => Some((body, NodeIndex(0))),
        }
    }
}

/// Doubts about motions that start when the run is over.
fn late_motions(document: Table<'_>, end: f64, source: &Source, report: &mut Report) {
    for profile in
        document.tables("motion").into_iter().flat_map(Table::entries).filter_map(|(.., value)| value.table())
    {
        if let Some(start) = profile.number("start").filter(|start| *start >= end) {
            let what =
                format!("the motion starts at {} s, when the run is over, at {} s", written(start), written(end));
            report.doubt(source, profile.span_of("start"), what, "a start before the end of the run");
        }
    }
}
