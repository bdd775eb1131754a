//! Which models the formulation carries.

use super::link::moves;
use super::tables;
use std::fmt;
use supple::{
    Body, BodyIndex, Closure, Constraint, ElasticRotation, Fidelity, HingeKind, Inputs, Model, Parent, State, System,
    Workspace, forward_dynamics,
};

/// A model that the formulation cannot carry: the first body at fault and the rule it breaks.
#[derive(Clone, Debug, PartialEq)]
pub struct BookError {
    /// The body.
    pub body: BodyIndex,
    /// Its name.
    pub name: String,
    /// The rule.
    pub rule: BookRule,
}

/// What a body must be so that the formulation carries it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BookRule {
    /// Bodies form one chain: each sits on the one before it, the first on the ground.
    SerialChain,
    /// No closure holds the chain or couples its hinges.
    OpenChain,
    /// Every hinge is revolute.
    RotaryHinge,
    /// Modes are at rest at the hinge of their own body.
    ClampedModes,
    /// Nodes that carry a hinge turn by the first order of their slopes; the model says otherwise.
    FirstOrderRotation(ElasticRotation),
    /// All inertial terms are in; this fidelity leaves some out.
    AllInertialTerms(Fidelity),
    /// Elastic forces are linear.
    LinearElasticity,
    /// Displacements are linear in the modal coordinates: no second-order shapes.
    LinearDisplacements,
    /// Tables of modal inertia are those of mass at points.
    PointMasses,
    /// The model is built from the description given.
    SameDescription,
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Book's formulation does not carry body '{}': ", self.name)?;
        match self.rule {
            BookRule::SerialChain => f.write_str(
                "it is not carried by the body before it; only one serial chain from the ground is possible",
            ),
            BookRule::OpenChain => {
                f.write_str("a closure acts on it; only open chains are possible, so remove the closures")
            }
            BookRule::RotaryHinge => f.write_str("its hinge is not revolute; only one-axis rotary hinges are possible"),
            BookRule::ClampedModes => {
                f.write_str("its modes move the node of its own hinge; use modes that are clamped there")
            }
            BookRule::FirstOrderRotation(option) => write!(
                f,
                "its modes turn the next hinge by the option '{option}', and here they turn it to first order; set the elastic rotation to \
                 'first-order' ('linear' in reference cases)"
            ),
            BookRule::AllInertialTerms(fidelity) => write!(
                f,
                "the fidelity '{fidelity}' leaves out inertial terms that the formulation has; set it to 'inconsistent'"
            ),
            BookRule::LinearElasticity => {
                f.write_str("its elastic force is not linear; set the fidelity to 'inconsistent'")
            }
            BookRule::LinearDisplacements => {
                f.write_str("it has shapes of second order; set the fidelity to 'inconsistent'")
            }
            BookRule::PointMasses => f.write_str(
                "its tables of modal integrals are not those of mass at points; give its inertia as masses at nodes, or tables without the inertia of \
                 sections that turn",
            ),
            BookRule::SameDescription => {
                f.write_str("the model is not built from this description; give the system that it was built from")
            }
        }
    }
}

impl std::error::Error for BookError {}

/// Whether the formulation carries `model`, which must be built from `system`.
pub(super) fn check(system: &System, model: &Model) -> Result<(), BookError> {
    let broken = |body: BodyIndex, rule| {
        let name = system.bodies.get(body.0).map_or(String::new(), |body| body.name.clone());
        Err(BookError { body, name, rule })
    };
    // A description that can be built has sound indices and sizes.
    let Ok(again) = Model::build(system) else { return broken(BodyIndex(0), BookRule::SameDescription) };
    for (k, body) in system.bodies.iter().enumerate() {
        let rule = match body.parent {
            Parent::Ground if k == 0 => rule_of(system, body, system.bodies.get(1)),
            Parent::Body(parent, _) if parent.0 + 1 == k => rule_of(system, body, system.bodies.get(k + 1)),
            _ => Some(BookRule::SerialChain),
        };
        if let Some(rule) = rule {
            return broken(BodyIndex(k), rule);
        }
    }
    if let Some(body) = system.closures.iter().find_map(closed_body) {
        return broken(body, BookRule::OpenChain);
    }
    if motion(&again) == motion(model) { Ok(()) } else { broken(BodyIndex(0), BookRule::SameDescription) }
}

/// A body that a closure acts on.
fn closed_body(closure: &Closure) -> Option<BodyIndex> {
    match &closure.constraint {
        Constraint::Joint { a, b, .. } => [a, b].into_iter().find_map(|mount| match mount.parent {
            Parent::Body(body, _) => Some(body),
            Parent::Ground => None,
        }),
        Constraint::Coupling { hinges, .. } => hinges.first().map(|hinge| hinge.body),
    }
}

/// The rule that a body breaks; `next` is the one after it.
fn rule_of(system: &System, body: &Body, next: Option<&Body>) -> Option<BookRule> {
    let modes = &body.modes;
    if !matches!(body.hinge.kind, HingeKind::Revolute { .. }) {
        return Some(BookRule::RotaryHinge);
    }
    if modes.count == 0 {
        return None;
    }
    if moves(&body.nodes[body.inboard_node.0]) {
        return Some(BookRule::ClampedModes);
    }
    let (fidelity, nonlinear) = (modes.fidelity, &modes.nonlinear);
    if fidelity == Fidelity::Stiffened && !modes.second_order.is_empty() {
        return Some(BookRule::LinearDisplacements);
    }
    let bent = fidelity == Fidelity::Exact && !(nonlinear.cubic.is_empty() && nonlinear.quartic.is_empty());
    if bent || (fidelity == Fidelity::Consistent && !nonlinear.axial_load.is_empty()) {
        return Some(BookRule::LinearElasticity);
    }
    if fidelity.has_constant_mass() || fidelity.has_undeformed_bias() {
        return Some(BookRule::AllInertialTerms(fidelity));
    }
    if body.modal_inertia.as_ref().is_some_and(|tables| !tables::of_points(tables)) {
        return Some(BookRule::PointMasses);
    }
    let carrier = match next.map(|next| next.parent) {
        Some(Parent::Body(_, node)) => Some(&body.nodes[node.0]).filter(|node| moves(node)),
        _ => None,
    };
    let turns = carrier.is_some_and(|node| node.influence.iter().any(|column| column[..3] != [0.0; 3]));
    match system.elastic_rotation {
        ElasticRotation::FirstOrder => None,
        ElasticRotation::None => carrier.map(|_| BookRule::FirstOrderRotation(ElasticRotation::None)),
        option => turns.then_some(BookRule::FirstOrderRotation(option)),
    }
}

/// Accelerations of a model of revolute hinges in a state where nothing is zero: models that are built from one description have the same, to
/// the last bit.
fn motion(model: &Model) -> Option<Vec<f64>> {
    let mut state = State::new(model);
    for (i, x) in state.coordinates.iter_mut().chain(&mut state.speeds).enumerate() {
        *x = 0.1 + 0.001 * (i % 7) as f64;
    }
    let mut workspace = Workspace::new(model);
    let solution = forward_dynamics(model, &state, &Inputs::new(model), &mut workspace).ok()?;
    Some(solution.accelerations().to_vec())
}
