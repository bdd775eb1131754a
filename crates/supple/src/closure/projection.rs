//! Drift: a state brought back onto its closures after each step, by the least motion in the norm of kinetic energy. For every scalar: lanes that are closed keep
//! their bits.

use super::response::{answer, factor, look};
use crate::error::DynamicsError;
use crate::inputs::Inputs;
use crate::model::Model;
use crate::state::State;
use crate::workspace::{Closing, Workspace};
use supple_spatial::{Mask, Scalar};

/// Distance and angle within which a closure counts as closed, m and rad, for frames within a metre of the inertial origin.
const CLOSED: f64 = 1e-14;
/// The same in roundings of the scalar.
const ROUNDED: f64 = 40.0;
/// Turns of Newton's method that a step may take.
const MOST_TURNS: usize = 4;

/// Closures that are open by more after the turns of a projection contradict each other, m or rad.
pub(crate) const INCONSISTENT: f64 = 1e-6;

/// What a projection did.
pub(crate) struct Projected<T> {
    /// Whether the state had to be moved.
    pub moved: bool,
    /// How far closures were still open before its last turn, m or rad; zero where they hold velocities alone.
    pub open: T,
}

/// Brings a state that has drifted back onto its closures. No allocation.
pub(crate) fn project<T: Scalar>(
    model: &Model<T>,
    state: &mut State<T>,
    inputs: &Inputs<T>,
    workspace: &mut Workspace<T>,
) -> Result<Projected<T>, DynamicsError> {
    // Where velocities are not the rates of positions, equations hold the former alone.
    let holonomic = T::Mask::splat(model.topology.elastic_rotation.is_orthogonal());
    let mut done = Projected { moved: false, open: T::ZERO };
    for _ in 0..MOST_TURNS {
        look(model, state, inputs, workspace)?;
        let [open, fast] = [openness(model, state, workspace), pace(model, state, workspace)];
        let [near, slow] = [closed_within(model, workspace), still_within(state)];
        done.open = T::select(holonomic, open, T::ZERO);
        let asked = (holonomic & near.less_than(open)) | slow.less_than(fast);
        if !asked.any() {
            break;
        }
        factor(model, state, inputs, workspace)?;
        // Near a singular pose, where equations almost depend on each other, what rounding leaves open asks for motions that are large.
        let resolved = least_independence(&workspace.closing).sqrt();
        let far = asked & holonomic & (near / resolved).less_than(open);
        let moves = far | (asked & (slow / resolved).less_than(fast));
        if !moves.any() {
            break;
        }
        done.moved = true;
        speed_of(workspace);
        answer(model, state, workspace);
        for (u, change) in state.speeds.iter_mut().zip(&workspace.result) {
            *u = T::select(moves, *u + *change, *u);
        }
        if far.any() {
            // Once closed, the next turn looks at the speeds again.
            step_of(workspace);
            answer(model, state, workspace);
            displace_where(model, state, far, workspace);
        }
    }
    Ok(done)
}

/// Brings a state that has drifted onto its closures by `turns` of Newton's method, each of them done whether it is needed or not: what a
/// recording can follow. Equations that are closed to rounding keep their bits. No allocation.
///
/// # Errors
/// Sizes that do not fit, numbers that are not finite, or a singular configuration.
pub fn settle<T: Scalar>(
    model: &Model<T>,
    state: &mut State<T>,
    inputs: &Inputs<T>,
    turns: usize,
    workspace: &mut Workspace<T>,
) -> Result<(), DynamicsError> {
    let holonomic = T::Mask::splat(model.topology.elastic_rotation.is_orthogonal());
    for _ in 0..turns {
        look(model, state, inputs, workspace)?;
        let [open, fast] = [openness(model, state, workspace), pace(model, state, workspace)];
        let [near, slow] = [closed_within(model, workspace), still_within(state)];
        factor(model, state, inputs, workspace)?;
        let resolved = least_independence(&workspace.closing).sqrt();
        let far = holonomic & (near / resolved).less_than(open);
        let moves = far | (slow / resolved).less_than(fast);
        speed_of(workspace);
        answer(model, state, workspace);
        for (u, change) in state.speeds.iter_mut().zip(&workspace.result) {
            *u = T::select(moves, *u + *change, *u);
        }
        step_of(workspace);
        answer(model, state, workspace);
        displace_where(model, state, far, workspace);
    }
    Ok(())
}

/// How far and how fast the closures that act deviate, the largest of their equations.
pub(crate) fn residuals(
    model: &Model,
    state: &State,
    inputs: &Inputs,
    workspace: &mut Workspace,
) -> Result<[f64; 2], DynamicsError> {
    if !state.closed.contains(&true) {
        return Ok([0.0; 2]);
    }
    look(model, state, inputs, workspace)?;
    Ok([openness(model, state, workspace), pace(model, state, workspace)])
}

/// Names the closure that is open farthest, after [`look`].
#[cold]
pub(crate) fn cannot_close(model: &Model, state: &State, workspace: &Workspace) -> DynamicsError {
    let deviation = &workspace.closing.deviation;
    let miss = |i: usize| model.topology.closures[i].rows.clone().fold(0.0_f64, |m, row| m.max(deviation[row].abs()));
    let active = (0..state.closed.len()).filter(|i| state.closed[*i]);
    let closure = active.max_by(|i, j| miss(*i).total_cmp(&miss(*j))).unwrap_or(0);
    DynamicsError::CannotClose { closure, name: model.closures()[closure].name.clone(), miss: miss(closure) }
}

/// Moves `state` by the result of `workspace`, where `mask` holds.
fn displace_where<T: Scalar>(model: &Model<T>, state: &mut State<T>, mask: T::Mask, workspace: &mut Workspace<T>) {
    let before = &mut workspace.closing.before;
    let numbers = |state: &State<T>, i: usize| match i.checked_sub(state.coordinates.len()) {
        None => state.coordinates[i],
        Some(i) => state.attitudes[i / 4].0[i % 4],
    };
    before.iter_mut().enumerate().for_each(|(i, x)| *x = numbers(state, i));
    state.displace(model, &workspace.result);
    let (coordinates, attitudes) = before.split_at(state.coordinates.len());
    let places = state.coordinates.iter_mut().zip(coordinates);
    let turns = state.attitudes.iter_mut().flat_map(|q| q.0.iter_mut()).zip(attitudes);
    places.chain(turns).for_each(|(x, before)| *x = T::select(mask, *x, *before));
}

/// Asks for the deviations to vanish.
pub(super) fn step_of<T: Scalar>(workspace: &mut Workspace<T>) {
    let closing = &mut workspace.closing;
    closing.force.iter_mut().zip(&closing.deviation).for_each(|(force, open)| *force = -*open);
}

/// Asks for the speeds of the equations to vanish.
pub(super) fn speed_of<T: Scalar>(workspace: &mut Workspace<T>) {
    let closing = &mut workspace.closing;
    closing.force.iter_mut().zip(&closing.speed).for_each(|(force, speed)| *force = -*speed);
}

/// The larger of a number and the size of another.
fn larger<T: Scalar>(most: T, x: T) -> T {
    let size = T::select(x.less_than(T::ZERO), -x, x);
    T::select(most.less_than(size), size, most)
}

/// The largest of the numbers of equations that act.
fn largest<T: Scalar>(model: &Model<T>, state: &State<T>, numbers: &[T]) -> T {
    let active = model.topology.closures.iter().zip(&state.closed).filter(|(_, closed)| **closed);
    active.flat_map(|(top, _)| &numbers[top.rows.clone()]).fold(T::ZERO, |m, x| larger(m, *x))
}

/// How far the closures that act are open.
pub(super) fn openness<T: Scalar>(model: &Model<T>, state: &State<T>, workspace: &Workspace<T>) -> T {
    largest(model, state, &workspace.closing.deviation)
}

fn pace<T: Scalar>(model: &Model<T>, state: &State<T>, workspace: &Workspace<T>) -> T {
    largest(model, state, &workspace.closing.speed)
}

fn rounding<T: Scalar>() -> T {
    T::from_f64(CLOSED.max(ROUNDED * T::EPSILON))
}

/// How exactly frames can be placed: by rounding of their positions.
pub(super) fn closed_within<T: Scalar>(model: &Model<T>, workspace: &Workspace<T>) -> T {
    let sides = workspace.closing.sides.iter().zip(&model.topology.closures).filter(|(_, top)| top.hinges.is_empty());
    let far = sides.flat_map(|(sides, _)| sides).fold(T::ONE, |m, side| larger(m, side.position.norm_squared()));
    rounding::<T>() * far.sqrt()
}

fn still_within<T: Scalar>(state: &State<T>) -> T {
    rounding::<T>() * state.speeds.iter().fold(T::ONE, |m, x| larger(m, *x))
}

/// The least independence of the equations that have a pivot.
fn least_independence<T: Scalar>(closing: &Closing<T>) -> T {
    closing
        .independence
        .iter()
        .zip(&closing.determined)
        .fold(T::ONE, |least, (ratio, determined)| T::select(*determined & ratio.less_than(least), *ratio, least))
}
