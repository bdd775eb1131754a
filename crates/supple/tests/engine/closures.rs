//! Closed chains against a dense solution of the equations of motion with constraints.

use supple::spatial::Vector3;
use supple::testkit::{Prepared, RandomOptions, RandomState, Worst, constraints, random_system, relative_difference};
use supple::{
    Body, BodyIndex, Closure, ClosureKind, Constraint, ElasticRotation, Hinge, HingeKind, Inputs, Method, Model, Mount,
    NodeIndex, Parent, State, System, Workspace, Wrench, WrenchFrame, closure_jacobian, composite_forward_dynamics,
    forward_dynamics, forward_dynamics_by, hybrid_dynamics, inverse_dynamics, kinematics, reactions,
};

fn seeds(default: usize) -> usize {
    let asked = std::env::var("SUPPLE_SEEDS").ok();
    asked.and_then(|s| s.parse().ok()).unwrap_or(default)
}

/// Closed systems, states of them whose speeds obey the closures, and the condition number of `A Λ A*`.
fn closed(count: usize, options: &RandomOptions) -> impl Iterator<Item = (u64, System, RandomState, f64)> {
    let each = move |seed: u64| {
        let (system, mut state) = random_system(seed, options);
        let condition = constraints(&system, &state).condition(&state.answer(&system));
        if system.closures.is_empty() || condition > 1e8 {
            return None;
        }
        for _ in 0..2 {
            state.speeds = constraints(&system, &state).project(&state.answer(&system), &state.speeds);
        }
        Some((seed, system, state, condition))
    };
    (0..).filter_map(each).take(count)
}

#[test]
fn accelerations_are_those_of_a_dense_solution() {
    let mut worst = Worst::default();
    let options =
        RandomOptions { closures: 4, mass_ratio: 10.0, modes: 6, singular: false, ..RandomOptions::default() };
    for (seed, system, state, condition) in closed(seeds(300), &options) {
        let at = Prepared::new(&system, &state);
        let answer = state.answer(&system);
        let equations = constraints(&system, &state);
        let (expected, forces) = equations.solve(&answer, &state.forces);
        let mut wrenches = vec![[0.0; 6]; system.closures.len()];
        for (force, (closure, wrench)) in forces.iter().zip(&equations.wrench_on_a) {
            wrenches[*closure].iter_mut().zip(wrench).for_each(|(sum, x)| *sum += force * x);
        }
        let (mut workspace, mut dense) = (at.workspace(), at.dense_workspace());
        let solution =
            composite_forward_dynamics(&at.model, &at.state, &at.inputs, &mut workspace, &mut dense).unwrap();
        let error = relative_difference(solution.accelerations(), &expected);
        worst.record("composite", seed, error, f64::max(1e-10, condition * 1e-16));
        for method in [Method::Auto, Method::Explicit, Method::Condensed] {
            let mut workspace = at.workspace();
            let solution = forward_dynamics_by(method, &at.model, &at.state, &at.inputs, &mut workspace).unwrap();
            let error = relative_difference(solution.accelerations(), &expected);
            worst.record(
                &format!("{method:?} {:?}", system.elastic_rotation),
                seed,
                error,
                f64::max(1e-10, condition * 1e-16),
            );
            // The forces of step D, as wrenches on the frames `a`: moments about their origins, in inertial axes.
            let size = wrenches.iter().flatten().fold(1e-300_f64, |m, x| m.max(x.abs()));
            for (closure, expected) in at.model.closure_handles().zip(&wrenches) {
                let [found, _] = solution.closure_wrenches(closure).unwrap();
                let differences = found.to_array().into_iter().zip(expected).map(|(x, y)| (x - y).abs());
                let error = differences.fold(0.0, f64::max) / size;
                worst.record("wrenches", seed, error, f64::max(1e-10, condition * 1e-16));
            }
        }
    }
    worst.assert_within();
}

/// The Jacobian spans the equations of the definition, and forces of closures do no work on speeds that obey them.
#[test]
fn equations_are_those_of_the_definition() {
    let mut worst = Worst::default();
    let options =
        RandomOptions { closures: 4, mass_ratio: 10.0, modes: 6, singular: false, ..RandomOptions::default() };
    for (seed, system, state, condition) in closed(seeds(100), &options) {
        let at = Prepared::new(&system, &state);
        let mut workspace = at.workspace();
        let (n, m) = (at.model.speed_count(), at.model.equation_count());
        let mut jacobian = vec![0.0; n * m];
        closure_jacobian(&at.model, &at.state, &mut workspace, &mut jacobian).unwrap();
        let equations = constraints(&system, &state);
        assert_eq!(equations.jacobian.len(), m);
        let allowed = f64::max(1e-10, condition * 1e-16);
        // Speeds that obey the definition obey the Jacobian.
        for row in jacobian.chunks_exact(n) {
            let (sum, size) = row
                .iter()
                .zip(&state.speeds)
                .fold((0.0, 1e-300_f64), |(s, m), (a, u)| (s + a * u, m.max((a * u).abs())));
            worst.record("speeds", seed, sum.abs() / size.max(1.0), allowed);
        }
        let solution = forward_dynamics(&at.model, &at.state, &at.inputs, &mut workspace).unwrap();
        let forces: Vec<f64> =
            at.model.closure_handles().flat_map(|closure| solution.closure_forces(closure).unwrap().to_vec()).collect();
        let found = solution.accelerations().to_vec();
        // 𝓜 u̇ + 𝓒 = T + A* λ
        let answer = state.answer(&system);
        let needed = answer.forces(&found);
        for i in 0..n {
            let constraint: f64 = (0..m).map(|row| jacobian[row * n + i] * forces[row]).sum();
            let size = needed.iter().chain(&state.forces).fold(constraint.abs(), |m, x| m.max(x.abs()));
            worst.record("balance", seed, (needed[i] - state.forces[i] - constraint).abs() / size, allowed);
        }
        // A u̇ + Ȧ u = 0, to the sum of the absolute terms; u̇ is what the tree would do and what the closures change.
        let free = answer.accelerations(&state.forces).unwrap();
        for (row, drift) in equations.jacobian.iter().zip(&equations.drift) {
            let sum = row.iter().zip(&found).map(|(a, x)| a * x).sum::<f64>() + drift;
            let terms = row.iter().zip(free.iter().zip(&found)).map(|(a, (x, y))| a.abs() * (x.abs() + (y - x).abs()));
            let size = terms.sum::<f64>() + drift.abs();
            worst.record("accelerations", seed, sum.abs() / size.max(1e-300), 1e-12_f64.max(condition * 1e-16));
        }
        let fastest = state.speeds.iter().fold(0.0_f64, |m, u| m.max(u.abs()));
        let (mut power, mut size) = (0.0, 1e-300);
        for (row, force) in jacobian.chunks_exact(n).zip(&forces) {
            power += force * row.iter().zip(&state.speeds).map(|(a, u)| a * u).sum::<f64>();
            size += force.abs() * row.iter().map(|a| a.abs() * fastest).sum::<f64>();
        }
        worst.record("power", seed, power.abs() / size, allowed);
    }
    worst.assert_within();
}

/// Prescribed hinges are equations too: their accelerations are given, and the forces they need come out.
#[test]
fn prescribed_hinges_of_closed_chains_have_the_forces_of_a_dense_solution() {
    let mut worst = Worst::default();
    let options =
        RandomOptions { closures: 2, mass_ratio: 10.0, modes: 6, singular: false, ..RandomOptions::default() };
    let mut solved = 0;
    for (seed, system, mut state, _) in closed(seeds(300), &options) {
        let mut at = Prepared::new(&system, &state);
        for (k, flag) in at.inputs.prescribed.iter_mut().enumerate() {
            *flag = (seed as usize + 3 * k).is_multiple_of(5);
        }
        let prescribed: Vec<usize> = (0..system.bodies.len())
            .filter(|k| at.inputs.prescribed[*k])
            .flat_map(|k| at.model.hinge_speeds(BodyIndex(k)))
            .collect();
        let (answer, mut equations) = (state.answer(&system), constraints(&system, &state));
        for &i in &prescribed {
            let mut row = vec![0.0; at.model.speed_count()];
            row[i] = 1.0;
            equations.jacobian.push(row);
            equations.drift.push(-at.inputs.accelerations[i]);
            state.forces[i] = 0.0;
        }
        let condition =
            if equations.jacobian.len() < at.model.speed_count() { equations.condition(&answer) } else { 1e300 };
        if prescribed.is_empty() || condition > 1e8 {
            continue;
        }
        solved += 1;
        at.inputs.forces.copy_from_slice(&state.forces);
        let (expected, forces) = equations.solve(&answer, &state.forces);
        let mut workspace = at.workspace();
        let solution = hybrid_dynamics(&at.model, &at.state, &at.inputs, &mut workspace).unwrap();
        let allowed = f64::max(1e-10, condition * 1e-15);
        worst.record("accelerations", seed, relative_difference(solution.accelerations(), &expected), allowed);
        let first = forces.len() - prescribed.len();
        let found: Vec<f64> = prescribed.iter().map(|i| solution.forces()[*i]).collect();
        let size = forces[first..].iter().chain(&answer.forces(&expected)).fold(0.0_f64, |m, x| m.max(x.abs()));
        let error = found.iter().zip(&forces[first..]).fold(0.0_f64, |m, (x, y)| m.max((x - y).abs())) / size;
        worst.record("forces", seed, error, allowed);
    }
    assert!(solved > 50, "{solved}");
    worst.assert_within();
}

/// The hinges of a closed chain carry what those of the open tree carry under the wrenches of the closures.
#[test]
fn reactions_are_those_of_the_tree_under_the_wrenches_of_its_closures() {
    let mut worst = Worst::default();
    // Other rotations see wrenches on nodes and those of closures at different lever arms or rates.
    let options = RandomOptions {
        closures: 3,
        mass_ratio: 10.0,
        modes: 6,
        singular: false,
        elastic_rotation: Some(ElasticRotation::Integrated),
        ..RandomOptions::default()
    };
    for (seed, system, state, condition) in closed(100, &options) {
        let at = Prepared::new(&system, &state);
        let mut workspace = at.workspace();
        let solution = reactions(&at.model, &at.state, &at.inputs, &mut workspace).unwrap();
        let open = Model::build(&System { closures: Vec::new(), ..system.clone() }).unwrap();
        let mut inputs = Inputs { stamp: open.stamp(), closure_motions: Vec::new(), ..at.inputs.clone() };
        let mut other = at.workspace();
        let motion = kinematics(&at.model, &at.state, &mut other).unwrap();
        for (closure, described) in at.model.closure_handles().zip(&system.closures) {
            let wrenches = solution.closure_wrenches(closure).unwrap();
            match &described.constraint {
                Constraint::Coupling { hinges, .. } => {
                    let force = solution.closure_forces(closure).unwrap()[0];
                    for hinge in hinges {
                        inputs.forces[at.model.hinge_speeds(hinge.body).start + hinge.speed] += force * hinge.factor;
                    }
                }
                Constraint::Joint { a, b, .. } => {
                    for (mount, wrench) in [a, b].into_iter().zip(wrenches) {
                        let Parent::Body(body, node) = mount.parent else { continue };
                        let arm = motion.node_attitude(body, node) * Vector3(mount.position);
                        inputs.wrenches.push(Wrench {
                            body,
                            node,
                            frame: WrenchFrame::Inertial,
                            force: wrench.shift(arm),
                        });
                    }
                }
            }
        }
        let mut there = State::new(&open);
        there.coordinates.clone_from(&at.state.coordinates);
        there.speeds.clone_from(&at.state.speeds);
        for (attitude, node) in there.attitudes.iter_mut().zip(open.attitude_nodes()) {
            let same = at.model.attitude_nodes().iter().position(|other| other == node).unwrap();
            *attitude = at.state.attitudes[same];
        }
        let mut other = Workspace::new(&open);
        let expected = reactions(&open, &there, &inputs, &mut other).unwrap();
        let allowed = f64::max(1e-10, condition * 1e-15);
        worst.record(
            "accelerations",
            seed,
            relative_difference(solution.accelerations(), expected.accelerations()),
            allowed,
        );
        let frame = WrenchFrame::Inertial;
        let [mut size, mut error] = [1e-300_f64, 0.0];
        for (hinge, same) in at.model.hinges().zip(open.hinges()) {
            let (x, y) = (solution.hinge_wrench(hinge, frame).unwrap(), expected.hinge_wrench(same, frame).unwrap());
            for (x, y) in x.to_array().iter().zip(y.to_array()) {
                (size, error) = (size.max(y.abs()), error.max((x - y).abs()));
            }
        }
        for (body, same) in at.model.body_indices().zip(open.body_indices()) {
            for (node, same) in at.model.nodes_of(body).zip(open.nodes_of(same)) {
                let (x, y) = (solution.node_wrench(node, frame).unwrap(), expected.node_wrench(same, frame).unwrap());
                for (x, y) in x.to_array().iter().zip(y.to_array()) {
                    error = error.max((x - y).abs());
                }
            }
        }
        worst.record("wrenches", seed, error / size, allowed);
    }
    worst.assert_within();
}

/// A rod between two arms that only prescribed hinges move, on a body that is free: nothing answers along the rod, and rounding must not stand for an
/// answer.
#[test]
fn a_closure_between_prescribed_hinges_has_no_force() {
    let arm = |name: &str, parent, at: [f64; 3]| {
        let hinge = Hinge::new(HingeKind::Revolute { axis: [0.3, 0.8, 0.1] }).at(at);
        Body::rigid(name, parent, hinge, 1.3, [0.2, 0.1, 0.4], [[0.6, 0.0, 0.0], [0.0, 0.7, 0.0], [0.0, 0.0, 0.4]])
    };
    let hub = Parent::Body(BodyIndex(0), NodeIndex(0));
    let [a, b] = [BodyIndex(1), BodyIndex(2)].map(|body| Mount::node(body, NodeIndex(0)));
    let mut system = System {
        gravity: [0.0, 0.0, -9.81],
        bodies: vec![
            arm("hub", Parent::Ground, [0.0; 3]),
            arm("left", hub, [0.3, 0.2, 0.1]),
            arm("right", hub, [-0.4, 0.1, 0.2]),
        ],
        ..System::default()
    };
    let rod = ClosureKind::Distance { length: 1.0 };
    system.closures = vec![Closure::joint(rod, a.at([0.31, 0.17, 0.53]), b.at([0.0, 0.1, 0.7])).named("rod")];
    let model = Model::build(&system).unwrap();
    let (mut state, mut inputs) = (State::new(&model), Inputs::new(&model));
    let mut workspace = Workspace::new(&model);
    inputs.prescribed[1] = true;
    inputs.prescribed[2] = true;
    for step in 0..50 {
        state.coordinates.copy_from_slice(&[0.1 * f64::from(step), 0.37, -0.21]);
        state.speeds.copy_from_slice(&[0.7, 0.0, 0.0]);
        let solution = hybrid_dynamics(&model, &state, &inputs, &mut workspace).unwrap();
        let rod = model.closure_handles().next().unwrap();
        assert_eq!(solution.closure_forces(rod).unwrap(), [0.0], "pose {step}");
    }
}

/// Random closed systems of which every third hinge is prescribed: forces and accelerations are in balance, and closures among prescribed hinges exert
/// nothing out of proportion.
#[test]
fn prescribed_hinges_of_closed_systems_are_in_balance() {
    let mut worst = Worst::default();
    for modes in [0, 4] {
        let options = RandomOptions { closures: 3, driven: true, elements: false, modes, ..RandomOptions::default() };
        for seed in 0..100 {
            let (system, state) = random_system(seed, &options);
            let mut at = Prepared::new(&system, &state);
            at.inputs.prescribed.iter_mut().step_by(3).for_each(|flag| *flag = true);
            let mut workspace = at.workspace();
            let Ok(solution) = hybrid_dynamics(&at.model, &at.state, &at.inputs, &mut workspace) else { continue };
            let (accelerations, forces) = (solution.accelerations().to_vec(), solution.forces().to_vec());
            let lambda: Vec<f64> = (at.model.closure_handles())
                .flat_map(|closure| solution.closure_forces(closure).unwrap().to_vec())
                .collect();
            let n = at.model.speed_count();
            let mut jacobian = vec![0.0; n * lambda.len()];
            closure_jacobian(&at.model, &at.state, &mut workspace, &mut jacobian).unwrap();
            let mut free = at.inputs.clone();
            free.accelerations.copy_from_slice(&accelerations);
            let tree = inverse_dynamics(&at.model, &at.state, &free, &mut workspace).unwrap().forces().to_vec();
            for i in 0..n {
                let closing: f64 = lambda.iter().enumerate().map(|(r, f)| jacobian[r * n + i] * f).sum();
                let parts: f64 = lambda.iter().enumerate().map(|(r, f)| (jacobian[r * n + i] * f).abs()).sum();
                let size = tree[i].abs() + forces[i].abs() + parts + 1e-300;
                let largest = tree.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
                assert!(parts < 1e12 * largest, "seed {seed}, {modes} modes: {parts:e} beside {largest:e}");
                worst.record("balance", seed, (tree[i] - forces[i] - closing).abs() / (size + largest), 1e-9);
            }
        }
    }
    worst.assert_within();
}
