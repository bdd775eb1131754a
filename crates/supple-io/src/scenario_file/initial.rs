//! Where the motion starts.

use supple::spatial::Quaternion;
use supple::{HingeKind, Model, State, System};

use super::names::Names;
use super::{Motion, MotionCurve};
use crate::document::{Table, Value};
use crate::model_file::ModelFile;
use crate::source::{Report, Rule, Source};

/// How far the length of a quaternion may be from one; it is scaled to one.
const UNIT_TOLERANCE: f64 = 1e-6;

/// How far from the hinge's coordinate a planned motion may start, beside one radian or metre.
const START_TOLERANCE: f64 = 1e-9;

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
        let (system, model) = (&self.file.system, &self.file.model);
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
                let target = if speeds { &mut state.speeds } else { &mut state.coordinates };
                self.fill(value, name, &mut target[range], if of_hinge { "number of the hinge" } else { "mode" });
            }
        }
        self.quaternions(table, &mut state);
        attitudes(system, model, &mut state);
        state
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

    /// Hinges that move as told start where their motion does; a move starts where the hinge is, unless it says otherwise.
    pub(super) fn start_motions(&self, motions: &mut [Motion], state: &mut State) {
        let model = &self.file.model;
        for Motion { body, curve } in motions {
            let (at, speed) = (model.hinge_coordinates(*body).start, model.hinge_speeds(*body).start);
            match curve {
                MotionCurve::Cycloid(told) | MotionCurve::Quintic(told) => {
                    state.coordinates[at] = *told.from.get_or_insert(state.coordinates[at]);
                    state.speeds[speed] = 0.0;
                }
                MotionCurve::Rate(rate) => state.speeds[speed] = *rate,
                MotionCurve::Table(samples) => state.coordinates[at] = value_at_start(&samples.times, &samples.values),
            }
        }
    }

    /// Motions of the rigid model start where the hinges do; others are reported at their tables.
    pub(super) fn start_feedforward(&mut self, tables: &[Table<'_>], motions: &mut [Motion], state: &State) {
        let model = &self.file.model;
        for Motion { body, curve } in motions {
            let here = state.coordinates[model.hinge_coordinates(*body).start];
            let start = match curve {
                MotionCurve::Cycloid(told) | MotionCurve::Quintic(told) => *told.from.get_or_insert(here),
                MotionCurve::Rate(_) => here,
                MotionCurve::Table(samples) => value_at_start(&samples.times, &samples.values),
            };
            if (start - here).abs() <= START_TOLERANCE * start.abs().max(here.abs()).max(1.0) {
                continue;
            }
            let named = |table: &&Table<'_>| table.text("hinge").and_then(|name| self.names.hinge(name)) == Some(*body);
            let Some(table) = tables.iter().find(named) else { continue };
            let value = ["cycloid", "quintic", "table", "csv"].iter().find_map(|key| table.get(key));
            let what = format!("the motion starts at {start}, the hinge at {here}");
            let expected = "a motion that starts where the hinge does: set its coordinate in `initial.hinges`".into();
            let span = value.map_or(table.span(), Value::span);
            self.report.add(self.source, span, Rule::Mismatch { what, expected });
        }
    }
}

/// The value at time zero on straight lines between samples.
fn value_at_start(times: &[f64], values: &[f64]) -> f64 {
    let after = times.iter().position(|time| *time > 0.0).unwrap_or(times.len());
    match (after.checked_sub(1), after) {
        (None, _) => values[0],
        (Some(before), after) if after < times.len() => {
            let s = -times[before] / (times[after] - times[before]);
            if s == 0.0 { values[before] } else { values[before] + s * (values[after] - values[before]) }
        }
        (Some(before), _) => values[before],
    }
}

/// Elastic rotations after a deformation that grew in proportion: `exp(skew(λ η))`.
fn attitudes(system: &System, model: &Model, state: &mut State) {
    for (attitude, (body, node)) in state.attitudes.iter_mut().zip(model.attitude_nodes()) {
        let eta = &state.coordinates[model.modal_coordinates(*body)];
        let influence = &system.bodies[body.0].nodes[node.0].influence;
        let angle: [f64; 3] = std::array::from_fn(|i| influence.iter().zip(eta).map(|(column, e)| column[i] * e).sum());
        let size = angle.iter().map(|x| x * x).sum::<f64>().sqrt();
        let (s, c) = (0.5 * size).sin_cos();
        let scale = if size > 0.0 { s / size } else { 0.5 };
        *attitude = Quaternion([angle[0] * scale, angle[1] * scale, angle[2] * scale, c]);
    }
}
