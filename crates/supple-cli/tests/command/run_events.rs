//! Events of scenarios: where they are, what they do, and what is said about them.

use crate::run_support::{Folder, runs};
use supple_io::results::read_csv;

/// Inertia 2 kg m² on a spring of 50 N m/rad: `θ = 0.6 cos 5t`.
fn oscillator(integrator: &str, events: &str) -> Folder {
    let folder = Folder::new();
    let model = "format = \"supple-model-1\"\nname = \"oscillator\"\n[[body]]\nname = \"wheel\"\n\
                 hinge = { name = \"axle\", kind = \"revolute\", axis = [0, 0, 1], spring = { stiffness = 50 } }\n\
                 rigid = { mass = 3, inertia = [1.5, 1.5, 2] }\n";
    let scenario = format!(
        "format = \"supple-scenario-1\"\nmodel = \"model.toml\"\nduration = 2\noutput_interval = 0.1\ncheckpoint_interval = 0.5\n\
         [initial.hinges]\naxle = 0.6\n[integrator]\n{integrator}\n{events}"
    );
    folder.write("model.toml", model).write("scenario.toml", scenario);
    folder
}

fn event(name: &str, quantity: &str, value: f64, more: &str) -> String {
    format!("[[events]]\nname = \"{name}\"\nquantity = \"{quantity}\"\nvalue = {value:?}\n{more}\n")
}

/// Times and names in the summary.
fn events(folder: &Folder) -> Vec<(f64, String)> {
    let summary = folder.json("results/summary.json");
    let list = summary["events"].as_array().unwrap().iter();
    list.map(|event| (event["time"].as_f64().unwrap(), event["name"].as_str().unwrap().to_owned())).collect()
}

const METHODS: [&str; 9] = [
    "kind = \"automatic\"\nrelative_tolerance = 1e-11\nabsolute_tolerance = 1e-13",
    "kind = \"adams\"\nrelative_tolerance = 1e-12\nabsolute_tolerance = 1e-13",
    "kind = \"bdf\"\nrelative_tolerance = 1e-13\nabsolute_tolerance = 1e-14",
    "kind = \"dormand-prince\"\nrelative_tolerance = 1e-11\nabsolute_tolerance = 1e-13",
    "kind = \"prince-dormand8\"\nrelative_tolerance = 1e-11\nabsolute_tolerance = 1e-13",
    "kind = \"rk4\"\nstep = 1e-3",
    "kind = \"linearly-implicit\"\nrelative_tolerance = 1e-10\nabsolute_tolerance = 1e-12",
    "kind = \"exponential-adams\"\nstep = 1e-3",
    "kind = \"gauss\"\nstep = 1e-2\nstages = 5\niteration_tolerance = 1e-13",
];

/// Every crossing of `0.6 cos 5t` is where it should be, and the rows do not know of it.
#[test]
fn crossings_are_recorded_where_they_are() {
    let watched = event("zero", "hinge.axle", 0.0, "")
        + &event("upward", "hinge.axle", 0.3, "direction = \"rising\"")
        + &event("slowing", "speed.axle", -1.5, "direction = \"falling\"\naction = \"record\"");
    // cos 5t = 0; cos 5t = 1/2 on the way up; sin 5t = 1/2 on the way up.
    let turns =
        |phase: f64, period: f64| (0..9).map(move |n| (phase + period * f64::from(n)) / 5.0).filter(|t| *t < 2.0);
    use std::f64::consts::{PI, TAU};
    let mut expected: Vec<(f64, &str)> = turns(PI / 2.0, PI).map(|t| (t, "zero")).collect();
    expected.extend(turns(5.0 * PI / 3.0, TAU).map(|t| (t, "upward")));
    expected.extend(turns(PI / 6.0, TAU).map(|t| (t, "slowing")));
    expected.sort_by(|a, b| a.0.total_cmp(&b.0));
    assert_eq!(expected.len(), 6);
    for method in METHODS {
        let (plain, folder) = (oscillator(method, ""), oscillator(method, &watched));
        runs(&plain, &["run", "scenario.toml", "-q"]);
        let told = runs(&folder, &["run", "scenario.toml"]);
        let found = events(&folder);
        assert_eq!(found.len(), expected.len(), "{method}: {found:?}");
        for ((time, name), (at, expected)) in found.iter().zip(&expected) {
            assert!((time - at).abs() < 1e-7 && name == expected, "{method}: {name} at {time}, {expected} at {at}");
        }
        assert_eq!(plain.text("results/results.csv"), folder.text("results/results.csv"), "{method}");
        for words in ["  events\n", "0.314159 s  zero\n"] {
            assert!(told.contains(words), "`{words}` is missing in: {told}");
        }
    }
}

/// A run ends at its event: complete up to there, with a row at that time; it is finished, and stays so.
#[test]
fn a_run_stops_at_its_event() {
    let watched = event("zero", "hinge.axle", 0.0, "") + &event("far side", "hinge.axle", -0.3, "action = \"stop\"");
    let at = 2.0 * std::f64::consts::PI / 15.0;
    for method in METHODS {
        let (plain, folder) = (oscillator(method, ""), oscillator(method, &watched));
        runs(&plain, &["run", "scenario.toml", "-q"]);
        let told = runs(&folder, &["run", "scenario.toml"]);
        assert!(told.contains("the event `far side` ended the run"), "{told}");
        let summary = folder.json("results/summary.json");
        assert_eq!(summary["outcome"], serde_json::json!({ "state": "stopped", "reason": "far side" }), "{method}");
        let [whole, rows] = [&plain, &folder].map(|folder| read_csv(&folder.path("results/results.csv")).unwrap().rows);
        // 0, 0.1, ... 0.4 and the event.
        assert_eq!(rows.len(), 6, "{method}");
        assert_eq!(rows[..5], whole[..5], "{method}");
        let (time, angle) = (rows[5][0], rows[5][1]);
        assert!((time - at).abs() < 1e-7 && (angle + 0.3).abs() < 1e-9, "{method}: {angle} at {time}");
        assert_eq!(summary["end_time"], time, "{method}");
        assert_eq!(summary["files"][0]["rows"], 6, "{method}");
        let found = events(&folder);
        assert_eq!(found.iter().map(|event| event.1.as_str()).collect::<Vec<_>>(), ["zero", "far side"], "{method}");
        assert_eq!(found[1].0, time, "{method}");

        let csv = folder.text("results/results.csv");
        runs(&folder, &["run", "scenario.toml", "-q", "--resume"]);
        assert_eq!(folder.text("results/results.csv"), csv, "{method}");
        let again = folder.json("results/summary.json");
        for part in ["outcome", "events", "end_time", "ledger"] {
            assert_eq!(again[part], summary[part], "{method}: {part}");
        }
    }
}

/// Where there are very many events, all are counted and not all are listed.
#[test]
fn very_many_events() {
    let folder = oscillator("kind = \"rk4\"\nstep = 1e-3", &event("zero", "hinge.axle", 0.0, ""));
    // 50 rad/s for 700 s: more than 11 000 crossings.
    let text = folder.text("model.toml").replace("stiffness = 50", "stiffness = 5000");
    folder.write("model.toml", text);
    let text = folder.text("scenario.toml");
    let text =
        text.replace("duration = 2\n", "duration = 700\n").replace("output_interval = 0.1", "output_interval = 100");
    folder.write("scenario.toml", text);
    runs(&folder, &["run", "scenario.toml", "-q"]);
    let expected = (50.0 * 700.0 / std::f64::consts::PI + 0.5_f64).floor();
    let more = folder.json("results/summary.json")["events_not_listed"].as_u64().unwrap();
    assert_eq!(events(&folder).len(), 10_000);
    // The frequency of this step is low by (ωh)⁴/120 = 5e-8.
    assert!((10_000.0 + more as f64 - expected).abs() <= 1.0, "{more} beside 10 000, {expected} expected");
}
