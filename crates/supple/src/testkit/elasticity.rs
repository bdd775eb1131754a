//! Elastic force, damping force and elastic energy of a body's modes.

use crate::model::{Fidelity, ModalMatrix, Modes};

/// `A x`.
fn product(matrix: &ModalMatrix, x: &[f64]) -> Vec<f64> {
    match matrix {
        ModalMatrix::Zero => vec![0.0; x.len()],
        ModalMatrix::Diagonal(d) => d.iter().zip(x).map(|(d, x)| d * x).collect(),
        ModalMatrix::Full(rows) => rows.iter().map(|row| row.iter().zip(x).map(|(a, x)| a * x).sum()).collect(),
    }
}

/// `C η̇`.
pub(super) fn damping_force(modes: &Modes, eta_dot: &[f64]) -> Vec<f64> {
    product(&modes.damping, eta_dot)
}

/// `K3`, which only the exact fidelity carries.
fn cubic(modes: &Modes) -> &[([usize; 3], f64)] {
    if modes.fidelity == Fidelity::Exact { &modes.nonlinear.cubic } else { &[] }
}

/// `K4`, likewise.
fn quartic(modes: &Modes) -> &[([usize; 4], f64)] {
    if modes.fidelity == Fidelity::Exact { &modes.nonlinear.quartic } else { &[] }
}

/// `K η + ½ K3 η η + ⅙ K4 η η η`.
pub(super) fn elastic_force(modes: &Modes, eta: &[f64]) -> Vec<f64> {
    let mut force = product(&modes.stiffness, eta);
    for &([i, j, k], value) in cubic(modes) {
        force[i] += value * eta[j] * eta[k] / 2.0;
    }
    for &([i, j, k, l], value) in quartic(modes) {
        force[i] += value * eta[j] * eta[k] * eta[l] / 6.0;
    }
    force
}

/// `½ K η η + ⅙ K3 η η η + ¹⁄₂₄ K4 η η η η`.
pub(super) fn elastic_energy(modes: &Modes, eta: &[f64]) -> f64 {
    let linear = product(&modes.stiffness, eta);
    let mut energy = linear.iter().zip(eta).map(|(f, x)| f * x).sum::<f64>() / 2.0;
    for &([i, j, k], value) in cubic(modes) {
        energy += value * eta[i] * eta[j] * eta[k] / 6.0;
    }
    for &([i, j, k, l], value) in quartic(modes) {
        energy += value * eta[i] * eta[j] * eta[k] * eta[l] / 24.0;
    }
    energy
}
