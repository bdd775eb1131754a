//! Damaren and Sharf, table 3: four manoeuvres of the Shuttle arm.

use std::error::Error;

use supple::integrate::{Scheme, Simulation};
use supple::{ElasticRotation, Fidelity, State};
use supple_bodies::catalogue::manoeuvre::Manoeuvre;
use supple_bodies::catalogue::shuttle_arm::{ShuttleArm, angles};

use super::drift::{follow, tolerance};
use super::row::Value;
use super::{Case as StudyCase, Run};

/// A manoeuvre of an arm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Case {
    /// What it does.
    pub manoeuvre: Manoeuvre,
    /// Bodies with element shapes that each boom is cut into; 0 for natural modes.
    elements: usize,
}

impl Case {
    /// The short name of its shapes.
    pub fn discretisation(self) -> &'static str {
        if self.elements == 0 { "NM" } else { "FE" }
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

/// All models on all manoeuvres, and on the first all treatments of the tips and the stiffened model with other shapes.
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
            out.push(run_with(1, manoeuvre, Fidelity::Stiffened, ElasticRotation::Integrated));
        }
    }
    out
}

/// Energy drift in print, percent, by model and its own treatment of the tips.
fn printed_drift(manoeuvre: Manoeuvre, run: &Run) -> Option<f64> {
    let column = MODELS[..4].iter().position(|model| *model == (run.fidelity, run.tip))?;
    let row = match manoeuvre {
        Manoeuvre::PlannedFast => [f64::INFINITY, f64::INFINITY, 4.32e-5, 2.57e-4],
        Manoeuvre::PlannedSlow => [12.2, 1.57e-4, 2.10e-7, 6.41e-7],
        Manoeuvre::SteppedFast => [f64::INFINITY, f64::INFINITY, 2.71, 5.82],
        Manoeuvre::SteppedSlow => [f64::INFINITY, f64::INFINITY, 33.7, 22.3],
    };
    Some(row[column])
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
    let manoeuvre = case.manoeuvre;
    let model = ShuttleArm::flexible(run.fidelity, run.tip).cut(case.elements).build()?;
    let (state, drive) = (State::new(&model), manoeuvre.drive(&model)?);
    let mut simulation = Simulation::new(&model, state, drive, Scheme::PrinceDormand8, tolerance(relative))?;
    let drift = follow(&mut simulation, manoeuvre.duration(), |_| {});
    let mut out = vec![Value::new("rms_energy_drift_percent", printed_drift(manoeuvre, run), drift.rms_percent)];
    match drift.stopped_at {
        Some(time) => out.push(Value::new("stopped_at_s", printed_stop(manoeuvre, run.fidelity), time)),
        None => {
            let angles = angles(&model, simulation.state());
            out.extend((1..).zip(angles).map(|(i, angle)| Value::new(format!("final_angle_{i}_rad"), None, angle)));
        }
    }
    Ok(out)
}
