//! Where a loop of plant and controllers is at rest.
//!
//! Hinges that controllers hold are those whose efforts depend on where they are, or are integrated from an error. With such hinges held at `q`, and
//! all else in equilibrium, what is left is driven to zero by Newton's method:
//!
//! ```text
//! e(q) = 0                       where a controller integrates the error e
//! u(q) - h(q) = 0                elsewhere: what controllers give, less what holds the hinge
//! ```
//!
//! What a controller integrates then starts at what is lacking, `h - u`. Regulators whose gains are designed at the start of the run hold it as they find
//! it, at their reference.

use supple::integrate::{BlockIndex, Scheme, Simulation, Stepping};
use supple::{Inputs, Model, State};
use supple_control::block::Needs;
use supple_io::scenario_file::{Connection, ControlBlock, Scenario};
use supple_linear::{Equilibrium, equilibrium};

use crate::control::{self, Begin, Part};
use crate::start::no_equilibrium;
use crate::{RunError, Start, effort};

/// Steps of Newton's method.
const MOST_STEPS: usize = 30;
/// Change of a coordinate over which forces and errors are differenced, rad or m.
const DIFFERENCE: f64 = 1e-6;
/// No step is longer, rad or m.
const LONGEST: f64 = 0.5;
/// What is left may be this part of the forces, or of a radian or metre, in a start at rest.
const AT_REST: f64 = 1e-9;
/// Below this part it cannot be made smaller.
const ROUNDED: f64 = 1e-15;

/// A hinge on which blocks act.
struct Hinge {
    name: String,
    body: usize,
    coordinate: usize,
    speed: usize,
    /// The block whose integral can hold it.
    integrator: Option<usize>,
}

/// A plant with its controllers.
pub struct ClosedLoop<'s> {
    scenario: &'s Scenario,
    /// What acts besides them.
    inputs: Inputs,
    /// Hinges that are held by feedback: those of regulators to be designed, and others.
    designed: Vec<Hinge>,
    held: Vec<Hinge>,
}

/// The loop with its hinges at some place.
struct At {
    found: Equilibrium,
    /// What is asked for at each speed.
    asked: Vec<f64>,
    /// What is left at each held hinge: a force, or an error.
    left: Vec<f64>,
}

impl<'s> ClosedLoop<'s> {
    /// Finds out which hinges are held.
    pub fn new(scenario: &'s Scenario, start: &Start) -> Result<Self, RunError> {
        let model = &scenario.model.model;
        let mut own = Self { scenario, inputs: start.inputs.clone(), designed: Vec::new(), held: Vec::new() };
        let (asked, errors) = own.respond(&start.state)?;
        for body in model.body_indices().filter(|body| model.hinge_speeds(*body).len() == 1) {
            let (coordinate, speed) = (model.hinge_coordinates(body).start, model.hinge_speeds(body).start);
            let acting = |block: &&ControlBlock| block.acts.contains(&speed);
            if own.inputs.prescribed[body.0] || !scenario.blocks.iter().any(|block| acting(&block)) {
                continue;
            }
            let integrator =
                scenario.blocks.iter().enumerate().find(|(place, block)| acting(block) && errors[*place].is_some());
            let told = &scenario.model.system.bodies[body.0];
            let name = told.hinge.name.clone().unwrap_or_else(|| told.name.clone());
            let hinge = Hinge { name, body: body.0, coordinate, speed, integrator: integrator.map(|(place, _)| place) };
            if scenario.blocks.iter().any(|block| acting(&block) && block.kind.needs == Needs::Linear) {
                own.designed.push(hinge);
                continue;
            }
            let mut moved = start.state.clone();
            moved.coordinates[coordinate] += DIFFERENCE;
            moved.turn_nodes(model);
            if hinge.integrator.is_some() || own.respond(&moved)?.0[speed] != asked[speed] {
                own.held.push(hinge);
            } else {
                // Whatever acts there does so wherever the hinge is.
                own.inputs.forces[speed] = asked[speed];
            }
        }
        for hinge in own.designed.iter().chain(&own.held) {
            own.inputs.prescribed[hinge.body] = true;
        }
        Ok(own)
    }

    /// The start at rest.
    pub fn settled(&self, start: Start) -> Result<Start, RunError> {
        let model = &self.scenario.model.model;
        let mut state = start.state.clone();
        for hinge in &self.designed {
            if let Some(reference) = self.reference(hinge, &state)? {
                state.coordinates[hinge.coordinate] = reference;
            }
        }
        let first = self.at(&state)?;
        let forces = |hinge: &Hinge| first.found.forces[hinge.speed].abs().max(first.asked[hinge.speed].abs());
        let force = self.held.iter().map(forces).fold(f64::MIN_POSITIVE, f64::max);
        let sizes: Vec<f64> =
            self.held.iter().map(|hinge| if hinge.integrator.is_some() { 1.0 } else { force }).collect();
        let here = self.search(first, &sizes)?;
        let mut begin = vec![0.0; self.scenario.blocks.len()];
        let mut doubts = Vec::new();
        if !here.found.stable {
            let growth = here.found.growth;
            doubts.push(format!(
                "the equilibrium at the start is not stable: small motions about it grow at a rate of {growth:.3e} 1/s"
            ));
        }
        let limits = effort::limits(self.scenario);
        for (hinge, (left, size)) in self.held.iter().zip(here.left.iter().zip(&sizes)) {
            let rests = left.abs() <= AT_REST * size;
            let [needed, given] = [&here.found.forces, &here.asked].map(|forces| forces[hinge.speed]);
            if let Some(place) = hinge.integrator.filter(|_| rests) {
                begin[place] = needed - given;
            }
            let unit = model_unit(model, hinge);
            if let Some((_, limit)) =
                limits.iter().find(|(speed, limit)| *speed == hinge.speed && needed.abs() > *limit)
            {
                doubts.push(format!(
                    "at the start hinge '{}' needs {needed:.4} {unit} to be held, more than its effort_limit of {limit} {unit}; it will move",
                    hinge.name
                ));
            } else if !rests {
                doubts.push(format!(
                    "the controllers do not hold hinge '{}' at the start: they give {given:.4} {unit}, but {needed:.4} {unit} are needed; \
                     check gains and references, or give it a controller that integrates its error",
                    hinge.name
                ));
            }
        }
        let mut inputs = Inputs { prescribed: start.inputs.prescribed, ..self.inputs.clone() };
        for hinge in self.designed.iter().chain(&self.held) {
            inputs.forces[hinge.speed] = here.found.forces[hinge.speed];
        }
        Ok(Start { state: here.found.state, inputs, doubts, begin: Some(begin) })
    }

    /// The reference of a regulator at the start, where it has one of its own.
    fn reference(&self, hinge: &Hinge, state: &State) -> Result<Option<f64>, RunError> {
        let regulates = |block: &&ControlBlock| block.acts.contains(&hinge.speed) && block.kind.needs == Needs::Linear;
        let Some(block) = self.scenario.blocks.iter().find(regulates) else { return Ok(None) };
        let place = block.acts.iter().position(|speed| *speed == hinge.speed).unwrap_or_default();
        if !block.setting.is_connected("reference") {
            return Ok(None);
        }
        // It is the first input of a regulator.
        Ok(match block.inputs.get(place) {
            Some(Connection::Constant(value)) => Some(*value),
            Some(Connection::Output { block, output }) => {
                self.simulate(state)?.block_outputs(BlockIndex(*block)).map(|outputs| outputs[*output])
            }
            _ => None,
        })
    }

    /// The loop in a state, without errors of sensors and delays.
    fn simulate(&self, state: &State) -> Result<Simulation, RunError> {
        let model = &self.scenario.model.model;
        let acting = self.inputs.clone();
        let drive = move |_: &State, inputs: &mut Inputs| inputs.clone_from(&acting);
        let cannot = |error: supple::integrate::IntegrationError| no_equilibrium(error);
        let mut simulation = Simulation::new(model, state.clone(), drive, Scheme::DormandPrince, Stepping::Fixed(1.0))
            .map_err(cannot)?;
        let blocks = control::blocks(self.scenario, (state, &self.inputs), Begin::Trial, Part::Whole)?;
        simulation.set_blocks(blocks).map_err(cannot)?;
        Ok(simulation)
    }

    /// What is asked for in a state, and the errors that blocks integrate.
    fn respond(&self, state: &State) -> Result<(Vec<f64>, Vec<Option<f64>>), RunError> {
        let mut simulation = self.simulate(state)?;
        let asked = simulation.asked_efforts().map_err(no_equilibrium)?.to_vec();
        let errors = (0..self.scenario.blocks.len()).map(|place| simulation.integrated_error(BlockIndex(place)));
        Ok((asked, errors.collect()))
    }

    /// The loop with its hinges where they are in a state, and all else in equilibrium.
    fn at(&self, state: &State) -> Result<At, RunError> {
        let mut state = state.clone();
        self.designed.iter().chain(&self.held).for_each(|hinge| state.speeds[hinge.speed] = 0.0);
        let found = equilibrium(&self.scenario.model.model, &state, &self.inputs).map_err(no_equilibrium)?;
        let (asked, errors) = self.respond(&found.state)?;
        let left = |hinge: &Hinge| match hinge.integrator.and_then(|place| errors[place]) {
            Some(error) => error,
            None => asked[hinge.speed] - found.forces[hinge.speed],
        };
        let left = self.held.iter().map(left).collect();
        Ok(At { found, asked, left })
    }

    /// Newton's method; where it does not get anywhere, hinges stay where they were.
    fn search(&self, first: At, sizes: &[f64]) -> Result<At, RunError> {
        let n = self.held.len();
        let size = |at: &At| at.left.iter().zip(sizes).fold(0.0_f64, |most, (left, size)| most.max(left.abs() / size));
        let mut best = first;
        for _ in 0..MOST_STEPS {
            if size(&best) <= ROUNDED {
                break;
            }
            let here = &best;
            let mut jacobian = vec![0.0; n * n];
            for (column, hinge) in self.held.iter().enumerate() {
                let mut moved = here.found.state.clone();
                moved.coordinates[hinge.coordinate] += DIFFERENCE;
                let there = self.at(&moved)?;
                for row in 0..n {
                    jacobian[row * n + column] = (there.left[row] - here.left[row]) / (DIFFERENCE * sizes[row]);
                }
            }
            let Some(step) = solve(jacobian, here.left.iter().zip(sizes).map(|(left, size)| -left / size).collect())
            else {
                break;
            };
            let longest = step.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            let mut part = (LONGEST / longest).min(1.0);
            let mut next = None;
            for _ in 0..8 {
                let mut state = here.found.state.clone();
                self.held.iter().zip(&step).for_each(|(hinge, x)| state.coordinates[hinge.coordinate] += part * x);
                // A place without an equilibrium is too far away.
                next = self.at(&state).ok().filter(|there| size(there) < size(here));
                if next.is_some() {
                    break;
                }
                part *= 0.5;
            }
            match next {
                Some(next) => best = next,
                None => break,
            }
        }
        Ok(best)
    }
}

fn model_unit(model: &Model, hinge: &Hinge) -> &'static str {
    let variables = model.variables();
    let own =
        |v: &&supple::model::Variable| v.kind == supple::model::VariableKind::HingeForceInput && v.index == hinge.speed;
    variables.iter().find(own).map_or("N m", |variable| variable.unit)
}

/// Solves `a x = b` by elimination with row exchanges; none where the rows depend on each other.
fn solve(mut a: Vec<f64>, mut b: Vec<f64>) -> Option<Vec<f64>> {
    let n = b.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|i, j| a[i * n + k].abs().total_cmp(&a[j * n + k].abs()))?;
        if a[pivot * n + k] == 0.0 || !a[pivot * n + k].is_finite() {
            return None;
        }
        (0..n).for_each(|j| a.swap(k * n + j, pivot * n + j));
        b.swap(k, pivot);
        for i in k + 1..n {
            let factor = a[i * n + k] / a[k * n + k];
            (k..n).for_each(|j| a[i * n + j] -= factor * a[k * n + j]);
            b[i] -= factor * b[k];
        }
    }
    for k in (0..n).rev() {
        let sum: f64 = (k + 1..n).map(|j| a[k * n + j] * b[j]).sum();
        b[k] = (b[k] - sum) / a[k * n + k];
    }
    b.iter().all(|x| x.is_finite()).then_some(b)
}
