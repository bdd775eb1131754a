//! Constants of a link: where its next hinge is, and its inertia as integrals over its mass.
//!
//! The frame of a link has its origin at the hinge of the link and `z` along the axis of that hinge, so that the joint
//! transformation `A` is a turn about `z`. What lies between the node that carries the next hinge and that hinge's own axes is
//! constant and multiplied into `H` and `M_k` once.
//!
//! ```text
//! E    = H + Σ δ_k M_k                                              [B83 (5)]
//! C    = ∫ [1 x]ᵀ [1 x] dm                                          [B83 (30)]
//! C_k  = ∫ [1 x]ᵀ [0 u_k] dm,  its first row ε_k                    [B83 (28), (52)]
//! C_kl = ∫ [0 u_k]ᵀ [0 u_l] dm                                      [B83 (25)]
//! ```
//!
//! Where inertia is given as tables, these are taken from them ([`tables`]). Book has them halved and doubles his traces; here neither is done. A node of mass `m`, mass centre `p` and inertia `J` is
//! a rigid appendage that turns as the link transformation says: its particles, at `s` from the node, move by
//! `u_k = γ_k + λ_k × s`. With `Σ = ∫ s sᵀ dm = ½ tr J I - J` the integrals follow without the particles.

use std::ops::Range;

use super::modal_matrix::SymmetricMatrix;
use super::tables;
use super::transformation::{Lower, Moments, Rows};
use supple::spatial::{Matrix3, Motion, RigidInertia, Scalar, Symmetric3, Vector3};
use supple::{Body, BodyIndex, HingeKind, ModalInertia, Model, Node, Parent, State, System};

/// Constants of a link.
#[derive(Clone, Debug)]
pub(super) struct Link<T> {
    /// `H`: axes of the next hinge in the frame of the link, undeformed; nothing for the last link.
    pub next: Option<Lower<T>>,
    /// `M_k`; empty where the modes do not move the next hinge.
    pub modes: Box<[Lower<T>]>,
    /// `C`.
    pub inertia: Moments<T>,
    /// `C_k`.
    pub coupling: Box<[Rows<T>]>,
    /// `C_kl`, row `k`, column `l`.
    pub modal: Box<[Matrix3<T>]>,
    /// Whether `C_kl` is anything but zero: orthogonal shapes have few of them.
    pub coupled: Box<[bool]>,
    /// Frame of the body to frame of the link: its rotation, transposed.
    pub axes: Matrix3<T>,
    /// Origin of the frame of the link in the frame of the body.
    pub origin: Vector3<T>,
    /// Nodes of the body, in its frame.
    pub nodes: Box<[LinkNode<T>]>,
    /// Stiffness and damping of the modes.
    pub stiffness: SymmetricMatrix<T>,
    pub damping: SymmetricMatrix<T>,
    /// Inertia of the drive of the hinge, as the hinge feels it; nothing without one.
    pub rotor: Option<T>,
    /// Where its numbers are.
    pub places: Places,
}

/// Places of a link in a state. Hinges are revolute, so that every coordinate has its speed at the same place.
#[derive(Clone, Debug)]
pub(super) struct Places {
    /// Of the hinge.
    pub hinge: usize,
    /// Of the modes.
    pub modes: Range<usize>,
    /// In a list of the modes of all links.
    pub modal: Range<usize>,
}

/// A node of a body.
#[derive(Clone, Debug)]
pub(super) struct LinkNode<T> {
    pub position: Vector3<T>,
    /// `[λ_k; γ_k]`; empty where no mode moves the node.
    pub influence: Box<[Motion<T>]>,
}

impl<T> Link<T> {
    /// `δ` and `δ̇` in a state.
    pub fn deflections<'s>(&self, state: &'s State<T>) -> (&'s [T], &'s [T]) {
        (&state.coordinates[self.places.modes.clone()], &state.speeds[self.places.modes.clone()])
    }

    /// Number of modes.
    pub fn mode_count(&self) -> usize {
        self.coupling.len()
    }
}

/// `Ŵ₀`, the axes of the first hinge in inertial space, and all links. The system has been checked, and `model` is built from it.
pub(super) fn links(system: &System, model: &Model) -> (Lower<f64>, Box<[Link<f64>]>) {
    let bodies = &system.bodies;
    let axes: Vec<Matrix3<f64>> = bodies.iter().map(|body| aligned(&body.hinge.kind)).collect();
    // Axes of a hinge as the node that carries it has them: x, then A Z.
    let mount = |k: usize| {
        let hinge = &bodies[k].hinge;
        Lower { position: Vector3(hinge.position), axes: Matrix3(hinge.rotation) * axes[k] }
    };
    let mut modal = 0;
    let link = |k: usize| {
        let (body, modes) = (&bodies[k], bodies[k].modes.count);
        let (to_link, origin) = (axes[k].transpose(), Vector3(body.nodes[body.inboard_node.0].position));
        let mut link = Link {
            next: None,
            modes: Box::default(),
            inertia: rigid_moments(&undeformed_inertia(body), origin, &to_link),
            coupling: Box::default(),
            modal: Box::default(),
            coupled: Box::default(),
            axes: axes[k],
            origin,
            nodes: body.nodes.iter().map(|node| LinkNode::new(node, modes)).collect(),
            stiffness: SymmetricMatrix::new(&body.modes.stiffness, modes),
            damping: SymmetricMatrix::new(&body.modes.damping, modes),
            rotor: rotor(system, k),
            places: Places {
                hinge: model.hinge_speeds(BodyIndex(k)).start,
                modes: model.modal_speeds(BodyIndex(k)),
                modal: modal..modal + modes,
            },
        };
        modal += modes;
        if let Some(Parent::Body(_, carrier)) = bodies.get(k + 1).map(|next| next.parent) {
            let (mount, node) = (mount(k + 1), &link.nodes[carrier.0]);
            let carried = Lower { position: to_link * mount.position, axes: to_link * mount.axes };
            link.next = Some(Lower { position: carried.position + to_link * (node.position - origin), ..carried });
            // [γ; λ̃] of the node times the mount                                   [B83 (7)]
            let column = |shape: &Motion<f64>| {
                let (gamma, lambda) = (to_link * shape.linear, to_link * shape.angular);
                Lower {
                    position: gamma + lambda.cross(carried.position),
                    axes: Matrix3::skew_mul(lambda, &carried.axes),
                }
            };
            link.modes = node.influence.iter().map(column).collect();
        }
        if modes > 0 {
            let nodes = body.nodes.iter().zip(&link.nodes);
            let nodes: Vec<Appendage> =
                nodes.filter_map(|(told, node)| Appendage::new(told, node, origin, &to_link)).collect();
            let given = body.modal_inertia.as_ref();
            let coupling = |k: usize| {
                let of_tables = given.map(|tables| tables::coupling(tables, k, origin, &to_link));
                sum_rows(nodes.iter().map(|n| n.coupling(k)).chain(of_tables))
            };
            link.coupling = (0..modes).map(coupling).collect();
            let pairs = (0..modes).flat_map(|k| (0..modes).map(move |l| (k, l)));
            let sum = |(k, l)| {
                let start = given.map_or(Matrix3::ZERO, |tables| tables::modal(tables, k, l, &to_link));
                nodes.iter().fold(start, |sum, n| sum + n.modal(k, l))
            };
            link.modal = pairs.map(sum).collect();
            link.clear_rounding();
        }
        link
    };
    let links = (0..bodies.len()).map(link).collect();
    (mount(0), links)
}

/// Axes whose third is that of the hinge, as columns.
fn aligned(kind: &HingeKind) -> Matrix3<f64> {
    let HingeKind::Revolute { axis } = *kind else { return Matrix3::IDENTITY };
    let z = unit(Vector3(axis));
    let least = (0..3).min_by(|&i, &j| z[i].abs().total_cmp(&z[j].abs())).unwrap_or(0);
    let x = unit(z.cross(Matrix3::IDENTITY.row(least)));
    Matrix3::from_columns(x, z.cross(x), z)
}

fn unit(v: Vector3<f64>) -> Vector3<f64> {
    v * (1.0 / v.norm_squared().sqrt())
}

/// Inertia of the drive of a hinge, with the rotors of all motors that turn it.
fn rotor(system: &System, body: usize) -> Option<f64> {
    let motors = system.actuators.iter().filter(|motor| motor.body.0 == body).map(|motor| motor.reflected_inertia());
    let own = system.bodies[body].hinge.rotor_inertia.first().copied();
    own.into_iter().chain(motors.filter(|inertia| *inertia != 0.0)).reduce(|sum, inertia| sum + inertia)
}

/// Inertia of the undeformed body about its frame: of its nodes, and of the tables that a rigid body may have.
fn undeformed_inertia(body: &Body) -> RigidInertia<f64> {
    let ModalInertia { mass, mass_moment, inertia, .. } = ModalInertia::of(body);
    RigidInertia { mass, moment: Vector3(mass_moment), inertia: Symmetric3::from_f64(inertia) }
}

impl LinkNode<f64> {
    fn new(node: &Node, modes: usize) -> Self {
        let columns = || node.influence[..modes].iter().map(|column| Motion::from_array(*column)).collect();
        let influence = if moves(node) { columns() } else { Box::default() };
        Self { position: Vector3(node.position), influence }
    }

    fn cast<U: Scalar>(&self) -> LinkNode<U> {
        let influence = self.influence.iter().map(|column| Motion::from_f64(column.to_array())).collect();
        LinkNode { position: Vector3::from_f64(self.position.0), influence }
    }
}

/// Whether some mode moves or turns a node.
pub(super) fn moves(node: &Node) -> bool {
    node.influence.iter().any(|column| *column != [0.0; 6])
}

/// `∫ s sᵀ dm` from an inertia.
fn second_moments(inertia: &Symmetric3<f64>) -> Matrix3<f64> {
    let [xx, yy, zz, ..] = inertia.0;
    Matrix3::IDENTITY * (0.5 * (xx + yy + zz)) - inertia.to_matrix()
}

/// Moments about `origin`, in the axes of the link, of a body whose inertia is about its own frame.
fn rigid_moments(body: &RigidInertia<f64>, origin: Vector3<f64>, to_link: &Matrix3<f64>) -> Moments<f64> {
    let shift = Matrix3::outer(origin, body.moment);
    let second = second_moments(&body.inertia) - shift - shift.transpose() + Matrix3::outer(origin, origin) * body.mass;
    Moments {
        mass: body.mass,
        first: *to_link * (body.moment - origin * body.mass),
        second: second.congruence(to_link).symmetric_part(),
    }
}

/// A node with inertia, in the frame of its link.
struct Appendage {
    mass: f64,
    /// Mass times offset of its mass centre.
    moment: Vector3<f64>,
    /// `∫ s sᵀ dm`.
    second: Matrix3<f64>,
    position: Vector3<f64>,
    /// `λ_k`, `γ_k`.
    slopes: Vec<Vector3<f64>>,
    shifts: Vec<Vector3<f64>>,
}

impl Appendage {
    /// Of a node that has inertia and that modes move.
    fn new(told: &Node, node: &LinkNode<f64>, origin: Vector3<f64>, to_link: &Matrix3<f64>) -> Option<Self> {
        let inertia = Symmetric3::from_f64(told.inertia);
        if node.influence.is_empty() || (told.mass == 0.0 && inertia == Symmetric3::ZERO) {
            return None;
        }
        Some(Self {
            mass: told.mass,
            moment: *to_link * (Vector3(told.mass_centre) * told.mass),
            second: second_moments(&inertia).congruence(to_link),
            position: *to_link * (node.position - origin),
            slopes: node.influence.iter().map(|i| *to_link * i.angular).collect(),
            shifts: node.influence.iter().map(|i| *to_link * i.linear).collect(),
        })
    }

    /// `∫ u_k dm`.
    fn momentum(&self, k: usize) -> Vector3<f64> {
        self.shifts[k] * self.mass + self.slopes[k].cross(self.moment)
    }

    /// `∫ [1 l + s]ᵀ [0 u_k] dm`.
    fn coupling(&self, k: usize) -> Rows<f64> {
        let momentum = self.momentum(k);
        let turned = self.second * Matrix3::skew(self.slopes[k]).transpose();
        let lower = Matrix3::outer(self.position, momentum) + Matrix3::outer(self.moment, self.shifts[k]) + turned;
        [momentum, lower.row(0), lower.row(1), lower.row(2)]
    }

    /// `∫ u_kᵀ u_l dm`.
    fn modal(&self, k: usize, l: usize) -> Matrix3<f64> {
        let turned = Matrix3::skew(self.slopes[k]) * self.second * Matrix3::skew(self.slopes[l]).transpose();
        Matrix3::outer(self.momentum(k), self.shifts[l])
            + Matrix3::outer(self.shifts[k], self.slopes[l].cross(self.moment))
            + turned
    }
}

fn sum_rows(rows: impl Iterator<Item = Rows<f64>>) -> Rows<f64> {
    rows.fold([Vector3::ZERO; 4], |sum, rows| std::array::from_fn(|i| sum[i] + rows[i]))
}

impl Link<f64> {
    /// Pairs of shapes that are orthogonal but for rounding have no integral.
    fn clear_rounding(&mut self) {
        let n = self.mode_count();
        let trace = |m: &Matrix3<f64>| m.0[0][0] + m.0[1][1] + m.0[2][2];
        let own: Vec<f64> = (0..n).map(|k| trace(&self.modal[k * n + k])).collect();
        for (at, pair) in self.modal.iter_mut().enumerate() {
            let small = 1e-13 * (own[at / n] * own[at % n]).sqrt();
            if pair.0.as_flattened().iter().all(|x| x.abs() <= small) {
                *pair = Matrix3::ZERO;
            }
        }
        self.coupled = self.modal.iter().map(|pair| *pair != Matrix3::ZERO).collect();
    }

    /// The same constants in another scalar.
    pub fn cast<U: Scalar>(&self) -> Link<U> {
        Link {
            next: self.next.map(|next| next.cast()),
            modes: self.modes.iter().map(Lower::cast).collect(),
            inertia: self.inertia.cast(),
            coupling: self.coupling.iter().map(|rows| rows.map(|row| Vector3::from_f64(row.0))).collect(),
            modal: self.modal.iter().map(|c| Matrix3::from_f64(c.0)).collect(),
            coupled: self.coupled.clone(),
            axes: Matrix3::from_f64(self.axes.0),
            origin: Vector3::from_f64(self.origin.0),
            nodes: self.nodes.iter().map(LinkNode::cast).collect(),
            stiffness: self.stiffness.cast(),
            damping: self.damping.cast(),
            rotor: self.rotor.map(U::from_f64),
            places: self.places.clone(),
        }
    }
}
