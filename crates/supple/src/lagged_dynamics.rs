//! Accelerations from forces with quantities of the last step: claims 6, 21 and 36 of US patent 5,546,508.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use crate::check;
use crate::error::DynamicsError;
use crate::inputs::Inputs;
use crate::method::Method;
use crate::model::Model;
use crate::solution::Solution;
use crate::state::State;
use crate::sweep;
use crate::sweep::lagged::{Left, lagged};
use crate::terms::Terms;
use crate::workspace::Workspace;
use supple_spatial::{ArticulatedInertia, Force, Motion};

/// Numbers of an articulated inertia.
const INERTIA: usize = 21;

/// [`forward_dynamics`](crate::forward_dynamics) over a succession of time steps, in which every body uses the articulated inertia `P⁺`, the
/// residual force `z⁺` and the acceleration `α` that its neighbours had at the last step: no body waits for another.
///
/// The price is an error of first order in the step size. The first call, and each
/// after [`restart`](Self::restart), repeats the step until nothing changes and is exact; so is every call in a state and under forces that
/// have not changed for twice as many calls as there are bodies on the longest path. No call allocates.
#[derive(Clone, Debug)]
pub struct LaggedDynamics {
    workspace: Workspace,
    left: Left<f64>,
    /// Bodies on the longest path.
    depth: usize,
    begun: bool,
}

impl LaggedDynamics {
    /// For a model without closures.
    ///
    /// # Errors
    /// [`DynamicsError::NotForClosures`] for a model with closures, whose forces need articulated quantities of one instant.
    pub fn new(model: &Model) -> Result<Self, DynamicsError> {
        if !model.closing.is_empty() {
            return Err(DynamicsError::NotForClosures { what: "the lagged form of forward dynamics" });
        }
        let mut depths: Vec<usize> = Vec::with_capacity(model.body_count());
        for body in model.body_indices() {
            depths.push(1 + model.parent(body).map_or(0, |parent| depths[parent.0]));
        }
        let bodies = model.body_count();
        let left = Left { inertia: vec![ArticulatedInertia::ZERO; bodies], force: vec![Force::ZERO; bodies] };
        let depth = depths.into_iter().max().unwrap_or(0);
        Ok(Self { workspace: Workspace::new(model), left, depth, begun: false })
    }

    /// Steps after which nothing changes any more in a state that stands still: twice the number of bodies on the longest path.
    pub fn settling_steps(&self) -> usize {
        2 * self.depth
    }

    /// Forgets the last step.
    pub fn restart(&mut self) {
        self.begun = false;
    }

    /// All numbers that the next step takes over: none before the first step.
    pub fn save(&self) -> Vec<f64> {
        if !self.begun {
            return Vec::new();
        }
        let inertias = self
            .left
            .inertia
            .iter()
            .flat_map(|P| P.angular.0.into_iter().chain(P.coupling.0.into_iter().flatten()).chain(P.linear.0));
        let forces = self.left.force.iter().flat_map(|z| z.to_array());
        inertias.chain(forces).chain(self.workspace.acceleration.carrier.iter().flat_map(|a| a.to_array())).collect()
    }

    /// Takes over what another [saved](Self::save) for the same model. Tells whether the numbers fit.
    pub fn load(&mut self, from: &[f64]) -> bool {
        let carriers = &mut self.workspace.acceleration.carrier;
        let expected = (INERTIA + 6) * self.left.inertia.len() + 6 * carriers.len();
        if !from.is_empty() && from.len() != expected {
            return false;
        }
        self.begun = !from.is_empty();
        let mut rest = from.iter().copied();
        let mut next = || rest.next().unwrap_or(0.0);
        for P in &mut self.left.inertia {
            P.angular.0.iter_mut().for_each(|x| *x = next());
            P.coupling.0.iter_mut().flatten().for_each(|x| *x = next());
            P.linear.0.iter_mut().for_each(|x| *x = next());
        }
        self.left.force.iter_mut().for_each(|z| *z = Force::from_array(std::array::from_fn(|_| next())));
        carriers.iter_mut().for_each(|a| *a = Motion::from_array(std::array::from_fn(|_| next())));
        true
    }

    /// Accelerations at the next time step.
    ///
    /// # Errors
    /// As [`forward_dynamics`](crate::forward_dynamics).
    pub fn step(&mut self, model: &Model, state: &State, inputs: &Inputs) -> Result<Solution<'_>, DynamicsError> {
        let repeats = if self.begun { 1 } else { self.settling_steps() };
        let Self { workspace, left, begun, .. } = self;
        check::state(model, state, workspace.stamp)?;
        check::inputs(model, inputs)?;
        workspace.move_and_load(model, state, inputs, Terms::ALL);
        workspace.articulated.choose(model, Method::Explicit, None);
        let mut forces = std::mem::take(&mut workspace.second_result);
        forces.copy_from_slice(sweep::applied::total_forces(model, &inputs.forces, &mut workspace.applied));
        let mut definite = true;
        for _ in 0..repeats {
            definite = lagged(model, state, &forces, workspace, left);
        }
        workspace.second_result = forces;
        *begun = false;
        check::definite(model, definite, &workspace.articulated)?;
        check::result("accelerations", &workspace.result, Some(inputs))?;
        *begun = true;
        workspace.second_result.copy_from_slice(&inputs.forces);
        Ok(Solution::new(model, &workspace.result, &workspace.second_result))
    }
}
