//! Scenarios: read with their model, checked against its names.

use std::path::PathBuf;

use supple::{Measurement, WrenchFrame};
use supple_io::scenario_file::{
    self, Curve, Direction, EventAction, Method, MotionCurve, Scenario, Trigger, Watched, WrenchCurve,
};
use supple_io::source::{FileError, PathFault, Rule};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../references/models")
}

fn sound() -> String {
    std::fs::read_to_string(folder().join("slew.scenario.toml")).unwrap()
}

fn read(text: &str) -> Result<Scenario, FileError> {
    scenario_file::from_text("slew.toml", text, &folder())
}

#[track_caller]
fn the_one(part: &str, by: &str) -> (usize, Rule) {
    let text = sound();
    assert!(text.contains(part), "{part}");
    let error = read(&text.replacen(part, by, 1)).expect_err("the text is broken");
    assert_eq!(error.findings().len(), 1, "{error}");
    assert!(!error.to_string().is_empty());
    (error.findings()[0].place.line, error.findings()[0].rule.clone())
}

#[test]
fn the_slew_of_the_references() {
    let scenario = scenario_file::read(&folder().join("slew.scenario.toml")).unwrap_or_else(|error| panic!("{error}"));
    let model = &scenario.model.model;
    assert_eq!((scenario.duration, scenario.output_interval), (20.0, 0.05));
    assert_eq!(scenario.integrator.method, Method::PrinceDormand8);
    assert_eq!(scenario.integrator.max_steps, Some(1_000_000));
    let [shoulder, elbow] = &scenario.motions[..] else { panic!("{:?}", scenario.motions) };
    // A move starts where the hinge is.
    let MotionCurve::Cycloid(told) = &shoulder.curve else { panic!("{shoulder:?}") };
    assert_eq!((told.from, told.to, told.start), (Some(0.2), 0.6, 1.0));
    let MotionCurve::Table(samples) = &elbow.curve else { panic!("{elbow:?}") };
    assert_eq!(samples.times, [0.0, 5.0, 12.5, 20.0]);
    assert_eq!(scenario.initial.coordinates[model.hinge_coordinates(elbow.body).start], 0.1);
    let orbit = model.find("bus").unwrap();
    assert_eq!(scenario.initial.hinge_coordinates(model, orbit), [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.5]);
    assert!(matches!(&scenario.torques[0], torque if torque.speed == 1 && matches!(torque.curve, Curve::Steps(_))));
    let wrench = &scenario.wrenches[0];
    assert_eq!((wrench.node.0, wrench.frame), (1, WrenchFrame::Body));
    let WrenchCurve::Table(samples) = &wrench.curve else { panic!("{wrench:?}") };
    assert_eq!(samples.values[1], [[5.0, 0.0, 0.0], [0.0; 3]]);
    let [half, bent] = &scenario.events[..] else { panic!("{:?}", scenario.events) };
    let boom = model.find("upper boom").unwrap();
    let watched = Watched::Measured(Measurement::Coordinate(model.hinge_coordinates(shoulder.body).start));
    assert_eq!(half.trigger, Trigger::Crossing { watched, value: 0.4, direction: Direction::Rising });
    let watched = Watched::Measured(Measurement::Speed(model.modal_speeds(boom).start + 1));
    assert_eq!(bent.trigger, Trigger::Crossing { watched, value: -2.0, direction: Direction::Both });
    assert_eq!([half.action, bent.action], [EventAction::Record, EventAction::Stop]);
    assert!(half.switch.is_empty() && bent.switch.is_empty() && scenario.locks.is_empty());
    assert_eq!(scenario.results.nodes.len(), 2);
    assert_eq!(scenario.checkpoint_interval, Some(5.0));
    // The tip is turned by λ η, as if the deformation had grown in proportion.
    let boom = model.find("upper boom").unwrap();
    let tip = scenario.model.system.bodies[boom.0].nodes.iter().position(|n| n.name.as_deref() == Some("tip")).unwrap();
    let at = model.attitude_nodes().iter().position(|(body, node)| *body == boom && node.0 == tip).unwrap();
    let angle = 0.01 * scenario.model.system.bodies[boom.0].nodes[tip].influence[0][2];
    assert!((scenario.initial.attitudes[at].0[2] - (0.5 * angle).sin()).abs() < 1e-16);
}

#[test]
fn each_mistake_has_its_rule() {
    let is = |found: (usize, Rule), line: usize, kind: fn(&Rule) -> bool| {
        assert!(kind(&found.1) && found.0 == line, "{found:?}");
    };
    is(the_one("duration = 20.0", "duration = -1"), 5, |r| matches!(r, Rule::Range { .. }));
    is(the_one("output_interval = 0.05", "output_interval = 1e-12"), 6, |r| matches!(r, Rule::Mismatch { .. }));
    is(the_one("shoulder = 0.2", "sholder = 0.2"), 12, |r| matches!(r, Rule::UnknownName { kind: "hinge", .. }));
    is(the_one("shoulder = 0.2", "shoulder = [0.2, 1]"), 12, |r| matches!(r, Rule::Length { .. }));
    is(the_one("orbit = [0, 0, 0, 1,", "orbit = [0, 0, 0, 2,"), 11, |r| matches!(r, Rule::NotUnit { .. }));
    is(the_one("\"upper boom\" = [0.01,", "\"upper bom\" = [0.01,"), 16, |r| {
        matches!(r, Rule::UnknownName { kind: "body", .. })
    });
    is(the_one("\"upper boom\" = [0.01,", "\"upper boom\" = [0.01, 7,"), 16, |r| matches!(r, Rule::Length { .. }));
    is(the_one("kind = \"prince-dormand8\"", "kind = \"prince-dormand\""), 19, |r| {
        matches!(r, Rule::UnknownWord { .. })
    });
    is(the_one("max_steps = 1000000", "step = 0.1"), 22, |r| matches!(r, Rule::Together { .. }));
    is(the_one("hinge = \"shoulder\"", "hinge = \"panel root\""), 26, |r| matches!(r, Rule::Mismatch { .. }));
    is(the_one("hinge = \"shoulder\"", "hinge = \"orbit\""), 26, |r| matches!(r, Rule::Mismatch { .. }));
    is(the_one("hinge = \"elbow\"", "hinge = \"shoulder\""), 30, |r| matches!(r, Rule::Mismatch { .. }));
    is(the_one("hinge = \"wrist\"\nspeed = 1", "hinge = \"elbow\""), 34, |r| matches!(r, Rule::Mismatch { .. }));
    is(the_one("speed = 1\n", ""), 34, |r| matches!(r, Rule::MissingKey { key: "speed", .. }));
    is(the_one("speed = 1", "speed = 2"), 35, |r| matches!(r, Rule::Range { .. }));
    is(the_one("times = [0, 5, 6]", "times = [0, 6, 5]"), 36, |r| matches!(r, Rule::Mismatch { .. }));
    is(the_one("times = [0, 5, 6]", "times = [0, 5]"), 36, |r| matches!(r, Rule::Length { .. }));
    is(the_one("node = \"shoulder mount\"", "node = \"shoulder\""), 40, |r| {
        matches!(r, Rule::UnknownName { kind: "node", .. })
    });
    is(the_one("node = \"shoulder mount\"\n", ""), 39, |r| matches!(r, Rule::MissingKey { key: "node", .. }));
    is(the_one("file = \"elbow.csv\"", "file = \"../elbow.csv\""), 31, |r| {
        matches!(r, Rule::Path { fault: PathFault::Upward, .. })
    });
    is(the_one("value = \"angle\"", "value = \"angel\""), 31, |r| {
        matches!(r, Rule::UnknownName { kind: "column", .. })
    });
    is(the_one("folder = \"results/slew\"", "folder = \"/tmp/slew\""), 45, |r| {
        matches!(r, Rule::ResultsFolder { fault: PathFault::Absolute, .. })
    });
    is(the_one("\"parquet\"", "\"parkett\""), 46, |r| matches!(r, Rule::UnknownWord { .. }));
    is(the_one("\"hinge.shoulder\"", "\"hinge.sholder\""), 52, |r| {
        matches!(r, Rule::UnknownName { kind: "quantity", .. })
    });
    is(the_one("\"mode_speed.upper boom.2\"", "\"mode_speed.upper boom.7\""), 58, |r| {
        matches!(r, Rule::UnknownName { kind: "quantity", .. })
    });
    is(the_one("name = \"boom whips\"", "name = \"half way\""), 57, |r| {
        matches!(r, Rule::DuplicateName { kind: "event", first_line: 51, .. })
    });
    is(the_one("\"rising\"", "\"upward\""), 54, |r| matches!(r, Rule::UnknownWord { .. }));
    is(the_one("value = 0.4\n", ""), 50, |r| matches!(r, Rule::MissingKey { key: "value", .. }));
    is(the_one("model = \"arm.toml\"", "model = \"arn.toml\""), 4, |r| {
        matches!(r, Rule::Path { fault: PathFault::NotFound, .. })
    });
    is(the_one("model = \"arm.toml\"", "model = \"arm.toml\"\nlenient = true"), 5, |r| {
        matches!(r, Rule::Useless { .. })
    });
}

#[test]
fn all_at_once_with_the_model() {
    let root = std::env::temp_dir().join(format!("supple-scenario-{}", std::process::id()));
    std::fs::create_dir_all(&root).unwrap();
    let model = std::fs::read_to_string(folder().join("arm.toml")).unwrap().replace("mass = 250.0", "mass = -250.0");
    std::fs::write(root.join("arm.toml"), model).unwrap();
    std::fs::write(root.join("bad.csv"), "t,angle\n0,x\n1\n").unwrap();
    let text = sound().replace("duration = 20.0", "duraton = 20.0");
    let error = scenario_file::from_text("slew.toml", &text, &root).unwrap_err();
    println!("{error}");
    let files: Vec<&str> = error.findings().iter().map(|finding| finding.place.file.as_str()).collect();
    // The mass and the modes file of the panel in the model; the unknown and the missing key in the scenario.
    assert_eq!(files, ["arm.toml", "arm.toml", "slew.toml", "slew.toml"]);
    std::fs::write(root.join("arm.toml"), std::fs::read_to_string(folder().join("arm.toml")).unwrap()).unwrap();
    std::fs::copy(folder().join("panel.modes.toml"), root.join("panel.modes.toml")).unwrap();
    let text = sound().replace("elbow.csv", "bad.csv");
    let error = scenario_file::from_text("slew.toml", &text, &root).unwrap_err();
    println!("{error}");
    let places: Vec<(usize, usize)> = error.findings().iter().map(|f| (f.place.line, f.place.column)).collect();
    assert_eq!(places, [(2, 3), (3, 1)]);
    std::fs::remove_dir_all(&root).unwrap();
}

/// The methods by their words, and whether each reads tolerances, a step, or either.
#[test]
fn every_integrator_steps_as_it_can() {
    let with = |lines: &str| {
        let text = sound();
        let start = text.find("kind = \"prince-dormand8\"").unwrap();
        let end = text.find("max_steps").unwrap();
        read(&format!("{}{lines}\n{}", &text[..start], &text[end..]))
    };
    for (word, method, tolerances, step) in [
        ("dormand-prince", Method::DormandPrince, true, true),
        ("prince-dormand8", Method::PrinceDormand8, true, true),
        ("rk4", Method::RungeKutta4, false, true),
        ("generalized-alpha", Method::GeneralizedAlpha, false, true),
        ("linearly-implicit", Method::LinearlyImplicit, true, true),
        ("exponential", Method::Exponential, true, true),
        ("exponential-adams", Method::ExponentialAdams, true, true),
        ("gauss", Method::Gauss, false, true),
        ("adams", Method::Adams, true, false),
        ("bdf", Method::Bdf, true, false),
    ] {
        assert_eq!((method.estimates_error(), method.takes_fixed_step()), (tolerances, step), "{word}");
        let kind = format!("kind = \"{word}\"");
        for (more, accepted) in [
            ("", tolerances),
            ("relative_tolerance = 1e-6", tolerances),
            ("greatest_step = 0.1", tolerances),
            ("step = 0.01", step),
            ("step = 0.01\nabsolute_tolerance = 1e-6", false),
        ] {
            let found = with(&format!("{kind}\n{more}"));
            assert_eq!(found.is_ok(), accepted, "{word}, {more}: {:?}", found.err());
            if let Ok(scenario) = found {
                assert_eq!(scenario.integrator.method, method);
                assert_eq!(scenario.integrator.step, more.starts_with("step").then_some(0.01));
            }
        }
        for (key, owner) in [
            ("spectral_radius = 0.5", "generalized-alpha"),
            ("corrections = 3", "generalized-alpha"),
            ("stages = 4", "gauss"),
            ("iteration_tolerance = 1e-6", "gauss"),
        ] {
            assert_eq!(with(&format!("{kind}\nstep = 0.01\n{key}")).is_ok(), word == owner, "{word} {key}");
        }
    }
}

/// Corrections of generalized-alpha: as many as it takes, or from 1 to 30.
#[test]
fn generalized_alpha_reads_its_corrections() {
    let with = |line: &str| {
        let text = sound();
        let start = text.find("kind = \"prince-dormand8\"").unwrap();
        let end = text.find("max_steps").unwrap();
        read(&format!("{}kind = \"generalized-alpha\"\nstep = 0.01\n{line}\n{}", &text[..start], &text[end..]))
    };
    assert_eq!(with("").unwrap().integrator.corrections, None);
    assert_eq!(with("corrections = 30").unwrap().integrator.corrections, Some(30));
    for bad in ["corrections = 0", "corrections = 31", "corrections = 2.5", "corrections = -1"] {
        let error = with(bad).unwrap_err().to_string();
        assert!(error.contains("corrections"), "{bad}: {error}");
    }
}

/// Stages and tolerance of Gauss' method, and what they may be.
#[test]
fn gauss_reads_its_stages_and_its_tolerance() {
    let with = |lines: &str| {
        let text = sound();
        let start = text.find("kind = \"prince-dormand8\"").unwrap();
        let end = text.find("max_steps").unwrap();
        read(&format!("{}kind = \"gauss\"\nstep = 0.01\n{lines}\n{}", &text[..start], &text[end..]))
    };
    let found = with("stages = 5\niteration_tolerance = 1e-7").unwrap().integrator;
    assert_eq!((found.stages, found.iteration_tolerance), (5, 1e-7));
    let found = with("").unwrap().integrator;
    assert_eq!((found.stages, found.iteration_tolerance), (3, 1e-10));
    for bad in [
        "stages = 0",
        "stages = 7",
        "stages = 2.5",
        "iteration_tolerance = 0",
        "iteration_tolerance = 1",
        "iteration_tolerance = 1e-16",
    ] {
        let text = format!("{}", with(bad).unwrap_err());
        assert!(text.contains(bad.split(' ').next().unwrap()), "{bad}: {text}");
    }
}

/// The slew as motions of the rigid model: nothing is prescribed.
fn planned() -> String {
    let text = sound();
    let start = text.find("[[motion]]").unwrap();
    let end = text.find("[[torque]]").unwrap();
    let plan = r#"[feedforward]
motion = [
  { hinge = "shoulder", cycloid = { to = 0.6, start = 1.0, duration = 10.0 } },
  { hinge = "elbow", csv = { file = "elbow.csv", time = "t", value = "angle" } },
]

"#;
    let text = format!("{}{plan}{}", &text[..start], &text[end..]);
    text.replace("shoulder = 0.2", "shoulder = 0.2\nelbow = 0.1")
}

#[test]
fn motions_of_the_rigid_model() {
    let scenario = read(&planned()).unwrap_or_else(|error| panic!("{error}"));
    let model = &scenario.model.model;
    assert!(scenario.motions.is_empty());
    let [shoulder, elbow] = &scenario.feedforward[..] else { panic!("{:?}", scenario.feedforward) };
    let MotionCurve::Cycloid(told) = &shoulder.curve else { panic!("{shoulder:?}") };
    assert_eq!((told.from, told.to), (Some(0.2), 0.6));
    assert_eq!(model.name(elbow.body), "forearm");
    // The state is the user's own.
    assert_eq!(scenario.initial.hinge_coordinates(model, shoulder.body), [0.2]);
    let line = |text: &str, what: &str| {
        let error = read(text).expect_err("the text is broken");
        assert_eq!(error.findings().len(), 1, "{error}");
        assert!(error.to_string().contains(what), "{error}");
        error.findings()[0].place.line
    };
    let text = planned();
    let first = text[..text.find("{ hinge = \"shoulder\"").unwrap()].matches('\n').count() + 1;
    let change = |part: &str, by: &str| {
        assert!(text.contains(part), "{part}");
        text.replacen(part, by, 1)
    };
    assert_eq!(line(&change("elbow = 0.1", "elbow = 0.2"), "the motion starts at 0.1, the hinge at 0.2"), first + 1);
    let from = change("{ to = 0.6", "{ from = 0.3, to = 0.6");
    assert_eq!(line(&from, "the motion starts at 0.3, the hinge at 0.2"), first);
    assert_eq!(line(&change("hinge = \"shoulder\"", "hinge = \"wrist\""), "has 2 speeds"), first);
    assert_eq!(line(&change("hinge = \"shoulder\"", "hinge = \"panel root\""), "is fixed"), first);
    assert_eq!(line(&change("hinge = \"shoulder\"", "hinge = \"sholder\""), "did you mean `shoulder`?"), first);
    assert_eq!(
        line(&change("hinge = \"elbow\"", "hinge = \"shoulder\""), "already has a prescribed motion"),
        first + 1
    );
    let moved = change("[[torque]]", "[[motion]]\nhinge = \"elbow\"\nrate = 0.1\n[[torque]]");
    assert_eq!(line(&moved, "already has a prescribed motion"), first + 1);
    let constant = change("cycloid = { to = 0.6, start = 1.0, duration = 10.0 }", "rate = 0.1");
    let error = read(&constant).unwrap_err();
    assert!(error.to_string().contains("unknown key `rate`"), "{error}");
}

/// A model above the folder of its scenario is taken where the scenario asks for it, and only there.
#[test]
fn shared_models_lie_above() {
    let below = folder().join("../urdf");
    // A table of numbers stays where the scenario is.
    let text = sound().replacen("model = \"", "model = \"../models/", 1);
    let motion = text.find("csv = ").unwrap();
    let end = motion + text[motion..].find('\n').unwrap();
    let text = format!("{}rate = 0{}", &text[..motion], &text[end..]);
    let refused = scenario_file::from_text("slew.toml", &text, &below).unwrap_err();
    assert!(refused.to_string().contains("`shared = true`"), "{refused}");
    assert!(matches!(&refused.findings()[0].rule, Rule::Path { fault: PathFault::Upward, .. }));
    let shared = text.replacen("model = ", "shared = true\nmodel = ", 1);
    let read = scenario_file::from_text("slew.toml", &shared, &below).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(read.model.system, scenario_file::from_text("slew.toml", &sound(), &folder()).unwrap().model.system);
    for name in ["/etc/passwd", "../models", "../models/none.toml"] {
        let other = shared.replacen("../models/arm.toml", name, 1);
        assert_ne!(other, shared);
        let error = scenario_file::from_text("slew.toml", &other, &below).unwrap_err();
        assert!(matches!(&error.findings()[0].rule, Rule::Path { .. }), "{error}");
    }
}
