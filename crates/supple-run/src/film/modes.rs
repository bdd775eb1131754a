//! Modes of the whole system for its page: about an equilibrium at rest, as `supple modes --system --trim` finds them.
//!
//! Where a run ends the system may be moving, bent and turning; coefficients there are those of an instant, not of a vibration. The pose alone is kept: hinges stay
//! where they ended, bodies come to rest as gravity and springs have them.

use std::ffi::OsStr;
use std::path::Path;

use supple::force::Port;
use supple::model::{Variable, VariableKind};
use supple::{BodyIndex, HingeKind, Inputs, Model, State, System};
use supple_io::kind::is_robot;
use supple_io::scenario_file::Scenario;
use supple_linear::{SystemMode, SystemModes, equilibrium, system_modes};
use supple_report::Scene;
use supple_report::mode_shapes::{ModeShape, ModesAbout, ShownMode, ShownModes};

use crate::Change;
use crate::command::{path_word, word};
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
/// Hinges that are named one by one.
const MOST_NAMED: usize = 6;
/// Coordinates nearer to those of the undriven model are not named in commands, rad or m.
const ROUNDED: f64 = 1e-12;
/// Movements of hinges from the pose to the equilibrium that are worth a word, rad or m.
const MOVED: f64 = 1e-3;

/// The lowest modes about the pose in which a run ended. Driven hinges are locked.
pub fn of(scenario: &Scenario, state: &State, scene: &Scene, (file, changes): (&Path, &[Change])) -> ShownModes {
    let driven =
        |body: BodyIndex| scenario.model.model.hinge_speeds(body).any(|speed| is_driven(scenario, body, speed));
    let (system, model) = (&scenario.model.system, &scenario.model.model);
    let pose = Pose::new((system, model), state, &driven);
    let place = format!("the pose at the end of the run, t = {} s", state.time);
    let mut shown = pose.modes(scene, &place);
    // What a scenario closes or holds, and the side file of a robot, the file of the model does not say.
    let flexible_robot = is_robot(file) && system.bodies.iter().any(|body| body.modes.count > 0);
    let is_of_file = scenario.held.is_empty() && pose.state.closed == State::new(model).closed && !flexible_robot;
    if let Some(about) = shown.about.as_mut().filter(|_| is_of_file) {
        about.command = Some(pose.command(file, changes));
    }
    shown
}

/// The lowest modes about the pose of a state, of a system that was not run.
pub fn about(
    described: (&System, &Model),
    state: &State,
    scene: &Scene,
    driven: &dyn Fn(BodyIndex) -> bool,
) -> ShownModes {
    Pose::new(described, state, driven).modes(scene, "the pose shown")
}

/// A pose, and which hinges are locked in it: those that are driven, but those that float, have springs or belong to closed chains are free.
struct Pose<'p> {
    system: &'p System,
    model: &'p Model,
    state: State,
    inputs: Inputs,
}

impl<'p> Pose<'p> {
    fn new((system, model): (&'p System, &'p Model), state: &State, driven: &dyn Fn(BodyIndex) -> bool) -> Self {
        let mut pose = State::new(model);
        for body in model.body_indices() {
            let hinge = model.hinge_coordinates(body);
            pose.coordinates[hinge.clone()].copy_from_slice(&state.coordinates[hinge]);
        }
        pose.closed.clone_from(&state.closed);
        pose.turn_nodes(model);
        let mut inputs = Inputs::new(model);
        let locked = |body: BodyIndex| driven(body) || !is_free(system, body);
        inputs.prescribed.iter_mut().enumerate().for_each(|(k, flag)| *flag = locked(BodyIndex(k)));
        Self { system, model, state: pose, inputs }
    }

    /// The modes about the equilibrium at this pose; none, with the reason, where there is no equilibrium.
    fn modes(&self, scene: &Scene, place: &str) -> ShownModes {
        let Self { model, state, inputs, .. } = self;
        let most = (MOST_NUMBERS / (FRAMES * scene.frame_length().max(1))).min(MOST_MODES);
        let flexible = model.body_indices().any(|body| model.modes(body) > 0);
        if model.speed_count() > MOST_SPEEDS || most == 0 || !(flexible || inputs.prescribed.contains(&false)) {
            return ShownModes::default();
        }
        let mut about = ModesAbout { state: self.words(place, None), command: None, none: None };
        let found = equilibrium(model, state, inputs).and_then(|rest| {
            about.state = self.words(place, Some((&rest.state, rest.stable)));
            Ok((system_modes(model, &rest.state, inputs)?, rest.state))
        });
        match found {
            Ok((found, rest)) => {
                let modes = shown(&found, (model, &rest), scene, most);
                let about = (!modes.is_empty()).then_some(about);
                ShownModes { modes, about }
            }
            Err(error) => {
                about.none = Some(error.to_string());
                ShownModes { modes: Vec::new(), about: Some(about) }
            }
        }
    }

    /// What the modes are about.
    fn words(&self, place: &str, rest: Option<(&State, bool)>) -> String {
        let moving: Vec<BodyIndex> =
            self.model.body_indices().filter(|body| !self.model.hinge_speeds(*body).is_empty()).collect();
        let named = |flag: bool| -> Vec<String> {
            let those = moving.iter().filter(|body| self.inputs.prescribed[body.0] == flag);
            those.map(|body| self.hinge(*body)).collect()
        };
        let listed = |names: &[String]| match names.len() {
            n if n > MOST_NAMED => format!("{} and {} more", names[..MOST_NAMED].join(", "), n - MOST_NAMED),
            _ => names.join(", "),
        };
        let (locked, free) = (named(true), named(false));
        let hinges = match (locked.is_empty(), free.is_empty()) {
            (true, true) => String::new(),
            (false, true) => "; all hinges locked there".to_owned(),
            (true, false) => "; all hinges free".to_owned(),
            (false, false) => format!("; locked there: {}; free: {}", listed(&locked), listed(&free)),
        };
        let far = |body: &&BodyIndex| {
            let apart = |(at, _): (&State, bool)| {
                let range = self.model.hinge_coordinates(**body);
                range.map(|i| (at.coordinates[i] - self.state.coordinates[i]).abs()).fold(0.0, f64::max)
            };
            rest.is_some_and(|rest| apart(rest) > MOVED)
        };
        let moved: Vec<String> = moving.iter().filter(far).map(|body| self.hinge(*body)).collect();
        let moved = match moved.is_empty() {
            true => String::new(),
            false => format!("; {} moved there from the pose", listed(&moved)),
        };
        let stable = if rest.is_some_and(|(_, stable)| !stable) { "; it is not stable" } else { "" };
        format!(
            "Small vibrations about {place}, at rest and in equilibrium{hinges}{moved}{stable}. Without controllers: vibrations during the run may differ."
        )
    }

    fn hinge(&self, body: BodyIndex) -> String {
        let body = &self.system.bodies[body.0];
        body.hinge.name.clone().unwrap_or_else(|| body.name.clone())
    }

    /// The command that finds the same modes of the model file.
    fn command(&self, file: &Path, changes: &[Change]) -> String {
        let (before, own) = (State::new(self.model), &self.state);
        let moved = |v: &&Variable| {
            let apart = |i: usize| (own.coordinates[i] - before.coordinates[i]).abs();
            v.kind == VariableKind::HingeCoordinate && apart(v.index) > ROUNDED
        };
        let placed = |v: &Variable| format!("{}={:?}", v.name.trim_start_matches("hinge."), own.coordinates[v.index]);
        let at: Vec<String> = self.model.variables().iter().filter(moved).map(placed).collect();
        let free = |body: &BodyIndex| !self.inputs.prescribed[body.0] && !self.model.hinge_speeds(*body).is_empty();
        let free: Vec<String> = self.model.body_indices().filter(free).map(|body| self.hinge(body)).collect();
        let of_model = |change: &Change| {
            let text = change.to_string();
            text.strip_prefix("model.").map(|text| format!(" {} {}", change.option(), word(OsStr::new(text))))
        };
        let list = |option: &str, values: &[String]| match values.is_empty() {
            true => String::new(),
            false => format!(" {option} {}", word(OsStr::new(&values.join(",")))),
        };
        let changes: String = changes.iter().filter_map(of_model).collect();
        let file = path_word(file);
        format!("supple modes {file} --system --trim{}{}{changes}", list("--at", &at), list("--free", &free))
    }
}

/// The lowest modes that swing, with a period of each.
fn shown(found: &SystemModes, (model, rest): (&Model, &State), scene: &Scene, most: usize) -> Vec<ShownMode> {
    let highest = found.modes.iter().fold(0.0, |most: f64, mode| most.max(mode.frequency));
    let swings = |mode: &&SystemMode| mode.frequency > RIGID * highest && mode.damping_ratio.abs() < 1.0;
    let mut modes: Vec<&SystemMode> = found.modes.iter().filter(swings).collect();
    modes.sort_by(|a, b| a.frequency.total_cmp(&b.frequency));
    let one = |mode: &SystemMode| {
        let (speeds, nodes) = (mode.shape.iter().map(|x| [x.re, x.im]), mode.node_shapes.iter());
        let size = [mode.frequency, mode.damping_ratio];
        let shape = ModeShape::new(size, speeds.collect(), nodes.map(|u| u.map(|x| x.abs())));
        let motion = shape.period(scene, (model, rest)).ok()?;
        let (frequency, damping_ratio) = (mode.frequency, mode.damping_ratio);
        let (members, strained) = (found.members(mode), found.strained(mode));
        Some(ShownMode { frequency, damping_ratio, members, strained, motion })
    };
    modes.into_iter().take(most).filter_map(one).collect()
}

/// Whether a hinge that is not driven moves in the modes.
fn is_free(system: &System, body: BodyIndex) -> bool {
    let sprung = || {
        let holds = |port: &Port| matches!(port, Port::Hinge { body: k, .. } if *k == body);
        system.forces.iter().any(|force| force.ports.iter().any(holds))
    };
    system.bodies[body.0].hinge.kind == HingeKind::Free || !system.closures.is_empty() || sprung()
}
