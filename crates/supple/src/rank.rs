//! Whether every hinge and mode moves mass: the rank of the mass matrix, found by the articulated recursion.
//!
//! The test runs once, at the undeformed state with hinges in general position. A pivot of `D_f` or `D_R` that is rounding beside
//! the terms it is made of means that its mode or hinge direction accelerates nothing.

use crate::model::hinge::HingeMotion;
use crate::model::topology::BodyTopology;
use crate::model::{Model, Problem};
use crate::state::State;
use crate::sweep;
use crate::workspace::Workspace;
use supple_spatial::block::cholesky::pivot_inverse;
use supple_spatial::{ArticulatedInertia, Matrix6, Motion, Quaternion, Vector3};

/// Pivots below this fraction of their terms are rounding.
const ROUNDING: f64 = 1e-13;

/// Hinges and modes that move no mass, by name: the outermost on every branch, as those inboard cannot be judged then.
pub(crate) fn massless(model: &Model) -> Vec<Problem> {
    let state = general_position(model);
    let mut ws = Workspace::new(model);
    sweep::configuration::configuration(model, &state, &mut ws.configuration);
    sweep::modal_mass::modal_mass(model, &state, &ws.configuration, &mut ws.modal);
    sweep::articulation::factor(model, &state, &ws.configuration, &mut ws.modal, &mut ws.articulated);

    let mut found = Vec::new();
    let mut judged = vec![true; model.body_count()];
    // Per carrier: what its children weigh with their hinges and modes locked. Eliminating these leaves rounding of this size.
    let mut locked = vec![ArticulatedInertia::ZERO; model.topology.carriers.len()];
    for (k, body) in model.topology.bodies.iter().enumerate().rev() {
        if judged[k] {
            let modes = mode_ratios(model, k, &ws, &locked);
            let mode = modes.iter().position(|&ratio| is_rounding(ratio, 1.0));
            // Eliminating a small pivot amplifies rounding in the pivots after it by its reciprocal.
            let least = modes.iter().fold(1.0_f64, |least, ratio| least.min(*ratio));
            let problem = match mode {
                Some(mode) => Some(Problem::MasslessMode { body: body.name.clone(), mode }),
                None => massless_hinge(model, k, &ws, &locked, least),
            };
            judged[k] = problem.is_none();
            found.extend(problem);
        }
        if let Some(p) = body.parent {
            judged[p] &= judged[k];
            let at = &ws.configuration;
            let own = sweep::hinge::inertia_at_hinge(model, k, at, with_modes_locked(&ws, body, k));
            locked[body.carrier] += own.rotate(&at.rotation[k]).shift(at.offset[k]);
        }
    }
    found.reverse();
    found
}

/// Articulated inertia at `F_k` before the modes of the body are eliminated.
fn with_modes_locked(ws: &Workspace, body: &BodyTopology, k: usize) -> ArticulatedInertia<f64> {
    body.carriers.clone().fold(ws.modal.inertia[k].to_articulated(), |sum, c| {
        sum + ws.articulated.gamma[c].shift(ws.configuration.carrier[c].position)
    })
}

/// Undeformed, with hinge coordinates that share no symmetry.
fn general_position(model: &Model) -> State {
    let mut state = State::new(model);
    let mut x: f64 = 0.3;
    for (body, data) in model.topology.bodies.iter().zip(model.bodies.iter()) {
        let theta = &mut state.coordinates[body.theta()];
        for value in theta.iter_mut() {
            // Multiples of the golden ratio never repeat.
            x = (x + 0.618_033_988_749_895).fract();
            *value = 0.2 + x;
        }
        if data.hinge.motion.has_quaternion() {
            let q = Quaternion([theta[0], theta[1], theta[2], theta[3]]).normalized();
            theta[..4].copy_from_slice(&q.0);
        }
    }
    state
}

/// A pivot of a factor.
fn pivot(factor: &[f64], i: usize) -> f64 {
    pivot_inverse(factor, i).recip()
}

/// Whether `pivot / terms` is rounding, after pivots whose least ratio was `least`.
fn is_rounding(ratio: f64, least: f64) -> bool {
    ratio.is_nan() || ratio <= ROUNDING.max(f64::EPSILON / least)
}

/// Pivots of the modes of a body over the terms they are made of.
fn mode_ratios(model: &Model, k: usize, ws: &Workspace, locked: &[ArticulatedInertia<f64>]) -> Vec<f64> {
    let body = &model.topology.bodies[k];
    let Some(flexible) = &model.bodies[k].flexible else { return Vec::new() };
    let factor = &ws.articulated.modal_factor[body.modal_triangle.clone()];
    let terms = |r: usize| {
        let inboard = ws.modal.inboard[body.modal.start + r];
        let outboard = body.carriers.clone().map(|c| {
            let zeta = ws.modal.influence[body.modes_of_carrier(c).start + r];
            absolute(&locked[c], zeta, Vector3::ZERO)
        });
        let own = absolute(&ws.modal.inertia[k].to_articulated(), inboard, Vector3::ZERO);
        flexible.mass.entry(r, r) + own + outboard.sum::<f64>()
    };
    (0..body.modes).map(|r| pivot(factor, r) / terms(r)).collect()
}

fn massless_hinge(
    model: &Model,
    k: usize,
    ws: &Workspace,
    locked: &[ArticulatedInertia<f64>],
    least: f64,
) -> Option<Problem> {
    let body = &model.topology.bodies[k];
    if matches!(model.bodies[k].hinge.motion, HingeMotion::Fixed) {
        return None;
    }
    let at = &ws.configuration;
    // Lever arms from the hinge: to `F_k`, and on to the carriers.
    let inboard = at.inboard[k].position;
    let terms = |h: Motion<f64>| {
        let outboard = body.carriers.clone().map(|c| {
            let reach = inboard.0.iter().zip(at.carrier[c].position.0).map(|(x, y)| x.abs() + y.abs());
            let reach: Vec<f64> = reach.collect();
            absolute(&locked[c], h, Vector3([reach[0], reach[1], reach[2]]))
        });
        absolute(&ws.modal.inertia[k].to_articulated(), h, inboard) + outboard.sum::<f64>()
    };
    let factor = &ws.articulated.hinge_factor[body.hinge_triangle.clone()];
    let h = &at.hinge_map[body.hinge.clone()];
    let rotor = |i: usize| model.bodies[k].rotor.get(i).copied().unwrap_or(0.0);
    let speed = (0..h.len()).find(|&i| is_rounding(pivot(factor, i) / (terms(h[i]) + rotor(i)), least))?;
    Some(Problem::MasslessHinge { body: body.name.clone(), speed })
}

/// The sum of the magnitudes of the terms of `h* φ P φ* h`, for `φ` over the lever arm `l`: what cancels in it leaves
/// rounding of this size.
fn absolute(p: &ArticulatedInertia<f64>, h: Motion<f64>, l: Vector3<f64>) -> f64 {
    let (w, v, l) = (h.angular.0.map(f64::abs), h.linear.0.map(f64::abs), l.0.map(f64::abs));
    let moved = |i: usize| v[i] + w[(i + 1) % 3] * l[(i + 2) % 3] + w[(i + 2) % 3] * l[(i + 1) % 3];
    let (Matrix6(p), h) = (p.to_matrix(), [w[0], w[1], w[2], moved(0), moved(1), moved(2)]);
    (0..6).map(|i| (0..6).map(|j| h[i] * p[i][j].abs() * h[j]).sum::<f64>()).sum()
}
