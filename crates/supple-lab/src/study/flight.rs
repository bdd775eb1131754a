//! One manoeuvre of the Shuttle arm, followed to its end [DS95 4.2].

use std::error::Error;

use supple::integrate::{Scheme, Simulation, Statistics};
use supple::{BodyIndex, Model, Node, State};
use supple_bodies::catalogue::manoeuvre::Manoeuvre;
use supple_bodies::catalogue::shuttle_arm::{LINKS, ShuttleArm, angles, hinges};

use super::drift::{Drift, follow_closely, tolerance};
use crate::linearised::{LinearisedDynamics, Terms};

/// What flies: an arm, a manoeuvre, and how it is computed.
#[derive(Clone, Copy, Debug)]
pub struct Flight {
    pub arm: ShuttleArm,
    /// Terms of the equations, where the sweeps do not carry them.
    pub terms: Option<Terms>,
    pub manoeuvre: Manoeuvre,
    pub scheme: Scheme,
    pub relative: f64,
    /// Instants that are kept for each sample of the drift.
    pub instants: u32,
}

/// What came of it.
pub struct Flown {
    pub drift: Drift,
    /// The start, then one for every instant that was reached.
    pub samples: Vec<Sample>,
    pub statistics: Statistics,
}

/// The arm at one time.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    pub time: f64,
    /// Hinge angles, rad.
    pub angles: [f64; LINKS],
    /// Displacements of the tips of links 2 and 3 from their straight lines, m.
    pub tips: [[f64; 3]; 2],
}

impl Flight {
    /// With the integrator of the tables.
    pub fn new(arm: ShuttleArm, manoeuvre: Manoeuvre, relative: f64) -> Self {
        Self { arm, terms: None, manoeuvre, scheme: Scheme::PrinceDormand8, relative, instants: 1 }
    }

    /// Follows it, up to where it breaks off.
    pub fn fly(&self) -> Result<Flown, Box<dyn Error>> {
        let model = self.arm.build()?;
        let booms = [1, 2].map(|link| Boom::new(&self.arm, &model, link));
        let (state, drive) = (State::new(&model), self.manoeuvre.drive(&model)?);
        let mut simulation = Simulation::new(&model, state, drive, self.scheme, tolerance(self.relative))?;
        if let Some(terms) = self.terms {
            let dynamics = LinearisedDynamics::new(&self.arm.system(), &model, terms)?;
            simulation.set_formulation(Box::new(dynamics))?;
        }
        let sample = |state: &State| Sample {
            time: state.time,
            angles: angles(&model, state),
            tips: booms.each_ref().map(|boom| boom.tip(&model, state)),
        };
        let mut samples = vec![sample(simulation.state())];
        let end = self.manoeuvre.duration();
        let drift = follow_closely(&mut simulation, end, self.instants, |state| samples.push(sample(state)));
        Ok(Flown { drift, samples, statistics: simulation.statistics() })
    }
}

impl Flown {
    /// Angles at the end; nothing where it broke off.
    pub fn final_angles(&self) -> Option<[f64; LINKS]> {
        self.samples.last().filter(|_| self.drift.stopped_at.is_none()).map(|sample| sample.angles)
    }
}

/// A boom.
struct Boom {
    body: BodyIndex,
    tip: Node,
}

impl Boom {
    fn new(arm: &ShuttleArm, model: &Model, link: usize) -> Self {
        let body = hinges(model)[link];
        let tip = arm.system().bodies.get(body.0).and_then(|boom| boom.nodes.last().cloned()).unwrap_or_default();
        Self { body, tip }
    }

    /// Displacement of the far end in the axes of the root.
    fn tip(&self, model: &Model, state: &State) -> [f64; 3] {
        let eta = state.modal_coordinates(model, self.body);
        let along = |axis: usize| self.tip.influence.iter().zip(eta).map(|(column, x)| column[axis + 3] * x).sum();
        std::array::from_fn(along)
    }
}
