//! Folders that disappear, and `supple run` in them.
#![allow(dead_code, reason = "each test takes what it needs")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

static COUNT: AtomicUsize = AtomicUsize::new(0);

/// A folder of a test, removed at its end.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Self {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("supple-run-{}-{number}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub fn root(&self) -> &Path {
        &self.0
    }

    /// Writes a file, with the folders above it.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> &Self {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        self
    }

    pub fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn json(&self, name: &str) -> serde_json::Value {
        serde_json::from_str(&self.text(name)).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A file of the repository.
pub fn repository(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

/// The command, to be started in a folder.
pub fn supple(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = Command::new(crate::program());
    command.args(arguments).current_dir(folder.root());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Starts the command in a folder, its words left unread.
pub fn start(folder: &Folder, arguments: &[&str]) -> Child {
    supple(folder, arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Runs the command in a folder; a run that takes longer than `limit` is killed, so that it has no exit status.
pub fn run_within(folder: &Folder, arguments: &[&str], limit: Duration) -> Output {
    let child = supple(folder, arguments).spawn().unwrap();
    let (id, started) = (child.id(), Instant::now());
    let waiting = std::thread::spawn(move || child.wait_with_output().unwrap());
    let mut killed = false;
    while !waiting.is_finished() {
        if started.elapsed() > limit && !killed {
            signal(id, "KILL");
            killed = true;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    waiting.join().unwrap()
}

/// Runs the command in a folder.
pub fn run(folder: &Folder, arguments: &[&str]) -> Output {
    run_within(folder, arguments, Duration::from_secs(300))
}

/// Runs the command and expects it to succeed; gives what it printed.
#[track_caller]
pub fn runs(folder: &Folder, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {told}");
    String::from_utf8(output.stdout).unwrap()
}

/// Sends a signal to a process that this test has started.
pub fn signal(process: u32, name: &str) {
    let sent = Command::new("kill").args([format!("-{name}"), process.to_string()]).stderr(Stdio::null()).status();
    sent.unwrap();
}
