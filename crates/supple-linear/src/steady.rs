//! Whether a system that moves has coefficients that do not.

use faer::Mat;
use supple::{HingeHandle, Inputs, Model, State};

use crate::LinearError;
use crate::second_order::free_speeds;
use crate::tangent::{Tangent, tangent};

/// How far hinges are turned to see whether anything changes, rad or m: no two differ by a part of a turn that symmetric systems repeat after.
const TURNS: [f64; 3] = [0.7, 1.9, 3.6];
/// Changes below this part of a coefficient's size are rounding.
const UNCHANGED: f64 = 1e-7;

/// Refuses a state whose hinges move, where the equations of first order depend on how far they have moved.
pub(crate) fn require_steady(model: &Model, state: &State, inputs: &Inputs) -> Result<(), LinearError> {
    let moves = |hinge: &HingeHandle| state.speeds[hinge.speeds()].iter().any(|u| *u != 0.0);
    let moving: Vec<HingeHandle> = model.hinges().filter(moves).collect();
    if moving.is_empty() {
        return Ok(());
    }
    let free = free_speeds(model, inputs);
    let here = tangent(model, state, inputs)?;
    for hinge in moving {
        let fastest = state.speeds[hinge.speeds()].iter().fold(0.0_f64, |m, u| m.max(u.abs()));
        let (mut quantity, mut change) = ("", 0.0);
        for turn in TURNS {
            let mut turned = state.clone();
            let mut displacement = vec![0.0; model.speed_count()];
            hinge.speeds().for_each(|i| displacement[i] = turn * state.speeds[i] / fastest);
            turned.displace(model, &displacement);
            let there = tangent(model, &turned, inputs)?;
            for (name, size) in changes(&here, &there, &free) {
                if size > change {
                    (quantity, change) = (name, size);
                }
            }
        }
        if change > UNCHANGED {
            let hinge = model.hinge_name(hinge).unwrap_or_default().to_owned();
            return Err(LinearError::NotSteady { hinge, quantity, change });
        }
    }
    Ok(())
}

/// How far the coefficients of free speeds differ, as parts of their sizes, with coordinates of unit mass.
fn changes(here: &Tangent, there: &Tangent, free: &[usize]) -> [(&'static str, f64); 4] {
    let scale = |i: usize| here.mass[(i, i)].sqrt().recip();
    let part = |a: &Mat<f64>, b: &Mat<f64>, least: f64| {
        let (mut size, mut difference) = (least, 0.0_f64);
        for &i in free {
            for &j in free {
                let unit = scale(i) * scale(j);
                size = size.max(unit * a[(i, j)].abs());
                difference = difference.max(unit * (a[(i, j)] - b[(i, j)]).abs());
            }
        }
        if difference > 0.0 { difference / size } else { 0.0 }
    };
    let pull = |t: &Tangent| free.iter().map(|&i| scale(i).recip() * t.accelerations[i]).collect::<Vec<f64>>();
    let load = free.iter().fold(0.0_f64, |m, &i| m.max(scale(i) * here.loads[i]).max(scale(i) * there.loads[i]));
    let jump = pull(here).iter().zip(&pull(there)).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
    // Loads change by themselves as stiffness and damping do.
    [
        ("mass", part(&here.mass, &there.mass, 0.0)),
        ("damping", part(&here.damping, &there.damping, load)),
        ("stiffness", part(&here.stiffness, &there.stiffness, load)),
        ("forces", if load > 0.0 { jump / load } else { 0.0 }),
    ]
}
