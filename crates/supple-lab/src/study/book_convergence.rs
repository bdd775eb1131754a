//! How Book's formulation and the sweeps come together as deflections become small, on the arm that he counts.

use std::error::Error;

use supple::{
    ElasticRotation, Fidelity, Inputs, Model, Parent, State, System, Workspace, forward_dynamics, inverse_dynamics,
};
use supple_bodies::catalogue::book_arm::{LENGTH, book_arm};

use super::row::Value;
use super::svg::{Curve, Plot};
use super::{Case as StudyCase, Run};
use crate::book::BookDynamics;

/// Name of the only case.
pub const NAME: &str = "small-deflections";
/// Deflections of the tips of the links, over their length: powers of ten from 1e-1.
const DECADES: std::ops::RangeInclusive<i32> = 1..=6;
/// Names of the rows.
const NAMES: [&str; 3] = ["accelerations_loads_in_proportion", "torques_same_loads", "accelerations_same_loads"];

/// Sweeps with elastic rotations of first order, and with true rotations.
pub fn runs() -> Vec<Run> {
    let tips = [ElasticRotation::FirstOrder, ElasticRotation::RotationVector];
    tips.map(|tip| Run { case: StudyCase::BookConvergence, fidelity: Fidelity::Inconsistent, tip }).into()
}

/// Differences over the greatest acceleration or torque at a deflection of one, then their slopes over the last decade.
pub fn values(run: &Run) -> Result<Vec<Value>, Box<dyn Error>> {
    let curves = curves(run.tip)?;
    let mut out = Vec::new();
    for (name, curve) in NAMES.iter().zip(&curves) {
        let rows = DECADES.zip(curve).map(|(decade, value)| Value::new(format!("{name}_at_1e-{decade}"), None, *value));
        out.extend(rows);
    }
    for (name, curve) in NAMES.iter().zip(&curves) {
        let [.., before, last] = curve[..] else { continue };
        out.push(Value::new(format!("{name}_last_slope"), None, (before / last).log10()));
    }
    Ok(out)
}

/// The same as a picture.
pub fn picture() -> Result<String, Box<dyn Error>> {
    let curves = curves(ElasticRotation::FirstOrder)?;
    let names = ["loads in proportion", "torques, same loads", "same loads"];
    let curve = |(name, values): (&str, _)| Curve { name: name.into(), values };
    Ok(Plot {
        title: "Accelerations by Book's formulation and by the sweeps".into(),
        across: "deflection over length of a link",
        up: "relative difference",
        unit: "of the length",
        label: |i| format!("1e-{}", i + 1),
        curves: names.into_iter().zip(curves).map(curve).collect(),
    }
    .to_string())
}

/// The three differences at every deflection.
fn curves(tip: ElasticRotation) -> Result<[Vec<f64>; 3], Box<dyn Error>> {
    let mut curves = [Vec::new(), Vec::new(), Vec::new()];
    let full = Arm::new(1.0, 1.0)?.differences(tip)?;
    for decade in DECADES {
        let deflection = 10.0_f64.powi(-decade);
        let proportional = Arm::new(deflection, deflection)?.differences(tip)?;
        let same = Arm::new(deflection, 1.0)?.differences(tip)?;
        curves[0].push(proportional.accelerations[0] / full.accelerations[1]);
        curves[1].push(same.torques[0] / full.torques[1]);
        curves[2].push(same.accelerations[0] / full.accelerations[1]);
    }
    Ok(curves)
}

/// The arm, bent and loaded.
struct Arm {
    system: System,
    state: State,
    inputs: Inputs,
}

/// Greatest difference, and greatest value by the sweeps.
struct Differences {
    accelerations: [f64; 2],
    torques: [f64; 2],
}

impl Arm {
    /// Deflections of the tips over the length; loads, speeds and accelerations of the hinges as a fraction of the full ones.
    fn new(deflection: f64, load: f64) -> Result<Self, Box<dyn Error>> {
        let mut system = book_arm();
        system.gravity = system.gravity.map(|g| g * load);
        let model = Model::build(&system)?;
        let (mut state, mut inputs) = (State::new(&model), Inputs::new(&model));
        for (k, body) in model.body_indices().enumerate() {
            let wave = |i: usize| (1.0 + 2.3 * k as f64 + 1.7 * i as f64).sin();
            // The carrying node moves by the length of the link where the deflection is one.
            let next = system.bodies.get(k + 1).map(|body| body.parent);
            let tip = match next {
                Some(Parent::Body(_, node)) => &system.bodies[k].nodes[node.0].influence[..],
                _ => &[],
            };
            let reach = |r: usize| tip[r][3..].iter().map(|x| x * x).sum::<f64>().sqrt();
            for (r, (q, u)) in model.modal_coordinates(body).zip(model.modal_speeds(body)).enumerate() {
                let unit = deflection * LENGTH / (reach(r) * 3.0_f64.sqrt());
                state.coordinates[q] = unit * wave(r).signum();
                state.speeds[u] = unit * wave(r + 3);
                inputs.accelerations[u] = unit * wave(r + 6);
            }
            let (q, u) = (model.hinge_coordinates(body).start, model.hinge_speeds(body).start);
            state.coordinates[q] = wave(9);
            state.speeds[u] = load * wave(10);
            inputs.accelerations[u] = load * wave(11);
            inputs.forces[u] = load * 10.0 * wave(12);
        }
        Ok(Self { system, state, inputs })
    }

    fn differences(&self, tip: ElasticRotation) -> Result<Differences, Box<dyn Error>> {
        let Self { system, state, inputs } = self;
        let model = Model::build(system)?;
        let mut book = BookDynamics::new(system, &model)?;
        let free = book.accelerations(state, inputs)?.accelerations().to_vec();
        let matrix = book.inertia_matrix(state)?;
        let other = Model::build(&System { elastic_rotation: tip, ..system.clone() })?;
        let mut workspace = Workspace::new(&other);
        let sweeps = forward_dynamics(&other, state, inputs, &mut workspace)?.accelerations().to_vec();
        let forces = inverse_dynamics(&other, state, inputs, &mut workspace)?.forces();
        // Book's torques for the wanted accelerations: those applied, and J times what is wanted beyond the free accelerations.
        let entry = |i: usize, j: usize| matrix[i.max(j) * (i.max(j) + 1) / 2 + i.min(j)];
        let missing = |j: usize| inputs.accelerations[j] - free[j];
        let torque = |i: usize| inputs.forces[i] + (0..free.len()).map(|j| entry(i, j) * missing(j)).sum::<f64>();
        let hinges: Vec<usize> = model.body_indices().map(|body| model.hinge_speeds(body).start).collect();
        let largest = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0_f64, |m, x| m.max(x.abs()));
        Ok(Differences {
            accelerations: [
                largest(&mut free.iter().zip(&sweeps).map(|(x, y)| x - y)),
                largest(&mut sweeps.iter().copied()),
            ],
            torques: [
                largest(&mut hinges.iter().map(|&i| torque(i) - forces[i])),
                largest(&mut hinges.iter().map(|&i| forces[i])),
            ],
        })
    }
}
