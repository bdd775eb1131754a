//! The equations of motion of first order about a state, in all speeds of the model.
//!
//! ```text
//! 𝓜 δu̇ + C δu + K δ - A* δλ = δf            tree and closures' forces
//! A δ = 0                                    closures stay closed
//! A δu + (∂(A u)/∂δ) δ = 0                   so do their speeds
//! A δu̇ + a_δ δ + a_u δu = 0                  and accelerations
//! δ̇ = δu + G δ                               axes that turn
//! ```

use faer::Mat;
use supple::{Inputs, Model, State, Terms, Workspace};

use crate::LinearError;
use crate::coordinates::transport;
use crate::tree_derivatives::{TreeDerivatives, tree_derivatives};

/// Coefficients of the equations above, and the point they belong to.
#[derive(Clone, Debug)]
pub(crate) struct Tangent {
    pub mass: Mat<f64>,
    /// `C`.
    pub damping: Mat<f64>,
    /// `K`, closures' forces held.
    pub stiffness: Mat<f64>,
    /// `A`: a row for each equation of the closures that act.
    pub jacobian: Mat<f64>,
    /// `∂(A u)/∂δ`.
    pub speed_change: Mat<f64>,
    /// `a_δ` and `a_u`.
    pub acceleration_change: [Mat<f64>; 2],
    /// `G`.
    pub transport: Mat<f64>,
    /// Accelerations at the state.
    pub accelerations: Vec<f64>,
    /// Sizes of the forces at each speed that keep each other in balance.
    pub loads: Vec<f64>,
}

/// What the equations are differentiated at, besides state and inputs.
#[derive(Clone, Debug)]
pub(crate) struct Point {
    /// Accelerations.
    pub accelerations: Vec<f64>,
    /// Forces of the equations of closures.
    pub closure_forces: Vec<f64>,
}

/// Solves the dynamics at a state and differentiates it. Hinges that `inputs` prescribe have their accelerations.
pub(crate) fn tangent(model: &Model, state: &State, inputs: &Inputs) -> Result<Tangent, LinearError> {
    let mut workspace = Workspace::new(model);
    let solution = supple::hybrid_dynamics(model, state, inputs, &mut workspace)?;
    let mut closure_forces = vec![0.0; model.equation_count()];
    for closure in model.closure_handles() {
        closure_forces[closure.rows()].copy_from_slice(solution.closure_forces(closure)?);
    }
    tangent_at(model, state, inputs, Point { accelerations: solution.accelerations().to_vec(), closure_forces })
}

/// The equations differentiated at accelerations and closures' forces that are given.
pub(crate) fn tangent_at(model: &Model, state: &State, inputs: &Inputs, point: Point) -> Result<Tangent, LinearError> {
    let TreeDerivatives { mass, damping, stiffness, jacobian, speed_change, acceleration_change } =
        tree_derivatives(model, state, inputs, &point)?;
    Ok(Tangent {
        mass,
        damping,
        stiffness,
        jacobian,
        speed_change,
        acceleration_change,
        transport: transport(model, state),
        loads: loads(model, state, inputs)?,
        accelerations: point.accelerations,
    })
}

/// Sizes of the forces at each speed: gravity, elastic forces, velocity terms, elements, wrenches and drives, added up.
pub(crate) fn loads(model: &Model, state: &State, inputs: &Inputs) -> Result<Vec<f64>, LinearError> {
    let parts = [
        Terms { velocity: true, ..Terms::NONE },
        Terms { elastic: true, ..Terms::NONE },
        Terms { gravity: true, ..Terms::NONE },
        Terms { external: true, ..Terms::NONE },
        Terms { elements: true, ..Terms::NONE },
    ];
    let mut workspace = Workspace::new(model);
    let mut sum: Vec<f64> = inputs.forces.iter().map(|force| force.abs()).collect();
    for terms in parts {
        let forces = supple::bias_forces(model, state, inputs, terms, &mut workspace)?.forces();
        sum.iter_mut().zip(forces).for_each(|(sum, force)| *sum += force.abs());
    }
    Ok(sum)
}
