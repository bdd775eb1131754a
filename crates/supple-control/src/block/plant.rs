//! The model of the plant inside a controller, in the state that the controller knows of.

use super::kind::{HingePlace, PlantModel, Setting, SettingError};
use supple::integrate::Measured;
use supple::{Inputs, State, Workspace};

/// A model with all that its verbs need, made once.
pub(super) struct Plant {
    pub own: PlantModel,
    pub state: State,
    pub inputs: Inputs,
    pub workspace: Workspace,
    pub hinges: Vec<HingePlace>,
}

impl Plant {
    pub fn new(setting: &Setting) -> Result<Self, SettingError> {
        let Some(own) = setting.plant.clone() else {
            return Err(SettingError::new("model", "there is no model of the plant", "`rigid` or `flexible`"));
        };
        let (state, inputs, workspace) = (State::new(&own.model), Inputs::new(&own.model), Workspace::new(&own.model));
        Ok(Self { own, state, inputs, workspace, hinges: setting.hinges.clone() })
    }

    /// Takes over the state of the plant, and for its own hinges what was measured.
    pub fn take(&mut self, measured: &Measured<'_>, coordinates: &[f64], speeds: &[f64]) {
        for &[theirs, own] in &self.own.coordinates {
            self.state.coordinates[own] = measured.state.coordinates[theirs];
        }
        for &[theirs, own] in &self.own.speeds {
            self.state.speeds[own] = measured.state.speeds[theirs];
        }
        if self.state.attitudes.len() == measured.state.attitudes.len() {
            self.state.attitudes.copy_from_slice(&measured.state.attitudes);
        }
        if self.state.closed.len() == measured.state.closed.len() {
            self.state.closed.copy_from_slice(&measured.state.closed);
            self.state.held.clone_from_slice(&measured.state.held);
        }
        for (place, (coordinate, speed)) in self.hinges.iter().zip(coordinates.iter().zip(speeds)) {
            self.state.coordinates[place.own[0]] = *coordinate;
            self.state.speeds[place.own[1]] = *speed;
        }
    }

    /// Takes over coordinates and speeds of its own model, one after the other.
    pub fn place(&mut self, x: &[f64]) {
        let (coordinates, speeds) = x.split_at(self.state.coordinates.len());
        self.state.coordinates.copy_from_slice(coordinates);
        self.state.speeds.copy_from_slice(speeds);
        self.state.turn_nodes(&self.own.model);
    }

    /// Marks the bodies of its hinges as prescribed.
    pub fn prescribe(&mut self) {
        for body in self.own.model.body_indices() {
            let speeds = self.own.model.hinge_speeds(body);
            self.inputs.prescribed[body.0] = self.hinges.iter().any(|place| speeds.contains(&place.own[1]));
        }
    }
}
