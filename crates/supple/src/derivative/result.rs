//! Where derivatives are written.

use super::by_dual::ByDual;
use super::closure::Closures;
use super::element::Laws;
use super::memory::{Matrices, Recursion};
use super::solve::Inverse;
use crate::model::Model;

/// Derivatives of the answer of a verb, with the memory to find them. Each is a square matrix by rows: a row for each number of the answer, in
/// the order of the speeds, and a column for each speed.
///
/// | after                                                         | the answer, row by row                                  | [`input`](Self::input) is with respect to |
/// |---------------------------------------------------------------|---------------------------------------------------------|--------------------------------------------|
/// | [`forward_dynamics_derivatives`](crate::forward_dynamics_derivatives) | accelerations `u̇`                               | forces `T`                                 |
/// | [`inverse_dynamics_derivatives`](crate::inverse_dynamics_derivatives) | forces `T`                                      | accelerations `u̇`                          |
/// | [`hybrid_dynamics_derivatives`](crate::hybrid_dynamics_derivatives)   | forces of prescribed hinges, other accelerations | accelerations of these, other forces       |
///
/// Displacements `δ` are tangent coordinates, one for each speed: the coordinates move as they do in a unit of time at the speeds `δ`, quaternions
/// and integrated attitudes along their manifolds. An integrated attitude moves with its modes, by `δθ = λ δη`.
#[derive(Debug)]
pub struct Derivatives {
    pub(super) stamp: u64,
    pub(super) matrices: Matrices<f64>,
    /// Accelerations at which inverse dynamics is differentiated.
    pub(super) accelerations: Vec<f64>,
    pub(super) recursion: Recursion<f64>,
    pub(super) laws: Laws,
    pub(super) closures: Closures,
    pub(super) inverse: Inverse<f64>,
    /// For models whose velocities are not the rates of positions.
    pub(super) by_dual: Option<Box<ByDual>>,
}

impl Derivatives {
    /// Memory for `model`; nothing is allocated after this.
    pub fn new(model: &Model) -> Self {
        let n = model.speed_count();
        Self {
            stamp: model.topology.stamp,
            matrices: Matrices::new(n),
            accelerations: vec![0.0; n],
            recursion: Recursion::new(model),
            laws: Laws::new(model),
            closures: Closures::new(model),
            inverse: Inverse::new(model),
            by_dual: (!is_holonomic(model)).then(|| Box::new(ByDual::new(model))),
        }
    }

    /// With respect to displacements `δ`, at constant speeds.
    pub fn displacement(&self) -> &[f64] {
        &self.matrices.displacement
    }

    /// With respect to speeds `u`.
    pub fn speed(&self) -> &[f64] {
        &self.matrices.speed
    }

    /// With respect to what is given: see the table above.
    pub fn input(&self) -> &[f64] {
        &self.matrices.input
    }

    /// The [`input`](Self::input) of forward dynamics: `∂u̇/∂T`, which is `𝓜⁻¹` for a tree.
    pub fn force(&self) -> &[f64] {
        &self.matrices.input
    }

    /// The [`input`](Self::input) of inverse dynamics: `∂T/∂u̇`, which is `𝓜`.
    pub fn acceleration(&self) -> &[f64] {
        &self.matrices.input
    }
}

/// Whether the velocities of hinge nodes that modes move are the rates of their positions, and accelerations those of velocities: not with the
/// elastic rotations `None` and `FirstOrder`, nor where a body leaves its own rates out.
pub(super) fn is_holonomic<T>(model: &Model<T>) -> bool {
    let bodies = model.topology.bodies.iter().zip(model.bodies.iter());
    let mut moving = bodies.filter(|(body, _)| body.moves_nodes);
    moving.all(|(_, data)| {
        model.topology.elastic_rotation.is_orthogonal() && !data.flexible.as_ref().is_some_and(|f| f.still)
    })
}
