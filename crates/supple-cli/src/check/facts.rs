//! Facts about a system.

use serde::Serialize;
use supple::{Body, BodyIndex, Closure, Constraint, Fidelity, HingeKind, Model, Mount, Node, Parent, System};
use supple_io::model_file::{closure_word, hinge_words};
use supple_io::scenario_file::{Scenario, beyond_stops};

use super::closing::ClosingFacts;
use super::convergence::FrequencyFacts;
use super::loss::LossFacts;
use supple_bodies::damping::relaxing;
use supple_bodies::frequencies;
use supple_io::load::Loaded;
use supple_io::results::DampingSummary;
use supple_run::{Asked, DampingRatios};

/// A system in numbers.
#[derive(Serialize)]
pub struct Facts {
    pub file: String,
    pub kind: &'static str,
    pub sound: bool,
    pub name: Option<String>,
    /// Files whose angles or lengths are not in SI units, with theirs; all facts are in SI.
    pub units: Vec<String>,
    pub gravity: [f64; 3],
    pub elastic_rotation: String,
    pub inertia_convention: String,
    pub total_mass: f64,
    pub coordinates: usize,
    pub speeds: usize,
    pub node_attitudes: usize,
    /// Condition number of the mass matrix at rest, scaled to unit diagonal; none for large systems.
    pub condition: Option<f64>,
    pub bodies: Vec<BodyFacts>,
    pub closures: Vec<ClosureFacts>,
    /// What they leave free, and how they close; none without closures.
    pub closing: Option<ClosingFacts>,
    /// Frequencies of the whole; none for rigid or very large systems.
    pub frequencies: Option<FrequencyFacts>,
    /// Loss factor of the flexible bodies, where the file asks for one.
    pub loss: Option<LossFacts>,
    /// Damping ratios of the whole, where the file asks for any.
    pub damping: Vec<DampingSummary>,
    pub scenario: Option<ScenarioFacts>,
    pub notes: Vec<String>,
}

/// A body in numbers.
#[derive(Serialize)]
pub struct BodyFacts {
    pub name: String,
    /// Name and index of the body that carries it.
    pub parent: Option<String>,
    #[serde(skip)]
    pub carrier: Option<usize>,
    /// The node of the parent that carries it, by name or index.
    pub at: Option<String>,
    pub hinge: HingeFacts,
    pub mass: f64,
    /// In the axes and from the origin of the body frame; none without mass.
    pub mass_centre: Option<[f64; 3]>,
    pub nodes: usize,
    pub modes: usize,
    /// Coordinates besides, by which its stiffness relaxes.
    pub relaxing: usize,
    pub fidelity: Option<String>,
    /// Which terms of the dynamics it carries, in words.
    pub physics: Option<String>,
    /// All frequencies of the body alone, with its hinge locked, in Hz, lowest first.
    pub locked_frequencies: Option<Vec<f64>>,
}

/// A hinge.
#[derive(Serialize)]
pub struct HingeFacts {
    pub name: Option<String>,
    pub kind: &'static str,
    pub speeds: usize,
    /// Kinds of elements that act in it.
    pub elements: Vec<&'static str>,
}

/// A closure.
#[derive(Serialize)]
pub struct ClosureFacts {
    pub name: Option<String>,
    pub kind: &'static str,
    pub equations: usize,
    /// Its two frames, or the hinges that it couples.
    pub joins: Vec<String>,
}

/// A scenario in numbers.
#[derive(Serialize)]
pub struct ScenarioFacts {
    pub model: String,
    pub duration: f64,
    pub output_interval: f64,
    pub integrator: &'static str,
    pub motions: usize,
    pub torques: usize,
    pub wrenches: usize,
    pub events: usize,
    pub results_folder: String,
    pub formats: Vec<String>,
}

impl Facts {
    /// Facts about a system that was read.
    pub fn new(file: &str, loaded: &Loaded) -> Self {
        let Loaded { system, model, .. } = loaded;
        let mut bodies: Vec<BodyFacts> = system.bodies.iter().map(|body| BodyFacts::new(system, body)).collect();
        // Terms of the modes: what relaxes has none.
        let rest = relaxing::at_rest(system).and_then(|rest| Model::build(&rest).ok());
        for physics in rest.as_ref().unwrap_or(model).physics() {
            bodies[physics.body.0].fidelity = Some(physics.fidelity.to_string());
            bodies[physics.body.0].physics = Some(physics.to_string());
        }
        for (k, body) in bodies.iter_mut().enumerate() {
            body.hinge.elements = hinge_words(system, BodyIndex(k));
        }
        let locking = model.physics().into_iter().filter(|physics| physics.fidelity == Fidelity::Exact);
        let locking = locking.filter(|physics| physics.nonlinear_entries > 0).map(|physics| {
            format!(
                "body '{}' is `exact`, which locks in bending and is too stiff; it is meant for comparison: use `stiffened`",
                model.name(physics.body)
            )
        });
        let damping = damping(loaded);
        let off = damping.iter().flat_map(DampingRatios::warnings);
        let own = model.notes().iter().cloned().chain(locking).chain(off).chain(stopped(loaded));
        let notes = loaded.notes.iter().map(|note| note.brief.clone()).chain(own);
        Self {
            file: file.to_owned(),
            kind: loaded.kind,
            sound: true,
            name: loaded.name.clone(),
            units: units(loaded),
            gravity: system.gravity,
            elastic_rotation: system.elastic_rotation.to_string(),
            inertia_convention: system.inertia.to_string(),
            total_mass: bodies.iter().map(|body| body.mass).sum(),
            coordinates: model.coordinate_count(),
            speeds: model.speed_count(),
            node_attitudes: model.attitude_nodes().len(),
            condition: frequencies::condition(model),
            closures: system.closures.iter().map(|closure| ClosureFacts::new(system, closure)).collect(),
            closing: ClosingFacts::new(loaded),
            frequencies: FrequencyFacts::new(loaded),
            bodies,
            loss: LossFacts::new(loaded),
            damping: damping.as_ref().map_or(Vec::new(), |ratios| ratios.cases.clone()),
            scenario: loaded.scenario.as_ref().map(ScenarioFacts::new),
            notes: notes.collect(),
        }
    }
}

/// Files with other units than SI.
fn units(loaded: &Loaded) -> Vec<String> {
    let of_scenario = loaded.scenario.as_ref().map(|scenario| ("scenario", scenario.units));
    let of_model = (if loaded.kind == "robot" { "side file" } else { "model" }, loaded.units);
    let all = of_scenario.into_iter().chain([of_model]);
    all.filter(|(_, units)| !units.is_si()).map(|(file, units)| format!("{file}: {units}")).collect()
}

/// Ratios of the system; of a scenario as it is driven at its start as well.
fn damping(loaded: &Loaded) -> Option<DampingRatios<'_>> {
    match &loaded.scenario {
        Some(scenario) => DampingRatios::of_scenario(scenario),
        None => Some(DampingRatios::new(&loaded.model, Asked::of(loaded.damping.as_ref(), &loaded.beams)?, None)),
    }
}

/// Hinges that are beyond their stops where damping is designed and told: they are not free there, whatever is said.
fn stopped(loaded: &Loaded) -> Option<String> {
    let pose = &loaded.damping.as_ref()?.pose;
    let beyond = beyond_stops(&loaded.system, &loaded.model, pose);
    let first = beyond.first()?;
    let others = match beyond.len() {
        1 => String::new(),
        many => format!(" (and {} more)", many - 1),
    };
    let hinge = &first.hinge;
    Some(format!(
        "at the pose of `damping`, hinge `{hinge}` is beyond its stops{others}: with all hinges free, they press on it; give a pose between them, `at = {{ {hinge} = … }}`"
    ))
}

impl BodyFacts {
    fn new(system: &System, body: &Body) -> Self {
        let (parent, at) = match body.parent {
            Parent::Ground => (None, None),
            Parent::Body(parent, node) => (Some(parent.0), system.bodies.get(parent.0).map(|p| (p, node.0))),
        };
        let (mass, moment) = mass(body);
        let relaxing = relaxing::count(body);
        let locked = (body.modes.count > 0).then(|| frequencies::of_body(body)).flatten();
        Self {
            name: body.name.clone(),
            parent: at.map(|(parent, _)| parent.name.clone()),
            carrier: parent,
            at: at.map(|(parent, node)| node_name(parent, node)),
            hinge: HingeFacts {
                name: body.hinge.name.clone(),
                kind: word(&body.hinge.kind),
                speeds: body.hinge.kind.sizes().1,
                elements: Vec::new(),
            },
            mass,
            mass_centre: (mass > 0.0).then(|| moment.map(|x| x / mass)),
            nodes: body.nodes.len(),
            modes: body.modes.count - relaxing,
            relaxing,
            fidelity: None,
            physics: None,
            locked_frequencies: locked.map(|all| all.iter().map(|w| w / std::f64::consts::TAU).collect()),
        }
    }
}

impl ClosureFacts {
    fn new(system: &System, closure: &Closure) -> Self {
        let frame = |mount: &Mount| match mount.parent {
            Parent::Ground => "ground".to_owned(),
            Parent::Body(body, node) => {
                let body = &system.bodies[body.0];
                format!("{} at node {}", body.name, node_name(body, node.0))
            }
        };
        let joins = match &closure.constraint {
            Constraint::Joint { a, b, .. } => vec![frame(a), frame(b)],
            Constraint::Coupling { hinges, .. } => {
                let bodies = hinges.iter().map(|hinge| &system.bodies[hinge.body.0]);
                bodies.map(|body| body.hinge.name.as_ref().unwrap_or(&body.name).clone()).collect()
            }
        };
        let (kind, equations) = (closure_word(&closure.constraint), closure.equations());
        Self { name: closure.name.clone(), kind, equations, joins }
    }
}

/// A node by its name, or else its index.
fn node_name(body: &Body, node: usize) -> String {
    body.nodes.get(node).and_then(|node| node.name.clone()).unwrap_or_else(|| node.to_string())
}

/// Mass of a body and its first moment, undeformed.
fn mass(body: &Body) -> (f64, [f64; 3]) {
    let tables = body.modal_inertia.as_ref();
    let start = tables.map_or((0.0, [0.0; 3]), |tables| (tables.mass, tables.mass_moment));
    body.nodes.iter().fold(start, |(mass, moment), node: &Node| {
        let arm = |i: usize| node.position[i] + node.mass_centre[i];
        (mass + node.mass, std::array::from_fn(|i| moment[i] + node.mass * arm(i)))
    })
}

/// The word of model files for a kind of hinge.
fn word(kind: &HingeKind) -> &'static str {
    match kind {
        HingeKind::Fixed => "fixed",
        HingeKind::Revolute { .. } => "revolute",
        HingeKind::Prismatic { .. } => "prismatic",
        HingeKind::Screw { .. } => "screw",
        HingeKind::Universal { .. } => "universal",
        HingeKind::Cylindrical { .. } => "cylindrical",
        HingeKind::Planar { .. } => "planar",
        HingeKind::Spherical => "spherical",
        HingeKind::Free => "free",
    }
}

impl ScenarioFacts {
    fn new(scenario: &Scenario) -> Self {
        Self {
            model: scenario.model_name.clone(),
            duration: scenario.duration,
            output_interval: scenario.output_interval,
            integrator: scenario.integrator.method.word(),
            motions: scenario.motions.len(),
            torques: scenario.torques.len(),
            wrenches: scenario.wrenches.len(),
            events: scenario.events.len(),
            results_folder: scenario.results.folder.clone(),
            formats: scenario.results.formats.clone(),
        }
    }
}
