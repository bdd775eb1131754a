//! The folder in which the commands of a page run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use supple_docs::page::{Page, root};

/// A folder with what a page needs.
pub struct Folder {
    path: PathBuf,
}

/// What a command left.
pub struct Answer {
    /// Exit status, unless it was killed.
    pub status: Option<i32>,
    /// Standard output, then standard error, as a terminal shows them.
    pub printed: String,
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if !from.is_dir() {
            fs::copy(&from, &to).unwrap();
        } else if entry.file_name() != "results" {
            copy(&from, &to);
        }
    }
}

impl Folder {
    /// A new one, with the examples and references that the page names.
    pub fn new(page: &Page) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pages").join(page.path.replace('/', "-"));
        let _ = fs::remove_dir_all(&path);
        // Studies draw here.
        fs::create_dir_all(path.join("docs/studies")).unwrap();
        for part in ["examples", "references/models", "references/urdf", "references/sid", "references/cases"] {
            if page.text.contains(&format!("{part}/")) {
                copy(&root().join(part), &path.join(part));
            }
        }
        Self { path }
    }

    /// Runs a line as a shell does, with `supple` the command of this build.
    pub fn run(&self, line: &str) -> Result<Answer, String> {
        let line = line.trim_end();
        // What continuous integration runs is what runs this.
        if line.starts_with("./test") {
            return Ok(Answer { status: Some(0), printed: String::new() });
        }
        let line = match line.split_once(" -- ") {
            Some((cargo, rest)) if cargo.starts_with("cargo run ") && cargo.ends_with(" -p supple-cli") => {
                format!("supple {rest}")
            }
            _ => line.to_owned(),
        };
        if !line.starts_with("supple ") {
            return Err(format!("`{line}` is no command of supple: say that it is not run, and why"));
        }
        let program = crate::program();
        let others = std::env::var("PATH").unwrap_or_default();
        let output = Command::new("sh")
            .args(["-c", &line])
            .current_dir(&self.path)
            .env("PATH", format!("{}:{others}", program.parent().unwrap().display()))
            // Timings of a test mean nothing: one short batch.
            .envs([("BATCHES", "1"), ("BATCH_MS", "1")])
            .stdin(Stdio::null())
            .output()
            .map_err(|error| format!("sh: {error}"))?;
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).map_err(|error| format!("`{line}`: {error}"));
        Ok(Answer { status: output.status.code(), printed: text(output.stdout)? + &text(output.stderr)? })
    }

    /// Writes a file.
    pub fn write(&self, name: &str, text: &str) -> Result<(), String> {
        let path = self.path.join(name);
        let folder = path.parent().ok_or("a file has a name")?;
        fs::create_dir_all(folder).and_then(|()| fs::write(&path, text)).map_err(|error| format!("{name}: {error}"))
    }

    /// Reads a file.
    pub fn read(&self, name: &str) -> Result<String, String> {
        fs::read_to_string(self.path.join(name)).map_err(|error| format!("{name}: {error}"))
    }

    /// A model or scenario has to be sound; side files and files of modes are checked by the commands that read them.
    pub fn check(&self, name: &str) -> Result<(), String> {
        let text = self.read(name)?;
        let table: toml::Table = text.parse().map_err(|error| format!("{name}: {error}"))?;
        let format = table.get("format").and_then(toml::Value::as_str).unwrap_or_default();
        if !["supple-model-1", "supple-scenario-1"].contains(&format) {
            return Ok(());
        }
        let answer = self.run(&format!("supple check '{name}'"))?;
        if answer.status == Some(0) { Ok(()) } else { Err(format!("{name} is not sound:\n{}\n{text}", answer.printed)) }
    }

    /// Runs a program in Python, where there is one.
    pub fn python(&self, text: &str) -> Result<(), String> {
        match Command::new("python3").args(["-c", text]).current_dir(&self.path).output() {
            Ok(output) if output.status.success() => Ok(()),
            Ok(output) => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
            Err(error) => {
                println!("skipped, python3 does not start ({error}):\n{text}");
                Ok(())
            }
        }
    }
}
