//! Random states with moderate deflections.

use super::{Answer, Generator, Layout, NodalWrench, answer};
use crate::model::{Body, Fidelity, HingeKind, System};
use std::f64::consts::PI;
use supple_spatial::Quaternion;

/// A state of a system with loads on it, and forces and accelerations to try.
#[derive(Clone, Debug, PartialEq)]
pub struct RandomState {
    /// Coordinates, body by body: deformation, then hinge.
    pub coordinates: Vec<f64>,
    /// Speeds, body by body: rates of deformation, then hinge speeds.
    pub speeds: Vec<f64>,
    /// Attitudes by [`Layout::attitudes`], quaternions `(x, y, z, w)`.
    pub attitudes: Vec<[f64; 4]>,
    /// Wrenches on nodes.
    pub wrenches: Vec<NodalWrench>,
    /// Generalized forces, one per speed.
    pub forces: Vec<f64>,
    /// Rates of the speeds.
    pub accelerations: Vec<f64>,
}

impl RandomState {
    /// The dense answer for a system in this state.
    ///
    /// # Panics
    /// As [`answer`](fn@answer).
    pub fn answer(&self, system: &System) -> Answer {
        answer(system, &self.coordinates, &self.speeds, &self.attitudes, &self.wrenches)
    }
}

/// A state of any system; bodies with constant inertial terms have a deformation at rest.
pub(super) fn random_state(rng: &mut Generator, system: &System) -> RandomState {
    let layout = Layout::new(system);
    let pace = [0.0, 0.3, 1.0, 1.0, 4.0][rng.below(5)];
    let mut state = RandomState {
        coordinates: Vec::new(),
        speeds: Vec::new(),
        attitudes: Vec::new(),
        wrenches: Vec::new(),
        forces: Vec::new(),
        accelerations: rng.list(layout.speed_count, 1.0),
    };
    for body in &system.bodies {
        let sizes = mode_sizes(body);
        let mass: f64 = body.nodes.iter().map(|node| node.mass).sum();
        let constant = body.modes.fidelity == Fidelity::RuthlessConstant;
        for &size in &sizes {
            state.coordinates.push(rng.between(-0.2, 0.2) / size);
            let rate = pace * rng.between(-1.0, 1.0) / size;
            state.speeds.push(if constant { 0.0 } else { rate });
            state.forces.push(rng.between(-1.0, 1.0) * mass * size);
        }
        state.coordinates.extend(hinge_coordinates(rng, &body.hinge.kind));
        let (_, speeds) = body.hinge.kind.sizes();
        state.speeds.extend(rng.list(speeds, pace));
        state.forces.extend(rng.list(speeds, mass));
    }
    for &(k, j) in &layout.attitudes {
        // Near the rotation vector λ η, but not a function of it.
        let eta = &state.coordinates[layout.deformation(k)];
        let mut q = [0.0, 0.0, 0.0, 1.0];
        for i in 0..3 {
            let columns = system.bodies[k].nodes[j].influence.iter().zip(eta);
            let slope: f64 = columns.map(|(column, x)| column[i] * x).sum();
            q[i] = 0.5 * slope + rng.between(-0.05, 0.05);
        }
        state.attitudes.push(Quaternion(q).normalized().0);
    }
    for _ in 0..rng.below(4) {
        let k = rng.below(system.bodies.len());
        let j = rng.below(system.bodies[k].nodes.len());
        let mass: f64 = system.bodies[k].nodes.iter().map(|node| node.mass).sum();
        let wrench = std::array::from_fn(|_| mass * rng.between(-3.0, 3.0));
        state.wrenches.push((k, j, rng.chance(0.5), wrench));
    }
    state
}

/// For every mode the size of its largest influence, times the root of their number, so that the
/// modes together deform the body moderately.
fn mode_sizes(body: &Body) -> Vec<f64> {
    let count = body.modes.count;
    let mut sizes = vec![0.0_f64; count];
    for node in &body.nodes {
        for (size, column) in sizes.iter_mut().zip(&node.influence) {
            *size = column.iter().fold(*size, |m, x| m.max(x.abs()));
        }
    }
    sizes.iter().map(|size| size * (count as f64).sqrt()).collect()
}

fn hinge_coordinates(rng: &mut Generator, kind: &HingeKind) -> Vec<f64> {
    match kind {
        HingeKind::Fixed => Vec::new(),
        HingeKind::Prismatic { .. } => rng.list(1, 0.5),
        HingeKind::Revolute { .. } | HingeKind::Screw { .. } => rng.list(1, PI),
        HingeKind::Universal { .. } => rng.list(2, PI),
        HingeKind::Cylindrical { .. } => vec![rng.between(-PI, PI), rng.between(-0.5, 0.5)],
        HingeKind::Planar { .. } => {
            let place = rng.vector(0.5);
            vec![place[0], place[1], rng.between(-PI, PI)]
        }
        HingeKind::Spherical => rng.quaternion().to_vec(),
        HingeKind::Free => [&rng.quaternion()[..], &rng.vector(1.0)[..]].concat(),
    }
}
