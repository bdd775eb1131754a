//! Pages of runs: written by default, made again from results, of any run and however it ended.

use crate::run_support::{Folder, repository, run, runs, signal, start, supple};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// The Shuttle arm example in a folder of its own, `replace` done to its scenario.
fn shuttle_arm(replace: &[(&str, &str)]) -> Folder {
    let folder = Folder::new();
    let mut scenario = fs::read_to_string(repository("examples/shuttle-arm/fast.toml")).unwrap();
    for (old, new) in replace {
        assert!(scenario.contains(old), "the example has no `{old}`");
        scenario = scenario.replacen(old, new, 1);
    }
    folder.write("arm.toml", fs::read(repository("examples/shuttle-arm/arm.toml")).unwrap());
    folder.write("fast.toml", scenario);
    folder
}

const SHORT: (&str, &str) = ("\nduration = 20\n", "\nduration = 0.5\n");

#[test]
fn a_run_writes_a_page_and_report_makes_it_again() {
    let folder = shuttle_arm(&[SHORT]);
    let told = runs(&folder, &["run", "fast.toml", "-o", "out"]);
    assert!(told.contains("report to open in a browser: out/report.html"), "{told}");
    let page = folder.text("out/report.html");
    assert!(page.contains("Shuttle arm") && page.contains("supple run --force fast.toml -o out"));
    // As printed, it works.
    runs(&folder, &["run", "--force", "fast.toml", "-o", "out"]);
    let page = folder.text("out/report.html");
    fs::remove_file(folder.path("out/report.html")).unwrap();
    assert_eq!(runs(&folder, &["report", "out"]).trim(), "out/report.html");
    assert_eq!(folder.text("out/report.html"), page);
    runs(&folder, &["report", "out", "-o", "elsewhere.html"]);
    assert_eq!(folder.text("elsewhere.html"), page);
    let motion = folder.json("out/motion.json");
    assert_eq!(motion["scene"]["bodies"].as_array().unwrap().len(), 7);
}

#[test]
fn no_report_is_no_report() {
    let folder = shuttle_arm(&[SHORT]);
    let told = runs(&folder, &["run", "fast.toml", "-o", "out", "--no-report"]);
    assert!(!told.contains("report.html") && !folder.path("out/report.html").exists());
    assert!(folder.path("out/motion.json").exists());
}

/// A page that cannot be written is a warning: the results are there, the status is that of the run.
#[test]
fn a_page_that_cannot_be_written_takes_nothing_from_the_results() {
    let folder = shuttle_arm(&[SHORT]);
    folder.write("out/report.html/in the way", "");
    let output = run(&folder, &["run", "fast.toml", "-o", "out", "--force"]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{told}");
    assert!(told.contains("warning: no report") && told.contains("report.html"), "{told}");
    assert_eq!(folder.json("out/summary.json")["outcome"]["state"], "finished");
    assert!(folder.text("out/results.csv").lines().count() > 2);
}

#[test]
fn runs_that_fail_or_are_interrupted_have_pages_that_say_so() {
    let folder = shuttle_arm(&[("[integrator]\n", "[integrator]\nmax_steps = 200\n")]);
    let output = run(&folder, &["run", "fast.toml", "-o", "out"]);
    assert_eq!(output.status.code(), Some(1));
    let page = folder.text("out/report.html");
    assert!(page.contains("\"state\":\"failed\"") || page.contains("The run failed"));

    let folder = shuttle_arm(&[("\nduration = 20\n", "\nduration = 2000\n")]);
    let mut child = start(&folder, &["run", "fast.toml", "-o", "out"]);
    let (csv, begun) = (folder.path("out/results.csv"), Instant::now());
    while fs::read_to_string(&csv).unwrap_or_default().lines().count() < 3 && begun.elapsed() < Duration::from_secs(60)
    {
        std::thread::sleep(Duration::from_millis(20));
    }
    signal(child.id(), "INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let page = folder.text("out/report.html");
    assert!(page.contains("\"state\":\"interrupted\"") || page.contains("interrupted by the user"));
}

/// Modes in the report of a run that ends in motion are about its pose at rest: the command that it names finds the same, and nothing damps the arm.
#[test]
fn modes_of_a_report_are_those_of_the_command_it_names() {
    let folder = shuttle_arm(&[SHORT]);
    runs(&folder, &["run", "fast.toml", "-o", "out"]);
    let motion = folder.json("out/motion.json");
    let about = &motion["modes_about"];
    let words = about["state"].as_str().unwrap();
    assert!(words.contains("t = 0.5 s, at rest and in equilibrium; all hinges locked there"), "{words}");
    let command = about["command"].as_str().unwrap();
    assert!(command.starts_with("supple modes arm.toml --system --trim --at 'shoulder yaw="), "{command}");
    let words = command.replace('\'', "");
    let (head, at) = words.split_once(" --at ").unwrap();
    let arguments: Vec<&str> = head.split(' ').skip(1).chain(["--at", at, "--format", "json"]).collect();
    let found: serde_json::Value = serde_json::from_str(&runs(&folder, &arguments)).unwrap();
    let numbers = |list: &serde_json::Value, key: &str| -> Vec<f64> {
        list.as_array().unwrap().iter().map(|mode| mode[key].as_f64().unwrap()).collect()
    };
    let shown = numbers(&motion["modes"], "frequency");
    let named = numbers(&found["modes"], "frequency_hz");
    assert!(shown.len() == 12 && named.len() == 12, "{shown:?} {named:?}");
    assert!(shown.iter().zip(&named).all(|(a, b)| (a / b - 1.0).abs() < 1e-8), "{shown:?} {named:?}");
    assert!(numbers(&motion["modes"], "damping_ratio").iter().all(|ratio| ratio.abs() < 1e-9), "{motion}");
    // The payload has most of the motion, the booms all of the strain.
    let lowest = &motion["modes"][0];
    assert!(lowest["members"].as_str().unwrap().starts_with("payload "), "{lowest}");
    assert!(lowest["strained"].as_str().unwrap().starts_with("link "), "{lowest}");
}

/// One row, no modes, no nodes of its own, a free body: there is a page.
#[test]
fn the_smallest_run_has_a_page() {
    let folder = Folder::new();
    folder.write(
        "model.toml",
        "format = \"supple-model-1\"\n[[body]]\nname = \"</script>\"\nhinge = { kind = \"free\" }\nrigid = { mass = 1 }\n",
    );
    folder.write(
        "scenario.toml",
        "format = \"supple-scenario-1\"\nmodel = \"model.toml\"\nduration = 0.1\noutput_interval = 1\n[results]\nfolder = \"out\"\ncolumns = []\n",
    );
    let output = run(&folder, &["run", "scenario.toml"]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    // A point has no inertia to turn with: the engine may refuse it, in words; what it runs has a page.
    if output.status.code() == Some(0) {
        let page = folder.text("out/report.html");
        assert!(!page.contains("\"name\":\"</script>\""));
    } else {
        assert!(!told.is_empty());
    }
}

#[test]
fn folders_without_results_are_told() {
    let folder = Folder::new();
    let missing = "nowhere.toml: there is no such file or folder";
    for (arguments, words) in [
        (vec!["report", "."], "motion.json"),
        (vec!["compare", ".", "."], "motion.json"),
        (vec!["view", "."], "motion.json"),
        (vec!["report", "nowhere.toml"], missing),
        (vec!["picture", "nowhere.toml"], missing),
        (vec!["picture", "nowhere.toml", "-o", "out.svg"], missing),
    ] {
        let output = run(&folder, &arguments);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {told}");
        assert!(told.starts_with("supple: ") && told.contains(words), "{arguments:?}: {told}");
    }
}

#[test]
fn two_runs_are_compared() {
    let folder = shuttle_arm(&[SHORT]);
    runs(&folder, &["run", "fast.toml", "-o", "one"]);
    let other = folder
        .text("fast.toml")
        .replace("output_interval = 0.05", "output_interval = 0.03")
        .replace("to = 0.4", "to = 0.5");
    folder.write("other.toml", other);
    runs(&folder, &["run", "other.toml", "-o", "two"]);
    let all = runs(&folder, &["compare", "one", "two", "-o", "all.html"]);
    // The largest first, in parts of the range of the curve.
    let share =
        |line: &str| line.split_once('%').and_then(|(head, _)| head.split_whitespace().last()?.parse::<f64>().ok());
    let shares: Vec<f64> = all.lines().filter_map(share).collect();
    assert!(shares.len() == 20 && shares.windows(2).all(|pair| pair[0] >= pair[1]) && shares[0] <= 100.0, "{all}");
    let told = runs(&folder, &["compare", "one", "two", "--columns", "hinge,deflection"]);
    assert!(told.contains("deflection.link 3."), "{told}");
    let line =
        told.lines().find(|line| line.starts_with("hinge.shoulder yaw[rad]")).unwrap_or_else(|| panic!("{told}"));
    let numbers: Vec<f64> = line.split_whitespace().rev().take(3).map(|word| word.parse().unwrap()).collect();
    assert!(numbers[2] > 0.0 && numbers[1] <= 0.5 && numbers[0] <= numbers[2], "{line}");
    assert!(folder.text("compare.html").contains("Shuttle arm"));
    let output = run(&folder, &["compare", "one", "two"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--force"));
    // Chosen columns are all printed, and no others.
    let few = runs(&folder, &["compare", "one", "two", "--force", "--columns", "node.payload,hinge.wrist roll"]);
    let names: Vec<&str> =
        few.lines().filter(|line| line.contains('[')).map(|l| l.split('[').next().unwrap()).collect();
    assert_eq!(names.len(), 14, "{few}");
    assert!(names.iter().all(|name| name.starts_with("node.payload") || *name == "hinge.wrist roll"), "{few}");
    let none = runs(&folder, &["compare", "one", "two", "--force", "--columns", "spin"]);
    assert!(none.starts_with("no common column starts with spin"), "{none}");
    let same = runs(&folder, &["compare", "one", "one", "--force"]);
    assert!(same.starts_with("the runs do not differ\nthe same in both runs: "), "{same}");
    assert!(same.contains("hinge.shoulder yaw, ") && same.contains(", …\n"), "{same}");
    let same = runs(&folder, &["compare", "one", "one", "--force", "--columns", "hinge"]);
    assert!(same.contains("hinge.shoulder yaw[rad]"));
    assert!(same.lines().skip(1).filter(|l| l.contains('[')).all(|l| l.contains("0.000000e0")), "{same}");
}

/// The resumed run leaves the motion of a run without interruption.
#[test]
fn a_run_that_goes_on_has_all_of_its_motion() {
    let folder = shuttle_arm(&[("\nduration = 20\n", "\nduration = 4\ncheckpoint_interval = 0.5\n")]);
    runs(&folder, &["run", "fast.toml", "-o", "whole"]);
    let mut child = start(&folder, &["run", "fast.toml", "-o", "out"]);
    let begun = Instant::now();
    while !folder.path("out/checkpoint.json").exists() && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    signal(child.id(), "INT");
    if child.wait().unwrap().code() == Some(130) {
        runs(&folder, &["run", "fast.toml", "-o", "out", "--resume"]);
    }
    let motions = ["whole", "out"].map(|name| folder.json(&format!("{name}/motion.json"))["motion"].clone());
    assert!(motions[0] == motions[1], "other frames");
}

/// Asks a server for a path.
fn get(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    stream.write_all(format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n").as_bytes()).unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

#[test]
fn a_live_run_keeps_up_with_real_time_and_can_be_looked_at() {
    let folder = shuttle_arm(&[("\nduration = 20\n", "\nduration = 2\n")]);
    let mut child = supple(&folder, &["view", "fast.toml", "-o", "out", "--port", "0"]).spawn().unwrap();
    let begun = Instant::now();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let first = lines.next().unwrap().unwrap();
    let address = first.split("http://").nth(1).unwrap_or_else(|| panic!("{first}")).trim_end_matches('/').to_owned();
    assert!(address.starts_with("127.0.0.1:"), "{address}");
    // All rows, as they come, to the end.
    let events = get(&address, "/events?from=0");
    let took = begun.elapsed().as_secs_f64();
    assert!(
        events.contains("\"time\":0.0,") && events.contains("\"time\":2.0,") && events.contains("event: over"),
        "no rows"
    );
    assert!(took > 1.9, "faster than real time: {took} s");
    // How much later than due the last row came shows in the time that the run took on the clock.
    let told = lines.map_while(Result::ok).find(|line| line.contains("until Ctrl-C"));
    assert!(told.is_some());
    let late = folder.json("out/summary.json")["wall_time"].as_f64().unwrap() - 2.0;
    assert!(late < 1.0, "the run was {late} s behind real time");
    assert!(get(&address, "/").contains("Shuttle arm"), "the report stays");
    signal(child.id(), "INT");
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(folder.path("out/report.html").exists());
}

#[test]
fn recorded_runs_are_shown() {
    let folder = shuttle_arm(&[SHORT]);
    runs(&folder, &["run", "fast.toml", "-o", "out"]);
    let mut child = supple(&folder, &["view", "out", "--port", "0"]).spawn().unwrap();
    let first = BufReader::new(child.stdout.take().unwrap()).lines().next().unwrap().unwrap();
    let address = first.split("http://").nth(1).unwrap().trim_end_matches('/').to_owned();
    let page = get(&address, "/");
    assert!(page.ends_with(&folder.text("out/report.html")), "the page of the report");
    signal(child.id(), "INT");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
