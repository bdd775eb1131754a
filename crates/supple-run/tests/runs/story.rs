//! What runs tell of themselves: peaks, vibration after the motion, efforts, tracking.

use super::Arm;
use std::fs;
use std::path::Path;
use supple_io::results::{Answer, Story, Tone};
use supple_run::{Change, Existing, Interrupt, Observer, Options, Outcome, Progress, Run, Summary, read, run};

fn story(summary: &Summary) -> &Story {
    summary.story.as_ref().unwrap()
}

/// A small move of the two-link arm: the curve of its tip rings at the frequency and with the damping that the eigenvalues of the closed loop have, and the
/// motion ends when the references do.
#[test]
fn the_vibration_is_that_of_the_closed_loop() {
    let arm = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/two-link-arm/pd.toml");
    let small = ["controller.\"shoulder move\".quintic.to=0.02", "controller.\"elbow move\".quintic.to=-0.015"];
    let changes = small.iter().map(|text| Change::parse(text).unwrap()).collect();
    let results = run(arm, &Options { changes, ..Options::default() }).unwrap();
    let (summary, story) = (results.summary(), story(results.summary()));
    assert_eq!(story.motion_end, Some(1.0), "{}", story.motion_end_basis);
    let closed = summary.damping.iter().find(|case| case.hinges.contains("controlled")).unwrap();
    let lowest = closed.modes[0];
    for deflection in &story.deflections {
        let first = deflection.residual.as_ref().unwrap().vibration().unwrap();
        assert!((first.frequency / lowest.frequency - 1.0).abs() < 0.01, "{first:?}, {lowest:?}");
        assert!((first.damping_ratio / lowest.damping_ratio - 1.0).abs() < 0.05, "{first:?}, {lowest:?}");
    }
    // References and coordinates are recorded: the greatest difference is that of the rows.
    let pairs =
        [("controller.shoulder move.position", "hinge.shoulder"), ("controller.elbow move.position", "hinge.elbow")];
    let greatest = |(reference, hinge): (&str, &str)| {
        let apart =
            results.column(reference).unwrap().iter().zip(results.column(hinge).unwrap()).map(|(r, x)| (r - x).abs());
        apart.fold(0.0, f64::max)
    };
    let most = pairs.map(greatest).into_iter().fold(0.0, f64::max);
    assert!(
        (story.tracking[0].greatest - most).abs() < 1e-12 && story.tracking[0].settling_time.is_some(),
        "{story:?}"
    );
}

/// A boom with one mode and a rigid payload that reaches half a length further: it moves with the tip and its slope, by 1 + 1.3765/2 of the tip, as the
/// first mode of a cantilever has it. A payload without a mode of its own is not still.
#[test]
fn a_rigid_payload_deflects_with_the_boom() {
    let rig = Arm::new("");
    let model = r#"
        format = "supple-model-1"
        gravity = [0, -1, 0]
        [[body]]
        name = "boom"
        hinge = { name = "root", kind = "revolute", axis = [0, 0, 1] }
        [body.beam]
        length = 2
        section = { tube = { outer_radius = 0.05, thickness = 0.005 } }
        material = { E = 7e10, nu = 0.33, density = 2700 }
        modes = { basis = "cantilever", bending_y = 1 }
        [[body]]
        name = "payload"
        parent = "boom"
        at = "tip"
        hinge = { kind = "fixed" }
        rigid = { mass = 0.01, mass_centre = [0, 0, 0], inertia = [1e-4, 1e-4, 1e-4] }
        nodes = [{ name = "far", position = [1, 0, 0] }]
    "#;
    let scenario = r#"
        format = "supple-scenario-1"
        model = "model.toml"
        duration = 2
        output_interval = 0.002
        [[motion]]
        hinge = "root"
        rate = 0
        [results]
        columns = ["hinges"]
    "#;
    fs::write(rig.0.join("model.toml"), model).unwrap();
    fs::write(rig.scenario(), scenario).unwrap();
    let results = run(rig.scenario(), &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    let story = story(results.summary());
    let [payload, boom] = &story.deflections[..] else { panic!("{story:?}") };
    assert!(payload.whole_arm && payload.body == "payload" && payload.node == "far" && !boom.whole_arm);
    let ratio = payload.peak / boom.peak;
    assert!((ratio - 1.688).abs() < 2e-3, "{ratio}");
    // Weight comes on at once: it swings about the place where it would hang, from zero to twice that, undamped.
    let residual = boom.residual.as_ref().unwrap();
    let first = residual.vibration().unwrap();
    assert!(first.damping_ratio.abs() < 1e-4 && (residual.amplitude / boom.peak - 0.5).abs() < 1e-3, "{residual:?}");
    // The root holds the weight: 1/2 m g L of the boom and the payload at its end, about the place where they swing.
    assert!(story.motors[0].hinge == "root" && story.motors[0].prescribed && story.motors[0].limit.is_none());
    assert_eq!(story.motion_end, Some(0.0));
}

/// Ends a run in its middle.
struct Half<'i>(&'i Interrupt);

impl Observer for Half<'_> {
    fn progress(&mut self, progress: Progress) {
        if progress.time > 0.55 {
            self.0.interrupt();
        }
    }
}

/// A run that was interrupted and goes on tells the same story.
#[test]
fn the_story_survives_a_checkpoint() {
    let arm = Arm::new(super::DORMAND_PRINCE);
    let whole = run(arm.scenario(), &Options::into_folder(arm.0.join("whole"))).unwrap();
    let scenario = read(arm.scenario()).unwrap();
    let options = Options::into_folder(arm.0.join("parts"));
    let half = Run::new(&scenario, &arm.scenario(), &options).unwrap().go(&mut Half(&options.interrupt));
    assert_eq!(half.outcome(), &Outcome::Interrupted);
    let options = Options { existing: Existing::Resume, ..Options::into_folder(arm.0.join("parts")) };
    let parts = run(arm.scenario(), &options).unwrap();
    assert_eq!(story(whole.summary()), story(parts.summary()));
    let answers = whole.summary().answers();
    assert_eq!(answers.first().map(|answer| answer.topic), Some("Motion"));
    assert!(answers[0].detail.contains("nothing drives the system"), "{answers:?}");
    assert!(answers.last().is_some_and(|a| a.topic == "Computation" && a.tone != Tone::Bad), "{answers:?}");
}

fn example(name: &str, changes: &[&str]) -> Summary {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    let changes = changes.iter().map(|text| Change::parse(text).unwrap()).collect();
    run(path, &Options { changes, ..Options::default() }).unwrap().summary().clone()
}

fn answer(summary: &Summary, topic: &str) -> Answer {
    let answers = summary.answers();
    let found = answers.iter().find(|answer| answer.topic == topic);
    found.unwrap_or_else(|| panic!("no {topic}: {answers:#?}")).clone()
}

/// A crank that turns for ever bends the rod in every turn: that is a forced response, with the period of the crank and without damping; the rod's own mode, damped by 2 %, rings down
/// besides.
#[test]
fn a_crank_that_turns_on_has_no_damping() {
    let summary = example("slider-crank/turn.toml", &[]);
    let rod = &story(&summary).deflections[0];
    let residual = rod.residual.as_ref().unwrap();
    let periodic = residual.periodic.as_ref().unwrap();
    assert!(rod.body == "rod" && periodic.hinge == "motor" && periodic.rate == 150.0, "{rod:?}");
    // No line of the free part is a harmonic of the turning.
    let turn = 150.0 / std::f64::consts::TAU;
    for one in &residual.vibrations {
        let order = one.frequency / turn;
        assert!((order - order.round()).abs() > 0.02, "harmonic {order} told as a vibration: {one:?}");
    }
    let told = answer(&summary, "Periodic response");
    assert!(told.detail.contains("period 0.04189 s, 23.87 Hz or 1432 rpm"), "{told:?}");
    assert!(told.detail.contains("so without damping of its own"), "{told:?}");
}

/// Thrusters are told as motors are; that there is no motor is no answer then. 3 N m act for 20 of 60 s. A body that floats is not unstable because thrusters turn it.
#[test]
fn thrusters_are_told() {
    let summary = example("spacecraft/slew.toml", &[]);
    let [thrusters] = &story(&summary).loads[..] else { panic!("{summary:?}") };
    assert_eq!((thrusters.body.as_str(), thrusters.force.peak, thrusters.moment.peak), ("bus", 0.0, 3.0));
    assert!((thrusters.moment.rms - 3.0 / 3.0_f64.sqrt()).abs() < 2e-3, "{thrusters:?}");
    let told = answer(&summary, "External wrenches");
    assert_eq!(told.headline, "Peak 3 N m");
    assert!(summary.answers().iter().all(|answer| answer.topic != "Motors" && answer.topic != "Stability"));
    assert!(summary.own_damping().is_some_and(|case| case.growing.is_empty()), "{:?}", summary.own_damping());
    // Panels bend in one direction, whose third mode has little of the energy.
    let panel = &story(&summary).modes[0];
    assert!(panel.direction == "along y" && panel.modes == 3 && panel.highest.unwrap() < 0.01, "{panel:?}");
    // All times are those of the run, also where something settles; spans say from when they count.
    let told = answer(&summary, "Vibration after the motion").detail;
    assert!(told.contains("of the peak deflection from t = 40.9 s on, 20.9 s after the motion"), "{told}");
    let told = answer(&summary, "Peak deflection").detail;
    assert!(told.contains("tip at t = 10.55 s"), "{told}");
    let told = answer(&summary, "Computation");
    assert!(told.detail.contains("not that the model has enough modes"), "{told:?}");
}

/// The spring of a link: its torque is stiffness times angle, and times are those of the run.
#[test]
fn springs_are_told() {
    let summary = example("quanser-link/lqg.toml", &[]);
    let [spring] = &story(&summary).elements[..] else { panic!("{summary:?}") };
    assert_eq!(
        (spring.element.as_str(), spring.load_unit.as_str(), spring.deflection_unit.as_str()),
        ("spring", "N m", "rad")
    );
    assert!((spring.deflection - 0.06213).abs() < 6e-4, "{spring:?}");
    assert!((spring.load / spring.deflection / 39.95719302101786 - 1.0).abs() < 1e-12, "{spring:?}");
    assert!(answer(&summary, "Springs").headline.starts_with("Peak 2.48 N m, 3.5"), "{:?}", summary.answers());
}

/// A controller whose file has it measure another hinge is compared with that, and named where the loop grows, whatever stands first in the file.
#[test]
fn a_controller_that_measures_another_hinge_is_named() {
    let rig = Arm::new("");
    let link = |name: &str, hinge: &str, more: &str| {
        format!(
            "[[body]]\nname = \"{name}\"\n{more}hinge = {{ name = \"{hinge}\", kind = \"revolute\", axis = [0, 0, 1] }}\n\
             rigid = {{ mass = 1, mass_centre = [0.5, 0, 0], inertia = [0.1, 0.1, 0.1] }}\nnodes = [{{ name = \"tip\", position = [1, 0, 0] }}]\n"
        )
    };
    let [boom, jib] = [link("boom", "shoulder", ""), link("jib", "elbow", "parent = \"boom\"\nat = \"tip\"\n")];
    fs::write(rig.0.join("model.toml"), format!("format = \"supple-model-1\"\n{boom}{jib}")).unwrap();
    let scenario = r#"
        format = "supple-scenario-1"
        model = "model.toml"
        duration = 100
        output_interval = 0.05
        [integrator]
        kind = "rk4"
        step = 0.005
        [[controller]]
        name = "sound"
        kind = "pid"
        update_rate = 200
        hinge = "shoulder"
        p = 30
        d = 10
        [[controller]]
        name = "crossed"
        kind = "pid"
        update_rate = 200
        hinge = "elbow"
        measured = "hinge.shoulder"
        reference = 0.1
        p = 300
        i = 300
    "#;
    fs::write(rig.scenario(), scenario).unwrap();
    let error = run(rig.scenario(), &Options::default()).unwrap_err();
    let told = error.to_string();
    assert!(
        told.contains("controller `crossed`") && told.contains("drives hinge `elbow` and measures hinge `shoulder`"),
        "{told}"
    );
    let tracking = &story(error.results().unwrap().summary()).tracking;
    assert!(tracking.iter().any(|one| one.reference == "crossed" && one.hinge == "shoulder"), "{tracking:?}");
}
