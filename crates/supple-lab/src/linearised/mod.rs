//! Damaren and Sharf's equations of a chain, term by term.
//!
//! C. J. Damaren and I. Sharf, *Simulation of Flexible-Link Manipulators With Inertial and Geometric Nonlinearities*, 1995 \[DS95\]. Their four models
//! differ in the terms that they keep ([`Terms`]). Every term is written out here once, for links with assumed modes on revolute joints, and the system is
//! solved as a whole; nothing is shared with the sweeps. It decides which reading of the paper its tables need (`docs/studies/readings.md`) and carries
//! variants that are of no use elsewhere.
//!
//! | file    | equations          | what                                     |
//! |---------|--------------------|------------------------------------------|
//! | `terms` | 3.1                | which terms a model keeps                |
//! | `link`  | (7), (9), (13), (14), (20) | constants of a link              |
//! | `chain` | (22), (25) to (28) | motion of the frames, joint by joint     |
//! | `body`  | (3) to (15)        | mass and forces of one body              |

mod body;
mod chain;
mod link;
mod terms;

pub use link::NotCarried;
pub use terms::{ElasticForce, Moments, Terms, Tip};

use body::Deformed;
use chain::Frame;
use link::Link;
use supple::integrate::Formulation;
use supple::spatial::Mask;
use supple::spatial::block::cholesky;
use supple::{BodyIndex, DynamicsError, Energy, Inputs, Model, ModelStamp, Power, State, System};

/// The equations of motion of a chain with chosen terms, and the memory to evaluate them.
#[derive(Clone, Debug)]
pub struct LinearisedDynamics {
    stamp: ModelStamp,
    terms: Terms,
    links: Vec<Link>,
    frame: Frame,
    /// Packed lower triangle of the mass matrix, then its factor.
    matrix: Vec<f64>,
    right: Vec<f64>,
}

impl LinearisedDynamics {
    /// The chain of `system` with these terms, for states of the `model` that is built from it. Gravity, dampers, wrenches and force elements are left out.
    ///
    /// # Errors
    /// The first body that the equations do not carry.
    pub fn new(system: &System, model: &Model, terms: Terms) -> Result<Self, NotCarried> {
        let size = model.speed_count();
        Ok(Self {
            stamp: model.stamp(),
            terms,
            links: link::links(system, model)?,
            frame: Frame::new(size),
            matrix: vec![0.0; cholesky::packed_len(size)],
            right: vec![0.0; size],
        })
    }

    /// Fills mass matrix and right-hand side without the forces at the joints; gives the energy.
    fn assemble(&mut self, state: &State) -> Energy {
        let Self { links, terms, frame, matrix, right, .. } = self;
        matrix.fill(0.0);
        right.fill(0.0);
        frame.start();
        let (mut kinetic, mut elastic) = (0.0, 0.0);
        for k in 0..links.len() {
            let before = k.checked_sub(1).map(|p| &links[p]);
            frame.cross(before, &links[k], *terms, state);
            let link = &links[k];
            let [q, q_dot] = [&state.coordinates, &state.speeds].map(|all| &all[link.elastic.clone()]);
            let deformed = Deformed::new(link, q);
            body::add(link, &deformed, *terms, (q, q_dot), frame, (&mut *matrix, &mut *right));
            kinetic += body::kinetic(link, &deformed, *terms, (q, q_dot), frame);
            elastic += link.elastic_energy(q, terms.elastic);
        }
        Energy { kinetic, elastic, gravitational: 0.0, stored: 0.0 }
    }
}

impl Formulation for LinearisedDynamics {
    fn stamp(&self) -> ModelStamp {
        self.stamp
    }

    fn accelerations(
        &mut self,
        state: &State,
        inputs: &Inputs,
        accelerations: &mut [f64],
        forces: &mut [f64],
    ) -> Result<(), DynamicsError> {
        let expected = self.right.len();
        for (quantity, found) in [("accelerations", accelerations.len()), ("forces", forces.len())] {
            if found != expected {
                return Err(DynamicsError::WrongSize { quantity, found, expected });
            }
        }
        self.assemble(state);
        forces.copy_from_slice(&inputs.forces);
        for (a, (right, force)) in accelerations.iter_mut().zip(self.right.iter().zip(&*forces)) {
            *a = right + force;
        }
        if !cholesky::factor_in_place(&mut self.matrix, expected).all() {
            return Err(DynamicsError::Singular { body: BodyIndex(0), name: "the whole chain".into() });
        }
        cholesky::solve(&self.matrix, accelerations);
        match accelerations.iter().all(|a| a.is_finite()) {
            true => Ok(()),
            false => Err(DynamicsError::Overflow { quantity: "accelerations" }),
        }
    }

    fn energy(&mut self, state: &State) -> Result<Energy, DynamicsError> {
        let energy = self.assemble(state);
        match energy.total().is_finite() {
            true => Ok(energy),
            false => Err(DynamicsError::Overflow { quantity: "energy" }),
        }
    }

    fn power(&mut self, state: &State, inputs: &Inputs) -> Result<Power, DynamicsError> {
        let forces = inputs.forces.iter().zip(&state.speeds).map(|(force, speed)| force * speed).sum();
        Ok(Power { forces, wrenches: 0.0, dissipated: 0.0, element_supplied: 0.0, element_dissipated: 0.0 })
    }
}

#[cfg(test)]
mod tests;
