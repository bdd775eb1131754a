//! Beams in a row with mass-normalised cantilever modes.

use super::Generator;
use super::inertia::node_momentum;
use super::random_state::{RandomState, random_state};
use crate::model::{
    Body, BodyIndex, ElasticRotation, Hinge, HingeKind, InertiaConvention, ModalMatrix, Modes, Node, NodeIndex, Parent,
    System,
};
use std::f64::consts::PI;
use supple_spatial::Motion;

/// What [`serial_chain`] builds.
#[derive(Clone, Debug, PartialEq)]
pub struct ChainOptions {
    /// Seed of the state.
    pub seed: u64,
    /// Mass of a beam.
    pub mass: f64,
    /// Length of a beam.
    pub length: f64,
    /// Circular frequency of a beam's first mode; mode `i` (from 1) has `i²` times this.
    pub frequency: f64,
    /// Damping ratio of every mode.
    pub damping_ratio: f64,
    /// Gravitational acceleration in inertial axes.
    pub gravity: [f64; 3],
    /// Elastic rotation of the tips.
    pub elastic_rotation: ElasticRotation,
    /// Equations of nodal inertias.
    pub inertia: InertiaConvention,
}

impl Default for ChainOptions {
    fn default() -> Self {
        Self {
            seed: 0,
            mass: 1.0,
            length: 1.0,
            frequency: 20.0,
            damping_ratio: 0.01,
            gravity: [0.0, 0.0, -9.81],
            elastic_rotation: ElasticRotation::default(),
            inertia: InertiaConvention::default(),
        }
    }
}

/// A chain of equal beams along x, each on the tip of the one before by a revolute hinge, with
/// `modes` cantilever modes each (bending in y and z, stretching, torsion, in turn) for which `M_ff`
/// is the identity; and a state of it.
pub fn serial_chain(bodies: usize, modes: usize, options: &ChainOptions) -> (System, RandomState) {
    let mut system = System {
        gravity: options.gravity,
        elastic_rotation: options.elastic_rotation,
        inertia: options.inertia,
        ..System::default()
    };
    let nodes = beam(modes, options);
    let tip = NodeIndex(nodes.len() - 1);
    let axes = [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [0.0, 0.6, 0.8], [1.0, 0.0, 0.0], [0.48, 0.64, 0.6]];
    for k in 0..bodies {
        let parent = match k {
            0 => Parent::Ground,
            _ => Parent::Body(BodyIndex(k - 1), tip),
        };
        let hinge = Hinge::new(HingeKind::Revolute { axis: axes[k % axes.len()] });
        let mut body = Body::new(format!("beam {k}"), parent, hinge);
        body.nodes = nodes.clone();
        body.modes = elastic(modes, options);
        system.bodies.push(body);
    }
    let state = random_state(&mut Generator::new(options.seed), &system);
    (system, state)
}

fn elastic(modes: usize, options: &ChainOptions) -> Modes {
    let frequencies = (1..=modes).map(|i| options.frequency * (i * i) as f64);
    let stiffness = frequencies.clone().map(|w| w * w).collect();
    let damping = frequencies.map(|w| 2.0 * options.damping_ratio * w).collect();
    Modes {
        count: modes,
        stiffness: ModalMatrix::Diagonal(stiffness),
        damping: ModalMatrix::Diagonal(damping),
        ..Modes::default()
    }
}

/// Nodes of one beam with orthonormal modes.
fn beam(modes: usize, options: &ChainOptions) -> Vec<Node> {
    let spans = 2 * modes.div_ceil(4) + 4;
    let share = options.mass / spans as f64;
    let radius = 0.05 * options.length;
    let bending = share * (radius * radius / 4.0 + (options.length / spans as f64).powi(2) / 12.0);
    let twist = share * radius * radius / 2.0;
    let mut nodes: Vec<Node> = (0..=spans)
        .map(|i| {
            let position = i as f64 / spans as f64;
            // The nodes at the ends stand for half a span.
            let part = if i == 0 || i == spans { 0.5 } else { 1.0 };
            let [twist, bending] = [twist * part, bending * part];
            Node {
                position: [position * options.length, 0.0, 0.0],
                mass: share * part,
                inertia: [[twist, 0.0, 0.0], [0.0, bending, 0.0], [0.0, 0.0, bending]],
                influence: (0..modes).map(|r| shape(r, position, options.length)).collect(),
                ..Node::default()
            }
        })
        .collect();
    orthonormalise(&mut nodes, modes);
    nodes
}

/// Influence of a trial mode at a fraction of the length; all are clamped at the start.
fn shape(mode: usize, position: f64, length: f64) -> [f64; 6] {
    let wave = ((mode / 4) as f64 + 0.5) * PI;
    let (sine, cosine) = (wave * position).sin_cos();
    let (bend, slope) = (1.0 - cosine, wave / length * sine);
    match mode % 4 {
        0 => [0.0, 0.0, slope, 0.0, bend, 0.0],
        1 => [0.0, -slope, 0.0, 0.0, 0.0, bend],
        2 => [0.0, 0.0, 0.0, sine, 0.0, 0.0],
        _ => [sine, 0.0, 0.0, 0.0, 0.0, 0.0],
    }
}

/// Gram-Schmidt in the product `Σ Πᵀ M_s Π`, twice for orthogonality to rounding. Nodes without
/// influence stay at rest.
pub(super) fn orthonormalise(nodes: &mut [Node], modes: usize) {
    for r in 0..modes {
        for _ in 0..2 {
            for s in 0..r {
                let overlap = product(nodes, r, s);
                for influence in moved(nodes) {
                    let other = influence[s];
                    for i in 0..6 {
                        influence[r][i] -= overlap * other[i];
                    }
                }
            }
            let norm = product(nodes, r, r).sqrt();
            for influence in moved(nodes) {
                influence[r] = influence[r].map(|x| x / norm);
            }
        }
    }
}

/// Influences of the nodes that modes move.
fn moved(nodes: &mut [Node]) -> impl Iterator<Item = &mut Vec<[f64; 6]>> {
    let influences = nodes.iter_mut().map(|node| &mut node.influence);
    influences.filter(|influence| !influence.is_empty())
}

fn product(nodes: &[Node], r: usize, s: usize) -> f64 {
    let term = |node: &Node| {
        let column = |r: usize| Motion::from_array(node.influence[r]);
        column(r).dot(node_momentum(node, column(s)))
    };
    let moved = nodes.iter().filter(|node| !node.influence.is_empty());
    moved.map(term).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_are_mass_normalised_and_clamped() {
        for modes in [1, 4, 9, 30] {
            let nodes = beam(modes, &ChainOptions { mass: 3.0, length: 2.0, ..Default::default() });
            assert!(nodes[0].influence.iter().flatten().all(|&x| x == 0.0));
            for r in 0..modes {
                for s in 0..modes {
                    let expected = if r == s { 1.0 } else { 0.0 };
                    let error = product(&nodes, r, s) - expected;
                    assert!(error.abs() < 8.0 * f64::EPSILON, "{modes} {r} {s} {error:e}");
                }
            }
        }
    }
}
