//! How fast a system swings, decays and grows about a pose: eigenvalues without shapes, and which of them are vibrations.
//!
//! A pose need not be an equilibrium: it is taken as one that constant forces hold. Their work is linear, so that they have no part in the stiffness; what gravity, springs and the
//! shape of bodies do has.
//!
//! ```text
//! strain = x* K_e x / |λ|² x* M x          of bodies and force elements: one for vibrations, zero for motions of rigid bodies
//! ```

use faer::{Mat, c64};
use supple::spatial::Vector3;
use supple::{Derivatives, Inputs, Model, State, Workspace};

use crate::second_order::{Reduced, free_speeds};
use crate::spectrum::spectrum;
use crate::tangent::{Point, Tangent, tangent_at};
use crate::{Complex, LinearError};

/// A motion about a pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vibration {
    /// `λ`, with an imaginary part that is not negative, 1/s; exactly zero where nothing resists.
    pub eigenvalue: Complex,
    /// Share of strain in its energy, of bodies and force elements; about one for a vibration, zero for a motion of rigid bodies. Where controllers act as springs, or
    /// gravity does, the rest is theirs.
    pub strain: f64,
}

/// All motions about a pose, slowest first: one for each pair of conjugate eigenvalues, and for each real one. Hinges that `inputs` prescribe are locked, all others are free; speeds of
/// the state are taken as zero. Work grows with the cube of the number of speeds.
///
/// # Errors
/// [`LinearError::NoFreedom`], or what the engine says about the state.
pub fn vibrations(model: &Model, state: &State, inputs: &Inputs) -> Result<Vec<Vibration>, LinearError> {
    let pose = Pose::new(model, state, inputs)?;
    let [mass, damping, stiffness] = pose.reduced.in_displacements();
    let pairs = spectrum(&mass, &damping, &stiffness, &pose.reduced.loads(&pose.tangent))?;
    let strain = pose.strain_matrix()?;
    let motion = |pair: &crate::spectrum::Eigenpair| Vibration {
        eigenvalue: pair.value.into(),
        strain: share(&strain, &mass, &pair.vector, pair.value),
    };
    Ok(pairs.iter().map(motion).collect())
}

/// A pose and the linear equations about it.
pub(crate) struct Pose<'p> {
    pub model: &'p Model,
    pub state: State,
    pub inputs: Inputs,
    pub tangent: Tangent,
    pub reduced: Reduced,
}

impl<'p> Pose<'p> {
    pub fn new(model: &'p Model, state: &State, inputs: &Inputs) -> Result<Self, LinearError> {
        state.check(model)?;
        inputs.check(model)?;
        let state = State { speeds: vec![0.0; state.speeds.len()], ..state.clone() };
        let inputs = Inputs { accelerations: vec![0.0; inputs.accelerations.len()], ..inputs.clone() };
        let mut closure_forces = vec![0.0; model.equation_count()];
        if state.closed.contains(&true) {
            let mut workspace = Workspace::new(model);
            let solution = supple::hybrid_dynamics(model, &state, &inputs, &mut workspace)?;
            for closure in model.closure_handles() {
                closure_forces[closure.rows()].copy_from_slice(solution.closure_forces(closure)?);
            }
        }
        let point = Point { accelerations: vec![0.0; model.speed_count()], closure_forces };
        let tangent = tangent_at(model, &state, &inputs, point)?;
        let reduced = Reduced::new(model, &tangent, &free_speeds(model, &inputs), &[])?;
        Ok(Self { model, state, inputs, tangent, reduced })
    }

    /// `K_e` of the independent coordinates: what is left without weight and loads.
    pub fn strain_matrix(&self) -> Result<Mat<f64>, LinearError> {
        let weightless = self.model.clone().with_gravity(Vector3([0.0; 3]));
        let (n, shape) = (weightless.speed_count(), &self.reduced.reduction.shape);
        let (mut workspace, mut found) = (Workspace::new(&weightless), Derivatives::new(&weightless));
        let unloaded = Inputs::new(&weightless);
        supple::inverse_dynamics_derivatives(&weightless, &self.state, &unloaded, &mut workspace, &mut found)?;
        let stiffness = found.displacement();
        Ok(shape.transpose() * Mat::from_fn(n, n, |i, j| stiffness[i * n + j]) * shape)
    }
}

/// Share of strain in the energy of a motion.
pub(crate) fn share(strain: &Mat<f64>, mass: &Mat<f64>, vector: &[c64], value: c64) -> f64 {
    let form = |a: &Mat<f64>| -> f64 {
        let row = |i: usize| vector.iter().enumerate().fold(c64::new(0.0, 0.0), |sum, (j, x)| sum + *x * a[(i, j)]);
        (0..vector.len()).map(|i| (vector[i].conj() * row(i)).re).sum()
    };
    let energy = value.norm_sqr() * form(mass);
    if energy > 0.0 { (form(strain) / energy).max(0.0) } else { 0.0 }
}
