//! A node: where it is, and how modes and second-order shapes move it.

use super::cast::Cast;
use supple_spatial::block::linear::combination_add;
use supple_spatial::{Force, Motion, RigidInertia, Scalar, Vector3};

/// A node: where it is and how the modes move it.
#[derive(Clone, Debug)]
pub(crate) struct NodeData<T> {
    /// Undeformed position `l0`.
    pub position: Vector3<T>,
    /// Modal influence `Π`, a motion `[λ_r; γ_r]` per mode; empty where no mode moves the node.
    pub influence: Box<[Motion<T>]>,
    /// `Σ |Π_r|²`: how far the modes may move the node at all.
    pub mobility: T,
    /// Columns of the second-order shapes.
    pub slaves: Box<[Motion<T>]>,
    /// Whether some slope `λ_r` is not zero.
    pub turns: bool,
    /// Whether some slope of a second-order shape is not zero.
    pub slaves_turn: bool,
    /// Mass, first moment and inertia about the node.
    pub inertia: RigidInertia<T>,
}

/// Amplitudes `a = ½ η* B η` of the second-order shapes of a body and their gains `∂a/∂η = B η`; empty for most bodies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slaves<'a, T> {
    /// Per shape.
    pub value: &'a [T],
    /// Per shape and mode.
    pub gain: &'a [T],
    /// Number of modes.
    pub modes: usize,
}

impl<T: Scalar> Slaves<'_, T> {
    /// Gains of shape `k`.
    #[inline(always)]
    pub fn gains(&self, k: usize) -> &[T] {
        &self.gain[k * self.modes..][..self.modes]
    }

    /// Gain of shape `k` with mode `r`.
    #[inline(always)]
    pub fn at(&self, k: usize, r: usize) -> T {
        self.gains(k)[r]
    }

    /// `Σ (∂a_k/∂η_r) x_r`.
    #[inline(always)]
    pub fn along(&self, k: usize, x: &[T]) -> T {
        self.gains(k).iter().zip(x).fold(T::ZERO, |s, (g, x)| g.mul_add(*x, s))
    }
}

impl<T: Scalar> NodeData<T> {
    /// Column `Π_r + Σ Π_k ∂a_k/∂η_r` of the modal influence.
    #[inline(always)]
    pub fn column(&self, r: usize, second: Slaves<'_, T>) -> Motion<T> {
        let mut column = self.influence[r];
        for (k, slave) in self.slaves.iter().enumerate() {
            column = slave.scale_add(second.at(k, r), column);
        }
        column
    }

    /// `start + Π(η) x`.
    #[inline(always)]
    pub fn combine(&self, second: Slaves<'_, T>, x: &[T], start: Motion<T>) -> Motion<T> {
        let mut sum = combination_add(&self.influence, x, start);
        for (k, slave) in self.slaves.iter().enumerate() {
            sum = slave.scale_add(second.along(k, x), sum);
        }
        sum
    }

    /// `rows ← rows + Π(η)* f`.
    #[inline(always)]
    pub fn project(&self, second: Slaves<'_, T>, f: Force<T>, rows: &mut [T]) {
        for (row, column) in rows.iter_mut().zip(&self.influence) {
            *row += column.dot(f);
        }
        for (k, slave) in self.slaves.iter().enumerate() {
            let load = slave.dot(f);
            for (row, gain) in rows.iter_mut().zip(second.gains(k)) {
                *row = gain.mul_add(load, *row);
            }
        }
    }

    /// Slopes and displacement `Π η + Σ Π_k a_k`.
    #[inline(always)]
    pub fn displacement(&self, second: Slaves<'_, T>, eta: &[T]) -> Motion<T> {
        combination_add(&self.slaves, second.value, combination_add(&self.influence, eta, Motion::ZERO))
    }

    /// Deformed position.
    #[inline(always)]
    pub fn deformed(&self, second: Slaves<'_, T>, eta: &[T]) -> Vector3<T> {
        self.position + self.displacement(second, eta).linear
    }

    /// `Σ Π_k ä_k` for the rates `η̇* B η̇` that the shapes keep at `η̈ = 0`.
    #[inline(always)]
    pub fn change(&self, second_rates: &[T]) -> Motion<T> {
        combination_add(&self.slaves, second_rates, Motion::ZERO)
    }
}

impl<U: Scalar> Cast<U> for NodeData<f64> {
    type Output = NodeData<U>;
    fn cast(&self) -> NodeData<U> {
        NodeData {
            position: self.position.cast(),
            influence: self.influence.cast(),
            mobility: U::from_f64(self.mobility),
            slaves: self.slaves.cast(),
            turns: self.turns,
            slaves_turn: self.slaves_turn,
            inertia: self.inertia.cast(),
        }
    }
}
