//! Data of the literature with inertias that no mass distribution has: refused, and taken when asked for, with a note. The arm of ETS-VII against
//! Pinocchio.

use supple::{DenseWorkspace, Inputs, Model, State, Workspace, forward_dynamics, inverse_dynamics, mass_matrix};
use supple_io::model_file;
use supple_io::urdf::{self, Options, Robot, Root};

const SIDE: &str = "format = \"supple-flexible-1\"\ngravity = [0, 0, 0]\n";

fn satellite(side: &str, root: Root) -> Result<Robot, supple_io::source::FileError> {
    let robot = include_str!("../../../../references/urdf/ets-vii.urdf");
    urdf::from_text("ets-vii.urdf", robot, Some(("side.toml", side)), &Options { root, ..Options::default() })
}

fn accepted(root: Root) -> Robot {
    let side = format!("{SIDE}accept_inertia = [\"Link_1\", \"Link_2\", \"Link_3\"]\n");
    satellite(&side, root).unwrap_or_else(|error| panic!("{error}"))
}

fn numbers(value: &serde_json::Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

#[track_caller]
fn assert_close(found: &[f64], told: &[f64]) {
    let size = told.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    assert_eq!(found.len(), told.len());
    for (a, b) in found.iter().zip(told) {
        assert!((a - b).abs() < 1e-10 * size, "{found:?}\n{told:?}");
    }
}

/// The arm in the state of the reference: joints come last, base at rest.
fn state(model: &Model, told: &serde_json::Value) -> (State, Inputs) {
    let (mut state, mut inputs) = (State::new(model), Inputs::new(model));
    for k in 0..6 {
        let hinge = model.hinge(&format!("Joint_{}", k + 1)).unwrap();
        state.coordinates[hinge.coordinates().start] = numbers(&told["angles"])[k];
        state.speeds[hinge.speeds().start] = numbers(&told["speeds"])[k];
        inputs.accelerations[hinge.speeds().start] = numbers(&told["accelerations"])[k];
        inputs.forces[hinge.speeds().start] = numbers(&told["torques"])[k];
    }
    (state, inputs)
}

/// Held and free, forward and inverse dynamics and mass matrix are those of Pinocchio for the same data.
#[test]
fn the_arm_of_ets_vii_moves_as_in_pinocchio() {
    let told: serde_json::Value =
        serde_json::from_str(include_str!("../../../../references/urdf/ets-vii.pinocchio.json")).unwrap();
    let held = &accepted(Root::Fixed).file.model;
    let ((state_held, inputs), mut workspace) = (state(held, &told), Workspace::new(held));
    let found = inverse_dynamics(held, &state_held, &inputs, &mut workspace).unwrap().forces().to_vec();
    assert_close(&found, &numbers(&told["held"]["inverse_dynamics"]));
    let found = forward_dynamics(held, &state_held, &inputs, &mut workspace).unwrap().accelerations().to_vec();
    assert_close(&found, &numbers(&told["held"]["forward_dynamics"]));
    let mut matrix = vec![0.0; 36];
    mass_matrix(held, &state_held, &mut workspace, &mut DenseWorkspace::new(held), &mut matrix).unwrap();
    let rows: Vec<f64> = told["held"]["mass_matrix"].as_array().unwrap().iter().flat_map(numbers).collect();
    assert_close(&matrix, &rows);
    let free = &accepted(Root::Free).file.model;
    let ((state_free, inputs), mut workspace) = (state(free, &told), Workspace::new(free));
    let found = forward_dynamics(free, &state_free, &inputs, &mut workspace).unwrap().accelerations().to_vec();
    assert_close(&found[..3], &numbers(&told["free"]["base_angular"]));
    assert_close(&found[3..6], &numbers(&told["free"]["base_linear"]));
    assert_close(&found[6..], &numbers(&told["free"]["forward_dynamics"]));
}

/// Without being asked for, and where only some links are named, the others are refused; what is taken is noted.
#[test]
fn impossible_inertias_are_taken_when_asked_for() {
    let refused = |side: &str| satellite(side, Root::Fixed).expect_err("it is refused").to_string();
    let error = refused(SIDE);
    assert!(["Link_1", "Link_2", "Link_3"].iter().all(|link| error.contains(link)), "{error}");
    let some = refused(&format!("{SIDE}accept_inertia = [\"Link_1\", \"Link_2\"]\n"));
    assert!(some.contains("link 'Link_3'") && !some.contains("link 'Link_1'"), "{some}");
    let unknown = refused(&format!("{SIDE}accept_inertia = [\"Link_9\"]\n"));
    assert!(unknown.contains("Link_9") && unknown.contains("Link_1"), "{unknown}");
    let notes: Vec<String> = accepted(Root::Fixed).notes.iter().map(|note| note.as_note().to_string()).collect();
    assert_eq!(notes.iter().filter(|note| note.contains("taken as it is")).count(), 3, "{notes:?}");
    let model = "format = \"supple-model-1\"\n@[[body]]\nname = \"b\"\nhinge = { kind = \"free\" }\nrigid = { mass = 1, inertia = [1, 1, 3] }\n";
    assert!(model_file::from_text("x.toml", &model.replace('@', ""), None).is_err());
    let taken = model_file::from_text("x.toml", &model.replace('@', "accept_inertia = [\"b\"]\n"), None).unwrap();
    assert_eq!(taken.notes.len(), 1);
    assert!(taken.notes[0].what().contains("triangle"), "{}", taken.notes[0].what());
}
