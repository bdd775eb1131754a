//! What a run records: the columns of its table, and the rows.

use supple::spatial::Quaternion;
use supple::{BodyIndex, DynamicsError, Model, NodeIndex, Workspace, kinematics, momentum};
use supple_io::results::{Column, ResultsError, Table};
use supple_io::scenario_file::{Scenario, coordinate_names, speed_names};

use crate::engine::Engine;

const AXES: [&str; 3] = ["x", "y", "z"];

/// Makes rows of the state that a simulation has reached.
pub struct Recorder {
    table: Table,
    groups: Vec<Group>,
    nodes: Vec<(BodyIndex, NodeIndex)>,
    row: Vec<f64>,
    workspace: Workspace,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Group {
    Hinges,
    HingeSpeeds,
    HingeAccelerations,
    HingeForces,
    Modes,
    ModeSpeeds,
    Energy,
    Momentum,
    Steps,
    Deflections,
    Nodes,
}

impl Recorder {
    /// The columns that the scenario asks for.
    pub fn new(scenario: &Scenario) -> Result<Self, ResultsError> {
        let (model, system) = (&scenario.model.model, &scenario.model.system);
        let mut columns = vec![Column::new("time", "s", "simulated time")];
        let mut groups: Vec<Group> = scenario.results.columns.iter().filter_map(|word| group(word)).collect();
        if !scenario.results.nodes.is_empty() {
            groups.push(Group::Nodes);
        }
        let hinge = |body: usize| {
            let told = &system.bodies[body];
            told.hinge.name.clone().unwrap_or_else(|| told.name.clone())
        };
        let node_name = |body: BodyIndex, node: NodeIndex| {
            let told = system.bodies[body.0].nodes[node.0].name.clone();
            told.unwrap_or_else(|| node.0.to_string())
        };
        for group in &groups {
            let mut add = |name: String, unit: &str, what: &str| columns.push(Column::new(name, unit, what));
            for (k, body) in system.bodies.iter().enumerate() {
                let kind = &body.hinge.kind;
                match group {
                    Group::Hinges => coordinate_names(kind)
                        .iter()
                        .for_each(|(part, unit)| add(format!("hinge.{}{part}", hinge(k)), unit, "hinge coordinate")),
                    Group::HingeSpeeds | Group::HingeAccelerations | Group::HingeForces => {
                        for (part, turns) in speed_names(kind) {
                            let (prefix, units, what) = match group {
                                Group::HingeSpeeds => ("speed", ["rad/s", "m/s"], "hinge speed"),
                                Group::HingeForces => ("force", ["N m", "N"], "force of the drive in the hinge"),
                                _ => ("acceleration", ["rad/s²", "m/s²"], "hinge acceleration"),
                            };
                            add(format!("{prefix}.{}{part}", hinge(k)), units[usize::from(!turns)], what);
                        }
                    }
                    Group::Modes => (1..=body.modes.count)
                        .for_each(|r| add(format!("mode.{}.{r}", body.name), "1", "modal coordinate")),
                    Group::ModeSpeeds => (1..=body.modes.count)
                        .for_each(|r| add(format!("mode_speed.{}.{r}", body.name), "1/s", "modal speed")),
                    Group::Energy | Group::Momentum | Group::Steps | Group::Deflections | Group::Nodes => {}
                }
            }
            match group {
                Group::Energy => {
                    for (name, what) in [
                        ("energy.kinetic", "kinetic energy"),
                        ("energy.elastic", "elastic energy"),
                        ("energy.gravitational", "gravitational energy"),
                        ("energy.hinges", "energy stored in springs and stops of hinges"),
                        ("energy.total", "total energy"),
                        ("work.drives", "work of all drives since the start"),
                        ("work.wrenches", "work of external wrenches"),
                        ("dissipated.modes", "energy dissipated by modal damping"),
                        ("dissipated.hinges", "energy dissipated by damping, friction and stops of hinges"),
                        ("energy.balance_error", "error of the energy balance"),
                    ] {
                        add(name.into(), "J", what);
                    }
                    for body in driven(model) {
                        add(format!("work.{}", hinge(body.0)), "J", "work of this drive since the start");
                    }
                }
                Group::Momentum => {
                    for (name, unit, what) in [
                        ("momentum", "kg m/s", "linear momentum"),
                        ("angular_momentum", "kg m²/s", "angular momentum about the inertial origin"),
                        ("centre_of_mass", "m", "mass centre of the system"),
                    ] {
                        AXES.iter().for_each(|axis| add(format!("{name}.{axis}"), unit, what));
                    }
                }
                Group::Steps => {
                    for (name, what) in [
                        ("steps.accepted", "steps accepted since the start"),
                        ("steps.rejected", "steps rejected since the start"),
                        ("steps.evaluations", "evaluations of the equations since the start"),
                    ] {
                        add(name.into(), "1", what);
                    }
                }
                Group::Deflections => {
                    for (body, node) in &scenario.results.nodes {
                        let name = format!("deflection.{}.{}", system.bodies[body.0].name, node_name(*body, *node));
                        AXES.iter().for_each(|axis| add(format!("{name}.{axis}"), "m", "elastic displacement"));
                    }
                }
                Group::Nodes => {
                    for (body, node) in &scenario.results.nodes {
                        let told = &system.bodies[body.0];
                        let name = format!("node.{}.{}", told.name, node_name(*body, *node));
                        AXES.iter().for_each(|axis| add(format!("{name}.{axis}"), "m", "position"));
                        ["qx", "qy", "qz", "qw"].iter().for_each(|q| add(format!("{name}.{q}"), "1", "attitude"));
                        AXES.iter().for_each(|axis| add(format!("{name}.v{axis}"), "m/s", "velocity"));
                        AXES.iter().for_each(|axis| add(format!("{name}.w{axis}"), "rad/s", "angular velocity"));
                    }
                }
                _ => {}
            }
        }
        let name = scenario.model.name.clone().unwrap_or_else(|| scenario.model_name.clone());
        let row = Vec::with_capacity(columns.len());
        let table = Table::new(name, columns)?;
        let nodes = scenario.results.nodes.clone();
        Ok(Self { table, groups, nodes, row, workspace: Workspace::new(model) })
    }

    /// The columns.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The row of the state reached.
    pub fn row(&mut self, model: &Model, run: &mut dyn Engine) -> Result<&[f64], DynamicsError> {
        self.row.clear();
        self.row.push(run.state().time);
        for i in 0..self.groups.len() {
            match self.groups[i] {
                Group::Hinges => self.per_body(model, |b| (model.hinge_coordinates(b), &run.state().coordinates)),
                Group::HingeSpeeds => self.per_body(model, |b| (model.hinge_speeds(b), &run.state().speeds)),
                Group::Modes => self.per_body(model, |b| (model.modal_coordinates(b), &run.state().coordinates)),
                Group::ModeSpeeds => self.per_body(model, |b| (model.modal_speeds(b), &run.state().speeds)),
                Group::HingeAccelerations => {
                    let accelerations = run.dynamics()?.0;
                    self.per_body(model, |b| (model.hinge_speeds(b), accelerations));
                }
                Group::HingeForces => {
                    let forces = run.dynamics()?.1;
                    self.per_body(model, |b| (model.hinge_speeds(b), forces));
                }
                Group::Energy => {
                    let l = run.ledger()?;
                    self.row.extend([l.energy.kinetic, l.energy.elastic, l.energy.gravitational, l.stored, l.total()]);
                    self.row.extend([l.work, l.wrench_work, l.dissipated, l.hinge_dissipated, l.balance_error()]);
                    self.row.extend(driven(model).map(|body| run.body_works()[body.0]));
                }
                Group::Momentum => {
                    let p = momentum(model, run.state(), &mut self.workspace)?;
                    self.row.extend([p.linear.0, p.angular.0, p.centre_of_mass.0].as_flattened());
                }
                Group::Steps => {
                    let s = run.statistics();
                    self.row.extend([s.accepted, s.rejected, s.evaluations].map(|count| count as f64));
                }
                Group::Deflections => {
                    let motion = kinematics(model, run.state(), &mut self.workspace)?;
                    for &(body, node) in &self.nodes {
                        self.row.extend(motion.node_deflection(body, node).0);
                    }
                }
                Group::Nodes => {
                    let motion = kinematics(model, run.state(), &mut self.workspace)?;
                    for &(body, node) in &self.nodes {
                        let velocity = motion.node_velocity(body, node);
                        self.row.extend(motion.node_position(body, node).0);
                        self.row.extend(Quaternion::from_matrix(&motion.node_attitude(body, node)).0);
                        self.row.extend(velocity.linear.0);
                        self.row.extend(velocity.angular.0);
                    }
                }
            }
        }
        Ok(&self.row)
    }

    fn per_body<'a>(&mut self, model: &Model, part: impl Fn(BodyIndex) -> (std::ops::Range<usize>, &'a [f64])) {
        for body in model.body_indices() {
            let (range, list) = part(body);
            self.row.extend_from_slice(&list[range]);
        }
    }
}

/// Bodies whose hinges can be driven.
fn driven(model: &Model) -> impl Iterator<Item = BodyIndex> {
    model.body_indices().filter(|body| !model.hinge_speeds(*body).is_empty())
}

fn group(word: &str) -> Option<Group> {
    Some(match word {
        "hinges" => Group::Hinges,
        "hinge_speeds" => Group::HingeSpeeds,
        "hinge_accelerations" => Group::HingeAccelerations,
        "hinge_forces" => Group::HingeForces,
        "modes" => Group::Modes,
        "mode_speeds" => Group::ModeSpeeds,
        "energy" => Group::Energy,
        "momentum" => Group::Momentum,
        "steps" => Group::Steps,
        "deflections" => Group::Deflections,
        _ => return None,
    })
}
