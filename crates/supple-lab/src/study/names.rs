//! Names of models and of treatments of the tip in the rows of a study.

use supple::{ElasticRotation, Fidelity};

/// The name of a fidelity.
pub fn model(fidelity: Fidelity) -> &'static str {
    match fidelity {
        Fidelity::RuthlessConstant => "RL-constant",
        Fidelity::Ruthless => "RL",
        Fidelity::Inconsistent => "I",
        Fidelity::InconsistentConstantMass => "I-constant-mass",
        Fidelity::Consistent => "CL",
        Fidelity::Exact => "EE",
        Fidelity::Stiffened => "stiffened",
    }
}

/// The name of an elastic rotation.
pub fn tip(rotation: ElasticRotation) -> &'static str {
    match rotation {
        ElasticRotation::None => "none",
        ElasticRotation::FirstOrder => "linear",
        ElasticRotation::Euler321 => "euler321",
        ElasticRotation::Euler123 => "euler123",
        ElasticRotation::RotationVector => "rotvec",
        ElasticRotation::Integrated => "integrated",
    }
}
