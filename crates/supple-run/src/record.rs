//! What a run records: the columns of its table, and the rows.
//!
//! Names, units and places come from [`Model::variables`] and [`Model::node_variables`].

use supple::model::{Variable, VariableKind};
use supple::spatial::Quaternion;
use supple::{
    DynamicsError, HingeHandle, Inputs, Model, NodeHandle, Solution, State, Workspace, WrenchFrame, inverse_dynamics,
    kinematics, momentum, reactions,
};
use supple_io::results::{Column, ResultsError, Table};
use supple_io::scenario_file::Scenario;

use supple::integrate::Simulation;

use crate::closure_columns::ClosureColumns;
use crate::control;

/// Energies of the state, which stand before what flowed.
const ENERGIES: usize = 5;

/// Makes rows of the state that a simulation has reached.
pub struct Recorder {
    table: Table,
    parts: Vec<Part>,
    nodes: Vec<NodeHandle>,
    hinges: Vec<HingeHandle>,
    /// Per column, whether it is added up over the steps.
    sums: Vec<bool>,
    closures: ClosureColumns,
    row: Vec<f64>,
    inputs: Inputs,
    workspace: Workspace,
}

/// Columns that come from one place.
enum Part {
    /// Variables of a kind, by their places.
    Variables(VariableKind, Vec<usize>),
    /// Steps of the integrator.
    Steps,
    /// Outputs of this many blocks.
    Signals(usize),
}

impl Recorder {
    /// The columns that the scenario asks for.
    pub fn new(scenario: &Scenario) -> Result<Self, ResultsError> {
        let model = &scenario.model.model;
        let asked = &scenario.results;
        let nodes: Vec<_> = asked.nodes.iter().filter_map(|(k, j)| model.nodes_of(*k).nth(j.0)).collect();
        let variables = model.variables();
        let of_nodes: Vec<_> = nodes.iter().flat_map(|node| model.node_variables(*node)).collect();
        let column = |v: &Variable| Column::new(v.name.clone(), v.unit, v.description);
        let mut columns: Vec<_> = variables.iter().filter(|v| v.kind == VariableKind::Time).map(column).collect();
        let mut parts = Vec::new();
        let mut sums = vec![false; columns.len()];
        let words = asked.columns.iter().map(String::as_str);
        for word in words.chain((!nodes.is_empty()).then_some("nodes")) {
            if word == "steps" {
                columns.extend(STEPS.map(|(name, what)| Column::new(name, "1", what)));
                sums.resize(columns.len(), true);
                parts.push(Part::Steps);
            }
            if word == "signals" && !scenario.blocks.is_empty() {
                columns.extend(control::columns(scenario));
                parts.push(Part::Signals(scenario.blocks.len()));
            }
            for kind in kinds(word) {
                let of_kind: Vec<_> = variables.iter().chain(&of_nodes).filter(|v| v.kind == *kind).collect();
                sums.resize(columns.len(), false);
                sums.extend(of_kind.iter().map(|v| is_sum(v)));
                columns.extend(of_kind.iter().map(|v| column(v)));
                parts.push(Part::Variables(*kind, of_kind.iter().map(|v| v.index).collect()));
            }
        }
        let name = scenario.model.name.clone().unwrap_or_else(|| scenario.model_name.clone());
        let row = Vec::with_capacity(columns.len());
        let (hinges, closures, inputs) = (model.hinges().collect(), ClosureColumns::new(model), Inputs::new(model));
        let table = Table::new(name, columns)?;
        let workspace = Workspace::new(model);
        sums.resize(table.columns().len(), false);
        Ok(Self { table, parts, nodes, hinges, sums, closures, row, inputs, workspace })
    }

    /// The columns.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Per column, whether it is added up over the steps, and no function of the state that is reached.
    pub fn sums(&self) -> &[bool] {
        &self.sums
    }

    /// The row of the state reached.
    pub fn row(&mut self, model: &Model, run: &mut Simulation) -> Result<&[f64], DynamicsError> {
        let Self { parts, nodes, hinges, closures, row, inputs, workspace, .. } = self;
        row.clear();
        row.push(run.state().time);
        for part in parts {
            let (kind, places) = match part {
                Part::Variables(kind, places) => (kind, places),
                Part::Steps => {
                    let s = run.statistics();
                    row.extend([s.accepted, s.rejected, s.evaluations].map(|count| count as f64));
                    continue;
                }
                Part::Signals(blocks) => {
                    control::write(*blocks, run, row);
                    continue;
                }
            };
            let pick = |row: &mut Vec<f64>, list: &[f64]| row.extend(places.iter().map(|i| list[*i]));
            match kind {
                VariableKind::HingeCoordinate | VariableKind::ModalCoordinate => pick(row, &run.state().coordinates),
                VariableKind::HingeSpeed | VariableKind::ModalSpeed => pick(row, &run.state().speeds),
                VariableKind::HingeAcceleration | VariableKind::ModalAcceleration => pick(row, run.dynamics()?.0),
                VariableKind::DriveForce => pick(row, run.dynamics()?.1),
                VariableKind::Energy => {
                    let l = run.ledger()?;
                    let energies =
                        [l.energy.kinetic, l.energy.elastic, l.energy.gravitational, l.energy.stored, l.total()];
                    let flows = [l.work, l.wrench_work, l.dissipated, l.hinge_dissipated, l.balance_error()];
                    let of_closures = [l.impact_loss, l.projection_work];
                    row.extend(places.iter().map(|i| match i {
                        0..ENERGIES => energies[*i],
                        ENERGIES..10 => flows[*i - ENERGIES],
                        _ => of_closures[*i - 10],
                    }));
                }
                VariableKind::DriveWork => pick(row, run.body_works()),
                VariableKind::Momentum => {
                    let p = momentum(model, run.state(), workspace)?;
                    pick(row, [p.linear.0, p.angular.0, p.centre_of_mass.0].as_flattened());
                }
                VariableKind::Reaction | VariableKind::NodeWrench => {
                    let solution = wrenches(model, run, inputs, workspace)?;
                    let other = |_| DynamicsError::OtherModel { what: "recorder" };
                    if *kind == VariableKind::Reaction {
                        for hinge in hinges.iter() {
                            row.extend(solution.hinge_wrench(*hinge, WrenchFrame::Body).map_err(other)?.to_array());
                        }
                    } else {
                        for node in nodes.iter() {
                            row.extend(solution.node_wrench(*node, WrenchFrame::Body).map_err(other)?.to_array());
                        }
                    }
                }
                VariableKind::ClosureState
                | VariableKind::ClosureSeparation
                | VariableKind::ClosureDeviation
                | VariableKind::ClosureWrench
                | VariableKind::ClosureForce => closures.write((*kind, places), model, run, workspace, row)?,
                _ => node_motions(model, run.state(), *kind, nodes, workspace, row)?,
            }
        }
        Ok(row)
    }
}

/// Whether a variable is added up over the steps.
fn is_sum(variable: &Variable) -> bool {
    match variable.kind {
        VariableKind::Energy => variable.index >= ENERGIES,
        VariableKind::DriveWork => true,
        _ => false,
    }
}

/// Motion or deflection of nodes.
fn node_motions(
    model: &Model,
    state: &State,
    kind: VariableKind,
    nodes: &[NodeHandle],
    workspace: &mut Workspace,
    row: &mut Vec<f64>,
) -> Result<(), DynamicsError> {
    let motion = kinematics(model, state, workspace)?;
    for (body, node) in nodes.iter().map(|node| (node.body(), node.node())) {
        if kind == VariableKind::Deflection {
            row.extend(motion.node_deflection(body, node).0);
            continue;
        }
        if kind == VariableKind::Strain {
            row.extend(motion.node_strain(body, node).into_iter().flatten());
            continue;
        }
        let velocity = motion.node_velocity(body, node);
        row.extend(motion.node_position(body, node).0);
        row.extend(Quaternion::from_matrix(&motion.node_attitude(body, node)).0);
        row.extend(velocity.linear.0);
        row.extend(velocity.angular.0);
    }
    Ok(())
}

/// The wrenches of hinges, nodes and closures at the state reached: of a tree by inverse dynamics of its accelerations.
fn wrenches<'w>(
    model: &Model,
    run: &mut Simulation,
    inputs: &mut Inputs,
    workspace: &'w mut Workspace,
) -> Result<Solution<'w>, DynamicsError> {
    if !model.closures().is_empty() {
        run.dynamics()?;
        return reactions(model, run.state(), run.inputs(), workspace);
    }
    inputs.accelerations.copy_from_slice(run.dynamics()?.0);
    inputs.wrenches.clone_from(&run.inputs().wrenches);
    inverse_dynamics(model, run.state(), inputs, workspace)
}

/// Columns of the integrator, which are none of the model's.
const STEPS: [(&str, &str); 3] = [
    ("steps.accepted", "steps accepted since the start"),
    ("steps.rejected", "steps rejected since the start"),
    ("steps.evaluations", "evaluations of the equations since the start"),
];

/// The kinds of variables that a word of the scenario stands for.
fn kinds(word: &str) -> &'static [VariableKind] {
    match word {
        "hinges" => &[VariableKind::HingeCoordinate],
        "hinge_speeds" => &[VariableKind::HingeSpeed],
        "hinge_accelerations" => &[VariableKind::HingeAcceleration],
        "hinge_forces" => &[VariableKind::DriveForce],
        "modes" => &[VariableKind::ModalCoordinate],
        "mode_speeds" => &[VariableKind::ModalSpeed],
        "mode_accelerations" => &[VariableKind::ModalAcceleration],
        "reactions" => &[VariableKind::Reaction],
        "closures" => &[VariableKind::ClosureState, VariableKind::ClosureSeparation, VariableKind::ClosureDeviation],
        "closure_forces" => &[VariableKind::ClosureWrench, VariableKind::ClosureForce],
        "energy" => &[VariableKind::Energy, VariableKind::DriveWork],
        "momentum" => &[VariableKind::Momentum],
        "deflections" => &[VariableKind::Deflection],
        "strains" => &[VariableKind::Strain],
        "node_wrenches" => &[VariableKind::NodeWrench],
        "nodes" => &[VariableKind::NodeMotion],
        _ => &[],
    }
}
