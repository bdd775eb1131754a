//! Equations of motion as generated code: for one scenario, or for all runs of a study at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use supple::integrate;
use supple::{Inputs, State};
use supple_compile::Family;
use supple_compile::native::{Build, CompiledFamily};
use supple_io::scenario_file::Scenario;

use crate::closures::close_start;
use crate::{RunError, Start};

/// What all remedies end with.
const REMEDY: &str = "leave out --compiled";

/// The code of a scenario's equations of motion. By default it is compiled for each scenario; one made for a study serves scenarios whose models
/// differ in numbers.
#[derive(Clone, Debug, Default)]
pub struct Code(Option<Arc<Shared>>);

#[derive(Debug)]
struct Shared {
    family: Arc<CompiledFamily>,
    /// Models that it did not hold for.
    others: AtomicU64,
}

impl Code {
    /// One program for the models of a family; what acts is that of a scenario.
    ///
    /// # Errors
    /// What does not become code; no C compiler.
    pub(crate) fn shared(first: &Scenario, family: Family) -> Result<Self, RunError> {
        refuse(first)?;
        let start = Start::of(first)?;
        let mut state = start.state;
        close_start(first, &mut state, &start.inputs)?;
        let family = compiled(family, &state, &start.inputs)?;
        Ok(Self(Some(Arc::new(Shared { family: Arc::new(family), others: AtomicU64::new(0) }))))
    }

    /// How many models it did not hold for: their runs are those of the engine.
    pub fn others(&self) -> u64 {
        self.0.as_ref().map_or(0, |shared| shared.others.load(Ordering::Relaxed))
    }

    /// The equations of a scenario at its start; none where shared code does not hold for its model.
    ///
    /// # Errors
    /// What does not become code; no C compiler.
    pub(crate) fn equations(
        &self,
        scenario: &Scenario,
        state: &State,
        inputs: &Inputs,
    ) -> Result<Option<Box<dyn integrate::Formulation + Send>>, RunError> {
        refuse(scenario)?;
        let model = &scenario.model.model;
        let equations = match &self.0 {
            Some(shared) => shared.family.equations(model).or_else(|| {
                shared.others.fetch_add(1, Ordering::Relaxed);
                None
            }),
            None => {
                let family = Family::new(std::slice::from_ref(model)).map_err(RunError::cannot_begin)?;
                Arc::new(compiled(family, state, inputs)?).equations(model)
            }
        };
        Ok(equations.map(|equations| Box::new(equations) as Box<dyn integrate::Formulation + Send>))
    }
}

fn compiled(family: Family, state: &State, inputs: &Inputs) -> Result<CompiledFamily, RunError> {
    let failed = |error| RunError::unsupported(format!("the model cannot be compiled: {error}")).with_remedy(REMEDY);
    Build::default().family(family, state, inputs).map_err(failed)
}

/// What the sweeps alone would do, so that code would gain nothing.
fn refuse(scenario: &Scenario) -> Result<(), RunError> {
    let refused = [
        ("motions of closures", !scenario.closure_motions.is_empty()),
        ("closures held where they start", !scenario.held.is_empty()),
    ];
    match refused.into_iter().find(|(_, is_there)| *is_there) {
        Some((what, _)) => Err(RunError::unsupported(format!("{what} cannot be compiled")).with_remedy(REMEDY)),
        None => Ok(()),
    }
}
