//! The verbs take no more instructions than they did: counts of the program `supple-workload`, against those recorded in
//! `references/instructions` for the same compiler, processor and target.
//!
//! The program is run step by step under `ptrace`, which counts every instruction of the very code that users get. Where that is not
//! possible, or nothing is recorded for this machine, the test says so and passes. `SUPPLE_WRITE_BASELINE=1 cargo test -p
//! supple-cli --test instructions` records. How instructions grow with the number of modes is checked on every machine that can count.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

use nix::sys::ptrace;
use nix::sys::signal::Signal;
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::Pid;
use serde::{Deserialize, Serialize};

/// Counts may differ by this part of themselves: the compiler places and inlines a little differently.
const ALLOWED: f64 = 0.02;

/// Counts of one compiler on one processor.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Record {
    /// What the counts hold for.
    machine: Machine,
    /// Instructions by workload.
    instructions: BTreeMap<String, u64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Machine {
    /// Version of the compiler.
    rustc: String,
    /// Name of the processor.
    processor: String,
    /// Processor that the code is compiled for.
    target_cpu: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Tells even where the harness keeps the output of tests that pass to itself.
fn tell(text: &str) {
    let _ = writeln!(io::stderr(), "instructions: {text}");
}

/// What a command prints, or why it could not.
fn output_of(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{}: {error}", command.get_program().display()))?;
    if !output.status.success() {
        return Err(format!("{}: {}", command.get_program().display(), String::from_utf8_lossy(&output.stderr)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

impl Machine {
    fn this() -> Result<Self, String> {
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let rustc = output_of(Command::new(rustc).arg("--version").current_dir(root()))?.trim().to_owned();
        let processors = fs::read_to_string("/proc/cpuinfo").map_err(|error| format!("/proc/cpuinfo: {error}"))?;
        let name =
            |line: &str| line.strip_prefix("model name").map(|rest| rest.trim_matches([' ', '\t', ':']).to_owned());
        let processor = processors.lines().find_map(name).ok_or("/proc/cpuinfo names no processor")?;
        Ok(Self { rustc, processor, target_cpu: target_cpu() })
    }

    /// A name for the file of its record.
    fn file(&self) -> PathBuf {
        let text = format!("{} {} {}", self.rustc, self.processor, self.target_cpu).to_lowercase();
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '.').filter(|word| !word.is_empty());
        records().join(format!("{}.toml", words.collect::<Vec<_>>().join("-")))
    }
}

fn records() -> PathBuf {
    root().join("references/instructions")
}

/// The processor that flags in the environment, or else the settings of the project, compile for.
fn target_cpu() -> String {
    let settings = fs::read_to_string(root().join(".cargo/config.toml")).unwrap_or_default();
    let flags = ["CARGO_ENCODED_RUSTFLAGS", "RUSTFLAGS"].iter().find_map(|name| std::env::var(name).ok());
    let text = flags.unwrap_or(settings);
    let after = text.rsplit_once("target-cpu=").map(|(_, rest)| rest);
    let ends = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ',' | '\u{1f}');
    after.and_then(|rest| rest.split(ends).next()).unwrap_or("default").to_owned()
}

/// Builds the program as users get the library; gives its path.
fn build() -> Result<PathBuf, String> {
    let arguments = ["build", "--release", "--quiet", "-p", "supple-workload", "--message-format", "json"];
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    // What the test itself was compiled with is not for the program.
    command.args(arguments).current_dir(root()).env_remove("CARGO_ENCODED_RUSTFLAGS");
    let told = output_of(&mut command)?;
    let messages = told.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let mut programs = messages.filter_map(|message| message["executable"].as_str().map(PathBuf::from));
    programs.next_back().ok_or_else(|| "cargo built no program".into())
}

/// Instructions of every workload, counted once for all tests; an error says why none can be counted here.
fn counts() -> &'static Result<BTreeMap<String, u64>, String> {
    static COUNTS: OnceLock<Result<BTreeMap<String, u64>, String>> = OnceLock::new();
    COUNTS.get_or_init(|| count(&build().unwrap()).map(Result::unwrap))
}

/// Instructions of every workload, between the markers that the program stops at. The outer error says why none can be counted here, the
/// inner one what went wrong.
fn count(program: &Path) -> Result<Result<BTreeMap<String, u64>, String>, String> {
    let pipe = || Stdio::piped();
    let spawned = Command::new(program).arg("--traced").stdin(pipe()).stdout(pipe()).spawn();
    let mut child = spawned.map_err(|error| format!("{}: {error}", program.display()))?;
    let pid = Pid::from_raw(child.id() as i32);
    // The child waits for a line: it meets no marker before it is traced.
    if let Err(error) = ptrace::attach(pid) {
        let _ = child.kill();
        let _ = child.wait();
        return Err(format!("the kernel does not let one trace: {error}"));
    }
    let counts = steps(pid, &mut child);
    if counts.is_err() {
        let _ = child.kill();
    }
    let mut names = String::new();
    let read = child.stdout.take().map(|mut out| out.read_to_string(&mut names));
    Ok(counts.and_then(|counts| {
        if !matches!(read, Some(Ok(_))) || names.lines().count() != counts.len() || counts.is_empty() {
            return Err(format!("{} counts for these workloads:\n{names}", counts.len()));
        }
        Ok(names.lines().map(str::to_owned).zip(counts).collect())
    }))
}

/// Follows the program to its end; instructions between each pair of markers.
fn steps(pid: Pid, child: &mut Child) -> Result<Vec<u64>, String> {
    let failed = |error: nix::errno::Errno| format!("ptrace: {error}");
    let next = || waitpid(pid, None).map_err(failed);
    // The end of its start may come first, as a trap.
    loop {
        match next()? {
            WaitStatus::Stopped(_, Signal::SIGSTOP) => break,
            WaitStatus::Stopped(_, Signal::SIGTRAP) => ptrace::cont(pid, None).map_err(failed)?,
            other => return Err(format!("unexpected at the start: {other:?}")),
        }
    }
    let line = child.stdin.take().map(|mut input| input.write_all(b"\n"));
    line.transpose().map_err(|error| error.to_string())?;
    ptrace::cont(pid, None).map_err(failed)?;
    let mut counts = Vec::new();
    loop {
        match next()? {
            WaitStatus::Stopped(_, Signal::SIGTRAP) => {
                let mut count = 0;
                loop {
                    ptrace::step(pid, None).map_err(failed)?;
                    match next()? {
                        WaitStatus::Stopped(_, Signal::SIGTRAP) => count += 1,
                        WaitStatus::Stopped(_, Signal::SIGILL) => break,
                        other => return Err(format!("unexpected in a workload: {other:?}")),
                    }
                }
                counts.push(count);
                // The marker `ud2` is two bytes long.
                let mut registers = ptrace::getregs(pid).map_err(failed)?;
                registers.rip += 2;
                ptrace::setregs(pid, registers).map_err(failed)?;
                ptrace::cont(pid, None).map_err(failed)?;
            }
            WaitStatus::Exited(_, 0) => return Ok(counts),
            other => return Err(format!("unexpected between workloads: {other:?}")),
        }
    }
}

/// The record that holds here, where there is one.
fn recorded(machine: &Machine) -> Option<Record> {
    let files = fs::read_dir(records()).into_iter().flatten().flatten().map(|entry| entry.path());
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        toml::from_str::<Record>(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    files
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .map(read)
        .find(|record| record.machine == *machine)
}

/// What has become more, and what has become less, by more than is allowed.
fn compare(old: &BTreeMap<String, u64>, new: &BTreeMap<String, u64>) -> [Vec<String>; 2] {
    let mut found = [Vec::new(), Vec::new()];
    for (name, &count) in new {
        let Some(&before) = old.get(name) else {
            found[0].push(format!("{name}: {count}, not recorded"));
            continue;
        };
        let change = count as f64 / before as f64 - 1.0;
        if change.abs() > ALLOWED {
            let text = format!("{name}: {count} instructions, {before} recorded: {:+.1} %", 100.0 * change);
            found[usize::from(change < 0.0)].push(text);
        }
    }
    found[0]
        .extend(old.keys().filter(|name| !new.contains_key(*name)).map(|name| format!("{name}: recorded, but gone")));
    found
}

#[test]
fn verbs_take_no_more_instructions_than_recorded() {
    let skip = |why: &str| tell(&format!("skipped: {why}"));
    let machine = match Machine::this() {
        Ok(machine) => machine,
        Err(why) => return skip(&why),
    };
    let write = std::env::var_os("SUPPLE_WRITE_BASELINE").is_some_and(|value| value == "1");
    let old = recorded(&machine);
    if old.is_none() && !write {
        return skip(&format!("nothing is recorded for {machine:?}; SUPPLE_WRITE_BASELINE=1 records it"));
    }
    let new = match counts() {
        Ok(counts) => counts,
        Err(why) => return skip(why),
    };
    if write {
        let file = machine.file();
        fs::create_dir_all(records()).unwrap();
        let record = Record { machine, instructions: new.clone() };
        fs::write(&file, toml::to_string(&record).unwrap()).unwrap();
        return tell(&format!("recorded in {}", file.display()));
    }
    let [more, less] = compare(&old.unwrap().instructions, new);
    if !less.is_empty() {
        tell(&format!("fewer than recorded; SUPPLE_WRITE_BASELINE=1 records it:\n{}", less.join("\n")));
    }
    let remedy = "where this is wanted, SUPPLE_WRITE_BASELINE=1 records it, and the commit says why";
    assert!(more.is_empty(), "more instructions than recorded; {remedy}:\n{}", more.join("\n"));
}

/// Ten times the modes, less than five times the instructions: an algorithm that factors matrices of modes takes about 35 times.
#[test]
fn instructions_grow_more_slowly_than_the_modes() {
    let counts = match counts() {
        Ok(counts) => counts,
        Err(why) => return tell(&format!("skipped: {why}")),
    };
    let [few, many] = [10, 100].map(|modes| counts[&format!("forward_dynamics, 10 links of {modes} modes")]);
    let times = many as f64 / few as f64;
    println!("forward dynamics, 10 links: {few} instructions with 10 modes each, {many} with 100: {times:.2} times");
    assert!(times <= 5.0, "{few} instructions with 10 modes, {many} with 100: {times:.2} times");
}

#[test]
fn two_percent_is_the_limit() {
    let counts = |pairs: &[(&str, u64)]| pairs.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect();
    let old = counts(&[("a", 1000), ("b", 1000), ("c", 1000), ("gone", 1)]);
    let [more, less] = compare(&old, &counts(&[("a", 1019), ("b", 1021), ("c", 979), ("new", 5)]));
    assert_eq!(
        more,
        ["b: 1021 instructions, 1000 recorded: +2.1 %", "new: 5, not recorded", "gone: recorded, but gone"]
    );
    assert_eq!(less, ["c: 979 instructions, 1000 recorded: -2.1 %"]);
}
