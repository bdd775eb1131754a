//! One linearly implicit step of order four: stiffness and damping of the modes are solved for, all else is explicit.
//!
//! The scheme is that of [`Scheme::LinearlyImplicit`](crate::integrate::Scheme), of constant length and with force elements explicit, for any
//! scalar: its order does not depend on what `A` holds.

use super::{Implicit, StageInputs, StepWorkspace, copy, fits, normalise};
use crate::error::DynamicsError;
use crate::forward_dynamics::accelerations;
use crate::implicit::ShiftedModes;
use crate::inputs::Inputs;
use crate::integrate::additive::{EXPLICIT, GAMMA, IMPLICIT, PLACES, STAGES, WEIGHTS};
use crate::model::Model;
use crate::state::State;
use crate::workspace::Workspace;
use supple_spatial::Scalar;

/// Where in a step its stages are.
pub const LINEARLY_IMPLICIT_PLACES: [f64; STAGES] = PLACES;

/// Moves `state` by one step of length `step`. Allocates the memory of the scheme in the first.
///
/// # Errors
/// As [`forward_dynamics`](crate::forward_dynamics); a step too long for its numbers to stay finite.
pub fn linearly_implicit_step<T: Scalar>(
    model: &Model<T>,
    (state, step): (&mut State<T>, T),
    inputs: StageInputs<'_, T>,
    workspace: &mut Workspace<T>,
    memory: &mut StepWorkspace<T>,
) -> Result<(), DynamicsError> {
    fits(model, &memory.start, workspace)?;
    state.check(model)?;
    let mut implicit = memory.implicit.take().unwrap_or_else(|| Box::new(Implicit::new(model, state)));
    let Implicit { modes, rates, linear, right } = &mut *implicit;
    copy(&mut memory.start, state);
    let s = T::from_f64(GAMMA) * step;
    modes.factor(model, state, &inputs.first.prescribed, [s, s * s])?;
    write_rates(model, state, inputs.first, workspace, (memory, &mut rates[0]))?;
    for i in 1..STAGES {
        right.fill(T::ZERO);
        for (j, (a, b)) in EXPLICIT[i].iter().zip(IMPLICIT[i]).enumerate() {
            accumulate(right, T::from_f64(*a) * step, &rates[j]);
            // The first stage has Z = 0.
            if j > 0 {
                accumulate(right, T::from_f64(b - a) * step, &linear[j]);
            }
        }
        let z = &mut linear[i];
        z.copy_from_slice(right);
        solve(model, modes, s, z, memory);
        place(model, &memory.start, z, state);
        for (z, right) in z.iter_mut().zip(right.iter()) {
            *z = (*z - *right) / s;
        }
        write_rates(model, state, inputs.at(i), workspace, (memory, &mut rates[i]))?;
    }
    right.fill(T::ZERO);
    for (weight, rates) in WEIGHTS.iter().zip(rates.iter()) {
        accumulate(right, T::from_f64(*weight), rates);
    }
    right.iter_mut().for_each(|x| *x *= step);
    place(model, &memory.start, right, state);
    state.time = memory.start.time + step;
    memory.implicit = Some(implicit);
    fits(model, state, workspace)
}

impl<T: Scalar> Implicit<T> {
    fn new(model: &Model<T>, state: &State<T>) -> Self {
        let n = state.coordinates.len() + 4 * state.attitudes.len() + state.speeds.len();
        let stages = || vec![vec![T::ZERO; n]; STAGES];
        Self { modes: ShiftedModes::new(model), rates: stages(), linear: stages(), right: vec![T::ZERO; n] }
    }
}

fn accumulate<T: Scalar>(to: &mut [T], weight: T, x: &[T]) {
    to.iter_mut().zip(x).for_each(|(to, x)| *to = x.mul_add(weight, *to));
}

/// `[coordinates, attitudes, speeds]` of a list.
fn parts<'x, T: Scalar>(state: &State<T>, x: &'x mut [T]) -> [&'x mut [T]; 3] {
    let (coordinates, rest) = x.split_at_mut(state.coordinates.len());
    let (attitudes, speeds) = rest.split_at_mut(4 * state.attitudes.len());
    [coordinates, attitudes, speeds]
}

/// Rates at `state`.
fn write_rates<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    inputs: &Inputs<T>,
    workspace: &mut Workspace<T>,
    (memory, out): (&mut StepWorkspace<T>, &mut [T]),
) -> Result<(), DynamicsError> {
    let [coordinates, attitudes, speeds] = parts(state, out);
    state.coordinate_rates(model, coordinates, &mut memory.turns);
    for (out, turn) in attitudes.chunks_exact_mut(4).zip(&memory.turns) {
        out.copy_from_slice(&turn.0);
    }
    speeds.copy_from_slice(accelerations(model, state, inputs, workspace)?);
    Ok(())
}

/// `x ← (I - sA)⁻¹ x`, with `A = [0, S; -𝓜⁻¹K, -𝓜⁻¹C]` at the start of the step: `u` from `(𝓜 + sC + s²K) u' = 𝓜 u - sK q`, then
/// `q' = q + s S u'`.
fn solve<T: Scalar>(model: &Model<T>, modes: &mut ShiftedModes<T>, s: T, x: &mut [T], memory: &mut StepWorkspace<T>) {
    let StepWorkspace { start, sum, rates, turns, .. } = memory;
    let [coordinates, attitudes, speeds] = parts(start, x);
    modes.correct(model, Some((s, coordinates)), [s, s * s], speeds);
    copy(sum, start);
    sum.speeds.copy_from_slice(speeds);
    sum.coordinate_rates(model, rates, turns);
    accumulate(coordinates, s, rates);
    for (q, turn) in attitudes.chunks_exact_mut(4).zip(turns.iter()) {
        accumulate(q, s, &turn.0);
    }
}

/// `state ← start + z`.
fn place<T: Scalar>(model: &Model<T>, start: &State<T>, z: &mut [T], state: &mut State<T>) {
    let [coordinates, attitudes, speeds] = parts(start, z);
    let add = |to: &mut [T], from: &[T], z: &[T]| {
        to.iter_mut().zip(from.iter().zip(z)).for_each(|(to, (from, z))| *to = *from + *z);
    };
    add(&mut state.coordinates, &start.coordinates, coordinates);
    add(&mut state.speeds, &start.speeds, speeds);
    for ((to, from), z) in state.attitudes.iter_mut().zip(&start.attitudes).zip(attitudes.chunks_exact(4)) {
        add(&mut to.0, &from.0, z);
    }
    normalise(model, state);
}
