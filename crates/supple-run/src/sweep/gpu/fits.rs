//! What the steps of a fleet cannot do, told before anything is made.

use supple::batch::StepScheme;
use supple_io::scenario_file::{Method, Scenario};

use super::super::Study;
use crate::RunError;
use crate::record::Recorder;

/// What all remedies end with.
const REMEDY: &str = "leave out --gpu; --compiled makes such runs on the processor";

/// The scheme of a scenario whose runs a fleet can make, and the length of its steps.
///
/// # Errors
/// What a fleet cannot do, by its key, with what to do about it.
pub fn scheme(scenario: &Scenario) -> Result<(StepScheme, f64), RunError> {
    let told = &scenario.integrator;
    let refused = |rule: String, remedy: &str| {
        let remedy = if remedy.is_empty() { REMEDY.to_owned() } else { format!("{remedy}, or {REMEDY}") };
        Err(RunError::unsupported(format!("runs on a GPU: {rule}")).with_remedy(remedy))
    };
    let kinds = "take --set integrator.kind=linearly-implicit (or rk4 where no mode is stiff) and --set integrator.step=SECONDS";
    let scheme = match told.method {
        Method::RungeKutta4 => StepScheme::RungeKutta,
        Method::LinearlyImplicit => StepScheme::LinearlyImplicit,
        _ => return refused("`integrator.kind` must be rk4 or linearly-implicit".into(), kinds),
    };
    let Some(step) = told.step else {
        let rule = "`integrator.step` is missing, and steps cannot follow a tolerance there";
        return refused(rule.into(), "fix the step with --set integrator.step=SECONDS");
    };
    if scheme == StepScheme::LinearlyImplicit && scenario.model.model.has_stiff_elements() {
        let rule = "linearly-implicit steps take no springs and dampers as force elements";
        return refused(rule.into(), "take --set integrator.kind=rk4 with a step that suits them");
    }
    if let Some(event) = scenario.events.first() {
        let rule = format!("event '{}' would have to be looked for within steps", event.name);
        return refused(rule, &format!("leave it out with --unset events.\"{}\"", event.name));
    }
    if !scenario.locks.is_empty() {
        return refused("hinges cannot be locked there".into(), "");
    }
    if !scenario.model.model.closures().is_empty() {
        return refused("closures are not brought together there after each step".into(), "");
    }
    if told.wall_seconds.is_some() {
        let rule = "`integrator.wall_seconds` cannot be kept, as all runs of a fleet end together";
        return refused(rule.into(), "leave it out with --unset integrator.wall_seconds");
    }
    Ok((scheme, told.greatest_step.map_or(step, |most| step.min(most))))
}

/// Refuses numbers from columns that add up over the steps.
///
/// # Errors
/// The first of them.
pub fn columns(study: &Study, scenario: &Scenario) -> Result<(), RunError> {
    let recorder = Recorder::new(scenario)?;
    let summed = recorder.sums();
    let of_steps = |name: &str| recorder.table().column(name).is_some_and(|place| summed[place]);
    match study.extracted().iter().find(|told| of_steps(&told.column)) {
        Some(told) => {
            let rule = format!("runs on a GPU: `{}` is added up step by step, which is not done there", told.column);
            let remedy = format!("extract another column in place of '{}', or {REMEDY}", told.name);
            Err(RunError::unsupported(rule).with_remedy(remedy).at(study.path()))
        }
        None => Ok(()),
    }
}
