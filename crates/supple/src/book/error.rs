//! Which models the formulation carries.

use crate::model::hinge::HingeMotion;
use crate::model::{BodyIndex, ElasticRotation, Fidelity, Model};
use std::fmt;

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
    /// The inertia of a flexible body is that of its nodes, not of tables.
    NodalInertia,
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Book's formulation does not carry body '{}': ", self.name)?;
        match self.rule {
            BookRule::SerialChain => f.write_str(
                "it is not carried by the body before it; only one serial chain from the ground is possible",
            ),
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
            BookRule::NodalInertia => {
                f.write_str("its inertia is given as tables of modal integrals; it must be that of masses at nodes")
            }
        }
    }
}

impl std::error::Error for BookError {}

/// Whether the formulation carries `model`.
pub(super) fn check(model: &Model) -> Result<(), BookError> {
    for (k, (body, data)) in model.topology.bodies.iter().zip(model.bodies.iter()).enumerate() {
        let broken = |rule| Err(BookError { body: BodyIndex(k), name: body.name.clone(), rule });
        if body.parent != k.checked_sub(1) {
            return broken(BookRule::SerialChain);
        }
        if !matches!(data.hinge.motion, HingeMotion::Revolute(_)) {
            return broken(BookRule::RotaryHinge);
        }
        let Some(flexible) = &data.flexible else { continue };
        if body.free_free {
            return broken(BookRule::ClampedModes);
        }
        if flexible.second_order.is_some() {
            return broken(BookRule::LinearDisplacements);
        }
        let elastic = &flexible.elastic;
        if !elastic.cubic.is_empty() || !elastic.quartic.is_empty() || !elastic.axial_load.is_empty() {
            return broken(BookRule::LinearElasticity);
        }
        if flexible.constant || flexible.undeformed_bias {
            return broken(BookRule::AllInertialTerms(flexible.fidelity));
        }
        if data.has_tables {
            return broken(BookRule::NodalInertia);
        }
        let option = model.elastic_rotation();
        let turns = model.topology.carriers[body.carriers.clone()].iter().any(|c| data.nodes[c.node].turns);
        let moves =
            model.topology.carriers[body.carriers.clone()].iter().any(|c| !data.nodes[c.node].influence.is_empty());
        if option != ElasticRotation::FirstOrder && (turns || (moves && option == ElasticRotation::None)) {
            return broken(BookRule::FirstOrderRotation(option));
        }
    }
    Ok(())
}
