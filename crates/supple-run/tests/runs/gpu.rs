//! Studies on a GPU, or on the stand-in for one: rows, folders, what is refused.

use std::fs;
use std::path::{Path, PathBuf};

use supple_io::change::Change;
use supple_run::sweep::{Manifest, Row, RunStatus, Runner, Study, SweepOptions, read_rows, rows_of, sweep};
use supple_run::{Existing, Interrupt, RunErrorKind};

use crate::Arm;
use crate::stand_in::{elsewhere, runs_here};

/// Relative difference of fixed steps, which all ways take alike: rounding of a thousand steps of a stiff arm.
const SAME_STEPS: f64 = 1e-9;

const FREE: &str = "[[vary]]\nkey = \"model.body.jib.rigid.mass\"\nuniform = [2, 4]\n\
                    [[vary]]\nkey = \"model.body.boom.beam.length\"\nuniform = [1.8, 2.2]\n\
                    [[vary]]\nkey = \"initial.hinges.elbow\"\nnormal = { mean = 0, deviation = 0.2 }\n";
const EXTRACT: &str = "[[extract]]\nname = \"swing\"\ncolumn = \"hinge.elbow\"\nmeasure = \"last\"\n\
                       [[extract]]\nname = \"bow\"\ncolumn = \"mode.boom.1\"\nmeasure = \"rms\"\n\
                       [[extract]]\nname = \"energy\"\ncolumn = \"energy.total\"\nmeasure = \"max-abs\"\n";
const RK4: &str = "kind = \"rk4\"\nstep = 1e-4";

/// A study of an arm in its folder.
fn arm(integrator: &str, top: &str, vary: &str) -> (Arm, PathBuf) {
    let arm = Arm::new(integrator);
    let path = arm.0.join("study.toml");
    let text = format!("format = \"supple-study-1\"\nscenario = \"scenario.toml\"\n{top}\n{vary}\n{EXTRACT}");
    fs::write(&path, text).unwrap();
    (arm, path)
}

fn by_engine(study: &Study) -> Vec<Row> {
    let mut runner = Runner::new(study);
    (0..study.runs()).map(|run| runner.run(run)).collect()
}

fn on_gpu(study: &Study) -> Vec<Row> {
    let runs: Vec<u64> = (0..study.runs()).collect();
    rows_of(study, &runs, 2, &Interrupt::default()).unwrap()
}

/// Largest relative difference of numbers; whatever else rows say must be the same.
fn difference(found: &[Row], expected: &[Row]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let mut worst = 0.0_f64;
    for (own, other) in found.iter().zip(expected) {
        let told = |row: &Row| (row.run, row.values.clone(), row.status, row.message.clone());
        assert_eq!(told(own), told(other));
        for (a, b) in own.numbers.iter().zip(&other.numbers).filter(|(a, b)| !(a.is_nan() && b.is_nan())) {
            let apart = (a - b).abs() / b.abs();
            worst = if apart <= worst { worst } else { apart };
        }
    }
    worst
}

fn changed(path: &Path, changes: &[&str]) -> Study {
    let changes: Vec<Change> = changes.iter().map(|change| Change::parse(change).unwrap()).collect();
    Study::read_changed(path, &changes).unwrap()
}

/// Whatever varies, one kernel serves all runs: masses, a length that changes modes, the start, torques that jump and whose jumps vary.
#[test]
fn rows_on_a_gpu_are_those_of_the_engine() {
    if !runs_here("gpu::rows_on_a_gpu_are_those_of_the_engine") {
        return;
    }
    let torque = "[[vary]]\nkey = \"torque.elbow.steps.times.1\"\nuniform = [0.03, 0.06]\n";
    let (arm, path) =
        arm(RK4, "samples = 5\nset = [\"duration=0.12\", \"output_interval=0.0125\"]", &(FREE.to_owned() + torque));
    let scenario = fs::read_to_string(arm.scenario()).unwrap();
    let acts = "[[torque]]\nhinge = \"elbow\"\nsteps = { times = [0, 0.05], values = [3, -20] }\n";
    fs::write(arm.scenario(), scenario + acts).unwrap();
    let plain = Study::read(&path).unwrap();
    let fleet = plain.clone().on_gpu(0).unwrap();
    let (rows, expected) = (on_gpu(&fleet), by_engine(&plain));
    let worst = difference(&rows, &expected);
    println!("worst relative difference {worst:e}, {:?}", rows[0].numbers);
    assert!(worst < SAME_STEPS && fleet.by_engine() == 0, "{worst:e}, {} by the engine", fleet.by_engine());
    assert!(rows.iter().all(|row| row.status == RunStatus::Finished));
    assert!(rows[0].numbers[0] != rows[1].numbers[0]);
}

/// The slew of the Shuttle arm: hinges move as told, each run at a pace of its own, with stiff modes.
#[test]
fn slews_on_a_gpu_are_those_of_the_engine() {
    if !runs_here("gpu::slews_on_a_gpu_are_those_of_the_engine") {
        return;
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/shuttle-slew/study.toml");
    let set = ["study.samples=3", "integrator.kind=linearly-implicit", "duration=50", "study.extract.swing.from=46"];
    let plain = changed(&path, &set);
    let fleet = plain.clone().on_gpu(0).unwrap();
    let worst = difference(&on_gpu(&fleet), &by_engine(&plain));
    println!("worst relative difference {worst:e}");
    assert!(worst < SAME_STEPS && fleet.by_engine() == 0, "{worst:e}, {} by the engine", fleet.by_engine());
}

/// Controllers and sensors with noise of their own in every run: blocks are called at their instants, with latency and at rates of their own.
#[test]
fn controlled_runs_on_a_gpu_are_those_of_the_engine() {
    if !runs_here("gpu::controlled_runs_on_a_gpu_are_those_of_the_engine") {
        return;
    }
    let gain = "[[vary]]\nkey = \"controller.hold.p\"\nuniform = [20, 40]\n";
    let (arm, path) =
        arm(RK4, "samples = 3\nset = [\"duration=0.11\", \"output_interval=0.0125\"]", &(FREE.to_owned() + gain));
    let scenario = fs::read_to_string(arm.scenario()).unwrap();
    let blocks = "[[sensor]]\nname = \"encoder\"\nupdate_rate = 400\nquantity = \"hinge.elbow\"\nnoise = 1e-3\nseed = 4\nlatency = 1e-3\n\
                  [[controller]]\nname = \"hold\"\nkind = \"pid\"\nhinge = \"elbow\"\nupdate_rate = 150\np = 30\ni = 4\nd = 2\nreference = 0.4\n\
                  measured = \"encoder\"\n";
    fs::write(arm.scenario(), scenario + blocks).unwrap();
    let plain = Study::read(&path).unwrap();
    let fleet = plain.clone().on_gpu(0).unwrap();
    let worst = difference(&on_gpu(&fleet), &by_engine(&plain));
    println!("worst relative difference {worst:e}");
    assert!(worst < SAME_STEPS && fleet.by_engine() == 0, "{worst:e}, {} by the engine", fleet.by_engine());
}

/// The engine makes runs that the kernel does not hold for, and tells why those fail that nobody can make.
#[test]
fn other_runs_are_left_to_the_engine() {
    if !runs_here("gpu::other_runs_are_left_to_the_engine") {
        return;
    }
    // Of 32 models one differs from the 16 samples in a number that they share.
    let list = "[0.0, 0.3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]";
    let vary = format!("[[vary]]\nkey = \"model.body.jib.rigid.mass_centre.1\"\nlist = {list}\n");
    let (_arm, path) = arm(RK4, "sampling = \"grid\"\nset = [\"duration=0.01\"]", &vary);
    let plain = Study::read(&path).unwrap();
    let fleet = plain.clone().on_gpu(0).unwrap();
    let (rows, expected) = (on_gpu(&fleet), by_engine(&plain));
    assert!(difference(&rows, &expected) < SAME_STEPS);
    assert_eq!((fleet.by_engine(), &rows[1].numbers), (1, &expected[1].numbers));

    // A step that is too long, and more steps than are allowed, in some of the runs.
    for (key, list) in [("step", "[1e-4, 2e-2]"), ("max_steps", "[1000, 40]")] {
        let vary = format!("[[vary]]\nkey = \"integrator.{key}\"\nlist = {list}\n");
        let (_arm, path) = arm(RK4, "sampling = \"grid\"\nset = [\"duration=0.08\"]", &vary);
        let plain = Study::read(&path).unwrap();
        let fleet = plain.clone().on_gpu(0).unwrap();
        let (rows, expected) = (on_gpu(&fleet), by_engine(&plain));
        assert!(difference(&rows, &expected) < SAME_STEPS);
        assert_eq!([rows[0].status, rows[1].status], [RunStatus::Finished, RunStatus::Failed], "{}", rows[1].message);
        assert_eq!(fleet.by_engine(), 1, "{key}");
    }
}

/// Parts, ranges and resuming are those of other sweeps; a folder has runs of one kind.
#[test]
fn folders_of_a_gpu_are_those_of_sweeps() {
    if !runs_here("gpu::folders_of_a_gpu_are_those_of_sweeps") {
        return;
    }
    let (arm, path) = arm(RK4, "samples = 7\nset = [\"duration=0.05\"]", FREE);
    let plain = Study::read(&path).unwrap();
    let fleet = plain.clone().on_gpu(0).unwrap();
    let folder = arm.0.join("out");
    let first = SweepOptions { folder: folder.clone(), runs: 2..5, jobs: 2, ..SweepOptions::new(&fleet) };
    assert_eq!(sweep(&fleet, &first, &mut |_| {}).unwrap().progress.made, 3);
    let rest = SweepOptions { runs: 0..7, existing: Existing::Resume, ..first.clone() };
    let error = sweep(&plain, &rest, &mut |_| {}).unwrap_err();
    assert_eq!(error.kind, RunErrorKind::ForeignCheckpoint);
    assert!(error.to_string().contains("made with --gpu") && error.to_string().contains("add --gpu"), "{error}");
    let swept = sweep(&fleet, &rest, &mut |_| {}).unwrap();
    assert_eq!((swept.progress.made, swept.progress.before, swept.interrupted), (4, 3, false));
    let (rows, again) = read_rows(&fleet, std::slice::from_ref(&folder)).unwrap();
    assert_eq!(again, 0);
    assert!(difference(&rows, &by_engine(&plain)) < SAME_STEPS);
    let manifest = Manifest::read(&folder).unwrap().unwrap();
    assert_eq!((manifest.gpu, manifest.compiled, manifest.columns), (true, false, fleet.columns().to_vec()));
    // A run is repeated in full by the engine.
    assert!(fleet.repeat_command(2).ends_with("--run 2") && !fleet.repeat_command(2).contains("--gpu"));

    let halted = SweepOptions { folder: arm.0.join("other"), ..SweepOptions::new(&fleet) };
    halted.interrupt.interrupt();
    let swept = sweep(&fleet, &halted, &mut |_| {}).unwrap();
    assert_eq!((swept.progress.made, swept.interrupted), (0, true));
}

/// What a fleet cannot do is refused by its key, with what to do, whether there is a GPU or not.
#[test]
fn what_a_fleet_cannot_do_is_refused() {
    let event = "[[events]]\nname = \"low\"\nquantity = \"hinge.elbow\"\nvalue = -0.2\naction = \"stop\"\n";
    let (arm, path) = arm(RK4, "samples = 2", FREE);
    let scenario = fs::read_to_string(arm.scenario()).unwrap();
    // An entry that starts with - is taken away.
    let cases = [
        (
            "",
            &["integrator.kind=generalized-alpha"][..],
            ["`integrator.kind`", "--set integrator.kind=linearly-implicit"],
        ),
        ("", &["-integrator.step", "integrator.kind=automatic"], ["`integrator.kind`", "integrator.step=SECONDS"]),
        (
            "",
            &["-integrator.step", "integrator.kind=linearly-implicit"],
            ["`integrator.step` is missing", "--set integrator.step=SECONDS"],
        ),
        ("", &["integrator.kind=linearly-implicit"], ["force elements", "--set integrator.kind=rk4"]),
        (event, &[], ["event 'low'", "--unset events.\"low\""]),
        ("", &["integrator.wall_seconds=9"], ["`integrator.wall_seconds`", "--unset integrator.wall_seconds"]),
        ("", &["study.extract.energy.column=\"energy.balance_error\""], ["`energy.balance_error`", "'energy'"]),
    ];
    for (more, changes, words) in cases {
        fs::write(arm.scenario(), scenario.clone() + more).unwrap();
        let change = |text: &&str| match text.strip_prefix('-') {
            Some(key) => Change::parse_dropped(key).unwrap(),
            None => Change::parse(text).unwrap(),
        };
        let changes: Vec<Change> = changes.iter().map(change).collect();
        let error = Study::read_changed(&path, &changes).unwrap().on_gpu(0).unwrap_err();
        let text = error.to_string();
        assert_eq!(error.kind, RunErrorKind::Unsupported, "{text}");
        for word in words.into_iter().chain(["leave out --gpu", "--compiled"]) {
            assert!(text.contains(word), "{word}: {text}");
        }
    }
}

/// Without a GPU it says what was looked for and what else there is.
#[test]
fn without_a_gpu_it_says_so() {
    if let Some(told) = elsewhere("gpu::without_a_gpu_it_says_so", &[]) {
        assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
    }
    let (_arm, path) = arm(RK4, "samples = 2", FREE);
    let error = Study::read(&path).unwrap().on_gpu(9999).unwrap_err();
    let text = error.to_string();
    assert_eq!(error.kind, RunErrorKind::Unsupported);
    assert!(text.contains("GPU") && text.contains("run the study on the processor with --compiled"), "{text}");
}
