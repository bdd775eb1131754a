//! Random trees of rigid and flexible bodies, with every kind of hinge.
//!
//! Every system has a positive definite mass matrix: a body either has an inertia that no motion
//! of its hinge and modes escapes, or is one of a few singular kinds with a hinge that fits.

use super::random_body::{Shape, flexible, massless, orthogonal, rigid, singular_tip, solid};
use super::random_closures::add_closures;
use super::random_elements::add_elements;
use super::random_shapes::add_shapes;
use super::random_state::{RandomState, random_state};
use super::{Generator, Layout};
use crate::model::{
    Body, BodyIndex, ElasticRotation, Fidelity, Hinge, HingeKind, InertiaConvention, NodeIndex, Parent, System,
};
use std::ops::RangeInclusive;

/// What [`random_system`] may build.
#[derive(Clone, Debug, PartialEq)]
pub struct RandomOptions {
    /// Number of bodies.
    pub bodies: RangeInclusive<usize>,
    /// Most modes of a body.
    pub modes: usize,
    /// Only chains, each body on the one before.
    pub serial: bool,
    /// The elastic rotation, or any.
    pub elastic_rotation: Option<ElasticRotation>,
    /// The inertia convention, or any.
    pub inertia: Option<InertiaConvention>,
    /// Largest ratio between masses of bodies.
    pub mass_ratio: f64,
    /// Allows bodies whose own inertia is singular or zero.
    pub singular: bool,
    /// Some bodies keep their undeformed inertia, and their deformation is at rest.
    pub constant_terms: bool,
    /// Some bodies have orthogonal modes, normalised or not.
    pub orthogonal_modes: bool,
    /// Most flexible bodies have shapes of second order.
    pub second_order: bool,
    /// Force elements of every kind, and motors.
    pub elements: bool,
    /// Most closures, of every kind. Their frames stand anywhere: they need not be closed.
    pub closures: usize,
    /// Coordinates of some closures move as prescribed.
    pub driven: bool,
}

impl Default for RandomOptions {
    fn default() -> Self {
        Self {
            bodies: 1..=8,
            modes: 40,
            serial: false,
            elastic_rotation: None,
            inertia: None,
            mass_ratio: 1e6,
            singular: true,
            constant_terms: false,
            orthogonal_modes: false,
            second_order: false,
            elements: false,
            closures: 0,
            driven: false,
        }
    }
}

/// A system and a state of it, the same for the same seed and options.
pub fn random_system(seed: u64, options: &RandomOptions) -> (System, RandomState) {
    let mut rng = Generator::new(seed);
    let rotations = [
        ElasticRotation::None,
        ElasticRotation::FirstOrder,
        ElasticRotation::Euler321,
        ElasticRotation::Euler123,
        ElasticRotation::RotationVector,
        ElasticRotation::Integrated,
    ];
    let conventions = [InertiaConvention::Lagrange, InertiaConvention::NewtonEuler];
    let (rotation, convention) = (rotations[rng.below(6)], conventions[rng.below(2)]);
    let mut system = System {
        gravity: if rng.chance(0.8) { rng.vector(10.0) } else { [0.0; 3] },
        elastic_rotation: options.elastic_rotation.unwrap_or(rotation),
        inertia: options.inertia.unwrap_or(convention),
        ..System::default()
    };
    Tree::new(&mut rng, options).grow(&mut rng, &mut system);
    if Layout::new(&system).speed_count == 0 {
        system.bodies[0].hinge.kind = HingeKind::Revolute { axis: rng.direction() };
        // It may have been one that only a fixed hinge can carry.
        system.bodies[0].nodes.push(solid(&mut rng, Shape { mass: 1.0, size: 1.0 }));
    }
    if options.second_order {
        add_shapes(&mut rng, &mut system);
    }
    if options.closures > 0 {
        // Numbers of their own, so that a seed has the same tree with and without them.
        add_closures(&mut Generator::new(!seed), options.closures, options.driven, &mut system);
    }
    let state = random_state(&mut rng, &system);
    // Drives come last, so that a seed has the same tree with and without them.
    for body in &mut system.bodies {
        if rng.chance(0.25) && body.hinge.kind != HingeKind::Free {
            let size = body.nodes.iter().map(|n| n.mass).sum::<f64>();
            body.hinge.rotor_inertia = (0..body.hinge.kind.sizes().1).map(|_| size * rng.decades(-3.0, 1.0)).collect();
        }
    }
    if options.elements {
        add_elements(&mut rng, &mut system);
    }
    (system, state)
}

/// What is settled before the bodies are made.
struct Tree<'a> {
    options: &'a RandomOptions,
    parents: Vec<Option<usize>>,
    /// Half the spread of masses, in decades.
    spread: f64,
}

impl<'a> Tree<'a> {
    fn new(rng: &mut Generator, options: &'a RandomOptions) -> Self {
        let (low, high) = (*options.bodies.start(), *options.bodies.end());
        let count = low + rng.below(high + 1 - low);
        let serial = options.serial || rng.chance(0.3);
        let parents = (0..count).map(|k| match k {
            0 => None,
            _ if options.serial => Some(k - 1),
            _ if rng.chance(0.08) => None,
            _ if serial || rng.chance(0.3) => Some(k - 1),
            _ => Some(rng.below(k)),
        });
        let parents = parents.collect();
        let most = options.mass_ratio.log10() / 2.0;
        let spread = if rng.chance(0.35) { most } else { most.min(0.5) };
        Self { options, parents, spread }
    }

    fn grow(&self, rng: &mut Generator, system: &mut System) {
        // First children of massless bodies: these must have inertia and a simple hinge.
        let mut simple = vec![false; self.parents.len()];
        for k in 0..self.parents.len() {
            let parent = self.place(rng, system, k);
            let shape = Shape { mass: rng.decades(-self.spread, self.spread), size: rng.between(0.3, 1.5) };
            let first_child = (k + 1..self.parents.len()).find(|&c| self.parents[c] == Some(k));
            let singular = self.options.singular && !simple[k];
            let mut body = match first_child {
                None if singular && rng.chance(0.25) => singular_tip(rng, shape),
                Some(child) if singular && rng.chance(0.08) => {
                    simple[child] = true;
                    massless(rng, shape)
                }
                _ => self.ordinary(rng, shape, simple[k]),
            };
            body.name = format!("body {k}");
            body.parent = parent;
            if rng.chance(0.75) {
                body.hinge = body.hinge.at(rng.vector(0.3 * shape.size)).turned(rng.rotation());
            }
            if self.options.constant_terms && body.modes.count > 0 && rng.chance(0.6) {
                body.modes.fidelity = Fidelity::RuthlessConstant;
            }
            system.bodies.push(body);
        }
    }

    /// A node of the parent, sometimes the one that carries an earlier child.
    fn place(&self, rng: &mut Generator, system: &System, k: usize) -> Parent {
        let Some(parent) = self.parents[k] else {
            return Parent::Ground;
        };
        let earlier = system.bodies.iter().rev().find_map(|body| match body.parent {
            Parent::Body(p, node) if p.0 == parent => Some(node),
            _ => None,
        });
        let any = NodeIndex(rng.below(system.bodies[parent].nodes.len()));
        let shared = rng.chance(0.35);
        Parent::Body(BodyIndex(parent), earlier.filter(|_| shared).unwrap_or(any))
    }

    /// A body that any hinge can carry.
    fn ordinary(&self, rng: &mut Generator, shape: Shape, simple: bool) -> Body {
        let modes = match rng.below(20) {
            0..5 => 0,
            5..15 => 1 + rng.below(4),
            15..19 => 5 + rng.below(6),
            _ => 11 + rng.below(30),
        };
        let modes = modes.min(self.options.modes);
        let mut body = match modes {
            0 => rigid(rng, shape),
            _ => flexible(rng, shape, modes),
        };
        if self.options.orthogonal_modes && modes > 0 && rng.chance(0.7) {
            body = orthogonal(rng, body);
        }
        let axis = some_aligned(rng.direction());
        body.hinge = Hinge::new(match (simple, rng.chance(0.5)) {
            (true, true) => HingeKind::Revolute { axis },
            (true, false) => HingeKind::Prismatic { axis },
            _ => any_hinge(rng),
        });
        body
    }
}

/// Any kind of hinge. Directions are not scaled to unit length.
fn any_hinge(rng: &mut Generator) -> HingeKind {
    let length = rng.between(0.5, 2.0);
    let axis = rng.direction().map(|x| x * length);
    match rng.below(11) {
        0 => HingeKind::Fixed,
        1..4 => HingeKind::Revolute { axis: some_aligned(axis) },
        4 => HingeKind::Prismatic { axis: some_aligned(axis) },
        5 => HingeKind::Screw { axis, pitch: rng.between(-0.5, 0.5) },
        6 => {
            let mut second = rng.direction();
            while (0..3).map(|i| axis[i] * second[i]).sum::<f64>().abs() > 0.8 * length {
                second = rng.direction();
            }
            HingeKind::Universal { axes: [axis, second] }
        }
        7 => HingeKind::Cylindrical { axis },
        8 => HingeKind::Planar { normal: axis },
        9 => HingeKind::Spherical,
        _ => HingeKind::Free,
    }
}

/// Most directions moved to the nearest axis of the frame, forwards.
fn some_aligned(direction: [f64; 3]) -> [f64; 3] {
    let length = direction.iter().map(|x| x * x).sum::<f64>().sqrt();
    if direction[0] < -0.4 * length {
        return direction;
    }
    let nearest = (1..3).fold(0, |best, i| if direction[i].abs() > direction[best].abs() { i } else { best });
    let mut aligned = [0.0; 3];
    aligned[nearest] = direction[nearest].abs();
    aligned
}
