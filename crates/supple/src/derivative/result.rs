//! Where derivatives are written.

use super::by_dual::ByDual;
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
    pub(super) displacement: Vec<f64>,
    pub(super) speed: Vec<f64>,
    pub(super) input: Vec<f64>,
    pub(super) by_dual: ByDual,
}

impl Derivatives {
    /// Memory for `model`; nothing is allocated after this.
    pub fn new(model: &Model) -> Self {
        let n = model.speed_count();
        let matrix = || vec![0.0; n * n];
        Self {
            stamp: model.topology.stamp,
            displacement: matrix(),
            speed: matrix(),
            input: matrix(),
            by_dual: ByDual::new(model),
        }
    }

    /// With respect to displacements `δ`, at constant speeds.
    pub fn displacement(&self) -> &[f64] {
        &self.displacement
    }

    /// With respect to speeds `u`.
    pub fn speed(&self) -> &[f64] {
        &self.speed
    }

    /// With respect to what is given: see the table above.
    pub fn input(&self) -> &[f64] {
        &self.input
    }

    /// The [`input`](Self::input) of forward dynamics: `∂u̇/∂T`, which is `𝓜⁻¹` for a tree.
    pub fn force(&self) -> &[f64] {
        &self.input
    }

    /// The [`input`](Self::input) of inverse dynamics: `∂T/∂u̇`, which is `𝓜`.
    pub fn acceleration(&self) -> &[f64] {
        &self.input
    }
}
