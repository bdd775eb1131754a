//! Damping that files ask for, in eigenvalues of the whole system: one constant matrix per body cannot know them but by its design.

use supple::{Inputs, ModalMatrix, State};
use supple_io::model_file::{self, ModelFile};
use supple_linear::{SystemMode, free, lock, system_modes};

/// Two strips of 1 m, 6.3 N m², 0.324 kg/m, and a point mass of 0.5 kg.
fn arm(damping: &str, modes: &str) -> ModelFile {
    let link = |name: &str, parent: &str, hinge: &str| {
        format!(
            "[[body]]\nname = \"{name}\"\n{parent}\nhinge = {{ name = \"{hinge}\", kind = \"revolute\", axis = [0, 0, 1] }}\n[body.beam]\n\
             length = 1.0\nsection = {{ rectangle = {{ width = 0.003, height = 0.04 }} }}\n\
             material = {{ E = 7e10, nu = 0.33, density = 2700 }}\nmodes = {modes}\n"
        )
    };
    let text = format!(
        "format = \"supple-model-1\"\n{damping}\n{}{}[[body]]\nname = \"load\"\nparent = \"lower\"\nat = \"tip\"\n\
         hinge = {{ kind = \"fixed\" }}\nrigid = {{ mass = 0.5 }}\n",
        link("upper", "", "shoulder"),
        link("lower", "parent = \"upper\"\nat = \"tip\"", "elbow")
    );
    model_file::from_text("arm.toml", &text, None).unwrap_or_else(|error| panic!("{error}"))
}

fn vibrations(file: &ModelFile, elbow: f64, free_hinges: &[&str]) -> Vec<SystemMode> {
    let model = &file.model;
    let (mut state, mut inputs) = (State::new(model), Inputs::new(model));
    state.coordinates[model.hinge("elbow").unwrap().coordinates()][0] = elbow;
    free(model, &mut inputs, free_hinges).unwrap();
    let modes = system_modes(model, &state, &inputs).unwrap().modes;
    modes.into_iter().filter(|mode| mode.eigenvalue.im > 1e-6).collect()
}

/// No matrix has a negative eigenvalue, and bodies without modes have none.
#[track_caller]
fn assert_dissipative(file: &ModelFile) {
    for body in &file.system.bodies {
        if let ModalMatrix::Full(rows) = &body.modes.damping {
            let (values, _) = supple_bodies::eigen::symmetric(rows.clone());
            let most = values.iter().fold(0.0_f64, |m, x| m.max(*x));
            assert!(most > 0.0 && values.iter().all(|x| *x > -1e-13 * most), "{values:?}");
            assert!(rows.iter().enumerate().all(|(i, row)| row.iter().zip(rows).all(|(x, other)| *x == other[i])));
        }
    }
}

/// Straight and bent, locked and free: the modes that are asked for have their ratio, whatever the links are held by.
#[test]
fn every_mode_has_its_ratio() {
    for (damping, elbow, hinges) in [
        ("damping = { ratio = 0.01 }", 0.0, &[][..]),
        ("damping = { ratio = 0.01, at = { elbow = 1.25 } }", 1.25, &[]),
        ("damping = { ratio = 0.01, free = [\"all\"], up_to_hz = 25 }", 0.0, &["shoulder", "elbow"]),
        ("damping = { ratio = 0.01, free = [\"elbow\"], at = { elbow = -0.7 }, up_to_hz = 25 }", -0.7, &["elbow"]),
        ("damping = { ratio = 0.05, up_to_hz = 40 }", 0.0, &[]),
    ] {
        for modes in ["{ bending_y = 1 }", "{ bending_y = 2, bending_z = 1, twist = 1 }"] {
            let file = arm(damping, modes);
            assert_dissipative(&file);
            let design = &file.damping.as_ref().unwrap().design;
            for mode in vibrations(&file, elbow, hinges) {
                if mode.frequency < design.up_to.unwrap_or(f64::INFINITY) {
                    let off = mode.damping_ratio / design.ratios[0] - 1.0;
                    assert!(off.abs() < 0.03, "{damping} {modes}: {} at {} Hz", mode.damping_ratio, mode.frequency);
                }
            }
        }
    }
}

/// Links whose bending, torsion and stretching are decades apart, with a heavy hand: no matrices give all of these modes their ratio. The first two have it, and
/// none has less than half of it; what is left is too much damping of the next two, which bend the links alike.
#[test]
fn low_modes_come_first_and_none_is_forgotten() {
    for text in [TUBES, LONG_ARM] {
        let file = model_file::from_text("arm.toml", text, None).unwrap_or_else(|error| panic!("{error}"));
        assert_dissipative(&file);
        let (state, mut inputs) = (State::new(&file.model), Inputs::new(&file.model));
        inputs.prescribed.fill(true);
        let modes = system_modes(&file.model, &state, &inputs).unwrap().modes;
        let ratios: Vec<f64> = modes.iter().map(|mode| mode.damping_ratio / 0.01).collect();
        println!("{ratios:.3?}");
        assert_eq!(ratios.len(), 24);
        assert!(ratios[..2].iter().all(|ratio| (ratio - 1.0).abs() < 0.03), "{ratios:.3?}");
        assert!(ratios.iter().all(|ratio| (0.5..3.0).contains(ratio)), "{ratios:.3?}");
        assert!(ratios.iter().filter(|ratio| **ratio > 2.0).count() <= 3, "{ratios:.3?}");
    }
}

/// Two carbon tubes with a load whose mass centre is beside their axis.
const TUBES: &str = r#"
format = "supple-model-1"
damping = { ratio = 0.01 }
[[body]]
name = "upper"
hinge = { name = "shoulder", kind = "revolute", axis = [0, 0, 1] }
[body.beam]
length = 1.2
section = { tube = { outer_radius = 0.03, thickness = 0.0015 } }
material = { E = 1.2e11, nu = 0.3, density = 1600 }
modes = { bending_y = 2, bending_z = 2, twist = 1, stretch = 1 }
[[body]]
name = "lower"
parent = "upper"
at = "tip"
hinge = { name = "elbow", kind = "revolute", axis = [0, 0, 1] }
[body.beam]
length = 1.0
section = { tube = { outer_radius = 0.022, thickness = 0.0015 } }
material = { E = 1.2e11, nu = 0.3, density = 1600 }
modes = { bending_y = 2, bending_z = 2, twist = 1, stretch = 1 }
[[body]]
name = "load"
parent = "lower"
at = "tip"
hinge = { kind = "fixed" }
rigid = { mass = 2.0, mass_centre = [0.05, 0, 0.03], inertia = [2e-3, 3e-3, 3e-3] }
"#;

/// Seven hinges, two flexible links between heavy drives.
const LONG_ARM: &str = r#"
format = "supple-model-1"
damping = { ratio = 0.01 }
[[body]]
name = "base"
hinge = { name = "j1", kind = "revolute", axis = [0, 0, 1] }
rigid = { mass = 1.4, mass_centre = [0, 0, 0.1], inertia = [5e-3, 5e-3, 2e-3] }
nodes = [{ name = "end", position = [0, 0, 0.28] }]
[[body]]
name = "upper"
parent = "base"
at = "end"
hinge = { name = "j2", kind = "revolute", axis = [0, 1, 0] }
[body.beam]
length = 0.42
direction = [0, 0, 1]
section = { tube = { outer_radius = 0.03, thickness = 0.002 } }
material = { E = 7e10, nu = 0.33, density = 2700 }
modes = { bending_y = 2, bending_z = 2, twist = 1, stretch = 1 }
[[body]]
name = "elbow"
parent = "upper"
at = "tip"
hinge = { name = "j3", kind = "revolute", axis = [0, 0, 1] }
rigid = { mass = 0.9, mass_centre = [0, 0.01, 0.02], inertia = [1e-3, 1e-3, 8e-4] }
nodes = [{ name = "end", position = [0, 0, 0.05] }]
[[body]]
name = "fore"
parent = "elbow"
at = "end"
hinge = { name = "j4", kind = "revolute", axis = [0, 1, 0] }
[body.beam]
length = 0.31
direction = [0, 0, 1]
section = { tube = { outer_radius = 0.025, thickness = 0.0015 } }
material = { E = 7e10, nu = 0.33, density = 2700 }
modes = { bending_y = 2, bending_z = 2, twist = 1, stretch = 1 }
[[body]]
name = "wrist 1"
parent = "fore"
at = "tip"
hinge = { name = "j5", kind = "revolute", axis = [0, 0, 1] }
rigid = { mass = 0.7, mass_centre = [0, 0.01, 0.04], inertia = [8e-4, 8e-4, 4e-4] }
nodes = [{ name = "end", position = [0, 0, 0.1] }]
[[body]]
name = "wrist 2"
parent = "wrist 1"
at = "end"
hinge = { name = "j6", kind = "revolute", axis = [0, 1, 0] }
rigid = { mass = 0.7, mass_centre = [0, 0, 0.04], inertia = [8e-4, 8e-4, 4e-4] }
nodes = [{ name = "end", position = [0, 0, 0.1] }]
[[body]]
name = "hand"
parent = "wrist 2"
at = "end"
hinge = { name = "j7", kind = "revolute", axis = [0, 0, 1] }
rigid = { mass = 1.5, mass_centre = [0.02, 0, 0.06], inertia = [2e-3, 2e-3, 1e-3] }
"#;

/// Ratios that were measured, mode by mode.
#[test]
fn measured_ratios() {
    let asked = [0.004, 0.02, 0.01];
    let file = arm("damping = { ratio = [0.004, 0.02, 0.01], up_to_hz = 60 }", "{ bending_y = 2 }");
    assert_dissipative(&file);
    let found = vibrations(&file, 0.0, &[]);
    for (mode, ratio) in found.iter().zip(asked) {
        assert!((mode.damping_ratio / ratio - 1.0).abs() < 0.03, "{} {ratio}", mode.damping_ratio);
    }
}

/// What bodies have of their own, and dashpots in free hinges, count: no mode is damped twice.
#[test]
fn damping_that_is_there_counts() {
    let mut file = arm("", "{ bending_y = 1 }");
    let asked = supple_bodies::damping::Design { ratios: vec![0.02], up_to: None, free: vec![false; 3] };
    let half = supple_bodies::damping::Design { ratios: vec![0.01], ..asked.clone() };
    let pose = State::new(&file.model);
    for design in [half, asked] {
        let found = supple_bodies::damping::design(&file.system, &pose, &design).unwrap();
        file.system.bodies.iter_mut().zip(found).for_each(|(body, found)| body.modes.damping = found);
    }
    file.model = supple::Model::build(&file.system).unwrap();
    for mode in vibrations(&file, 0.0, &[]) {
        assert!((mode.damping_ratio - 0.02).abs() < 6e-4, "{}", mode.damping_ratio);
    }
}

/// A loop: its closure decides what the modes are.
#[test]
fn closed_chains_have_their_ratio() {
    let text = r#"
        format = "supple-model-1"
        damping = { ratio = 0.02, free = ["all"], up_to_hz = 300, at = { crank = 1.0, coupler = -0.6822, rocker = -2.3004 } }
        [[body]]
        name = "crank"
        hinge = { name = "crank", kind = "revolute", axis = [0, 0, 1] }
        rigid = { mass = 0.3, mass_centre = [0.25, 0, 0], inertia = [1e-4, 1e-2, 1e-2] }
        nodes = [{ name = "end", position = [0.5, 0, 0] }]
        [[body]]
        name = "bar"
        parent = "crank"
        at = "end"
        hinge = { name = "coupler", kind = "revolute", axis = [0, 0, 1] }
        [body.beam]
        length = 1.0
        section = { rectangle = { width = 0.01, height = 0.04 } }
        material = { E = 7e10, nu = 0.33, density = 2700 }
        modes = { bending_y = 2 }
        [[body]]
        name = "rocker"
        parent = "bar"
        at = "tip"
        hinge = { name = "rocker", kind = "revolute", axis = [0, 0, 1] }
        [body.beam]
        length = 0.8
        section = { rectangle = { width = 0.01, height = 0.04 } }
        material = { E = 7e10, nu = 0.33, density = 2700 }
        modes = { bending_y = 2 }
        [[closure]]
        name = "bearing"
        kind = "revolute"
        axis = [0, 0, 1]
        a = { ground = [0.9, 0, 0] }
        b = { body = "rocker", node = "tip" }
    "#;
    let file = model_file::from_text("loop.toml", text, None).unwrap_or_else(|error| panic!("{error}"));
    assert_dissipative(&file);
    let pose = &file.damping.as_ref().unwrap().pose;
    let mut inputs = Inputs::new(&file.model);
    lock(&file.model, &mut inputs, &[]).unwrap();
    let modes = system_modes(&file.model, pose, &inputs).unwrap().modes;
    // Turning as a whole is no vibration.
    let found: Vec<&SystemMode> = modes.iter().filter(|mode| mode.frequency > 5.0 && mode.frequency < 300.0).collect();
    assert!(found.len() >= 2, "{}", found.len());
    for mode in found {
        assert!((mode.damping_ratio / 0.02 - 1.0).abs() < 0.05, "{} at {}", mode.damping_ratio, mode.frequency);
    }
}
