//! Constants of a body as the sweeps use them.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use super::NodeIndex;
use super::cast::Cast;
use super::description::Fidelity;
use super::elastic::Elastic;
use super::frames::BodyAxes;
use super::hinge::HingeData;
use super::integrals::ModalIntegrals;
use super::modal_mass::{ModalMass, TipModes};
use super::node::NodeData;
use super::sparse::SparseNumbers;
use supple_spatial::{RigidInertia, Scalar, Vector3};

/// How the modes of a body are taken out of the articulated inertia.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Elimination {
    /// By a factor of `D_f`.
    Explicit,
    /// By `D_f⁻¹` from a low-rank update, eq. 77.
    Indirect,
    /// By modal condensation.
    Condensed,
}

/// Constants of the modes of a body.
#[derive(Clone, Debug)]
pub(crate) struct Flexible<T> {
    /// Modal integrals.
    pub integrals: ModalIntegrals<T>,
    /// Elastic and damping forces.
    pub elastic: Elastic<T>,
    /// `M_ff`.
    pub mass: ModalMass<T>,
    /// Which terms the body carries.
    pub fidelity: Fidelity,
    /// Constant modal mass.
    pub constant: bool,
    /// Bias of the undeformed body.
    pub undeformed_bias: bool,
    /// No `η̇` terms in the acceleration across hinges.
    pub still: bool,
    /// What hinges see of the modes, their mass left aside, does not follow the deformation: neither `Π_F` nor `ζ`.
    pub constant_hinge: bool,
    /// Shapes of second order, if any.
    pub second_order: Option<SecondOrder<T>>,
    /// Modal mass as the hinge sees it: `M_ff`, or `H_f M_m H_f*` of free-free modes where it is constant.
    pub hinge_mass: ModalMass<T>,
    /// The modes that move the carriers; `None` where they follow the deformation (free-free modes) or `N` does not exist.
    pub tip_modes: Option<TipModes<T>>,
    /// The cheapest elimination.
    pub cheapest: Elimination,
}

/// Shapes of second order.
#[derive(Clone, Debug)]
pub(crate) struct SecondOrder<T> {
    /// Rows of `B` of every shape.
    pub gains: Box<[SparseNumbers<T>]>,
    /// Packed modal mass of modes and shapes together.
    pub mass: Box<[T]>,
}

/// A body.
#[derive(Clone, Debug)]
pub(crate) struct BodyData<T> {
    /// Its axes in the model.
    pub axes: BodyAxes<T>,
    /// Its hinge.
    pub hinge: HingeData<T>,
    /// Inertia of its drive at each speed; empty without one.
    pub rotor: Box<[T]>,
    /// Undeformed inertia about `F_k`.
    pub inertia: RigidInertia<T>,
    /// Nodes.
    pub nodes: Box<[NodeData<T>]>,
    /// Modes, if any.
    pub flexible: Option<Box<Flexible<T>>>,
    /// Where the hinge sits at `F_k` whatever the deformation.
    pub hinge_at_origin: bool,
    /// Whether some of its inertia is given as tables of modal integrals beside the nodes.
    pub has_tables: bool,
}

impl<T: Scalar> BodyData<T> {
    /// `λ x + Σ λ_k second(B_k)` of a node.
    #[inline(always)]
    pub fn slopes(&self, node: NodeIndex, x: &[T], second: impl Fn(&SparseNumbers<T>) -> T) -> Vector3<T> {
        let node = &self.nodes[node.0];
        let mut sum = node.influence.iter().zip(x).fold(Vector3::ZERO, |w, (c, x)| c.angular.scale_add(*x, w));
        if node.slaves_turn
            && let Some(shapes) = self.flexible.as_ref().and_then(|f| f.second_order.as_ref())
        {
            for (slave, B) in node.slaves.iter().zip(&shapes.gains) {
                sum = slave.angular.scale_add(second(B), sum);
            }
        }
        sum
    }
}

impl<U: Scalar> Cast<U> for SecondOrder<f64> {
    type Output = SecondOrder<U>;
    fn cast(&self) -> SecondOrder<U> {
        SecondOrder { gains: self.gains.cast(), mass: self.mass.cast() }
    }
}

impl<U: Scalar> Cast<U> for BodyData<f64> {
    type Output = BodyData<U>;
    fn cast(&self) -> BodyData<U> {
        BodyData {
            axes: self.axes.cast(),
            hinge: self.hinge.cast(),
            rotor: self.rotor.cast(),
            inertia: self.inertia.cast(),
            nodes: self.nodes.cast(),
            flexible: self.flexible.as_ref().map(|f| {
                Box::new(Flexible {
                    integrals: f.integrals.cast(),
                    elastic: f.elastic.cast(),
                    mass: f.mass.cast(),
                    fidelity: f.fidelity,
                    constant: f.constant,
                    undeformed_bias: f.undeformed_bias,
                    still: f.still,
                    second_order: f.second_order.cast(),
                    hinge_mass: f.hinge_mass.cast(),
                    tip_modes: f.tip_modes.cast(),
                    constant_hinge: f.constant_hinge,
                    cheapest: f.cheapest,
                })
            }),
            hinge_at_origin: self.hinge_at_origin,
            has_tables: self.has_tables,
        }
    }
}
