//! Every verb of the engine behind one call, for tests that treat all of them alike.

use super::Prepared;
use crate::generic::{
    bias_forces, composite_forward_dynamics, energy, forward_dynamics_by, hybrid_dynamics, inverse_dynamics,
    kinematics, kinematics_with, mass_matrix, mass_operator, momentum, node_compliances, node_jacobian,
    operational_compliance, power, reactions,
};
use crate::model::{BodyIndex, Model, NodeIndex};
use crate::sweep;
use crate::{DenseWorkspace, DynamicsError, Kinematics, MassOperator, Method, Solution, Terms, Workspace, WrenchFrame};
use supple_spatial::{Matrix6, Quaternion, Scalar};

/// A verb that leaves its numbers in [`EveryVerb::results`].
pub type Verb<T> = fn(&mut EveryVerb<T>) -> Outcome;

type Outcome = Result<(), DynamicsError>;

/// What the verbs of one model need, allocated once.
#[derive(Debug)]
pub struct EveryVerb<T: Scalar = f64> {
    /// Model, state and inputs.
    pub at: Prepared<T>,
    workspace: Workspace<T>,
    dense: DenseWorkspace<T>,
    nodes: Vec<(BodyIndex, NodeIndex)>,
    blocks: Vec<Matrix6<T>>,
    attitude_rates: Vec<Quaternion<T>>,
    results: Vec<T>,
}

impl<T: Scalar> EveryVerb<T> {
    /// Memory for the verbs at `at`. Every other body gets a prescribed hinge.
    pub fn new(mut at: Prepared<T>) -> Self {
        at.inputs.prescribed.iter_mut().step_by(2).for_each(|flag| *flag = true);
        let model = &at.model;
        // Two nodes on different bodies, and one twice.
        let last = BodyIndex(model.body_count() - 1);
        let outer = (last, NodeIndex(model.node_count(last) - 1));
        let nodes = vec![outer, (BodyIndex(0), NodeIndex(0)), outer];
        let n = model.speed_count();
        let all_nodes: usize = model.body_indices().map(|body| model.node_count(body)).sum();
        let states = model.coordinate_count() + 4 * model.attitude_nodes().len();
        let most = [n * n, 6 * n, states, 18 * 18, 24 * all_nodes + 18 * model.body_count() + 2 * n];
        Self {
            workspace: at.workspace(),
            dense: at.dense_workspace(),
            nodes,
            blocks: vec![Matrix6::ZERO; 3],
            attitude_rates: vec![Quaternion::IDENTITY; model.attitude_nodes().len()],
            results: Vec::with_capacity(most.into_iter().fold(0, usize::max)),
            at,
        }
    }

    /// Numbers of the last verb.
    pub fn results(&self) -> &[T] {
        &self.results
    }

    /// All verbs, by name.
    pub fn list() -> [(&'static str, Verb<T>); 33] {
        [
            ("forward_dynamics", |v| v.forward(Method::Auto)),
            ("forward_dynamics, explicit", |v| v.forward(Method::Explicit)),
            ("forward_dynamics, indirect", |v| v.forward(Method::Indirect)),
            ("forward_dynamics, condensed", |v| v.forward(Method::Condensed)),
            ("composite_forward_dynamics", Self::composite),
            ("inverse_dynamics", Self::inverse_dynamics),
            ("bias_forces", |v| v.bias(Terms::ALL)),
            ("bias_forces without gravity", |v| v.bias(Terms { gravity: false, ..Terms::ALL })),
            ("bias_forces, velocity alone", |v| v.bias(Terms { velocity: true, ..Terms::NONE })),
            ("bias_forces, loads alone", |v| v.bias(Terms { external: true, ..Terms::NONE })),
            ("hybrid_dynamics", Self::hybrid),
            ("reactions", Self::reactions),
            ("mass_matrix", Self::mass_matrix),
            ("mass_operator", |v| v.operator(|_, _, _| Ok(()))),
            ("MassOperator::apply", |v| v.operator(|m, x, out| m.apply(x, out))),
            ("MassOperator::solve", |v| v.operator(|m, x, out| m.solve(x, out))),
            ("MassOperator::apply_factor", |v| v.operator(|m, x, out| m.apply_factor(x, out))),
            ("MassOperator::apply_factor_transpose", |v| v.operator(|m, x, out| m.apply_factor_transpose(x, out))),
            ("MassOperator::solve_factor", |v| v.operator(|m, x, out| m.solve_factor(x, out))),
            ("MassOperator::solve_factor_transpose", |v| v.operator(|m, x, out| m.solve_factor_transpose(x, out))),
            ("MassOperator::apply_diagonal", |v| v.operator(|m, x, out| m.apply_diagonal(x, out))),
            ("MassOperator::solve_diagonal", |v| v.operator(|m, x, out| m.solve_diagonal(x, out))),
            ("MassOperator::log_det", Self::log_det),
            ("MassOperator::inverse", Self::inverse),
            ("operational_compliance", Self::compliance),
            ("node_compliances", Self::node_compliances),
            ("kinematics", Self::kinematics),
            ("kinematics_with", Self::kinematics_with),
            ("node_jacobian", Self::jacobian),
            ("energy", Self::energy),
            ("momentum", Self::momentum),
            ("power", Self::power),
            ("coordinate_rates", Self::coordinate_rates),
        ]
    }

    /// Accelerations for the generalized forces `forces` alone, by the factors that the inward sweep of the last verb left; hinges that it
    /// had as prescribed are at rest.
    pub fn solve_again(&mut self, forces: &[T], out: &mut [T]) {
        let (model, rest) = (&self.at.model, vec![T::ZERO; forces.len()]);
        let Workspace { configuration, modal, bias, articulated, residual, .. } = &mut self.workspace;
        sweep::articulation::solve::<T, false>(model, configuration, modal, articulated, bias, forces, &rest, residual);
        self.workspace.result.copy_from_slice(&rest);
        self.workspace.accelerate::<false>(model);
        out.copy_from_slice(&self.workspace.result);
    }

    fn forward(&mut self, method: Method) -> Outcome {
        let Self { at, workspace, results, .. } = self;
        keep(forward_dynamics_by(method, &at.model, &at.state, &at.inputs, workspace)?, results);
        Ok(())
    }

    fn composite(&mut self) -> Outcome {
        let Self { at, workspace, dense, results, .. } = self;
        keep(composite_forward_dynamics(&at.model, &at.state, &at.inputs, workspace, dense)?, results);
        Ok(())
    }

    fn inverse_dynamics(&mut self) -> Outcome {
        let Self { at, workspace, results, .. } = self;
        keep(inverse_dynamics(&at.model, &at.state, &at.inputs, workspace)?, results);
        Ok(())
    }

    fn bias(&mut self, terms: Terms) -> Outcome {
        let Self { at, workspace, results, .. } = self;
        keep(bias_forces(&at.model, &at.state, &at.inputs, terms, workspace)?, results);
        Ok(())
    }

    fn hybrid(&mut self) -> Outcome {
        let Self { at, workspace, results, .. } = self;
        keep(hybrid_dynamics(&at.model, &at.state, &at.inputs, workspace)?, results);
        Ok(())
    }

    fn reactions(&mut self) -> Outcome {
        let Self { at, workspace, results, .. } = self;
        let found = reactions(&at.model, &at.state, &at.inputs, workspace)?;
        keep(found, results);
        for frame in [WrenchFrame::Body, WrenchFrame::Inertial] {
            let hinges = at.model.hinges().filter_map(|hinge| found.hinge_wrench(hinge, frame).ok());
            results.extend(hinges.flat_map(|f| f.to_array()));
            let nodes = at.model.body_indices().flat_map(|body| at.model.nodes_of(body));
            results.extend(nodes.filter_map(|node| found.node_wrench(node, frame).ok()).flat_map(|f| f.to_array()));
        }
        Ok(())
    }

    fn mass_matrix(&mut self) -> Outcome {
        let Self { at, workspace, dense, results, .. } = self;
        let n = at.model.speed_count();
        let out = room(results, n * n);
        mass_matrix(&at.model, &at.state, workspace, dense, out)
    }

    fn operator(&mut self, product: Product<T>) -> Outcome {
        let Self { at, workspace, results, .. } = self;
        let out = room(results, at.model.speed_count());
        let mut operator = mass_operator(&at.model, &at.state, workspace)?;
        product(&mut operator, &at.inputs.accelerations, out)
    }

    fn log_det(&mut self) -> Outcome {
        let Self { at, workspace, results, .. } = self;
        results.clear();
        results.push(mass_operator(&at.model, &at.state, workspace)?.log_det());
        Ok(())
    }

    fn inverse(&mut self) -> Outcome {
        let Self { at, workspace, results, .. } = self;
        let n = at.model.speed_count();
        let out = room(results, n * n);
        mass_operator(&at.model, &at.state, workspace)?.inverse(out)
    }

    fn compliance(&mut self) -> Outcome {
        let Self { at, workspace, nodes, results, .. } = self;
        let n = 6 * nodes.len();
        operational_compliance(&at.model, &at.state, nodes, workspace, room(results, n * n))
    }

    fn node_compliances(&mut self) -> Outcome {
        let Self { at, workspace, nodes, blocks, results, .. } = self;
        node_compliances(&at.model, &at.state, nodes, workspace, blocks)?;
        results.clear();
        results.extend(blocks.iter().flat_map(|block| block.0).flatten());
        Ok(())
    }

    fn kinematics(&mut self) -> Outcome {
        let Self { at, workspace, results, .. } = self;
        read(&at.model, &kinematics(&at.model, &at.state, workspace)?, results);
        Ok(())
    }

    fn kinematics_with(&mut self) -> Outcome {
        let Self { at, workspace, results, .. } = self;
        let found = kinematics_with(&at.model, &at.state, &at.inputs.accelerations, workspace)?;
        read(&at.model, &found, results);
        Ok(())
    }

    fn jacobian(&mut self) -> Outcome {
        let Self { at, workspace, nodes, results, .. } = self;
        let out = room(results, 6 * at.model.speed_count());
        node_jacobian(&at.model, &at.state, nodes[0], workspace, out)
    }

    fn energy(&mut self) -> Outcome {
        let found = energy(&self.at.model, &self.at.state, &mut self.workspace)?;
        self.results.clear();
        self.results.extend([found.kinetic, found.elastic, found.gravitational, found.stored, found.total()]);
        Ok(())
    }

    fn momentum(&mut self) -> Outcome {
        let found = momentum(&self.at.model, &self.at.state, &mut self.workspace)?;
        self.results.clear();
        self.results.push(found.mass);
        self.results.extend([found.centre_of_mass, found.linear, found.angular].iter().flat_map(|v| v.0));
        Ok(())
    }

    fn power(&mut self) -> Outcome {
        let found = power(&self.at.model, &self.at.state, &self.at.inputs, &mut self.workspace)?;
        self.results.clear();
        let elements = [found.element_supplied, found.element_dissipated];
        self.results.extend([found.forces, found.wrenches, found.dissipated, found.net()]);
        self.results.extend(elements);
        Ok(())
    }

    fn coordinate_rates(&mut self) -> Outcome {
        let Self { at, attitude_rates, results, .. } = self;
        at.state.coordinate_rates(&at.model, room(results, at.model.coordinate_count()), attitude_rates);
        results.extend(attitude_rates.iter().flat_map(|q| q.0));
        Ok(())
    }
}

/// A product with the mass matrix or one of its factors.
type Product<T> = fn(&mut MassOperator<'_, T>, &[T], &mut [T]) -> Outcome;

/// `size` numbers of `results`, within its capacity.
fn room<T: Scalar>(results: &mut Vec<T>, size: usize) -> &mut [T] {
    results.clear();
    results.resize(size, T::ZERO);
    results
}

/// Keeps accelerations and forces.
fn keep<T: Scalar>(solution: Solution<'_, T>, results: &mut Vec<T>) {
    results.clear();
    results.extend(solution.accelerations());
    results.extend(solution.forces());
}

/// Everything that is known about bodies and nodes.
fn read<T: Scalar>(model: &Model<T>, found: &Kinematics<'_, T>, results: &mut Vec<T>) {
    results.clear();
    for body in model.body_indices() {
        results.extend(found.body_position(body).0);
        results.extend(found.body_attitude(body).0.iter().flatten());
        results.extend(found.body_velocity(body).to_array());
        for node in (0..model.node_count(body)).map(NodeIndex) {
            results.extend(found.node_position(body, node).0);
            results.extend(found.node_attitude(body, node).0.iter().flatten());
            results.extend(found.node_velocity(body, node).to_array());
            results.extend(found.node_acceleration(body, node).iter().flat_map(|a| a.to_array()));
        }
    }
}
