//! Which reading of Damaren and Sharf's RL and CL their tables need: the terms of both models, kept or left out.

use std::error::Error;

use supple::integrate::{Scheme, Simulation};
use supple::{ElasticRotation, Fidelity, State};
use supple_bodies::catalogue::manoeuvre::Manoeuvre;
use supple_bodies::catalogue::shuttle_arm::ShuttleArm;
use supple_bodies::catalogue::spin_up_beam::{Discretisation, SpinUpBeam};

use super::drift::{follow, tolerance};
use super::flight::Flight;
use super::row::Value;
use super::table3::{outcome, printed};
use super::{Case as StudyCase, Run};
use crate::linearised::{ElasticForce, LinearisedDynamics, Moments, Terms, Tip};

/// Time of the last sample of the beam, s.
const BEAM_END: f64 = 20.0;

/// A reading of a model on the arm or the beam.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Case {
    reading: &'static Reading,
    /// The beam of table 1 without.
    manoeuvre: Option<Manoeuvre>,
}

/// A reading.
#[derive(Debug, PartialEq)]
struct Reading {
    name: &'static str,
    /// Nothing where the sweeps carry it.
    terms: Option<Terms>,
    fidelity: Fidelity,
    tip: ElasticRotation,
    /// Whether it is anything of its own on a single beam.
    on_beam: bool,
}

const RL: Reading = Reading {
    name: "RL",
    terms: Some(Terms::RUTHLESS),
    fidelity: Fidelity::Ruthless,
    tip: ElasticRotation::None,
    on_beam: false,
};

const CL: Reading = Reading {
    name: "CL",
    terms: None,
    fidelity: Fidelity::Consistent,
    tip: ElasticRotation::FirstOrder,
    on_beam: true,
};

/// In this order.
static READINGS: [Reading; 11] = [
    RL,
    Reading { name: "RL-with-rates", terms: None, ..RL },
    Reading { name: "RL-constant", terms: None, fidelity: Fidelity::RuthlessConstant, ..RL },
    CL,
    Reading { name: "CL-as-printed", terms: Some(Terms::CONSISTENT_AS_PRINTED), ..CL },
    Reading {
        name: "CL-all-moments",
        terms: Some(Terms { moments: Moments::DeformedThroughout, ..Terms::CONSISTENT }),
        ..CL
    },
    Reading {
        name: "CL-without-rates",
        terms: Some(Terms { elastic_rates_across_joints: false, ..Terms::CONSISTENT }),
        on_beam: false,
        ..CL
    },
    Reading {
        name: "CL-without-tips",
        terms: Some(Terms { tip: Tip::None, ..Terms::CONSISTENT }),
        on_beam: false,
        ..CL
    },
    Reading { name: "CL-with-mass", terms: Some(Terms::CONSISTENT_WITH_MASS), ..CL },
    Reading {
        name: "EE(1)-without-rates",
        terms: Some(Terms { elastic_rates_across_joints: false, ..Terms::EXACT }),
        fidelity: Fidelity::Exact,
        on_beam: false,
        ..CL
    },
    Reading {
        name: "third-order",
        terms: Some(Terms { elastic: ElasticForce::ThirdOrder, ..Terms::EXACT }),
        fidelity: Fidelity::Exact,
        ..CL
    },
];

impl Case {
    /// The name of what moves.
    pub fn name(self) -> &'static str {
        self.manoeuvre.map_or("spin-up", Manoeuvre::name)
    }

    /// The name of the reading.
    pub fn model(self) -> &'static str {
        self.reading.name
    }
}

/// All readings on all manoeuvres, then on the beam where they differ there.
pub fn runs() -> Vec<Run> {
    let run = |reading: &'static Reading, manoeuvre| Run {
        case: StudyCase::Readings(Case { reading, manoeuvre }),
        fidelity: reading.fidelity,
        tip: reading.tip,
    };
    let arm = READINGS.iter().flat_map(|reading| Manoeuvre::ALL.map(|manoeuvre| run(reading, Some(manoeuvre))));
    let beam = READINGS.iter().filter(|reading| reading.on_beam).map(|reading| run(reading, None));
    arm.chain(beam).collect()
}

/// The quantities of a run.
pub fn values(case: Case, relative: f64) -> Result<Vec<Value>, Box<dyn Error>> {
    let Reading { terms, fidelity, tip, .. } = *case.reading;
    let Some(manoeuvre) = case.manoeuvre else { return on_beam(case, relative) };
    let flight = Flight { terms, ..Flight::new(ShuttleArm::flexible(fidelity, tip), manoeuvre, relative) };
    let (drift, stop) = match fidelity {
        Fidelity::RuthlessConstant => printed(manoeuvre, Fidelity::Ruthless, tip),
        _ => printed(manoeuvre, fidelity, tip),
    };
    Ok(outcome(&flight.fly()?, drift, stop))
}

/// The beam of table 1 with a reading.
fn on_beam(case: Case, relative: f64) -> Result<Vec<Value>, Box<dyn Error>> {
    let Reading { terms, fidelity, .. } = *case.reading;
    let beam = SpinUpBeam::damaren_sharf(Discretisation::NaturalModes { bending: 2, stretch: 1 }, fidelity);
    let built = beam.build()?;
    let (state, drive) = (State::new(&built.model), built.torque(beam.inertia()));
    let mut simulation = Simulation::new(&built.model, state, drive, Scheme::PrinceDormand8, tolerance(relative))?;
    if let Some(terms) = terms {
        simulation.set_formulation(Box::new(LinearisedDynamics::new(&beam.system(), &built.model, terms)?))?;
    }
    let mut peak = 0.0_f64;
    let drift = follow(&mut simulation, BEAM_END, |state| peak = peak.max(built.deflection(state).abs()));
    let printed = (case.reading.name == CL.name).then_some(0.220);
    let mut out = vec![
        Value::new("rms_energy_drift_percent", printed, drift.rms_percent),
        Value::new("peak_tip_m", None, peak),
        Value::new("final_rate_rad_s", None, built.rate(simulation.state())),
    ];
    out.extend(drift.stopped_at.map(|time| Value::new("stopped_at_s", None, time)));
    Ok(out)
}
