//! Springs, couplings, stops and bushings: how far they are deflected, and their elastic forces.

use serde::{Deserialize, Serialize};
use supple::force::{Bushing, ForceElement, HingeCoupling, HingeSpring, HingeStops, Port, SpringDamper};
use supple::model::{Variable, VariableKind};
use supple::spatial::{Matrix3, Quaternion, Vector3};
use supple::{BodyIndex, DynamicsError, Kinematics, Model, State, Workspace, kinematics};
use supple_io::results::ElementStory;
use supple_io::scenario_file::Scenario;

use super::{Peak, workspace};

/// Elements that are followed.
const MOST_ELEMENTS: usize = 64;

/// Elements of a system that store elastic energy.
pub struct Elements {
    followed: Vec<Followed>,
    /// Where some of them are between nodes.
    workspace: Option<Workspace>,
}

struct Followed {
    name: String,
    kind: &'static str,
    /// Units of load and deflection.
    units: [&'static str; 2],
    law: Elastic,
}

/// What an element measures, with its elasticity.
enum Elastic {
    Spring {
        coordinate: usize,
        law: HingeSpring,
    },
    Stops {
        coordinate: usize,
        law: HingeStops,
    },
    Coupling {
        coordinates: [usize; 2],
        law: HingeCoupling,
    },
    Line {
        ends: [Port; 2],
        law: SpringDamper,
    },
    /// Along or about the axes.
    Bushing {
        ends: [Port; 2],
        law: Bushing,
        turns: bool,
    },
}

/// What was seen of one: load and deflection at their peaks, the greatest energy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ElementRecord {
    load: Peak,
    deflection: f64,
    energy: f64,
}

impl Elements {
    /// Those of a scenario.
    pub fn new(scenario: &Scenario, variables: &[Variable]) -> Self {
        let own = |element: &ForceElement| followed(scenario, variables, element);
        let followed: Vec<Followed> = scenario.model.system.forces.iter().flat_map(own).take(MOST_ELEMENTS).collect();
        let between = |one: &Followed| matches!(one.law, Elastic::Line { .. } | Elastic::Bushing { .. });
        let workspace = followed.iter().any(between).then(|| workspace(scenario));
        Self { followed, workspace }
    }

    /// Looks at a state.
    pub fn observe(
        &mut self,
        (model, state): (&Model, &State),
        records: &mut Vec<ElementRecord>,
    ) -> Result<(), DynamicsError> {
        let Self { followed, workspace } = self;
        records.resize(followed.len(), ElementRecord::default());
        let placed = workspace.as_mut().map(|own| kinematics(model, state, own)).transpose()?;
        for (own, record) in followed.iter().zip(records) {
            let [load, deflection, energy] = own.law.look(state, placed.as_ref());
            record.load.see(load.abs(), state.time);
            record.deflection = record.deflection.max(deflection.abs());
            record.energy = record.energy.max(energy);
        }
        Ok(())
    }

    /// What was seen of those that were deflected, that with the greatest energy first.
    pub fn told(&self, records: &[ElementRecord]) -> Vec<ElementStory> {
        let told = |(own, record): (&Followed, &ElementRecord)| ElementStory {
            element: own.name.clone(),
            kind: own.kind.to_owned(),
            load: record.load.value,
            load_unit: own.units[0].to_owned(),
            time: record.load.time,
            deflection: record.deflection,
            deflection_unit: own.units[1].to_owned(),
            energy: record.energy,
        };
        let moved = self.followed.iter().zip(records).filter(|(_, record)| record.load.value > 0.0);
        let mut all: Vec<ElementStory> = moved.map(told).collect();
        all.sort_by(|a, b| b.energy.total_cmp(&a.energy));
        all
    }
}

impl Elastic {
    /// Elastic load, deflection and energy.
    fn look(&self, state: &State, placed: Option<&Kinematics<'_>>) -> [f64; 3] {
        let sprung = |k: f64, x: f64| [k * x, x, 0.5 * k * x * x];
        match self {
            Self::Spring { coordinate, law } => sprung(law.stiffness, state.coordinates[*coordinate] - law.rest),
            Self::Stops { coordinate, law } => {
                let x = state.coordinates[*coordinate];
                sprung(law.stiffness, (law.lower - x).max(x - law.upper).max(0.0))
            }
            Self::Coupling { coordinates: [a, b], law } => {
                sprung(law.stiffness, state.coordinates[*a] - law.ratio * state.coordinates[*b] - law.offset)
            }
            Self::Line { ends, law } => {
                let [(a, _), (b, _)] = ends.map(|end| pose(&end, placed));
                let stretch = (b - a).norm_squared().sqrt() - law.length;
                let [force, _, energy] = sprung(law.stiffness, stretch);
                [force + law.preload, stretch, energy + law.preload * stretch]
            }
            Self::Bushing { ends, law, turns } => {
                let [(a, axes), (b, other)] = ends.map(|end| pose(&end, placed));
                let (k, x) = if *turns {
                    (law.angular_stiffness, Quaternion::from_matrix(&(axes.transpose() * other)).logarithm())
                } else {
                    (law.stiffness, axes.transpose() * (b - a))
                };
                let size = |part: &dyn Fn(usize) -> f64| (0..3).map(|i| part(i).powi(2)).sum::<f64>().sqrt();
                let energy = (0..3).map(|i| 0.5 * k[i] * x[i] * x[i]).sum();
                [size(&|i| k[i] * x[i]), size(&|i| x[i]), energy]
            }
        }
    }
}

/// Position and attitude of an end.
fn pose(end: &Port, placed: Option<&Kinematics<'_>>) -> (Vector3<f64>, Matrix3<f64>) {
    match (end, placed) {
        (Port::Node { body, node }, Some(at)) => (at.node_position(*body, *node), at.node_attitude(*body, *node)),
        (Port::Ground { position }, _) => (Vector3(*position), Matrix3::IDENTITY),
        _ => (Vector3::ZERO, Matrix3::IDENTITY),
    }
}

/// An element in the terms of the story; nothing of what stores no elastic energy, or acts on coordinates of closures. A bushing has two parts.
fn followed(scenario: &Scenario, variables: &[Variable], element: &ForceElement) -> Vec<Followed> {
    let hinge = |port: usize| match element.ports.get(port) {
        Some(Port::Hinge { body, speed }) => coordinate(&scenario.model.model, *body, *speed),
        _ => None,
    };
    let variable = |place: usize| {
        let own = |v: &&Variable| v.kind == VariableKind::HingeCoordinate && v.index == place;
        variables.iter().find(own).map(|v| (v.name.trim_start_matches("hinge."), v.unit))
    };
    let named = |otherwise: &str| element.name.clone().unwrap_or_else(|| otherwise.to_owned());
    let units = |unit: &str| if unit == "m" { ["N", "m"] } else { ["N m", "rad"] };
    let in_hinge = |kind: &'static str, make: &dyn Fn(usize) -> Elastic| -> Vec<Followed> {
        let found = hinge(0).and_then(|place| Some((place, variable(place)?)));
        let one = |(place, (name, unit)): (usize, (&str, &str))| Followed {
            name: named(name),
            kind,
            units: units(unit),
            law: make(place),
        };
        found.map(one).into_iter().collect()
    };
    if let Some(law) = element.law::<HingeSpring>() {
        return in_hinge("spring of the hinge", &|coordinate| Elastic::Spring { coordinate, law: *law });
    }
    if let Some(law) = element.law::<HingeStops>() {
        return in_hinge("stops of the hinge", &|coordinate| Elastic::Stops { coordinate, law: *law });
    }
    if let Some(law) = element.law::<HingeCoupling>() {
        let Some(second) = hinge(1) else { return Vec::new() };
        return in_hinge("coupling of hinges", &|first| Elastic::Coupling { coordinates: [first, second], law: *law });
    }
    between_nodes(scenario, element)
}

fn between_nodes(scenario: &Scenario, element: &ForceElement) -> Vec<Followed> {
    let [a, b] = element.ports[..] else { return Vec::new() };
    let name = |end: &Port| match end {
        Port::Node { body, .. } => scenario.model.system.bodies[body.0].name.clone(),
        _ => "ground".to_owned(),
    };
    let name = element.name.clone().unwrap_or_else(|| format!("{} to {}", name(&a), name(&b)));
    let one = |kind, units, law| Followed { name: name.clone(), kind, units, law };
    let ends = [a, b];
    if let Some(law) = element.law::<SpringDamper>() {
        return vec![one("spring", ["N", "m"], Elastic::Line { ends, law: *law })];
    }
    let Some(law) = element.law::<Bushing>() else { return Vec::new() };
    vec![
        one("bushing", ["N", "m"], Elastic::Bushing { ends, law: *law, turns: false }),
        one("bushing", ["N m", "rad"], Elastic::Bushing { ends, law: *law, turns: true }),
    ]
}

/// The coordinate along a direction of a hinge, where that has one: of a quaternion, none.
fn coordinate(model: &Model, body: BodyIndex, speed: usize) -> Option<usize> {
    let (coordinates, speeds) = (model.hinge_coordinates(body), model.hinge_speeds(body).len());
    let more = coordinates.len() - speeds;
    (more == 0 || speed >= 3).then(|| coordinates.start + speed + more)
}
