//! `supple view --foxglove`: what a client hears is what `results.mcap` holds, to the byte.

#[allow(dead_code, reason = "the tests of the library need more of it")]
#[path = "../../../supple-report/tests/foxglove_support/client.rs"]
mod client;

use crate::run_support::{Folder, repository, run, runs, signal, supple};
use client::{Client, Said};
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Child;

/// The Shuttle arm, one second of it, recorded as a log too.
fn shuttle_arm() -> Folder {
    let folder = Folder::new();
    folder.write("arm.toml", fs::read(repository("examples/shuttle-arm/arm.toml")).unwrap());
    let scenario = fs::read_to_string(repository("examples/shuttle-arm/fast.toml")).unwrap();
    let short = scenario.replacen("\nduration = 20\n", "\nduration = 1\n", 1).replacen("\"parquet\"", "\"mcap\"", 1);
    assert!(short.contains("mcap") && short.contains("duration = 1\n"), "{short}");
    folder.write("fast.toml", short);
    folder
}

/// Starts the command; the address that it tells for Foxglove.
fn view(folder: &Folder, arguments: &[&str]) -> (Child, std::net::SocketAddr) {
    let arguments = [&["view", "--foxglove", "--port", "0", "--speed", "0"], arguments].concat();
    let mut child = supple(folder, &arguments).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    let told = lines.find(|line| line.contains("Foxglove")).expect("an address");
    let address = told.split("ws://").nth(1).unwrap_or_else(|| panic!("{told}")).parse().unwrap();
    // What follows is read, so that the command can write it.
    std::thread::spawn(move || lines.count());
    (child, address)
}

/// Messages with their times.
type Messages = Vec<(u64, Vec<u8>)>;

/// Per topic what a client of all of them hears to the end: name and text of the schema, messages.
fn heard(address: std::net::SocketAddr) -> BTreeMap<String, (String, String, Messages)> {
    let (mut client, channels) = Client::open(address, "foxglove.websocket.v1");
    client.subscribe(&(0..channels.len()).collect::<Vec<_>>());
    let mut messages: Vec<Messages> = vec![Vec::new(); channels.len()];
    let mut now = None;
    loop {
        match client.next() {
            Said::Time(time) => now = Some(time),
            Said::Message(id, time, message) => {
                assert_eq!(Some(time), now, "the time is told first");
                messages[id as usize - 10].push((time, message));
            }
            Said::Json(told) if told["op"] == "status" => break,
            other => panic!("{other:?}"),
        }
    }
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let all = channels.iter().zip(messages);
    all.map(|(c, messages)| (text(&c["topic"]), (text(&c["schemaName"]), text(&c["schema"]), messages))).collect()
}

/// The same of the log.
fn logged(folder: &Folder, name: &str) -> BTreeMap<String, (String, String, Messages)> {
    let bytes = fs::read(folder.path(name)).unwrap();
    let mut all = BTreeMap::new();
    for message in mcap::MessageStream::new(&bytes).unwrap().map(Result::unwrap) {
        let schema = message.channel.schema.as_ref().unwrap();
        let text = String::from_utf8(schema.data.to_vec()).unwrap();
        let entry = all.entry(message.channel.topic.clone()).or_insert((schema.name.clone(), text, Vec::new()));
        entry.2.push((message.log_time, message.data.to_vec()));
    }
    all
}

#[track_caller]
fn check(
    mut heard: BTreeMap<String, (String, String, Messages)>,
    logged: &BTreeMap<String, (String, String, Messages)>,
) {
    let rows = logged["/hinges"].2.len();
    assert!(rows > 10 && logged.contains_key("/tf") && logged.contains_key("/energy"), "{:?}", logged.keys());
    for (topic, schema) in [("/scene", "foxglove.SceneUpdate"), ("/bodies", "foxglove.FrameTransforms")] {
        let (name, _, messages) = heard.remove(topic).unwrap();
        assert_eq!((name.as_str(), messages.len()), (schema, rows), "{topic}");
    }
    // Warnings are heard of a run that goes on; a log without any has no topic for them.
    let warnings = heard.remove("/log").map(|(_, _, messages)| messages);
    let mut logged = logged.clone();
    let log = logged.remove("/log").map(|(_, _, messages)| messages);
    assert!(warnings.is_none_or(|warnings| warnings == log.unwrap_or_default()), "other warnings than in the log");
    assert!(heard == logged, "other messages than in the log");
}

#[test]
fn recorded_and_live_runs_are_heard_as_they_are_logged() {
    let folder = shuttle_arm();
    let (mut child, address) = view(&folder, &["fast.toml", "-o", "live"]);
    let live = heard(address);
    // A second client, after the end, hears the same.
    assert!(heard(address) == live, "the second client heard something else");
    signal(child.id(), "INT");
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let log = logged(&folder, "live/results.mcap");
    check(live, &log);

    let (mut child, address) = view(&folder, &["live"]);
    check(heard(address), &log);
    signal(child.id(), "INT");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn without_the_option_there_is_no_websocket() {
    let folder = shuttle_arm();
    runs(&folder, &["run", "fast.toml", "-q", "-o", "out"]);
    let mut child = supple(&folder, &["view", "out", "--port", "0"]).spawn().unwrap();
    let first = BufReader::new(child.stdout.take().unwrap()).lines().next().unwrap().unwrap();
    let address = first.split("http://").nth(1).unwrap().trim_end_matches('/').parse().unwrap();
    let (_, answer) = Client::ask(address, &client::usual("foxglove.sdk.v1"));
    assert!(answer.starts_with("HTTP/1.1 400 "), "{answer}");
    signal(child.id(), "INT");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn sites_that_are_named_are_let_in() {
    let folder = shuttle_arm();
    runs(&folder, &["run", "fast.toml", "-q", "-o", "out"]);
    let (mut child, address) = view(&folder, &["--origin", "https://lichtblick.example.org", "out"]);
    for (site, status) in [("https://lichtblick.example.org", "101"), ("https://example.org", "403")] {
        let usual = client::usual("foxglove.websocket.v1");
        let asked = usual.replacen("\r\n", &format!("\r\nOrigin: {site}\r\n"), 1);
        let (_, answer) = Client::ask(address, &asked);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{site}: {answer}");
    }
    signal(child.id(), "INT");
    let mut told = String::new();
    std::io::Read::read_to_string(child.stderr.as_mut().unwrap(), &mut told).unwrap();
    assert!(told.contains("supple: a page of https://example.org was rejected") && told.contains("--origin"), "{told}");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn senseless_sites_are_refused() {
    let folder = Folder::new();
    for (site, words) in [("lichtblick.example", "https://"), ("https://a/b", "https://"), ("https://a *", "https://")]
    {
        let output = run(&folder, &["view", "--foxglove", "--origin", site, "nowhere.toml"]);
        assert_eq!(output.status.code(), Some(2));
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(told.contains(words) && told.contains("--origin"), "{told}");
    }
    let output = run(&folder, &["view", "--origin", "https://a.example", "nowhere.toml"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("--foxglove"));
}
