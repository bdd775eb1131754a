//! Curves of scenarios as functions of time; numbers that make none are told where they stand.

use std::path::PathBuf;

use supple_control::{ProfileError, Sample, Signal, SplineEnds, Trajectory};
use supple_io::scenario_file::{self, Curve, MotionCurve, Move, Samples, Scenario, SpinUp, WrenchCurve};
use supple_io::source::{FileError, Rule};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../references/models")
}

fn sound() -> String {
    std::fs::read_to_string(folder().join("slew.scenario.toml")).unwrap()
}

fn read(text: &str) -> Result<Scenario, FileError> {
    scenario_file::from_text("slew.toml", text, &folder())
}

#[test]
fn motions_of_the_slew() {
    let scenario = read(&sound()).unwrap();
    let [shoulder, elbow] = &scenario.motions[..] else { panic!("{:?}", scenario.motions) };
    let motion = scenario.trajectory(shoulder).unwrap();
    assert_eq!(motion, Trajectory::cycloidal([1.0, 11.0], [0.2, 0.6]).unwrap());
    assert_eq!((motion.at(0.0).position, motion.at(20.0).position), (0.2, 0.6));
    let motion = scenario.trajectory(elbow).unwrap();
    let MotionCurve::Table(Samples { times, values }) = &elbow.curve else { panic!("{elbow:?}") };
    for (time, value) in times.iter().zip(values) {
        assert!((motion.at(*time).position - value).abs() < 1e-15, "{time}");
    }
    // At rest at both ends, up to the rounding of speeds of 0.1 rad/s.
    assert!(motion.first().speed.abs() < 1e-16 && motion.last().speed.abs() < 1e-16);
    let torque = scenario.torques[0].curve.signal().unwrap();
    assert_eq!([1.0, 5.0, 7.0].map(|time| torque.value(time)), [0.2, -0.2, 0.0]);
    let [force, moment] = scenario.wrenches[0].curve.signals().unwrap();
    assert_eq!((force[0].value(1.0), force[1].value(1.0), moment[2].value(1.0)), (2.5, 0.0, 0.0));
}

#[test]
fn every_curve() {
    let told = Move { from: None, to: 2.0, start: 1.0, duration: 4.0 };
    let quintic = MotionCurve::Quintic(told).trajectory(0.5, 9.0).unwrap();
    let ends = [quintic.first(), quintic.last()];
    assert_eq!(ends.map(|end| (end.position, end.speed, end.acceleration)), [(0.5, 0.0, 0.0), (2.0, 0.0, 0.0)]);
    // From rest to rest it passes half of the way at half of the time.
    assert!((quintic.at(3.0).position - 1.25).abs() < 1e-15);
    let elsewhere = MotionCurve::Cycloid(Move { from: Some(-1.0), ..told }).trajectory(0.5, 9.0).unwrap();
    assert_eq!(elsewhere, Trajectory::cycloidal([1.0, 5.0], [-1.0, 2.0]).unwrap());
    let rate = MotionCurve::Rate(0.25).trajectory(0.5, 8.0).unwrap();
    assert_eq!((rate.at(0.0).speed, rate.at(8.0).position, rate.end()), (0.25, 2.5, 8.0));
    // From rest to the speed half of the way of a constant speed is gone; then it goes on, to the end of the run.
    let told = SpinUp { rate: 6.0, start: 1.0, duration: 4.0 };
    let spin = MotionCurve::SpinUp(told).trajectory(0.5, 9.0).unwrap();
    assert_eq!((spin.at(1.0), spin.at(5.0).speed, spin.end()), (Sample::at_rest(0.5), 6.0, 9.0));
    assert!((spin.at(9.0 - 1e-9).position - (0.5 + 12.0 + 24.0)).abs() < 1e-7);
    assert_eq!(MotionCurve::SpinUp(told).trajectory(0.5, 5.0).unwrap().end(), 5.0);
    let samples = Samples { times: vec![0.0, 1.0, 2.0], values: vec![0.0, 3.0, 1.0] };
    let table = MotionCurve::Table(samples.clone()).trajectory(0.5, 8.0).unwrap();
    assert_eq!(table, Trajectory::table(&samples.times, &samples.values, SplineEnds::AtRest).unwrap());
    assert_eq!(Curve::Constant(3.0).signal(), Signal::constant(3.0));
    let linear = Curve::Table(samples.clone()).signal().unwrap();
    assert_eq!([-1.0, 0.5, 1.5, 9.0].map(|time| linear.value(time)), [0.0, 1.5, 2.0, 1.0]);
    let wrench = |x: f64| [[x, 0.0, 0.0], [0.0, 0.0, -x]];
    let steps = Samples { times: vec![1.0, 2.0], values: vec![wrench(5.0), wrench(7.0)] };
    let [force, moment] = WrenchCurve::Steps(steps).signals().unwrap();
    assert_eq!([0.0, 1.0, 3.0].map(|time| force[0].value(time)), [0.0, 5.0, 7.0]);
    assert_eq!([0.0, 1.0, 3.0].map(|time| moment[2].value(time)), [0.0, -5.0, -7.0]);
    // Made by hand, numbers may be anything.
    let bad = MotionCurve::Rate(f64::NAN).trajectory(0.0, 1.0);
    assert!(matches!(bad, Err(ProfileError::NotFinite { .. })), "{bad:?}");
}

/// A table that begins before the run is under way when the run starts.
#[test]
fn the_run_starts_with_the_speed_of_its_motions() {
    let table = "table = { times = [-1, 1, 3], values = [0, 1, 1] }";
    let text = sound().replace("csv = { file = \"elbow.csv\", time = \"t\", value = \"angle\" }", table);
    let scenario = read(&text).unwrap_or_else(|error| panic!("{error}"));
    let (model, elbow) = (&scenario.model.model, &scenario.motions[1]);
    let motion = scenario.trajectory(elbow).unwrap();
    let start = motion.at(0.0);
    assert!(start.speed > 0.1);
    assert_eq!(scenario.initial.hinge_coordinates(model, elbow.body), [start.position]);
    assert_eq!(scenario.initial.speeds[model.hinge_speeds(elbow.body).start], start.speed);
}

#[test]
fn numbers_that_make_no_function_are_told_where_they_stand() {
    let the_one = |part: &str, by: &str| {
        let text = sound();
        assert!(text.contains(part), "{part}");
        let error = read(&text.replacen(part, by, 1)).expect_err("the text is broken");
        println!("{error}\n");
        assert_eq!(error.findings().len(), 1, "{error}");
        let finding = &error.findings()[0];
        let Rule::Profile(rule) = finding.rule.clone() else { panic!("{error}") };
        let marked: String =
            finding.place.source.chars().collect::<Vec<_>>()[finding.place.underline.clone()].iter().collect();
        (finding.place.line, marked, rule)
    };
    // Two times that are closer than a number can tell.
    let (line, marked, rule) = the_one("times = [0, 5, 6]", "times = [0, 5, 5.000000000000001]");
    assert_eq!((line, marked.as_str()), (36, "5.000000000000001"));
    assert!(matches!(rule, ProfileError::TooShort { index: 2, .. }), "{rule:?}");
    // A table with one sample.
    let steps = "steps = { times = [0, 5, 6], values = [0.2, -0.2, 0.0] }";
    let (line, marked, rule) = the_one(steps, "table = { times = [0], values = [0.2] }");
    assert_eq!((line, marked.as_str()), (36, "{ times = [0], values = [0.2] }"));
    assert!(matches!(rule, ProfileError::TooFew { found: 1, least: 2, .. }), "{rule:?}");
    let (line, _, rule) =
        the_one("times = [0, 2, 4], force = [[0, 0, 0], [5, 0, 0], [0, 0, 0]]", "times = [0], force = [[1, 0, 0]]");
    assert!(line == 42 && matches!(rule, ProfileError::TooFew { .. }), "{rule:?}");
    // Motions beyond any number.
    let (line, marked, rule) = the_one("cycloid = { to = 0.6, start = 1.0, duration = 10.0 }", "rate = 1e308");
    assert_eq!((line, marked.as_str()), (27, "1e308"));
    assert!(matches!(rule, ProfileError::Overflow { .. }), "{rule:?}");
    let (line, _, rule) = the_one("to = 0.6, start = 1.0, duration = 10.0", "to = 0.6, start = 1.0, duration = 1e-300");
    assert!(line == 27 && !matches!(rule, ProfileError::NotFinite { .. }), "{rule:?}");
}

#[test]
fn rows_of_a_file_are_told_by_their_line() {
    let root = std::env::temp_dir().join(format!("supple-profiles-{}", std::process::id()));
    std::fs::create_dir_all(&root).unwrap();
    for name in ["arm.toml", "panel.modes.toml"] {
        std::fs::copy(folder().join(name), root.join(name)).unwrap();
    }
    for (text, line, marked) in [
        ("t,angle\n0,0.1\n\n2,0.3\n1,0.2\n", 5, "1,0.2"),
        ("t,angle\n0,0.1\n1,0.1\n1.000000000000001,0.3\n", 4, "1.000000000000001,0.3"),
        ("t,angle\n", 1, "t"),
    ] {
        std::fs::write(root.join("elbow.csv"), text).unwrap();
        let error = scenario_file::from_text("slew.toml", &sound(), &root).unwrap_err();
        let [finding] = error.findings() else { panic!("{error}") };
        let place = &finding.place;
        assert!(matches!(finding.rule, Rule::Profile(_)), "{error}");
        assert_eq!(
            (place.file.as_str(), place.line, &place.source[place.underline.clone()]),
            ("elbow.csv", line, marked)
        );
    }
    std::fs::remove_dir_all(&root).unwrap();
}
