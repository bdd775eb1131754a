//! Debug builds fill the stages with NaN before a verb, so that reading what no sweep has written shows.
//!
//! Blocks that a model keeps constant are written when the workspace is made and left as they are; which ones vary is said here once more,
//! as the sweeps that write them say it.

use super::{
    Acceleration, Articulated, Bias, Closing, Configuration, Modal, NodePlace, NodeRate, Residual, SidePlace, Velocity,
    Workspace,
};
use crate::model::Model;
use crate::model::body::Flexible;
use crate::model::description::ElasticRotation;
use crate::model::hinge::HingeAxis;
use crate::model::node::NodeData;
use crate::model::topology::BodyTopology;
use crate::sweep::modal_mass::Varying;
use supple_spatial::{ArticulatedInertia, Force, Matrix3, Motion, RigidInertia, Scalar, Symmetric3, Vector3};

/// A value whose every number is NaN.
trait Poison: Copy {
    fn poison() -> Self;
}

macro_rules! poison {
    ($($type:ident: $value:expr),* $(,)?) => {$(
        impl<T: Scalar> Poison for $type<T> {
            fn poison() -> Self {
                let nan = T::from_f64(f64::NAN);
                $value(nan)
            }
        }
    )*};
}

poison!(
    Vector3: |x| Vector3([x; 3]),
    Matrix3: |x| Matrix3([[x; 3]; 3]),
    Symmetric3: |x| Symmetric3([x; 6]),
    Motion: |x| Motion::from_array([x; 6]),
    Force: |x| Force::from_array([x; 6]),
    RigidInertia: |x| RigidInertia { mass: x, moment: Vector3::poison(), inertia: Symmetric3::poison() },
    ArticulatedInertia: |_: T| ArticulatedInertia {
        angular: Symmetric3::poison(),
        coupling: Matrix3::poison(),
        linear: Symmetric3::poison(),
    },
    NodeRate: |_: T| NodeRate { motion: Motion::poison(), change: Motion::poison() },
);

/// Fills lists.
macro_rules! fill {
    ($($list:expr),* $(,)?) => {$($list.fill(Poison::poison());)*};
}

/// Fills lists of numbers.
macro_rules! fill_numbers {
    ($T:ty: $($list:expr),* $(,)?) => {$($list.fill(<$T>::from_f64(f64::NAN));)*};
}

impl<T: Scalar> Workspace<T> {
    /// Fills with NaN all that a verb has to write before it reads it; nothing in a release build.
    #[inline(always)]
    pub(crate) fn poison(&mut self, model: &Model<T>) {
        self.closing.solved = false;
        if cfg!(debug_assertions) {
            self.fill_with_nan(model);
        }
    }

    #[inline(never)]
    fn fill_with_nan(&mut self, model: &Model<T>) {
        configuration(model, &mut self.configuration);
        modal(model, &mut self.modal);
        velocity(model, &mut self.velocity);
        let Bias { acceleration, force, modal, augmented } = &mut self.bias;
        fill!(acceleration, force);
        fill_numbers!(T: modal);
        augmented.iter_mut().for_each(|list| list.fill(T::from_f64(f64::NAN)));
        articulated(&mut self.articulated);
        residual(&mut self.residual);
        residual(&mut self.closing.path);
        let Acceleration { body, carrier, force, carrier_force } = &mut self.acceleration;
        fill!(body, carrier, force, carrier_force);
        closing(&mut self.closing);
        // Nothing ever arrives at the nodes of closures alone.
        for &c in &model.topology.bare_carriers {
            self.articulated.gamma[c] = ArticulatedInertia::ZERO;
            self.residual.carrier[c] = Force::ZERO;
            self.acceleration.carrier_force[c] = Force::ZERO;
        }
        fill!(self.bodies_compliance, self.carriers_compliance);
        fill_numbers!(T: self.result, self.second_result);
    }
}

fn configuration<T: Scalar>(model: &Model<T>, out: &mut Configuration<T>) {
    let top = &*model.topology;
    fill!(out.rotation, out.offset, out.world_rotation, out.world_position);
    fill_numbers!(T: out.slave_value, out.slave_gain);
    for (k, (body, data)) in top.bodies.iter().zip(model.bodies.iter()).enumerate() {
        if body.axis == HingeAxis::Other {
            fill!(out.hinge_map[body.hinge.clone()]);
        }
        place(top.elastic_rotation, &data.nodes[body.inboard_node], &mut out.inboard[k]);
        for c in body.carriers.clone() {
            place(top.elastic_rotation, &data.nodes[top.carriers[c].node], &mut out.carrier[c]);
        }
    }
}

/// As `place_node` writes it.
fn place<T: Scalar>(option: ElasticRotation, node: &NodeData<T>, out: &mut NodePlace<T>) {
    if node.influence.is_empty() {
        return;
    }
    out.position = Vector3::poison();
    if !node.turns || option == ElasticRotation::None {
        return;
    }
    out.attitude = Matrix3::poison();
    if !matches!(option, ElasticRotation::FirstOrder | ElasticRotation::Integrated) {
        out.rate = Matrix3::poison();
    }
}

fn velocity<T: Scalar>(model: &Model<T>, out: &mut Velocity<T>) {
    let top = &*model.topology;
    fill!(out.body, out.gravity);
    fill_numbers!(T: out.slave_change);
    for (k, (body, data)) in top.bodies.iter().zip(model.bodies.iter()).enumerate() {
        if !data.nodes[body.inboard_node].influence.is_empty() {
            out.inboard[k] = NodeRate::poison();
        }
        for c in body.carriers.clone() {
            if !data.nodes[top.carriers[c].node].influence.is_empty() {
                out.carrier[c] = NodeRate::poison();
            }
        }
    }
}

fn residual<T: Scalar>(out: &mut Residual<T>) {
    let Residual { carrier, current, body, hinge, modal, tip_load, tip, tip_acceleration } = out;
    *current = Force::poison();
    fill!(carrier, body);
    fill_numbers!(T: hinge, modal, tip_load, tip, tip_acceleration);
}

fn closing<T: Scalar>(out: &mut Closing<T>) {
    out.sides.as_flattened_mut().fill(SidePlace {
        offset: Vector3::poison(),
        attitude: Matrix3::poison(),
        attitude_rate: Matrix3::poison(),
        position: Vector3::poison(),
        velocity: Motion::poison(),
        drift: Motion::poison(),
    });
    fill!(out.wrench.as_flattened_mut(), out.load.as_flattened_mut(), out.residual, out.attitude_rate);
    fill_numbers!(T: out.deviation, out.speed, out.drift, out.epsilon, out.nu, out.matrix, out.force, out.independence, out.reach);
}

fn articulated<T: Scalar>(out: &mut Articulated<T>) {
    out.current = ArticulatedInertia::poison();
    fill!(out.gamma, out.inertia, out.hinge_force, out.gain, out.modal_gain, out.tip_gain, out.tip_column);
    fill_numbers!(T: out.hinge_factor, out.modal_factor, out.modal_inverse, out.tip_factor, out.tip_rows);
}

fn modal<T: Scalar>(model: &Model<T>, out: &mut Modal<T>) {
    fill!(out.inertia_rate, out.rows);
    fill_numbers!(T: out.augmented, out.column);
    for &k in &model.topology.flexible {
        let Some(flexible) = &model.bodies[k].flexible else { continue };
        modal_of_body(model, k, &model.topology.bodies[k], flexible, out);
    }
}

fn modal_of_body<T: Scalar>(
    model: &Model<T>,
    k: usize,
    body: &BodyTopology,
    flexible: &Flexible<T>,
    out: &mut Modal<T>,
) {
    // The linear part of M_rf, `E`, is constant but for shapes of second order.
    let angular = |columns: &mut [Force<T>]| columns.iter_mut().for_each(|column| column.angular = Vector3::poison());
    angular(&mut out.deformed_coupling[body.augmented.clone()]);
    if !flexible.constant {
        out.inertia[k] = RigidInertia::poison();
        angular(&mut out.coupling[body.modal.clone()]);
    }
    if flexible.second_order.is_some() {
        fill!(out.coupling[body.modal.clone()]);
        fill_numbers!(T: out.own_mass[body.modal_triangle.clone()], out.slave_product[body.slave_gain.clone()]);
    }
    let varying = Varying::of_hinge(body, flexible, model.topology.elastic_rotation);
    if varying.joint {
        fill_numbers!(T: out.mass[body.modal_triangle.clone()]);
    }
    if varying.joint && body.free_free {
        fill!(out.inboard[body.modal.clone()], out.free_coupling[body.modal.clone()]);
    }
    if varying.influence {
        fill!(out.influence[body.carried_modes.clone()], out.tip_motions[body.carried_tip.clone()]);
    }
    if !(flexible.constant_hinge && flexible.constant) {
        out.condensed_inertia[k] = ArticulatedInertia::poison();
        fill!(out.inverse_coupling[body.modal.clone()], out.tip_coupling[body.tip.clone()]);
    }
}
