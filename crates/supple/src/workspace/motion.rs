//! Filled by `sweep::velocity` or `sweep::motion`, `sweep::bias`, `sweep::acceleration` and `sweep::newton_euler`.

use crate::model::topology::Topology;
use supple_spatial::{Force, Motion, Scalar, Vector3};

/// Velocities.
#[derive(Clone, Debug)]
pub(crate) struct Velocity<T> {
    /// Per body: `V(k)`.
    pub body: Vec<Motion<T>>,
    /// Per body: elastic rate of the inboard node.
    pub inboard: Vec<NodeRate<T>>,
    /// Per carrier: elastic rate of its node.
    pub carrier: Vec<NodeRate<T>>,
    /// Per body: gravity in `F_k` axes.
    pub gravity: Vec<Vector3<T>>,
    /// Per second-order shape: `η̇* B η̇`, what `ä` keeps at `η̈ = 0`.
    pub slave_change: Vec<T>,
}

/// How a node moves in its body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeRate<T> {
    /// `[E λ η̇; γ η̇]`.
    pub motion: Motion<T>,
    /// What its rate keeps at `η̈ = 0`: `Ė λ η̇`, and the second-order shapes.
    pub change: Motion<T>,
}

impl<T: Scalar> NodeRate<T> {
    pub(crate) const ZERO: Self = Self { motion: Motion::ZERO, change: Motion::ZERO };
}

/// Terms of the equations that do not depend on accelerations.
#[derive(Clone, Debug)]
pub(crate) struct Bias<T> {
    /// Per body: `a_mR(k)`, Coriolis and centrifugal acceleration.
    pub acceleration: Vec<Motion<T>>,
    /// Per body: rigid rows of `b_m(k)` less external wrenches.
    pub force: Vec<Force<T>>,
    /// Per mode: flexible rows of `b_m(k) + K η + C η̇` less external wrenches.
    pub modal: Vec<T>,
    /// `[η; a]`, its rate and the rows of the bias of one body.
    pub augmented: [Vec<T>; 3],
}

/// Accelerations, and forces across hinges.
#[derive(Clone, Debug)]
pub(crate) struct Acceleration<T> {
    /// Per body: `α(k)` of `F_k`, with gravity as an acceleration of the ground.
    pub body: Vec<Motion<T>>,
    /// Per carrier: acceleration of its node.
    pub carrier: Vec<Motion<T>>,
    /// Per body: force at `F_k` that the hinge transmits.
    pub force: Vec<Force<T>>,
    /// Per carrier: force that the children on it need.
    pub carrier_force: Vec<Force<T>>,
}

impl<T: Scalar> Velocity<T> {
    pub(crate) fn new(top: &Topology) -> Self {
        let n = top.bodies.len();
        Self {
            body: vec![Motion::ZERO; n],
            inboard: vec![NodeRate::ZERO; n],
            carrier: vec![NodeRate::ZERO; top.carriers.len()],
            gravity: vec![Vector3::ZERO; n],
            slave_change: vec![T::ZERO; top.sizes.slave],
        }
    }
}

impl<T: Scalar> Bias<T> {
    pub(crate) fn new(top: &Topology) -> Self {
        let n = top.bodies.len();
        Self {
            acceleration: vec![Motion::ZERO; n],
            force: vec![Force::ZERO; n],
            modal: vec![T::ZERO; top.sizes.modal],
            augmented: std::array::from_fn(|_| vec![T::ZERO; top.sizes.most_augmented]),
        }
    }
}

impl<T: Scalar> Acceleration<T> {
    pub(crate) fn new(top: &Topology) -> Self {
        let n = top.bodies.len();
        Self {
            body: vec![Motion::ZERO; n],
            carrier: vec![Motion::ZERO; top.carriers.len()],
            force: vec![Force::ZERO; n],
            carrier_force: vec![Force::ZERO; top.carriers.len()],
        }
    }
}
