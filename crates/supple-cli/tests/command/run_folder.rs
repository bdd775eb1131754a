//! A folder of results belongs to one run: no two write at once, nothing of an earlier one stays, and links lead nowhere.
#![cfg(unix)]

use crate::run_endings::{ENDLESS, has_rows, wheel};
use crate::run_support::{Folder, run, run_within, runs, signal, start};
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Output;
use std::time::Duration;
use supple_io::results::read_csv;

#[track_caller]
fn refused(output: &Output, words: &[&str]) {
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    words.iter().for_each(|word| assert!(told.contains(word), "`{word}` is missing in: {told}"));
}

/// A second run is refused at once, and told who is there; a run that was killed is in nobody's way.
#[test]
fn two_runs_do_not_share_a_folder() {
    let folder = wheel(ENDLESS, "");
    let mut first = start(&folder, &["run", "scenario.toml", "--force"]);
    assert!(has_rows(&folder, "results", &mut first, 10));
    let process = format!("process {}", first.id());
    for option in ["--force", "--resume"] {
        let second = run_within(&folder, &["run", "scenario.toml", option], Duration::from_secs(20));
        refused(&second, &["results: another run writes here: ", &process, " UTC; ", "wait", "-o"]);
    }
    let rows = read_csv(&folder.path("results/results.csv")).unwrap().rows;
    assert!(rows.iter().enumerate().all(|(i, row)| (row[0] - i as f64 * 0.01).abs() < 1e-9), "rows of two runs");
    signal(first.id(), "KILL");
    first.wait().unwrap();
    assert!(folder.path("results/.run.lock").exists());
    runs(&folder, &["run", "scenario.toml", "--force", "--set", "duration=0.05"]);
    assert!(!folder.path("results/.run.lock").exists());
    assert_eq!(read_csv(&folder.path("results/results.csv")).unwrap().rows.len(), 6);
}

/// Starts a run, waits for rows and kills it.
fn killed(folder: &Folder, arguments: &[&str], rows: usize) {
    let mut child = start(folder, arguments);
    assert!(has_rows(folder, "results", &mut child, rows), "the run ended by itself");
    signal(child.id(), "KILL");
    child.wait().unwrap();
}

/// What was made of other rows is not there when new rows are.
#[test]
fn nothing_of_an_earlier_run_stays_beside_new_rows() {
    let made = ["report.html", "plot.svg", "results.mcap", "results.parquet"];
    let folder = wheel(ENDLESS, "[results]\nformats = [\"csv\", \"mcap\", \"parquet\"]\n");
    let stale =
        || -> Vec<&str> { made.into_iter().filter(|name| folder.path(&format!("results/{name}")).exists()).collect() };
    runs(&folder, &["run", "scenario.toml", "-q", "--set", "duration=0.1", "--plot", "hinge.axle"]);
    assert_eq!(stale(), made);
    killed(&folder, &["run", "scenario.toml", "--force", "--set", "results.formats=[\"csv\"]"], 30);
    assert_eq!(stale(), [""; 0], "after --force");
    assert_eq!(folder.json("results/summary.json")["outcome"]["state"], "running");

    // The same where rows are added by --resume; `folder` has rows and a checkpoint.
    for name in made {
        folder.write(&format!("results/{name}"), "of an earlier run");
    }
    folder.write("results/summary.json", "of an earlier run");
    let rows = read_csv(&folder.path("results/results.csv")).unwrap().rows.len();
    killed(&folder, &["run", "scenario.toml", "--resume", "--set", "results.formats=[\"csv\"]"], rows + 10);
    assert_eq!(stale(), [""; 0], "after --resume");
    assert_eq!(folder.json("results/summary.json")["outcome"]["state"], "running");
}

/// A results folder that a scenario names leads nowhere else through a link; with -o it may.
#[test]
fn a_scenario_does_not_write_outside_of_its_folder() {
    let (folder, outside) = (wheel(0.05, "[results]\nfolder = \"link/escaped\"\n"), Folder::new());
    symlink(outside.root(), folder.path("link")).unwrap();
    let output = run(&folder, &["run", "scenario.toml"]);
    let line = folder.text("scenario.toml").lines().position(|line| line.contains("link/escaped")).unwrap() + 1;
    let place = format!("scenario.toml:{line}: `results.folder` = \"link/escaped\" leads to");
    refused(&output, &[&place, "through a link", "-o"]);
    symlink(outside.path("nothing"), folder.path("dangling")).unwrap();
    refused(&run(&folder, &["run", "scenario.toml", "--set", "results.folder=dangling"]), &["leads nowhere"]);
    assert_eq!(fs::read_dir(outside.root()).unwrap().count(), 0, "results left the folder");
    fs::create_dir(folder.path("inside")).unwrap();
    symlink("inside", folder.path("short")).unwrap();
    runs(&folder, &["run", "scenario.toml", "-q", "--set", "results.folder=short/way"]);
    assert!(folder.path("inside/way/results.csv").exists());
    runs(&folder, &["run", "scenario.toml", "-q", "-o", "link/escaped"]);
    assert!(outside.path("escaped/results.csv").exists());
}

/// Links in the place of files are replaced; what they lead to stays.
#[test]
fn links_are_replaced_and_not_followed() {
    let folder = wheel(0.1, "[results]\nformats = [\"csv\", \"mcap\", \"parquet\"]\n");
    let names = [
        "results.csv",
        "results.mcap",
        "results.parquet",
        "summary.json",
        "checkpoint.json",
        "checkpoint.json.new",
        "motion.json",
        "report.html",
        "plot.svg",
        ".summary.json.partial",
        ".results.mcap.partial",
        ".run.lock",
    ];
    fs::create_dir(folder.path("results")).unwrap();
    for name in names {
        folder.write(&format!("precious/{name}"), "precious");
        symlink(folder.path(&format!("precious/{name}")), folder.path(&format!("results/{name}"))).unwrap();
    }
    folder.write("precious/parts/0001.parquet", "precious");
    symlink(folder.path("precious/parts"), folder.path("results/results.parts")).unwrap();
    runs(&folder, &["run", "scenario.toml", "-q", "--force", "--plot", "hinge.axle"]);
    for name in names.into_iter().chain(["parts/0001.parquet"]) {
        assert_eq!(folder.text(&format!("precious/{name}")), "precious", "{name}");
    }
    let links: Vec<_> = fs::read_dir(folder.path("results")).unwrap().flatten().collect();
    assert!(links.iter().all(|entry| !entry.file_type().unwrap().is_symlink()), "{links:?}");

    // Rows are not continued through a link either.
    fs::rename(folder.path("results/results.csv"), folder.path("precious/rows")).unwrap();
    symlink(folder.path("precious/rows"), folder.path("results/results.csv")).unwrap();
    let rows = folder.text("precious/rows");
    refused(&run(&folder, &["run", "scenario.toml", "--resume"]), &["results.csv: it is a link"]);
    assert_eq!(folder.text("precious/rows"), rows);
}

/// Hinges start between their stops, or where the user wants them moved there.
#[test]
fn a_start_beyond_a_stop_is_refused() {
    let folder = wheel(0.05, "");
    let at = |angle: &str, more: &[&str]| {
        let set = format!("initial.hinges.axle={angle}");
        run(&folder, &[&["run", "scenario.toml", "--force", "--set", &set], more].concat())
    };
    refused(
        &at("10.5", &[]),
        &["hinge `axle` starts at 10.5 rad, beyond its upper stop at 10 rad by 0.5", "initial.hinges", "inside_stops"],
    );
    refused(&at("-10.00001", &[]), &["beyond its lower stop at -10 rad"]);
    assert!(!folder.path("results").exists());
    for angle in ["10", "10.000000001", "-10", "0"] {
        let output = at(angle, &[]);
        assert_eq!(output.status.code(), Some(0), "{angle}: {}", String::from_utf8_lossy(&output.stderr));
    }
    let output = at("10.5", &["--set", "initial.inside_stops=true"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let data = read_csv(&folder.path("results/results.csv")).unwrap();
    let axle = data.heads.iter().position(|(name, _)| name == "hinge.axle").unwrap();
    assert_eq!(data.rows[0][axle], 10.0);
}
