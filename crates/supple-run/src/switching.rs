//! Events that close and open closures, lock and unlock hinges.

use supple::integrate::{Request, Simulation, Switched};
use supple::{Workspace, closure_separation};
use supple_io::results::{ActionKind, ActionSummary};
use supple_io::scenario_file::{Event, Scenario};

/// Deviations below this are rounding, m or rad.
const MISS: f64 = 1e-6;

/// What an event did, and what there is to warn of.
pub struct Done {
    pub actions: Vec<ActionSummary>,
    pub warnings: Vec<String>,
    /// Whether a closure rebounded: the way back is no crossing.
    pub rebounded: bool,
}

/// Does what an event asks for, at the state reached.
pub fn carry_out(run: &mut Simulation, scenario: &Scenario, event: &Event) -> Result<Done, String> {
    let (model, switch) = (&scenario.model.model, &event.switch);
    let handles: Vec<_> = model.closure_handles().collect();
    let name = |i: usize| model.closures()[i].name.clone().unwrap_or_else(|| i.to_string());
    let time = run.state().time;
    let failed = |error: &dyn std::fmt::Display| format!("event `{}` at t = {time}: {error}", event.name);
    let mut requests: Vec<Request> = switch.open.iter().map(|i| Request::Open { closure: handles[*i] }).collect();
    requests.extend(switch.hold.iter().map(|i| Request::Hold { closure: handles[*i] }));
    let (mut warnings, mut workspace) = (Vec::new(), Workspace::new(model));
    let closing = switch.close.iter().zip(&switch.restitution);
    for (&i, restitution) in closing.filter(|(i, _)| !run.state().closed[**i]) {
        let apart =
            closure_separation(model, run.state(), run.inputs(), handles[i], &mut workspace).map_err(|e| failed(&e))?;
        let (miss, tolerance) = (apart.deviation, switch.tolerance);
        if miss > tolerance {
            return Err(failed(&format!(
                "closure `{}` is open by {miss:.3e} (m or rad), more than the `tolerance` of {tolerance:e}; hold the frames where they \
                 are with `as_is = true`, let the event happen where they meet, or allow more",
                name(i)
            )));
        }
        if miss > MISS {
            warnings.push(failed(&format!("closure `{}` was open by {miss:.3e} (m or rad) when it closed", name(i))));
        }
        let restitution = if apart.speed < switch.rest_speed { 0.0 } else { *restitution };
        requests.push(Request::Close { closure: handles[i], restitution });
    }
    run.clear_switched();
    run.switch(&requests).map_err(|error| failed(&error))?;
    let summary = |Switched { request, impact, .. }: &Switched| ActionSummary {
        closure: name(request.closure().closure()),
        kind: match request {
            Request::Open { .. } => ActionKind::Opened,
            Request::Hold { .. } => ActionKind::Held,
            Request::Close { restitution, .. } if *restitution > 0.0 => ActionKind::Rebounded,
            Request::Close { .. } => ActionKind::Closed,
        },
        closing_speed: impact.map(|impact| impact.closing_speed),
        energy_lost: impact.map(|impact| impact.lost),
    };
    let actions: Vec<ActionSummary> = run.switched().iter().map(summary).collect();
    run.clear_switched();
    let rebounded = actions.iter().any(|action| action.kind == ActionKind::Rebounded);
    Ok(Done { actions, warnings, rebounded })
}
