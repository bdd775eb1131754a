//! One program for all runs of a study.

use supple::Model;
use supple_compile::Family;
use supple_compile::family::SAMPLES;
use supple_io::scenario_file::Scenario;

use super::{Sampling, Study};
use crate::compiled::Code;
use crate::{Formulation, RunError};

/// What the keys of models start with.
const MODEL: &str = "model.";

impl Study {
    /// The same study, whose runs take their equations of motion from generated code: one program, in which every number that differs among the models of some runs is an input. Runs
    /// whose models it does not hold for are made by the engine; [`Code::others`] counts them.
    ///
    /// Rows agree with those of the engine to rounding. They are the same to the bit on processors of one kind with one compiler.
    ///
    /// # Errors
    /// Runs whose models differ in more than numbers; what does not become code; no C compiler.
    pub fn compiled(self) -> Result<Self, RunError> {
        let sampled = self.sampled()?;
        let family = self.family(&sampled, "--compiled")?;
        let code = Code::shared(&sampled[0].1, family).map_err(|error| error.of_scenario(self.scenario_path()))?;
        Ok(self.with_formulation(Formulation::Compiled(code)))
    }

    /// What the models of some runs have in common; `option` asks for it.
    pub(super) fn family(&self, sampled: &[(u64, Scenario)], option: &str) -> Result<Family, RunError> {
        let models: Vec<Model> = sampled.iter().map(|(_, scenario)| scenario.model.model.clone()).collect();
        Family::new(&models).map_err(|difference| {
            let (first, scenario) = &sampled[0];
            let body = difference.body.and_then(|body| scenario.model.system.bodies.get(body.0));
            let of_body = body.map(|body| format!("of body '{}' ", body.name)).unwrap_or_default();
            let other = sampled.get(difference.model).map_or(0, |(run, _)| *run);
            let what = difference.difference;
            let message = format!(
                "the model of run {other} is not that of run {first} with other numbers: {of_body}{what} different"
            );
            let keys = self.model_keys().join(", ");
            let remedy = format!("leave out {option}, or let keys of the model ({keys}) change numbers alone");
            RunError::unsupported(message).with_remedy(remedy).at(self.path())
        })
    }

    /// Keys of the model that vary.
    fn model_keys(&self) -> Vec<&str> {
        let keys = self.file().varied.iter().flat_map(|varied| varied.keys.iter());
        keys.map(String::as_str).filter(|key| key.starts_with(MODEL)).collect()
    }

    /// Runs all over the study that can begin, one at least. More samples of studies that can be extended change none of them.
    pub(super) fn sampled(&self) -> Result<Vec<(u64, Scenario)>, RunError> {
        let content = &*self.0;
        let values = content.file.dimensions as u64;
        let (count, stride) = match self.sampling() {
            Sampling::Random | Sampling::SobolSequence => (u64::MAX, 1),
            Sampling::Morris { .. } => (u64::MAX, values + 1),
            Sampling::SobolIndices => (u64::MAX, values + 2),
            // Coprime to most lengths of lists, so that all values change.
            Sampling::Grid | Sampling::LatinHypercube => (self.runs(), (self.runs() / SAMPLES as u64).max(1) | 1),
        };
        let runs = (0..4 * SAMPLES as u64).map(|i| i * stride).take_while(|run| *run < count);
        let read = |run| Some((run, content.template.with(&content.own_changes(run)).ok()?));
        let found: Vec<(u64, Scenario)> = runs.filter_map(read).take(SAMPLES).collect();
        if found.is_empty() { Err(RunError::cannot_begin("no run can begin").at(self.path())) } else { Ok(found) }
    }
}
