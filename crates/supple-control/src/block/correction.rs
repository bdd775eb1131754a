//! The patent's acceleration correction as a controller: forces are corrected until the model's hinges have the accelerations wanted.
//!
//! The accelerations wanted are those of [computed torque](super::computed_torque); the correction starts from the efforts of the last
//! instant. See [`crate::correction`].

use super::computed_torque::{GAINS, MOTION, desire, gains};
use super::kind::{Bound, Hinges, Kind, Needs, Output, Parameter, Setting, SettingError, Takes};
use super::plant::Plant;
use crate::correction::{Correction, CorrectionLaw};
use supple::integrate::{Measured, Role, Sampled};

struct AccelerationCorrection {
    plant: Plant,
    gains: Vec<[f64; 2]>,
    correction: Correction,
}

/// How efforts are corrected, and for how long.
pub(super) static LAW: [Parameter; 3] = [
    Parameter {
        key: "law",
        takes: Takes::Word(&[
            (
                "iteration",
                "T ← T + D_R (β̇_d - β̇); converges where hinges are weakly coupled. With weights: steepest descent",
            ),
            ("gradient", "the same directions as conjugate gradients; always converges"),
            ("exact", "hybrid dynamics. With weights: least squares"),
        ]),
        meaning: "how efforts are corrected; default: iteration",
    },
    Parameter {
        key: "iterations",
        takes: Takes::NumberOr(Bound::Positive, 20.0),
        meaning: "maximum number of corrections at an instant; default: 20",
    },
    Parameter {
        key: "tolerance",
        takes: Takes::NumberOr(Bound::Positive, 1e-9),
        meaning: "error of an acceleration that may be left, rad/s² or m/s²; default: 1e-9",
    },
];

/// What a setting says of these.
pub(super) fn law_of(setting: &Setting) -> Result<(CorrectionLaw, (usize, f64)), SettingError> {
    let law = match setting.word("law", "iteration") {
        "exact" => CorrectionLaw::Exact,
        "gradient" => CorrectionLaw::Gradient,
        _ => CorrectionLaw::Iteration,
    };
    let most = setting.positive_or("iterations", 20.0)?;
    if most.fract() != 0.0 || most > 1e6 {
        return Err(SettingError::new("iterations", format!("it is {most}"), "a whole number from 1 to 1e6"));
    }
    Ok((law, (most as usize, setting.positive_or("tolerance", 1e-9)?)))
}

static PARAMETERS: [Parameter; 6] = [
    GAINS[0],
    GAINS[1],
    LAW[0],
    LAW[1],
    LAW[2],
    Parameter {
        key: "lagged",
        takes: Takes::Flag,
        meaning: "whether the iteration uses articulated quantities of the last step for those of this one; default: false",
    },
];

/// The kind.
pub static KIND: Kind = Kind {
    name: "acceleration-correction",
    role: Role::Controller,
    about: "efforts corrected until the hinges of the controller's model have the accelerations wanted (the patent's box 144)",
    parameters: &PARAMETERS,
    inputs: &MOTION,
    outputs: &[
        Output { name: "effort", unit: "N m, N", meaning: "effort of the controller" },
        Output { name: "left", unit: "rad/s², m/s²", meaning: "greatest error of an acceleration that is left" },
    ],
    hinges: Hinges::Several,
    needs: Needs::Model,
    gives_states: false,
    make,
};

fn make(setting: &Setting) -> Result<Box<dyn Sampled>, SettingError> {
    let plant = Plant::new(setting)?;
    let (law, bounds) = law_of(setting)?;
    let speeds: Vec<usize> = plant.hinges.iter().map(|place| place.own[1]).collect();
    let mut correction = Correction::new(&plant.own.model, &speeds, law, bounds);
    if setting.flag("lagged") {
        if law != CorrectionLaw::Iteration {
            return Err(SettingError::new("lagged", "the law is not an iteration", "`law = \"iteration\"`"));
        }
        let refused = |error| SettingError::new("lagged", format!("{error}"), "a model without closures");
        correction = correction.lagged(&plant.own.model).map_err(refused)?;
    }
    Ok(Box::new(AccelerationCorrection { plant, gains: gains(setting)?, correction }))
}

impl Sampled for AccelerationCorrection {
    fn sample(&mut self, measured: &Measured<'_>, outputs: &mut [f64]) {
        desire(&mut self.plant, &self.gains, measured);
        let Plant { own, state, inputs, workspace, hinges } = &mut self.plant;
        let corrected = self.correction.correct(&own.model, state, inputs, workspace);
        let (efforts, left) = outputs.split_at_mut(hinges.len());
        for (effort, place) in efforts.iter_mut().zip(hinges) {
            *effort = if corrected.is_ok() { inputs.forces[place.own[1]] } else { f64::NAN };
        }
        left.fill(corrected.map_or(f64::NAN, |corrected| corrected.left));
    }

    fn save(&self) -> Vec<f64> {
        let forces = self.plant.hinges.iter().map(|place| self.plant.inputs.forces[place.own[1]]);
        forces.chain(self.correction.save()).collect()
    }

    fn load(&mut self, from: &[f64]) -> bool {
        let Some((forces, rest)) = from.split_at_checked(self.plant.hinges.len()) else { return false };
        for (place, force) in self.plant.hinges.iter().zip(forces) {
            self.plant.inputs.forces[place.own[1]] = *force;
        }
        self.correction.load(rest)
    }
}
