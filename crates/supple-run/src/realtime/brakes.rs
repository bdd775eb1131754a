//! The brakes of a plant.

use supple::{DenseWorkspace, Inputs, Model, State, Workspace, forward_dynamics, mass_matrix};

use super::wiring::{WireDrive, Wiring};
use crate::RunError;

/// Share of the greatest effort that a brake that holds gives at least while its hinge moves, so that it stops in finite time.
const LEAST: f64 = 0.1;
/// Cycles in which the speed of a hinge may fall by the factor e.
const CYCLES: f64 = 4.0;

/// The brake of a hinge, as the link works it.
#[derive(Clone, Copy, Debug)]
pub(super) struct HingeBrake {
    /// The place of the speed in the state.
    speed: usize,
    damping: f64,
    most: f64,
    /// Of one that holds.
    hold: Option<Hold>,
}

/// What a brake that holds needs to stop its hinge as a damper stops a rigid arm.
#[derive(Clone, Copy, Debug)]
struct Hold {
    /// Of all that the hinge moves, kg m² or kg.
    inertia: f64,
    /// Greatest rate of decay, 1/s.
    fastest: f64,
}

impl HingeBrake {
    /// The rate at which the hinge is to lose its speed, where the brake holds it, and otherwise the effort of a damper.
    pub fn output(&self, state: &State) -> f64 {
        let speed = state.speeds[self.speed];
        match self.hold {
            None => (-self.damping * speed).clamp(-self.most, self.most),
            Some(Hold { inertia, fastest }) => {
                // An effort without bound asks for nothing.
                let least = if self.most.is_finite() { LEAST * self.most / speed.abs() } else { 0.0 };
                (self.damping.max(least) / inertia).min(fastest)
            }
        }
    }
}

/// The brakes of all drives.
///
/// # Errors
/// Brakes that are too strong: as dampers they act once in a cycle, and together must not take more speed than there is.
pub(super) fn brakes(wiring: &Wiring, model: &Model, state: &State) -> Result<Vec<HingeBrake>, RunError> {
    let (mut inputs, mut workspace) = (Inputs::new(model), Workspace::new(model));
    let size = model.speed_count();
    let (mut dense, mut mass) = (DenseWorkspace::new(model), vec![0.0; size * size]);
    mass_matrix(model, state, &mut workspace, &mut dense, &mut mass).map_err(RunError::cannot_begin)?;
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
        let inertia = mass[own.speed_place * (size + 1)];
        let hold = own.holds.then(|| Hold { inertia, fastest: 1.0 / (CYCLES * wiring.period) });
        brakes.push(HingeBrake { speed: own.speed_place, damping: own.brake, most: own.limits.effort, hold });
    }
    let taken = rows.into_iter().fold(0.0, f64::max);
    if taken > 1.0 {
        let message = format!("the brakes of `real_time.drive` are too strong for cycles of {} s", wiring.period);
        let remedy = format!("divide their damping by {:.1} or more", 1.05 * taken);
        return Err(RunError::unsupported(message).with_remedy(remedy));
    }
    Ok(brakes)
}
