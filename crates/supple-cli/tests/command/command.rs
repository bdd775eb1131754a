//! The command as a user meets it: exit status, messages, pipes.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

fn supple(arguments: &[&str]) -> Command {
    let mut command = Command::new(crate::program());
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn reference(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../references/cases").join(format!("{name}.json"))
}

/// Runs the command with an input.
fn run(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = supple(arguments).spawn().unwrap();
    // A command that refuses its arguments does not read its input.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

#[track_caller]
fn assert_fails(output: &Output, status: i32, says: &str) {
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{told}");
    assert!(told.contains(says), "`{says}` is missing in: {told}");
    assert!(!told.contains("panicked"), "{told}");
    assert!(output.stdout.is_empty());
}

#[test]
fn eval_answers_on_standard_output() {
    let case = std::fs::read(reference("serial_2_flex")).unwrap();
    let output = run(&["eval"], &case);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty());
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let expected = serde_json::from_slice::<serde_json::Value>(&case).unwrap()["expected"].take();
    for member in expected.as_object().unwrap().keys() {
        assert!(answer.get(member).is_some(), "{member} is missing");
    }
    let (a, b) = (answer["udot"][0].as_f64().unwrap(), expected["udot"][0].as_f64().unwrap());
    assert!((a - b).abs() <= 1e-9 * b.abs(), "{a} {b}");
    let path = reference("serial_2_flex");
    let from_file = run(&["eval", path.to_str().unwrap()], b"");
    assert_eq!(from_file.stdout, output.stdout);
    assert_eq!(run(&["eval", "-"], &case).stdout, output.stdout);
}

#[test]
fn eval_tells_kinds_that_are_not_supported() {
    let closed = std::fs::read_to_string(reference("loop_flex_ball_to_ground")).unwrap();
    let unknown = closed.replacen("\"closed\"", "\"network\"", 1);
    let output = run(&["eval"], unknown.as_bytes());
    assert_fails(&output, 2, "supple: standard input: kind: cases of kind `network` are not supported");
    let book = run(&["eval", "--formulation", "book"], closed.as_bytes());
    assert_fails(&book, 2, "Book's formulation evaluates trees");
}

#[test]
fn eval_closes_loops() {
    let case = std::fs::read(reference("loop_flex_ball_to_ground")).unwrap();
    let output = run(&["eval"], &case);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let expected = serde_json::from_slice::<serde_json::Value>(&case).unwrap()["expected"].take();
    let force = |of: &serde_json::Value| of["closure_wrench_on_a"][0][3].as_f64().unwrap();
    assert!((force(&answer) - force(&expected)).abs() <= 1e-9 * force(&expected).abs());
}

#[test]
fn eval_follows_a_trajectory() {
    let output = run(&["eval"], &std::fs::read(reference("traj_flexible_double_pendulum")).unwrap());
    assert!(output.status.success());
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["samples"]["theta_1"].as_array().unwrap().len(), 20);
}

#[test]
fn eval_tells_what_is_wrong() {
    assert_fails(&run(&["eval"], b""), 1, "the case is empty");
    assert_fails(&run(&["eval"], b"{\n \"schema\": oops}"), 1, "schema (line 2, column 12): not JSON");
    assert_fails(&run(&["eval"], b"\xff\xfe{"), 1, "byte 0 is not UTF-8");
    assert_fails(&run(&["eval", "no/such/file.json"], b""), 1, "no/such/file.json: ");
    let text = std::fs::read_to_string(reference("serial_2_flex")).unwrap();
    let negative = text.replacen("\"m\": ", "\"m\": -", 1);
    assert_fails(&run(&["eval"], negative.as_bytes()), 1, "serial_2_flex_0");
    let output = run(&["eval"], text.replacen("\"m\": ", "\"m\": 1e999, \"mass\": ", 1).as_bytes());
    assert_fails(&output, 1, "model.bodies[0].nodes[0].m (line 1, column ");
    assert_fails(&output, 1, "unknown member `mass`");
}

#[test]
fn eval_survives_a_reader_that_goes_away() {
    let mut child = supple(&["eval"]).spawn().unwrap();
    // The reading end is closed before there is anything to read.
    drop(child.stdout.take());
    let case = std::fs::read(reference("floating_flex_hub_three_branches")).unwrap();
    child.stdin.take().unwrap().write_all(&case).unwrap();
    let mut told = String::new();
    child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
    let status = child.wait().unwrap();
    assert!(told.is_empty(), "{told}");
    assert_eq!(status.code(), Some(0));
}

#[test]
fn usage_errors_have_status_two() {
    assert_fails(&run(&[], b""), 2, "Usage: supple");
    assert_fails(&run(&["evaluate"], b""), 2, "unrecognized subcommand");
    assert_fails(&run(&["eval", "--fast"], b""), 2, "unexpected argument");
    assert_fails(&run(&["cost", "--bodies", "0"], b""), 2, "0 is not in 1..=100000");
    assert_fails(&run(&["cost", "--bodies", "100001"], b""), 2, "100001 is not in 1..=100000");
    assert_fails(&run(&["cost", "--modes", "1001"], b""), 2, "from 0 to 1000");
    assert_fails(&run(&["cost", "--modes", "5..1"], b""), 2, "write 1..5");
    let large = run(&["cost", "--bodies", "1000", "--modes", "1,120"], b"");
    assert_fails(&large, 2, "1000 bodies of 120 modes are too many");
    assert_fails(&run(&["cost", "--model", "ee", "--modes", "6,30"], b""), 2, "at most 24 modes");
    assert_fails(&run(&["cost", "--format", "xml"], b""), 2, "[possible values: table, csv, json]");
}

#[test]
fn help_and_version() {
    for (argument, says) in [("--help", "Usage: supple"), ("--version", env!("CARGO_PKG_VERSION"))] {
        let output = run(&[argument], b"");
        assert!(output.status.success() && String::from_utf8_lossy(&output.stdout).contains(says));
    }
}

#[test]
fn cost_in_every_format() {
    let arguments = ["cost", "--bodies", "3", "--modes", "0,2", "--format"];
    let output = |format| run(&[&arguments[..], &[format]].concat(), b"");
    let csv = String::from_utf8(output("csv").stdout).unwrap();
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0], ["algorithm", "stage", "bodies", "modes", "multiplications", "additions", "other"]);
    for row in &rows[1..] {
        assert_eq!(row.len(), 7);
        assert_eq!(row[2], "3");
        assert!(row[3] == "0" || row[3] == "2");
        assert!(row[4..].iter().all(|count| count.parse::<u64>().is_ok()), "{row:?}");
    }
    for algorithm in [
        "articulated-auto",
        "articulated-condensed",
        "articulated-indirect",
        "articulated-explicit",
        "composite",
        "inverse",
        "paper-articulated",
        "paper-composite",
    ] {
        assert!(rows.iter().any(|row| row[0] == algorithm), "{algorithm} is missing");
    }
    let json: serde_json::Value = serde_json::from_slice(&output("json").stdout).unwrap();
    assert_eq!(json.as_array().unwrap().len(), rows.len() - 1);
    assert_eq!(json[0]["multiplications"].to_string(), rows[1][4]);
    let table = String::from_utf8(output("table").stdout).unwrap();
    assert_eq!(table.lines().count(), rows.len());
    assert_eq!(table.split_whitespace().collect::<Vec<_>>(), rows.concat());
}
