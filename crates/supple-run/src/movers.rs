//! What moves, in words: the hinge or the mode that a speed of the state belongs to.

use supple::model::{Variable, VariableKind};
use supple::{State, Workspace, mass_operator};
use supple_io::scenario_file::Scenario;

/// A speed of the state.
#[derive(Clone, Debug)]
pub struct Mover {
    /// Its place among the speeds.
    pub speed: usize,
    /// Whether it is the speed of a mode.
    pub is_mode: bool,
    /// Whether it is an angle per time.
    pub turns: bool,
    /// `hinge 'elbow'` or `mode 'boom.2'`, as columns of results call them.
    pub name: String,
}

/// All speeds of a scenario's model, in their order.
pub fn all(scenario: &Scenario) -> Vec<Mover> {
    let mover = |variable: Variable| {
        let Variable { kind, index: speed, name, unit, .. } = variable;
        let rest = name.split_once('.').map_or(name.as_str(), |(_, rest)| rest);
        match kind {
            VariableKind::HingeSpeed => {
                Some(Mover { speed, is_mode: false, turns: unit == "rad/s", name: format!("hinge '{rest}'") })
            }
            VariableKind::ModalSpeed => {
                Some(Mover { speed, is_mode: true, turns: false, name: format!("mode '{rest}'") })
            }
            _ => None,
        }
    };
    let mut all: Vec<Mover> = scenario.model.model.variables().into_iter().filter_map(mover).collect();
    all.sort_by_key(|mover| mover.speed);
    all
}

/// The speed with the largest share `xᵢ (M x)ᵢ` of what `speeds` have as kinetic energy at a state.
pub fn most_energetic(scenario: &Scenario, state: &State, speeds: &[f64]) -> Option<Mover> {
    let model = &scenario.model.model;
    let size = speeds.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
    let speeds: Vec<f64> = speeds.iter().map(|x| x / size).collect();
    let (mut workspace, mut momenta) = (Workspace::new(model), vec![0.0; speeds.len()]);
    let mut mass = mass_operator(model, state, &mut workspace).ok()?;
    mass.apply(&speeds, &mut momenta).ok()?;
    let shares: Vec<f64> = speeds.iter().zip(&momenta).map(|(x, p)| x * p).collect();
    let most = all(scenario).into_iter().max_by(|a, b| shares[a.speed].total_cmp(&shares[b.speed]))?;
    (shares[most.speed] > 0.0).then_some(most)
}
