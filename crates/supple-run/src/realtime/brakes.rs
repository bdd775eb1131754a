//! The brakes of a plant.

use supple::{Inputs, Model, State, Workspace, forward_dynamics};

use super::wiring::{WireDrive, Wiring};
use crate::RunError;

/// The brake of a hinge: a damper that gives no more than the greatest effort.
#[derive(Clone, Copy, Debug)]
pub(super) struct HingeBrake {
    /// The place of the speed in the state.
    speed: usize,
    damping: f64,
    most: f64,
}

impl HingeBrake {
    /// Its effort in a state.
    pub fn effort(&self, state: &State) -> f64 {
        (-self.damping * state.speeds[self.speed]).clamp(-self.most, self.most)
    }
}

/// The brakes of all drives.
///
/// # Errors
/// Brakes that are too strong: they act once in a cycle, and together must not take more speed than there is.
pub(super) fn brakes(wiring: &Wiring, model: &Model, state: &State) -> Result<Vec<HingeBrake>, RunError> {
    let (mut inputs, mut workspace) = (Inputs::new(model), Workspace::new(model));
    let mut accelerations = |speed: Option<usize>| -> Result<Vec<f64>, RunError> {
        inputs.forces.fill(0.0);
        speed.into_iter().for_each(|speed| inputs.forces[speed] = 1.0);
        let solution = forward_dynamics(model, state, &inputs, &mut workspace).map_err(RunError::cannot_begin)?;
        Ok(solution.accelerations().to_vec())
    };
    let free = accelerations(None)?;
    let mut brakes = Vec::with_capacity(wiring.drives.len());
    // What each takes of the speed of itself and of the others in a cycle, the matrix T √B M⁻¹ √B: its largest eigenvalue is at most its largest sum of a row.
    let mut rows = vec![0.0; wiring.drives.len()];
    for own in &wiring.drives {
        let moved = accelerations(Some(own.speed_place))?;
        let gives_way = |to: &WireDrive| moved[to.speed_place] - free[to.speed_place];
        for (row, other) in rows.iter_mut().zip(&wiring.drives) {
            *row += wiring.period * (own.brake * other.brake).sqrt() * gives_way(other).abs();
        }
        brakes.push(HingeBrake { speed: own.speed_place, damping: own.brake, most: own.limits.effort });
    }
    let taken = rows.into_iter().fold(0.0, f64::max);
    if taken > 1.0 {
        let message = format!("the brakes of `real_time.drive` are too strong for cycles of {} s", wiring.period);
        let remedy = format!("divide their damping by {:.1} or more", 1.05 * taken);
        return Err(RunError::unsupported(message).with_remedy(remedy));
    }
    Ok(brakes)
}
