//! Programs compiled by the C compiler of the system and loaded.

use crate::agreement::{difference, engine, inputs, prepared};
use crate::code::{Folder, is_there};
use std::fs;
use std::process::Command;
use supple::{Body, Hinge, HingeKind, Model, ModelBuilder, Parent};
use supple_compile::native::{Build, Cache, CallError, Compile};
use supple_compile::{Lanes, Parameter, Recording, Refused, Verb, record};

fn build(folder: &Folder) -> Build {
    Build { cache: Some(Cache::at(&folder.0)), ..Build::default() }
}

/// States and inputs go in as they go into the verbs; the second call of the same code compiles nothing.
#[test]
fn compiled_verbs_have_the_shape_of_verbs() {
    if !is_there("cc") {
        return;
    }
    let (folder, at) = (Folder::new("native"), prepared(4));
    for verb in [Verb::ForwardDynamics, Verb::InverseDynamics, Verb::Energy] {
        let recording = Recording { model: &at.model, state: None, verb: &verb, parameters: &[] };
        let compiled = build(&folder).compiled(&recording).unwrap();
        let mut memory = compiled.memory();
        let found = compiled.call(&at.state, &at.inputs, &mut memory).unwrap();
        let error = difference(found, &engine(&at, &verb));
        assert!(error < 1e-10, "{verb}: {error:e}");
        let made = fs::metadata(compiled.native().path()).unwrap().modified().unwrap();
        let again = build(&folder).compiled(&recording).unwrap();
        assert_eq!(again.native().path(), compiled.native().path());
        assert_eq!(fs::metadata(again.native().path()).unwrap().modified().unwrap(), made);
    }
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 3, "one folder for each code, nothing left aside");
    // A state of another size is no state of the model.
    let compiled = build(&folder)
        .compiled(&Recording { model: &at.model, state: None, verb: &Verb::Energy, parameters: &[] })
        .unwrap();
    let mut other = at.state.clone();
    other.coordinates.pop();
    let mut memory = compiled.memory();
    let refused = compiled.call(&other, &at.inputs, &mut memory);
    assert!(matches!(refused, Err(CallError::Refused(Refused::WrongSize { .. }))), "{refused:?}");
}

/// Lanes have a status each: a bob without mass among others.
#[test]
fn a_pivot_that_fails_is_a_status_of_its_instance() {
    if !is_there("cc") {
        return;
    }
    let mut builder = ModelBuilder::new();
    let hinge = Hinge::new(HingeKind::Prismatic { axis: [0.0, 0.0, 1.0] });
    builder.body(Body::rigid("bob", Parent::Ground, hinge, 2.0, [0.0; 3], [[0.0; 3]; 3]));
    let model: Model = builder.build().unwrap();
    let parameters: [Parameter; 1] = ["body.bob.mass".parse().unwrap()];
    let recording = Recording { model: &model, state: None, verb: &Verb::ForwardDynamics, parameters: &parameters };
    let folder = Folder::new("pivot");
    let compiled = Build { lanes: Some(Lanes::Four), ..build(&folder) }.compiled(&recording).unwrap();
    let native = compiled.native();
    let mut out = [0.0];
    assert_eq!(native.run(&[0.1, 0.2, 3.0, 2.0], &mut out), Ok(()));
    assert_eq!(out, [1.5]);
    assert!(matches!(native.run(&[0.1, 0.2, 3.0, 0.0], &mut out), Err(Refused::Condition(_))));
    let by_number = [[0.1; 4], [0.2; 4], [3.0, 6.0, f64::NAN, 8.0], [2.0, 0.0, 2.0, 4.0]];
    let (mut out, mut status) = ([0.0; 4], [7; 4]);
    native.run_lanes(by_number.as_flattened(), &mut out, &mut status).unwrap();
    assert_eq!((out[0], out[3]), (1.5, 2.0));
    assert!(status[0] == 0 && status[1] > 0 && status[2] > 0 && status[3] == 0, "{status:?}");
    assert!(native.run_lanes(by_number.as_flattened(), &mut out, &mut status[..3]).is_err());
    // The parameter has the value of the model at first.
    let (state, acting) = (supple::State::new(&model), supple::Inputs::new(&model));
    let mut memory = compiled.memory();
    assert_eq!(memory.parameters, [2.0]);
    assert_eq!(compiled.call(&state, &acting, &mut memory).unwrap(), [0.0]);
}

/// By the short way, in the folder that the environment names: a process of its own has another environment.
#[test]
fn models_compile_their_verbs() {
    if !is_there("cc") {
        return;
    }
    if std::env::var_os("SUPPLE_CACHE").is_none() {
        let folder = Folder::new("short");
        let own = ["--exact", "native::models_compile_their_verbs"];
        let mut child = Command::new(std::env::current_exe().unwrap());
        assert!(child.args(own).env("SUPPLE_CACHE", &folder.0).output().unwrap().status.success());
        assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1);
        // Without a compiler it says so.
        let told = child.env("CC", "no-such-compiler").output().unwrap();
        assert!(!told.status.success());
        let said = String::from_utf8_lossy(&told.stdout);
        assert!(said.contains("there is no C compiler (no-such-compiler)"), "{said}");
        return;
    }
    let at = prepared(1);
    let compiled = at.model.compiled(&Verb::MassMatrix).unwrap_or_else(|error| panic!("{error}"));
    let mut out = vec![0.0; compiled.native().outputs().len()];
    compiled.native().run(&inputs(&at, Verb::MassMatrix), &mut out).unwrap();
    assert!(difference(&out, &engine(&at, Verb::MassMatrix)) < 1e-10);
}

/// An arm of six hinges whose mounts are turned by `π/2` and a little more.
fn arm(more: f64) -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity([0.3, 0.0, -9.81]);
    let mut parent = Parent::Ground;
    for i in 0..6 {
        let (sine, cosine) = (std::f64::consts::FRAC_PI_2 + more).sin_cos();
        let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 0.0, 1.0] }).at([0.3, 0.1, -0.2]).turned([
            [1.0, 0.0, 0.0],
            [0.0, cosine, -sine],
            [0.0, sine, cosine],
        ]);
        let inertia = [[0.4, 0.01, 0.0], [0.01, 0.5, 0.02], [0.0, 0.02, 0.3]];
        let body = builder.body(Body::rigid(format!("link {i}"), parent, hinge, 2.0, [0.1, 0.05, 0.2], inertia));
        parent = Parent::Body(body, supple::NodeIndex(0));
    }
    builder.build().unwrap()
}

/// `cos(π/2)` is 6e-17 in files and costs nothing; a turn that is none of rounding stays.
#[test]
fn quarter_turns_are_exact() {
    let count = |more| record(&arm(more), Verb::ForwardDynamics).unwrap().counts().total();
    assert!(count(0.0) * 5 < count(1e-9) * 4, "{} {}", count(0.0), count(1e-9));
    for more in [0.0, 1e-9] {
        let model = arm(more);
        let recording = Recording { model: &model, state: None, verb: &Verb::ForwardDynamics, parameters: &[] };
        let program = recording.program().unwrap();
        let reference = recording.reference(&program, 8).unwrap();
        let mut out = vec![0.0; program.outputs.len()];
        for vector in &reference.vectors {
            program.interpreter().run(&vector.inputs, &mut out).unwrap();
            assert!(reference.difference(&out, vector) < 1e-12);
        }
    }
}

/// Sines of several angles at once are those of one: small, large, and so large that the function of the library takes over for all of its block.
#[test]
fn sines_of_all_angles_are_right() {
    if !is_there("cc") {
        return;
    }
    let (model, folder) = (arm(0.0), Folder::new("sines"));
    let program = record(&model, Verb::ForwardDynamics).unwrap().scheduled();
    for lanes in [Lanes::Four, Lanes::Eight] {
        let native = Build { lanes: Some(lanes), ..build(&folder) }.native(&program).unwrap();
        let (n, count) = (program.inputs.len(), lanes.count());
        let mut point = vec![0.1; n];
        for angles in
            [[0.0, 1e-9, -0.7, 0.8, 1.6, -3.1], [40.0, -1e5, 9.9e8, 0.3, -7.0, 2.0], [1e9, 0.2, 3e15, 1.0, 2.0, -1e22]]
        {
            point[..6].copy_from_slice(&angles);
            let (mut expected, mut found) = (vec![0.0; 6], vec![0.0; 6]);
            program.interpreter().run(&point, &mut expected).unwrap();
            native.run(&point, &mut found).unwrap();
            let error = difference(&found, &expected);
            assert!(error < 1e-12, "{angles:?}: {error:e}");
            let woven: Vec<f64> = point.iter().flat_map(|x| vec![*x; count]).collect();
            let (mut all, mut status) = (vec![0.0; 6 * count], vec![7; count]);
            native.run_lanes(&woven, &mut all, &mut status).unwrap();
            assert_eq!(status, vec![0; count]);
            for lane in 0..count {
                let own: Vec<f64> = all.iter().skip(lane).step_by(count).copied().collect();
                let error = difference(&own, &expected);
                assert!(error < 1e-12, "{angles:?}, lane {lane}: {error:e}");
            }
        }
    }
}
