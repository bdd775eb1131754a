//! What runs tell of themselves: peaks, vibration after the motion, efforts, tracking.

use super::Arm;
use std::fs;
use std::path::Path;
use supple_io::results::{Story, Tone};
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
