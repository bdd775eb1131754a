//! What a user says about a system, before it is checked and turned into a [`Model`](super::Model).
//!
//! SI units, right-handed frames. All data of a body are in its own frame `F_k`.

use super::actuator::Actuator;
use super::closure::Closure;
use super::modal_inertia::ModalInertia;
use super::{BodyIndex, NodeIndex};
use crate::force::ForceElement;

/// How the elastic rotation of a node turns the hinges that it carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ElasticRotation {
    /// No rotation, and the hinge keeps the undeformed lever arm.
    None,
    /// First order: `R_e = I + skew(λ η)`, not orthogonal.
    FirstOrder,
    /// Euler angles `λ η`, `R_e = Rz(θ₃) Ry(θ₂) Rx(θ₁)`.
    Euler321,
    /// Euler angles `λ η`, `R_e = Rx(θ₁) Ry(θ₂) Rz(θ₃)`.
    Euler123,
    /// Rotation vector: `R_e = exp(skew(λ η))`, right to second order in the deformation, as the shapes of
    /// [`Fidelity::Stiffened`] are.
    #[default]
    RotationVector,
    /// `λ η̇` is the relative angular velocity and `R_e` a state of its own, which depends on the path of the deformation: right to first order
    /// where a node turns about several axes.
    Integrated,
}

impl ElasticRotation {
    /// True where `R_e` is a rotation matrix for any deformation.
    pub fn is_orthogonal(self) -> bool {
        !matches!(self, Self::None | Self::FirstOrder)
    }
}

/// Which equations the nodal inertias obey; equal where nodes are point masses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum InertiaConvention {
    /// Lagrange's equations of `T = ½ V* M(η) V`: conserves energy exactly. The mass centre of a node keeps its offset in the
    /// body's axes; give an offset mass that modes turn a [node of its own](Node::at_mass_centre).
    #[default]
    Lagrange,
    /// Newton-Euler for each node, whose gyroscopic terms turn its inertia with it [US508 C.2].
    NewtonEuler,
}

/// Which terms of the dynamics a flexible body carries.
///
/// | choice                     | modal mass | bias          | elastic force                         |
/// |----------------------------|------------|---------------|---------------------------------------|
/// | `RuthlessConstant`         | constant   | undeformed, no `η̇` across hinges | `K η`            |
/// | `Ruthless` (RL)            | constant   | undeformed    | `K η`                                 |
/// | `Inconsistent` (I)         | deformed   | deformed      | `K η`                                 |
/// | `InconsistentConstantMass` | constant   | deformed      | `K η`                                 |
/// | `Consistent` (CL)          | constant   | deformed      | `K η` and stiffness of the axial load |
/// | `Exact` (EE)               | deformed   | deformed      | `K η` and all nonlinear terms         |
/// | `Stiffened`                | deformed   | deformed      | `K η`; displacements of second order  |
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Fidelity {
    /// Constant mass and bias, no `η̇` terms in the acceleration across hinges [JR92 (75)].
    RuthlessConstant,
    /// Ruthlessly linearised: constant mass and bias [DS95 3.1].
    Ruthless,
    /// All inertial terms, linear elasticity [DS95 3.1].
    Inconsistent,
    /// As `Inconsistent`, with the mass of the undeformed body [DS95 4.1].
    InconsistentConstantMass,
    /// Consistently linearised: inertial forces of the deformed body, stiffness of the axial load [DS95 3.1].
    Consistent,
    /// Everything that is given: all inertial terms and the nonlinear elastic force [DS95 3.1].
    #[default]
    Exact,
    /// All inertial terms of a displacement field of second order: stiffening by motion without locking.
    Stiffened,
}

impl Fidelity {
    /// Whether the modal mass is that of the undeformed body.
    pub fn has_constant_mass(self) -> bool {
        !matches!(self, Self::Inconsistent | Self::Exact | Self::Stiffened)
    }

    /// Whether velocity-dependent forces are those of the undeformed body.
    pub fn has_undeformed_bias(self) -> bool {
        matches!(self, Self::RuthlessConstant | Self::Ruthless)
    }
}

/// A point of a body that carries mass, a hinge, a load or nothing (a marker).
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Node {
    /// Optional name, unique in the body.
    pub name: Option<String>,
    /// Undeformed position from `F_k`.
    pub position: [f64; 3],
    /// Mass.
    pub mass: f64,
    /// Position of the mass centre from the node.
    pub mass_centre: [f64; 3],
    /// Inertia about the node.
    pub inertia: [[f64; 3]; 3],
    /// Modal influence `Π = [λ; γ]`: one column `[λ_x, λ_y, λ_z, γ_x, γ_y, γ_z]` per mode, then one per
    /// [second-order shape](Modes::second_order). Empty stands for a node that no mode moves.
    pub influence: Vec<[f64; 6]>,
    /// Strain of a beam per mode: stretch `u'`, curvatures `θ_y'` and `θ_z'`, twist `θ_x'`, with `x` along the beam. Empty where it is not known.
    pub strain: Vec<[f64; 4]>,
}

/// A symmetric matrix of modal stiffness or damping.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum ModalMatrix {
    /// All zero.
    #[default]
    Zero,
    /// One number per mode.
    Diagonal(Vec<f64>),
    /// Full, by rows.
    Full(Vec<Vec<f64>>),
}

/// Nonlinear elastic force beside `K η`: `½ K3[i,j,k] η_j η_k + ⅙ K4[i,j,k,l] η_j η_k η_l` with symmetric tensors, listed by every nonzero entry.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct NonlinearStiffness {
    /// Entries of the third-order tensor.
    pub cubic: Vec<([usize; 3], f64)>,
    /// Entries of the fourth-order tensor.
    pub quartic: Vec<([usize; 4], f64)>,
    /// Stiffness of the axial load: entries `([i, j, k], g)` of the force `g η_j η_k` on mode `i`, which has no energy of its own.
    /// Only [`Fidelity::Consistent`] reads it, and only [`Fidelity::Exact`] reads the two above.
    pub axial_load: Vec<([usize; 3], f64)>,
}

/// A shape that follows the modes: its amplitude is `½ Σ B(r,s) η_r η_s`, such as the foreshortening of a bent beam.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct SecondOrderShape {
    /// Entries `([r, s], B)` of the symmetric `B` with `r ≤ s`, each once.
    pub quadratic: Vec<([usize; 2], f64)>,
}

/// Assumed modes of a flexible body. `η` are the user's own coordinates, normalised or not.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Modes {
    /// Number of modes.
    pub count: usize,
    /// Modal stiffness `K`.
    pub stiffness: ModalMatrix,
    /// Modal damping `C`.
    pub damping: ModalMatrix,
    /// Nonlinear elastic force.
    pub nonlinear: NonlinearStiffness,
    /// Which terms the body carries.
    pub fidelity: Fidelity,
    /// Shapes of second order, whose columns follow those of the modes in every node. Only [`Fidelity::Stiffened`] reads them.
    pub second_order: Vec<SecondOrderShape>,
}

/// The relative motion that a hinge allows. Axes are in `O⁺`, fixed to the parent's node.
#[derive(Clone, Debug, PartialEq)]
pub enum HingeKind {
    /// No motion.
    Fixed,
    /// Rotation about `axis`: one angle.
    Revolute {
        /// Direction; scaled to unit length.
        axis: [f64; 3],
    },
    /// Translation along `axis`: one displacement.
    Prismatic {
        /// Direction; scaled to unit length.
        axis: [f64; 3],
    },
    /// Rotation about `axis` with a proportional advance along it: one angle.
    Screw {
        /// Direction; scaled to unit length.
        axis: [f64; 3],
        /// Advance per radian.
        pitch: f64,
    },
    /// Rotation about `axes[0]`, then about `axes[1]` turned by it: two angles.
    Universal {
        /// Directions; scaled to unit length.
        axes: [[f64; 3]; 2],
    },
    /// Rotation about and translation along `axis`: angle, displacement.
    Cylindrical {
        /// Direction; scaled to unit length.
        axis: [f64; 3],
    },
    /// Translation in the plane across `normal`, rotation about it: two displacements along
    /// [`plane_axes`](HingeKind::plane_axes) of `O⁺`, then the angle.
    Planar {
        /// Direction; scaled to unit length.
        normal: [f64; 3],
    },
    /// Any rotation: unit quaternion `(x, y, z, w)`; speeds are the relative angular velocity in `O` axes.
    Spherical,
    /// Any motion: unit quaternion `(x, y, z, w)`, then position in `O⁺` axes; speeds are the angular
    /// velocity and the velocity of `O`, both in `O` axes.
    Free,
}

impl HingeKind {
    /// Numbers of coordinates and of speeds.
    pub fn sizes(&self) -> (usize, usize) {
        match self {
            Self::Fixed => (0, 0),
            Self::Revolute { .. } | Self::Prismatic { .. } | Self::Screw { .. } => (1, 1),
            Self::Universal { .. } | Self::Cylindrical { .. } => (2, 2),
            Self::Planar { .. } => (3, 3),
            Self::Spherical => (4, 3),
            Self::Free => (7, 6),
        }
    }

    /// The two unit directions, across a unit `normal`, in which a planar hinge translates: the
    /// first is the coordinate axis least aligned with the normal, made perpendicular to it, the second completes
    /// the right-handed triad (for `normal = z` they are `x` and `y`).
    pub fn plane_axes(normal: [f64; 3]) -> [[f64; 3]; 2] {
        let least = (0..3).min_by(|&i, &j| normal[i].abs().total_cmp(&normal[j].abs())).unwrap_or(0);
        let mut first = [0.0; 3];
        first[least] = 1.0;
        let along = normal[least];
        for i in 0..3 {
            first[i] -= along * normal[i];
        }
        let length = first.iter().map(|x| x * x).sum::<f64>().sqrt();
        let first = first.map(|x| x / length);
        let [a, b, c] = normal;
        let [x, y, z] = first;
        [first, [b * z - c * y, c * x - a * z, a * y - b * x]]
    }
}

/// A hinge between a node of the parent and a node of the body.
#[derive(Clone, Debug, PartialEq)]
pub struct Hinge {
    /// Optional name, unique in the system.
    pub name: Option<String>,
    /// The relative motion it allows.
    pub kind: HingeKind,
    /// Origin of `O⁺` from the parent's node, in the node's axes.
    pub position: [f64; 3],
    /// Axes of `O⁺` as columns in the node's axes; a rotation matrix.
    pub rotation: [[f64; 3]; 3],
    /// Inertia of the drive as seen at each speed, `n² J` for a rotor of inertia `J` behind a gear of ratio `n`; empty without one.
    ///
    /// It resists the relative motion alone: the gyroscopic moments of the rotor, smaller by the gear ratio, are left out.
    pub rotor_inertia: Vec<f64>,
}

impl Hinge {
    /// A hinge right at the parent's node, with its axes.
    pub fn new(kind: HingeKind) -> Self {
        let rotation = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        Self { name: None, kind, position: [0.0; 3], rotation, rotor_inertia: Vec::new() }
    }

    /// The same hinge with the origin of `O⁺` at `position`.
    pub fn at(self, position: [f64; 3]) -> Self {
        Self { position, ..self }
    }

    /// The same hinge with a drive: inertia as seen at each speed.
    pub fn driven(self, rotor_inertia: impl Into<Vec<f64>>) -> Self {
        Self { rotor_inertia: rotor_inertia.into(), ..self }
    }

    /// The same hinge with the axes of `O⁺` turned.
    pub fn turned(self, rotation: [[f64; 3]; 3]) -> Self {
        Self { rotation, ..self }
    }
}

/// What carries a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Parent {
    /// Inertial space, at its origin.
    #[default]
    Ground,
    /// A node of an earlier body.
    Body(BodyIndex, NodeIndex),
}

/// A rigid or flexible body with the hinge that carries it.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Name, unique in the system.
    pub name: String,
    /// Where its hinge sits.
    pub parent: Parent,
    /// The hinge.
    pub hinge: Hinge,
    /// The body's own node at the hinge: frame `O` sits there with the node's axes.
    pub inboard_node: NodeIndex,
    /// Nodes.
    pub nodes: Vec<Node>,
    /// Modes; `count` 0 for a rigid body.
    pub modes: Modes,
    /// Inertia beside that of the nodes, as tables of modal integrals.
    pub modal_inertia: Option<ModalInertia>,
}

impl Body {
    /// A body without nodes or modes yet, carried by `hinge` on `parent`.
    pub fn new(name: impl Into<String>, parent: Parent, hinge: Hinge) -> Self {
        Self {
            name: name.into(),
            parent,
            hinge,
            inboard_node: NodeIndex(0),
            nodes: Vec::new(),
            modes: Modes::default(),
            modal_inertia: None,
        }
    }

    /// The same body with one more node.
    pub fn with_node(mut self, node: Node) -> Self {
        self.nodes.push(node);
        self
    }

    /// The same body with these modes.
    pub fn with_modes(mut self, modes: Modes) -> Self {
        self.modes = modes;
        self
    }

    /// The same body with inertia given by tables.
    pub fn with_modal_inertia(mut self, inertia: ModalInertia) -> Self {
        self.modal_inertia = Some(inertia);
        self
    }

    /// A rigid body of given mass, mass centre and inertia about `F_k`, with its hinge at `F_k`.
    pub fn rigid(
        name: impl Into<String>,
        parent: Parent,
        hinge: Hinge,
        mass: f64,
        mass_centre: [f64; 3],
        inertia: [[f64; 3]; 3],
    ) -> Self {
        Self::new(name, parent, hinge).with_node(Node { mass, mass_centre, inertia, ..Node::default() })
    }
}

/// A whole system, as told.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct System {
    /// Gravitational acceleration in inertial axes.
    pub gravity: [f64; 3],
    /// Elastic rotation of hinge-carrying nodes.
    pub elastic_rotation: ElasticRotation,
    /// Equations of nodal inertias.
    pub inertia: InertiaConvention,
    /// Bodies, parents first.
    pub bodies: Vec<Body>,
    /// Force elements: springs, dampers, fields.
    pub forces: Vec<ForceElement>,
    /// Motors.
    pub actuators: Vec<Actuator>,
    /// Constraints that close loops.
    pub closures: Vec<Closure>,
    /// Names of bodies whose inertia is taken as it is, although no mass distribution has it: negative principal moments, or a broken triangle rule.
    pub accepted_inertia: Vec<String>,
}
