//! Robots in MuJoCo's format against MuJoCo: coordinates in the order of the file, mass matrix, forward and inverse dynamics, places of
//! sites and shapes. More files with answers are read from the folder that `SUPPLE_MJCF_DIR` names (`references/mjcf/answers.py` writes them).

use std::path::{Path, PathBuf};

use serde_json::Value;
use supple::spatial::{Matrix3, Quaternion, Vector3};
use supple::{
    BodyIndex, DenseWorkspace, Inputs, Model, State, System, Workspace, forward_dynamics, inverse_dynamics, kinematics,
    mass_matrix,
};
use supple_io::mjcf::{self, Options, Robot};
use supple_io::model_file;
use supple_io::visual::Shape;

/// Relative to the largest number of the same kind.
const TOLERANCE: f64 = 1e-9;

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

fn vector(numbers: &[f64]) -> Vector3<f64> {
    Vector3([numbers[0], numbers[1], numbers[2]])
}

/// From MuJoCo's quaternion `(w, x, y, z)`.
fn quaternion(q: &[f64]) -> Quaternion<f64> {
    Quaternion([q[1], q[2], q[3], q[0]])
}

/// One joint: where its numbers are in both, and where it is drawn.
struct Joint {
    kind: String,
    drawn: Vec<f64>,
    /// First coordinate and speed in MuJoCo.
    theirs: (usize, usize),
    /// First coordinate and speed here.
    ours: (usize, usize),
}

/// Joints in the order of both, which is the same.
fn joints(model: &Model, told: &Value) -> Vec<Joint> {
    let moving: Vec<BodyIndex> = model.body_indices().filter(|body| !model.hinge_speeds(*body).is_empty()).collect();
    let told = told["joints"].as_array().unwrap();
    assert_eq!(moving.len(), told.len());
    let mut theirs = (0, 0);
    let mut joint = |(body, told): (BodyIndex, &Value)| {
        let kind = told["kind"].as_str().unwrap().to_owned();
        let (coordinates, speeds) = match kind.as_str() {
            "free" => (7, 6),
            "ball" => (4, 3),
            _ => (1, 1),
        };
        let own = (model.hinge_coordinates(body), model.hinge_speeds(body));
        assert_eq!((own.0.len(), own.1.len()), (coordinates, speeds), "{told}");
        if let Some(name) = told["name"].as_str().filter(|name| !name.is_empty()) {
            assert_eq!(model.hinge(name).unwrap().speeds(), own.1);
        }
        let first = theirs;
        theirs = (theirs.0 + coordinates, theirs.1 + speeds);
        Joint { kind, drawn: numbers(&told["drawn"]), theirs: first, ours: (own.0.start, own.1.start) }
    };
    moving.into_iter().zip(told).map(&mut joint).collect()
}

/// What turns MuJoCo's speeds into ours: free bodies have their velocity in axes of the space, before the angular velocity.
struct Map {
    /// Our speed `i` is `Σ rows[i][j]` times theirs.
    rows: Vec<Vec<f64>>,
    /// What the map's rate adds to our accelerations.
    rate: Vec<f64>,
}

fn state(model: &Model, joints: &[Joint], told: &Value) -> (State, Map) {
    let mut state = State::new(model);
    let (q, v) = (numbers(&told["coordinates"]), numbers(&told["speeds"]));
    let n = model.speed_count();
    let mut map = Map { rows: vec![vec![0.0; n]; n], rate: vec![0.0; n] };
    for Joint { kind, drawn, theirs, ours } in joints {
        let own = &mut state.coordinates[ours.0..];
        match kind.as_str() {
            "free" => {
                let drawn_attitude = quaternion(&drawn[3..]).to_matrix();
                let attitude = quaternion(&q[theirs.0 + 3..]).to_matrix();
                let relative = Quaternion::from_matrix(&(drawn_attitude.transpose() * attitude));
                own[..4].copy_from_slice(&relative.0);
                let position = drawn_attitude.transpose() * (vector(&q[theirs.0..]) - vector(drawn));
                own[4..7].copy_from_slice(&position.0);
                let back = attitude.transpose();
                let velocity = back * vector(&v[theirs.1..]);
                let turning = vector(&v[theirs.1 + 3..]).cross(velocity);
                for i in 0..3 {
                    map.rows[ours.1 + i][theirs.1 + 3 + i] = 1.0;
                    for j in 0..3 {
                        map.rows[ours.1 + 3 + i][theirs.1 + j] = back.0[i][j];
                    }
                    map.rate[ours.1 + 3 + i] = -turning.0[i];
                }
            }
            "ball" => {
                own[..4].copy_from_slice(&quaternion(&q[theirs.0..]).0);
                (0..3).for_each(|i| map.rows[ours.1 + i][theirs.1 + i] = 1.0);
            }
            _ => {
                own[0] = q[theirs.0] - drawn[0];
                map.rows[ours.1][theirs.1] = 1.0;
            }
        }
    }
    state.speeds.copy_from_slice(&map.apply(&v));
    (state, map)
}

impl Map {
    fn apply(&self, theirs: &[f64]) -> Vec<f64> {
        self.rows.iter().map(|row| row.iter().zip(theirs).map(|(a, b)| a * b).sum()).collect()
    }
}

/// The largest difference over the largest number.
fn difference(found: &[f64], told: &[f64]) -> f64 {
    assert_eq!(found.len(), told.len());
    let size = told.iter().fold(1e-300_f64, |m, x| m.max(x.abs()));
    found.iter().zip(told).fold(0.0, |m, (a, b)| if (a - b).is_nan() { f64::NAN } else { m.max((a - b).abs() / size) })
}

/// As [`difference`], relative to the greatest product of mass and acceleration too: forces are sums of these.
fn force_difference(found: &[f64], told: &[f64], mass: &[f64], accelerations: &[f64]) -> f64 {
    let greatest = |numbers: &[f64]| numbers.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let relative = greatest(told) / greatest(told).max(greatest(mass) * greatest(accelerations));
    difference(found, told) * relative
}

/// Differences of a file from MuJoCo: mass matrix, forward dynamics, inverse dynamics, places. Closures are left open on both sides.
fn differences(robot: &Robot, told: &Value) -> [f64; 4] {
    let tree = System { closures: Vec::new(), ..robot.file.system.clone() };
    let model = &Model::build(&tree).unwrap();
    let joints = joints(model, told);
    let mut worst = [0.0_f64; 4];
    for told in told["states"].as_array().unwrap() {
        let (state, map) = state(model, &joints, told);
        let (mut inputs, mut workspace) = (Inputs::new(model), Workspace::new(model));
        let mut note = |k: usize, value: f64| worst[k] = if value.is_nan() { value } else { worst[k].max(value) };
        // The map is orthogonal: forces go as speeds.
        inputs.forces.copy_from_slice(&map.apply(&numbers(&told["forces"])));
        let mut accelerations = map.apply(&numbers(&told["accelerations"]));
        accelerations.iter_mut().zip(&map.rate).for_each(|(a, rate)| *a += rate);
        let n = model.speed_count();
        let theirs: Vec<Vec<f64>> = told["mass_matrix"].as_array().unwrap().iter().map(numbers).collect();
        let half: Vec<Vec<f64>> = theirs.iter().map(|row| map.apply(row)).collect();
        let column = |j: usize| map.apply(&half.iter().map(|row| row[j]).collect::<Vec<_>>());
        let expected: Vec<f64> = (0..n).flat_map(column).collect();
        let mut matrix = vec![0.0; n * n];
        mass_matrix(model, &state, &mut workspace, &mut DenseWorkspace::new(model), &mut matrix).unwrap();
        note(0, difference(&matrix, &expected));
        let found = forward_dynamics(model, &state, &inputs, &mut workspace).unwrap().accelerations().to_vec();
        note(1, difference(&found, &accelerations));
        inputs.accelerations.copy_from_slice(&accelerations);
        let found = inverse_dynamics(model, &state, &inputs, &mut workspace).unwrap().forces().to_vec();
        note(2, force_difference(&found, &inputs.forces, &expected, &accelerations));
        note(3, places(robot, model, &state, told));
    }
    worst
}

/// How far sites and drawn shapes are from where they should be, and the third axes of shapes.
fn places(robot: &Robot, model: &Model, state: &State, told: &Value) -> f64 {
    let mut workspace = Workspace::new(model);
    let found = kinematics(model, state, &mut workspace).unwrap();
    let mut worst = 0.0_f64;
    let mut near = |found: Vector3<f64>, told: &[f64]| {
        worst = worst.max((0..3).map(|i| (found.0[i] - told[i]).abs()).fold(0.0, f64::max));
    };
    for (name, told) in told["sites"].as_object().unwrap() {
        let (body, node) = robot
            .file
            .system
            .bodies
            .iter()
            .enumerate()
            .find_map(|(k, body)| {
                let named = |node: &supple::Node| node.name.as_ref() == Some(name);
                Some((BodyIndex(k), supple::NodeIndex(body.nodes.iter().position(named)?)))
            })
            .unwrap_or_else(|| panic!("no node {name}"));
        near(found.node_position(body, node), &numbers(told));
    }
    let shapes: Vec<_> = robot.file.visuals.iter().filter(|visual| !matches!(visual.shape, Shape::Mesh(_))).collect();
    let told = told["geoms"].as_array().unwrap();
    assert_eq!(shapes.len(), told.len());
    for (visual, told) in shapes.into_iter().zip(told) {
        let (body, told) = (BodyIndex(visual.body), numbers(told));
        let attitude: Matrix3<f64> = found.body_attitude(body);
        near(found.body_position(body) + attitude * Vector3(visual.position), &told);
        let axis = attitude * (Quaternion(visual.attitude).to_matrix() * Vector3([0.0, 0.0, 1.0]));
        near(axis, &told[3..]);
    }
    worst
}

/// The files of a folder that have answers.
fn answered(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|ending| ending == "json")).collect();
    files.sort();
    files.into_iter().map(|path| path.with_extension("xml")).collect()
}

fn compare(folder: &Path) -> usize {
    let files = answered(folder);
    let mut worst = [0.0_f64; 4];
    let mut failed = 0;
    for file in &files {
        let told = std::fs::read_to_string(file.with_extension("json")).unwrap();
        let told: Value = serde_json::from_str(&told).unwrap();
        let robot = match mjcf::read(file, None, &Options::default()) {
            Ok(robot) => robot,
            Err(error) => panic!("{}: {error}", file.display()),
        };
        let found = differences(&robot, &told);
        if found.iter().any(|x| x.is_nan() || *x > TOLERANCE) {
            println!("{}: {found:?}", file.display());
            failed += 1;
        }
        worst = std::array::from_fn(|k| worst[k].max(found[k]));
        // What is imported is the same robot, bit for bit.
        let text = model_file::write(&robot.file.system).unwrap();
        let again = model_file::from_text("x.toml", &text, None).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(again.system, robot.file.system, "{}", file.display());
    }
    println!(
        "{} files, mass matrix {:.1e}, forward {:.1e}, inverse {:.1e}, places {:.1e}",
        files.len(),
        worst[0],
        worst[1],
        worst[2],
        worst[3]
    );
    assert_eq!(failed, 0);
    files.len()
}

#[test]
fn robots_move_as_in_mujoco() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../references/mjcf");
    let count = compare(&folder);
    assert!(count >= 8);
    if let Some(folder) = std::env::var_os("SUPPLE_MJCF_DIR") {
        compare(Path::new(&folder));
    }
}
