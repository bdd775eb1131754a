//! Which terms of the dynamics a model carries, in words: what a report of a run says of its physics.

use super::body::Flexible;
use super::description::{ElasticRotation, Fidelity, InertiaConvention};
use super::{BodyIndex, Model};
use std::fmt;

/// Terms of one flexible body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyPhysics {
    /// The body.
    pub body: BodyIndex,
    /// Its fidelity.
    pub fidelity: Fidelity,
    /// Number of modes.
    pub modes: usize,
    /// Entries of the elastic forces of second and third order that are in use.
    pub nonlinear_entries: usize,
    /// Entries of the stiffness of the axial load that are in use.
    pub axial_load_entries: usize,
    /// Shapes of second order that are in use.
    pub second_order_shapes: usize,
}

impl fmt::Display for BodyPhysics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mass = if self.fidelity.has_constant_mass() { "constant" } else { "deforming" };
        let bias = if self.fidelity.has_undeformed_bias() { "undeformed" } else { "deformed" };
        write!(
            f,
            "{} modes, {}: {mass} modal mass, {bias} velocity terms, linear stiffness",
            self.modes, self.fidelity
        )?;
        if self.fidelity == Fidelity::RuthlessConstant {
            write!(f, ", no modal rates across hinges")?;
        }
        if self.nonlinear_entries > 0 {
            write!(f, ", {} entries of nonlinear elastic force", self.nonlinear_entries)?;
        }
        if self.axial_load_entries > 0 {
            write!(f, ", {} entries of stiffness of the axial load", self.axial_load_entries)?;
        }
        if self.second_order_shapes > 0 {
            write!(f, ", {} second-order shapes", self.second_order_shapes)?;
        }
        Ok(())
    }
}

impl fmt::Display for Fidelity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::RuthlessConstant => "ruthless-constant",
            Self::Ruthless => "ruthless",
            Self::Inconsistent => "inconsistent",
            Self::InconsistentConstantMass => "inconsistent-constant-mass",
            Self::Consistent => "consistent",
            Self::Exact => "exact",
            Self::Stiffened => "stiffened",
        })
    }
}

impl fmt::Display for ElasticRotation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "none",
            Self::FirstOrder => "linear",
            Self::Euler321 => "euler321",
            Self::Euler123 => "euler123",
            Self::RotationVector => "rotvec",
            Self::Integrated => "integrated",
        })
    }
}

impl fmt::Display for InertiaConvention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Lagrange => "lagrange",
            Self::NewtonEuler => "newton-euler",
        })
    }
}

impl<T> Model<T> {
    /// Which terms each flexible body carries.
    pub fn physics(&self) -> Vec<BodyPhysics> {
        let flexible = |body: BodyIndex| self.bodies[body.0].flexible.as_deref().map(|f| (body, f));
        let physics = |(body, f): (BodyIndex, &Flexible<T>)| BodyPhysics {
            body,
            fidelity: f.fidelity,
            modes: self.modes(body),
            nonlinear_entries: f.elastic.cubic.len() + f.elastic.quartic.len(),
            axial_load_entries: f.elastic.axial_load.len(),
            second_order_shapes: f.second_order.as_ref().map_or(0, |s| s.gains.len()),
        };
        self.body_indices().filter_map(flexible).map(physics).collect()
    }

    /// Fidelity of a body; that of a rigid one is the default.
    ///
    /// # Panics
    /// For a body that the model does not have.
    pub fn fidelity(&self, body: BodyIndex) -> Fidelity {
        self.bodies[body.0].flexible.as_ref().map_or(Fidelity::default(), |f| f.fidelity)
    }

    /// How the elastic rotation of nodes turns the hinges that they carry.
    pub fn elastic_rotation(&self) -> ElasticRotation {
        self.topology.elastic_rotation
    }

    /// Which equations the nodal inertias obey.
    pub fn inertia_convention(&self) -> InertiaConvention {
        self.topology.inertia
    }
}
