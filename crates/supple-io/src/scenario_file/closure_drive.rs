//! What drives closures: prescribed motions of their coordinates, and forces of motors at them.

use supple_control::{ProfileError, Trajectory};

use super::curve::Curves;
use super::read::Reader;
use super::{Curve, MotionCurve, Scenario};
use crate::document::{Table, Value};
use crate::model_file::ModelFile;
use crate::source::Rule;

/// Prescribed motion of a closure.
#[derive(Clone, Debug, PartialEq)]
pub struct ClosureMotion {
    /// The equation that moves, a place in [`Inputs::closure_motions`](supple::Inputs::closure_motions).
    pub equation: usize,
    /// Its coordinate over time; a move that does not say otherwise starts at zero.
    pub curve: MotionCurve,
}

/// The force of a motor among the force elements of the model.
#[derive(Clone, Debug, PartialEq)]
pub struct MotorForce {
    /// The motor, a place in [`Inputs::element_forces`](supple::Inputs::element_forces).
    pub motor: usize,
    /// The force over time.
    pub curve: Curve,
}

impl Scenario {
    /// The motion of a closure over the run.
    ///
    /// # Errors
    /// As [`MotionCurve::trajectory`].
    pub fn closure_trajectory(&self, motion: &ClosureMotion) -> Result<Trajectory, ProfileError> {
        motion.curve.trajectory(0.0, self.duration)
    }
}

impl Reader<'_> {
    /// Prescribed motions of closures, at most one for each equation.
    pub(super) fn closure_motions(&mut self, document: Table<'_>, file: &ModelFile) -> Vec<ClosureMotion> {
        let mut motions: Vec<ClosureMotion> = Vec::new();
        for table in document.tables("closure_motion") {
            let curve = Curves { source: self.source, folder: self.folder, report: self.report }.motion(table);
            let Some(equation) = self.driven_equation(table, file) else { continue };
            let Some(curve) = curve else { continue };
            if let Err(error) = curve.trajectory(0.0, document.number("duration").unwrap_or(1.0)) {
                self.add(table.span(), Rule::Profile(error));
            } else if motions.iter().any(|motion| motion.equation == equation) {
                let what = "this coordinate already has a prescribed motion".to_owned();
                let expected = "one motion per coordinate of a closure".into();
                self.add(table.span_of("closure"), Rule::Mismatch { what, expected });
            } else {
                motions.push(ClosureMotion { equation, curve });
            }
        }
        motions
    }

    fn driven_equation(&mut self, table: Table<'_>, file: &ModelFile) -> Option<usize> {
        let name = table.text("closure")?;
        let Ok(closure) = file.model.closure(name) else {
            let known = file.model.closures().iter().filter_map(|closure| closure.name.as_deref());
            let known = self.report.names(known);
            self.add(table.span_of("closure"), Rule::UnknownName { kind: "closure", name: name.into(), known });
            return None;
        };
        let coordinate = table.get("coordinate").and_then(Value::whole).unwrap_or(0);
        let equation = file.model.driven_equation(closure, coordinate);
        if equation.is_none() {
            let what = format!("closure `{name}` has no coordinate {coordinate} that moves as prescribed");
            let expected = "a closure with `driven = true` and one of its coordinates, a distance or a coupling".into();
            self.add(table.span_of("closure"), Rule::Mismatch { what, expected });
        }
        equation
    }

    /// Forces of motors, at most one for each.
    pub(super) fn motor_forces(&mut self, document: Table<'_>, file: &ModelFile) -> Vec<MotorForce> {
        let names: Vec<Option<&str>> = (file.system.forces.iter())
            .filter(|element| element.as_law().has_input())
            .map(|element| element.name.as_deref())
            .collect();
        let mut forces: Vec<MotorForce> = Vec::new();
        for table in document.tables("motor_force") {
            let curve = Curves { source: self.source, folder: self.folder, report: self.report }.torque(table);
            let Some(name) = table.text("motor") else { continue };
            let Some(motor) = names.iter().position(|known| *known == Some(name)) else {
                let known = self.report.names(names.iter().copied().flatten());
                self.add(table.span_of("motor"), Rule::UnknownName { kind: "motor", name: name.into(), known });
                continue;
            };
            if forces.iter().any(|force| force.motor == motor) {
                let what = format!("motor `{name}` already has a force");
                self.add(table.span_of("motor"), Rule::Mismatch { what, expected: "one force per motor".into() });
            } else if let Some(curve) = curve {
                forces.push(MotorForce { motor, curve });
            }
        }
        forces
    }
}
