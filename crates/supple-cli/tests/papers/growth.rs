//! The rules by which the project grows (CONTRIBUTING.md) hold.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Lines of a sweep before its tests.
const SWEEP: usize = 150;
/// Lines of any other file before its tests.
const FILE: usize = 400;
/// Crates that a dependency of a default member may bring, itself included.
const BROUGHT: usize = 50;
/// Integration-test programs of one crate, and of all together: each links the engine once more.
const PROGRAMS: (usize, usize) = (3, 16);

/// Files that are longer than they may be, with the most lines they may have. It can only shrink: a file that has become short enough leaves it.
const LONG: [(&str, usize); 21] = [
    ("crates/supple-bodies/src/sid/read.rs", 474),
    ("crates/supple-bodies/tests/all/sid_body.rs", 419),
    ("crates/supple-bodies/tests/all/sid_text.rs", 413),
    ("crates/supple-cli/tests/command/bad_inputs.rs", 692),
    ("crates/supple-cli/tests/command/files.rs", 480),
    ("crates/supple-cli/tests/command/run.rs", 457),
    ("crates/supple-io/tests/all/urdf_errors.rs", 474),
    ("crates/supple/src/sweep/articulation.rs", 153),
    ("crates/supple/src/sweep/bias.rs", 281),
    ("crates/supple/src/sweep/composite_force.rs", 259),
    ("crates/supple/src/sweep/composite_force/entries.rs", 163),
    ("crates/supple/src/sweep/configuration.rs", 186),
    ("crates/supple/src/sweep/crossing.rs", 207),
    ("crates/supple/src/sweep/elimination/explicit.rs", 245),
    ("crates/supple/src/sweep/elimination/mod.rs", 164),
    ("crates/supple/src/sweep/hinge/general.rs", 162),
    ("crates/supple/src/sweep/hinge/one_axis.rs", 219),
    ("crates/supple/src/sweep/modal_mass.rs", 364),
    ("crates/supple/src/sweep/newton_euler.rs", 227),
    ("crates/supple/src/sweep/velocity.rs", 164),
    ("crates/supple/tests/engine/build_errors.rs", 425),
];

/// Places in the engine that ask which scheme they serve, apart from the list of schemes: what a new scheme would have to look through. It can only
/// shrink.
const ASKS_FOR_THE_SCHEME: [(&str, usize); 1] = [("crates/supple/src/integrate/motion_equations.rs", 1)];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Source files below a folder, as paths from the root.
fn sources(folder: &str, found: &mut Vec<String>) {
    let mut entries: Vec<_> = fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap()).collect();
    entries.sort_by_key(|entry| entry.file_name());
    for entry in entries {
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.file_type().unwrap().is_dir() {
            sources(&path, found);
        } else if path.ends_with(".rs") {
            found.push(path);
        }
    }
}

/// Lines of code before the tests of a file.
fn code(path: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join(path)).unwrap();
    let lines = text.lines().take_while(|line| *line != "#[cfg(test)]");
    lines.filter(|line| !line.trim_start().starts_with("//")).map(str::to_owned).collect()
}

/// Found numbers that differ from those that are allowed.
fn differences(found: &BTreeMap<String, usize>, allowed: &[(&str, usize)]) -> Vec<String> {
    let allowed: BTreeMap<&str, usize> = allowed.iter().copied().collect();
    let more = found.iter().filter(|(path, count)| allowed.get(path.as_str()).is_none_or(|most| *count > most));
    let less = allowed.iter().filter(|(path, most)| found.get(**path).is_none_or(|count| count < most));
    let now = |path: &str| found.get(path).copied().unwrap_or(0);
    let grown = more.map(|(path, count)| format!("{path}: {count}, more than is allowed"));
    grown.chain(less.map(|(path, _)| format!("{path}: only {} now, write that into the list", now(path)))).collect()
}

#[test]
fn a_scheme_is_named_in_few_places() {
    let mut files = Vec::new();
    sources("crates/supple/src/integrate", &mut files);
    let counts = files.into_iter().filter(|path| !path.ends_with("/scheme.rs")).map(|path| {
        let count = code(&path).iter().filter(|line| line.contains("Scheme::")).count();
        (path, count)
    });
    let found: BTreeMap<String, usize> = counts.filter(|(_, count)| *count > 0).collect();
    let problems = differences(&found, &ASKS_FOR_THE_SCHEME);
    assert!(problems.is_empty(), "{problems:#?}");
}

#[test]
fn files_are_short() {
    let mut found = Vec::new();
    sources("crates", &mut found);
    assert!(found.len() > 300);
    let listed: BTreeMap<&str, usize> = LONG.into_iter().collect();
    let mut problems = Vec::new();
    for path in &found {
        let text = fs::read_to_string(root().join(path)).unwrap();
        let lines = text.lines().take_while(|line| *line != "#[cfg(test)]").count();
        let most = if path.starts_with("crates/supple/src/sweep/") { SWEEP } else { FILE };
        match listed.get(path.as_str()) {
            None if lines > most => problems.push(format!("{path} has {lines} lines before its tests, {most} at most")),
            Some(&allowed) if lines > allowed => {
                problems.push(format!("{path} has grown from {allowed} lines to {lines}"))
            }
            Some(_) if lines <= most => problems.push(format!("{path} is short enough now: take it off the list")),
            _ => {}
        }
    }
    let gone = LONG.iter().filter(|(path, _)| !root().join(path).exists());
    problems.extend(gone.map(|(path, _)| format!("{path} is gone: take it off the list")));
    assert!(problems.is_empty(), "{problems:#?}");
}

/// What cargo knows of the workspace, on this kind of machine.
fn metadata() -> Value {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let arguments = ["metadata", "--format-version", "1", "--offline", "--filter-platform", "x86_64-unknown-linux-gnu"];
    let output = Command::new(cargo).args(arguments).current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn list<'a>(value: &'a Value, name: &str) -> &'a Vec<Value> {
    value[name].as_array().unwrap_or_else(|| panic!("no list {name}"))
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_else(|| panic!("no text {name}"))
}

/// Identities in a list of texts.
fn set(value: &Value) -> BTreeSet<&str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

#[test]
fn there_are_few_test_programs() {
    let metadata = metadata();
    let members = set(&metadata["workspace_members"]);
    let mut all = 0;
    for package in list(&metadata, "packages").iter().filter(|package| members.contains(text(package, "id"))) {
        let programs = list(package, "targets").iter().filter(|target| set(&target["kind"]).contains("test"));
        let names: Vec<&str> = programs.map(|target| text(target, "name")).collect();
        assert!(names.len() <= PROGRAMS.0, "{} has {names:?}: add modules to one of them", text(package, "name"));
        all += names.len();
    }
    assert!((10..=PROGRAMS.1).contains(&all), "{all} programs of tests, {} at most", PROGRAMS.1);
}

/// Crates that each package brings into a build, itself included.
fn brought<'a>(package: &'a str, dependencies: &BTreeMap<&'a str, Vec<&'a str>>) -> BTreeSet<&'a str> {
    let (mut found, mut waiting) = (BTreeSet::new(), vec![package]);
    while let Some(next) = waiting.pop() {
        if found.insert(next) {
            waiting.extend(dependencies.get(next).into_iter().flatten());
        }
    }
    found
}

/// Whether a dependency of a package is there unless a feature is asked for.
fn by_default(package: &Value, dependency: &Value) -> bool {
    let name = dependency["rename"].as_str().unwrap_or(text(dependency, "name"));
    let (mut features, mut waiting) = (BTreeSet::new(), vec!["default"]);
    while let Some(feature) = waiting.pop() {
        if features.insert(feature) {
            waiting.extend(set(&package["features"][feature]));
        }
    }
    dependency["optional"] != true || features.contains(format!("dep:{name}").as_str()) || features.contains(name)
}

#[test]
fn default_members_bring_few_crates() {
    let metadata = metadata();
    let [members, defaults] = ["workspace_members", "workspace_default_members"].map(|name| set(&metadata[name]));
    assert!(defaults.len() > 4 && defaults.len() < members.len());
    // Those that are needed to build a package, without those of its tests.
    let mut dependencies = BTreeMap::new();
    let mut direct = BTreeMap::new();
    for node in list(&metadata["resolve"], "nodes") {
        let needed = |d: &&Value| list(d, "dep_kinds").iter().any(|kind| kind["kind"] != "dev");
        let all: Vec<&str> = list(node, "deps").iter().map(|d| text(d, "pkg")).collect();
        let built: Vec<&str> = list(node, "deps").iter().filter(needed).map(|d| text(d, "pkg")).collect();
        dependencies.insert(text(node, "id"), built);
        direct.insert(text(node, "id"), all);
    }
    let packages: BTreeMap<&str, &Value> = list(&metadata, "packages").iter().map(|p| (text(p, "id"), p)).collect();
    let mut heavy = Vec::new();
    for member in &members {
        for dependency in &direct[member] {
            let name = text(packages[dependency], "name");
            let declared = list(packages[member], "dependencies").iter().filter(|d| text(d, "name") == name);
            let always = declared.into_iter().any(|d| by_default(packages[member], d));
            let count = brought(dependency, &dependencies).len();
            let own = members.contains(dependency);
            if !own && count > BROUGHT {
                heavy.push(name);
            }
            if !defaults.contains(member) || !always {
                continue;
            }
            let member = text(packages[member], "name");
            assert!(
                !own || defaults.contains(dependency),
                "{member} is a default member and needs {name}, which is not"
            );
            assert!(own || count <= BROUGHT, "{member} is a default member, and {name} brings {count} crates");
        }
    }
    // The rule has something to forbid.
    assert!(heavy.contains(&"mdbook-driver") && heavy.contains(&"faer"), "{heavy:?}");
}
