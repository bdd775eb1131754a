//! A scenario under trial parameters: what its sensors would have measured, and how that changes with each parameter.
//!
//! Parameters are keys of files. The model, the start and the drives at a value and two neighbours of it give their derivatives by differences, which are exact to
//! rounding where they are linear in the parameter; along the motion derivatives are integrated exactly, see [`Sensitivities`].

use std::collections::BTreeMap;

use faer::Mat;
use supple::integrate::{Drive, IntegrationError, Limits, Response, Sensitivities, Variation};
use supple::{EquationMotion, Inputs, Model, State};
use supple_io::change::Change;
use supple_io::identification_file::{Identification, Parameter, RecordedInput};
use supple_io::scenario_file::{Curve, Samples, Scenario, Torque};
use supple_io::source::nearest;

use super::least_squares::Evaluation;
use crate::closures::close_start;
use crate::drive::ScenarioDrive;
use crate::{Interrupt, RunError, RunErrorKind, Start, effort, engine};

/// Half the distance of neighbours, relative to the scale of a parameter.
const STEP: f64 = 1e-4;

/// Times that differ by less are the same, s.
const ROUNDED: f64 = 1e-9;

/// What is compared with the recording.
pub(super) struct Experiment<'e> {
    pub problem: &'e Identification,
    changes: Vec<Change>,
    interrupt: Interrupt,
    /// What each measured column reads.
    responses: Vec<Response>,
    /// All times at which something was measured, with column and sample.
    samples: Vec<(f64, Vec<(usize, usize)>)>,
    /// Where the residuals of each column begin.
    pub starts: Vec<usize>,
    /// Standard deviations of the noise.
    pub noise: Vec<f64>,
    /// Columns with an offset, whose parameters follow the others.
    pub offsets: Vec<usize>,
}

/// A scenario at its start, ready to move.
struct Ready {
    scenario: Scenario,
    drive: ScenarioDrive,
    state: State,
    prescribed: Vec<bool>,
}

impl<'e> Experiment<'e> {
    /// Finds what the problem names.
    pub fn new(problem: &'e Identification, changes: &[Change], interrupt: &Interrupt) -> Result<Self, RunError> {
        let mut own = Self {
            problem,
            changes: changes.to_vec(),
            interrupt: interrupt.clone(),
            responses: Vec::new(),
            samples: Vec::new(),
            starts: Vec::new(),
            noise: Vec::new(),
            offsets: Vec::new(),
        };
        let values: Vec<f64> = problem.parameters.iter().map(|parameter| parameter.start).collect();
        let scenario = own.scenario(&values)?;
        check(&scenario)?;
        let model = &scenario.model.model;
        let (mut times, mut count) = (BTreeMap::new(), 0);
        for (c, measured) in problem.measured.iter().enumerate() {
            let response = Response::find(model, &measured.column).ok_or_else(|| unknown_column(model, measured))?;
            own.responses.push(response);
            own.starts.push(count);
            count += measured.values.len();
            for (k, time) in measured.times.iter().enumerate() {
                if *time < scenario.initial.time - ROUNDED || *time > scenario.duration + ROUNDED {
                    let what = format!(
                        "`{}` was measured at {time} s of a scenario that lasts {} s",
                        measured.column, scenario.duration
                    );
                    return Err(RunError::cannot_begin(what)
                        .on_line(Some(measured.line))
                        .with_remedy("set `from` and `to`, or the duration of the scenario"));
                }
                times.entry(time.to_bits()).or_insert_with(|| (*time, Vec::new())).1.push((c, k));
            }
            own.noise.push(measured.noise.unwrap_or_else(|| first_noise(&measured.values)));
            if measured.offset {
                own.offsets.push(c);
            }
        }
        own.samples = times.into_values().collect();
        own.samples.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (found, least) = (count, values.len() + own.offsets.len());
        if found <= least {
            return Err(RunError::cannot_begin(format!("{found} samples cannot determine {least} parameters"))
                .with_remedy("record more samples, or find fewer parameters"));
        }
        Ok(own)
    }

    /// Number of residuals of the recording.
    pub fn residual_count(&self) -> usize {
        self.problem.measured.iter().map(|measured| measured.values.len()).sum()
    }

    /// The scenario with these values of the parameters, recorded inputs included.
    pub fn scenario(&self, values: &[f64]) -> Result<Scenario, RunError> {
        let of_parameters =
            self.problem.parameters.iter().zip(values).flat_map(|(parameter, value)| parameter.changes(*value));
        let changes: Vec<Change> = self.changes.iter().cloned().chain(of_parameters).collect();
        let mut scenario = crate::read_changed(&self.problem.scenario, &changes)?;
        for input in &self.problem.inputs {
            let torque = torque(&scenario, input)?;
            scenario.torques.push(torque);
        }
        Ok(scenario)
    }

    fn ready(&self, values: &[f64]) -> Result<Ready, RunError> {
        let scenario = self.scenario(values)?;
        let mut drive = ScenarioDrive::new(&scenario).map_err(RunError::cannot_begin)?;
        let Start { mut state, inputs, .. } = Start::driven(&mut drive, &scenario)?;
        close_start(&scenario, &mut state, &inputs)?;
        Ok(Ready { scenario, drive, state, prescribed: inputs.prescribed })
    }

    /// How the scenario changes with a parameter, for a change of its scale.
    fn variation(&self, here: &Ready, values: &[f64], which: usize) -> Result<Variation, RunError> {
        let parameter = &self.problem.parameters[which];
        let h = STEP * parameter.scale;
        let at = |by: f64| -> Result<Ready, RunError> {
            let mut moved = values.to_vec();
            moved[which] += by;
            let [lower, upper] = parameter.bounds;
            if !(lower..=upper).contains(&moved[which]) {
                return Err(RunError::cannot_begin(format!(
                    "the parameter `{}` cannot leave its bounds",
                    parameter.name
                )));
            }
            self.ready(&moved)
        };
        // Beside a bound, or a value that the file does not accept, both neighbours are on the other side.
        let formulas =
            [([h, -h], [0.0, 0.5, -0.5]), ([h, 2.0 * h], [-1.5, 2.0, -0.5]), ([-h, -2.0 * h], [1.5, -2.0, 0.5])];
        let neighbours = |[a, b]: [f64; 2]| -> Result<[Ready; 2], RunError> { Ok([at(a)?, at(b)?]) };
        let mut found = neighbours(formulas[0].0).map(|near| (near, formulas[0].1));
        for (steps, weights) in &formulas[1..] {
            found = found.or_else(|_| neighbours(*steps).map(|near| (near, *weights)));
        }
        let (near, weights) = found.map_err(|error| of_parameter(error, parameter))?;
        let weights = weights.map(|w| w / STEP);
        let models = [&here.scenario.model.model, &near[0].scenario.model.model, &near[1].scenario.model.model];
        let model = Model::varied(models, weights).map_err(|error| {
            of_parameter(
                RunError::unsupported(format!("the structure of the model changes with it: {error}")),
                parameter,
            )
            .with_remedy("find it by several runs of fixed values")
        })?;
        let start = combined(&here.state, [&near[0].state, &near[1].state], weights);
        let [first, second] = near;
        let acts = !same_drives(&here.scenario, &first.scenario) || !same_drives(&here.scenario, &second.scenario);
        let drive = acts.then(|| -> Result<Box<dyn Drive + Send>, RunError> {
            let own = ScenarioDrive::new(&here.scenario).map_err(RunError::cannot_begin)?;
            let inputs = Inputs::new(&here.scenario.model.model);
            Ok(Box::new(DriveChange { drives: [own, first.drive, second.drive], weights, inputs }))
        });
        Ok(Variation { model, start, drive: drive.transpose()? })
    }

    /// Residuals at values in units of their scales, offsets last, and their Jacobian.
    pub fn evaluate(&self, x: &[f64], jacobian: bool) -> Result<Evaluation, RunError> {
        let parameters = &self.problem.parameters;
        let values = self.values(x);
        let here = self.ready(&values)?;
        let variations: Vec<Variation> = match jacobian {
            true => (0..parameters.len()).map(|p| self.variation(&here, &values, p)).collect::<Result<_, _>>()?,
            false => Vec::new(),
        };
        let (offsets, rows) = (&self.offsets, self.residual_count());
        let count = variations.len();
        let mut out = vec![0.0; rows];
        let mut matrix = Mat::zeros(rows, if jacobian { x.len() } else { 0 });
        self.follow(here, variations, |(c, k), value, slopes| {
            let (row, noise) = (self.starts[c] + k, self.noise[c]);
            let offset = offsets.iter().position(|o| *o == c);
            let shift = offset.map_or(0.0, |o| x[parameters.len() + o] * self.offset_scale(c));
            out[row] = (value + shift - self.problem.measured[c].values[k]) / noise;
            slopes.iter().enumerate().for_each(|(p, slope)| matrix[(row, p)] = slope / noise);
            if let Some(o) = offset.filter(|_| jacobian) {
                matrix[(row, parameters.len() + o)] = self.offset_scale(c) / noise;
            }
        })?;
        let priors: Vec<_> = parameters.iter().enumerate().filter_map(|(p, own)| Some((p, own, own.prior?))).collect();
        out.extend(priors.iter().map(|(p, _, [value, deviation])| (values[*p] - value) / deviation));
        let whole = Mat::from_fn(out.len(), matrix.ncols(), |i, j| match i.checked_sub(rows) {
            None => matrix[(i, j)],
            Some(prior) => {
                let (p, own, [_, deviation]) = priors[prior];
                if p == j { own.scale / deviation } else { 0.0 }
            }
        });
        debug_assert!(!jacobian || count == parameters.len());
        Ok(Evaluation { residuals: out, jacobian: jacobian.then_some(whole) })
    }

    /// Values of the parameters from those in units of their scales.
    pub fn values(&self, x: &[f64]) -> Vec<f64> {
        self.problem.parameters.iter().zip(x).map(|(parameter, x)| parameter.scale * x).collect()
    }

    /// Size of an offset that matters.
    pub fn offset_scale(&self, column: usize) -> f64 {
        first_noise(&self.problem.measured[column].values)
    }

    /// Follows the motion and shows every sample: its column and number, the value, and its derivatives.
    fn follow(
        &self,
        ready: Ready,
        variations: Vec<Variation>,
        mut show: impl FnMut((usize, usize), f64, &[f64]),
    ) -> Result<(), RunError> {
        let Ready { scenario, drive, state, prescribed } = ready;
        let failed = |error: IntegrationError| RunError::new(RunErrorKind::EndedEarly, error);
        let (values, count) = (self.responses.len(), variations.len());
        let how = engine::sensitivity_method(&scenario);
        let mut run = Sensitivities::new(&scenario.model.model, state, drive, variations, how).map_err(failed)?;
        run.prescribe(&prescribed).map_err(failed)?;
        run.limit_efforts(&effort::limits(&scenario)).map_err(failed)?;
        let greatest_step = scenario.integrator.greatest_step.unwrap_or(f64::INFINITY);
        run.set_limits(Limits { greatest_step, ..Limits::default() }).map_err(failed)?;
        let (mut read, mut slopes) = (vec![0.0; values], vec![0.0; values * count]);
        for (time, here) in &self.samples {
            if self.interrupt.is_set() {
                return Err(RunError::new(RunErrorKind::EndedEarly, "the identification was interrupted"));
            }
            run.advance(*time).map_err(failed)?;
            run.read(&self.responses, &mut read, &mut slopes)
                .map_err(|error| RunError::new(RunErrorKind::EndedEarly, format!("at t = {time}: {error}")))?;
            for (c, k) in here {
                show((*c, *k), read[*c], &slopes[c * count..(c + 1) * count]);
            }
        }
        Ok(())
    }

    /// Goes on although the user has ended the search.
    pub fn resume(&mut self) {
        self.interrupt = Interrupt::default();
    }

    /// Whether the user has ended it.
    pub fn is_interrupted(&self) -> bool {
        self.interrupt.is_set()
    }
}

/// What a scenario may not have.
fn check(scenario: &Scenario) -> Result<(), RunError> {
    if !scenario.blocks.is_empty() {
        return Err(RunError::unsupported(
            "the scenario has sensors, shapers or controllers, whose derivatives are not known",
        )
        .with_remedy("leave them out, and let the recorded torques act as [[input]]"));
    }
    if scenario.events.iter().any(|event| !event.switch.is_empty()) {
        return Err(RunError::unsupported("the scenario has events that switch closures or locks")
            .with_remedy("identify from the recording before the first of them"));
    }
    Ok(())
}

fn unknown_column(model: &Model, measured: &supple_io::identification_file::Measured) -> RunError {
    let names = model.variables().into_iter().map(|variable| variable.name);
    let of_nodes =
        model.body_indices().flat_map(|body| model.nodes_of(body)).flat_map(|node| model.node_variables(node));
    let all: Vec<String> = names.chain(of_nodes.map(|variable| variable.name)).collect();
    let near = nearest(&measured.column, all.iter().map(String::as_str));
    let remedy = near.map_or_else(
        || "name a hinge, speed, mode, node, strain, gyro or accelerometer of the model".to_owned(),
        |near| format!("did you mean `{near}`?"),
    );
    let what = format!("the model has no quantity `{}` to measure", measured.column);
    RunError::cannot_begin(what).on_line(Some(measured.line)).with_remedy(remedy)
}

/// An error that a parameter brings about.
fn of_parameter(mut error: RunError, parameter: &Parameter) -> RunError {
    error.message = format!("parameter `{}`: {}", parameter.name, error.message);
    error.on_line(Some(parameter.line))
}

/// A recorded torque in its hinge.
fn torque(scenario: &Scenario, input: &RecordedInput) -> Result<Torque, RunError> {
    let model = &scenario.model.model;
    let named = model
        .hinges()
        .find(|hinge| model.hinge_name(*hinge) == Some(&input.hinge) || model.name(hinge.body()) == input.hinge);
    let known: Vec<&str> = model.hinges().filter_map(|hinge| model.hinge_name(hinge)).collect();
    let wrong =
        |what: String, remedy: String| Err(RunError::cannot_begin(what).on_line(Some(input.line)).with_remedy(remedy));
    let Some(hinge) = named else {
        return wrong(format!("there is no hinge `{}`", input.hinge), format!("there are {}", known.join(", ")));
    };
    if hinge.speeds().len() != 1 || scenario.motions.iter().any(|motion| motion.body == hinge.body()) {
        let what = format!("no recorded torque can act in the hinge `{}`", input.hinge);
        return wrong(what, "name a hinge with one degree of freedom and without a prescribed motion".into());
    }
    let samples = Samples { times: input.times.clone(), values: input.values.clone() };
    let curve = if input.holds { Curve::Steps(samples) } else { Curve::Table(samples) };
    Ok(Torque { body: hinge.body(), speed: 0, curve })
}

/// Noise of a column of which nothing is known: a hundredth of how much it varies.
fn first_noise(values: &[f64]) -> f64 {
    let (low, high) = values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(*x), b.max(*x)));
    if high > low { 1e-2 * (high - low) } else { 1.0 }
}

/// `w₀ here + w₁ a + w₂ b` of all numbers of a state.
fn combined(here: &State, [a, b]: [&State; 2], w: [f64; 3]) -> State {
    let sum = |x: f64, y: f64, z: f64| if x == y && x == z { 0.0 } else { w[0] * x + w[1] * y + w[2] * z };
    let mut out = here.clone();
    let join = |out: &mut [f64], x: &[f64], y: &[f64], z: &[f64]| {
        out.iter_mut().enumerate().for_each(|(i, out)| *out = sum(x[i], y[i], z[i]));
    };
    join(&mut out.coordinates, &here.coordinates, &a.coordinates, &b.coordinates);
    join(&mut out.speeds, &here.speeds, &a.speeds, &b.speeds);
    for (i, out) in out.attitudes.iter_mut().enumerate() {
        join(&mut out.0, &here.attitudes[i].0, &a.attitudes[i].0, &b.attitudes[i].0);
    }
    out
}

/// Whether two scenarios let the same act.
fn same_drives(a: &Scenario, b: &Scenario) -> bool {
    // What a feedforward does depends on the model.
    a.feedforward.is_empty()
        && b.feedforward.is_empty()
        && a.torques == b.torques
        && a.motions == b.motions
        && a.wrenches == b.wrenches
        && a.closure_motions == b.closure_motions
        && a.motor_forces == b.motor_forces
}

/// The derivative of what acts.
struct DriveChange {
    drives: [ScenarioDrive; 3],
    weights: [f64; 3],
    inputs: Inputs,
}

impl Drive for DriveChange {
    fn drive(&mut self, state: &State, out: &mut Inputs) {
        out.forces.fill(0.0);
        out.accelerations.fill(0.0);
        out.element_forces.fill(0.0);
        out.closure_motions.fill(EquationMotion::STILL);
        for (i, (drive, w)) in self.drives.iter_mut().zip(self.weights).enumerate() {
            drive.drive(state, &mut self.inputs);
            let add = |to: &mut [f64], by: &[f64]| to.iter_mut().zip(by).for_each(|(to, by)| *to += w * by);
            add(&mut out.forces, &self.inputs.forces);
            add(&mut out.accelerations, &self.inputs.accelerations);
            add(&mut out.element_forces, &self.inputs.element_forces);
            for (to, by) in out.closure_motions.iter_mut().zip(&self.inputs.closure_motions) {
                to.displacement += w * by.displacement;
                to.speed += w * by.speed;
                to.acceleration += w * by.acceleration;
            }
            if i == 0 {
                out.wrenches.clone_from(&self.inputs.wrenches);
                out.wrenches.iter_mut().for_each(|wrench| wrench.force = wrench.force * w);
            } else {
                let wrenches = out.wrenches.iter_mut().zip(&self.inputs.wrenches);
                wrenches.for_each(|(to, by)| to.force += by.force * w);
            }
        }
    }

    fn breaks(&self) -> &[f64] {
        self.drives[0].breaks()
    }
}
