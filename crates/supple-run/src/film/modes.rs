//! Modes of the whole system about the last state of a run, as `supple modes --system` finds them.

use supple::force::Port;
use supple::{BodyIndex, HingeKind, Inputs, Model, State, System};
use supple_io::scenario_file::Scenario;
use supple_linear::{SystemMode, system_modes};
use supple_report::Scene;
use supple_report::mode_shapes::{ModeShape, ShownMode};

use crate::story::is_driven;

/// Modes that are shown, and most numbers of all their frames.
const MOST_MODES: usize = 12;
const MOST_NUMBERS: usize = 60_000;
/// Most speeds: work grows with the cube.
const MOST_SPEEDS: usize = 150;
/// Frames of a period.
const FRAMES: usize = 40;
/// Frequencies below this part of the highest are rigid-body motions.
const RIGID: f64 = 1e-9;

/// The lowest modes about the last state of a run.
pub fn of(scenario: &Scenario, state: &State, scene: &Scene) -> Vec<ShownMode> {
    let driven =
        |body: BodyIndex| scenario.model.model.hinge_speeds(body).any(|speed| is_driven(scenario, body, speed));
    about((&scenario.model.system, &scenario.model.model), state, scene, &driven)
}

/// The lowest modes about a state. Driven hinges are locked; those that float, have springs or belong to closed chains are free. None where nothing
/// vibrates, or where the state has none that can be found.
pub fn about(
    (system, model): (&System, &Model),
    state: &State,
    scene: &Scene,
    driven: &dyn Fn(BodyIndex) -> bool,
) -> Vec<ShownMode> {
    let most = (MOST_NUMBERS / (FRAMES * scene.frame_length().max(1))).min(MOST_MODES);
    if model.speed_count() > MOST_SPEEDS || most == 0 {
        return Vec::new();
    }
    let mut state = state.clone();
    state.speeds.fill(0.0);
    let mut inputs = Inputs::new(model);
    let locked = |body: BodyIndex| driven(body) || !is_free(system, body);
    inputs.prescribed.iter_mut().enumerate().for_each(|(k, flag)| *flag = locked(BodyIndex(k)));
    let Ok(found) = system_modes(model, &state, &inputs) else { return Vec::new() };
    let highest = found.modes.iter().fold(0.0, |most: f64, mode| most.max(mode.frequency));
    let swings = |mode: &&SystemMode| mode.frequency > RIGID * highest && mode.damping_ratio < 1.0;
    let mut modes: Vec<&SystemMode> = found.modes.iter().filter(swings).collect();
    modes.sort_by(|a, b| a.frequency.total_cmp(&b.frequency));
    let shown = |mode: &SystemMode| {
        let (speeds, nodes) = (mode.shape.iter().map(|x| [x.re, x.im]), mode.node_shapes.iter());
        let size = [mode.frequency, mode.damping_ratio];
        let shape = ModeShape::new(size, speeds.collect(), nodes.map(|u| u.map(|x| x.abs())));
        let motion = shape.period(scene, (model, &state)).ok()?;
        let (frequency, damping_ratio) = (mode.frequency, mode.damping_ratio);
        Some(ShownMode { frequency, damping_ratio, members: found.members(mode), motion })
    };
    modes.into_iter().take(most).filter_map(shown).collect()
}

/// Whether a hinge that is not driven moves in the modes.
fn is_free(system: &System, body: BodyIndex) -> bool {
    let sprung = || {
        let holds = |port: &Port| matches!(port, Port::Hinge { body: k, .. } if *k == body);
        system.forces.iter().any(|force| force.ports.iter().any(holds))
    };
    system.bodies[body.0].hinge.kind == HingeKind::Free || !system.closures.is_empty() || sprung()
}
