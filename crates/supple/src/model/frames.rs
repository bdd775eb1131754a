//! Axes in which the model keeps each body: those of the description, turned where that makes the only axis of its hinge a
//! coordinate axis, so that every hinge with one axis costs what a coordinate axis costs.
//!
//! ```text
//! Q        components in the described axes of a body to components in the model's axes
//! x → Q x,   J → Q J Q*,   [λ; γ] → [Q λ; Q γ]       of all that belongs to the body
//! A → Q_p A Q_k*                                      mount of a hinge between bodies p and k
//! ```
//!
//! Origins stay. Bodies whose axes stay are kept bit for bit. All that a user gives or gets in body axes passes [`BodyAxes`].

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use super::cast::Cast;
use super::closure::Constraint;
use super::description::{Body, ElasticRotation, HingeKind, Node, Parent, System};
use super::modal_inertia::ModalInertia;
use super::{BodyIndex, Model, NodeIndex};
use std::borrow::Cow;
use supple_spatial::{Force, Matrix3, Quaternion, Scalar, Symmetric3, Vector3};

/// From the described axes of a body to those of the model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyAxes<T> {
    /// Whether the two differ.
    pub turned: bool,
    /// `Q`.
    pub rotation: Matrix3<T>,
}

impl<T: Scalar> BodyAxes<T> {
    /// `f` of a user, in the model's axes.
    #[inline(always)]
    pub fn force_from_user(&self, f: Force<T>) -> Force<T> {
        if self.turned { f.rotate(&self.rotation) } else { f }
    }

    /// `f` of the model, in the user's axes.
    #[inline(always)]
    pub fn force_to_user(&self, f: Force<T>) -> Force<T> {
        if self.turned { f.rotate_back(&self.rotation) } else { f }
    }

    /// `v` of the model, in the user's axes.
    #[inline(always)]
    pub fn vector_to_user(&self, v: Vector3<T>) -> Vector3<T> {
        if self.turned { self.rotation.transpose_mul(v) } else { v }
    }

    /// `R Q`: what takes the model's axes somewhere, from the user's axes.
    #[inline(always)]
    pub fn attitude_to_user(&self, R: Matrix3<T>) -> Matrix3<T> {
        if self.turned { R * self.rotation } else { R }
    }

    /// `Q q Q*`: a rotation of a user, in the model's axes.
    #[inline(always)]
    pub fn rotation_from_user(&self, q: Quaternion<T>) -> Quaternion<T> {
        if !self.turned {
            return q;
        }
        let [x, y, z] = (self.rotation * q.vector()).0;
        Quaternion([x, y, z, q.scalar()])
    }
}

impl<T: Scalar> Model<T> {
    /// `λ(η) η̇ = λ η̇ + Σ λ_k ȧ_k` of a node, in the user's axes.
    pub(crate) fn elastic_spin(&self, body: BodyIndex, node: NodeIndex, eta: &[T], eta_dot: &[T]) -> Vector3<T> {
        let data = &self.bodies[body.0];
        let spin = data.slopes(node, eta_dot, |B| B.form(eta, eta_dot));
        data.axes.vector_to_user(spin)
    }

    /// `θ = λ η + Σ λ_k a_k` of a node, in the user's axes.
    pub(crate) fn elastic_slopes(&self, body: BodyIndex, node: NodeIndex, eta: &[T]) -> Vector3<T> {
        let data = &self.bodies[body.0];
        let slopes = data.slopes(node, eta, |B| B.form(eta, eta) * T::from_f64(0.5));
        data.axes.vector_to_user(slopes)
    }
}

impl<U: Scalar> Cast<U> for BodyAxes<f64> {
    type Output = BodyAxes<U>;
    fn cast(&self) -> BodyAxes<U> {
        BodyAxes { turned: self.turned, rotation: self.rotation.cast() }
    }
}

/// The system with the axes of its bodies turned, and `Q` of every body.
pub(super) fn turned(system: &System) -> (Cow<'_, System>, Vec<BodyAxes<f64>>) {
    let stays = BodyAxes { turned: false, rotation: Matrix3::IDENTITY };
    let axes: Vec<_> = system
        .bodies
        .iter()
        .map(|body| turn(system, body).map_or(stays, |rotation| BodyAxes { turned: true, rotation }))
        .collect();
    if axes.iter().all(|axes| !axes.turned) {
        return (Cow::Borrowed(system), axes);
    }
    let mut system = system.clone();
    for (body, own) in system.bodies.iter_mut().zip(&axes) {
        if let Parent::Body(p, _) = body.parent
            && axes[p.0].turned
        {
            let Q = &axes[p.0].rotation;
            body.hinge.position = (*Q * Vector3(body.hinge.position)).0;
            body.hinge.rotation = (*Q * Matrix3(body.hinge.rotation)).0;
        }
        if own.turned {
            express(body, &own.rotation);
        }
    }
    for closure in &mut system.closures {
        let Constraint::Joint { a, b, .. } = &mut closure.constraint else { continue };
        for mount in [a, b] {
            if let Parent::Body(p, _) = mount.parent
                && axes[p.0].turned
            {
                let Q = &axes[p.0].rotation;
                mount.position = (*Q * Vector3(mount.position)).0;
                mount.rotation = (*Q * Matrix3(mount.rotation)).0;
            }
        }
    }
    (Cow::Owned(system), axes)
}

/// `Q` of a body whose axes are to be turned.
fn turn(system: &System, body: &Body) -> Option<Matrix3<f64>> {
    let (HingeKind::Revolute { axis } | HingeKind::Prismatic { axis }) = body.hinge.kind else { return None };
    // Angles about the axes of a frame are those of this frame alone.
    let euler = matches!(system.elastic_rotation, ElasticRotation::Euler321 | ElasticRotation::Euler123);
    let turns = || body.nodes.iter().any(|node| node.influence.iter().any(|column| column[..3] != [0.0; 3]));
    if !super::builder::hinge_at_origin(body) || (euler && turns()) {
        return None;
    }
    onto_axis(axis).map(|(_, Q)| Q)
}

/// The coordinate axis nearest to a direction and the shortest turn that takes the direction onto it; nothing where it is that already.
fn onto_axis(direction: [f64; 3]) -> Option<(usize, Matrix3<f64>)> {
    let largest = (0..3).max_by(|&i, &j| direction[i].abs().total_cmp(&direction[j].abs())).unwrap_or(0);
    let others = [(largest + 1) % 3, (largest + 2) % 3];
    // Half a turn about the next axis first, where the direction points the other way: an exact matrix.
    let mut half = Matrix3::IDENTITY;
    if direction[largest] < 0.0 {
        (half.0[largest][largest], half.0[others[1]][others[1]]) = (-1.0, -1.0);
    } else if others.iter().all(|&i| direction[i] == 0.0) {
        return None;
    }
    let a = half * Vector3(direction);
    let a = a * (1.0 / a.norm_squared().sqrt());
    // 1 + ṽ + ṽ ṽ / (1 + c) with v = a × e, c = a · e
    let v = Matrix3::skew(a.cross(Matrix3::IDENTITY.row(largest)));
    Some((largest, (Matrix3::IDENTITY + v + (v * v) * (1.0 / (1.0 + a[largest]))) * half))
}

/// A body in axes turned by `Q`, its hinge included.
fn express(body: &mut Body, Q: &Matrix3<f64>) {
    if let HingeKind::Revolute { axis } | HingeKind::Prismatic { axis } = &mut body.hinge.kind
        && let Some((i, _)) = onto_axis(*axis)
    {
        *axis = Matrix3::IDENTITY.row(i).0;
    }
    body.hinge.rotation = (Matrix3(body.hinge.rotation) * Q.transpose()).0;
    body.nodes.iter_mut().for_each(|node| express_node(node, Q));
    if let Some(tables) = &mut body.modal_inertia {
        express_tables(tables, Q);
    }
}

fn express_node(node: &mut Node, Q: &Matrix3<f64>) {
    let Node { position, mass_centre, inertia, influence, .. } = node;
    turn_vector(position, Q);
    turn_vector(mass_centre, Q);
    turn_matrix(inertia, Q);
    influence.iter_mut().for_each(|column| turn_pair(column, Q));
}

fn express_tables(tables: &mut ModalInertia, Q: &Matrix3<f64>) {
    turn_vector(&mut tables.mass_moment, Q);
    turn_matrix(&mut tables.inertia, Q);
    tables.moment_change.iter_mut().for_each(|v| turn_vector(v, Q));
    tables.coupling.iter_mut().for_each(|column| turn_pair(column, Q));
    tables.coupling_change.iter_mut().flatten().for_each(|v| turn_vector(v, Q));
    tables.inertia_first.iter_mut().for_each(|m| turn_matrix(m, Q));
    tables.inertia_second.iter_mut().flatten().for_each(|m| turn_matrix(m, Q));
}

fn turn_vector(v: &mut [f64; 3], Q: &Matrix3<f64>) {
    *v = (*Q * Vector3(*v)).0;
}

/// `[λ; γ]`, or a moment and a force.
fn turn_pair(column: &mut [f64; 6], Q: &Matrix3<f64>) {
    *column = Force::from_array(*column).rotate(Q).to_array();
}

fn turn_matrix(m: &mut [[f64; 3]; 3], Q: &Matrix3<f64>) {
    *m = Symmetric3::from_f64(*m).congruence(Q).to_matrix().0;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_turn_onto_the_nearest_axis() {
        for axis in
            [[0.0, 0.0, -2.0], [0.0, -1.0, 0.0], [-3.0, 0.0, 0.0], [0.6, 0.0, 0.8], [-0.5, 0.7, 0.1], [1.0, -1.0, -1.0]]
        {
            let (i, Q) = onto_axis(axis).unwrap();
            let a = Q * Vector3(axis);
            let length = Vector3(axis).norm_squared().sqrt();
            assert!((a - Matrix3::IDENTITY.row(i) * length).norm_squared().sqrt() < 1e-15 * length, "{axis:?} {a:?}");
            let error = Q * Q.transpose() - Matrix3::IDENTITY;
            assert!(error.0.iter().flatten().all(|x| x.abs() < 1e-15), "{axis:?} {error:?}");
            assert!(Q.column(0).cross(Q.column(1)).dot(Q.column(2)) > 0.0, "{axis:?}");
        }
        for axis in [[1.0, 0.0, 0.0], [0.0, 0.3, 0.0], [0.0, 0.0, 7.0]] {
            assert!(onto_axis(axis).is_none());
        }
    }

    /// An axis of the other sense takes a matrix of signs: no number is rounded.
    #[test]
    fn half_turns_are_exact() {
        let (_, Q) = onto_axis([0.0, -1.0, 0.0]).unwrap();
        assert!(Q.0.iter().flatten().all(|x| [0.0, 1.0, -1.0].contains(x)), "{Q:?}");
    }
}
