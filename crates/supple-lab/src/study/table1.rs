//! Damaren and Sharf, table 1: a beam spun up by the torque that would bring a rigid one to 6 rad/s.

use std::error::Error;

use supple::integrate::{Scheme, Simulation};
use supple::{ElasticRotation, Fidelity, State};
use supple_bodies::catalogue::spin_up_beam::{Discretisation, SpinUpBeam};

use super::drift::{follow, tolerance};
use super::row::Value;
use super::{Case as StudyCase, Run};

/// Name of the only case.
pub const NAME: &str = "spin-up";
/// Time of the last sample, s.
const END: f64 = 20.0;
/// In the order of the paper, and what it does not have.
const MODELS: [Fidelity; 6] = [
    Fidelity::Ruthless,
    Fidelity::Inconsistent,
    Fidelity::InconsistentConstantMass,
    Fidelity::Consistent,
    Fidelity::Exact,
    Fidelity::Stiffened,
];

/// A discretisation of the beam.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// Two bending modes and one of stretch.
    NaturalModes,
    /// One element.
    Element,
}

impl Case {
    /// Its name in the rows.
    pub fn discretisation(self) -> &'static str {
        match self {
            Self::NaturalModes => "NM",
            Self::Element => "FE",
        }
    }

    /// Energy drift in print, percent. The constant mass is mentioned in the text, for no discretisation in particular.
    fn printed_drift(self, model: Fidelity) -> Option<f64> {
        let [modes, element] = match model {
            Fidelity::Ruthless => [3.32e-3, 2.47e-3],
            Fidelity::Inconsistent => [5.90e-5, 5.35e-5],
            Fidelity::InconsistentConstantMass => [23.8, 23.8],
            Fidelity::Consistent => [0.220, 0.159],
            Fidelity::Exact => [8.47e-6, 1.40e-5],
            Fidelity::RuthlessConstant | Fidelity::Stiffened => return None,
        };
        Some(if self == Self::NaturalModes { modes } else { element })
    }
}

/// All models with both discretisations.
pub fn runs() -> Vec<Run> {
    let run = |case, fidelity| Run { case: StudyCase::Table1(case), fidelity, tip: ElasticRotation::None };
    [Case::NaturalModes, Case::Element].into_iter().flat_map(|case| MODELS.map(|model| run(case, model))).collect()
}

/// The quantities of a run.
pub fn values(case: Case, fidelity: Fidelity, relative: f64) -> Result<Vec<Value>, Box<dyn Error>> {
    let discretisation = match case {
        Case::NaturalModes => Discretisation::NaturalModes { bending: 2, stretch: 1 },
        Case::Element => Discretisation::Element,
    };
    let beam = SpinUpBeam::damaren_sharf(discretisation, fidelity);
    let built = beam.build()?;
    let (state, drive) = (State::new(&built.model), built.torque(beam.inertia()));
    let mut simulation = Simulation::new(&built.model, state, drive, Scheme::PrinceDormand8, tolerance(relative))?;
    let mut peak = 0.0_f64;
    let drift = follow(&mut simulation, END, |state| peak = peak.max(built.deflection(state).abs()));
    let state = simulation.state();
    // The text: "an extension of the plot reveals a steady-state bending displacement of 9 m".
    let far = matches!(fidelity, Fidelity::Inconsistent).then_some(9.0);
    let mut out = vec![
        Value::new("rms_energy_drift_percent", case.printed_drift(fidelity), drift.rms_percent),
        Value::new("peak_tip_m", None, peak),
        Value::new("final_tip_m", far, built.deflection(state)),
        Value::new("final_rate_rad_s", None, built.rate(state)),
        Value::new("final_stretch_m", None, built.stretch(state)),
    ];
    out.extend(drift.stopped_at.map(|time| Value::new("stopped_at_s", None, time)));
    Ok(out)
}
