//! Equations of closures: wrenches on their frames per unit of force, how fast they are violated, and how that changes.
//!
//! Each equation of a joint is `s = n·(ω_b - ω_a) + m·(v_b - v_a - ω_a × d) = 0`, with `d` from the origin of `a` to that of `b` and
//! directions `n`, `m` that turn with the frames. Its force acts on `b` as the wrench `[n; m]` and on `a` as the opposite one, at the same
//! place; so neither momentum changes.

use crate::model::Model;
use crate::model::closing::ClosureData;
use crate::model::joint::{Joint, Slide, Turn};
use crate::state::State;
use crate::workspace::{Closing, Configuration, SidePlace};
use supple_spatial::{Force, Scalar, Vector3};

/// A direction and its rate.
#[derive(Clone, Copy)]
struct Turning<T> {
    now: Vector3<T>,
    rate: Vector3<T>,
}

impl<T: Scalar> Turning<T> {
    const ZERO: Self = Self { now: Vector3::ZERO, rate: Vector3::ZERO };

    /// A column of the attitude of a frame.
    fn axis(side: &SidePlace<T>, i: usize) -> Self {
        Self { now: side.attitude.column(i), rate: side.attitude_rate.column(i) }
    }

    fn cross(self, other: Self) -> Self {
        Self { now: self.now.cross(other.now), rate: self.rate.cross(other.now) + self.now.cross(other.rate) }
    }

    fn scaled(self, factor: T) -> Self {
        Self { now: self.now * factor, rate: self.rate * factor }
    }
}

/// Fills wrenches, loads of the carriers, speeds and drifts of all equations, after the frames.
pub(crate) fn rows<T: Scalar>(model: &Model<T>, state: &State<T>, at: &Configuration<T>, out: &mut Closing<T>) {
    for (i, (data, top)) in model.closing.iter().zip(&model.topology.closures).enumerate() {
        match data {
            ClosureData::Coupling(factors, _) => {
                let terms = factors.iter().zip(&top.hinges);
                let row = top.rows.start;
                out.wrench[row] = [Force::ZERO; 2];
                out.speed[row] = terms.fold(T::ZERO, |s, (factor, (_, speed))| factor.mul_add(state.speeds[*speed], s));
                out.drift[row] = T::ZERO;
            }
            ClosureData::Joint(joint, _) => {
                let sides = out.sides[i];
                let mut row = top.rows.start;
                for_equations(joint, &sides, |equation| {
                    (out.wrench[row], out.speed[row], out.drift[row]) = equation;
                    row += 1;
                });
                for (s, side) in top.sides.iter().enumerate() {
                    let Some(on) = side else { continue };
                    for row in top.rows.clone() {
                        let f = out.wrench[row][s].rotate_back(&at.world_rotation[on.body]);
                        out.load[row][s] = f.shift(sides[s].offset);
                    }
                }
            }
        }
    }
}

/// Calls `each_equation` with the wrenches, the speed and the drift of each equation of a joint.
pub(crate) fn for_equations<T: Scalar>(
    joint: &Joint<T>,
    sides: &[SidePlace<T>; 2],
    mut each_equation: impl FnMut(([Force<T>; 2], T, T)),
) {
    each(joint, sides, |angular, linear| each_equation(equation(sides, angular, linear)));
}

/// Calls `equation` with `n` and `m` of each equation of a joint.
fn each<T: Scalar>(joint: &Joint<T>, [a, b]: &[SidePlace<T>; 2], mut equation: impl FnMut(Turning<T>, Turning<T>)) {
    let none = Turning::ZERO;
    let axes = [0, 1, 2].map(|i| Turning::axis(a, i));
    let [x, y, z] = axes;
    // Across z even where the axes of `a` are not orthogonal.
    let across = [y.cross(z), z.cross(x)];
    for turn in joint.turns {
        let n = match *turn {
            Turn::About(i) => axes[i],
            Turn::Tilt(i) => across[i],
            Turn::Angle => z,
            Turn::Between => z.cross(Turning::axis(b, 2)),
        };
        equation(n, none);
    }
    for slide in joint.slides {
        match *slide {
            Slide::Along(i) => equation(none, axes[i]),
            Slide::Across(i) => equation(none, across[i]),
            Slide::Advance => equation(z.scaled(-joint.number), z),
            Slide::Distance => equation(none, between(a, b)),
        }
    }
}

/// The direction from one origin to the other.
fn between<T: Scalar>(a: &SidePlace<T>, b: &SidePlace<T>) -> Turning<T> {
    let (d, d_dot) = (b.position - a.position, b.velocity.linear - a.velocity.linear);
    let inverse = d.norm_squared().sqrt().recip();
    let now = d * inverse;
    Turning { now, rate: (d_dot - now * now.dot(d_dot)) * inverse }
}

/// Wrenches, speed and drift of one equation of a joint.
fn equation<T: Scalar>([a, b]: &[SidePlace<T>; 2], angular: Turning<T>, linear: Turning<T>) -> ([Force<T>; 2], T, T) {
    let (n, m, d) = (angular.now, linear.now, b.position - a.position);
    let wrench = [-Force::new(n + d.cross(m), m), Force::new(n, m)];
    let relative = b.velocity - a.velocity;
    let slide = relative.linear - a.velocity.angular.cross(d);
    let turning = angular.rate.dot(relative.angular) + linear.rate.dot(slide);
    let speed = n.dot(relative.angular) + m.dot(slide);
    let drift =
        a.drift.dot(wrench[0]) + b.drift.dot(wrench[1]) + turning - m.dot(a.velocity.angular.cross(relative.linear));
    (wrench, speed, drift)
}
