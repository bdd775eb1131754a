//! Rest-to-rest motion of one hinge by inversion of the linear model where the run starts: torque and motion of the hinge.
//!
//! See [`crate::inversion`]. All other hinges are taken as locked.

use super::kind::{Bound, Hinges, Kind, Needs, Output, Parameter, Setting, SettingError, Takes};
use crate::inversion::{HingeModes, InversionError, RestToRest};
use supple::integrate::{Measured, Role, Sampled};
use supple::{Inputs, Model, State, Workspace, inverse_dynamics};

struct Inversion {
    motion: RestToRest,
    /// What holds the arm where it starts.
    hold: f64,
}

static PARAMETERS: [Parameter; 5] = [
    Parameter { key: "to", takes: Takes::Number(Bound::Any), meaning: "coordinate of the hinge at the end, rad or m" },
    Parameter { key: "duration", takes: Takes::Number(Bound::Positive), meaning: "of the motion, s" },
    Parameter {
        key: "start",
        takes: Takes::NumberOr(Bound::Any, 0.0),
        meaning: "time at which the motion starts, s; default: 0",
    },
    Parameter {
        key: "modes",
        takes: Takes::NumberOr(Bound::NotNegative, 3.0),
        meaning: "modes of the linear model that come to rest, as counted with the hinge held; default: 3",
    },
    Parameter {
        key: "elastic_hinges",
        takes: Takes::Flag,
        meaning: "whether other hinges that a spring holds move in the linear model; default: all other hinges are locked",
    },
];

/// The kind.
pub static KIND: Kind = Kind {
    name: "rest-to-rest",
    role: Role::Sensor,
    about: "torque and motion of one hinge that bring the linear model of the arm, its first modes included, from rest to rest",
    parameters: &PARAMETERS,
    inputs: &[],
    outputs: &[
        Output { name: "effort", unit: "N m, N", meaning: "torque or force that moves the linear model" },
        Output { name: "position", unit: "rad, m", meaning: "coordinate of the hinge in this motion" },
        Output { name: "speed", unit: "rad/s, m/s", meaning: "its speed" },
        Output { name: "acceleration", unit: "rad/s², m/s²", meaning: "its acceleration" },
    ],
    hinges: Hinges::One,
    needs: Needs::Model,
    gives_states: false,
    make,
};

fn make(setting: &Setting) -> Result<Box<dyn Sampled>, SettingError> {
    let (Some(plant), Some(state), [hinge]) = (&setting.plant, &setting.start, &setting.hinges[..]) else {
        return Err(SettingError::new("model", "there is no model of the plant at its start", "`rigid` or `flexible`"));
    };
    let count = setting.not_negative_or("modes", 3.0)?;
    if count.fract() != 0.0 || count > 100.0 {
        return Err(SettingError::new("modes", format!("it is {count}"), "a whole number from 0 to 100"));
    }
    let [coordinate, speed] = hinge.own;
    let mut at_rest = state.clone();
    at_rest.speeds.fill(0.0);
    let refused = |error| SettingError::new("modes", format!("{error}"), "a model whose linear model can be inverted");
    let forces = holding_forces(&plant.model, &at_rest).map_err(|error| refused(InversionError::Dynamics(error)))?;
    let free = if setting.flag("elastic_hinges") {
        sprung(&plant.model, &at_rest, speed).map_err(refused)?
    } else {
        Vec::new()
    };
    let modes = HingeModes::new(&plant.model, &at_rest, speed, &free, count as usize).map_err(|error| match error {
        InversionError::TooManyModes { asked, found } => SettingError::new(
            "modes",
            format!("it is {asked}"),
            format!("at most {found}, with `model = \"flexible\"`"),
        ),
        other => refused(other),
    })?;
    let start = setting.number_or("start", 0.0)?;
    let times = [start, start + setting.positive("duration")?];
    let motion = RestToRest::new(&modes.free, times, [at_rest.coordinates[coordinate], setting.number("to")?]);
    Ok(Box::new(Inversion { motion: motion.map_err(refused)?, hold: forces[speed] }))
}

/// Forces that hold the plant at rest.
fn holding_forces(model: &Model, state: &State) -> Result<Vec<f64>, supple::DynamicsError> {
    let mut workspace = Workspace::new(model);
    let solution = inverse_dynamics(model, state, &Inputs::new(model), &mut workspace)?;
    Ok(solution.forces().to_vec())
}

/// Speeds of other hinges that resist a displacement of theirs alone.
fn sprung(model: &Model, state: &State, own: usize) -> Result<Vec<usize>, InversionError> {
    let (mut workspace, mut derivatives) = (Workspace::new(model), supple::Derivatives::new(model));
    supple::inverse_dynamics_derivatives(model, state, &Inputs::new(model), &mut workspace, &mut derivatives)?;
    let n = model.speed_count();
    let hinges = model.body_indices().flat_map(|body| model.hinge_speeds(body));
    Ok(hinges.filter(|speed| *speed != own && derivatives.displacement()[speed * n + speed] > 0.0).collect())
}

impl Sampled for Inversion {
    fn sample(&mut self, measured: &Measured<'_>, outputs: &mut [f64]) {
        let at = self.motion.at(measured.time);
        outputs.copy_from_slice(&[self.hold + at.effort, at.position, at.speed, at.acceleration]);
    }
}
