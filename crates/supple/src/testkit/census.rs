//! What a sample of systems contains, by counting.

use super::dense::eigenvalues;
use super::inertia::{BodyMotion, node_momentum, node_velocity};
use crate::model::{Body, HingeKind, Parent, System};
use std::collections::{BTreeMap, HashSet};
use supple_spatial::Motion;

/// Counts over the systems of a sample.
#[derive(Clone, Debug, Default)]
pub struct Census {
    /// Systems.
    pub systems: usize,
    /// Systems by elastic rotation.
    pub rotations: BTreeMap<String, usize>,
    /// Systems by inertia convention.
    pub conventions: BTreeMap<String, usize>,
    /// Bodies by kind of hinge.
    pub hinges: BTreeMap<String, usize>,
    /// Bodies by number of modes.
    pub modes: BTreeMap<usize, usize>,
    /// Flexible bodies whose inboard node moves with the modes.
    pub free_free: usize,
    /// Flexible bodies whose inboard node stays.
    pub cantilever: usize,
    /// Hinges on nodes that second-order shapes turn.
    pub turned_by_shapes: usize,
    /// Bodies that carry nothing and whose own inertia is singular.
    pub singular_tips: usize,
    /// Nodes that carry more than one body.
    pub shared_nodes: usize,
    /// Bodies on the ground beside the first.
    pub further_roots: usize,
    /// Systems with masses of bodies in a ratio of more than 1e5.
    pub wide_masses: usize,
    /// Largest ratio of two masses of bodies in one system.
    pub largest_mass_ratio: f64,
}

fn count<K: Ord>(counts: &mut BTreeMap<K, usize>, key: K) {
    *counts.entry(key).or_default() += 1;
}

impl Census {
    /// Counts one more system.
    pub fn add(&mut self, system: &System) {
        self.systems += 1;
        count(&mut self.rotations, format!("{:?}", system.elastic_rotation));
        count(&mut self.conventions, format!("{:?}", system.inertia));
        let mut carrying = HashSet::new();
        let mut masses: Vec<f64> = Vec::new();
        for (k, body) in system.bodies.iter().enumerate() {
            count(&mut self.hinges, hinge_name(&body.hinge.kind).into());
            count(&mut self.modes, body.modes.count);
            if body.modes.count > 0 {
                let inboard = &body.nodes[body.inboard_node.0].influence;
                match inboard.iter().flatten().any(|&x| x != 0.0) {
                    true => self.free_free += 1,
                    false => self.cantilever += 1,
                }
            }
            match body.parent {
                Parent::Ground => self.further_roots += usize::from(k > 0),
                Parent::Body(p, node) => {
                    self.shared_nodes += usize::from(!carrying.insert((p, node)));
                    let carrier = &system.bodies[p.0];
                    let shapes = carrier.nodes[node.0].influence.iter().skip(carrier.modes.count);
                    self.turned_by_shapes += usize::from(shapes.into_iter().any(|shape| shape[..3] != [0.0; 3]));
                }
            }
            let carries = |child: &Body| matches!(child.parent, Parent::Body(p, _) if p.0 == k);
            if !system.bodies.iter().any(carries) && is_singular(body) {
                self.singular_tips += 1;
            }
            masses.push(body.nodes.iter().map(|node| node.mass).sum());
        }
        masses.retain(|mass| *mass > 0.0);
        let least = masses.iter().copied().fold(f64::INFINITY, f64::min);
        let ratio = masses.iter().copied().fold(0.0, f64::max) / least;
        self.largest_mass_ratio = self.largest_mass_ratio.max(ratio);
        self.wide_masses += usize::from(ratio > 1e5);
    }

    /// Asserts that every kind of hinge, elastic rotation, body and node that the engine
    /// distinguishes is in the sample, often enough to matter.
    ///
    /// # Panics
    /// Where one is not.
    #[track_caller]
    pub fn assert_varied(&self) {
        println!("{self:#?}");
        let often = self.systems / 50;
        assert_eq!(self.hinges.len(), 9, "kinds of hinges");
        assert_eq!(self.rotations.len(), 6, "elastic rotations");
        assert_eq!(self.conventions.len(), 2, "inertia conventions");
        for (name, &number) in (self.hinges.iter()).chain(&self.rotations) {
            assert!(number > often, "{name}: {number}");
        }
        for modes in 0..=10 {
            assert!(self.modes.contains_key(&modes), "no body with {modes} modes");
        }
        let most = self.modes.keys().last().copied();
        assert_eq!(most, Some(40), "largest number of modes");
        let kinds = [
            self.free_free,
            self.cantilever,
            self.turned_by_shapes,
            self.singular_tips,
            self.shared_nodes,
            self.further_roots,
            self.wide_masses,
        ];
        assert!(kinds.iter().all(|&number| number > often), "{kinds:?}");
        assert!(self.largest_mass_ratio > 5e5, "mass ratio");
    }
}

fn hinge_name(kind: &HingeKind) -> &'static str {
    match kind {
        HingeKind::Fixed => "Fixed",
        HingeKind::Revolute { .. } => "Revolute",
        HingeKind::Prismatic { .. } => "Prismatic",
        HingeKind::Screw { .. } => "Screw",
        HingeKind::Universal { .. } => "Universal",
        HingeKind::Cylindrical { .. } => "Cylindrical",
        HingeKind::Planar { .. } => "Planar",
        HingeKind::Spherical => "Spherical",
        HingeKind::Free => "Free",
    }
}

/// Whether some rigid motion of the body has no momentum.
fn is_singular(body: &Body) -> bool {
    let unit = |i: usize| {
        let mut velocity = [0.0; 6];
        velocity[i] = 1.0;
        BodyMotion {
            eta: vec![0.0; body.modes.count],
            eta_dot: vec![0.0; body.modes.count],
            velocity: Motion::from_array(velocity),
        }
    };
    let entry = |i: usize, j: usize| {
        let terms = body.nodes.iter().map(|node| {
            let momentum = node_momentum(node, node_velocity(body, node, &unit(j)));
            node_velocity(body, node, &unit(i)).dot(momentum)
        });
        terms.sum::<f64>()
    };
    let inertia: Vec<Vec<f64>> = (0..6).map(|i| (0..6).map(|j| entry(i, j)).collect()).collect();
    let values = eigenvalues(&inertia);
    values[0] <= 1e-12 * values[5]
}
