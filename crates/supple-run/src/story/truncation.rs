//! How the strain energy of bodies is spread over their modes: where the highest modes of a direction hold much of it, those left out would as well.

use serde::{Deserialize, Serialize};
use supple::{Body, BodyIndex, ModalMatrix, Model, State};
use supple_bodies::damping::relaxing;
use supple_bodies::report::{DIRECTIONS, directions};
use supple_io::results::ModesStory;
use supple_io::scenario_file::Scenario;

/// Bodies that are followed, and modes of one: work grows with the square.
const MOST_BODIES: usize = 64;
const MOST_MODES: usize = 200;
/// Part of the stiffness of two modes from which on it couples them.
const COUPLED: f64 = 1e-8;

/// Modes of the bodies of a scenario.
pub struct Truncation {
    bodies: Vec<Modes>,
}

struct Modes {
    body: usize,
    name: String,
    /// Rows of the stiffness at rest.
    stiffness: Vec<Vec<f64>>,
    groups: Vec<Group>,
}

/// Modes of a body that move in the same direction.
struct Group {
    direction: usize,
    members: Vec<usize>,
    /// The stiffest of those that stiffness does not couple with others; none where there is nothing to compare it with. Coupled ones are static shapes of interfaces, exact for what acts
    /// there.
    highest: Option<usize>,
}

/// Energies of the modes of each body, summed over the rows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TruncationRecord {
    energies: Vec<Vec<f64>>,
}

impl Truncation {
    /// Of a scenario.
    pub fn new(scenario: &Scenario) -> Self {
        let bodies = scenario.model.system.bodies.iter().enumerate();
        Self { bodies: bodies.filter_map(|(k, body)| Modes::new(k, body)).take(MOST_BODIES).collect() }
    }

    /// Looks at a state.
    pub fn observe(&self, (model, state): (&Model, &State), record: &mut TruncationRecord) {
        record.energies.resize(self.bodies.len(), Vec::new());
        for (own, energies) in self.bodies.iter().zip(&mut record.energies) {
            let eta = &state.coordinates[model.modal_coordinates(BodyIndex(own.body))];
            energies.resize(own.stiffness.len(), 0.0);
            for (r, (energy, row)) in energies.iter_mut().zip(&own.stiffness).enumerate() {
                *energy += 0.5 * eta[r] * row.iter().zip(eta).map(|(k, x)| k * x).sum::<f64>();
            }
        }
    }

    /// What was seen, directions with the most energy first.
    pub fn told(&self, record: &TruncationRecord) -> Vec<ModesStory> {
        let all: f64 = record.energies.iter().flatten().sum();
        let mut out = Vec::new();
        for (own, energies) in self.bodies.iter().zip(&record.energies) {
            for Group { direction, members, highest } in &own.groups {
                let sum: f64 = members.iter().map(|r| energies[*r]).sum();
                if sum > 0.0 {
                    out.push(ModesStory {
                        body: own.name.clone(),
                        direction: DIRECTIONS[*direction].to_owned(),
                        modes: members.len(),
                        share: sum / all,
                        highest: highest.map(|r| energies[r] / sum),
                    });
                }
            }
        }
        out.sort_by(|a, b| b.share.total_cmp(&a.share));
        out
    }
}

impl Modes {
    /// Of a flexible body. Stiffness that relaxes is that at rest.
    fn new(k: usize, body: &Body) -> Option<Self> {
        let rest = relaxing::body_at_rest(body);
        let body = rest.as_ref().unwrap_or(body);
        let count = body.modes.count;
        if !(1..=MOST_MODES).contains(&count) {
            return None;
        }
        let diagonal = |entries: &[f64], r: usize| (0..count).map(|i| if i == r { entries[r] } else { 0.0 }).collect();
        let stiffness: Vec<Vec<f64>> = match &body.modes.stiffness {
            ModalMatrix::Zero => return None,
            ModalMatrix::Diagonal(entries) => (0..count).map(|r| diagonal(entries, r)).collect(),
            ModalMatrix::Full(rows) => rows.clone(),
        };
        let mut groups: Vec<Group> = Vec::new();
        for (r, direction) in directions(body).into_iter().enumerate() {
            match groups.iter_mut().find(|own| own.direction == direction) {
                Some(own) => own.members.push(r),
                None => groups.push(Group { direction, members: vec![r], highest: None }),
            }
        }
        let coupled = |r: &usize| {
            let least = |s: usize| COUPLED * (stiffness[*r][*r] * stiffness[s][s]).abs().sqrt();
            (0..count).any(|s| s != *r && stiffness[*r][s].abs() > least(s))
        };
        let stiff = |r: usize| {
            let size = |u: &[f64; 6]| u.iter().map(|x| x * x).sum::<f64>();
            let moved = body.nodes.iter().filter_map(|node| node.influence.get(r)).map(size).fold(0.0, f64::max);
            stiffness[r][r] / moved
        };
        for own in groups.iter_mut().filter(|own| own.members.len() > 1) {
            let alone = own.members.iter().copied().filter(|r| !coupled(r));
            own.highest = alone.max_by(|a, b| stiff(*a).total_cmp(&stiff(*b)));
        }
        Some(Self { body: k, name: body.name.clone(), stiffness, groups })
    }
}
