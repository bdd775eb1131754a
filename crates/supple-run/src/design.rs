//! Gains of regulators and filters of a scenario, from the linear model in the run's own start.

use supple::integrate::Role;
use supple::model::VariableKind;
use supple::{Inputs, Measurement, Model, State, Workspace, hybrid_dynamics, inverse_dynamics};
use supple_control::block::{HingePlace, Needs, PlantModel, Setting, Value};
use supple_control::linear::{LinearDesign, Schedule, Sizes};
use supple_io::scenario_file::ControlBlock;
use supple_linear::{Matrix, Selection, StateSpace, kalman_of_inputs, linearize, lqr, zero_order_hold};

/// What a block is made from, with gains where it needs some.
pub fn setting(block: &ControlBlock, start: &State, inputs: &Inputs) -> Result<Setting, String> {
    let mut setting = block.setting.clone();
    if block.kind.needs == Needs::Linear {
        let what = |why: String| format!("{} `{}`: {why}", block.table.word(), block.name);
        setting.schedule = Some(schedule(block, start, inputs).map_err(what)?);
    }
    Ok(setting)
}

/// A design for the start, or for each pose that the file names.
fn schedule(block: &ControlBlock, start: &State, inputs: &Inputs) -> Result<Schedule, String> {
    let setting = &block.setting;
    let plant = setting.plant.as_ref().ok_or("there is no model of the plant")?;
    let at_start: Vec<f64> = setting.hinges.iter().map(|place| start.coordinates[place.plant[0]]).collect();
    let mut poses = vec![at_start];
    if let Some(Value::Numbers(told)) = setting.values.get("poses") {
        let n = setting.hinges.len();
        if told.is_empty() || told.len() % n != 0 {
            return Err(format!("`poses` has {} numbers; give {n} for each pose, one for each hinge", told.len()));
        }
        poses = told.chunks(n).map(<[f64]>::to_vec).collect();
    }
    let measured = measurements(setting, &plant.model)?;
    if poses.len() > 1
        && let Some(place) = measured.iter().position(|measurement| !measurement.is_linear())
    {
        let name = &setting.measured[place];
        return Err(format!(
            "`{name}` depends on the pose; with several `poses` measure coordinates, speeds and strains"
        ));
    }
    let point = posed(plant, &setting.hinges, start, None);
    let mut designs = Vec::new();
    for pose in poses {
        let state = posed(plant, &setting.hinges, start, Some(&pose));
        let designer = Designer { block, model: &plant.model, state, inputs };
        let mut design = designer.design()?;
        // Deviations count from the start everywhere.
        design.x = point.coordinates.iter().chain(&point.speeds).copied().collect();
        design.y = designer.readings(&point, &design.u, &measured)?;
        designs.push((pose, design));
    }
    Schedule::new(designs).ok_or_else(|| "the designs at the poses do not fit each other".to_owned())
}

/// The state of the controller's model at the start, with its hinges at a pose.
fn posed(plant: &PlantModel, hinges: &[HingePlace], start: &State, pose: Option<&[f64]>) -> State {
    let mut state = State::new(&plant.model);
    for &[theirs, own] in &plant.coordinates {
        state.coordinates[own] = start.coordinates[theirs];
    }
    for (place, angle) in hinges.iter().zip(pose.unwrap_or_default()) {
        state.coordinates[place.own[0]] = *angle;
    }
    state.turn_nodes(&plant.model);
    state
}

/// What the sensors of a filter measure.
fn measurements(setting: &Setting, model: &Model) -> Result<Vec<Measurement>, String> {
    let find =
        |name: &String| Measurement::find(model, name).ok_or_else(|| format!("the controller's model has no `{name}`"));
    setting.measured.iter().map(find).collect()
}

/// A design at one pose.
struct Designer<'d> {
    block: &'d ControlBlock,
    model: &'d Model,
    state: State,
    inputs: &'d Inputs,
}

impl Designer<'_> {
    fn design(&self) -> Result<LinearDesign, String> {
        let setting = &self.block.setting;
        let (system, efforts) = self.linear_model()?;
        let (n, m, p) = (system.a.rows(), setting.hinges.len(), setting.measured.len());
        if n != self.model.coordinate_count() + self.model.speed_count() {
            let what = "its linear model leaves out coordinates of the model";
            return Err(format!("{what}; free hinges with prescribed motions, and open closures"));
        }
        let own = StateSpace {
            b: Matrix::from_fn(n, m, |i, j| system.b[(i, j)]),
            d: Matrix::from_fn(p, m, |i, j| system.d[(i, j)]),
            inputs: system.inputs[..m].to_vec(),
            ..system.clone()
        };
        let plain = |matrix: &Matrix| matrix.as_slice().to_vec();
        let filters = !setting.measured.is_empty();
        let regulates = self.block.kind.role == Role::Controller;
        let feedback = if regulates { self.feedback(&own)? } else { vec![0.0; m * n] };
        let correction = if filters { self.correction(&system)? } else { Vec::new() };
        Ok(LinearDesign {
            sizes: Sizes { states: n, inputs: m, outputs: p },
            a: plain(&own.a),
            b: plain(&own.b),
            c: plain(&own.c),
            d: plain(&own.d),
            feedback,
            correction,
            x: Vec::new(),
            u: efforts,
            y: Vec::new(),
        })
    }

    /// The sampled model, from efforts at the hinges of the block and forces on all modes, where efforts hold it; and these efforts.
    fn linear_model(&self) -> Result<(StateSpace, Vec<f64>), String> {
        let setting = &self.block.setting;
        let told = |error: &dyn std::fmt::Display| format!("{error}");
        let mut inputs = self.held();
        let mut workspace = Workspace::new(self.model);
        let forces = inverse_dynamics(self.model, &self.state, &inputs, &mut workspace).map_err(|e| told(&e))?;
        let efforts: Vec<f64> = setting.hinges.iter().map(|place| forces.forces()[place.own[1]]).collect();
        for (place, effort) in setting.hinges.iter().zip(&efforts) {
            inputs.forces[place.own[1]] = *effort;
        }
        let variables = self.model.variables();
        let force = |speed: usize| {
            let of = |v: &&supple::model::Variable| v.kind == VariableKind::HingeForceInput && v.index == speed;
            variables.iter().find(of).map(|v| v.name.clone()).ok_or("a hinge has no force")
        };
        let mut names = setting.hinges.iter().map(|place| force(place.own[1])).collect::<Result<Vec<_>, _>>()?;
        if variables.iter().any(|variable| variable.kind == VariableKind::ModalForceInput) {
            names.push("mode_force.*".to_owned());
        }
        let selection = Selection { inputs: names, outputs: setting.measured.clone() };
        let system = linearize(self.model, &self.state, &inputs, &selection).map_err(|e| told(&e))?;
        Ok((zero_order_hold(&system, setting.period, 0.0).map_err(|e| told(&e))?, efforts))
    }

    /// Inputs of the model, with hinges prescribed as in the run.
    fn held(&self) -> Inputs {
        let mut inputs = Inputs::new(self.model);
        if inputs.prescribed.len() == self.inputs.prescribed.len() {
            inputs.prescribed.copy_from_slice(&self.inputs.prescribed);
        }
        inputs
    }

    /// What the sensors read in a state, under efforts at the hinges of the block.
    fn readings(&self, at: &State, efforts: &[f64], measured: &[Measurement]) -> Result<Vec<f64>, String> {
        let (mut inputs, mut workspace) = (self.held(), Workspace::new(self.model));
        for (place, effort) in self.block.setting.hinges.iter().zip(efforts) {
            inputs.forces[place.own[1]] = *effort;
        }
        let found = hybrid_dynamics(self.model, at, &inputs, &mut workspace).map_err(|error| error.to_string())?;
        let accelerations = found.accelerations().to_vec();
        let read = |measurement: &Measurement| {
            let value = measurement.value(self.model, at, &accelerations, &mut workspace);
            value.map_err(|error| error.to_string())
        };
        measured.iter().map(read).collect()
    }

    /// Numbers of a key, one for all or one for each, or their default.
    fn numbers(&self, key: &'static str, count: usize, otherwise: f64) -> Result<Vec<f64>, String> {
        let setting = &self.block.setting;
        if !setting.values.contains_key(key) {
            return Ok(vec![otherwise; count]);
        }
        setting.numbers(key, count).map_err(|error| error.to_string())
    }

    fn feedback(&self, own: &StateSpace) -> Result<Vec<f64>, String> {
        let n = own.a.rows();
        let q = match self.block.setting.values.get("q") {
            // Row after row.
            Some(Value::Numbers(all)) if n > 1 && all.len() == n * n => Matrix::from_fn(n, n, |i, j| all[i * n + j]),
            _ => diagonal(&self.numbers("q", n, 1.0)?),
        };
        let r = diagonal(&self.numbers("r", own.b.columns(), 1.0)?);
        let regulator = lqr(own, &q, &r).map_err(|error| error.to_string())?;
        Ok(regulator.gain.as_slice().to_vec())
    }

    fn correction(&self, system: &StateSpace) -> Result<Vec<f64>, String> {
        let (m, all) = (self.block.setting.hinges.len(), system.b.columns());
        let mut noise = self.numbers("process_noise", m, 1.0)?;
        let modes = self.block.setting.number_or("mode_noise", 0.0).map_err(|error| error.to_string())?;
        noise.resize(all, modes);
        let w: Vec<f64> = noise.iter().map(|x| x * x).collect();
        let v: Vec<f64> = self.block.setting.sensor_noise.iter().map(|x| x * x).collect();
        let filter = kalman_of_inputs(system, &diagonal(&w), &diagonal(&v)).map_err(|error| error.to_string())?;
        Ok(filter.gain.as_slice().to_vec())
    }
}

fn diagonal(entries: &[f64]) -> Matrix {
    Matrix::from_fn(entries.len(), entries.len(), |i, j| if i == j { entries[i] } else { 0.0 })
}
