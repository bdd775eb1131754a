//! How far closures are open: for each equation the displacement that its rate is the speed of, along its direction.

use crate::inputs::EquationMotion;
use crate::model::Model;
use crate::model::closing::ClosureData;
use crate::model::joint::{Joint, Slide, Turn};
use crate::state::State;
use crate::workspace::{Closing, SidePlace};
use std::f64::consts::PI;
use supple_spatial::{Matrix3, Scalar, Vector3};

/// Fills `deviation` of all equations from where `motions` wants them, after the frames.
pub(super) fn deviations<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    motions: &[EquationMotion<T>],
    out: &mut Closing<T>,
) {
    for (i, (data, top)) in model.closing.iter().zip(&model.topology.closures).enumerate() {
        let rows = &mut out.deviation[top.rows.clone()];
        match data {
            ClosureData::Coupling(factors, offset) => {
                let held = state.held[i].map_or(T::ZERO, |hold| hold.offset);
                let terms = factors.iter().zip(&top.hinges);
                rows[0] = terms.fold(-(*offset + held), |s, (factor, (q, _))| s + *factor * state.coordinates[*q]);
            }
            ClosureData::Joint(joint, _) => joint_deviations(joint, &out.sides[i], rows),
        }
        rows.iter_mut().zip(&motions[top.rows.clone()]).for_each(|(row, motion)| *row -= motion.displacement);
        if let ClosureData::Joint(joint, _) = data {
            let angles = rows.iter_mut().zip(joint.turns).filter(|(_, turn)| **turn == Turn::Angle);
            angles.for_each(|(row, _)| *row = within_a_turn(*row));
        }
    }
}

/// In the order of the equations.
fn joint_deviations<T: Scalar>(joint: &Joint<T>, [a, b]: &[SidePlace<T>; 2], out: &mut [T]) {
    let d = a.attitude.transpose_mul(b.position - a.position).0;
    let turn = a.attitude.transpose() * b.attitude;
    let (turns, slides) = out.split_at_mut(joint.turns.len());
    for (out, held) in turns.iter_mut().zip(joint.turns) {
        *out = match *held {
            Turn::About(i) => rotation_vector(&turn)[i],
            Turn::Tilt(i) => tilt(&turn)[i],
            Turn::Angle => angle(&turn),
            Turn::Between => joint.number - a.attitude.column(2).dot(b.attitude.column(2)),
        };
    }
    for (out, held) in slides.iter_mut().zip(joint.slides) {
        *out = match *held {
            Slide::Along(i) | Slide::Across(i) => d[i],
            Slide::Advance => {
                // Whole turns are free.
                let (open, pitch) = (d[2] - joint.number * angle(&turn), joint.number);
                let advances = pitch.less_than(T::ZERO) | T::ZERO.less_than(pitch);
                let turns = open / T::select(advances, pitch, T::ONE);
                T::select(advances, within_a_turn(turns) * pitch, open)
            }
            Slide::Distance => Vector3(d).norm_squared().sqrt() - joint.number,
        };
    }
}

/// The angle about z.
fn angle<T: Scalar>(turn: &Matrix3<T>) -> T {
    (turn.0[1][0] - turn.0[0][1]).atan2(turn.0[0][0] + turn.0[1][1])
}

/// The shortest turn of z of `a` to z of `b`, about x and y of `a`.
pub(super) fn tilt<T: Scalar>(turn: &Matrix3<T>) -> [T; 2] {
    let z = turn.column(2);
    let sine = z[0].mul_add(z[0], z[1] * z[1]).sqrt();
    let leans = T::from_f64(1e-12).less_than(sine);
    let scale = T::select(leans, sine.atan2(z[2]) / T::select(leans, sine, T::ONE), T::ONE);
    // Upside down: about any axis across.
    let over = !leans & z[2].less_than(T::ZERO);
    [T::select(over, T::from_f64(PI), -z[1] * scale), T::select(over, T::ZERO, z[0] * scale)]
}

/// The angle that differs by whole turns, from -π to π.
fn within_a_turn<T: Scalar>(angle: T) -> T {
    let (sine, cosine) = angle.sin_cos();
    sine.atan2(cosine)
}

/// The rotation vector of a rotation matrix.
pub(super) fn rotation_vector<T: Scalar>(turn: &Matrix3<T>) -> Vector3<T> {
    let m = &turn.0;
    let twice = Vector3([m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]]);
    let half = T::from_f64(0.5);
    let (sine, cosine) = (half * twice.norm_squared().sqrt(), half * (m[0][0] + m[1][1] + m[2][2] - T::ONE));
    let turns = T::from_f64(1e-7).less_than(sine);
    let scale = T::select(turns, sine.atan2(cosine) / T::select(turns, sine, T::ONE), T::ONE);
    // Half a turn: R = 2 n n* - 1, from its largest column.
    let column = |i: usize| Vector3(std::array::from_fn(|j| if i == j { m[j][i] + T::ONE } else { m[j][i] }));
    let select =
        |mask, yes: Vector3<T>, no: Vector3<T>| Vector3(std::array::from_fn(|j| T::select(mask, yes[j], no[j])));
    let (mut largest, mut most) = (column(0), m[0][0]);
    for i in 1..3 {
        let more = most.less_than(m[i][i]);
        (largest, most) = (select(more, column(i), largest), T::select(more, m[i][i], most));
    }
    let half_turn = !turns & cosine.less_than(T::ZERO);
    // At least 4/3 where that is asked for.
    let length = T::select(half_turn, largest.norm_squared(), T::ONE).sqrt();
    select(half_turn, largest * (T::from_f64(PI) / length), twice * (half * scale))
}
