//! Steps of a plant as generated code: the step of its integrator, compiled for the model.

use supple::integrate::GivenStep;
use supple::model::ModelStamp;
use supple::{DynamicsError, Inputs, Model, State};
use supple_compile::native::{Build, Compiled, Memory};
use supple_compile::{Recording, Verb};
use supple_io::scenario_file::{Method, Scenario};

use super::laws::Laws;
use crate::closures::close_start;
use crate::{RunError, Start};

/// A step as code. Allocates nothing.
struct CodeStep {
    model: Model,
    /// Which closures act, here and where it was recorded.
    closed: Vec<bool>,
    code: Compiled,
    memory: Memory,
}

impl GivenStep for CodeStep {
    fn stamp(&self) -> ModelStamp {
        self.model.stamp()
    }

    fn step(&mut self, state: &State, inputs: &Inputs, h: f64, end: &mut [f64]) -> Result<(), DynamicsError> {
        if state.closed != self.closed {
            return Err(DynamicsError::OtherModel { what: "generated step, made for other closures," });
        }
        self.memory.step = h;
        let reached = self.code.call(state, inputs, &mut self.memory);
        // What the code refuses the engine can name.
        let reached = reached.map_err(|_| {
            let found = state.check(&self.model).and_then(|()| inputs.check(&self.model));
            found.err().unwrap_or(DynamicsError::Overflow { quantity: "the step of the generated code" })
        })?;
        end.copy_from_slice(reached);
        Ok(())
    }
}

/// The steps of a plant, where they are to be code.
///
/// # Errors
/// An integrator whose steps do not become code, what acts otherwise than by forces in hinges, columns that steps of code do not know; no C compiler.
pub(super) fn code_step(scenario: &Scenario, laws: Laws) -> Result<Option<Box<dyn GivenStep + Send>>, RunError> {
    if laws == Laws::Plain {
        return Ok(None);
    }
    let (model, verb) = (&scenario.model.model, verb(scenario)?);
    let Start { mut state, inputs, .. } = Start::of(scenario)?;
    close_start(scenario, &mut state, &inputs)?;
    let recording = Recording { model, state: Some(&state), verb: &verb, parameters: &[] };
    let code = Build::default().compiled(&recording).map_err(RunError::cannot_begin)?;
    let memory = code.memory();
    Ok(Some(Box::new(CodeStep { model: model.clone(), closed: state.closed, code, memory })))
}

/// The step of the integrator as a verb, where everything around it allows that.
fn verb(scenario: &Scenario) -> Result<Verb, RunError> {
    let refused = |what: String, remedy: &str| Err(RunError::unsupported(what).with_remedy(remedy));
    let others = [
        ("motions", scenario.motions.is_empty() && scenario.closure_motions.is_empty()),
        ("wrenches", scenario.wrenches.is_empty()),
        ("closures that are held", scenario.held.is_empty()),
        ("closures that an event opens or closes", scenario.events.iter().all(|event| event.switch.is_empty())),
    ];
    if let Some((what, _)) = others.iter().find(|(_, is_empty)| !is_empty) {
        return refused(format!("{what} of a scenario cannot be compiled"), "leave out --compiled");
    }
    if scenario.results.columns.iter().any(|column| column == "energy") {
        let what =
            "compiled steps compute no energy balance, which the columns `energy` of the results need".to_owned();
        return refused(what, "leave out `energy` or --compiled");
    }
    match scenario.integrator.method {
        Method::RungeKutta4 => Ok(Verb::Rk4Step),
        Method::LinearlyImplicit => Ok(Verb::LinearlyImplicitStep),
        other => {
            let remedy = "choose rk4 or linearly-implicit, or leave out --compiled";
            refused(format!("steps of the integrator {other:?} cannot be compiled"), remedy)
        }
    }
}
