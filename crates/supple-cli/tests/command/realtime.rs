//! `supple plant` and `supple control` as two processes.

use crate::run_support::{Folder, repository, supple};
use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::net::UdpSocket;
use std::process::{Child, Output, Stdio};
use std::time::{Duration, Instant};

use supple_io::results::{Existing, read_csv, recover_mcap};

/// The Shuttle arm with its drives; cycles may be lost for two seconds where other tests keep the machine busy.
fn arm(duration: f64) -> Folder {
    let folder = Folder::new();
    folder.write("driven-arm.toml", fs::read(repository("examples/shuttle-slew/driven-arm.toml")).unwrap());
    let scenario = fs::read_to_string(repository("examples/shuttle-slew/real-time.toml")).unwrap();
    let short = scenario
        .replace("\nduration = 60\n", &format!("\nduration = {duration}\n"))
        .replace("losses = 10", "losses = 1000");
    assert!(short.contains("losses = 1000") && short.contains(&format!("duration = {duration}\n")));
    folder.write("slew.toml", short);
    folder
}

/// Both commands, between ports that are free.
fn start(folder: &Folder, plant: &[&str], control: &[&str]) -> [Child; 2] {
    let sockets = [0; 2].map(|port: u16| UdpSocket::bind(("127.0.0.1", port)).unwrap());
    let [own, peer] = sockets.map(|socket| socket.local_addr().unwrap().port().to_string());
    let both = [
        [&["plant", "slew.toml", "--listen", &own, "--controller", &peer][..], plant].concat(),
        [&["control", "slew.toml", "--listen", &peer, "--plant", &own][..], control].concat(),
    ];
    both.map(|arguments| supple(folder, &arguments).stdin(Stdio::piped()).spawn().unwrap())
}

fn end(child: Child) -> (Option<i32>, String) {
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    (status.code(), String::from_utf8_lossy(&[stdout, stderr].concat()).into_owned())
}

#[test]
fn two_processes_in_lock_step_write_the_log_of_one() {
    let folder = arm(0.5);
    let one = supple(
        &folder,
        &["run", "slew.toml", "--no-report", "-o", "one", "--set", "results.formats=[\"csv\",\"mcap\"]"],
    );
    let (status, text) = end({ one }.spawn().unwrap());
    assert_eq!(status, Some(0), "{text}");
    let [plant, control] = start(&folder, &["--lock-step", "-o", "two"], &["-o", "three"]).map(end);
    assert_eq!((plant.0, control.0), (Some(0), Some(0)), "{}\n{}", plant.1, control.1);
    assert!(
        plant.1.contains("251 cycles, 0 frames lost") && control.1.contains("251 cycles, 0 frames lost"),
        "{}",
        control.1
    );
    let log = |name: &str| fs::read(folder.path(name).join("results.mcap")).unwrap();
    assert!(log("one") == log("two"), "logs differ");
    assert!(log("three").len() > 100_000);
}

/// Rows in the log that a killed process left, and the texts in it.
fn left_in_log(folder: &Folder, side: &str) -> (usize, Vec<String>) {
    let path = |name: &str| folder.path("results/real-time").join(side).join(name);
    let whole = path("whole.mcap");
    recover_mcap(&path("results.mcap"), &whole, Existing::Refuse).unwrap();
    let log = fs::read(&whole).unwrap();
    let (mut times, mut texts) = (BTreeSet::new(), Vec::new());
    for message in mcap::MessageStream::new(&log).unwrap().map(Result::unwrap) {
        if message.channel.topic == "/log" {
            texts.push(String::from_utf8_lossy(&message.data).into_owned());
        } else {
            times.insert(message.log_time);
        }
    }
    (times.len(), texts)
}

/// A killed process says nothing: the other one ends safely, its log is complete, and the one that was killed leaves its rows as a table and as a log, up to the row
/// that was on its way.
#[test]
fn the_side_that_is_left_when_the_other_is_killed_ends_safely() {
    for killed in ["controller", "plant"] {
        let folder = arm(3.0);
        let [mut plant, mut control] =
            start(&folder, &["--set", "real_time.losses=100"], &["--set", "real_time.losses=100"]);
        let begun = Instant::now();
        let rows = |side: &str| {
            let text = fs::read_to_string(folder.path("results/real-time").join(side).join("results.csv"));
            text.map_or(0, |text| text.lines().count())
        };
        while rows("control") < 20 || rows("plant") < 10 {
            assert!(begun.elapsed() < Duration::from_secs(60), "nothing moves");
            std::thread::sleep(Duration::from_millis(50));
        }
        let left = if killed == "controller" {
            control.kill().unwrap();
            control.wait().unwrap();
            end(plant)
        } else {
            plant.kill().unwrap();
            plant.wait().unwrap();
            // An acknowledgement does not help while the plant is gone.
            let _ = control.stdin.take().unwrap().write_all(b"acknowledge\n");
            end(control)
        };
        assert_eq!(left.0, Some(3), "{killed}: {}", left.1);
        assert!(left.1.contains("no frame came for too many cycles (100 in a row)"), "{killed}: {}", left.1);
        let side = if killed == "controller" { "plant" } else { "control" };
        assert!(fs::metadata(folder.path("results/real-time").join(side).join("results.mcap")).unwrap().len() > 10_000);
        if killed == "controller" {
            assert_eq!(rows("plant"), 152, "a row each 0.02 s, and the head");
        }
        let dead = if killed == "controller" { "control" } else { "plant" };
        let table = read_csv(&folder.path("results/real-time").join(dead).join("results.csv")).unwrap().rows.len();
        let (log, texts) = left_in_log(&folder, dead);
        // Rows of a batch go to the table first; where other tests keep the machine busy, a batch may be more than one row.
        assert!(log >= 5 && log <= table && table - log <= 100, "{dead}: {log} rows in the log, {table} in the table");
        // Lines of the log are left too: warnings of the plant, and no fault of the side that was killed.
        assert!(dead == "control" || texts.iter().any(|text| text.contains("damping ratio")), "{texts:?}");
        assert!(!texts.iter().any(|text| text.contains("safe state") || text.contains("no frame")), "{texts:?}");
    }
}

#[test]
fn mistakes_on_the_command_line_are_named() {
    let folder = arm(0.5);
    folder.write("short.key", "1234");
    for (arguments, expected) in [
        (&["plant", "slew.toml", "--fault", "melt@1"][..], "one of drop=PROBABILITY"),
        (&["plant", "slew.toml", "--speed", "0"], "must be finite and above zero"),
        (&["control", "slew.toml", "--listen", "host"], "must be a port of this machine"),
        (&["control", "slew.toml", "--key", "short.key"], "a key is 32 hexadecimal digits"),
        (&["control", "slew.toml", "--wait", "0"], "no answer from the address of the plant"),
        (&["plant", "slew.toml", "--set", "integrator.kind=gauss"], "not suitable for real time"),
    ] {
        let (status, text) = end(supple(&folder, arguments).spawn().unwrap());
        assert!(status != Some(0) && text.contains(expected), "{arguments:?}: {text}");
    }
    // Each side listens where the other one looks for it.
    for (side, own, peer) in [("plant", 47110, 47111), ("control", 47111, 47110)] {
        let (_, text) = end(supple(&folder, &[side, "--help"]).spawn().unwrap());
        let places = [own, peer].map(|port| text.find(&format!("[default: 127.0.0.1:{port}]")));
        assert!(places[0].is_some() && places[0] < places[1], "{side}: {text}");
    }
}
