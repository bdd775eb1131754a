//! What the dense calculation gives.

use super::dense;

/// A wrench on a node: body, node, whether it is in inertial axes (else in the body's), and moment
/// about the node and force.
pub type NodalWrench = (usize, usize, bool, [f64; 6]);

/// The parts of `𝓒` in `𝓜 u̇ + 𝓒 = T`. Gravity, external loads and force elements enter with a minus sign.
#[derive(Clone, Debug, PartialEq)]
pub struct Bias {
    /// Inertial forces at zero rates of the speeds.
    pub velocity: Vec<f64>,
    /// Elastic forces of the modes.
    pub elastic: Vec<f64>,
    /// Damping forces of the modes.
    pub damping: Vec<f64>,
    /// Weights.
    pub gravity: Vec<f64>,
    /// Wrenches on nodes.
    pub external: Vec<f64>,
    /// Force elements.
    pub elements: Vec<f64>,
}

impl Bias {
    pub(super) fn zeros(n: usize) -> Self {
        let zero = || vec![0.0; n];
        Self { velocity: zero(), elastic: zero(), damping: zero(), gravity: zero(), external: zero(), elements: zero() }
    }

    /// Sum of all parts.
    pub fn total(&self) -> Vec<f64> {
        let parts = [&self.velocity, &self.elastic, &self.damping, &self.gravity, &self.external, &self.elements];
        (0..self.velocity.len()).map(|i| parts.iter().map(|part| part[i]).sum()).collect()
    }
}

/// Energies of a system.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Energy {
    /// Kinetic energy.
    pub kinetic: f64,
    /// Elastic energy of the modes.
    pub elastic: f64,
    /// Potential of gravity, zero for masses at the inertial origin.
    pub gravity: f64,
    /// Energy of force elements.
    pub stored: f64,
}

/// What there is to know about a system in one state.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Mass matrix `𝓜`, by rows.
    pub mass: Vec<Vec<f64>>,
    /// Bias `𝓒`.
    pub bias: Bias,
    /// Energies.
    pub energy: Energy,
    /// Power that force elements feed in.
    pub element_supplied: f64,
    /// Power that force elements take.
    pub element_dissipated: f64,
    /// Momentum in inertial axes.
    pub linear_momentum: [f64; 3],
    /// Angular momentum about the inertial origin, in inertial axes.
    pub angular_momentum: [f64; 3],
    /// Mass centre in inertial axes.
    pub centre_of_mass: [f64; 3],
    /// Node positions by body, in inertial axes.
    pub node_positions: Vec<Vec<[f64; 3]>>,
    /// Node velocities `[ω, v]` by body, in inertial axes.
    pub node_velocities: Vec<Vec<[f64; 6]>>,
    /// Derivative of each node's `[ω, v]` by each speed, in body axes: body, node, speed.
    pub node_jacobians: Vec<Vec<Vec<[f64; 6]>>>,
    /// Inertial derivative of each node's `[ω, v]` at zero rates of the speeds, in body axes.
    pub node_drifts: Vec<Vec<[f64; 6]>>,
}

impl Answer {
    /// `u̇` for generalized forces `T`, or nothing where `𝓜` is not positive definite.
    pub fn accelerations(&self, forces: &[f64]) -> Option<Vec<f64>> {
        let right: Vec<f64> = forces.iter().zip(self.bias.total()).map(|(t, c)| t - c).collect();
        dense::solve(&self.mass, &right)
    }

    /// `T = 𝓜 u̇ + 𝓒`.
    pub fn forces(&self, accelerations: &[f64]) -> Vec<f64> {
        let inertial = |row: &Vec<f64>| dot(row, accelerations);
        self.mass.iter().zip(self.bias.total()).map(|(row, c)| inertial(row) + c).collect()
    }

    /// Inertial derivatives of node velocities for given `u̇`, in body axes, by body.
    pub fn node_accelerations(&self, accelerations: &[f64]) -> Vec<Vec<[f64; 6]>> {
        let mut answer = self.node_drifts.clone();
        for (nodes, jacobians) in answer.iter_mut().zip(&self.node_jacobians) {
            for (node, jacobian) in nodes.iter_mut().zip(jacobians) {
                for (column, rate) in jacobian.iter().zip(accelerations) {
                    for i in 0..6 {
                        node[i] += column[i] * rate;
                    }
                }
            }
        }
        answer
    }

    /// Condition number of the mass matrix scaled to unit diagonal.
    pub fn condition(&self) -> f64 {
        dense::condition_number(&self.mass)
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
