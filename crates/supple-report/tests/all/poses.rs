//! Bodies are drawn where the engine has them.

use supple::testkit::{Generator, Prepared, RandomOptions, random_system};
use supple::{BodyIndex, ElasticRotation, NodeIndex, State, Workspace, kinematics};
use supple_report::pose::{self, Pose};
use supple_report::{MotionRecorder, Scene};

/// Frames are of single precision: sums along chains of up to eight bodies and over their modes, relative to the size of the system.
const ALLOWED: f64 = 200.0 * f32::EPSILON as f64;

const ORTHOGONAL: [ElasticRotation; 5] = [
    ElasticRotation::None,
    ElasticRotation::Euler321,
    ElasticRotation::Euler123,
    ElasticRotation::RotationVector,
    ElasticRotation::Integrated,
];

/// Scene and frame of a random system, and the system.
fn case(seed: u64) -> (Scene, Vec<f32>, Prepared) {
    let elastic_rotation = Some(ORTHOGONAL[seed as usize % 5]);
    let (system, random) = random_system(seed, &RandomOptions { elastic_rotation, ..RandomOptions::default() });
    let at = Prepared::new(&system, &random);
    let scene = Scene::new("random", &system, &at.model, &|_| Vec::new());
    let mut recorder = MotionRecorder::new(&scene, &at.model);
    recorder.take(&scene, &at.model, &at.state).unwrap();
    let frame = recorder.motion().frames.0.clone();
    assert_eq!(frame, recorder.frame());
    (scene, frame, at)
}

fn size(poses: &[Pose]) -> f64 {
    poses.iter().flat_map(|pose| pose.position.0).fold(1.0, |m, x| m.max(x.abs()))
}

#[test]
fn at_true_scale_bodies_and_nodes_are_where_the_engine_has_them() {
    let mut nodes = 0;
    for seed in 0..300 {
        let (scene, frame, at) = case(seed);
        let (poses, amplitudes) = pose::place(&scene, &frame, 1.0);
        let mut workspace = Workspace::new(&at.model);
        let engine = kinematics(&at.model, &at.state, &mut workspace).unwrap();
        let allowed = ALLOWED * size(&poses);
        for (k, body) in scene.bodies.iter().enumerate() {
            let apart = |a: [f64; 3], b: [f64; 3]| (0..3).fold(0.0_f64, |m, i| m.max((a[i] - b[i]).abs()));
            let position = apart(poses[k].position.0, engine.body_position(BodyIndex(k)).0);
            let attitude = (0..3)
                .fold(0.0_f64, |m, i| m.max(apart(poses[k].attitude.0[i], engine.body_attitude(BodyIndex(k)).0[i])));
            assert!(position < allowed && attitude < ALLOWED, "seed {seed}, body {k}: {position:e} {attitude:e}");
            assert_eq!(body.node_names.len(), at.model.node_count(BodyIndex(k)), "all nodes of small bodies are drawn");
            for n in 0..body.node_names.len() {
                let drawn = poses[k].then(&pose::deformed(body, n, &amplitudes[k])).position;
                let engine = engine.node_position(BodyIndex(k), NodeIndex(n));
                assert!(apart(drawn.0, engine.0) < allowed, "seed {seed}, body {k}, node {n}: {drawn:?} {engine:?}");
                nodes += 1;
            }
        }
    }
    assert!(nodes > 1000, "{nodes} nodes");
}

/// The ghost: the same hinges without deformation, as the engine places a system whose modal coordinates are zero.
#[test]
fn at_scale_zero_bodies_follow_the_hinges_alone() {
    let mut flexible = 0;
    for seed in 0..200 {
        let (system, random) = {
            let elastic_rotation = Some(ElasticRotation::RotationVector);
            random_system(seed, &RandomOptions { elastic_rotation, ..RandomOptions::default() })
        };
        let at = Prepared::new(&system, &random);
        let scene = Scene::new("random", &system, &at.model, &|_| Vec::new());
        let mut recorder = MotionRecorder::new(&scene, &at.model);
        recorder.take(&scene, &at.model, &at.state).unwrap();
        let (poses, _) = pose::place(&scene, recorder.frame(), 0.0);
        let mut still = at.state.clone();
        for body in at.model.body_indices() {
            flexible += at.model.modes(body);
            still.coordinates[at.model.modal_coordinates(body)].fill(0.0);
        }
        let mut workspace = Workspace::new(&at.model);
        let engine = kinematics(&at.model, &still, &mut workspace).unwrap();
        for (k, pose) in poses.iter().enumerate() {
            let there = engine.body_position(BodyIndex(k));
            let apart = (0..3).fold(0.0_f64, |m, i| m.max((pose.position.0[i] - there.0[i]).abs()));
            assert!(apart < ALLOWED * size(&poses), "seed {seed}, body {k}: {apart:e}");
        }
    }
    assert!(flexible > 100);
}

/// Beams that shorten as they bend, with elastic rotations that are states of their own.
#[test]
fn second_order_shapes_are_drawn_where_the_engine_has_them() {
    let crane = concat!(env!("CARGO_MANIFEST_DIR"), "/../../references/models/crane.toml");
    let file = supple_io::model_file::read(crane.as_ref()).unwrap();
    let scene = Scene::new("crane", &file.system, &file.model, &|_| Vec::new());
    assert!(scene.bodies.iter().filter(|body| !body.second_order.is_empty()).count() >= 2);
    let mut recorder = MotionRecorder::new(&scene, &file.model);
    let mut state = State::new(&file.model);
    let mut workspace = Workspace::new(&file.model);
    for seed in 0..50 {
        let mut random = Generator::new(seed);
        state.coordinates.iter_mut().for_each(|x| *x = random.between(-0.3, 0.3));
        recorder.take(&scene, &file.model, &state).unwrap();
        let (poses, amplitudes) = pose::place(&scene, recorder.frame(), 1.0);
        let engine = kinematics(&file.model, &state, &mut workspace).unwrap();
        let allowed = ALLOWED * size(&poses);
        for (k, body) in scene.bodies.iter().enumerate() {
            for n in 0..body.node_names.len() {
                let drawn = poses[k].then(&pose::deformed(body, n, &amplitudes[k])).position;
                let there = engine.node_position(BodyIndex(k), NodeIndex(n));
                let apart = (0..3).fold(0.0_f64, |m, i| m.max((drawn.0[i] - there.0[i]).abs()));
                assert!(apart < allowed, "seed {seed}, body {k}, node {n}: {apart:e}");
            }
        }
    }
}
