//! Box 144 of US patent 5,546,508: correction of forces until hinges have the accelerations desired, by iteration and exactly; and its lagged form.

use std::error::Error;

use supple::integrate::{Scheme, Simulation, Stepping, Tolerance};
use supple::spatial::{Counted, Operations};
use supple::{ElasticRotation, Fidelity, Inputs, LaggedDynamics, Model, State, Workspace, forward_dynamics, generic};
use supple_bodies::catalogue::beam_chain::{beam_chain, usual_rotation};
use supple_control::{Correction, CorrectionLaw};

use super::row::Value;
use super::svg::{Curve, Plot};
use super::{Case as StudyCase, Run};
use crate::cost::moving_state;

/// A chain of beams and the angle by which each hinge but the first is bent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Case {
    /// Its name.
    pub name: &'static str,
    bodies: usize,
    fold: f64,
}

const MODES: usize = 4;
const CASES: [Case; 2] =
    [Case { name: "two-links", bodies: 2, fold: 2.4 }, Case { name: "six-links", bodies: 6, fold: 0.5 }];
/// Error of an acceleration that may be left, rad/s².
const TOLERANCE: f64 = 1e-9;
/// Most corrections.
const MOST: usize = 60;
const LAWS: [(&str, CorrectionLaw); 2] =
    [("iteration", CorrectionLaw::Iteration), ("gradient", CorrectionLaw::Gradient)];
/// Step sizes of the lagged form, s.
const STEPS: [f64; 4] = [2e-3, 1e-3, 5e-4, 2.5e-4];
/// Motion over which it is measured, s.
const MOTION: f64 = 0.2;

/// Both chains.
pub fn runs() -> Vec<Run> {
    let run = |case| Run {
        case: StudyCase::Correction(case),
        fidelity: Fidelity::Stiffened,
        tip: usual_rotation(Fidelity::Stiffened),
    };
    CASES.map(run).into()
}

/// The chain, bent and moving, with the accelerations desired of its hinges.
struct Arm {
    model: Model,
    state: State,
    inputs: Inputs,
    hinges: Vec<usize>,
}

/// What a law does.
struct Outcome {
    errors: Vec<f64>,
    forces: Vec<f64>,
    evaluations: usize,
    /// Greatest error of forward dynamics under the forces found.
    left: f64,
}

impl Arm {
    fn new(case: Case) -> Result<Self, Box<dyn Error>> {
        let system = supple::System {
            elastic_rotation: ElasticRotation::Integrated,
            ..beam_chain(case.bodies, MODES, Fidelity::Stiffened)
        };
        let model = Model::build(&system)?;
        let (mut state, mut inputs) = (State::new(&model), Inputs::new(&model));
        for (k, body) in model.body_indices().enumerate() {
            let wave = |i: usize| (1.0 + 2.3 * k as f64 + 1.7 * i as f64).sin();
            for (r, (q, u)) in model.modal_coordinates(body).zip(model.modal_speeds(body)).enumerate() {
                state.coordinates[q] = 1e-3 * wave(r) / (1.0 + r as f64).powi(2);
                state.speeds[u] = 1e-2 * wave(r + 3) / (1.0 + r as f64).powi(2);
            }
            let (q, u) = (model.hinge_coordinates(body).start, model.hinge_speeds(body).start);
            state.coordinates[q] = if k == 0 { 0.4 } else { case.fold };
            state.speeds[u] = 0.5 * wave(10);
            inputs.accelerations[u] = 3.0 * wave(11);
        }
        state.turn_nodes(&model);
        let hinges = model.body_indices().map(|body| model.hinge_speeds(body).start).collect();
        Ok(Self { model, state, inputs, hinges })
    }

    fn correct(&self, law: CorrectionLaw) -> Result<Outcome, Box<dyn Error>> {
        let Self { model, state, inputs, hinges } = self;
        let (mut inputs, mut workspace) = (inputs.clone(), Workspace::new(model));
        let mut correction = Correction::new(model, hinges, law, (MOST, TOLERANCE));
        let corrected = correction.correct(model, state, &mut inputs, &mut workspace)?;
        let found = forward_dynamics(model, state, &inputs, &mut workspace)?;
        let error = |speed: &usize| (inputs.accelerations[*speed] - found.accelerations()[*speed]).abs();
        Ok(Outcome {
            left: hinges.iter().map(error).fold(0.0, f64::max),
            forces: hinges.iter().map(|speed| inputs.forces[*speed]).collect(),
            errors: correction.errors().to_vec(),
            evaluations: corrected.evaluations,
        })
    }

    /// Operations of forward dynamics, of the factors that hold `D_R`, and of hybrid dynamics.
    fn operations(&self) -> Result<[f64; 3], Box<dyn Error>> {
        let model = self.model.cast::<Counted>();
        let (state, mut inputs) = (moving_state(&model), Inputs::new(&model));
        let mut workspace = Workspace::new(&model);
        let mut count = |work: &mut dyn FnMut(&mut Workspace<Counted>) -> Result<(), supple::DynamicsError>| {
            let before = Counted::operations();
            work(&mut workspace)?;
            let Operations { multiplications, additions, .. } = Counted::operations() - before;
            Ok::<f64, supple::DynamicsError>((multiplications + additions) as f64)
        };
        let forward = count(&mut |ws| generic::forward_dynamics(&model, &state, &inputs, ws).map(drop))?;
        let factor = count(&mut |ws| generic::mass_operator(&model, &state, ws).map(drop))?;
        inputs.prescribed.fill(true);
        let hybrid = count(&mut |ws| generic::hybrid_dynamics(&model, &state, &inputs, ws).map(drop))?;
        Ok([forward, factor, hybrid])
    }

    /// Greatest error of a hinge acceleration in the lagged form over the second half of a free motion, over the greatest acceleration.
    fn lag(&self, step: f64) -> Result<f64, Box<dyn Error>> {
        let Self { model, state, hinges, .. } = self;
        let (inputs, mut workspace) = (Inputs::new(model), Workspace::new(model));
        let stepping = Stepping::Adaptive(Tolerance { relative: 1e-10, absolute: 1e-12 });
        let free = |_: &State, _: &mut Inputs| {};
        let mut run = Simulation::new(model, state.clone(), free, Scheme::PrinceDormand8, stepping)?;
        let mut lagged = LaggedDynamics::new(model)?;
        let count = (MOTION / step).round() as usize;
        let (mut error, mut size) = (0.0_f64, 0.0_f64);
        for i in 0..=count {
            run.advance(step * i as f64)?;
            let found = lagged.step(model, run.state(), &inputs)?;
            let exact = forward_dynamics(model, run.state(), &inputs, &mut workspace)?;
            for speed in hinges.iter().filter(|_| 2 * i > count) {
                let (found, exact) = (found.accelerations()[*speed], exact.accelerations()[*speed]);
                (error, size) = (error.max((found - exact).abs()), size.max(exact.abs()));
            }
        }
        Ok(error / size)
    }
}

/// Errors of each step, operations, and errors of the lagged form.
pub fn values(case: Case) -> Result<Vec<Value>, Box<dyn Error>> {
    let arm = Arm::new(case)?;
    let mut out = Vec::new();
    let mut row = |quantity: String, ours: f64| out.push(Value::new(quantity, None, ours));
    let [forward, factor, hybrid] = arm.operations()?;
    let exact = arm.correct(CorrectionLaw::Exact)?;
    row("exact_left".into(), exact.left);
    row("exact_operations".into(), hybrid);
    for (name, law) in LAWS {
        let found = arm.correct(law)?;
        for (step, error) in found.errors.iter().enumerate() {
            row(format!("{name}_error_{step}"), *error);
        }
        let size = exact.forces.iter().fold(0.0_f64, |most, force| most.max(force.abs()));
        let pairs = found.forces.iter().zip(&exact.forces);
        let difference = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        row(format!("{name}_left"), found.left);
        row(format!("{name}_force_difference"), difference / size);
        row(format!("{name}_evaluations"), found.evaluations as f64);
        row(format!("{name}_operations"), factor + forward * found.evaluations as f64);
    }
    let lags = STEPS.iter().map(|step| arm.lag(*step)).collect::<Result<Vec<f64>, _>>()?;
    for (step, lag) in STEPS.iter().zip(&lags) {
        row(format!("lag_error_at_{}us", (step * 1e6).round()), *lag);
    }
    row("lag_order".into(), (lags[2] / lags[3]).log2());
    Ok(out)
}

/// The error of each step.
pub fn picture(case: Case) -> Result<String, Box<dyn Error>> {
    let arm = Arm::new(case)?;
    let mut curves = Vec::new();
    for ((_, law), name) in LAWS.into_iter().zip(["plain iteration", "conjugate gradients"]) {
        curves.push(Curve { name: name.into(), values: arm.correct(law)?.errors });
    }
    let exact = arm.correct(CorrectionLaw::Exact)?.left.max(f64::EPSILON);
    let start = curves[0].values[0];
    curves.push(Curve { name: "hybrid dynamics".into(), values: vec![start, exact] });
    Ok(Plot {
        title: format!("{}: error of hinge accelerations by corrections", case.name),
        across: "corrections",
        up: "greatest error, rad/s²",
        unit: "corrections",
        label: |i| i.to_string(),
        curves,
    }
    .to_string())
}
