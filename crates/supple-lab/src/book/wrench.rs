//! External wrenches: what they do to the hinges inboard and to the modes of their own link.
//!
//! A force `f` at the point `x` of a link does the work `Tr{δW x fᵀ}`, so that `x fᵀ` is subtracted from `Q`. A moment `n` on a
//! node is three forces `½ n × r_i` at the ends of the axes `r_i` of the node: their moment is `n` and their sum adds nothing,
//! to first order in the slopes, by which axes may be out of square.

#![allow(non_snake_case)] // symbols as printed

use super::kinematics::LinkMotion;
use super::link::Link;
use super::transformation::Rows;
use supple::spatial::block::linear::combination;
use supple::spatial::{Matrix3, Scalar, Vector3};
use supple::{State, Wrench, WrenchFrame};

/// A force in inertial axes at a point `[weight, at]` of a link that the modes move.
struct Particle<T> {
    /// 1 for a point, 0 for the difference of two.
    is_point: bool,
    at: Vector3<T>,
    force: Vector3<T>,
    /// The axis of the node that it is the end of; the node itself without one.
    axis: Option<usize>,
}

/// The forces that make up a wrench.
fn particles<T: Scalar>(
    (links, motion): (&[Link<T>], &[LinkMotion<T>]),
    state: &State<T>,
    wrench: &Wrench<T>,
) -> [Particle<T>; 4] {
    let k = wrench.body.0;
    let (link, W) = (&links[k], &motion[k].W.axes);
    let node = &link.nodes[wrench.node.0];
    let shift = combination(&node.influence, link.deflections(state).0);
    let slopes = link.axes.transpose_mul(shift.angular);
    let (moment, force) = match wrench.frame {
        WrenchFrame::Inertial => (wrench.force.angular, wrench.force.linear),
        WrenchFrame::Body => {
            let turned = |v: Vector3<T>| *W * link.axes.transpose_mul(v);
            (turned(wrench.force.angular), turned(wrench.force.linear))
        }
    };
    let half = T::from_f64(0.5);
    std::array::from_fn(|i| match i.checked_sub(1) {
        None => {
            let at = link.axes.transpose_mul(node.position + shift.linear - link.origin);
            Particle { is_point: true, at, force, axis: None }
        }
        Some(i) => {
            let e = Matrix3::IDENTITY.row(i);
            let at = e + slopes.cross(e);
            Particle { is_point: false, at, force: moment.cross(*W * at) * half, axis: Some(i) }
        }
    })
}

/// How a mode moves a particle, in the frame of the link.
fn shape<T: Scalar>(link: &Link<T>, wrench: &Wrench<T>, axis: Option<usize>, r: usize) -> Vector3<T> {
    let Some(column) = link.nodes[wrench.node.0].influence.get(r) else { return Vector3::ZERO };
    match axis {
        None => link.axes.transpose_mul(column.linear),
        Some(i) => link.axes.transpose_mul(column.angular).cross(Matrix3::IDENTITY.row(i)),
    }
}

/// Adds the wrenches to the `loads` of their links and to the rows of their modes.
pub(super) fn add_wrenches<T: Scalar>(
    (links, motion): (&[Link<T>], &[LinkMotion<T>]),
    state: &State<T>,
    wrenches: &[Wrench<T>],
    (loads, R): (&mut [Rows<T>], &mut [T]),
) {
    for wrench in wrenches {
        let k = wrench.body.0;
        for particle in particles((links, motion), state, wrench) {
            let Particle { is_point, at, force, axis } = particle;
            if is_point {
                loads[k][0] += force;
            }
            for i in 0..3 {
                loads[k][i + 1] = force.scale_add(at[i], loads[k][i + 1]);
            }
            let here = motion[k].W.axes.transpose_mul(force);
            for (r, row) in R[links[k].places.modes.clone()].iter_mut().enumerate() {
                *row += here.dot(shape(&links[k], wrench, axis, r));
            }
        }
    }
}

/// Power of the wrenches.
pub(super) fn wrench_power<T: Scalar>(
    (links, motion): (&[Link<T>], &[LinkMotion<T>]),
    state: &State<T>,
    wrenches: &[Wrench<T>],
) -> T {
    let mut sum = T::ZERO;
    for wrench in wrenches {
        let k = wrench.body.0;
        let at = &motion[k];
        for particle in particles((links, motion), state, wrench) {
            let mut rate = Vector3::ZERO;
            for (r, speed) in links[k].deflections(state).1.iter().enumerate() {
                rate = shape(&links[k], wrench, particle.axis, r).scale_add(*speed, rate);
            }
            let mut velocity = at.W_dot.axes * particle.at + at.W.axes * rate;
            if particle.is_point {
                velocity += at.W_dot.position;
            }
            sum += velocity.dot(particle.force);
        }
    }
    sum
}
