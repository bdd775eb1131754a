//! Coordinates, speeds and time: what an integrator owns, nothing derived.

use crate::check;
use crate::closure::Hold;
use crate::error::DynamicsError;
use crate::model::{BodyIndex, Model, ModelStamp};
use std::fmt;
use supple_spatial::{Quaternion, Scalar};

/// A point of the motion. Per body: modal coordinates, then hinge coordinates; the same for speeds.
///
/// Two states are equal, and print the same, where their numbers are, whatever models they were made for.
#[derive(Clone)]
pub struct State<T = f64> {
    /// The model it was made for: handles of others are refused.
    pub stamp: ModelStamp,
    /// Time.
    pub time: T,
    /// `[η, θ]` of every body.
    pub coordinates: Vec<T>,
    /// `[η̇, β]` of every body.
    pub speeds: Vec<T>,
    /// Elastic rotation of the nodes of [`Model::attitude_nodes`], node axes to body axes.
    pub attitudes: Vec<Quaternion<T>>,
    /// Per closure of [`Model::closures`], whether it acts.
    pub closed: Vec<bool>,
    /// Per closure, where it holds its frames if that is not where the model says: see [`hold`](crate::hold).
    pub held: Vec<Option<Hold<T>>>,
}

impl<T: fmt::Debug> fmt::Debug for State<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("State");
        out.field("time", &self.time).field("coordinates", &self.coordinates);
        out.field("speeds", &self.speeds).field("attitudes", &self.attitudes).field("closed", &self.closed);
        out.field("held", &self.held).finish()
    }
}

impl<T: PartialEq> PartialEq for State<T> {
    fn eq(&self, other: &Self) -> bool {
        self.time == other.time
            && self.coordinates == other.coordinates
            && self.speeds == other.speeds
            && self.attitudes == other.attitudes
            && self.closed == other.closed
            && self.held == other.held
    }
}

impl<T: Scalar> State<T> {
    /// At rest, undeformed, hinges at zero.
    pub fn new(model: &Model<T>) -> Self {
        let mut coordinates = vec![T::ZERO; model.coordinate_count()];
        for (body, data) in model.body_indices().zip(model.bodies.iter()) {
            if data.hinge.motion.has_quaternion() {
                coordinates[model.hinge_coordinates(body).start + 3] = T::ONE;
            }
        }
        Self {
            stamp: model.stamp(),
            time: T::ZERO,
            coordinates,
            speeds: vec![T::ZERO; model.speed_count()],
            attitudes: vec![Quaternion::IDENTITY; model.attitude_nodes().len()],
            closed: vec![true; model.closures().len()],
            held: vec![None; model.closures().len()],
        }
    }

    /// Whether the state fits `model`: as many numbers as it has, all finite, quaternions of unit length. Every verb asks this first.
    ///
    /// # Errors
    /// The first number at fault, or how many there should be.
    pub fn check(&self, model: &Model<T>) -> Result<(), DynamicsError> {
        check::state(model, self, model.topology.stamp)
    }

    /// Modal coordinates of a body.
    ///
    /// # Panics
    /// For a model with another number of coordinates, or a body that it does not have; handles give errors instead.
    pub fn modal_coordinates(&self, model: &Model<T>, body: BodyIndex) -> &[T] {
        &self.coordinates[model.modal_coordinates(body)]
    }

    /// Hinge coordinates of a body.
    ///
    /// # Panics
    /// For a model with another number of coordinates, or a body that it does not have; handles give errors instead.
    pub fn hinge_coordinates(&self, model: &Model<T>, body: BodyIndex) -> &[T] {
        &self.coordinates[model.hinge_coordinates(body)]
    }

    /// Turns the nodes of [`Model::attitude_nodes`] by the rotation vector of their slopes `θ = λ η`, second-order ones included: the
    /// attitudes of a motion that starts deformed. It needs the present modal coordinates.
    ///
    /// # Panics
    /// For a state that has not the size of the model.
    pub fn turn_nodes(&mut self, model: &Model<T>) {
        for (attitude, (body, node)) in self.attitudes.iter_mut().zip(model.attitude_nodes()) {
            let eta = &self.coordinates[model.modal_coordinates(*body)];
            *attitude = Quaternion::exponential(model.elastic_slopes(*body, *node, eta));
        }
    }

    /// Rates of the coordinates and of the attitudes at the present speeds: `η̇`, hinge rates (quaternions
    /// included), and `(λ η̇, 0) ∘ q / 2` for integrated attitudes, with `λ` of the deformed body where it has second-order shapes.
    ///
    /// # Panics
    /// Where a slice has not the size of the model.
    pub fn coordinate_rates(&self, model: &Model<T>, rates: &mut [T], attitude_rates: &mut [Quaternion<T>]) {
        if model.topology.quaternions.is_empty() {
            // Every coordinate has its speed at the same place.
            rates.copy_from_slice(&self.speeds);
        } else {
            self.hinge_coordinate_rates(model, rates);
            for &k in &model.topology.flexible {
                let body = &model.topology.bodies[k];
                rates[body.eta()].copy_from_slice(&self.speeds[body.eta_dot()]);
            }
        }
        for (i, (body, node)) in model.attitude_nodes().iter().enumerate() {
            let (eta, eta_dot) = (self.modal_coordinates(model, *body), &self.speeds[model.modal_speeds(*body)]);
            attitude_rates[i] = self.attitudes[i].rate_fixed(model.elastic_spin(*body, *node, eta, eta_dot));
        }
    }

    /// Moves coordinates and attitudes along their manifold by `displacement`, a number per speed, as constant speeds do in a unit of time: what
    /// derivatives with respect to the configuration are taken along. Quaternions turn about the axes of the hinge's own frame; integrated attitudes
    /// by the slopes of the modes.
    ///
    /// # Panics
    /// Where the slice has not the size of the model.
    pub fn displace(&mut self, model: &Model<T>, displacement: &[T]) {
        self.turn_halfway(model, displacement);
        for (body, data) in model.topology.bodies.iter().zip(model.bodies.iter()) {
            for (i, u) in body.eta().zip(&displacement[body.eta_dot()]) {
                self.coordinates[i] += *u;
            }
            let theta = &mut self.coordinates[body.theta()];
            let mut from = [T::ZERO; 7];
            let from = &mut from[..theta.len()];
            from.copy_from_slice(theta);
            data.hinge.motion.transport(from, T::ONE, &displacement[body.beta()], theta);
        }
        self.turn_halfway(model, displacement);
    }

    /// Turns attitudes by half of what a displacement of the modes does, with the slopes of the present deformation.
    fn turn_halfway(&mut self, model: &Model<T>, displacement: &[T]) {
        for (i, (body, node)) in model.attitude_nodes().iter().enumerate() {
            let eta = &self.coordinates[model.modal_coordinates(*body)];
            let turn = model.elastic_spin(*body, *node, eta, &displacement[model.modal_speeds(*body)]);
            self.attitudes[i] =
                Quaternion::exponential(turn * T::from_f64(0.5)).product(self.attitudes[i]).normalized();
        }
    }

    /// Rates of the coordinates of the hinges alone.
    pub(crate) fn hinge_coordinate_rates(&self, model: &Model<T>, rates: &mut [T]) {
        for (top, data) in model.topology.bodies.iter().zip(model.bodies.iter()) {
            let (theta, beta) = (&self.coordinates[top.theta()], &self.speeds[top.beta()]);
            data.hinge.motion.coordinate_rates(theta, beta, &mut rates[top.theta()]);
        }
    }
}
