//! However a run ends, its rows are whole, it says where they end, and the command that it prints goes on.
#![cfg(unix)]

use crate::run_support::{Folder, run, signal, supple};
use std::fs;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use supple_io::results::read_csv;

const SUPPLE: &str = crate::program();

/// A damped wheel for `duration` seconds, a row each 10 ms, a checkpoint each 50 ms; `more` are further lines of the scenario.
pub fn wheel(duration: f64, more: &str) -> Folder {
    let folder = Folder::new();
    let model = "format = \"supple-model-1\"\n[[body]]\nname = \"wheel\"\n\
                 hinge = { name = \"axle\", kind = \"revolute\", axis = [0, 0, 1], damping = 0.1, \
                 stops = { lower = [-10], upper = [10] } }\nrigid = { mass = 3, inertia = [1.5, 1.5, 2] }\n";
    let scenario = format!(
        "format = \"supple-scenario-1\"\nmodel = \"model.toml\"\nduration = {duration}\noutput_interval = 0.01\n\
         checkpoint_interval = 0.05\n[initial.hinge_speeds]\naxle = 1\n\
         [integrator]\nkind = \"rk4\"\nstep = 2e-5\nmax_steps = 1000000000\n{more}"
    );
    folder.write("model.toml", model).write("scenario.toml", scenario);
    folder
}

/// Longer than any test waits.
pub const ENDLESS: f64 = 5000.0;

/// Waits until a table has more than `rows` rows, with a checkpoint beside it; false where the run ended before.
pub fn has_rows(folder: &Folder, results: &str, child: &mut Child, rows: usize) -> bool {
    let started = Instant::now();
    loop {
        let text = fs::read(folder.path(&format!("{results}/results.csv"))).unwrap_or_default();
        let saved = folder.path(&format!("{results}/checkpoint.json")).exists();
        if saved && text.iter().filter(|byte| **byte == b'\n').count() > rows + 1 {
            return true;
        }
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        assert!(started.elapsed() < Duration::from_secs(60), "no rows after a minute");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Starts a command, waits for more than `rows` rows and sends a signal.
fn signalled(folder: &Folder, command: &mut Command, rows: usize, name: &str) -> Output {
    let mut child = command.spawn().unwrap();
    assert!(has_rows(folder, "results", &mut child, rows), "the run ended by itself");
    signal(child.id(), name);
    child.wait_with_output().unwrap()
}

/// Whether this process ignores a signal, and so do those that it starts: under `nohup`, the hang-up.
fn is_ignored(number: u32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask >> (number - 1) & 1 == 1)
}

/// SIGTERM and SIGHUP end a run as Ctrl-C does, unless they are ignored from outside.
#[test]
fn signals_end_a_run_as_ctrl_c_does() {
    for (name, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
        if is_ignored(number) {
            continue;
        }
        let folder = wheel(ENDLESS, "");
        let output = signalled(&folder, &mut supple(&folder, &["run", "scenario.toml"]), 10, name);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(130), "SIG{name}: {told}");
        assert!(told.contains("continue with: supple run --resume scenario.toml"), "SIG{name}: {told}");
        let data = read_csv(&folder.path("results/results.csv")).unwrap();
        let summary = folder.json("results/summary.json");
        assert!(!data.cut && data.rows.len() > 10, "SIG{name}");
        assert_eq!(summary["outcome"]["state"], "interrupted", "SIG{name}");
        assert_eq!(summary["files"][0]["rows"], data.rows.len(), "SIG{name}");
        let mut resumed = supple(&folder, &["run", "scenario.toml", "--resume"]);
        let resumed = signalled(&folder, &mut resumed, data.rows.len() + 10, name);
        assert_eq!(resumed.status.code(), Some(130), "SIG{name}: the checkpoint is not one");
    }
}

/// A run that was started by `nohup` outlives its terminal.
#[test]
#[cfg(target_os = "linux")]
fn an_ignored_hangup_stays_ignored() {
    let folder = wheel(ENDLESS, "");
    let script = format!("trap '' HUP; exec '{SUPPLE}' run scenario.toml");
    let mut command = Command::new("sh");
    command.args(["-c", &script]).current_dir(folder.root()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    assert!(has_rows(&folder, "results", &mut child, 5));
    signal(child.id(), "HUP");
    let rows = read_csv(&folder.path("results/results.csv")).unwrap().rows.len();
    assert!(has_rows(&folder, "results", &mut child, rows + 20), "the hang-up ended it");
    signal(child.id(), "INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

/// Runs the command under a limit on the size of files.
fn limited(folder: &Folder, blocks: usize) -> Output {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec '{SUPPLE}' run scenario.toml");
    Command::new("sh").args(["-c", &script]).current_dir(folder.root()).output().unwrap()
}

/// A disk that fills: the last row in the file is named, and the run goes on when there is space.
#[test]
fn a_full_disk_names_the_last_row_and_can_be_resumed() {
    let dense = |checkpoints: &str| {
        let folder = wheel(0.5, "");
        let text = folder.text("scenario.toml").replace("output_interval = 0.01", "output_interval = 0.0001");
        folder.write("scenario.toml", text.replace("checkpoint_interval = 0.05\n", checkpoints));
        folder
    };
    let folder = dense("checkpoint_interval = 0.01\n");
    let output = limited(&folder, 400);
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("results.csv: no space left"), "{told}");
    let data = read_csv(&folder.path("results/results.csv")).unwrap();
    let (rows, time) = (data.rows.len(), data.rows.last().unwrap()[0]);
    assert!(!data.cut && rows > 100 && rows < 5000, "{rows} rows");
    assert!(told.contains(&format!("the results in results end with row {rows}, t = {time} s")), "{told}");
    assert!(told.contains("continue with: supple run --resume scenario.toml"), "{told}");
    assert_eq!(folder.json("results/summary.json")["outcome"]["state"], "failed");
    let whole = dense("checkpoint_interval = 0.01\n");
    for (folder, arguments) in
        [(&folder, &["run", "scenario.toml", "--resume"][..]), (&whole, &["run", "scenario.toml"])]
    {
        assert_eq!(run(folder, arguments).status.code(), Some(0));
    }
    assert!(folder.text("results/results.csv") == whole.text("results/results.csv"), "other rows");

    // Without a checkpoint the run says that it cannot go on.
    let output = limited(&dense(""), 400);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("there is no checkpoint to continue from; start again with --force"), "{told}");
}

/// The command that is printed goes on when it is pasted, whatever the names are.
#[test]
fn the_printed_command_goes_on() {
    let (scenario, results) = ("a wheel's \"run\".toml", "two words/it's $HOME");
    let arguments =
        ["run", scenario, "-o", results, "--set", "duration=0.6", "--plot", "hinge.axle,energy.total", "--no-report"];
    for _ in 0..10 {
        let folder = wheel(1.0, "");
        fs::rename(folder.path("scenario.toml"), folder.path(scenario)).unwrap();
        let mut child = supple(&folder, &arguments).spawn().unwrap();
        if !has_rows(&folder, results, &mut child, 5) {
            continue;
        }
        signal(child.id(), "TERM");
        let output = child.wait_with_output().unwrap();
        if output.status.code() == Some(0) {
            continue;
        }
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(130), "{told}");
        let (_, printed) = told.split_once("continue with: ").expect("a command");
        let pasted = printed.lines().next().unwrap().replacen("supple", &format!("'{SUPPLE}'"), 1);
        let output = Command::new("sh").args(["-c", &pasted]).current_dir(folder.root()).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{pasted}: {}", String::from_utf8_lossy(&output.stderr));
        let data = read_csv(&folder.path(results).join("results.csv")).unwrap();
        assert_eq!((data.rows.len(), data.rows[60][0]), (61, 0.6), "{pasted}");
        assert!(folder.path(results).join("plot.svg").exists(), "{pasted}");
        assert!(!folder.path(results).join("report.html").exists(), "{pasted}");
        return;
    }
    panic!("the run was ten times faster than the signal");
}

/// What the results will take is said before the run where it is much, and too much is refused.
#[test]
fn the_size_of_the_results_is_said_before_the_run() {
    let folder = wheel(ENDLESS, "");
    let text = folder.text("scenario.toml").replace("output_interval = 0.01", "output_interval = 0.0001");
    folder.write("scenario.toml", text);
    // 5e7 rows of 16 columns.
    let output = run(&folder, &["run", "scenario.toml"]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    let words =
        ["the results take about", "50000001 rows of", "`results.most_bytes` allows 10.0 GB", "output_interval"];
    assert!(words.iter().all(|word| told.contains(word)), "{told}");
    assert!(!folder.path("results").exists(), "something was written");

    let allowed = ["run", "scenario.toml", "--set", "results.most_bytes=1e12", "--set", "duration=100"];
    let output = signalled(&folder, &mut supple(&folder, &allowed), 10, "TERM");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.starts_with("supple: the results take about") && told.contains("1000001 rows"), "{told}");
}
