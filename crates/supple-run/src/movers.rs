//! What moves, in words: the hinge or the mode that a speed of the state belongs to.

use supple::model::{Variable, VariableKind};
use supple::{ModalMatrix, State, Workspace, mass_operator};
use supple_io::scenario_file::Scenario;

/// Part of the kinetic energy from which on the elastic one shows which mode vibrates.
const ELASTIC: f64 = 0.1;

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

/// What differs most between two states of about the same time: the mode with the largest share of the elastic energy of the difference,
/// where that counts beside its kinetic energy; otherwise the hinge or mode with the largest share of the latter.
pub fn most_different(scenario: &Scenario, state: &State, other: &State) -> Option<Mover> {
    let speeds = differences(&state.speeds, &other.speeds);
    let size = speeds.iter().fold(f64::MIN_POSITIVE, |a: f64, x| a.max(x.abs()));
    let scaled = |x: &[f64]| -> Vec<f64> { x.iter().map(|x| x / size).collect() };
    let (speeds, coordinates) = (scaled(&speeds), scaled(&differences(&state.coordinates, &other.coordinates)));
    let (kinetic, elastic) = (kinetic_shares(scenario, state, &speeds)?, elastic_shares(scenario, &coordinates));
    let [all_kinetic, all_elastic] = [&kinetic, &elastic].map(|shares| shares.iter().sum::<f64>());
    let shares = if all_elastic > ELASTIC * all_kinetic { elastic } else { kinetic };
    let most = all(scenario).into_iter().max_by(|a, b| shares[a.speed].total_cmp(&shares[b.speed]))?;
    (shares[most.speed] > 0.0).then_some(most)
}

fn differences(from: &[f64], to: &[f64]) -> Vec<f64> {
    from.iter().zip(to).map(|(from, to)| to - from).collect()
}

/// `xᵢ (M x)ᵢ` of each speed.
fn kinetic_shares(scenario: &Scenario, state: &State, x: &[f64]) -> Option<Vec<f64>> {
    let model = &scenario.model.model;
    let (mut workspace, mut momenta) = (Workspace::new(model), vec![0.0; x.len()]);
    mass_operator(model, state, &mut workspace).ok()?.apply(x, &mut momenta).ok()?;
    Some(x.iter().zip(&momenta).map(|(x, p)| x * p).collect())
}

/// `xᵢ (K x)ᵢ` of each mode, at the place of its speed.
fn elastic_shares(scenario: &Scenario, coordinates: &[f64]) -> Vec<f64> {
    let model = &scenario.model.model;
    let mut shares = vec![0.0; model.speed_count()];
    for (body, told) in model.body_indices().zip(&scenario.model.system.bodies) {
        let x = &coordinates[model.modal_coordinates(body)];
        let force = |i: usize| match &told.modes.stiffness {
            ModalMatrix::Zero => 0.0,
            ModalMatrix::Diagonal(entries) => entries[i] * x[i],
            ModalMatrix::Full(rows) => rows[i].iter().zip(x).map(|(k, x)| k * x).sum(),
        };
        model.modal_speeds(body).enumerate().for_each(|(i, speed)| shares[speed] = x[i] * force(i));
    }
    shares
}
