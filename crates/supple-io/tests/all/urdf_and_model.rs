//! The same crane from a robot with its side file and from a model file: equal accelerations.

use std::path::PathBuf;

use supple::{Inputs, Model, State, Workspace, forward_dynamics};
use supple_io::model_file::{self, ModelFile};
use supple_io::urdf::{self, Options};

fn reference(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../references").join(name)
}

/// Accelerations by body name, at a state that depends on names only.
fn accelerations(model: &Model, round: usize) -> Vec<(String, Vec<f64>)> {
    let (mut state, mut inputs) = (State::new(model), Inputs::new(model));
    for body in model.body_indices() {
        let name = model.name(body).to_owned();
        let seed = name.bytes().map(f64::from).sum::<f64>() + round as f64;
        let value = |k: usize, scale: f64| scale * (seed + 1.7 * k as f64).sin();
        for (k, at) in model.modal_coordinates(body).enumerate() {
            state.coordinates[at] = value(k, 0.01);
        }
        for (k, at) in model.hinge_coordinates(body).enumerate() {
            state.coordinates[at] = value(k + 10, 0.4);
        }
        for (k, at) in model.modal_speeds(body).chain(model.hinge_speeds(body)).enumerate() {
            state.speeds[at] = value(k + 20, 0.3);
            inputs.forces[at] = value(k + 30, 5.0);
        }
    }
    let mut workspace = Workspace::new(model);
    let solution = forward_dynamics(model, &state, &inputs, &mut workspace).unwrap();
    let of = |body| {
        let speeds = model.modal_speeds(body).chain(model.hinge_speeds(body));
        speeds.map(|at| solution.accelerations()[at]).collect()
    };
    let mut all: Vec<(String, Vec<f64>)> =
        model.body_indices().map(|body| (model.name(body).to_owned(), of(body))).collect();
    all.retain(|(_, accelerations)| !accelerations.is_empty());
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all
}

/// Largest difference over the largest acceleration.
fn difference(a: &Model, b: &Model) -> f64 {
    let mut worst = 0.0_f64;
    for round in 0..20 {
        let (a, b) = (accelerations(a, round), accelerations(b, round));
        assert_eq!(a.len(), b.len());
        let size = a.iter().flat_map(|(_, x)| x).fold(0.0_f64, |m, x| m.max(x.abs()));
        for ((name, x), (other, y)) in a.iter().zip(&b) {
            assert_eq!((name, x.len()), (other, y.len()));
            worst = x.iter().zip(y).fold(worst, |m, (x, y)| m.max((x - y).abs() / size));
        }
    }
    worst
}

fn crane() -> ModelFile {
    model_file::read(&reference("models/crane.toml")).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn robot_with_side_file_and_model_file_accelerate_alike() {
    let side = reference("urdf/arm.flexible.toml");
    let robot = urdf::read(&reference("urdf/arm.urdf"), Some(&side), &Options::default())
        .unwrap_or_else(|error| panic!("{error}"));
    let model = crane();
    assert_eq!(robot.file.model.speed_count(), 5 + 3 + 4);
    let worst = difference(&robot.file.model, &model.model);
    println!("largest relative difference {worst:.1e}");
    assert!(worst < 1e-12, "{worst}");
    // What acts in the hinges is the same too.
    let acting = |file: &ModelFile| {
        let name = |body: supple::BodyIndex| file.system.bodies[body.0].name.clone();
        let forces = file.system.forces.iter().map(|element| match element.ports[..] {
            [supple::force::Port::Hinge { body, speed }] => format!("{} {speed} {:?}", name(body), element.as_law()),
            _ => panic!("{element:?}"),
        });
        let motors = file.system.actuators.iter().map(|motor| {
            let motor = supple::Actuator { body: supple::BodyIndex(0), name: name(motor.body), ..motor.clone() };
            format!("{motor:?}")
        });
        let mut all: Vec<String> = forces.chain(motors).collect();
        all.sort();
        all
    };
    assert_eq!(acting(&model), acting(&robot.file));
    // The comparison sees a change: the rigid robot is another one.
    let rigid = urdf::read(&reference("urdf/arm.urdf"), None, &Options::default()).unwrap();
    assert_eq!(rigid.file.model.speed_count(), 4);
    let mut heavier = model.system.clone();
    heavier.bodies[4].nodes[0].mass *= 1.0 + 1e-9;
    assert!(difference(&robot.file.model, &Model::build(&heavier).unwrap()) > 1e-12);
}

/// A side file makes bodies of MuJoCo's format flexible as it does links of a URDF.
#[test]
fn robots_of_both_formats_with_one_side_file_accelerate_alike() {
    let side = reference("urdf/arm.flexible.toml");
    let mjcf = urdf::read(&reference("mjcf/crane.xml"), Some(&side), &Options::default())
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(mjcf.file.model.speed_count(), 5 + 3 + 4);
    let worst = difference(&mjcf.file.model, &crane().model);
    println!("largest relative difference {worst:.1e}");
    assert!(worst < 1e-12, "{worst}");
    let heavier = mjcf.notes.iter().any(|note| note.to_string().contains("the MJCF gives 20.0000 kg"));
    assert!(heavier, "{:?}", mjcf.notes);
}

#[test]
fn a_robot_written_as_a_model_is_the_same_model() {
    let side = reference("urdf/arm.flexible.toml");
    let robot = urdf::read(&reference("urdf/arm.urdf"), Some(&side), &Options::default()).unwrap();
    let text = model_file::write(&robot.file.system).unwrap();
    let again = model_file::from_text("crane.toml", &text, None).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(again.system, robot.file.system);
    assert_eq!(difference(&again.model, &robot.file.model), 0.0);
}
