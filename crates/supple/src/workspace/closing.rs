//! Filled by `closure`.

use super::Residual;
use crate::model::Model;
use crate::model::topology::ClosureTopology;
use supple_spatial::{Force, Matrix3, Motion, Scalar, Vector3};

/// Frames, equations and forces of the closures.
#[derive(Clone, Debug)]
pub(crate) struct Closing<T> {
    /// Per closure: its frames `a` and `b`.
    pub sides: Vec<[SidePlace<T>; 2]>,
    /// Per equation: wrench on each frame per unit of its force, in inertial axes.
    pub wrench: Vec<[Force<T>; 2]>,
    /// Per equation: the same as a force on the carrier, in body axes.
    pub load: Vec<[Force<T>; 2]>,
    /// Per equation: how far it is violated.
    pub deviation: Vec<T>,
    /// Per equation: `A V`, how fast it is violated.
    pub speed: Vec<T>,
    /// Per equation: `Ȧ V`, what its rate keeps at zero accelerations of the carriers.
    pub drift: Vec<T>,
    /// Per equation and slot: `L⁻¹ ε`, and the same over the pivots.
    pub epsilon: Vec<T>,
    pub nu: Vec<T>,
    /// Per equation and body of its path: `z_R`.
    pub residual: Vec<Force<T>>,
    /// Packed, per group: `A Λ A*`, then its factor.
    pub matrix: Vec<T>,
    /// Per equation: its force `λ`.
    pub force: Vec<T>,
    /// Per equation: whether it takes part; redundant ones do not.
    pub rows: Vec<bool>,
    /// Per equation that takes part: square of the sine between it and those before it, in the metric of `Λ`; one for others.
    pub independence: Vec<T>,
    /// Per equation: how the bodies of its path would answer its force in any direction, and so what rounding leaves in its own.
    pub reach: Vec<T>,
    /// Per closure: whether its columns of `b` are those of the present factors, and whether its forces are in the accelerations.
    pub has_columns: Vec<bool>,
    pub acted: Vec<bool>,
    /// Whether the accelerations obey closures.
    pub solved: bool,
    /// Forces of the inward recursions over the paths.
    pub path: Residual<T>,
    /// Generalized forces of a coupling; zero between calls.
    pub hinge_force: Vec<T>,
    /// Per body: rate of its attitude, where the elastic rotation is none.
    pub attitude_rate: Vec<Matrix3<T>>,
}

/// A frame of a closure.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SidePlace<T> {
    /// From the carrier to its origin, in body axes.
    pub offset: Vector3<T>,
    /// Its axes to inertial axes, and the rate of that.
    pub attitude: Matrix3<T>,
    pub attitude_rate: Matrix3<T>,
    /// Its origin, in inertial axes.
    pub position: Vector3<T>,
    /// Its motion, in inertial axes.
    pub velocity: Motion<T>,
    /// What the rate of that keeps at zero acceleration of the carrier.
    pub drift: Motion<T>,
}

impl<T: Scalar> SidePlace<T> {
    pub(crate) const GROUND: Self = Self {
        offset: Vector3::ZERO,
        attitude: Matrix3::IDENTITY,
        attitude_rate: Matrix3::ZERO,
        position: Vector3::ZERO,
        velocity: Motion::ZERO,
        drift: Motion::ZERO,
    };
}

impl<T: Scalar> Closing<T> {
    pub(crate) fn new(model: &Model<T>) -> Self {
        let top = &*model.topology;
        let rows = top.closure_groups.last().map_or(0, |group| group.rows.end);
        let most = |end: fn(&ClosureTopology) -> usize| top.closures.iter().map(end).max().unwrap_or(0);
        let (slots, bodies) = (most(|c| c.innovations.end), most(|c| c.residuals.end));
        let closed = !top.closures.is_empty();
        Self {
            sides: vec![[SidePlace::GROUND; 2]; top.closures.len()],
            wrench: vec![[Force::ZERO; 2]; rows],
            load: vec![[Force::ZERO; 2]; rows],
            deviation: vec![T::ZERO; rows],
            speed: vec![T::ZERO; rows],
            drift: vec![T::ZERO; rows],
            epsilon: vec![T::ZERO; slots],
            nu: vec![T::ZERO; slots],
            residual: vec![Force::ZERO; bodies],
            matrix: vec![T::ZERO; top.closure_groups.last().map_or(0, |group| group.triangle.end)],
            force: vec![T::ZERO; rows],
            rows: vec![true; rows],
            independence: vec![T::ONE; rows],
            reach: vec![T::ZERO; rows],
            has_columns: vec![false; top.closures.len()],
            acted: vec![false; top.closures.len()],
            solved: false,
            path: if closed { Residual::new(top) } else { Residual::EMPTY },
            hinge_force: vec![T::ZERO; if closed { top.sizes.speeds } else { 0 }],
            attitude_rate: vec![Matrix3::ZERO; if closed { top.bodies.len() } else { 0 }],
        }
    }
}
