//! Damaren and Sharf, table 3: four manoeuvres of the Shuttle arm.

use std::error::Error;

use supple::{ElasticRotation, Fidelity};
use supple_bodies::catalogue::manoeuvre::Manoeuvre;
use supple_bodies::catalogue::shuttle_arm::ShuttleArm;

use super::flight::{Flight, Flown};
use super::row::Value;
use super::{Case as StudyCase, Run};
use crate::linearised::Terms;

/// A manoeuvre of an arm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Case {
    /// What it does.
    pub manoeuvre: Manoeuvre,
    /// Elements of each boom; 0 for natural modes.
    elements: usize,
}

impl Case {
    /// The short name of its shapes.
    pub fn discretisation(self) -> &'static str {
        match self.elements {
            0 => "NM",
            1 => "FE",
            _ => "FE-2",
        }
    }
}

/// Every model with its own treatment of the tips.
const MODELS: [(Fidelity, ElasticRotation); 5] = [
    (Fidelity::Ruthless, ElasticRotation::None),
    (Fidelity::Consistent, ElasticRotation::FirstOrder),
    (Fidelity::Inconsistent, ElasticRotation::Integrated),
    (Fidelity::Exact, ElasticRotation::Integrated),
    (Fidelity::Stiffened, ElasticRotation::Integrated),
];

/// Other treatments, compared on the fast planned manoeuvre.
const TIPS: [ElasticRotation; 3] = [ElasticRotation::FirstOrder, ElasticRotation::Euler321, ElasticRotation::Euler123];

/// All models on all manoeuvres, with natural modes and with one element in each boom; on the first manoeuvre all treatments of the tips, and two elements.
pub fn runs() -> Vec<Run> {
    let run_with = |elements, manoeuvre, fidelity, tip| Run {
        case: StudyCase::Table3(Case { manoeuvre, elements }),
        fidelity,
        tip,
    };
    let run = |manoeuvre, fidelity, tip| run_with(0, manoeuvre, fidelity, tip);
    let mut out = Vec::new();
    for manoeuvre in Manoeuvre::ALL {
        out.extend(MODELS.map(|(fidelity, tip)| run(manoeuvre, fidelity, tip)));
        if manoeuvre == Manoeuvre::PlannedFast {
            for fidelity in [Fidelity::Inconsistent, Fidelity::Exact] {
                out.extend(TIPS.map(|tip| run(manoeuvre, fidelity, tip)));
            }
        }
        out.extend(MODELS.map(|(fidelity, tip)| run_with(1, manoeuvre, fidelity, tip)));
        if manoeuvre == Manoeuvre::PlannedFast {
            out.extend(MODELS.map(|(fidelity, tip)| run_with(2, manoeuvre, fidelity, tip)));
        }
    }
    out
}

/// Energy drift in print, percent, by model and its own treatment of the tips; of elements the paper has one number.
pub fn printed_drift(case: Case, fidelity: Fidelity, tip: ElasticRotation) -> Option<f64> {
    let column = MODELS[..4].iter().position(|model| *model == (fidelity, tip))?;
    if case.elements > 0 {
        return (case == Case { manoeuvre: Manoeuvre::SteppedFast, elements: 1 } && column == 1).then_some(32.0);
    }
    let row = match case.manoeuvre {
        Manoeuvre::PlannedFast => [f64::INFINITY, f64::INFINITY, 4.32e-5, 2.57e-4],
        Manoeuvre::PlannedSlow => [12.2, 1.57e-4, 2.10e-7, 6.41e-7],
        Manoeuvre::SteppedFast => [f64::INFINITY, f64::INFINITY, 2.71, 5.82],
        Manoeuvre::SteppedSlow => [f64::INFINITY, f64::INFINITY, 33.7, 22.3],
    };
    Some(row[column])
}

/// The numbers in print for natural modes, for readings of a model.
pub fn printed(manoeuvre: Manoeuvre, fidelity: Fidelity, tip: ElasticRotation) -> (Option<f64>, Option<f64>) {
    (printed_drift(Case { manoeuvre, elements: 0 }, fidelity, tip), printed_stop(manoeuvre, fidelity))
}

/// When a run of the paper broke off, s, where it says so.
fn printed_stop(manoeuvre: Manoeuvre, fidelity: Fidelity) -> Option<f64> {
    match (manoeuvre, fidelity) {
        (Manoeuvre::PlannedFast, Fidelity::Ruthless) => Some(18.5),
        (Manoeuvre::PlannedFast, Fidelity::Consistent) => Some(6.1),
        _ => None,
    }
}

/// The quantities of a run.
pub fn values(case: Case, run: &Run, relative: f64) -> Result<Vec<Value>, Box<dyn Error>> {
    let arm = ShuttleArm::flexible(run.fidelity, run.tip).with_elements(case.elements);
    let mut flight = Flight::new(arm, case.manoeuvre, relative);
    // RL as the table needs it, which the sweeps do not carry.
    flight.terms = (run.fidelity == Fidelity::Ruthless).then_some(Terms::RUTHLESS);
    let drift = printed_drift(case, run.fidelity, run.tip);
    let stop = printed_stop(case.manoeuvre, run.fidelity).filter(|_| case.elements == 0);
    Ok(outcome(&flight.fly()?, drift, stop))
}

/// What is told of a flight, with what is printed of it.
pub fn outcome(flown: &Flown, drift: Option<f64>, stop: Option<f64>) -> Vec<Value> {
    let mut out = vec![Value::new("rms_energy_drift_percent", drift, flown.drift.rms_percent)];
    out.extend(flown.drift.stopped_at.map(|time| Value::new("stopped_at_s", stop, time)));
    let angles = flown.final_angles().into_iter().flatten();
    out.extend((1..).zip(angles).map(|(i, angle)| Value::new(format!("final_angle_{i}_rad"), None, angle)));
    out
}
