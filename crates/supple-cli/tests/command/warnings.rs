//! Warnings on the terminal, in the log and in the summary: when they come, once each.

use crate::run_support::{Folder, repository, run, signal, supple};
use std::fs;
use std::io::{BufRead, BufReader};

/// The pick-and-place of the Shuttle arm with angles in degrees.
fn degrees() -> Folder {
    let folder = Folder::new();
    folder.write("arm.toml", fs::read(repository("examples/shuttle-arm/arm.toml")).unwrap());
    let scenario = fs::read_to_string(repository("examples/shuttle-arm/cantilever-modes.toml")).unwrap();
    let mut told = scenario
        .replace("duration = 60", "duration = 10")
        .replace("folder = ", "formats = [\"csv\", \"mcap\"]\nfolder = ");
    for (radians, degrees) in [("to = 0.5", "to = 30"), ("to = 0.4", "to = 23"), ("to = -0.8", "to = -45")] {
        assert!(told.contains(radians));
        told = told.replace(radians, degrees);
    }
    folder.write("degrees.toml", told);
    folder
}

/// A run that would take minutes says why within seconds, and goes on; what it said is in the summary and, at its time, in the log.
#[test]
fn a_run_with_degrees_for_radians_says_so_while_it_goes_on() {
    let folder = degrees();
    let limit = "integrator.max_steps=2000000";
    let arguments = ["run", "degrees.toml", "-q", "-o", "out", "--no-report", "--set", limit];
    let mut child = supple(&folder, &arguments).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
    let mut told: Vec<String> = Vec::new();
    let collapsed = loop {
        let line = lines.next().unwrap_or_else(|| panic!("the run ended: {told:#?}"));
        told.push(line);
        let last = told.last().unwrap();
        if last.contains("collapsed") {
            break last.strip_prefix("supple: warning: ").unwrap().to_owned();
        }
    };
    assert!(child.try_wait().unwrap().is_none(), "the run had ended");
    assert!(collapsed.contains("hinge 'elbow pitch'") && collapsed.contains("degrees"), "{collapsed}");
    signal(child.id(), "INT");
    told.extend(lines);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let warnings: Vec<&str> = told.iter().filter_map(|line| line.strip_prefix("supple: warning: ")).collect();
    let summary = folder.json("out/summary.json");
    assert_eq!(serde_json::json!(warnings), summary["warnings"], "on the terminal and in the summary");
    assert!(warnings.len() >= 3, "{warnings:#?}");

    let bytes = fs::read(folder.path("out/results.mcap")).unwrap();
    let messages: Vec<_> = mcap::MessageStream::new(&bytes).unwrap().map(Result::unwrap).collect();
    let times: Vec<u64> = messages.iter().map(|message| message.log_time).collect();
    assert!(times.is_sorted(), "the log is in the order of time");
    let log: Vec<_> = messages.iter().filter(|message| message.channel.topic == "/log").collect();
    assert_eq!(log.len(), warnings.len());
    for (message, warning) in log.iter().zip(&warnings) {
        assert_eq!(message.channel.schema.as_ref().unwrap().name, "foxglove.Log");
        let content: serde_json::Value = serde_json::from_slice(&message.data).unwrap();
        assert_eq!(content["message"], **warning);
        let time = warning.strip_prefix("at t = ").and_then(|rest| rest.split(' ').next()).unwrap();
        assert!((message.log_time as f64 * 1e-9 - time.parse::<f64>().unwrap()).abs() < 1e-6, "{warning}");
    }
}

/// The check says where a start beyond a stop is written, as the run does.
#[test]
fn a_start_beyond_a_stop_is_found_by_the_check() {
    let folder = Folder::new();
    let model = r#"
format = "supple-model-1"
[[body]]
name = "arm"
hinge = { name = "elbow", kind = "revolute", axis = [0, 0, 1], stops = { lower = -1, upper = 1, stiffness = 100 } }
rigid = { mass = 1, mass_centre = [0.5, 0, 0], inertia = [0.1, 0.4, 0.4] }
"#;
    let scenario = "format = \"supple-scenario-1\"\nmodel = \"model.toml\"\nduration = 1\noutput_interval = 0.1\n";
    folder.write("model.toml", model);
    let moved = "[[motion]]\nhinge = \"elbow\"\nquintic = { from = 90, to = 91, duration = 1 }\n";
    for (more, line, remedy) in [
        ("[initial.hinges]\nelbow = 90\n", 6, "`initial.hinges.\"elbow\"` between -1 and 1"),
        (moved, 5, "start its motion between -1 and 1"),
    ] {
        folder.write("scenario.toml", format!("{scenario}{more}"));
        for command in ["check", "run"] {
            let output = run(&folder, &[command, "scenario.toml"]);
            assert_eq!(output.status.code(), Some(1));
            let told = String::from_utf8_lossy(&output.stderr).into_owned();
            let words = ["hinge `elbow` starts at 90 rad, beyond its upper stop at 1 rad by 89.0", remedy];
            assert!(words.iter().all(|words| told.contains(words)), "{command}: {told}");
            assert!(told.contains(&format!("scenario.toml:{line}:")), "{command}: {told}");
        }
        let output = run(&folder, &["check", "scenario.toml", "--format", "json"]);
        let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&told["sound"], &told["problems"][0]["line"]), (&false.into(), &line.into()), "{told}");
    }
}
