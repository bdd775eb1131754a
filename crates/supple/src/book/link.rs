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
//! Book has them halved and doubles his traces; here neither is done. A node of mass `m`, mass centre `p` and inertia `J` is
//! a rigid appendage that turns as the link transformation says: its particles, at `s` from the node, move by
//! `u_k = γ_k + λ_k × s`. With `Σ = ∫ s sᵀ dm = ½ tr J I - J` the integrals follow without the particles.

use super::transformation::{Lower, Moments, Rows};
use crate::model::Model;
use crate::model::hinge::HingeMotion;
use crate::model::node::NodeData;
use supple_spatial::{Matrix3, RigidInertia, Scalar, Symmetric3, Vector3};

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
    /// Frame of the body to frame of the link: its rotation, transposed.
    pub axes: Matrix3<T>,
    /// Origin of the frame of the link in the frame of the body.
    pub origin: Vector3<T>,
}

impl<T> Link<T> {
    /// Number of modes.
    pub fn mode_count(&self) -> usize {
        self.coupling.len()
    }
}

/// `Ŵ₀`, the axes of the first hinge in inertial space, and all links. The model has been checked.
pub(super) fn links(model: &Model) -> (Lower<f64>, Box<[Link<f64>]>) {
    let axes: Vec<Matrix3<f64>> = model.bodies.iter().map(|b| aligned(&b.hinge.motion)).collect();
    // Axes of a hinge as its carrier has them: x, then A Z.
    let mount = |k: usize| {
        let hinge = &model.bodies[k].hinge;
        Lower { position: hinge.position, axes: hinge.rotation * axes[k] }
    };
    let link = |k: usize| {
        let (body, data) = (&model.topology.bodies[k], &model.bodies[k]);
        let (to_link, origin) = (axes[k].transpose(), data.nodes[body.inboard_node].position);
        let carrier = model.topology.carriers[body.carriers.clone()].first().map(|c| &data.nodes[c.node]);
        let mut link = Link {
            next: None,
            modes: Box::default(),
            inertia: rigid_moments(&data.inertia, origin, &to_link),
            coupling: Box::default(),
            modal: Box::default(),
            axes: axes[k],
            origin,
        };
        if let Some(node) = carrier {
            let mount = mount(k + 1);
            let carried = Lower { position: to_link * mount.position, axes: to_link * mount.axes };
            // Where no mode moves the node, the mount starts from F.
            let place = if node.influence.is_empty() { Vector3::ZERO } else { node.position };
            link.next = Some(Lower { position: carried.position + to_link * (place - origin), ..carried });
            // [γ; λ̃] of the node times the mount                                   [B83 (7)]
            let column = |r: usize| {
                let (gamma, lambda) = (to_link * node.influence[r].linear, to_link * node.influence[r].angular);
                Lower {
                    position: gamma + lambda.cross(carried.position),
                    axes: Matrix3::skew_mul(lambda, &carried.axes),
                }
            };
            link.modes = (0..node.influence.len()).map(column).collect();
        }
        if body.modes > 0 {
            let nodes: Vec<Appendage> =
                data.nodes.iter().filter_map(|n| Appendage::new(n, body.modes, origin, &to_link)).collect();
            link.coupling = (0..body.modes).map(|k| sum_rows(nodes.iter().map(|n| n.coupling(k)))).collect();
            let pairs = (0..body.modes).flat_map(|k| (0..body.modes).map(move |l| (k, l)));
            let sum = |(k, l)| nodes.iter().fold(Matrix3::ZERO, |sum, n| sum + n.modal(k, l));
            link.modal = pairs.map(sum).collect();
        }
        link
    };
    (mount(0), (0..model.bodies.len()).map(link).collect())
}

/// Axes whose third is that of the hinge, as columns.
fn aligned(motion: &HingeMotion<f64>) -> Matrix3<f64> {
    let HingeMotion::Revolute(z) = *motion else { return Matrix3::IDENTITY };
    let least = (0..3).min_by(|&i, &j| z[i].abs().total_cmp(&z[j].abs())).unwrap_or(0);
    let across = z.cross(Matrix3::IDENTITY.row(least));
    let x = across * (1.0 / across.norm_squared().sqrt());
    Matrix3::from_columns(x, z.cross(x), z)
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
    fn new(node: &NodeData<f64>, modes: usize, origin: Vector3<f64>, to_link: &Matrix3<f64>) -> Option<Self> {
        if node.influence.is_empty() || (node.inertia.mass == 0.0 && node.inertia.inertia == Symmetric3::ZERO) {
            return None;
        }
        Some(Self {
            mass: node.inertia.mass,
            moment: *to_link * node.inertia.moment,
            second: second_moments(&node.inertia.inertia).congruence(to_link),
            position: *to_link * (node.position - origin),
            slopes: node.influence[..modes].iter().map(|i| *to_link * i.angular).collect(),
            shifts: node.influence[..modes].iter().map(|i| *to_link * i.linear).collect(),
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
    /// The same constants in another scalar.
    pub fn cast<U: Scalar>(&self) -> Link<U> {
        Link {
            next: self.next.map(|next| next.cast()),
            modes: self.modes.iter().map(Lower::cast).collect(),
            inertia: self.inertia.cast(),
            coupling: self.coupling.iter().map(|rows| rows.map(|row| Vector3::from_f64(row.0))).collect(),
            modal: self.modal.iter().map(|c| Matrix3::from_f64(c.0)).collect(),
            axes: Matrix3::from_f64(self.axes.0),
            origin: Vector3::from_f64(self.origin.0),
        }
    }
}
