//! Equations of motion from generated code: runs and studies agree with those of the engine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use supple_io::change::Change;
use supple_run::sweep::{Row, Runner, Study, SweepOptions, sweep};
use supple_run::{Code, Existing, Formulation, Options, Results, RunErrorKind, run};

use crate::Arm;

/// Relative difference of fixed steps, which both take alike.
const SAME_STEPS: f64 = 1e-9;
/// The same where steps follow a tolerance, and rounding may change their number.
const OWN_STEPS: f64 = 1e-6;

fn is_there() -> bool {
    Command::new("cc").arg("--version").output().is_ok_and(|told| told.status.success())
}

/// A study of an arm in its folder.
fn arm(integrator: &str, top: &str, vary: &str) -> (Arm, PathBuf) {
    let arm = Arm::new(integrator);
    let path = arm.0.join("study.toml");
    let extract = "[[extract]]\nname = \"swing\"\ncolumn = \"hinge.elbow\"\nmeasure = \"last\"\n\
                   [[extract]]\nname = \"bow\"\ncolumn = \"mode.boom.1\"\nmeasure = \"rms\"\n\
                   [[extract]]\nname = \"energy\"\ncolumn = \"energy.balance_error\"\nmeasure = \"max-abs\"\n";
    let text = format!("format = \"supple-study-1\"\nscenario = \"scenario.toml\"\n{top}\n{vary}\n{extract}");
    fs::write(&path, text).unwrap();
    (arm, path)
}

fn rows(study: &Study) -> Vec<Row> {
    let mut runner = Runner::new(study);
    (0..study.runs()).map(|run| runner.run(run)).collect()
}

/// Runs by code that the study does not hold for.
fn others(study: &Study) -> u64 {
    match study.formulation() {
        Formulation::Compiled(code) => code.others(),
        _ => panic!("the study has no code"),
    }
}

/// Whatever varies, masses, a length that changes modes, or the start, one program serves all runs, with every kind of integrator.
#[test]
fn rows_of_a_compiled_study_are_those_of_the_engine() {
    if !is_there() {
        return;
    }
    let vary = "[[vary]]\nkey = \"model.body.jib.rigid.mass\"\nuniform = [2, 4]\n\
                [[vary]]\nkey = \"model.body.boom.beam.length\"\nuniform = [1.8, 2.2]\n\
                [[vary]]\nkey = \"initial.hinges.elbow\"\nnormal = { mean = 0, deviation = 0.2 }";
    let integrators = [
        ("kind = \"rk4\"\nstep = 5e-5", SAME_STEPS),
        ("kind = \"generalized-alpha\"\nstep = 1e-3", SAME_STEPS),
        ("kind = \"linearly-implicit\"\nstep = 1e-3", SAME_STEPS),
        ("kind = \"exponential-adams\"\nrelative_tolerance = 1e-8\nabsolute_tolerance = 1e-10", OWN_STEPS),
        ("kind = \"automatic\"\nrelative_tolerance = 1e-8\nabsolute_tolerance = 1e-10", OWN_STEPS),
    ];
    for (integrator, allowed) in integrators {
        let (_arm, path) = arm(integrator, "samples = 4\nset = [\"duration=0.3\"]", vary);
        let plain = Study::read(&path).unwrap();
        let compiled = plain.clone().compiled().unwrap();
        for (own, other) in rows(&compiled).iter().zip(rows(&plain)) {
            assert_eq!((own.run, &own.values, own.status), (other.run, &other.values, other.status), "{}", own.message);
            for (a, b) in own.numbers.iter().zip(&other.numbers).take(2) {
                assert!((a - b).abs() <= allowed * b.abs(), "{integrator}: {a:e} for {b:e}");
            }
            // The ledger of the code closes as well.
            assert!(
                own.numbers[2] <= 2.0 * other.numbers[2] + 1e-9,
                "{integrator}: {:?} {:?}",
                own.numbers,
                other.numbers
            );
        }
        assert_eq!(others(&compiled), 0, "{integrator}");
    }
}

/// A model that no sample is like is left to the engine; a structure that varies is refused, with the body and the keys.
#[test]
fn other_models_are_left_to_the_engine() {
    if !is_there() {
        return;
    }
    let list = "[0.0, 0.3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]";
    let vary = format!("[[vary]]\nkey = \"model.body.jib.rigid.mass_centre.1\"\nlist = {list}");
    let step = "kind = \"rk4\"\nstep = 1e-3";
    let (_arm, path) = arm(step, "sampling = \"grid\"\nset = [\"duration=0.1\"]", &vary);
    let plain = Study::read(&path).unwrap();
    let compiled = plain.clone().compiled().unwrap();
    let run = |study: &Study, run| Runner::new(study).run(run).numbers;
    assert_eq!(run(&compiled, 1), run(&plain, 1), "to the bit");
    assert_eq!(others(&compiled), 1);
    run(&compiled, 2);
    assert_eq!(others(&compiled), 1);

    let vary = "[[vary]]\nkey = \"model.body.boom.beam.modes.bending_y\"\nlist = [2, 3]";
    let (_arm, path) = arm(step, "sampling = \"grid\"", vary);
    let error = Study::read(&path).unwrap().compiled().unwrap_err();
    let text = error.to_string();
    assert_eq!(error.kind, RunErrorKind::Unsupported);
    for part in ["run 1", "'boom'", "model.body.boom.beam.modes.bending_y", "leave out --compiled"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

/// Rows with other last digits are not mixed with those of the engine.
#[test]
fn a_folder_has_runs_of_one_kind() {
    if !is_there() {
        return;
    }
    let vary = "[[vary]]\nkey = \"model.body.jib.rigid.mass\"\nuniform = [2, 4]";
    let (arm, path) = arm("kind = \"rk4\"\nstep = 1e-3", "samples = 3\nset = [\"duration=0.1\"]", vary);
    let plain = Study::read(&path).unwrap();
    let compiled = plain.clone().compiled().unwrap();
    let first = SweepOptions { folder: arm.0.join("out"), runs: 0..2, jobs: 2, ..SweepOptions::new(&plain) };
    assert_eq!(sweep(&compiled, &first, &mut |_| {}).unwrap().progress.made, 2);
    let rest = SweepOptions { runs: 0..3, existing: Existing::Resume, ..first };
    let error = sweep(&plain, &rest, &mut |_| {}).unwrap_err();
    assert_eq!(error.kind, RunErrorKind::ForeignCheckpoint);
    assert!(error.to_string().contains("add --compiled"), "{error}");
    assert_eq!(sweep(&compiled, &rest, &mut |_| {}).unwrap().progress.made, 1);
    assert!(compiled.repeat_command(2).contains("--compiled --run 2"), "{}", compiled.repeat_command(2));
}

fn example(name: &str, changes: &[&str], formulation: Formulation) -> Results {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    let changes = changes.iter().map(|change| Change::parse(change).unwrap()).collect();
    run(path, &Options { changes, formulation, ..Options::default() }).unwrap()
}

/// Prescribed hinges, closures, wrenches, controllers: rows of whole runs.
#[test]
fn compiled_runs_of_examples_are_those_of_the_engine() {
    if !is_there() {
        return;
    }
    let cases: [(&str, &[&str], &[&str]); 3] = [
        ("shuttle-slew/fast.toml", &["duration=6"], &["node.payload.far end.z", "deflection.link 2.tip.z"]),
        ("slider-crank/turn.toml", &["duration=0.01"], &["hinge.guide", "deflection.rod.middle.y", "force.motor"]),
        ("double-pendulum/fall.toml", &["duration=0.3"], &["node.lower.tip.y", "energy.kinetic"]),
    ];
    for (name, changes, columns) in cases {
        let plain = example(name, changes, Formulation::default());
        let compiled = example(name, changes, Formulation::Compiled(Code::default()));
        assert_eq!(compiled.summary().physics.formulation, "compiled");
        for column in columns {
            let (own, other) = (compiled.column(column).unwrap(), plain.column(column).unwrap());
            let size = other.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
            let worst = own.iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(own.len() == other.len() && worst <= OWN_STEPS * size, "{name}, {column}: {worst:e} of {size:e}");
        }
    }
}
