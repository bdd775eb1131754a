//! How far closures are open: for each equation the displacement that its rate is the speed of, along its direction.

use crate::inputs::EquationMotion;
use crate::model::Model;
use crate::model::closing::ClosureData;
use crate::model::joint::{Joint, Slide, Turn};
use crate::state::State;
use crate::workspace::{Closing, SidePlace};
use std::f64::consts::{PI, TAU};
use supple_spatial::{Matrix3, Vector3};

/// Fills `deviation` of all equations from where `motions` wants them, after the frames.
pub(super) fn deviations(model: &Model, state: &State, motions: &[EquationMotion<f64>], out: &mut Closing<f64>) {
    for (i, (data, top)) in model.closing.iter().zip(&model.topology.closures).enumerate() {
        let rows = &mut out.deviation[top.rows.clone()];
        match data {
            ClosureData::Coupling(factors, offset) => {
                let held = state.held[i].map_or(0.0, |hold| hold.offset);
                let terms = factors.iter().zip(&top.hinges);
                rows[0] = terms.fold(-(offset + held), |s, (factor, (q, _))| s + factor * state.coordinates[*q]);
            }
            ClosureData::Joint(joint, _) => joint_deviations(joint, &out.sides[i], rows),
        }
        rows.iter_mut().zip(&motions[top.rows.clone()]).for_each(|(row, motion)| *row -= motion.displacement);
        if let ClosureData::Joint(joint, _) = data {
            let angles = rows.iter_mut().zip(joint.turns).filter(|(_, turn)| **turn == Turn::Angle);
            angles.for_each(|(row, _)| *row -= TAU * (*row / TAU).round());
        }
    }
}

/// In the order of the equations.
fn joint_deviations(joint: &Joint<f64>, [a, b]: &[SidePlace<f64>; 2], out: &mut [f64]) {
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
                let (open, lead) = (d[2] - joint.number * angle(&turn), joint.number.abs() * TAU);
                if lead > 0.0 { open - lead * (open / lead).round() } else { open }
            }
            Slide::Distance => Vector3(d).norm_squared().sqrt() - joint.number,
        };
    }
}

/// The angle about z.
fn angle(turn: &Matrix3<f64>) -> f64 {
    (turn.0[1][0] - turn.0[0][1]).atan2(turn.0[0][0] + turn.0[1][1])
}

/// The shortest turn of z of `a` to z of `b`, about x and y of `a`.
pub(super) fn tilt(turn: &Matrix3<f64>) -> [f64; 2] {
    let z = Vector3([turn.0[0][2], turn.0[1][2], turn.0[2][2]]);
    let sine = z[0].hypot(z[1]);
    let angle = sine.atan2(z[2]);
    let scale = if sine > 1e-12 { angle / sine } else { 1.0 };
    // Upside down: about any axis across.
    if sine <= 1e-12 && z[2] < 0.0 { [PI, 0.0] } else { [-z[1] * scale, z[0] * scale] }
}

/// The rotation vector of a rotation matrix.
pub(super) fn rotation_vector(turn: &Matrix3<f64>) -> Vector3<f64> {
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
