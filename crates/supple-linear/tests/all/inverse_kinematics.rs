//! Inverse kinematics against forward kinematics of random poses, closed formulas of two links, and balance of flexible links.

use crate::four_bar::linkage;
use crate::support::hinge;
use std::path::Path;
use supple::spatial::Quaternion;
use supple::{Body, HingeKind, Inputs, Model, ModelBuilder, Node, NodeHandle, NodeIndex, Parent, State, Workspace};
use supple_io::load::{LoadOptions, load};
use supple_linear::{
    HingeLimit, IkError, IkOptions, IkOutcome, IkSolution, Part, Task, inverse_kinematics, manipulability,
};

/// Two links of 1 m and 0.7 m in the x-y plane.
fn two_links() -> Model {
    let mut builder = ModelBuilder::new();
    let mut carrier = Parent::Ground;
    for (name, length) in [("upper", 1.0), ("lower", 0.7)] {
        let turning = hinge(name, HingeKind::Revolute { axis: [0.0, 0.0, 1.0] });
        let inertia = [[0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.1]];
        let mut body = Body::rigid(name, carrier, turning, 1.0, [0.0; 3], inertia);
        let tip = Node { name: Some("tip".into()), position: [length, 0.0, 0.0], ..body.nodes[0].clone() };
        body.nodes.push(tip);
        carrier = Parent::Body(builder.body(body), NodeIndex(1));
    }
    builder.build().unwrap()
}

fn example(file: &str) -> Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(file);
    load(&path, &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}")).model
}

fn pose(model: &Model, state: &State, node: NodeHandle) -> ([f64; 3], [f64; 4]) {
    let mut workspace = Workspace::new(model);
    let found = supple::kinematics(model, state, &mut workspace).unwrap();
    let attitude = Quaternion::from_matrix(&found.node_attitude(node.body(), node.node()));
    (found.node_position(node.body(), node.node()).0, attitude.0)
}

fn solve(model: &Model, start: &State, tasks: &[Task], options: &IkOptions) -> IkSolution {
    inverse_kinematics(model, start, &Inputs::new(model), tasks, options).unwrap()
}

fn away(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt()
}

/// A number from 0 to 1 that looks random.
fn random(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 11) as f64 / (1u64 << 53) as f64
}

#[test]
fn random_poses_of_a_six_axis_arm_are_reached() {
    let model = example("ur5/ur5.urdf");
    let last = model.body_indices().next_back().unwrap();
    let node = model.nodes_of(last).last().unwrap();
    let mut seed = 7;
    for trial in 0..20 {
        let mut state = State::new(&model);
        state.coordinates.iter_mut().for_each(|q| *q = 5.0 * random(&mut seed) - 2.5);
        let (position, attitude) = pose(&model, &state, node);
        let found = solve(&model, &State::new(&model), &[Task::pose(node, position, attitude)], &IkOptions::default());
        assert_eq!(found.outcome, IkOutcome::Reached, "trial {trial}: {found:?}");
        let (there, turned) = pose(&model, &found.state, node);
        assert!(away(there, position) < 1e-8);
        let alike: f64 = (0..4).map(|i| turned[i] * attitude[i]).sum();
        assert!((alike.abs() - 1.0).abs() < 1e-14);
    }
}

#[test]
fn two_links_have_the_angles_of_the_law_of_cosines() {
    let model = two_links();
    let tip = model.node("lower", "tip").unwrap();
    for target in [[0.9, 0.6, 0.0], [-0.4, 0.5, 0.0], [0.2, -1.2, 0.0]] {
        let found = solve(&model, &State::new(&model), &[Task::position(tip, target)], &IkOptions::default());
        let square: f64 = target.iter().map(|x| x * x).sum();
        let elbow = ((square - 1.0 - 0.49) / 1.4).acos();
        let angle = found.state.coordinates[1];
        assert!((angle.cos() - elbow.cos()).abs() < 1e-7, "{angle} {elbow}");
    }
}

#[test]
fn targets_out_of_reach_end_as_near_as_can_be() {
    let model = two_links();
    let tip = model.node("lower", "tip").unwrap();
    let found = solve(&model, &State::new(&model), &[Task::position(tip, [3.0, 4.0, 0.0])], &IkOptions::default());
    assert_eq!(found.outcome, IkOutcome::OutOfReach);
    assert!((found.position_errors[0] - 3.3).abs() < 1e-6, "{found:?}"); // 5 m less both links
    assert!(found.conditioning < 1e-3, "stretched out: {}", found.conditioning);
    // Within the shorter circle that the tip cannot enter either.
    let found = solve(&model, &State::new(&model), &[Task::position(tip, [0.1, 0.0, 0.0])], &IkOptions::default());
    assert_eq!(found.outcome, IkOutcome::OutOfReach);
    assert!((found.position_errors[0] - 0.2).abs() < 1e-6, "{found:?}");
}

#[test]
fn a_singular_start_is_left() {
    // Stretched along x, with the target on the same line: no hinge moves the tip towards it at first.
    let model = two_links();
    let tip = model.node("lower", "tip").unwrap();
    let found = solve(&model, &State::new(&model), &[Task::position(tip, [1.0, 0.0, 0.0])], &IkOptions::default());
    assert_eq!(found.outcome, IkOutcome::Reached);
    assert!(away(pose(&model, &found.state, tip).0, [1.0, 0.0, 0.0]) < 1e-8);
}

#[test]
fn limits_are_obeyed_and_named() {
    let model = two_links();
    let tip = model.node("lower", "tip").unwrap();
    let [upper, lower] = ["upper", "lower"].map(|name| model.hinge(name).unwrap());
    let limit = |hinge, [lower, upper]: [f64; 2]| HingeLimit { hinge, lower, upper };
    // The elbow bends one way only.
    let mut seed = 3;
    for _ in 0..20 {
        let mut state = State::new(&model);
        state.coordinates.copy_from_slice(&[2.0 * random(&mut seed) - 1.0, 0.1 + 2.0 * random(&mut seed)]);
        let target = pose(&model, &state, tip).0;
        let limits = vec![limit(upper, [-1.0, 1.0]), limit(lower, [0.0, 2.2])];
        let options = IkOptions { limits, ..IkOptions::default() };
        let found = solve(&model, &State::new(&model), &[Task::position(tip, target)], &options);
        assert_eq!(found.outcome, IkOutcome::Reached);
        assert!((0.0..=2.2).contains(&found.state.coordinates[1]) && found.state.coordinates[0].abs() <= 1.0);
    }
    // Within reach, but not within the limits.
    let options = IkOptions { limits: vec![limit(upper, [-0.2, 0.2])], ..IkOptions::default() };
    let found = solve(&model, &State::new(&model), &[Task::position(tip, [-1.5, 0.0, 0.0])], &options);
    assert_eq!(found.outcome, IkOutcome::AtLimits);
    assert_eq!(found.at_limits, [upper]);
    assert!(found.state.coordinates[0].abs() <= 0.2);
}

#[test]
fn several_tasks_are_met_together() {
    let model = example("ur5/ur5.urdf");
    let last = model.body_indices().next_back().unwrap();
    let node = model.nodes_of(last).last().unwrap();
    let elbow = model.nodes_of(model.body("forearm_link").unwrap()).next().unwrap();
    let mut state = State::new(&model);
    state.coordinates.copy_from_slice(&[0.4, -1.1, 1.3, 0.2, 0.7, -0.3]);
    let tasks = [elbow, node].map(|node| Task::position(node, pose(&model, &state, node).0));
    let found = solve(&model, &State::new(&model), &tasks, &IkOptions::default());
    assert_eq!(found.outcome, IkOutcome::Reached);
    for task in &tasks {
        assert!(away(pose(&model, &found.state, task.node).0, task.position.unwrap()) < 1e-8);
    }
}

/// The tip of two soft rods under gravity is where it should be while they sag, and nothing accelerates with the hinges held.
#[test]
fn flexible_links_reach_their_target_while_they_sag() {
    let model = example("double-pendulum/pendulum.toml");
    let tip = model.node("lower", "tip").unwrap();
    let mut start = State::new(&model);
    start.set(model.hinge("elbow").unwrap(), 0.5).unwrap();
    for target in [[1.2, 0.7, 0.0], [0.5, -1.4, 0.0]] {
        let options = IkOptions { equilibrium: true, ..IkOptions::default() };
        let found = solve(&model, &start, &[Task::position(tip, target)], &options);
        assert_eq!(found.outcome, IkOutcome::Reached, "{found:?}");
        assert!(away(pose(&model, &found.state, tip).0, target) < 1e-8);
        let inputs = Inputs { prescribed: vec![true; model.body_count()], ..Inputs::new(&model) };
        let mut workspace = Workspace::new(&model);
        let solution = supple::hybrid_dynamics(&model, &found.state, &inputs, &mut workspace).unwrap();
        assert!(solution.accelerations().iter().all(|a| a.abs() < 1e-4), "{:?}", solution.accelerations());
        let sag = supple::kinematics(&model, &found.state, &mut workspace).unwrap();
        assert!(sag.node_deflection(tip.body(), tip.node()).norm_squared().sqrt() > 1e-3);
        // Angles of rigid rods would miss it.
        let mut rigid = found.state.clone();
        model.body_indices().for_each(|body| rigid.coordinates[model.modal_coordinates(body)].fill(0.0));
        assert!(away(pose(&model, &rigid, tip).0, target) > 1e-2);
    }
}

#[test]
fn loops_stay_closed() {
    let (_, model, closed) = linkage([0.0; 3]);
    let mut turned = closed.clone();
    turned.set(model.hinge("motor").unwrap(), 0.4).unwrap();
    let mut inputs = Inputs::new(&model);
    supple_linear::lock(&model, &mut inputs, &["motor"]).unwrap();
    supple::assemble(&model, &mut turned, &inputs).unwrap();
    let node = model.nodes_of(model.hinge("pivot").unwrap().body()).last().unwrap();
    let target = pose(&model, &turned, node).0;
    let found = solve(&model, &closed, &[Task::position(node, target)], &IkOptions::default());
    assert_eq!(found.outcome, IkOutcome::Reached, "{found:?}");
    let mut open = vec![0.0; model.equation_count()];
    let (mut speeds, mut workspace) = (open.clone(), Workspace::new(&model));
    supple::closure_deviations(&model, &found.state, &Inputs::new(&model), &mut workspace, &mut open, &mut speeds)
        .unwrap();
    assert!(open.iter().all(|x| x.abs() < 1e-9), "{open:?}");
    let options = IkOptions { equilibrium: true, ..IkOptions::default() };
    let asked = inverse_kinematics(&model, &closed, &Inputs::new(&model), &[Task::position(node, target)], &options);
    assert_eq!(asked, Err(IkError::ClosedEquilibrium));
}

#[test]
fn manipulability_of_two_links_is_that_of_the_formula() {
    let model = two_links();
    let tip = model.node("lower", "tip").unwrap();
    let mut state = State::new(&model);
    for elbow in [0.0, 0.3, 1.1, 2.0] {
        state.coordinates[1] = elbow;
        // In the plane the Jacobian is 2 x 2 and its determinant l₁ l₂ sin q₂; across it nothing moves.
        let found = manipulability(&model, &state, tip, &[], Part::Translation).unwrap();
        let product: f64 = found.singular_values.iter().product();
        assert!((product - 0.7 * elbow.sin()).abs() < 1e-12, "{found:?}");
        assert_eq!(found.measure, 0.0);
    }
    let arm = example("ur5/ur5.urdf");
    let node = arm.nodes_of(arm.body_indices().next_back().unwrap()).last().unwrap();
    let mut state = State::new(&arm);
    state.coordinates.copy_from_slice(&[0.1, -1.0, 1.2, 0.3, 0.0, 0.0]);
    let singular = manipulability(&arm, &state, node, &[], Part::Both).unwrap();
    state.coordinates[4] = 1.0;
    let free = manipulability(&arm, &state, node, &[], Part::Both).unwrap();
    // The wrist of this arm is singular where its second angle is zero.
    assert!(singular.conditioning < 1e-12 && free.conditioning > 1e-2, "{singular:?} {free:?}");
}

#[test]
fn questions_without_sense_are_refused() {
    let model = two_links();
    let tip = model.node("lower", "tip").unwrap();
    let (start, inputs) = (State::new(&model), Inputs::new(&model));
    let ask =
        |tasks: &[Task], options: &IkOptions| inverse_kinematics(&model, &start, &inputs, tasks, options).unwrap_err();
    let usual = IkOptions::default();
    assert_eq!(ask(&[], &usual), IkError::NoTask);
    assert!(matches!(ask(&[Task::position(tip, [f64::NAN, 0.0, 0.0])], &usual), IkError::Task { index: 0, .. }));
    assert!(matches!(ask(&[Task::attitude(tip, [1.0, 1.0, 0.0, 0.0])], &usual), IkError::Task { .. }));
    let backwards = HingeLimit { hinge: model.hinge("upper").unwrap(), lower: 1.0, upper: 0.0 };
    let options = IkOptions { limits: vec![backwards], ..usual };
    assert!(matches!(ask(&[Task::position(tip, [1.0, 0.0, 0.0])], &options), IkError::Limit { .. }));
    let other = two_links();
    let foreign = Task::position(other.node("lower", "tip").unwrap(), [1.0, 0.0, 0.0]);
    assert!(matches!(ask(&[foreign], &IkOptions::default()), IkError::Handle(_)));
}
