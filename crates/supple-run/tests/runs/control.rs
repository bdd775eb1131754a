//! Runs with sensors, shapers and controllers.

use std::fs;
use std::path::{Path, PathBuf};

use supple_run::{Existing, Interrupt, Options, Outcome, Output, Run, RunErrorKind, read, run};

use crate::Witness;

/// Controllers of many kinds on the two-link arm, with noise, delays and shapers.
const BLOCKS: [&str; 7] = [
    "[[sensor]]\nname = \"encoder\"\nupdate_rate = 200\nquantity = \"hinge.shoulder\"\nnoise = 1e-4\nseed = 5\nquantum = 1e-5\n\
     dropout = 0.1\nlatency = 7e-3",
    "[[controller]]\nname = \"slew\"\nkind = \"trajectory\"\nupdate_rate = 200\nhinge = \"shoulder\"\ncycloid = { to = 0.4, duration = 0.3 }",
    "[[shaper]]\nname = \"calm\"\nkind = \"zvd\"\nupdate_rate = 200\nfrequency = 1.3\ninput = \"slew\"",
    "[[controller]]\nname = \"smooth\"\nkind = \"low-pass\"\nupdate_rate = 200\nfrequency = 40\ninput = \"encoder\"",
    "[[controller]]\nname = \"pid\"\nkind = \"pid\"\nupdate_rate = 200\nmeasured = \"smooth\"\nmeasured_speed = \"speed.shoulder\"\n\
     reference = \"calm\"\np = 40\ni = 5\nd = 4\nu_clamp = 3\nslew = 200",
    "[[controller]]\nname = \"drive\"\nkind = \"servo\"\nupdate_rate = 200\nhinge = \"shoulder\"\ninput = \"pid\"\ntorque_constant = 0.05\n\
     gear_ratio = 80\ncurrent_per_count = 1e-3\ndelay = 2.5e-3",
    "[[controller]]\nname = \"elbow\"\nkind = \"acceleration-correction\"\nupdate_rate = 100\nhinges = [\"elbow\"]\nmodel = \"flexible\"\n\
     p = 100\nd = 20\nreference = -0.2",
];

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/two-link-arm")
}

/// A folder with the arm and a scenario, removed at its end.
pub struct Rig(pub PathBuf);

impl Rig {
    pub fn new(name: &str, duration: f64) -> Self {
        let folder = std::env::temp_dir().join(format!("supple-control-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        fs::copy(example().join("arm.toml"), folder.join("arm.toml")).unwrap();
        let text = format!(
            "format = \"supple-scenario-1\"\nmodel = \"arm.toml\"\nduration = {duration}\noutput_interval = 0.01\ncheckpoint_interval = 0.05\n\
             [integrator]\nkind = \"exponential\"\nrelative_tolerance = 1e-7\nabsolute_tolerance = 1e-9\n{}\n\
             [results]\ncolumns = [\"hinges\", \"modes\", \"signals\"]\n",
            BLOCKS.join("\n")
        );
        fs::write(folder.join("scenario.toml"), text).unwrap();
        Self(folder)
    }

    pub fn scenario(&self) -> PathBuf {
        self.0.join("scenario.toml")
    }

    pub fn change(&self, part: &str, by: &str) {
        let text = fs::read_to_string(self.scenario()).unwrap();
        assert!(text.contains(part), "{part}");
        fs::write(self.scenario(), text.replace(part, by)).unwrap();
    }

    fn table(&self) -> Vec<u8> {
        fs::read(self.0.join("results/results.csv")).unwrap()
    }
}

impl Drop for Rig {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A run that is interrupted, wherever that is, goes on to the bytes of one that was left alone; signals are among its columns.
#[test]
fn interrupted_runs_with_controllers_give_the_same_bytes() {
    let whole = Rig::new("whole", 0.6);
    let into = || Options { output: Output::Scenario, ..Options::default() };
    run(whole.scenario(), &into()).unwrap_or_else(|error| panic!("{error}"));
    let expected = whole.table();
    let head = String::from_utf8_lossy(&expected).lines().next().unwrap().to_owned();
    let columns = [
        "sensor.encoder.value[1]",
        "shaper.calm.speed[1]",
        "controller.drive.effort[N m]",
        "controller.drive.counts[1]",
    ];
    for column in columns {
        assert!(head.contains(column), "{column} is missing in {head}");
    }
    for rows in [1, 13, 34] {
        let rig = Rig::new(&format!("cut-{rows}"), 0.6);
        let scenario = read(rig.scenario()).unwrap();
        let options = into();
        let mut witness = Witness { patience: Some((rows, options.interrupt.clone())), ..Witness::default() };
        let results = Run::new(&scenario, &rig.scenario(), &options).unwrap().go(&mut witness);
        assert_eq!(results.outcome(), &Outcome::Interrupted);
        let go_on = Options { existing: Existing::Resume, interrupt: Interrupt::default(), ..into() };
        run(rig.scenario(), &go_on).unwrap_or_else(|error| panic!("{error}"));
        assert!(rig.table() == expected, "the run that was resumed after {rows} rows differs");
    }
}

/// A changed gain is another scenario: its checkpoint is refused.
#[test]
fn a_checkpoint_of_other_gains_is_refused() {
    let rig = Rig::new("gains", 0.1);
    let options = Options { output: Output::Scenario, ..Options::default() };
    run(rig.scenario(), &options).unwrap();
    rig.change("p = 40", "p = 41");
    let error = run(rig.scenario(), &Options { existing: Existing::Resume, ..options }).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("another scenario"), "{error}");
}

/// Blocks that wait for each other are named.
#[test]
fn a_circle_of_blocks_is_refused() {
    let rig = Rig::new("circle", 0.1);
    rig.change("input = \"encoder\"", "input = \"pid\"");
    let error = run(rig.scenario(), &Options::default()).map(|_| ()).unwrap_err();
    assert_eq!(error.kind, RunErrorKind::CannotBegin);
    assert!(error.to_string().contains("delay one of them") && error.to_string().contains("smooth"), "{error}");
}

/// The effort that acts is the one of the table, and the energy balance knows its work.
#[test]
fn the_ledger_knows_the_work_of_controllers() {
    let results = run(example().join("pd.toml"), &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    assert!(results.column("controller.shoulder pd.effort").unwrap().iter().any(|u| u.abs() > 0.1));
    assert!(
        results.last("energy.balance_error").unwrap().abs() < 1e-4,
        "{}",
        results.last("energy.balance_error").unwrap()
    );
    // At the end the hinges are where they should be.
    assert!((results.last("hinge.shoulder").unwrap() - 0.8).abs() < 5e-3);
}

/// Peak-to-peak motion of the tip about its mean after the arrival of the shaped command.
#[test]
fn shaping_leaves_little_vibration() {
    let residual = |name: &str| {
        let results = run(example().join(name), &Options::default()).unwrap_or_else(|error| panic!("{error}"));
        let (t, y) = (results.column("time").unwrap(), results.column("node.lower.tip.y").unwrap());
        let late: Vec<f64> = t.iter().zip(y).filter(|(t, _)| **t >= 2.0).map(|(_, y)| *y).collect();
        late.iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b)) - late.iter().fold(f64::INFINITY, |a, b| a.min(*b))
    };
    let (plain, shaped) = (residual("pd.toml"), residual("shaped.toml"));
    println!("residual: {plain} {shaped}, ratio {}", plain / shaped);
    assert!(plain > 0.03 && shaped < plain / 50.0, "{plain} {shaped}");
}

/// Regulators and an observer on the two-link arm, with noise.
const REGULATED: [&str; 5] = [
    "[[sensor]]\nname = \"shoulder encoder\"\nupdate_rate = 200\nquantity = \"hinge.shoulder\"\nnoise = 1e-4\nseed = 5",
    "[[sensor]]\nname = \"elbow encoder\"\nupdate_rate = 200\nquantity = \"hinge.elbow\"\nnoise = 1e-4\nseed = 6",
    "[[observer]]\nname = \"filter\"\nkind = \"kalman\"\nupdate_rate = 200\nhinges = [\"shoulder\", \"elbow\"]\n\
     measured = [\"shoulder encoder\", \"elbow encoder\"]\nprocess_noise = 0.1",
    "[[controller]]\nname = \"lqr\"\nkind = \"lqr\"\nupdate_rate = 200\nhinges = [\"shoulder\", \"elbow\"]\nstate = \"filter\"\n\
     reference = [0.2, -0.1]\nq = 10\nr = 0.1\nposes = [0, 0, 0.2, -0.1]",
    "[[controller]]\nname = \"lqg\"\nkind = \"lqg\"\nupdate_rate = 100\nhinges = [\"shoulder\", \"elbow\"]\n\
     measured = [\"shoulder encoder\", \"elbow encoder\"]\nreference = [0.2, -0.1]\nq = 1\nr = 10\nu_clamp = 2",
];

/// Estimates, gains and noise go on from checkpoints bit by bit; efforts of two regulators add up, and the arm gets where it should.
#[test]
fn interrupted_runs_with_regulators_and_observers_give_the_same_bytes() {
    let rig = |name: &str| {
        let rig = Rig::new(name, 0.4);
        let blocks = REGULATED.join("\n").replace("hinges = [\"shoulder\", \"elbow\"]\nmeasured", "EFFORTS");
        let efforts =
            "hinges = [\"shoulder\", \"elbow\"]\neffort = [\"lqr.effort.shoulder\", \"lqr.effort.elbow\"]\nmeasured";
        rig.change(
            &BLOCKS.join("\n"),
            &blocks.replacen("EFFORTS", efforts, 1).replace("EFFORTS", "hinges = [\"shoulder\", \"elbow\"]\nmeasured"),
        );
        rig
    };
    let whole = rig("regulated");
    let into = || Options { output: Output::Scenario, ..Options::default() };
    run(whole.scenario(), &into()).unwrap_or_else(|error| panic!("{error}"));
    let expected = whole.table();
    let head = String::from_utf8_lossy(&expected).lines().next().unwrap().to_owned();
    for column in ["observer.filter.mode.upper.1", "observer.filter.speed.elbow", "controller.lqr.effort.shoulder"] {
        assert!(head.contains(column), "{column} is missing in {head}");
    }
    let cut = rig("regulated-cut");
    let scenario = read(cut.scenario()).unwrap();
    let options = into();
    let mut witness = Witness { patience: Some((17, options.interrupt.clone())), ..Witness::default() };
    let results = Run::new(&scenario, &cut.scenario(), &options).unwrap().go(&mut witness);
    assert_eq!(results.outcome(), &Outcome::Interrupted);
    run(cut.scenario(), &Options { existing: Existing::Resume, ..into() }).unwrap_or_else(|error| panic!("{error}"));
    assert!(cut.table() == expected, "the run that was resumed differs");
}

/// The step of 20° in print (`examples/quanser-link`): rise 0.30 s, overshoot 1.5 %, deflection 3.56°, each within 10 %.
#[test]
fn lqg_designed_by_the_run_makes_the_step_in_print() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/quanser-link/lqg.toml");
    let results = run(file, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    let (t, hub, bent) = ("time", "hinge.hub", "hinge.spring");
    let [t, hub, bent] = [t, hub, bent].map(|name| results.column(name).unwrap().to_vec());
    let when = |part: f64| t[hub.iter().position(|x| x.to_degrees() >= 20.0 * part).unwrap()];
    let near = |found: f64, printed: f64| assert!((found / printed - 1.0).abs() < 0.1, "{found}, printed {printed}");
    near(when(0.9) - when(0.1), 0.30);
    let tip = hub.iter().zip(&bent).map(|(hub, bent)| (hub + bent).to_degrees()).fold(0.0, f64::max);
    near(100.0 * (tip / 20.0 - 1.0), 1.5);
    near(bent.iter().fold(0.0_f64, |most, x| most.max(x.to_degrees().abs())), 3.56);
}

/// What a regulator cannot be designed for is told with the name of the block.
#[test]
fn designs_that_fail_are_told() {
    let rig = Rig::new("designless", 0.1);
    let bad = "[[controller]]\nname = \"lqr\"\nkind = \"lqr\"\nupdate_rate = 100\nhinges = [\"shoulder\"]\nq = 0\n";
    rig.change(&BLOCKS.join("\n"), bad);
    let error = run(rig.scenario(), &Options::default()).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("controller `lqr`") && error.to_string().contains("stabilising"), "{error}");
}

/// Observers that see the elbow's accelerometer, a gyroscope and a strain gauge.
const OBSERVED: [&str; 6] = [
    "[[sensor]]\nname = \"encoder\"\nupdate_rate = 200\nquantity = \"hinge.shoulder\"\nnoise = 1e-5\nseed = 5",
    "[[sensor]]\nname = \"gauge\"\nupdate_rate = 200\nquantity = \"strain.upper.root.curvature_z\"\nnoise = 1e-4\nseed = 6",
    "[[sensor]]\nname = \"gyro\"\nupdate_rate = 200\nquantity = \"gyro.lower.tip.z\"\nnoise = 1e-3\nseed = 7",
    "[[sensor]]\nname = \"accelerometer\"\nupdate_rate = 200\nquantity = \"accelerometer.lower.tip.y\"\nnoise = 1e-2\nseed = 8",
    "[[controller]]\nname = \"push\"\nkind = \"pid\"\nupdate_rate = 200\nhinge = \"shoulder\"\np = 2\nd = 0.3\nreference = 0.02",
    "[[controller]]\nname = \"hold\"\nkind = \"pid\"\nupdate_rate = 200\nhinge = \"elbow\"\np = 2\nd = 0.3",
];

/// A Kalman filter and an extended one, with the sensors above, on a small motion: both find the hinge that has no encoder and the modes, and agree.
#[test]
fn observers_take_gauges_gyroscopes_and_accelerometers() {
    let rig = Rig::new("gauges", 0.5);
    let observer = |name: &str, kind: &str, more: &str| {
        format!(
            "[[observer]]\nname = \"{name}\"\nkind = \"{kind}\"\nupdate_rate = 200\nhinges = [\"shoulder\", \"elbow\"]\n\
             measured = [\"encoder\", \"gauge\", \"gyro\", \"accelerometer\"]\neffort = [\"push\", \"hold\"]\nprocess_noise = 1e-3\n{more}"
        )
    };
    let filters = [
        observer("linear", "kalman", ""),
        observer("extended", "extended-kalman", "substeps = 24\ninitial_deviation = 1e-4"),
    ];
    rig.change(&BLOCKS.join("\n"), &[OBSERVED.join("\n"), filters.join("\n")].join("\n"));
    let results = run(rig.scenario(), &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    for (name, size) in [("hinge.elbow", 2e-3), ("mode.upper.1", 2e-3), ("mode.lower.1", 2e-3)] {
        let truth = results.column(name).unwrap();
        let most = truth.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        for filter in ["linear", "extended"] {
            let found = results.column(&format!("observer.{filter}.{name}")).unwrap();
            // After the first tenth of the run.
            let errors = truth.iter().zip(found).skip(10).map(|(x, y)| (x - y).abs());
            let worst = errors.fold(0.0_f64, f64::max);
            println!("{filter} {name}: {worst:.1e} of {most:.1e}");
            assert!(worst < size && worst < 0.2 * most, "{filter} {name}: {worst} of {most}");
        }
    }
}
