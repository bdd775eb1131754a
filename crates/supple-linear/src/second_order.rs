//! Linear equations of second order, `M q̈ + C q̇ + K q = 0`, in independent coordinates.

use faer::Mat;
use supple::{Inputs, Model, State};

use crate::coordinates::Coordinates;
use crate::reduction::{Reduction, reduce};
use crate::tangent::{Tangent, tangent};
use crate::{LinearError, Matrix, Signal};

/// `M q̈ + C q̇ + K q = S* f` about a state: small displacements `q` of the coordinates that closures and locked hinges leave independent.
#[derive(Clone, Debug, PartialEq)]
pub struct SecondOrder {
    /// `M`: symmetric, positive definite.
    pub mass: Matrix,
    /// `C`: damping, and gyroscopic terms of a system that moves.
    pub damping: Matrix,
    /// `K`: elastic, geometric and gravitational stiffness, springs, and centrifugal terms of a system that moves.
    pub stiffness: Matrix,
    /// What the entries of `q` are.
    pub coordinates: Vec<Signal>,
    /// The place of each among the speeds of the model.
    pub speeds: Vec<usize>,
    /// `S`: displacements of all speeds of the model, per independent coordinate.
    pub motion: Matrix,
}

/// Linear equations of second order about a state. Hinges that `inputs` prescribe are locked, or move on as prescribed; all others are free.
///
/// # Errors
/// [`LinearError::NoFreedom`], or what the engine says about the state.
pub fn second_order(model: &Model, state: &State, inputs: &Inputs) -> Result<SecondOrder, LinearError> {
    let tangent = tangent(model, state, inputs)?;
    let reduced = Reduced::new(model, &tangent, &free_speeds(model, inputs), &[])?;
    let names = Coordinates::of(model);
    let [mass, damping, stiffness] = reduced.in_displacements();
    Ok(SecondOrder {
        mass: Matrix::from_faer(mass.as_ref()),
        damping: Matrix::from_faer(damping.as_ref()),
        stiffness: Matrix::from_faer(stiffness.as_ref()),
        coordinates: reduced.reduction.kept.iter().map(|i| names.displacements[*i].clone()).collect(),
        motion: Matrix::from_faer(reduced.reduction.shape.as_ref()),
        speeds: reduced.reduction.kept,
    })
}

/// Speeds of modes and of hinges that are not prescribed.
pub(crate) fn free_speeds(model: &Model, inputs: &Inputs) -> Vec<usize> {
    let locked = |i: &usize| {
        let mut prescribed = model.hinges().zip(&inputs.prescribed).filter(|(_, flag)| **flag);
        prescribed.any(|(hinge, _)| hinge.speeds().contains(i))
    };
    (0..model.speed_count()).filter(|i| !locked(i)).collect()
}

/// The tangent in independent coordinates `z` and speeds `w`, rows of the free ones: `M ẇ + C w + K z = S* f`, `ż = w + G z`.
pub(crate) struct Reduced {
    pub reduction: Reduction,
    pub mass: Mat<f64>,
    pub damping: Mat<f64>,
    pub stiffness: Mat<f64>,
    pub transport: Mat<f64>,
}

impl Reduced {
    /// Of the `free` speeds of a model and those that inputs accelerate.
    pub fn new(model: &Model, tangent: &Tangent, free: &[usize], driven: &[usize]) -> Result<Self, LinearError> {
        let held = |speed: usize| LinearError::CannotMove { name: Coordinates::of(model).acceleration(speed) };
        let reduction = reduce(tangent, free, driven).map_err(held)?;
        if reduction.kept.is_empty() {
            return Err(LinearError::NoFreedom);
        }
        let Reduction { free, shape, speed_by_displacement, acceleration_by: [by_z, by_w], kept } = &reduction;
        let rows = shape.as_ref().subcols(0, *free).transpose();
        let (m, c, k) = (&tangent.mass, &tangent.damping, &tangent.stiffness);
        let all_transport = &tangent.transport * shape;
        Ok(Self {
            mass: rows * (m * shape),
            damping: rows * (m * by_w + c * shape),
            stiffness: rows * (m * by_z + c * speed_by_displacement + k * shape),
            transport: Mat::from_fn(kept.len(), kept.len(), |i, j| all_transport[(kept[i], j)]),
            reduction,
        })
    }

    /// Sizes of the forces at the independent coordinates.
    pub fn loads(&self, tangent: &Tangent) -> Vec<f64> {
        let Reduction { shape, free, .. } = &self.reduction;
        let at = |j: usize| (0..shape.nrows()).map(|i| shape[(i, j)].abs() * tangent.loads[i]).sum();
        (0..*free).map(at).collect()
    }

    /// `M`, `C`, `K` of displacements and their rates, nothing driven: `w = ż - G z`.
    pub fn in_displacements(&self) -> [Mat<f64>; 3] {
        let Self { mass, damping, stiffness, transport, .. } = self;
        let symmetric = Mat::from_fn(mass.nrows(), mass.ncols(), |i, j| 0.5 * (mass[(i, j)] + mass[(j, i)]));
        [symmetric, damping - mass * transport, stiffness - damping * transport]
    }
}
