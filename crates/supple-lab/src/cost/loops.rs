//! Closed systems that are counted, made of the links of a serial chain.

use clap::ValueEnum;
use supple::{Body, BodyIndex, Closure, ClosureKind, HingeKind, Mount, NodeIndex, Parent, System};

/// How loops are closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Closed {
    /// Chains from the ground to the ground: loops that share no body.
    SeparateLoops,
    /// Chains from one hinged body to the ground: loops that share what carries them.
    CoupledLoops,
    /// An arm with a free body, its payload, welded to its tip.
    Payload,
    /// Arms whose tips hold one free body by ball joints: they share nothing else.
    SharedPayload,
}

/// Links of a chain, and the node of each that carries the next.
pub(super) struct Links {
    /// A system of two links.
    pair: System,
    tip: NodeIndex,
}

impl Links {
    /// Those of the chains that `chain` describes.
    pub fn of(chain: impl Fn(usize) -> System) -> Self {
        let pair = chain(2);
        let tip = match pair.bodies[1].parent {
            Parent::Body(_, node) => node,
            Parent::Ground => NodeIndex(0),
        };
        Self { pair, tip }
    }

    /// `loops` chains of `bodies` links from the ground to the ground; with none, what their trees are.
    pub fn separate(&self, loops: usize, bodies: usize) -> System {
        let mut system = System { bodies: Vec::new(), ..self.pair.clone() };
        (0..loops).for_each(|_| self.close_a_chain(&mut system, Parent::Ground, bodies));
        system
    }

    /// `loops` chains of `bodies` links from the tip of one link to the ground.
    pub fn coupled(&self, loops: usize, bodies: usize) -> System {
        let mut system = System { bodies: vec![self.link(0, Parent::Ground)], ..self.pair.clone() };
        let base = Parent::Body(BodyIndex(0), self.tip);
        (0..loops).for_each(|_| self.close_a_chain(&mut system, base, bodies));
        system
    }

    /// An arm of `bodies` links.
    pub fn arm(&self, bodies: usize) -> System {
        let mut system = self.separate(1, bodies);
        system.closures.clear();
        system
    }

    /// A link that floats.
    pub fn payload(&self) -> System {
        let mut system = self.arm(1);
        system.bodies[0].hinge.kind = HingeKind::Free;
        system
    }

    /// An arm of `bodies` links whose tip is welded to one that floats.
    pub fn arm_with_payload(&self, bodies: usize) -> System {
        let (mut system, mut payload) = (self.arm(bodies), self.payload().bodies);
        payload.iter_mut().for_each(|body| body.name = "payload".to_owned());
        system.bodies.append(&mut payload);
        let [tip, root] = [(bodies - 1, self.tip), (bodies, NodeIndex(0))].map(|(k, n)| Mount::node(BodyIndex(k), n));
        system.closures.push(Closure::joint(ClosureKind::Weld, tip, root));
        system
    }

    /// `arms` arms of `bodies` links, all of whose tips hold one link that floats.
    pub fn arms_with_payload(&self, arms: usize, bodies: usize) -> System {
        let mut system = self.separate(arms, bodies);
        system.closures.clear();
        let (first, mut payload) = (system.bodies.len(), self.payload().bodies);
        payload.iter_mut().for_each(|body| body.name = "payload".to_owned());
        system.bodies.append(&mut payload);
        for arm in 1..=arms {
            let tip = Mount::node(BodyIndex(arm * bodies - 1), self.tip);
            let grip = Mount::node(BodyIndex(first), NodeIndex(0)).at([0.1 * arm as f64, 0.2, 0.0]);
            system.closures.push(Closure::joint(ClosureKind::Ball, tip, grip));
        }
        system
    }

    fn link(&self, k: usize, parent: Parent) -> Body {
        Body { name: format!("link {k}"), parent, ..self.pair.bodies[1].clone() }
    }

    /// Adds a chain that begins on `parent` and ends in a revolute on the ground.
    fn close_a_chain(&self, system: &mut System, parent: Parent, bodies: usize) {
        let first = system.bodies.len();
        for k in first..first + bodies {
            let parent = if k == first { parent } else { Parent::Body(BodyIndex(k - 1), self.tip) };
            system.bodies.push(self.link(k, parent));
        }
        let tip = Mount::node(BodyIndex(first + bodies - 1), self.tip);
        let pin = ClosureKind::Revolute { axis: [0.0, 0.0, 1.0] };
        system.closures.push(Closure::joint(pin, tip, Mount::ground()));
    }
}
