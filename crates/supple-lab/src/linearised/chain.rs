//! Motion of the frame of each link, joint by joint, in its own axes.
//!
//! ```text
//! C = C_r C_e,   C_e = 1 - θ×                                                     [DS95 (22), (25)]
//! v' = C (v + ω × r̂ + ψ q̇),   ω' = C (ω + θ q̇) + a θ̇'                             [DS95 (26), (27)]
//! ```
//!
//! Accelerations are derivatives of these components [DS95 (28)]; what they keep when all second derivatives of coordinates vanish is `bias`.

use super::link::Link;
use super::{Terms, Tip};
use supple::State;
use supple::spatial::{Matrix3, Motion, Vector3, rotation};

/// The frame of a link.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// `[ω; v]`.
    pub velocity: Motion<f64>,
    /// `[ω̇; v̇]` without second derivatives of coordinates.
    pub bias: Motion<f64>,
    /// `[ω; v]` per speed.
    pub columns: Vec<Motion<f64>>,
    /// Places of the speeds that move it.
    pub moved_by: Vec<usize>,
}

const STILL: Motion<f64> = Motion { angular: Vector3::ZERO, linear: Vector3::ZERO };

impl Frame {
    pub fn new(size: usize) -> Self {
        Self { velocity: STILL, bias: STILL, columns: vec![STILL; size], moved_by: Vec::with_capacity(size) }
    }

    /// Back to the ground.
    pub fn start(&mut self) {
        (self.velocity, self.bias) = (STILL, STILL);
        self.columns.fill(STILL);
        self.moved_by.clear();
    }

    /// From the frame of the link before to that of `link`.
    pub fn cross(&mut self, before: Option<&Link>, link: &Link, terms: Terms, state: &State) {
        let (sine, cosine) = state.coordinates[link.hinge].sin_cos();
        let joint = rotation::about_axis(link.axis, sine, cosine).transpose();
        let relative = link.axis * state.speeds[link.hinge];
        if let Some(before) = before {
            self.along(before, terms, state, (&joint, relative));
        }
        self.velocity.angular += relative;
        self.columns[link.hinge].angular += link.axis;
        self.moved_by.push(link.hinge);
    }

    /// To the axes of the next link, at its joint.
    fn along(&mut self, link: &Link, terms: Terms, state: &State, (joint, relative): (&Matrix3<f64>, Vector3<f64>)) {
        let sum = |x: &[f64]| {
            let pairs = link.modes.iter().zip(&x[link.elastic.clone()]);
            pairs.fold(STILL, |sum, (mode, x)| Motion {
                angular: mode.tip.angular.scale_add(*x, sum.angular),
                linear: mode.tip.linear.scale_add(*x, sum.linear),
            })
        };
        let (shift, rate) = (sum(&state.coordinates), sum(&state.speeds));
        let (arm, turn) = match terms.tip {
            Tip::None => (link.next, *joint),
            Tip::FirstOrder => (link.next + shift.linear, *joint * (Matrix3::IDENTITY - Matrix3::skew(shift.angular))),
        };
        // Ċ y
        let turning = |y: Vector3<f64>| match terms.tip {
            Tip::None => -relative.cross(turn * y),
            Tip::FirstOrder => -relative.cross(turn * y) - *joint * rate.angular.cross(y),
        };
        let Motion { angular, linear } = self.velocity;
        let tip = Motion { angular, linear: angular.cross_add(arm, linear) };
        let whole = Motion { angular: tip.angular + rate.angular, linear: tip.linear + rate.linear };
        // Ṡ q̇_e = Ċ [ψ; θ] q̇
        let turned = if terms.elastic_rates_across_joints { whole } else { tip };
        // The arm grows by ψ q̇, where the tip is displaced at all.
        let grown = match terms.tip {
            Tip::None => Vector3::ZERO,
            Tip::FirstOrder => angular.cross(rate.linear),
        };
        let bias = self.bias.angular.cross_add(arm, self.bias.linear) + grown;
        self.bias = Motion {
            angular: turn * self.bias.angular + turning(turned.angular),
            linear: turn * bias + turning(turned.linear),
        };
        self.velocity = Motion { angular: turn * whole.angular, linear: turn * whole.linear };
        for &place in &self.moved_by {
            let column = &mut self.columns[place];
            let linear = column.angular.cross_add(arm, column.linear);
            *column = Motion { angular: turn * column.angular, linear: turn * linear };
        }
        for (place, mode) in link.elastic.clone().zip(&link.modes) {
            self.columns[place] = Motion { angular: turn * mode.tip.angular, linear: turn * mode.tip.linear };
            self.moved_by.push(place);
        }
    }
}
