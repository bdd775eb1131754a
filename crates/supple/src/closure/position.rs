//! How far closures are open: for each equation the displacement that its rate is the speed of, along its direction.

use crate::model::Model;
use crate::model::closing::{ClosureData, Joint};
use crate::state::State;
use crate::workspace::{Closing, SidePlace};
use std::f64::consts::{PI, TAU};
use supple_spatial::{Matrix3, Vector3};

/// Fills `deviation` of all equations, after the frames.
pub(super) fn deviations(model: &Model, state: &State, out: &mut Closing<f64>) {
    for (i, (data, top)) in model.closing.iter().zip(&model.topology.closures).enumerate() {
        let rows = &mut out.deviation[top.rows.clone()];
        match data {
            ClosureData::Coupling(factors, offset) => {
                let terms = factors.iter().zip(&top.hinges);
                rows[0] = terms.fold(-offset, |s, (factor, (q, _))| s + factor * state.coordinates[*q]);
            }
            ClosureData::Joint(joint, _) => joint_deviations(joint, &out.sides[i], rows),
        }
    }
}

/// In the order of the equations, see `rows`.
fn joint_deviations(joint: &Joint<f64>, [a, b]: &[SidePlace<f64>; 2], out: &mut [f64]) {
    let d = a.attitude.transpose_mul(b.position - a.position).0;
    let turn = a.attitude.transpose() * b.attitude;
    let all = || rotation_vector(&turn).0;
    // The shortest turn of z of `a` to z of `b`.
    let tilt = || {
        let z = Vector3([turn.0[0][2], turn.0[1][2], turn.0[2][2]]);
        let sine = z[0].hypot(z[1]);
        let angle = sine.atan2(z[2]);
        let scale = if sine > 1e-12 { angle / sine } else { 1.0 };
        // Upside down: about any axis across.
        if sine <= 1e-12 && z[2] < 0.0 { [PI, 0.0] } else { [-z[1] * scale, z[0] * scale] }
    };
    let mut write = |parts: &[&[f64]]| {
        let numbers = parts.iter().flat_map(|part| part.iter());
        out.iter_mut().zip(numbers).for_each(|(out, x)| *out = *x);
    };
    match *joint {
        Joint::Weld => write(&[&all(), &d]),
        Joint::Ball => write(&[&d]),
        Joint::Revolute => write(&[&tilt(), &d]),
        Joint::Prismatic => write(&[&all(), &d[..2]]),
        Joint::Cylindrical => write(&[&tilt(), &d[..2]]),
        Joint::Screw(pitch) => {
            let angle = (turn.0[1][0] - turn.0[0][1]).atan2(turn.0[0][0] + turn.0[1][1]);
            // Whole turns are free.
            let open = d[2] - pitch * angle;
            let lead = pitch.abs() * TAU;
            let open = if lead > 0.0 { open - lead * (open / lead).round() } else { open };
            write(&[&tilt(), &d[..2], &[open]]);
        }
        Joint::Universal(cosine) => {
            write(&[&[cosine - a.attitude.column(2).dot(b.attitude.column(2))], &d]);
        }
        Joint::Planar => write(&[&tilt(), &d[2..]]),
        Joint::PointOnLine => write(&[&d[..2]]),
        Joint::PointOnPlane => write(&[&d[2..]]),
        Joint::Distance(length) => write(&[&[Vector3(d).norm_squared().sqrt() - length]]),
    }
}

/// The rotation vector of a rotation matrix.
fn rotation_vector(turn: &Matrix3<f64>) -> Vector3<f64> {
    let m = &turn.0;
    let twice = Vector3([m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]]);
    let (sine, cosine) = (0.5 * twice.norm_squared().sqrt(), 0.5 * (m[0][0] + m[1][1] + m[2][2] - 1.0));
    let angle = sine.atan2(cosine);
    if sine > 1e-7 {
        return twice * (0.5 * angle / sine);
    }
    if cosine > 0.0 {
        return twice * 0.5;
    }
    // Half a turn: R = 2 n n* - 1, from its largest column.
    let i = (0..3).max_by(|&i, &j| m[i][i].total_cmp(&m[j][j])).unwrap_or(0);
    let column = Vector3(std::array::from_fn(|j| m[j][i] + if i == j { 1.0 } else { 0.0 }));
    column * (PI / column.norm_squared().sqrt())
}
