//! Where the motion starts.

use supple::{HingeKind, State};
use supple_bodies::damping::relaxing;
use supple_control::Sample;

use super::curve::span_of_error;
use super::names::Names;
use super::stops::{beyond_stops, stops};
use super::{Motion, MotionCurve};
use crate::document::{Table, Value};
use crate::model_file::ModelFile;
use crate::source::{Report, Rule, Source, written};

/// How far the length of a quaternion may be from one; it is scaled to one.
const UNIT_TOLERANCE: f64 = 1e-6;

/// How far from the hinge's coordinate a planned motion may start, relative to one radian or metre.
const START_TOLERANCE: f64 = 1e-9;

/// A motion with its table.
pub(super) struct Planned<'d> {
    pub(super) motion: Motion,
    pub(super) table: Table<'d>,
}

/// The initial state; names and sizes that do not fit the model are reported.
pub(super) struct Initial<'r> {
    pub(super) source: &'r Source,
    pub(super) report: &'r mut Report,
    pub(super) file: &'r ModelFile,
    pub(super) names: &'r Names<'r>,
}

impl Initial<'_> {
    /// Of the table `initial`, where there is one.
    pub(super) fn read(&mut self, table: Option<Table<'_>>) -> State {
        let model = &self.file.model;
        let mut state = State::new(model);
        let Some(table) = table else { return state };
        for (key, of_hinge, speeds) in [
            ("hinges", true, false),
            ("hinge_speeds", true, true),
            ("modes", false, false),
            ("mode_speeds", false, true),
        ] {
            for (name, span, value) in table.table(key).into_iter().flat_map(Table::entries) {
                let body = if of_hinge { self.names.hinge(name) } else { self.names.body(name) };
                let Some(body) = body else {
                    let (kind, known) = if of_hinge {
                        ("hinge", self.report.names(self.names.hinges()))
                    } else {
                        ("body", self.report.names(self.names.bodies()))
                    };
                    self.report.add(self.source, span, Rule::UnknownName { kind, name: name.to_owned(), known });
                    continue;
                };
                let range = match (of_hinge, speeds) {
                    (true, false) => model.hinge_coordinates(body),
                    (true, true) => model.hinge_speeds(body),
                    (false, false) => model.modal_coordinates(body),
                    (false, true) => model.modal_speeds(body),
                };
                let target = &mut (if speeds { &mut state.speeds } else { &mut state.coordinates })[range];
                if of_hinge {
                    self.fill(value, name, target, "number of the hinge");
                } else {
                    self.fill_modes(value, name, target, (body, speeds));
                }
            }
        }
        self.quaternions(table, &mut state);
        if table.get("inside_stops").and_then(Value::flag) == Some(true) {
            for stop in stops(&self.file.system, model) {
                let at = &mut state.coordinates[stop.coordinate];
                *at = at.max(stop.lower).min(stop.upper);
            }
        }
        state.turn_nodes(model);
        state
    }

    /// Per body, whether the table says where its hinge starts.
    pub(super) fn placed(&self, table: Option<Table<'_>>) -> Vec<bool> {
        let mut placed = vec![false; self.file.model.body_count()];
        for (name, ..) in table.and_then(|table| table.table("hinges")).into_iter().flat_map(Table::entries) {
            if let Some(body) = self.names.hinge(name) {
                placed[body.0] = true;
            }
        }
        placed
    }

    /// Coordinates or speeds of the modes of a body; those that relax may be left out, and are at rest then.
    fn fill_modes(
        &mut self,
        value: Value<'_>,
        name: &str,
        target: &mut [f64],
        (body, speeds): (supple::BodyIndex, bool),
    ) {
        let body = &self.file.system.bodies[body.0];
        let swinging = target.len() - relaxing::count(body);
        if value.numbers().map_or(1, |numbers| numbers.len()) == target.len() {
            return self.fill(value, name, target, "mode");
        }
        self.fill(value, name, &mut target[..swinging], "mode");
        if !speeds {
            relaxing::relax(body, target);
        }
    }

    fn fill(&mut self, value: Value<'_>, name: &str, target: &mut [f64], one_per: &'static str) {
        let numbers = value.number().map(|number| vec![number]).or_else(|| value.numbers());
        let Some(numbers) = numbers else { return };
        if numbers.len() == target.len() {
            target.copy_from_slice(&numbers);
            return;
        }
        let rule = Rule::Length { quantity: name.to_owned(), found: numbers.len(), expected: target.len(), one_per };
        self.report.add(self.source, value.span(), rule);
    }

    /// Quaternions have length one.
    fn quaternions(&mut self, table: Table<'_>, state: &mut State) {
        let (system, model) = (&self.file.system, &self.file.model);
        for (name, _, value) in table.table("hinges").into_iter().flat_map(Table::entries) {
            let Some(body) = self.names.hinge(name) else { continue };
            if !matches!(system.bodies[body.0].hinge.kind, HingeKind::Spherical | HingeKind::Free) {
                continue;
            }
            let start = model.hinge_coordinates(body).start;
            let quaternion = &mut state.coordinates[start..start + 4];
            let norm = quaternion.iter().map(|x| x * x).sum::<f64>().sqrt();
            if (norm - 1.0).abs() > UNIT_TOLERANCE {
                self.report.add(self.source, value.span(), Rule::NotUnit { norm });
            } else {
                quaternion.iter_mut().for_each(|x| *x /= norm);
            }
        }
    }

    /// Hinges that start beyond their stops are reported: where they are told to start, by the table `initial` or by a motion.
    pub(super) fn check_stops(&mut self, document: Table<'_>, state: &State) {
        let initial = document.table("initial");
        let motions = document.tables("motion");
        for beyond in beyond_stops(&self.file.system, &self.file.model, state) {
            let is_own = |name: &str| self.names.hinge(name) == Some(beyond.stop.body);
            let motion = motions.iter().find(|table| table.text("hinge").is_some_and(is_own));
            let hinges = initial.and_then(|table| table.table("hinges")).into_iter().flat_map(Table::entries);
            let told = hinges.into_iter().find(|(name, ..)| is_own(name)).map(|(_, _, value)| value.span());
            let span = motion
                .map(|table| table.span())
                .or(told)
                .or(initial.map(Table::span))
                .unwrap_or_else(|| document.span_of("model"));
            let rule = Rule::BeyondStop { what: beyond.to_string(), remedy: beyond.remedy(motion.is_some()) };
            self.report.add(self.source, span, rule);
        }
    }

    /// Hinges with a prescribed motion start where it does, with its speed; a move starts where the hinge is, unless it says
    /// otherwise.
    pub(super) fn start_motions(&mut self, planned: Vec<Planned<'_>>, duration: f64, state: &mut State) -> Vec<Motion> {
        let start = |Planned { motion: Motion { body, mut curve }, table }| {
            let model = &self.file.model;
            let (at, speed) = (model.hinge_coordinates(body).start, model.hinge_speeds(body).start);
            let first = self.first(&mut curve, table, state.coordinates[at], duration)?;
            (state.coordinates[at], state.speeds[speed]) = (first.position, first.speed);
            Some(Motion { body, curve })
        };
        planned.into_iter().filter_map(start).collect()
    }

    /// Motions of the rigid model start where the hinges do; others are reported.
    pub(super) fn start_feedforward(&mut self, planned: Vec<Planned<'_>>, duration: f64, state: &State) -> Vec<Motion> {
        let start = |Planned { motion: Motion { body, mut curve }, table }: Planned<'_>| {
            let here = state.coordinates[self.file.model.hinge_coordinates(body).start];
            let start = self.first(&mut curve, table, here, duration)?.position;
            if (start - here).abs() > START_TOLERANCE * start.abs().max(here.abs()).max(1.0) {
                let value = ["cycloid", "quintic", "table", "csv"].iter().find_map(|key| table.get(key));
                let what = format!("the motion starts at {}, the hinge at {}", written(start), written(here));
                let expected =
                    "a motion that starts at the initial coordinate of the hinge, which is set in `initial.hinges`"
                        .into();
                let span = value.map_or(table.span(), Value::span);
                self.report.add(self.source, span, Rule::Mismatch { what, expected });
                return None;
            }
            Some(Motion { body, curve })
        };
        planned.into_iter().filter_map(start).collect()
    }

    /// A motion at the start of the run; numbers that make none are reported.
    fn first(&mut self, curve: &mut MotionCurve, table: Table<'_>, here: f64, duration: f64) -> Option<Sample> {
        if let MotionCurve::Cycloid(told) | MotionCurve::Quintic(told) = curve {
            told.from.get_or_insert(here);
        }
        if let MotionCurve::JerkLimited(told) = curve {
            told.from.get_or_insert(here);
        }
        match curve.trajectory(here, duration) {
            Ok(trajectory) => Some(trajectory.at(0.0)),
            Err(error) => {
                self.report.add(self.source, span_of_error(table, &error), Rule::Profile(error));
                None
            }
        }
    }
}
