//! The state of a motion as one list of numbers, and its rates.
//!
//! The flat state is `[coordinates, attitudes, speeds, ledger]`: work in the hinge and modes of each body, work of wrenches, and what damping of
//! modes and force elements take ride along.

use super::equations::Kink;
use super::formulation::Formulation;
use crate::check;
use crate::energy::{Power, dissipated_power, wrench_power};
use crate::error::DynamicsError;
use crate::force::{Energies, PortPlace};
use crate::hybrid_dynamics::accelerate;
use crate::inputs::Inputs;
use crate::model::Model;
use crate::state::State;
use crate::workspace::Workspace;
use supple_spatial::{Quaternion, Scalar};

/// Work of wrenches and of what force elements feed in, dissipation of modes and of force elements; the work of each body goes before them.
pub(super) const SUMS: usize = 3;

/// Number of sums in the ledger of a model: with closures also the work of those that move as prescribed, of bringing the state back onto
/// them, and what impacts take.
pub(super) fn sums<T>(model: &Model<T>) -> usize {
    if model.closures().is_empty() { SUMS } else { SUMS + 3 }
}

/// Work of each body, and the sums after it, of the flat state `y`.
pub(super) fn ledger_of<'y>(model: &Model, y: &'y [f64]) -> (&'y [f64], &'y [f64]) {
    y[y.len() - model.body_count() - sums(model)..].split_at(model.body_count())
}

/// Writes `state` into the flat `y`.
pub(super) fn pack(state: &State, y: &mut [f64]) {
    let (q, rest) = y.split_at_mut(state.coordinates.len());
    let (a, rest) = rest.split_at_mut(4 * state.attitudes.len());
    q.copy_from_slice(&state.coordinates);
    a.chunks_exact_mut(4).zip(&state.attitudes).for_each(|(out, attitude)| out.copy_from_slice(&attitude.0));
    rest[..state.speeds.len()].copy_from_slice(&state.speeds);
}

/// Where quaternions start in the flat state: those of hinges, then the attitudes.
pub(super) fn quaternions(model: &Model) -> impl Iterator<Item = usize> {
    let start = model.coordinate_count();
    model.topology.quaternions.iter().copied().chain((0..model.attitude_nodes().len()).map(move |i| start + 4 * i))
}

/// Kinks of the force elements, as places in the flat state.
pub(super) fn kinks(model: &Model) -> Vec<Kink> {
    let speeds = model.coordinate_count() + 4 * model.attitude_nodes().len();
    let mut out = Vec::new();
    for element in &model.elements.list {
        if let Some(PortPlace::Hinge { coordinate: Some(place), speed }) = element.ports.first() {
            let values = element.law.kinks().into_iter().filter(|value| value.is_finite());
            out.extend(values.map(|value| Kink { place: *place, speed: speeds + speed, value }));
        }
    }
    out
}

/// Writes the flat `y` into `state`.
pub(super) fn unpack(state: &mut State, y: &[f64]) {
    let (q, rest) = y.split_at(state.coordinates.len());
    let (a, rest) = rest.split_at(4 * state.attitudes.len());
    state.coordinates.copy_from_slice(q);
    for (attitude, q) in state.attitudes.iter_mut().zip(a.chunks_exact(4)) {
        attitude.0.copy_from_slice(q);
    }
    let n = state.speeds.len();
    state.speeds.copy_from_slice(&rest[..n]);
}

/// Writes the rates of the flat state: of coordinates, attitudes and speeds, and the power of the ledger. Sizes of `state` must be those
/// of the model, and its quaternions of unit length, as integrators keep them; numbers that are not finite are reported where
/// accelerations depend on them, and otherwise by the integrator at the end of its step.
pub(super) fn write_rates<T: Scalar>(
    model: &Model<T>,
    (state, inputs): (&State<T>, &Inputs<T>),
    workspace: &mut Workspace<T>,
    attitude_rates: &mut [Quaternion<T>],
    rates: &mut [T],
) -> Result<(), DynamicsError> {
    write_coordinate_rates(model, state, attitude_rates, rates);
    let forces = match accelerate(model, state, inputs, workspace) {
        Ok(false) => &inputs.forces,
        Ok(true) => &workspace.second_result,
        // A state that is at fault itself is named first.
        Err(error) => return check::state(model, state, workspace.stamp).and(Err(error)),
    };
    write_speed_rates(model, state, (&workspace.result, forces), rates);
    let Energies { supplied, dissipated, .. } = workspace.applied.energy;
    let wrenches = wrench_power(model, state, inputs, workspace) + supplied;
    write_last_powers(model, [wrenches, dissipated_power(model, state), dissipated], rates);
    if !model.closing.is_empty() {
        // λ·U
        let moving = workspace.closing.force.iter().zip(&inputs.closure_motions);
        let place = rates.len() - sums(model) + SUMS;
        rates[place] = moving.fold(T::ZERO, |sum, (force, motion)| force.mul_add(motion.speed, sum));
    }
    Ok(())
}

/// As [`write_rates`], by another formulation, whose accelerations and forces go to the slices given.
pub(super) fn write_rates_by(
    formulation: &mut dyn Formulation,
    model: &Model,
    (state, inputs): (&State, &Inputs),
    (accelerations, forces): (&mut [f64], &mut [f64]),
    attitude_rates: &mut [Quaternion<f64>],
    rates: &mut [f64],
) -> Result<(), DynamicsError> {
    write_coordinate_rates(model, state, attitude_rates, rates);
    formulation.accelerations(state, inputs, accelerations, forces)?;
    write_speed_rates(model, state, (accelerations, forces), rates);
    let Power { wrenches, dissipated, element_supplied, element_dissipated, .. } = formulation.power(state, inputs)?;
    write_last_powers(model, [wrenches + element_supplied, dissipated, element_dissipated], rates);
    Ok(())
}

fn write_coordinate_rates<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    attitude_rates: &mut [Quaternion<T>],
    rates: &mut [T],
) {
    let (nq, na) = (state.coordinates.len(), 4 * state.attitudes.len());
    state.coordinate_rates(model, &mut rates[..nq], attitude_rates);
    for (out, q) in rates[nq..nq + na].chunks_exact_mut(4).zip(attitude_rates.iter()) {
        out.copy_from_slice(&q.0);
    }
}

/// Accelerations, and the power in hinge and modes of each body.
fn write_speed_rates<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    (accelerations, forces): (&[T], &[T]),
    rates: &mut [T],
) {
    let (start, nv) = (state.coordinates.len() + 4 * state.attitudes.len(), state.speeds.len());
    rates[start..start + nv].copy_from_slice(accelerations);
    // π = Σ T χ, prescribed hinges with the force they need                          [DS95 (31)]
    let ledger = &mut rates[start + nv..];
    for (body, work) in model.topology.bodies.iter().zip(ledger.iter_mut()) {
        let at = body.speeds.clone();
        let acting = forces[at.clone()].iter().zip(&state.speeds[at]);
        *work = acting.fold(T::ZERO, |sum, (t, x)| sum + *t * *x);
    }
}

/// Power of wrenches, with what force elements feed in; of modal damping; and what force elements take.
fn write_last_powers<T: Scalar>(model: &Model<T>, powers: [T; SUMS], rates: &mut [T]) {
    let start = rates.len() - sums(model);
    let (out, of_closures) = rates[start..].split_at_mut(SUMS);
    out.copy_from_slice(&powers);
    of_closures.fill(T::ZERO);
}

/// Brings a quaternion back to unit length.
pub(super) fn unit(q: &mut [f64]) {
    let size = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    if size > 0.0 {
        q.iter_mut().for_each(|x| *x /= size);
    }
}
