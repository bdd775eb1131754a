//! Filled by `sweep::configuration` or `sweep::motion`, and `sweep::pose`.

use crate::model::node::Slaves;
use crate::model::topology::{BodyTopology, Topology};
use supple_spatial::{Matrix3, Motion, Scalar, Vector3};

/// Where hinges and hinge-carrying nodes are.
#[derive(Clone, Debug)]
pub(crate) struct Configuration<T> {
    /// Per body: `R(p→k)`, components in `F_k` to components in the parent's frame.
    pub rotation: Vec<Matrix3<T>>,
    /// Per body: from the carrying node to `O`, in the parent's axes.
    pub offset: Vec<Vector3<T>>,
    /// Per hinge speed: column of `H*` at `O`, in `F_k` axes.
    pub hinge_map: Vec<Motion<T>>,
    /// Per body: place of the inboard node `d`.
    pub inboard: Vec<NodePlace<T>>,
    /// Per carrier: place of the node `t`.
    pub carrier: Vec<NodePlace<T>>,
    /// Per second-order shape: amplitude `a = ½ η* B η`.
    pub slave_value: Vec<T>,
    /// Per second-order shape and mode: `∂a/∂η = B η`.
    pub slave_gain: Vec<T>,
    /// Per body: attitude in inertial axes, by `sweep::pose`.
    pub world_rotation: Vec<Matrix3<T>>,
    /// Per body: origin of `F_k` in inertial axes, by `sweep::pose`.
    pub world_position: Vec<Vector3<T>>,
}

/// A node in the frame of its body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodePlace<T> {
    /// Lever arm `l` from `F_k`.
    pub position: Vector3<T>,
    /// Elastic rotation `R_e`, node axes to body axes.
    pub attitude: Matrix3<T>,
    /// Rate matrix `E`: the elastic angular velocity is `E λ η̇`.
    pub rate: Matrix3<T>,
}

impl<T: Scalar> NodePlace<T> {
    pub(crate) const ORIGIN: Self =
        Self { position: Vector3::ZERO, attitude: Matrix3::IDENTITY, rate: Matrix3::IDENTITY };
}

impl<T: Scalar> Configuration<T> {
    pub(crate) fn new(top: &Topology) -> Self {
        let n = top.bodies.len();
        Self {
            rotation: vec![Matrix3::IDENTITY; n],
            offset: vec![Vector3::ZERO; n],
            hinge_map: vec![Motion::ZERO; top.sizes.hinge],
            inboard: vec![NodePlace::ORIGIN; n],
            carrier: vec![NodePlace::ORIGIN; top.carriers.len()],
            slave_value: vec![T::ZERO; top.sizes.slave],
            slave_gain: vec![T::ZERO; top.sizes.slave_gain],
            world_rotation: vec![Matrix3::IDENTITY; n],
            world_position: vec![Vector3::ZERO; n],
        }
    }

    /// Second-order shapes of a body.
    #[inline(always)]
    pub(crate) fn slaves(&self, body: &BodyTopology) -> Slaves<'_, T> {
        Slaves {
            value: &self.slave_value[body.slave.clone()],
            gain: &self.slave_gain[body.slave_gain.clone()],
            modes: body.modes,
        }
    }
}
