//! Poses and velocities of the bodies as functions of configuration and speeds, on any scalar.
//!
//! All vectors of a body are components in its frame. With the non-orthogonal first-order elastic
//! rotation these components are what the recursion says; its inverse is taken as the transpose.

use super::deformation::{displacement, displacement_rate};
use super::{Layout, attitude, hinge};
use crate::model::{ElasticRotation, Fidelity, Parent, System};
use supple_spatial::{Matrix3, Motion, Quaternion, Scalar, Vector3};

/// A system with the places of its numbers.
pub(super) struct Kinematics<'a> {
    pub system: &'a System,
    pub layout: &'a Layout,
}

/// Everything that determines positions and velocities.
#[derive(Clone)]
pub(super) struct Moving<T> {
    pub coordinates: Vec<T>,
    pub attitudes: Vec<[T; 4]>,
    pub speeds: Vec<T>,
}

/// Lever arms that a link is evaluated with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Arms {
    /// As the elastic rotation option says.
    Deformed,
    /// Undeformed in bodies with constant inertial terms.
    Constant,
}

/// A node seen by the hinge it carries.
struct Attachment<T> {
    /// `R_e`: node axes to body axes.
    rotation: Matrix3<T>,
    /// Lever arm from the body's frame.
    arm: Vector3<T>,
    /// Velocity relative to the body's frame.
    velocity: Motion<T>,
}

/// The motion of body `k` relative to its parent.
pub(super) struct Link<T> {
    /// `R(p ← k)`.
    pub rotation: Matrix3<T>,
    outer: Attachment<T>,
    inner: Attachment<T>,
    /// From the parent's node to `O`, in the parent's axes.
    reach: Vector3<T>,
    /// Velocity across the hinge, in the parent's axes.
    slide: Vector3<T>,
    /// Angular velocity across the hinge, in the body's axes.
    spin: Vector3<T>,
}

impl Kinematics<'_> {
    pub(super) fn deformation<'s, T>(&self, at: &'s Moving<T>, k: usize) -> &'s [T] {
        &at.coordinates[self.layout.deformation(k)]
    }

    pub(super) fn deformation_speeds<'s, T>(&self, at: &'s Moving<T>, k: usize) -> &'s [T] {
        &at.speeds[self.layout.deformation_speeds(k)]
    }

    pub(super) fn is_constant(&self, k: usize) -> bool {
        self.system.bodies[k].modes.fidelity == Fidelity::RuthlessConstant
    }

    fn attachment<T: Scalar>(&self, at: &Moving<T>, (k, j): (usize, usize), arms: Arms) -> Attachment<T> {
        let body = &self.system.bodies[k];
        let (node, option) = (&body.nodes[j], self.system.elastic_rotation);
        let (eta, eta_dot) = (self.deformation(at, k), self.deformation_speeds(at, k));
        let shift = displacement(body, node, eta);
        let mut velocity = displacement_rate(body, node, eta, eta_dot);
        let turning = Vector3(std::array::from_fn(|i| attitude::moving(shift.angular[i], velocity.angular[i])));
        let rotation = match attitude::elastic(option, turning) {
            Some(rotation) => {
                // Where R_e is a function of η its own rate is the angular velocity.
                if option.is_orthogonal() {
                    velocity.angular = attitude::spin_fixed(&rotation);
                }
                attitude::value(&rotation)
            }
            None => match self.layout.attitude(k, j) {
                Some(index) => Quaternion(at.attitudes[index]).to_matrix(),
                None => Matrix3::IDENTITY,
            },
        };
        let undeformed = option == ElasticRotation::None || (arms == Arms::Constant && self.is_constant(k));
        let arm = Vector3::from_f64(node.position);
        let arm = if undeformed { arm } else { arm + shift.linear };
        Attachment { rotation, arm, velocity }
    }

    /// Rotation, lever arm and relative velocity of a node as hinges and closures on it see them.
    pub(super) fn node<T: Scalar>(&self, at: &Moving<T>, node: (usize, usize)) -> (Matrix3<T>, Vector3<T>, Motion<T>) {
        let Attachment { rotation, arm, velocity } = self.attachment(at, node, Arms::Deformed);
        (rotation, arm, velocity)
    }

    /// The link that carries body `k`.
    pub(super) fn link<T: Scalar>(&self, at: &Moving<T>, k: usize, arms: Arms) -> Link<T> {
        let body = &self.system.bodies[k];
        let outer = match body.parent {
            Parent::Body(p, t) => self.attachment(at, (p.0, t.0), arms),
            Parent::Ground => Attachment { rotation: Matrix3::IDENTITY, arm: Vector3::ZERO, velocity: Motion::ZERO },
        };
        let inner = self.attachment(at, (k, body.inboard_node.0), arms);
        let theta = &at.coordinates[self.layout.hinge(k)];
        let across = hinge::relative(&body.hinge.kind, theta, &at.speeds[self.layout.hinge_speeds(k)]);
        let mount = Matrix3::from_f64(body.hinge.rotation);
        let position = Vector3::from_f64(body.hinge.position) + mount * across.displacement;
        Link {
            rotation: outer.rotation * mount * across.rotation * inner.rotation.transpose(),
            reach: outer.rotation * position,
            slide: outer.rotation * (mount * across.velocity),
            spin: inner.rotation * across.spin,
            outer,
            inner,
        }
    }

    /// Velocities of all bodies.
    pub(super) fn velocities<T: Scalar>(&self, at: &Moving<T>) -> Vec<Motion<T>> {
        let mut velocities: Vec<Motion<T>> = Vec::new();
        for (k, body) in self.system.bodies.iter().enumerate() {
            let parent = match body.parent {
                Parent::Body(p, _) => velocities[p.0],
                Parent::Ground => Motion::ZERO,
            };
            velocities.push(self.link(at, k, Arms::Deformed).velocity(parent));
        }
        velocities
    }

    /// Rotation to inertial axes and inertial position of every body's frame.
    pub(super) fn poses<T: Scalar>(&self, at: &Moving<T>) -> Vec<(Matrix3<T>, Vector3<T>)> {
        let mut poses: Vec<(Matrix3<T>, Vector3<T>)> = Vec::new();
        for (k, body) in self.system.bodies.iter().enumerate() {
            let (r, x) = match body.parent {
                Parent::Body(p, _) => poses[p.0],
                Parent::Ground => (Matrix3::IDENTITY, Vector3::ZERO),
            };
            let link = self.link(at, k, Arms::Deformed);
            let rotation = r * link.rotation;
            let hinge = x + r * (link.outer.arm + link.reach);
            poses.push((rotation, hinge - rotation * link.inner.arm));
        }
        poses
    }

    /// Rates of coordinates and attitudes at constant speeds.
    pub(super) fn rates(&self, at: &Moving<f64>) -> Moving<f64> {
        let mut rates = Moving { coordinates: Vec::new(), attitudes: Vec::new(), speeds: vec![0.0; at.speeds.len()] };
        for (k, body) in self.system.bodies.iter().enumerate() {
            let theta = &at.coordinates[self.layout.hinge(k)];
            let beta = &at.speeds[self.layout.hinge_speeds(k)];
            rates.coordinates.extend(self.deformation_speeds(at, k));
            rates.coordinates.extend(hinge::coordinate_rates(&body.hinge.kind, theta, beta));
        }
        for (&(k, j), &q) in self.layout.attitudes.iter().zip(&at.attitudes) {
            let body = &self.system.bodies[k];
            let (eta, eta_dot) = (self.deformation(at, k), self.deformation_speeds(at, k));
            let spin = displacement_rate(body, &body.nodes[j], eta, eta_dot).angular;
            rates.attitudes.push(Quaternion(q).rate_fixed(spin).0);
        }
        rates
    }
}

impl<T: Scalar> Link<T> {
    /// From the body's frame to `O`, in the body's axes.
    pub(super) fn inner_arm(&self) -> Vector3<T> {
        self.inner.arm
    }

    /// From the parent's node to `O`, in the parent's axes.
    pub(super) fn reach(&self) -> Vector3<T> {
        self.reach
    }

    /// Velocity of the body from that of its parent.
    pub(super) fn velocity(&self, parent: Motion<T>) -> Motion<T> {
        let (t, d) = (&self.outer, &self.inner);
        let omega_t = parent.angular + t.velocity.angular;
        let v_t = parent.linear + parent.angular.cross(t.arm) + t.velocity.linear;
        let v_hinge = v_t + omega_t.cross(self.reach) + self.slide;
        let c = self.rotation.transpose();
        let angular = c * omega_t + self.spin - d.velocity.angular;
        let linear = c * v_hinge - angular.cross(d.arm) - d.velocity.linear;
        Motion { angular, linear }
    }

    /// What the body takes over of its parent's acceleration.
    pub(super) fn carried(&self, parent: Motion<T>) -> Motion<T> {
        let c = self.rotation.transpose();
        let angular = c * parent.angular;
        let arm = self.outer.arm + self.reach;
        let linear = c * (parent.linear + parent.angular.cross(arm));
        Motion { angular, linear: linear - angular.cross(self.inner.arm) }
    }
}

/// State and rates as dual numbers.
pub(super) fn along(at: &Moving<f64>, rates: &Moving<f64>) -> Moving<supple_spatial::Dual<f64>> {
    let join = |x: &[f64], rate: &[f64]| x.iter().zip(rate).map(|(&x, &r)| attitude::moving(x, r)).collect();
    Moving {
        coordinates: join(&at.coordinates, &rates.coordinates),
        attitudes: (at.attitudes.iter().zip(&rates.attitudes))
            .map(|(q, r)| std::array::from_fn(|i| attitude::moving(q[i], r[i])))
            .collect(),
        speeds: join(&at.speeds, &rates.speeds),
    }
}
