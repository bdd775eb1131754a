//! What force elements do, after the velocities: forces in hinges, and loads of nodes and bodies that the bias takes up.
//!
//! One element after the other: its ports are measured, its law is evaluated, and what it does to the ports is projected on the system
//! with the transposes of what measured them, so that the power of the forces is that of the ports.

use super::port::{load_body, load_node, measure};
use super::pose::pose;
use crate::force::{Effect, Energies, Measured, PortForce, PortPlace};
use crate::model::Model;
use crate::state::State;
use crate::terms::Terms;
use crate::workspace::{Applied, Bias, Configuration, Velocity, Workspace};
use supple_spatial::Scalar;

/// What the elements of a model do after `motion`, where `terms` asks for them: loads into `bias`, the rest into `out`.
#[inline(always)]
#[allow(clippy::too_many_arguments)] // one by one they are known not to overlap
pub(crate) fn apply_elements<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    inputs: &[T],
    terms: Terms,
    at: &mut Configuration<T>,
    velocity: &Velocity<T>,
    out: &mut Applied<T>,
    bias: &mut Bias<T>,
) {
    if terms.elements && !model.elements.is_empty() {
        pose_and_apply(model, state, inputs, at, velocity, out, bias);
    }
}

#[inline(never)] // out of the way of models without elements
fn pose_and_apply<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    inputs: &[T],
    at: &mut Configuration<T>,
    velocity: &Velocity<T>,
    out: &mut Applied<T>,
    bias: &mut Bias<T>,
) {
    if model.elements.needs_poses {
        pose(model, at);
    }
    applied(model, state, Some(inputs), (at, velocity), out, Some(bias));
}

/// Energies of the elements, after poses and velocities; power of motors with their inputs.
pub(crate) fn energies<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    inputs: Option<&[T]>,
    ws: &mut Workspace<T>,
) -> Energies<T> {
    if model.elements.is_empty() {
        return Energies::ZERO;
    }
    let Workspace { configuration, velocity, applied: out, .. } = ws;
    applied(model, state, inputs, (configuration, velocity), out, None);
    out.energy
}

/// Generalized forces of the caller, with those that elements exert in hinges.
#[inline(always)]
pub(crate) fn total_forces<'f, T: Scalar>(model: &Model<T>, forces: &'f [T], out: &'f mut Applied<T>) -> &'f [T] {
    if model.elements.is_empty() { forces } else { sum(forces, out) }
}

#[inline(never)] // out of the way of models without elements
fn sum<'f, T: Scalar>(forces: &[T], out: &'f mut Applied<T>) -> &'f [T] {
    let each = forces.iter().zip(&out.hinge);
    out.total.iter_mut().zip(each).for_each(|(total, (force, element))| *total = *force + *element);
    &out.total
}

/// Fills `out`, and subtracts loads of nodes and bodies from `bias`. Velocities must be there, and poses where elements need them.
#[inline(never)]
pub(crate) fn applied<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    inputs: Option<&[T]>,
    (at, velocity): (&Configuration<T>, &Velocity<T>),
    out: &mut Applied<T>,
    mut bias: Option<&mut Bias<T>>,
) {
    out.hinge.fill(T::ZERO);
    out.energy = Energies::ZERO;
    let mut first = 0;
    for element in &model.elements.list {
        for (i, port) in element.ports.iter().enumerate() {
            out.ports[i] = measure(model, state, port, at, velocity, out);
        }
        let n = element.ports.len();
        out.effects[..n].fill(PortForce::ZERO);
        let measured = Measured { time: state.time, ports: &out.ports[..n] };
        let mut effect = Effect { ports: &mut out.effects[..n], energy: out.energy };
        if element.acts(&state.closed) {
            element.act(inputs, &measured, &mut effect);
        }
        out.energy = effect.energy;
        for (i, port) in element.ports.iter().enumerate() {
            match (port, &mut bias) {
                (PortPlace::Hinge { speed, .. }, _) => out.hinge[*speed] += out.effects[i].hinge,
                (PortPlace::Ground(_), _) | (_, None) => {}
                (PortPlace::Node { body, node, attitude }, Some(bias)) => {
                    let f = out.effects[i].wrench.rotate_back(&at.world_rotation[*body]);
                    out.loads[first + i] = f;
                    load_node(model, state, (*body, *node, *attitude), f, at, bias);
                }
                (PortPlace::Body(body), Some(bias)) => {
                    out.loads[first + i] = out.effects[i].wrench.rotate_back(&at.world_rotation[*body]);
                    load_body(model, state, *body, out.effects[i], at, out, bias);
                }
            }
        }
        first += n;
    }
}
