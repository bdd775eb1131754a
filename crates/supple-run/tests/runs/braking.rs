//! Safe states of a plant: hinges stop and are held, by brakes that have an effort and no more.

use std::fs;
use std::time::Duration;

use supple_run::realtime::{Injection, Laws, Pace};
use supple_run::{Outcome, Results};

use crate::control::Rig;
use crate::realtime::{Trouble, both, rig};

/// Speed of a hinge that is held, rad/s.
const HELD: f64 = 1e-9;

/// The arm of a rig, braked at full motion or as it falls.
fn arm(name: &str, duration: f64) -> Rig {
    let rig = rig(name, duration);
    rig.change(
        "columns = [\"hinges\", \"modes\", \"signals\"]",
        "columns = [\"hinges\", \"hinge_speeds\", \"modes\", \"energy\"]",
    );
    rig
}

/// Gravity along the plane of the arm, which hangs out sideways.
fn weighed(rig: &Rig) {
    let path = rig.0.join("arm.toml");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("gravity = [0, 0, 0]", "gravity = [0, -9.81, 0]")).unwrap();
}

/// The plant that gets a command that is no number at `at`.
fn faulty(rig: &Rig, name: &str, at: f64, laws: Laws) -> Results {
    let trouble = Trouble { of_controller: vec![Injection::Nan(at)], laws, ..Trouble::default() };
    let (plant, controller) = both(rig, name, Pace::LockStep, trouble);
    controller.unwrap();
    let (results, link) = plant.unwrap();
    assert_eq!((results.outcome(), link.is_safe), (&Outcome::Finished, true));
    results
}

fn column<'r>(results: &'r Results, name: &str) -> &'r [f64] {
    results.column(name).unwrap()
}

/// From when on both hinges are held to the end.
fn stopped(results: &Results) -> f64 {
    let speeds = ["shoulder", "elbow"].map(|hinge| column(results, &format!("speed.{hinge}")));
    let times = column(results, "time");
    let moving = (0..times.len()).rev().find(|row| speeds.iter().any(|speed| speed[*row].abs() >= HELD));
    moving.map_or(0.0, |row| times[row])
}

/// Greatest change of a column from a time on.
fn moved(results: &Results, name: &str, from: f64) -> f64 {
    let rows = column(results, "time").iter().zip(column(results, name)).filter(|(time, _)| **time > from);
    let [least, most] = rows.fold([f64::INFINITY, -f64::INFINITY], |[a, b], (_, x)| [a.min(*x), b.max(*x)]);
    most - least
}

/// With flexible links, with every integrator offered against the clock, hinges stop within 0.8 s of the fault and stay, while links ring on; the ledger balances.
#[test]
fn hinges_stop_while_links_ring() {
    for (kind, step) in [
        ("exponential", "2.5e-3"),
        ("linearly-implicit", "1e-3"),
        ("generalized-alpha\"\ncorrections = 3 #", "1e-3"),
        ("rk4", "1e-4"),
        ("dormand-prince", "2e-4"),
        ("prince-dormand8", "2e-4"),
    ] {
        let rig = arm(&format!("stop-{}", &kind[..3]), 1.6);
        rig.change("kind = \"exponential\"", &format!("kind = \"{kind}\""));
        rig.change("step = 2.5e-3", &format!("step = {step}"));
        let results = faulty(&rig, "faulty", 0.2, Laws::Plain);
        let stopped = stopped(&results);
        let ledger = results.summary().ledger.clone().unwrap();
        let ringing = moved(&results, "mode.upper.1", 1.3);
        println!("{kind}: stopped {stopped} s, ringing {ringing:e}, {ledger:?}");
        assert!((0.2..1.0).contains(&stopped), "{kind}: {stopped} s");
        assert!(moved(&results, "hinge.shoulder", 1.1) < HELD && moved(&results, "hinge.elbow", 1.1) < HELD, "{kind}");
        assert!(ringing > 1e-6, "{kind}: {ringing:e}");
        assert!(ledger.balance_error.abs() < 1e-4, "{kind}: {ledger:?}");
    }
}

/// Steps of generated code give way to the integrator: hinges are held all the same.
#[test]
fn a_plant_of_generated_code_holds_too() {
    if std::process::Command::new("cc").arg("--version").output().is_err() {
        return;
    }
    let rig = rig("code-stop", 1.6);
    rig.change("columns = [\"hinges\", \"modes\", \"signals\"]", "columns = [\"hinges\", \"hinge_speeds\"]");
    rig.change("kind = \"exponential\"", "kind = \"linearly-implicit\"");
    let [code, plain] = [Laws::Compiled, Laws::Plain].map(|laws| faulty(&rig, &format!("{laws:?}"), 0.2, laws));
    assert!((0.2..1.0).contains(&stopped(&code)), "{} s", stopped(&code));
    assert!(code.summary().ledger.is_none() && plain.summary().ledger.is_some());
    let ends = [&code, &plain].map(|results| *column(results, "hinge.shoulder").last().unwrap());
    println!("code: stopped {} s, {ends:?}", stopped(&code));
    assert!((ends[0] - ends[1]).abs() < 1e-4, "{ends:?}");
}

/// Drives that can bear the arm hold it against its weight; one that cannot slips, and its hinge moves.
#[test]
fn weight_is_borne_up_to_the_effort() {
    let rig = arm("weight", 1.6);
    weighed(&rig);
    let results = faulty(&rig, "strong", 0.05, Laws::Plain);
    let end = stopped(&results);
    assert!((0.05..1.2).contains(&end), "{end} s");
    assert!(moved(&results, "hinge.shoulder", end) < HELD && moved(&results, "hinge.elbow", end) < HELD);
    assert!(moved(&results, "hinge.shoulder", 0.0) > 1e-3, "it fell before");
    // The weight takes some 4 N m of the shoulder.
    rig.change("effort = 50", "effort = 2");
    let results = faulty(&rig, "weak", 0.05, Laws::Plain);
    println!("stopped {end} s");
    let slipped = moved(&results, "hinge.shoulder", 0.1);
    println!("slipped {slipped} rad, {:?}", results.summary().ledger);
    assert!(slipped > 0.1, "{slipped} rad");
    let energy = results.summary().ledger.clone().unwrap();
    assert!(energy.balance_error.abs() < 1e-3, "{energy:?}");
}

/// Who acknowledges the fault has the arm back.
#[test]
fn an_acknowledgement_releases_the_brakes() {
    let rig = arm("release", 1.6);
    let trouble = Trouble {
        of_controller: vec![Injection::Nan(0.2)],
        acknowledged: Some(Duration::from_millis(900)),
        ..Trouble::default()
    };
    let (plant, controller) = both(&rig, "release", Pace::Clock(1.0), trouble);
    let ((results, link), controller) = (plant.unwrap(), controller.unwrap());
    let lines: Vec<&String> = controller.lines.iter().map(|(_, line)| line).collect();
    assert!(!link.is_safe, "{lines:?}");
    let (times, speeds) = (column(&results, "time"), column(&results, "speed.shoulder"));
    let held = (0..times.len()).filter(|row| speeds[*row].abs() < HELD && times[*row] > 0.2).count();
    let after = times.len() - 1;
    assert!(held > 3 && speeds[after].abs() > 1e-6, "held in {held} rows, {:e} at the end", speeds[after]);
}
