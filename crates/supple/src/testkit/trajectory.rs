//! The motion in time by the dense calculation, integrated by a rule that no scheme of the engine uses.
//!
//! Gragg's midpoint rule takes a step in 2, 4, 6, 8 and 10 parts, and the five results are extrapolated in the square of the part: an explicit
//! Runge-Kutta method of order 10. Generalized forces and wrenches stay as they are.

use super::kinematics::{Kinematics, Moving};
use super::{Layout, RandomState};
use crate::model::System;

/// The state after `duration`, in steps of equal length.
///
/// # Panics
/// Where the mass matrix is singular on the way, or as [`answer`](fn@super::answer).
pub fn trajectory(system: &System, start: &RandomState, duration: f64, steps: usize) -> RandomState {
    let layout = Layout::new(system);
    let step = duration / steps as f64;
    (0..steps).fold(start.clone(), |state, _| {
        let y = pack(&state);
        let first = rates(system, &layout, &state);
        unpack(&state, &extrapolated(&y, &first, step, |y| rates(system, &layout, &unpack(&state, y))))
    })
}

/// A step from `y`, where the rates are `first`.
fn extrapolated(y: &[f64], first: &[f64], step: f64, rates: impl Fn(&[f64]) -> Vec<f64>) -> Vec<f64> {
    // Aitken and Neville: results of the parts before, extrapolated further and further.
    let mut row: Vec<Vec<f64>> = Vec::new();
    for j in 0..5 {
        let parts = 2 * (j + 1);
        let h = step / parts as f64;
        let (mut before, mut here) = (y.to_vec(), add(y, h, first));
        for _ in 1..parts {
            let next = add(&before, 2.0 * h, &rates(&here));
            before = std::mem::replace(&mut here, next);
        }
        for (k, old) in row.iter_mut().enumerate() {
            let ratio = (parts as f64 / (2 * (j - k)) as f64).powi(2);
            let next = here.iter().zip(&*old).map(|(new, old)| new + (new - old) / (ratio - 1.0)).collect();
            *old = std::mem::replace(&mut here, next);
        }
        row.push(here);
    }
    row.swap_remove(4)
}

fn add(y: &[f64], h: f64, rates: &[f64]) -> Vec<f64> {
    y.iter().zip(rates).map(|(y, rate)| y + h * rate).collect()
}

/// Rates of coordinates, attitudes and speeds.
fn rates(system: &System, layout: &Layout, state: &RandomState) -> Vec<f64> {
    let RandomState { coordinates, attitudes, speeds, .. } = state.clone();
    let rates = Kinematics { system, layout }.rates(&Moving { coordinates, attitudes, speeds });
    let accelerations = state.answer(system).accelerations(&state.forces).expect("a definite mass matrix");
    [&rates.coordinates[..], rates.attitudes.as_flattened(), &accelerations].concat()
}

fn pack(state: &RandomState) -> Vec<f64> {
    [&state.coordinates[..], state.attitudes.as_flattened(), &state.speeds].concat()
}

fn unpack(state: &RandomState, y: &[f64]) -> RandomState {
    let mut state = state.clone();
    let (coordinates, rest) = y.split_at(state.coordinates.len());
    let (attitudes, speeds) = rest.split_at(4 * state.attitudes.len());
    state.coordinates.copy_from_slice(coordinates);
    state.attitudes.as_flattened_mut().copy_from_slice(attitudes);
    state.speeds.copy_from_slice(speeds);
    state
}
