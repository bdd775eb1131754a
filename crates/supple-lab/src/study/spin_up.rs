//! Kane's beam, brought to 6 rad/s by a prescribed motion of its root.

use std::error::Error;

use supple::integrate::{Scheme, Simulation};
use supple::{ElasticRotation, Fidelity, State};
use supple_bodies::catalogue::spin_up_beam::SpinUpBeam;

use super::drift::{follow, tolerance};
use super::row::Value;
use super::{Case as StudyCase, Run};

/// Time of the last sample, s.
const END: f64 = 20.0;
/// The stretch is averaged from here, s.
const STEADY: f64 = 16.0;
/// Peak lateral deflection as published, m.
const PEAK: f64 = 0.57;
/// `L (tan a / a - 1)` with `a = Ω L √(m / EA)`, m.
const STRETCH: f64 = 5.143e-4;

/// Numbers of modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    pub name: &'static str,
    bending: usize,
    stretch: usize,
}

const FEW: Case = Case { name: "driven-3b1s", bending: 3, stretch: 1 };
const MANY: Case = Case { name: "driven-8b1s", bending: 8, stretch: 1 };

/// All models with few modes, and the recommended one with many.
pub fn runs() -> Vec<Run> {
    [
        (FEW, Fidelity::Inconsistent),
        (FEW, Fidelity::Consistent),
        (FEW, Fidelity::Exact),
        (FEW, Fidelity::Stiffened),
        (MANY, Fidelity::Stiffened),
    ]
    .into_iter()
    .map(|(case, fidelity)| Run { case: StudyCase::SpinUp(case), fidelity, tip: ElasticRotation::None })
    .collect()
}

/// The quantities of a run.
pub fn values(case: Case, fidelity: Fidelity, relative: f64) -> Result<Vec<Value>, Box<dyn Error>> {
    let built = SpinUpBeam::kane(case.bending, case.stretch, fidelity).build()?;
    let (state, drive) = (State::new(&built.model), built.motion());
    let mut simulation = Simulation::new(&built.model, state, drive, Scheme::PrinceDormand8, tolerance(relative))?;
    simulation.prescribe(&[true])?;
    let (mut peak, mut sum, mut count) = (0.0_f64, 0.0, 0.0);
    let drift = follow(&mut simulation, END, |state| {
        peak = peak.max(built.deflection(state).abs());
        if state.time > STEADY {
            (sum, count) = (sum + built.stretch(state), count + 1.0);
        }
    });
    let mut out = vec![
        Value::new("rms_energy_drift_percent", None, drift.rms_percent),
        Value::new("peak_tip_m", Some(PEAK), peak),
    ];
    match drift.stopped_at {
        Some(time) => out.push(Value::new("stopped_at_s", None, time)),
        None => out.push(Value::new("steady_stretch_m", Some(STRETCH), sum / count)),
    }
    Ok(out)
}
