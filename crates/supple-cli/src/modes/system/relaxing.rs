//! Modes without what only relaxes.

use supple_bodies::damping::relaxing;
use supple_io::load::Loaded;
use supple_linear::{SystemMode, SystemModes};

/// The modes of a system without those of stiffness that relaxes, which do not swing, and how many of these there are.
pub fn without(found: &SystemModes, loaded: &Loaded) -> (SystemModes, usize) {
    let bodies = loaded.model.body_indices().zip(&loaded.system.bodies);
    let last = |(body, told)| {
        let speeds = loaded.model.modal_speeds(body);
        speeds.end - relaxing::count(told)..speeds.end
    };
    let coordinates: Vec<usize> = bodies.flat_map(last).collect();
    let share = |mode: &SystemMode| -> f64 { coordinates.iter().map(|i| mode.participation[*i]).sum() };
    // Rounding splits rates that are equal into pairs.
    let creeps = |mode: &SystemMode| mode.damping_ratio > 1.0 - 1e-8 && share(mode) > 0.5;
    let (creeping, modes): (Vec<_>, Vec<_>) = found.modes.iter().cloned().partition(creeps);
    (SystemModes { modes, ..found.clone() }, creeping.len())
}
