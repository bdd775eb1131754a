//! Coordinates of closures as ports of force elements: what two nodes do, seen as one direction.
//!
//! The rate of the coordinate is `s = n·(ω_b - ω_a) + m·(v_b - v_a - ω_a × d)` with `d` from the origin of frame `a` to that of `b`. A force
//! along it acts on `b` as `[n; m]` and on `a` as the opposite wrench, at the same place.

use super::port::{Effect, Measured, PortForce, PortState};
use crate::model::ClosureCoordinate;
use crate::model::cast::Cast;
use supple_spatial::{Force, Matrix3, Motion, Scalar, Vector3};

/// Most ports of an element that takes hold of closures.
pub(crate) const MOST_PORTS: usize = 4;

/// A port as the law of an element sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum SeenPort<T> {
    /// A port of the model.
    Plain(usize),
    /// A coordinate of a closure between the nodes of two ports of the model.
    Joint(JointPort<T>),
}

/// A coordinate of a closure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct JointPort<T> {
    /// The closure.
    pub closure: usize,
    /// Port of the node that carries frame `a`; that of `b` follows it.
    pub first: usize,
    /// Origins and axes of the frames in the axes of their nodes; `z` is the axis of the closure.
    pub frames: [(Vector3<T>, Matrix3<T>); 2],
    pub coordinate: ClosureCoordinate,
}

impl<U: Scalar> Cast<U> for SeenPort<f64> {
    type Output = SeenPort<U>;
    fn cast(&self) -> SeenPort<U> {
        match *self {
            Self::Plain(port) => SeenPort::Plain(port),
            Self::Joint(JointPort { closure, first, frames, coordinate }) => {
                let frames = frames.map(|(position, rotation)| (position.cast(), rotation.cast()));
                SeenPort::Joint(JointPort { closure, first, frames, coordinate })
            }
        }
    }
}

/// Evaluates a law at the ports that it sees.
pub(crate) fn through<T: Scalar>(
    seen: &[SeenPort<T>],
    at: &Measured<'_, T>,
    out: &mut Effect<'_, T>,
    law: impl FnOnce(&Measured<'_, T>, &mut Effect<'_, T>),
) {
    let (mut states, mut forces) = ([PortState::ZERO; MOST_PORTS], [PortForce::ZERO; MOST_PORTS]);
    let mut wrenches = [[Force::ZERO; 2]; MOST_PORTS];
    for (i, port) in seen.iter().enumerate() {
        match port {
            SeenPort::Plain(port) => states[i] = at.ports[*port],
            SeenPort::Joint(joint) => (states[i], wrenches[i]) = joint.measure(at.ports),
        }
    }
    let measured = Measured { time: at.time, ports: &states[..seen.len()] };
    let mut effect = Effect { ports: &mut forces[..seen.len()], energy: out.energy };
    law(&measured, &mut effect);
    out.energy = effect.energy;
    for (i, port) in seen.iter().enumerate() {
        match port {
            SeenPort::Plain(port) => out.ports[*port] = forces[i],
            SeenPort::Joint(joint) => {
                for (s, wrench) in wrenches[i].iter().enumerate() {
                    out.ports[joint.first + s].wrench += *wrench * forces[i].hinge;
                }
            }
        }
    }
}

impl<T: Scalar> JointPort<T> {
    /// Coordinate and speed, and the wrenches on both nodes of a unit force.
    fn measure(&self, ports: &[PortState<T>]) -> (PortState<T>, [Force<T>; 2]) {
        let frame = |s: usize| {
            let (node, (position, rotation)) = (&ports[self.first + s], self.frames[s]);
            let arm = node.attitude * position;
            (arm, node.position + arm, node.attitude * rotation, node.velocity.shift(arm))
        };
        let ((arm_a, x_a, a, v_a), (arm_b, x_b, b, v_b)) = (frame(0), frame(1));
        let d = x_b - x_a;
        let (coordinate, n, m) = match self.coordinate {
            ClosureCoordinate::Angle => {
                let (angle, n) = angle(&a, &b);
                (angle, n, Vector3::ZERO)
            }
            ClosureCoordinate::Translation(i) => (a.column(i).dot(d), Vector3::ZERO, a.column(i)),
        };
        let relative: Motion<T> = v_b - v_a;
        let speed = n.dot(relative.angular) + m.dot(relative.linear - v_a.angular.cross(d));
        let (on_a, on_b) = (-Force::new(n + d.cross(m), m), Force::new(n, m));
        (PortState { coordinate, speed, ..PortState::ZERO }, [on_a.shift(arm_a), on_b.shift(arm_b)])
    }
}

/// The angle about z, and the direction of the relative angular velocity that changes it: `φ̇ = n·(ω_b - ω_a)`.
fn angle<T: Scalar>(a: &Matrix3<T>, b: &Matrix3<T>) -> (T, Vector3<T>) {
    let ([x_a, y_a], [x_b, y_b]) = ([a.column(0), a.column(1)], [b.column(0), b.column(1)]);
    let (sine, cosine) = (y_a.dot(x_b) - x_a.dot(y_b), x_a.dot(x_b) + y_a.dot(y_b));
    let (along_sine, along_cosine) = (x_b.cross(y_a) - y_b.cross(x_a), x_b.cross(x_a) + y_b.cross(y_a));
    let inverse = (sine * sine + cosine * cosine).recip();
    (sine.atan2(cosine), (along_sine * cosine - along_cosine * sine) * inverse)
}
