//! Events that close and open closures, lock and unlock hinges.

use super::{Arm, Witness};
use std::fs;
use std::path::Path;
use supple_run::{ActionKind, EventSummary, Existing, Options, Outcome, Output, Results, Run, read, run};

/// Two carts of 2 and 3 kg on a rail, the first one moving at 1 m/s towards the other, half a metre ahead; a buffer between them.
const CARTS: &str = r#"
    format = "supple-model-1"
    gravity = [0, 0, 0]
    [[body]]
    name = "first"
    hinge = { kind = "prismatic", axis = [1, 0, 0] }
    rigid = { mass = 2, inertia = [1, 1, 1] }
    [[body]]
    name = "second"
    hinge = { kind = "prismatic", axis = [1, 0, 0] }
    rigid = { mass = 3, inertia = [1, 1, 1] }
    [[closure]]
    name = "buffer"
    kind = "point-on-plane"
    normal = [1, 0, 0]
    a = { body = "first" }
    b = { body = "second" }
"#;

const MEETING: &str = r#"
    [initial]
    hinges = { second = 0.5 }
    hinge_speeds = { first = 1 }
    open = ["buffer"]
"#;

/// A ball of 2 kg, a metre above the floor.
const BALL: &str = r#"
    format = "supple-model-1"
    gravity = [0, 0, -9.81]
    [[body]]
    name = "ball"
    hinge = { kind = "prismatic", axis = [0, 0, 1] }
    rigid = { mass = 2, inertia = [1, 1, 1] }
    [[closure]]
    name = "floor"
    kind = "point-on-plane"
    normal = [0, 0, 1]
    a = { ground = [0, 0, 0] }
    b = { body = "ball" }
"#;

/// Two bodies that float, joined by a rod, and one that is far away.
const FLYERS: &str = r#"
    format = "supple-model-1"
    gravity = [0, 0, 0]
    [[body]]
    name = "tug"
    hinge = { kind = "free" }
    rigid = { mass = 5, mass_centre = [0.1, 0, 0.05], inertia = [1, 1.2, 0.8] }
    [[body]]
    name = "arm"
    parent = "tug"
    hinge = { name = "elbow", kind = "revolute", axis = [0, 1, 0], position = [1, 0, 0], damping = 0.2 }
    rigid = { mass = 1, mass_centre = [0.5, 0, 0], inertia = [0.1, 0.4, 0.4] }
    nodes = [{ name = "hand", position = [1, 0, 0] }]
    [[body]]
    name = "load"
    hinge = { kind = "free" }
    rigid = { mass = 3, mass_centre = [0, 0.2, 0], inertia = [0.5, 0.6, 0.7] }
    [[closure]]
    name = "grip"
    kind = "weld"
    a = { body = "arm", node = "hand" }
    b = { body = "load" }
"#;

fn scenario(model: &str, duration: f64, more: &str) -> Arm {
    let arm = Arm::new("");
    let text = format!(
        r#"
        format = "supple-scenario-1"
        model = "model.toml"
        duration = {duration}
        output_interval = 0.05
        checkpoint_interval = 0.05
        results.columns = ["hinges", "hinge_speeds", "energy", "momentum", "closures", "closure_forces"]
        integrator = {{ relative_tolerance = 1e-11, absolute_tolerance = 1e-13 }}
        {more}
        "#
    );
    fs::write(arm.0.join("model.toml"), model).unwrap();
    fs::write(arm.scenario(), text).unwrap();
    arm
}

#[track_caller]
fn done(arm: &Arm) -> Results {
    let results = run(arm.scenario(), &Options::default()).unwrap();
    assert_eq!(results.outcome(), &Outcome::Finished);
    results
}

fn events(results: &Results) -> &[EventSummary] {
    &results.summary().events
}

#[track_caller]
fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() < tolerance, "{found}, expected {expected}");
}

/// Largest error of the energy balance, as a part of the largest energy.
fn imbalance(results: &Results) -> f64 {
    let greatest = |name: &str| results.column(name).unwrap().iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    greatest("energy.balance_error") / greatest("energy.kinetic").max(greatest("energy.total"))
}

/// Newton's law between two carts: momentum stays, the relative speed becomes `-e` times what it was.
#[test]
fn carts_rebound_by_newtons_law() {
    for (e, kind) in [(0.0, ActionKind::Closed), (0.5, ActionKind::Rebounded), (1.0, ActionKind::Rebounded)] {
        // Both ways are watched: the way back is no second impact.
        let event = format!(
            "{MEETING}\n[[events]]\nname = \"impact\"\nquantity = \"closure.buffer.deviation.1\"\nvalue = 0\nclose = [\"buffer\"]\nrestitution = {e}"
        );
        let results = done(&scenario(CARTS, 1.0, &event));
        let [impact] = events(&results) else { panic!("{:?}", events(&results)) };
        close(impact.time, 0.5, 1e-12);
        let [action] = &impact.actions[..] else { panic!("{impact:?}") };
        assert_eq!((action.closure.as_str(), action.kind), ("buffer", kind));
        close(action.closing_speed.unwrap(), 1.0, 1e-10);
        let lost = 0.5 * 1.2 * (1.0 - e * e);
        close(action.energy_lost.unwrap(), lost, 1e-10);
        close(results.last("dissipated.impacts").unwrap(), lost, 1e-10);
        close(results.last("speed.first").unwrap(), 0.4 - 0.6 * e, 1e-10);
        close(results.last("speed.second").unwrap(), 0.4 + 0.4 * e, 1e-10);
        close(results.last("closure.buffer.deviation.1").unwrap(), 0.5 * e, 1e-10);
        assert_eq!(results.last("closure.buffer.closed").unwrap(), f64::from(u8::from(e == 0.0)));
        assert!(imbalance(&results) < 1e-12);
        let kinetic = results.column("energy.kinetic").unwrap();
        assert!(kinetic.windows(2).all(|pair| pair[1] <= pair[0] * (1.0 + 1e-12)), "{kinetic:?}");
        assert!(results.summary().warnings.is_empty(), "{:?}", results.summary().warnings);
    }
}

/// A closure has a coefficient of its own, which an event may replace.
#[test]
fn closures_have_their_own_restitution() {
    let model = CARTS.replace("normal = [1, 0, 0]", "normal = [1, 0, 0]\nrestitution = 0.5");
    for (chosen, e) in [("", 0.5), ("restitution = 0.25", 0.25), ("restitution = 0", 0.0)] {
        let text = MEETING.to_owned() + &at("impact", 0.5, &format!("close = [\"buffer\"]\n{chosen}"));
        let results = done(&scenario(&model, 1.0, &text));
        close(results.last("speed.first").unwrap(), 0.4 - 0.6 * e, 1e-10);
        close(results.last("speed.second").unwrap(), 0.4 + 0.4 * e, 1e-10);
    }
}

/// A ball that bounces lower and lower stays on the floor in the end, which then carries its weight.
#[test]
fn a_bouncing_ball_comes_to_rest() {
    for direction in ["both", "falling"] {
        let event = format!(
            "[initial]\nhinges = {{ ball = 1 }}\nopen = [\"floor\"]\n[[events]]\nname = \"bounce\"\nquantity = \"closure.floor.deviation.1\"\n\
             value = 0\ndirection = \"{direction}\"\nclose = [\"floor\"]\nrestitution = 0.5\nrest_speed = 1e-3"
        );
        let results = done(&scenario(BALL, 2.0, &event));
        let speed = (2.0 * 9.81_f64).sqrt();
        for (n, bounce) in events(&results).iter().enumerate() {
            // n flights after the fall, each half as long as the one before.
            let time = speed / 9.81 * (1.0 + 2.0 * (1.0 - 0.5_f64.powi(n as i32)));
            close(bounce.time, time, 1e-9);
            close(bounce.actions[0].closing_speed.unwrap(), speed * 0.5_f64.powi(n as i32), 1e-8);
        }
        // 4.43 m/s halved until it is below 1e-3.
        assert_eq!(events(&results).len(), 14, "{:?}", events(&results));
        assert_eq!(events(&results)[13].actions[0].kind, ActionKind::Closed);
        assert_eq!(results.last("closure.floor.closed").unwrap(), 1.0);
        close(results.last("hinge.ball").unwrap(), 0.0, 1e-12);
        close(results.last("closure.floor.force.z").unwrap(), 2.0 * 9.81, 1e-9);
        assert!(imbalance(&results) < 1e-10);
        let energy = results.column("energy.total").unwrap();
        assert!(energy.windows(2).all(|pair| pair[1] <= pair[0] + 1e-10), "{energy:?}");
    }
}

const FLYING: &str = r#"
    initial.hinges = { tug = [0, 0, 0, 1, 0, 0, 0], elbow = 0.3, load = [0, 0.1, 0, 0.99498743710662, 2.3, 0.1, -0.3] }
    initial.hinge_speeds = { tug = [0.1, 0.2, 0, 0.3, 0, 0], load = [0, 0, 0.3, 0, 0.1, 0] }
    initial.open = ["grip"]
"#;

fn at(name: &str, time: f64, more: &str) -> String {
    format!("[[events]]\nname = \"{name}\"\ntime = {time:?}\n{more}\n")
}

/// A load is taken as it is, the elbow is locked and unlocked, the load is let go: momentum stays throughout.
#[test]
fn flyers_attach_lock_and_detach() {
    let text = FLYING.to_owned()
        + &at("attach", 0.123, "close = [\"grip\"]\nas_is = true")
        + &at("brake", 0.3, "lock = [\"elbow\"]")
        + &at("free", 0.7, "unlock = [\"elbow\"]")
        + &at("release", 0.9, "open = [\"grip\"]");
    let results = done(&scenario(FLYERS, 1.2, &text));
    let names: Vec<(&str, f64)> = events(&results).iter().map(|event| (event.name.as_str(), event.time)).collect();
    assert_eq!(names, [("attach", 0.123), ("brake", 0.3), ("free", 0.7), ("release", 0.9)]);
    let attach = &events(&results)[0].actions[0];
    assert_eq!((attach.closure.as_str(), attach.kind), ("grip", ActionKind::Held));
    assert!(attach.energy_lost.unwrap() > 1e-3, "{attach:?}");
    assert_eq!(events(&results)[1].actions[0].closure, "lock of elbow");
    assert_eq!(events(&results)[3].actions[0].kind, ActionKind::Opened);
    let drift = results.summary().momentum.clone().unwrap();
    assert!(drift.linear_drift < 1e-10 && drift.angular_drift < 1e-10, "{drift:?}");
    let residual = results.summary().closures.unwrap();
    assert!(residual.deviation < 1e-9 && residual.speed < 1e-9, "{residual:?}");
    assert!(imbalance(&results) < 1e-8);
    let rows = |name: &str| results.column(name).unwrap().to_vec();
    let (time, elbow, speed) = (rows("time"), rows("hinge.elbow"), rows("speed.elbow"));
    let (distance, grip, lock) =
        (rows("closure.grip.distance"), rows("closure.grip.closed"), rows("closure.lock of elbow.closed"));
    let locked: Vec<usize> = (0..time.len()).filter(|i| (0.3..0.7 - 1e-9).contains(&time[*i])).collect();
    for i in 0..time.len() {
        let within = |from: f64, to: f64| f64::from(u8::from((from - 1e-9..to - 1e-9).contains(&time[i])));
        assert_eq!((grip[i], lock[i]), (within(0.123, 0.9), within(0.3, 0.7)), "at {}", time[i]);
        if locked.contains(&i) {
            close(elbow[i], elbow[locked[0]], 1e-12);
            close(speed[i], 0.0, 1e-12);
        }
    }
    assert!(locked.len() == 8 && (elbow[0] - elbow[locked[0]]).abs() > 1e-3);
    assert!(rows("closure.lock of elbow.force").iter().any(|force| force.abs() > 1e-4));
    assert!(distance[0] > 0.1 && (distance[23] - distance[17]).abs() > 1e-4, "{distance:?}");
}

/// A crossing of the distance closes; an event whose closures are as it wants them is none.
#[test]
fn a_distance_triggers_a_grapple() {
    let text = FLYING.replace("load = [0, 0, 0.3, 0, 0.1, 0]", "load = [0, 0, 0.3, -0.4, 0.1, 0]")
        + "[[events]]\nname = \"grapple\"\nquantity = \"closure.grip.distance\"\nvalue = 0.3\ndirection = \"falling\"\n\
           close = [\"grip\"]\nas_is = true\n"
        + &at("release", 0.8, "open = [\"grip\"]");
    let results = done(&scenario(FLYERS, 1.5, &text));
    let names: Vec<&str> = events(&results).iter().map(|event| event.name.as_str()).collect();
    assert_eq!(names, ["grapple", "release"]);
    let rows = |name: &str| results.column(name).unwrap().to_vec();
    for (closed, distance) in rows("closure.grip.closed").iter().zip(rows("closure.grip.distance")) {
        // What is held as it is has no distance.
        if *closed == 1.0 {
            close(distance, 0.0, 1e-9);
        }
    }
}

/// Hinges of several directions and ball joints are locked too, from the start where they are.
#[test]
fn hinges_of_every_kind_lock() {
    for (kind, coordinates) in [
        ("universal\", axes = [[1, 0, 0], [0, 1, 0]]", "[0.2, -0.3]"),
        ("spherical\"", "[0.1, 0, 0, 0.99498743710662]"),
        ("cylindrical\", axis = [0, 0, 1]", "[0.2, 0.1]"),
    ] {
        let model = FLYERS.replace("kind = \"revolute\", axis = [0, 1, 0]", &format!("kind = \"{kind}"));
        let model = model.replace(", damping = 0.2", "");
        let text = FLYING.replace("elbow = 0.3", &format!("elbow = {coordinates}"));
        let text = text + "initial.locked = [\"elbow\"]\n" + &at("free", 0.5, "unlock = [\"elbow\"]");
        let results = done(&scenario(&model, 0.8, &text));
        let columns: Vec<String> = results.table().columns().iter().map(|column| column.name.clone()).collect();
        let own: Vec<&String> = columns.iter().filter(|name| name.starts_with("hinge.elbow")).collect();
        assert!(own.len() > 1);
        for name in &own {
            let rows = results.column(name).unwrap();
            assert!(rows[..11].iter().all(|x| (x - rows[0]).abs() < 1e-11), "{kind} {name}: {rows:?}");
        }
        let moved = |name: &&String| (results.last(name).unwrap() - results.column(name).unwrap()[0]).abs() > 1e-4;
        assert!(own.into_iter().any(|name| moved(&name)), "{kind}");
        assert!(imbalance(&results) < 1e-8, "{kind}");
        let drift = results.summary().momentum.clone().unwrap();
        assert!(drift.linear_drift < 1e-10 && drift.angular_drift < 1e-10, "{kind} {drift:?}");
    }
}

/// One event swaps: what opens has no part in the impact of what closes.
#[test]
fn a_swap_opens_before_it_closes() {
    let model = CARTS.to_owned()
        + "[[closure]]\nname = \"brake\"\nkind = \"point-on-plane\"\nnormal = [1, 0, 0]\na = { ground = [0.5, 0, 0] }\nb = { body = \"second\" }\n";
    let text = MEETING.to_owned() + &at("swap", 0.5, "close = [\"buffer\"]\nopen = [\"brake\"]");
    let results = done(&scenario(&model, 1.0, &text));
    close(results.last("speed.first").unwrap(), 0.4, 1e-12);
    close(results.last("speed.second").unwrap(), 0.4, 1e-12);
    let kinds: Vec<ActionKind> = events(&results)[0].actions.iter().map(|action| action.kind).collect();
    assert_eq!(kinds, [ActionKind::Opened, ActionKind::Closed]);
}

/// What is open beyond the tolerance does not close; a wider one closes it with a warning.
#[test]
fn a_miss_ends_the_run_or_is_a_warning() {
    let text = MEETING.to_owned() + &at("too soon", 0.49, "close = [\"buffer\"]");
    let arm = scenario(CARTS, 1.0, &text);
    let reason = run(arm.scenario(), &Options::default()).unwrap_err().to_string();
    let words = ["event `too soon` at t = 0.49", "closure `buffer`", "open by 1.000e-2", "1e-6", "as_is = true"];
    assert!(words.iter().all(|word| reason.contains(word)), "{reason}");
    let text = MEETING.to_owned() + &at("too soon", 0.49, "close = [\"buffer\"]\ntolerance = 0.02");
    let results = done(&scenario(CARTS, 1.0, &text));
    let [warning] = &results.summary().warnings[..] else { panic!("{:?}", results.summary().warnings) };
    assert!(warning.contains("closure `buffer` was open by 1.000e-2"), "{warning}");
    close(results.last("closure.buffer.deviation.1").unwrap(), 0.0, 1e-12);
}

/// The run of a scenario into `folder`, interrupted after `rows`, and resumed.
fn interrupted(arm: &Arm, folder: &Path, rows: usize) {
    let scenario = read(arm.scenario()).unwrap();
    let mut options = Options::into_folder(folder);
    options.existing = Existing::Replace;
    let mut witness = Witness { patience: Some((rows, options.interrupt.clone())), ..Witness::default() };
    let results = Run::new(&scenario, &arm.scenario(), &options).unwrap().go(&mut witness);
    assert_eq!(results.outcome(), &Outcome::Interrupted, "{rows}");
    let options = Options { existing: Existing::Resume, output: Output::Folder(folder.into()), ..Options::default() };
    let results = Run::new(&scenario, &arm.scenario(), &options).unwrap().go(&mut ());
    assert_eq!(results.outcome(), &Outcome::Finished, "{rows}");
}

/// A run that is killed before, at or after an event goes on to the same bytes.
#[test]
fn interrupted_runs_with_events_end_alike() {
    let bounce = "[initial]\nhinges = { ball = 1 }\nopen = [\"floor\"]\n[[events]]\nname = \"bounce\"\nquantity = \"closure.floor.deviation.1\"\n\
                  value = 0\nclose = [\"floor\"]\nrestitution = 0.3\n"
        .to_owned();
    let flight = FLYING.to_owned()
        + &at("attach", 0.1, "close = [\"grip\"]\nas_is = true\nlock = [\"elbow\"]")
        + &at("release", 0.23, "open = [\"grip\"]\nunlock = [\"elbow\"]");
    for (model, text, duration) in [(BALL, bounce, 0.9), (FLYERS, flight, 0.4)] {
        let arm = scenario(model, duration, &text);
        let [alone, folder] = ["alone", "interrupted"].map(|name| arm.0.join(name));
        run(arm.scenario(), &Options::into_folder(&alone)).unwrap();
        let parts = |folder: &Path| {
            let summary: serde_json::Value =
                serde_json::from_str(&fs::read_to_string(folder.join("summary.json")).unwrap()).unwrap();
            let parts = ["events", "ledger", "closures", "momentum", "statistics"].map(|key| summary[key].clone());
            (fs::read(folder.join("results.csv")).unwrap(), parts)
        };
        let expected = parts(&alone);
        assert!(expected.1[0].as_array().unwrap().len() >= 2);
        for rows in 1..=(duration / 0.05) as usize {
            interrupted(&arm, &folder, rows);
            assert!(parts(&folder) == expected, "interrupted after {rows} rows");
        }
    }
}
