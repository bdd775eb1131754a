//! What sensors on nodes measure, by physics; and accelerations at the instants of sampled blocks.

use std::sync::{Arc, Mutex};
use supple::integrate::{Block, Blocks, Measured, Role, Sampled, Scheme, Simulation, Tolerance};
use supple::testkit::{Prepared, RandomOptions, random_system};
use supple::{
    Body, ElasticRotation, Hinge, HingeKind, Inputs, Measurement, Model, ModelBuilder, Node, Parent, State, Workspace,
    forward_dynamics,
};

const GRAVITY: f64 = 9.81;
const LENGTH: f64 = 0.8;

/// A point mass on a rod without mass, turning about z; x points down at rest.
fn pendulum() -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity([GRAVITY, 0.0, 0.0]);
    let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 0.0, 1.0] });
    let about = 2.0 * LENGTH * LENGTH;
    let inertia = [[0.0, 0.0, 0.0], [0.0, about, 0.0], [0.0, 0.0, about]];
    let tip = Node { name: Some("tip".into()), position: [LENGTH, 0.0, 0.0], ..Node::default() };
    builder.body(Body::rigid("bob", Parent::Ground, hinge, 2.0, [LENGTH, 0.0, 0.0], inertia).with_node(tip));
    builder.build().unwrap()
}

fn read(model: &Model, state: &State, name: &str) -> f64 {
    let mut workspace = Workspace::new(model);
    let found = forward_dynamics(model, state, &Inputs::new(model), &mut workspace).unwrap();
    let accelerations = found.accelerations().to_vec();
    Measurement::find(model, name).unwrap().value(model, state, &accelerations, &mut workspace).unwrap()
}

/// A free pendulum: the accelerometer on the mass feels the tension of the rod alone, `g cos θ + l ω²`, and nothing across it.
#[test]
fn an_accelerometer_feels_the_tension_of_a_pendulum() {
    let model = pendulum();
    let mut state = State::new(&model);
    (state.coordinates[0], state.speeds[0]) = (0.7, -1.3);
    let tension = GRAVITY * 0.7_f64.cos() + LENGTH * 1.3 * 1.3;
    assert!((read(&model, &state, "accelerometer.bob.tip.x") + tension).abs() < 1e-13 * tension);
    assert!(read(&model, &state, "accelerometer.bob.tip.y").abs() < 1e-13 * tension);
    assert_eq!(read(&model, &state, "gyro.bob.tip.z"), -1.3);
    assert!((read(&model, &state, "node.bob.tip.y") - LENGTH * 0.7_f64.sin()).abs() < 1e-15);
    assert!(Measurement::find(&model, "gyro.bob.top.z").is_none());
    assert!(Measurement::find(&model, "wrench.bob.tip.force.x").is_none());
}

/// Turned back to inertial axes, readings are angular velocity and acceleration less gravity of the node.
#[test]
fn readings_are_those_of_the_motion_in_other_axes() {
    for seed in 0..20 {
        let options = RandomOptions {
            elastic_rotation: Some(ElasticRotation::RotationVector),
            modes: 5,
            ..RandomOptions::default()
        };
        let (system, random) = random_system(seed, &options);
        let gravity = system.gravity;
        let Prepared { model, state, .. } = Prepared::new(&system, &random);
        let mut workspace = Workspace::new(&model);
        let found = forward_dynamics(&model, &state, &Inputs::new(&model), &mut workspace).unwrap();
        let accelerations = found.accelerations().to_vec();
        for node in model.body_indices().flat_map(|body| model.nodes_of(body).collect::<Vec<_>>()) {
            let names = model.node_variables(node);
            let of = |prefix: &str| {
                let value = |ending: &str| {
                    let start = format!("{prefix}.");
                    let name = names.iter().find(|v| v.name.starts_with(&start) && v.name.ends_with(ending)).unwrap();
                    let measurement = Measurement::find(&model, &name.name).unwrap();
                    measurement.value(&model, &state, &accelerations, &mut Workspace::new(&model)).unwrap()
                };
                [".x", ".y", ".z"].map(value)
            };
            let motion = supple::kinematics_with(&model, &state, &accelerations, &mut workspace).unwrap();
            let turn = motion.node_attitude(node.body(), node.node());
            let back = |v: [f64; 3]| (turn * supple::spatial::Vector3(v)).0;
            let w = motion.node_velocity(node.body(), node.node()).angular.0;
            let a = motion.node_acceleration(node.body(), node.node()).unwrap().linear.0;
            let (gyro, felt) = (back(of("gyro")), back(of("accelerometer")));
            for i in 0..3 {
                assert!((gyro[i] - w[i]).abs() < 1e-12 * (1.0 + w[i].abs()), "{seed}");
                assert!((felt[i] - (a[i] - gravity[i])).abs() < 1e-11 * (1.0 + a[i].abs()), "{seed}");
            }
        }
    }
}

struct Reader {
    model: Model,
    seen: Arc<Mutex<Vec<[f64; 2]>>>,
}

impl Sampled for Reader {
    fn sample(&mut self, measured: &Measured<'_>, outputs: &mut [f64]) {
        let mut workspace = Workspace::new(&self.model);
        let mut inputs = Inputs::new(&self.model);
        inputs.forces[0] = outputs[0];
        let found = forward_dynamics(&self.model, measured.state, &inputs, &mut workspace).unwrap();
        self.seen.lock().unwrap().push([measured.accelerations[0], found.accelerations()[0]]);
        outputs[0] += 0.5;
    }

    fn needs_accelerations(&self) -> bool {
        true
    }
}

/// Blocks see accelerations under what acted until their instant, not under what they write.
#[test]
fn blocks_see_accelerations_under_what_acted_until_now() {
    let model = pendulum();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let tolerance = Tolerance { relative: 1e-9, absolute: 1e-12 };
    let drive = |_: &State, _: &mut Inputs| {};
    let mut run = Simulation::new(&model, State::new(&model), drive, Scheme::DormandPrince, tolerance).unwrap();
    let mut blocks = Blocks::new();
    let reader = Reader { model: model.clone(), seen: seen.clone() };
    blocks.add(Block::new("reader", Role::Controller, 0.1, 1, reader).acts(0, 0));
    run.set_blocks(blocks).unwrap();
    run.advance(0.55).unwrap();
    let seen = seen.lock().unwrap();
    assert_eq!(seen.len(), 6);
    for [given, found] in seen.iter() {
        assert!((given - found).abs() < 1e-12, "{given} {found}");
    }
}
