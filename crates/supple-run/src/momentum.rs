//! Momentum of systems on which nothing external acts: what it changes by is an error.

use supple::force::{ForceElement, Port};
use supple::{Closure, Constraint, HingeKind, Model, Momentum, Parent, State, Workspace, momentum};
use supple_io::results::MomentumSummary;
use supple_io::scenario_file::Scenario;

/// Compares momenta with those at the start.
pub struct MomentumWatch {
    start: Momentum,
    /// Greatest change so far of the linear and of the angular momentum.
    pub drift: [f64; 2],
    workspace: Workspace,
}

impl MomentumWatch {
    /// From the start of a run; none where something external acts.
    pub fn new(scenario: &Scenario, state: &State) -> Option<Self> {
        if !is_isolated(scenario) {
            return None;
        }
        let mut workspace = Workspace::new(&scenario.model.model);
        let start = momentum(&scenario.model.model, state, &mut workspace).ok()?;
        Some(Self { start, drift: [0.0; 2], workspace })
    }

    /// Looks at a state.
    pub fn observe(&mut self, model: &Model, state: &State) {
        // A state without momentum is reported by the row of the same time.
        let Ok(now) = momentum(model, state, &mut self.workspace) else { return };
        let pairs = [(now.linear, self.start.linear), (now.angular, self.start.angular)];
        for (drift, (now, start)) in self.drift.iter_mut().zip(pairs) {
            *drift = drift.max((now - start).norm_squared().sqrt());
        }
    }

    /// What the summary tells.
    pub fn summary(&self) -> MomentumSummary {
        MomentumSummary {
            linear: self.start.linear.0,
            angular: self.start.angular.0,
            linear_drift: self.drift[0],
            angular_drift: self.drift[1],
        }
    }
}

/// Whether nothing from outside acts: no gravity, no wrench, no closure to the ground, and all trees float, with nothing in the hinges to the
/// ground.
fn is_isolated(scenario: &Scenario) -> bool {
    let system = &scenario.model.system;
    let acts_in = |k: usize| {
        scenario.motions.iter().chain(&scenario.feedforward).any(|motion| motion.body.0 == k)
            || scenario.torques.iter().any(|torque| torque.body.0 == k)
            || system.actuators.iter().any(|motor| motor.body.0 == k)
            || system.forces.iter().any(|force| force.ports.iter().any(|port| is_hinge(port, k)))
    };
    let floats = |k: usize| {
        let hinge = &system.bodies[k].hinge;
        hinge.kind == HingeKind::Free && hinge.rotor_inertia.iter().all(|inertia| *inertia == 0.0) && !acts_in(k)
    };
    let mut roots = (0..system.bodies.len()).filter(|k| system.bodies[*k].parent == Parent::Ground);
    // Elements between bodies push both; what takes hold of the ground, or of one body alone, does not.
    let outside = |port: &Port| matches!(port, Port::Ground { .. } | Port::Body { .. } | Port::EveryBody);
    let from_outside =
        |force: &ForceElement| force.ports.iter().any(outside) || force.ports.len() == 1 && !in_hinge(force);
    let inside = !system.forces.iter().any(from_outside) && !system.closures.iter().any(on_ground);
    system.gravity == [0.0; 3] && scenario.wrenches.is_empty() && inside && roots.all(floats)
}

/// Whether a closure joins something to the ground.
fn on_ground(closure: &Closure) -> bool {
    match &closure.constraint {
        Constraint::Joint { a, b, .. } => [a, b].iter().any(|mount| mount.parent == Parent::Ground),
        Constraint::Coupling { .. } => false,
    }
}

/// Whether an element acts in hinges alone.
fn in_hinge(force: &ForceElement) -> bool {
    force.ports.iter().all(|port| matches!(port, Port::Hinge { .. }))
}

/// Whether a port is the hinge of a body.
fn is_hinge(port: &Port, k: usize) -> bool {
    matches!(port, Port::Hinge { body, .. } if body.0 == k)
}
