//! Runs that end before their time, and go on in another process as if nothing had happened.
#![cfg(unix)]

use crate::run_support::{Folder, repository, run, runs, signal, start};
use std::fs;
use std::process::ExitStatus;
use std::time::{Duration, Instant};
use supple_io::results::read_csv;

/// Schemes and their steps, such that a run of the arm takes about a second.
const SCHEMES: [(&str, &str); 10] = [
    ("dormand-prince", "kind = \"dormand-prince\"\nrelative_tolerance = 1e-6\nabsolute_tolerance = 1e-8"),
    ("prince-dormand8", "kind = \"prince-dormand8\"\nrelative_tolerance = 1e-7\nabsolute_tolerance = 1e-9"),
    ("rk4", "kind = \"rk4\"\nstep = 3e-4"),
    ("exponential-adams", "kind = \"exponential-adams\"\nrelative_tolerance = 1e-8\nabsolute_tolerance = 1e-10"),
    ("generalized-alpha", "kind = \"generalized-alpha\"\nstep = 1e-3"),
    ("gauss", "kind = \"gauss\"\nstep = 5e-4\nstages = 3"),
    ("linearly-implicit", "kind = \"linearly-implicit\"\nrelative_tolerance = 1e-8\nabsolute_tolerance = 1e-10"),
    ("adams", "kind = \"adams\"\nrelative_tolerance = 1e-6\nabsolute_tolerance = 1e-8"),
    ("automatic", "kind = \"automatic\"\nrelative_tolerance = 1e-7\nabsolute_tolerance = 1e-9"),
    ("bdf", "kind = \"bdf\"\nrelative_tolerance = 1e-4\nabsolute_tolerance = 1e-6"),
];

/// What is looked for on the way.
const EVENTS: &str = "[[events]]\nname = \"link 2 straight\"\nquantity = \"mode.link 2.1\"\nvalue = 0\n\
                      [[events]]\nname = \"elbow turns back\"\nquantity = \"speed.elbow pitch\"\nvalue = 0\ndirection = \"falling\"\n";

/// The Shuttle arm, bent at the start, with torques that jump, under one of the schemes.
fn arm(integrator: &str) -> Folder {
    let folder = Folder::new();
    folder.write("arm.toml", fs::read(repository("examples/shuttle-arm/arm.toml")).unwrap());
    let text = format!(
        "format = \"supple-scenario-1\"\nname = \"rest\"\nmodel = \"arm.toml\"\nduration = 2\noutput_interval = 0.01\n\
         checkpoint_interval = 0.05\n[initial.hinges]\n\"shoulder pitch\" = 0.3\n[initial.modes]\n\
         \"link 2\" = [0.1, 0, 0.05, 0, 0, 0.01]\n[integrator]\n{integrator}\n\
         [[torque]]\nhinge = \"elbow pitch\"\nsteps = {{ times = [0, 0.333, 1.1], values = [300, -500, 80] }}\n\
         [[torque]]\nhinge = \"wrist roll\"\ntable = {{ times = [0, 0.7, 2], values = [0, 40, -10] }}\n\
         [results]\nformats = [\"csv\", \"parquet\", \"mcap\"]\n\
         columns = [\"hinges\", \"hinge_speeds\", \"modes\", \"mode_speeds\", \"energy\", \"steps\", \"momentum\"]\n\
         nodes = [{{ body = \"payload\", node = \"far end\" }}]\n"
    );
    folder.write("scenario.toml", text + EVENTS);
    folder
}

/// Starts the run and sends it a signal when there are some rows and a checkpoint, but far from all 201 rows.
fn stop_in_the_middle(folder: &Folder, name: &str, rows: usize) -> ExitStatus {
    let mut child = start(folder, &["run", "scenario.toml"]);
    let (csv, saved) = (folder.path("results/results.csv"), folder.path("results/checkpoint.json"));
    let started = Instant::now();
    loop {
        let lines = fs::read(&csv).map_or(0, |bytes| bytes.iter().filter(|byte| **byte == b'\n').count());
        if lines > rows && saved.exists() {
            signal(child.id(), name);
            return child.wait().unwrap();
        }
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        assert!(started.elapsed() < Duration::from_secs(120), "no rows after two minutes");
        std::thread::sleep(Duration::from_micros(200));
    }
}

/// As [`stop_in_the_middle`], once more where the run was faster than the signal.
fn stopped(make: &dyn Fn() -> Folder, name: &str, rows: usize, reached: impl Fn(&ExitStatus) -> bool) -> Folder {
    for _ in 0..10 {
        let folder = make();
        let status = stop_in_the_middle(&folder, name, rows);
        if reached(&status) {
            return folder;
        }
        assert_eq!(status.code(), Some(0), "neither stopped nor finished");
    }
    panic!("the run was ten times faster than the signal");
}

/// Goes on, and compares with a run that was never stopped.
fn goes_on_to_the_same(folder: &Folder, whole: &Folder, scheme: &str) {
    runs(whole, &["run", "scenario.toml", "-q"]);
    runs(folder, &["run", "scenario.toml", "-q", "--resume"]);
    assert!(whole.text("results/results.csv") == folder.text("results/results.csv"), "{scheme}: other rows");
    if whole.path("results/results.mcap").exists() {
        let [a, b] = [whole, folder].map(|folder| fs::read(folder.path("results/results.mcap")).unwrap());
        assert!(a == b, "{scheme}: another log");
    }
    let [a, b] = [whole, folder].map(|folder| folder.json("results/summary.json"));
    assert_eq!(b["outcome"]["state"], "finished", "{scheme}");
    for part in ["ledger", "statistics", "files", "end_time", "start_time", "columns", "warnings", "events"] {
        assert_eq!(a[part], b[part], "{scheme}: {part}");
    }
}

/// The other files are there, too.
fn all_files_are_there(folder: &Folder) {
    for name in ["results.parquet", "results.mcap"] {
        assert!(!fs::read(folder.path(&format!("results/{name}"))).unwrap().is_empty(), "{name}");
    }
}

/// Ctrl-C in the middle: status 130, results that can be read, a checkpoint, and the way on is the same to the last bit. Every second scheme: all of them
/// are killed below.
#[test]
fn interrupted_runs_go_on_bit_for_bit() {
    for (i, (scheme, integrator)) in SCHEMES.into_iter().enumerate().step_by(2) {
        let rows = 15 + 20 * i;
        let folder = stopped(&|| arm(integrator), "INT", rows, |status| status.code() == Some(130));
        let data = read_csv(&folder.path("results/results.csv")).unwrap();
        assert!(!data.cut && data.rows.len() >= rows && data.rows.len() <= 200, "{scheme}: {} rows", data.rows.len());
        let summary = folder.json("results/summary.json");
        assert_eq!(summary["outcome"]["state"], "interrupted", "{scheme}");
        assert_eq!(summary["files"][0]["rows"], data.rows.len(), "{scheme}");
        assert!(summary["end_time"].as_f64().unwrap() < 2.0, "{scheme}");
        goes_on_to_the_same(&folder, &arm(integrator), scheme);
        all_files_are_there(&folder);
        println!("{scheme}: stopped after {} of 201 rows, resumed to identical bytes", data.rows.len());
    }
}

/// A run killed on the spot leaves rows that can be read, a summary that says it was running, and its last checkpoint.
#[test]
fn killed_runs_go_on_from_their_last_checkpoint() {
    for (i, (scheme, integrator)) in SCHEMES.into_iter().enumerate() {
        let rows = 155 - 17 * i;
        let folder = stopped(&|| arm(integrator), "KILL", rows, |status| status.code().is_none());
        let data = read_csv(&folder.path("results/results.csv")).unwrap();
        assert!(data.rows.len() >= rows && data.rows.len() <= 200, "{scheme}: {} rows", data.rows.len());
        assert_eq!(folder.json("results/summary.json")["outcome"]["state"], "running", "{scheme}");
        // As if the system had written two more lines of rows, the second in part; the kill may itself have cut the line before them.
        let mut text = folder.text("results/results.csv");
        let last = text.lines().last().unwrap().to_owned();
        text.push_str(&format!("{last}\n{}", &last[..last.len() / 2]));
        folder.write("results/results.csv", text);
        goes_on_to_the_same(&folder, &arm(integrator), scheme);
        all_files_are_there(&folder);
        println!("{scheme}: killed after {} of 201 rows, resumed to identical bytes", data.rows.len());
    }
}

/// A thin beam that a torque spins up, beyond what its modes can say from some time on.
fn whip(integrator: &str) -> Folder {
    let folder = Folder::new();
    let model = "format = \"supple-model-1\"\n[[body]]\nname = \"whip\"\n\
                 hinge = { name = \"root\", kind = \"revolute\", axis = [0, 0, 1] }\n[body.beam]\nlength = 2\n\
                 section = { tube = { outer_radius = 0.01, thickness = 0.001 } }\n\
                 material = { E = 7e10, nu = 0.33, density = 2700 }\nmodes = { basis = \"cantilever\", bending_y = 2 }\nfidelity = \"inconsistent\"\n";
    let scenario = format!(
        "format = \"supple-scenario-1\"\nmodel = \"model.toml\"\nduration = 2\noutput_interval = 0.01\n\
         checkpoint_interval = 0.05\n[integrator]\n{integrator}\n\
         [[torque]]\nhinge = \"root\"\ntable = {{ times = [0, 0.1, 0.4], values = [0, 40, 0] }}\n"
    );
    folder.write("model.toml", model).write("scenario.toml", scenario);
    folder
}

/// What was seen before a kill is told by the run that goes on, and not told again.
#[test]
fn departures_before_a_kill_are_in_the_summary() {
    for integrator in ["kind = \"rk4\"\nstep = 1e-5", "kind = \"adams\"\ngreatest_step = 1e-5"] {
        let folder = stopped(&|| whip(integrator), "KILL", 150, |status| status.code().is_none());
        let whole = whip(integrator);
        goes_on_to_the_same(&folder, &whole, integrator);
        let mut warnings = folder.json("results/summary.json")["warnings"].as_array().unwrap().clone();
        // The advice at the end is no sign.
        warnings.retain(|told| !told.as_str().unwrap().contains("has been bent"));
        let times: Vec<f64> = warnings
            .iter()
            .filter_map(|told| told.as_str()?.strip_prefix("at t = ")?.split(' ').next()?.parse().ok())
            .collect();
        println!("{times:?}");
        // More than one sign, each once, and all of them before the kill.
        assert!(times.len() >= 2 && times.iter().all(|time| *time > 0.0 && *time < 1.4), "{warnings:#?}");
        assert_eq!(times.len(), warnings.len(), "{warnings:#?}");
    }
}

/// A run that was interrupted before its first checkpoint starts anew.
#[test]
fn interrupted_before_the_first_checkpoint() {
    let integrator = "kind = \"adams\"\ngreatest_step = 1e-5";
    let long = || {
        let folder = whip(integrator);
        let text = folder.text("scenario.toml").replace("checkpoint_interval = 0.05", "checkpoint_interval = 1.5");
        folder.write("scenario.toml", text);
        folder
    };
    let folder = stopped(&long, "INT", 20, |status| status.code() == Some(130));
    goes_on_to_the_same(&folder, &long(), "adams");
    // Without checkpoints it goes on from where it was.
    let without = || {
        let folder = whip(integrator);
        let text = folder.text("scenario.toml").replace("checkpoint_interval = 0.05\n", "");
        folder.write("scenario.toml", text);
        folder
    };
    let whole = without();
    runs(&whole, &["run", "scenario.toml", "-q"]);
    let folder = without();
    let mut child = start(&folder, &["run", "scenario.toml"]);
    std::thread::sleep(Duration::from_millis(400));
    signal(child.id(), "INT");
    let status = child.wait().unwrap();
    if status.code() == Some(130) {
        runs(&folder, &["run", "scenario.toml", "-q", "--resume"]);
    }
    assert_eq!(whole.text("results/results.csv"), folder.text("results/results.csv"));
}

/// What cannot be gone on from is refused and left as it is.
#[test]
fn unsound_checkpoints_are_refused() {
    let integrator = SCHEMES[4].1;
    let folder = arm(integrator);
    let refuses = |says: &str| {
        let output = run(&folder, &["run", "scenario.toml", "--resume"]);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{told}");
        assert!(told.contains(says) && !told.contains("panicked"), "`{says}` is missing in: {told}");
    };
    refuses("there is no checkpoint to resume from");
    runs(&folder, &["run", "scenario.toml", "-q"]);
    let (checkpoint, csv) = (folder.text("results/checkpoint.json"), folder.text("results/results.csv"));

    // A run that is finished stays finished.
    runs(&folder, &["run", "scenario.toml", "-q", "--resume"]);
    assert_eq!(folder.text("results/results.csv"), csv);

    folder.write("results/checkpoint.json", checkpoint.replacen("\"rows\":2", "\"rows\":1", 1));
    refuses("its checksum does not match");
    folder.write("results/checkpoint.json", &checkpoint.as_bytes()[..checkpoint.len() / 2]);
    refuses("the checkpoint is damaged");
    folder.write("results/checkpoint.json", [0xff, 0xfe, 0]);
    refuses("the checkpoint is damaged (it is not UTF-8)");
    folder.write("results/checkpoint.json", checkpoint.replacen("supple-checkpoint-5", "supple-checkpoint-9", 1));
    refuses("the format `supple-checkpoint-9`");
    folder.write("results/checkpoint.json", &checkpoint);

    let scenario = folder.text("scenario.toml");
    folder.write("scenario.toml", scenario.replacen("values = [300,", "values = [301,", 1));
    refuses("another scenario or model");
    folder.write("scenario.toml", &scenario);

    // One digit of one row.
    let at = csv.match_indices('\n').nth(90).unwrap().0 + 3;
    let digit = at + csv[at..].find(|letter: char| letter.is_ascii_digit()).unwrap();
    let mut changed = csv.clone();
    changed.replace_range(digit..=digit, if &csv[digit..=digit] == "7" { "3" } else { "7" });
    folder.write("results/results.csv", &changed);
    refuses("results.csv: its first 201 rows have changed since they were written");
    refuses("start again with --force");
    assert_eq!(folder.text("results/results.csv"), changed);

    let lines: Vec<&str> = csv.lines().collect();
    folder.write("results/results.csv", lines[..50].join("\n"));
    refuses("results.csv: 48 rows, but 201 are needed to resume");
    folder.write("results/results.csv", csv.replacen("hinge.shoulder yaw", "hinge.shoulder", 1));
    refuses("results.csv: line 1: the columns differ");
    folder.write("results/results.csv", csv.replacen("\n0.0,", "\n0.0,zero,", 1));
    refuses("results.csv: line 2");
    fs::remove_file(folder.path("results/results.csv")).unwrap();
    refuses("results.csv");
}
