//! Everything about a system in one state. What `supple eval` gives too has the same name.

use serde::Serialize;
use supple::model::{Role, Variable, VariableKind};
use supple::spatial::Force;
use supple::{
    AccessError, BodyIndex, DenseWorkspace, DynamicsError, Energy, Inputs, Model, Momentum, NodeIndex, Solution, State,
    Terms, Workspace, WrenchFrame, bias_forces, energy, inverse_dynamics, kinematics_with, mass_matrix, momentum,
    reactions,
};

/// A number by name.
#[derive(Clone, Debug, Serialize)]
pub struct Quantity {
    pub name: String,
    pub unit: &'static str,
    pub value: f64,
}

/// A speed, which names a row of the equations of motion.
#[derive(Clone, Debug, Serialize)]
pub struct Direction {
    pub name: String,
    pub unit: &'static str,
    /// Unit of a force along it.
    pub force_unit: &'static str,
}

/// The answers. Lists without names are in the order of `speeds`.
#[derive(Clone, Debug, Serialize)]
pub struct StateFacts {
    pub file: String,
    pub state: Vec<Quantity>,
    pub speeds: Vec<Direction>,
    /// Mass matrix, row by row.
    #[serde(rename = "M")]
    pub mass_matrix: Vec<Vec<f64>>,
    /// Everything in the equations of motion but `M udot` and `T`.
    #[serde(rename = "C")]
    pub bias: Vec<f64>,
    #[serde(rename = "C_parts")]
    pub bias_parts: BiasParts,
    /// Forces that act along the speeds.
    #[serde(rename = "T")]
    pub forces: Vec<f64>,
    /// Accelerations under them, with closures and prescribed hinges obeyed.
    #[serde(rename = "udot")]
    pub accelerations: Vec<f64>,
    /// Forces that hold the speeds as they are, prescribed hinges as prescribed; closures exert none.
    #[serde(rename = "inverse_T")]
    pub inverse_forces: Vec<f64>,
    /// Wrenches of hinges and closures.
    pub reactions: Vec<Quantity>,
    pub energy: EnergyFacts,
    pub mass: f64,
    pub linear_momentum: [f64; 3],
    pub angular_momentum: [f64; 3],
    #[serde(rename = "com")]
    pub centre_of_mass: [f64; 3],
    /// Names of the nodes below, by body.
    pub bodies: Vec<BodyNodes>,
    pub node_positions: Vec<Vec<[f64; 3]>>,
    /// Node axes to inertial axes, row by row.
    pub node_attitudes: Vec<Vec<[[f64; 3]; 3]>>,
    pub node_velocities: Vec<Vec<[f64; 6]>>,
    pub node_accelerations: Vec<Vec<[f64; 6]>>,
}

/// Parts of the bias, each with the sign it has in the sum.
#[derive(Clone, Debug, Serialize)]
pub struct BiasParts {
    pub velocity: Vec<f64>,
    pub elastic: Vec<f64>,
    pub damping: Vec<f64>,
    pub gravity: Vec<f64>,
    pub external: Vec<f64>,
    pub elements: Vec<f64>,
}

/// Energies, in J.
#[derive(Clone, Debug, Serialize)]
pub struct EnergyFacts {
    pub kinetic: f64,
    pub elastic: f64,
    pub gravity: f64,
    /// In springs and other force elements.
    pub stored: f64,
    pub total: f64,
}

/// A body with the names of its nodes.
#[derive(Clone, Debug, Serialize)]
pub struct BodyNodes {
    pub name: String,
    pub nodes: Vec<String>,
}

impl StateFacts {
    /// Asks every verb of the engine.
    pub fn new(file: &str, model: &Model, state: &State, inputs: &Inputs) -> Result<Self, DynamicsError> {
        let variables = model.variables();
        let mut workspace = Workspace::new(model);
        let ws = &mut workspace;
        let solution = reactions(model, state, inputs, ws)?;
        let reactions = reaction_facts(model, &variables, solution);
        let (accelerations, forces) = (solution.accelerations().to_vec(), solution.forces().to_vec());
        let inverse_forces = inverse_dynamics(model, state, inputs, ws)?.forces().to_vec();
        let Energy { kinetic, elastic, gravitational: gravity, stored } = energy(model, state, ws)?;
        let energy = EnergyFacts { kinetic, elastic, gravity, stored, total: kinetic + elastic + gravity + stored };
        let Momentum { mass, centre_of_mass, linear, angular } = momentum(model, state, ws)?;
        let names = |body: BodyIndex| model.nodes_of(body).filter_map(|node| model.node_name(node)).map(str::to_owned);
        let body_nodes =
            |body| BodyNodes { name: model.name(body).to_owned(), nodes: names(body).collect::<Vec<String>>() };
        let mut facts = Self {
            file: file.to_owned(),
            state: state_facts(state, &variables),
            speeds: directions(&variables, model.speed_count()),
            mass_matrix: rows_of_mass(model, state, ws)?,
            bias: bias_forces(model, state, inputs, Terms::ALL, ws)?.forces().to_vec(),
            bias_parts: BiasParts::new(model, state, inputs, ws)?,
            forces,
            accelerations,
            inverse_forces,
            reactions,
            energy,
            mass,
            linear_momentum: linear.0,
            angular_momentum: angular.0,
            centre_of_mass: centre_of_mass.0,
            bodies: model.body_indices().map(body_nodes).collect(),
            node_positions: Vec::new(),
            node_attitudes: Vec::new(),
            node_velocities: Vec::new(),
            node_accelerations: Vec::new(),
        };
        facts.add_nodes(model, state, ws)?;
        Ok(facts)
    }

    fn add_nodes(&mut self, model: &Model, state: &State, ws: &mut Workspace) -> Result<(), DynamicsError> {
        let motion = kinematics_with(model, state, &self.accelerations, ws)?;
        for body in model.body_indices() {
            let nodes = || (0..model.node_count(body)).map(NodeIndex);
            self.node_positions.push(nodes().map(|node| motion.node_position(body, node).0).collect());
            self.node_attitudes.push(nodes().map(|node| motion.node_attitude(body, node).0).collect());
            self.node_velocities.push(nodes().map(|node| motion.node_velocity(body, node).to_array()).collect());
            let accelerations = nodes().filter_map(|node| motion.node_acceleration(body, node));
            self.node_accelerations.push(accelerations.map(|a| a.to_array()).collect());
        }
        Ok(())
    }
}

impl BiasParts {
    fn new(model: &Model, state: &State, inputs: &Inputs, ws: &mut Workspace) -> Result<Self, DynamicsError> {
        let mut part = |terms| Ok::<_, DynamicsError>(bias_forces(model, state, inputs, terms, ws)?.forces().to_vec());
        Ok(Self {
            velocity: part(Terms { velocity: true, ..Terms::NONE })?,
            elastic: part(Terms { elastic: true, ..Terms::NONE })?,
            damping: part(Terms { damping: true, ..Terms::NONE })?,
            gravity: part(Terms { gravity: true, ..Terms::NONE })?,
            external: part(Terms { external: true, ..Terms::NONE })?,
            elements: part(Terms { elements: true, ..Terms::NONE })?,
        })
    }
}

/// Time, coordinates, attitudes and speeds by name.
fn state_facts(state: &State, variables: &[Variable]) -> Vec<Quantity> {
    let value = |v: &Variable| match v.kind {
        VariableKind::Time => state.time,
        VariableKind::HingeSpeed | VariableKind::ModalSpeed => state.speeds[v.index],
        VariableKind::Attitude => state.attitudes[v.index / 4].0[v.index % 4],
        _ => state.coordinates[v.index],
    };
    let of_state = variables.iter().filter(|v| v.kind.role() == Role::State);
    of_state.map(|v| Quantity { name: v.name.clone(), unit: v.unit, value: value(v) }).collect()
}

/// What the rows of the equations of motion are.
fn directions(variables: &[Variable], count: usize) -> Vec<Direction> {
    let at = |i: usize, kinds: [VariableKind; 2]| variables.iter().find(|v| v.index == i && kinds.contains(&v.kind));
    let direction = |i| {
        let speed = at(i, [VariableKind::HingeSpeed, VariableKind::ModalSpeed])?;
        let force = at(i, [VariableKind::HingeForceInput, VariableKind::ModalForceInput])?;
        Some(Direction { name: speed.name.clone(), unit: speed.unit, force_unit: force.unit })
    };
    (0..count).filter_map(direction).collect()
}

fn rows_of_mass(model: &Model, state: &State, ws: &mut Workspace) -> Result<Vec<Vec<f64>>, DynamicsError> {
    let size = model.speed_count();
    let mut entries = vec![0.0; size * size];
    mass_matrix(model, state, ws, &mut DenseWorkspace::new(model), &mut entries)?;
    Ok(entries.chunks(size.max(1)).map(<[f64]>::to_vec).collect())
}

/// Wrenches of hinges in body axes and of closures in inertial axes. Those that are not finite were found by the verb already.
fn reaction_facts(model: &Model, variables: &[Variable], solution: Solution<'_>) -> Vec<Quantity> {
    let component = |wrench: Result<Force<f64>, AccessError>, i: usize| wrench.map(|wrench| wrench.to_array()[i % 6]);
    let closure = |i: usize| model.closure_handles().nth(i);
    let value = |v: &Variable| match v.kind {
        VariableKind::Reaction => {
            let hinge = model.hinges().nth(v.index / 6)?;
            component(solution.hinge_wrench(hinge, WrenchFrame::Body), v.index).ok()
        }
        VariableKind::ClosureWrench => {
            let [_, on_b] = solution.closure_wrenches(closure(v.index / 6)?).ok()?;
            component(Ok(on_b), v.index).ok()
        }
        VariableKind::ClosureForce => solution.closure_forces(closure(v.index)?).ok()?.first().copied(),
        _ => None,
    };
    let quantity = |v: &Variable| Some(Quantity { name: v.name.clone(), unit: v.unit, value: value(v)? });
    variables.iter().filter_map(quantity).collect()
}
