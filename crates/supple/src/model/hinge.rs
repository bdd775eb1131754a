//! Kinematics of each hinge: rotation, displacement, joint map and its bias.

use super::cast::Cast;
use super::description::{Hinge, HingeKind};
use supple_spatial::rotation::{about_axis, rotation_vector};
use supple_spatial::{Matrix3, Motion, Quaternion, Scalar, Vector3};

/// Relative motion with its constant directions. `O⁺` is fixed to the parent's node, `O` to the body's.
#[derive(Clone, Copy, Debug)]
pub(crate) enum HingeMotion<T> {
    Fixed,
    Revolute(Vector3<T>),
    Prismatic(Vector3<T>),
    Screw(Vector3<T>, T),
    Universal(Vector3<T>, Vector3<T>),
    Cylindrical(Vector3<T>),
    Planar([Vector3<T>; 3]),
    Spherical,
    Free,
}

/// Joint maps that are unit vectors of the hinge's own frame: one axis, or all three of a ball.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HingeAxis {
    /// Any other hinge.
    Other,
    Ball,
    TurnX,
    TurnY,
    TurnZ,
    SlideX,
    SlideY,
    SlideZ,
}

impl HingeAxis {
    /// Whether it is one axis.
    pub fn is_single(self) -> bool {
        !matches!(self, Self::Other | Self::Ball)
    }

    /// About the axis, not along it.
    #[inline(always)]
    pub fn turns(self) -> bool {
        matches!(self, Self::TurnX | Self::TurnY | Self::TurnZ)
    }

    /// Of a hinge whose description has been checked. The inertia of a drive of several speeds asks for the general recursion.
    pub fn of(hinge: &Hinge) -> Self {
        let along = |axis: [f64; 3], kinds: [Self; 3]| {
            let only = |i: usize| (0..3).all(|j| if i == j { axis[j] > 0.0 } else { axis[j] == 0.0 });
            (0..3).find(|&i| only(i)).map_or(Self::Other, |i| kinds[i])
        };
        match hinge.kind {
            HingeKind::Spherical if hinge.rotor_inertia.is_empty() => Self::Ball,
            HingeKind::Revolute { axis } => along(axis, [Self::TurnX, Self::TurnY, Self::TurnZ]),
            HingeKind::Prismatic { axis } => along(axis, [Self::SlideX, Self::SlideY, Self::SlideZ]),
            _ => Self::Other,
        }
    }
}

/// Constants of a hinge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HingeData<T> {
    /// Allowed motion.
    pub motion: HingeMotion<T>,
    /// Origin of `O⁺` from the parent's carrier: the node, or `F_p` where no mode moves the node.
    pub position: Vector3<T>,
    /// Axes of `O⁺` in the node's axes.
    pub rotation: Matrix3<T>,
}

/// Where a hinge stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HingePlace<T> {
    /// `R_J`: `O` axes to `O⁺` axes.
    pub rotation: Matrix3<T>,
    /// `d_J`: origin of `O` from that of `O⁺`, in `O⁺` axes.
    pub displacement: Vector3<T>,
}

impl HingeData<f64> {
    /// Constants of a hinge whose description has been checked.
    pub fn new(hinge: &Hinge) -> Self {
        let unit = |v: [f64; 3]| {
            let v = Vector3(v);
            v * (1.0 / v.norm_squared().sqrt())
        };
        let motion = match hinge.kind {
            HingeKind::Fixed => HingeMotion::Fixed,
            HingeKind::Revolute { axis } => HingeMotion::Revolute(unit(axis)),
            HingeKind::Prismatic { axis } => HingeMotion::Prismatic(unit(axis)),
            HingeKind::Screw { axis, pitch } => HingeMotion::Screw(unit(axis), pitch),
            HingeKind::Universal { axes } => HingeMotion::Universal(unit(axes[0]), unit(axes[1])),
            HingeKind::Cylindrical { axis } => HingeMotion::Cylindrical(unit(axis)),
            HingeKind::Planar { normal } => {
                let n = unit(normal);
                let [x, y] = HingeKind::plane_axes(n.0);
                HingeMotion::Planar([Vector3(x), Vector3(y), n])
            }
            HingeKind::Spherical => HingeMotion::Spherical,
            HingeKind::Free => HingeMotion::Free,
        };
        Self { motion, position: Vector3(hinge.position), rotation: Matrix3(hinge.rotation) }
    }
}

impl<T: Scalar> HingeMotion<T> {
    /// `R_J` and `d_J` at the coordinates `theta`.
    #[inline]
    pub fn place(&self, theta: &[T]) -> HingePlace<T> {
        let turn = |a: Vector3<T>, angle: T| {
            let (s, c) = angle.sin_cos();
            about_axis(a, s, c)
        };
        let (rotation, displacement) = match *self {
            Self::Fixed => (Matrix3::IDENTITY, Vector3::ZERO),
            Self::Revolute(a) => (turn(a, theta[0]), Vector3::ZERO),
            Self::Prismatic(a) => (Matrix3::IDENTITY, a * theta[0]),
            Self::Screw(a, pitch) => (turn(a, theta[0]), a * (pitch * theta[0])),
            Self::Universal(a, b) => (turn(a, theta[0]) * turn(b, theta[1]), Vector3::ZERO),
            Self::Cylindrical(a) => (turn(a, theta[0]), a * theta[1]),
            Self::Planar([x, y, n]) => (turn(n, theta[2]), x.scale_add(theta[0], y * theta[1])),
            Self::Spherical => (quaternion(theta).to_matrix(), Vector3::ZERO),
            Self::Free => (quaternion(theta).to_matrix(), Vector3([theta[4], theta[5], theta[6]])),
        };
        HingePlace { rotation, displacement }
    }

    /// Columns of the joint map `H*` of `O` relative to `O⁺`, in `O` axes.
    #[inline]
    pub fn map(&self, theta: &[T], place: &HingePlace<T>, columns: &mut [Motion<T>]) {
        let turn = |a: Vector3<T>| Motion::new(a, Vector3::ZERO);
        let slide = |a: Vector3<T>| Motion::new(Vector3::ZERO, a);
        match *self {
            Self::Fixed => {}
            Self::Revolute(a) => columns[0] = turn(a),
            Self::Prismatic(a) => columns[0] = slide(a),
            Self::Screw(a, pitch) => columns[0] = Motion::new(a, a * pitch),
            Self::Universal(a, b) => {
                let (s, c) = theta[1].sin_cos();
                columns[0] = turn(about_axis(b, s, c).transpose_mul(a));
                columns[1] = turn(b);
            }
            Self::Cylindrical(a) => {
                columns[0] = turn(a);
                columns[1] = slide(a);
            }
            Self::Planar([x, y, n]) => {
                columns[0] = slide(place.rotation.transpose_mul(x));
                columns[1] = slide(place.rotation.transpose_mul(y));
                columns[2] = turn(n);
            }
            Self::Spherical | Self::Free => {
                for (i, column) in columns.iter_mut().enumerate() {
                    let unit = Matrix3::IDENTITY.row(i % 3);
                    *column = if i < 3 { turn(unit) } else { slide(unit) };
                }
            }
        }
    }

    /// What the derivatives of the relative velocity keep at `β̇ = 0`, in `O` axes: the change of
    /// its angular components, and the second derivative of `d_J` seen from `O⁺`.
    /// `columns` are those of [`map`](Self::map), in any axes; the result is in the same.
    #[inline]
    pub fn bias(&self, columns: &[Motion<T>], beta: &[T]) -> Motion<T> {
        match *self {
            // The first axis, seen from O, is turned back by the second rate: (a₁β₁) × (a₂β₂).
            Self::Universal(..) => {
                Motion::new(columns[0].angular.cross(columns[1].angular) * (beta[0] * beta[1]), Vector3::ZERO)
            }
            // d̈_J = R_J (Δω × β_v): the speeds are in O axes.
            Self::Free => {
                let at = |i: usize| columns[i].angular * beta[i];
                let spin = at(0) + at(1) + at(2);
                let along = |i: usize| columns[i].linear * beta[i];
                Motion::new(Vector3::ZERO, spin.cross(along(3) + along(4) + along(5)))
            }
            _ => Motion::ZERO,
        }
    }

    /// Rates of the coordinates for the speeds `beta`.
    pub fn coordinate_rates(&self, theta: &[T], beta: &[T], rates: &mut [T]) {
        match *self {
            Self::Spherical | Self::Free => {
                let w = Vector3([beta[0], beta[1], beta[2]]);
                rates[..4].copy_from_slice(&quaternion(theta).rate_moving(w).0);
                if let Self::Free = self {
                    let v = Vector3([beta[3], beta[4], beta[5]]);
                    rates[4..7].copy_from_slice(&(quaternion(theta).to_matrix() * v).0);
                }
            }
            _ => rates.copy_from_slice(beta),
        }
    }

    /// The displacement, as a speed times a time, of a small change of the coordinates: the inverse of
    /// [`coordinate_rates`](Self::coordinate_rates).
    pub fn displacement(&self, theta: &[T], change: &[T], out: &mut [T]) {
        match *self {
            Self::Spherical | Self::Free => {
                // w = 2 vec(q* ∘ δq)
                let (q, dq) = (quaternion(theta), quaternion(change));
                let turn = q.vector().cross(dq.vector());
                let w = dq.vector() * q.scalar() - q.vector() * dq.scalar() - turn;
                out[..3].copy_from_slice(&(w + w).0);
                if let Self::Free = self {
                    let moved = Vector3([change[4], change[5], change[6]]);
                    out[3..6].copy_from_slice(&q.to_matrix().transpose_mul(moved).0);
                }
            }
            _ => out.copy_from_slice(change),
        }
    }

    /// Coordinates after the time `h` at constant speeds `beta`, exactly: those of a free hinge follow a screw.
    pub fn transport(&self, from: &[T], h: T, beta: &[T], to: &mut [T]) {
        match *self {
            Self::Spherical | Self::Free => {
                let turn = Vector3([beta[0], beta[1], beta[2]]) * h;
                let before = quaternion(from);
                to[..4].copy_from_slice(&before.product(Quaternion::exponential(turn)).0);
                if let Self::Free = self {
                    // ∫ exp(τ ω) v dτ = E v h, with E the rate matrix of the rotation vector
                    let slide = Vector3([beta[3], beta[4], beta[5]]) * h;
                    let moved = before.to_matrix() * (rotation_vector(turn).rate * slide);
                    for i in 0..3 {
                        to[4 + i] = from[4 + i] + moved[i];
                    }
                }
            }
            _ => {
                for (to, (from, beta)) in to.iter_mut().zip(from.iter().zip(beta)) {
                    *to = beta.mul_add(h, *from);
                }
            }
        }
    }

    /// Whether the first four coordinates are a unit quaternion.
    pub fn has_quaternion(&self) -> bool {
        matches!(self, Self::Spherical | Self::Free)
    }
}

fn quaternion<T: Scalar>(theta: &[T]) -> Quaternion<T> {
    Quaternion([theta[0], theta[1], theta[2], theta[3]])
}

impl<U: Scalar> Cast<U> for HingeData<f64> {
    type Output = HingeData<U>;
    fn cast(&self) -> HingeData<U> {
        let motion = match &self.motion {
            HingeMotion::Fixed => HingeMotion::Fixed,
            HingeMotion::Revolute(a) => HingeMotion::Revolute(a.cast()),
            HingeMotion::Prismatic(a) => HingeMotion::Prismatic(a.cast()),
            HingeMotion::Screw(a, pitch) => HingeMotion::Screw(a.cast(), pitch.cast()),
            HingeMotion::Universal(a, b) => HingeMotion::Universal(a.cast(), b.cast()),
            HingeMotion::Cylindrical(a) => HingeMotion::Cylindrical(a.cast()),
            HingeMotion::Planar(axes) => HingeMotion::Planar(axes.map(|a| a.cast())),
            HingeMotion::Spherical => HingeMotion::Spherical,
            HingeMotion::Free => HingeMotion::Free,
        };
        HingeData { motion, position: self.position.cast(), rotation: self.rotation.cast() }
    }
}

#[cfg(all(test, feature = "testkit"))]
mod tests {
    use super::*;
    use crate::Model;
    use crate::testkit::{RandomOptions, random_system};

    /// The special ways of the sweeps are drawn often enough by the random trees that all algorithms are compared on.
    #[test]
    fn random_trees_have_every_kind_of_axis() {
        use HingeAxis::{Ball, Other, SlideX, SlideY, SlideZ, TurnX, TurnY, TurnZ};
        let mut drawn = Vec::new();
        for seed in 0..1500 {
            let (system, _) = random_system(seed, &RandomOptions { modes: 3, ..RandomOptions::default() });
            let model = Model::build(&system).unwrap();
            drawn.extend(model.topology.bodies.iter().map(|body| (body.axis, body.rigid_link, body.modes > 0)));
        }
        for axis in [Other, Ball, TurnX, TurnY, TurnZ, SlideX, SlideY, SlideZ] {
            for rigid_link in [false, true] {
                let count = |flexible: bool| drawn.iter().filter(|d| **d == (axis, rigid_link, flexible)).count();
                assert!(
                    count(false) + count(true) >= 5,
                    "{axis:?}, rigid link {rigid_link}: {}",
                    count(false) + count(true)
                );
            }
        }
    }
}
