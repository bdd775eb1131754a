//! Filled by `closure`.

use super::Residual;
use crate::closure::least::memory;
use crate::model::Model;
use crate::model::topology::{ClosureTopology, Secondary};
use supple_spatial::{Force, Mask, Matrix3, Motion, Scalar, Vector3};

/// Frames, equations and forces of the closures.
#[derive(Clone, Debug)]
pub(crate) struct Closing<T: Scalar> {
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
    /// Per equation of a closure that acts: square of the sine between it and those before it, in the metric of `Λ`; one for others.
    pub independence: Vec<T>,
    /// Per equation: where it has a pivot.
    pub determined: Vec<T::Mask>,
    /// Per equation: how the bodies of its path would answer its force in any direction, and so what rounding leaves in its own.
    pub reach: Vec<T>,
    /// Per closure: whether its columns of `b` are those of the present factors, and whether its forces are in the accelerations.
    pub has_columns: Vec<bool>,
    pub acted: Vec<bool>,
    /// Whether the accelerations obey closures.
    pub solved: bool,
    /// Coordinates and attitudes of the nodes before a projection.
    pub before: Vec<T>,
    /// Per group: where its forces follow from the speeds of a secondary system.
    pub by_speeds: Vec<T::Mask>,
    /// Of secondary systems: `D`, `K` and its factors part by part, `E`, `K⁻¹ E*`, the factor of `D + E K⁻¹ E*`, and `y`.
    pub pivots: Vec<T>,
    pub parts: Vec<T>,
    pub couplings: Vec<T>,
    pub columns: Vec<T>,
    pub capacitance: Vec<T>,
    pub unknown: Vec<T>,
    /// For the least forces of the largest group, and for forces that are found in two ways.
    pub scratch: Vec<T>,
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
        let systems = || top.closure_groups.iter().filter_map(|group| group.secondary.as_ref());
        let most_of = |end: fn(&Secondary) -> usize| systems().map(end).max().unwrap_or(0);
        let zeros = |count: usize| vec![T::ZERO; count];
        let closed = !top.closures.is_empty();
        let largest = top.closure_groups.iter().map(|group| memory(group.rows.len())).max().unwrap_or(0);
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
            determined: vec![T::Mask::splat(true); rows],
            reach: vec![T::ZERO; rows],
            has_columns: vec![false; top.closures.len()],
            acted: vec![false; top.closures.len()],
            solved: false,
            before: vec![T::ZERO; if closed { top.sizes.coordinates + 4 * top.attitude_nodes.len() } else { 0 }],
            by_speeds: vec![T::Mask::splat(false); top.closure_groups.len()],
            pivots: zeros(most_of(|system| system.unknowns.end)),
            parts: zeros(most_of(|system| system.parts.last().map_or(0, |part| part.triangle.end))),
            couplings: zeros(most_of(|system| system.couplings.end)),
            columns: zeros(most_of(|system| system.couplings.end)),
            capacitance: zeros(most_of(|system| system.triangle.end)),
            unknown: zeros(most_of(|system| system.unknowns.len())),
            scratch: zeros(largest),
            path: if closed { Residual::new(top) } else { Residual::EMPTY },
            hinge_force: vec![T::ZERO; if closed { top.sizes.speeds } else { 0 }],
            attitude_rate: vec![Matrix3::ZERO; if closed { top.bodies.len() } else { 0 }],
        }
    }
}
