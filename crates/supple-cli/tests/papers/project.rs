//! The papers of the project tell the truth: paths, equations, examples, commands, counts.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[track_caller]
pub fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Files and folders in a folder, all as paths from the root.
fn entries(folder: &str) -> (Vec<String>, Vec<String>) {
    let entries = fs::read_dir(root().join(folder)).unwrap().map(|entry| {
        let entry = entry.unwrap();
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if folder == "." { name } else { format!("{folder}/{name}") };
        (path, entry.file_type().unwrap().is_dir())
    });
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|(_, is_folder)| *is_folder);
    let paths = |entries: Vec<(String, bool)>| entries.into_iter().map(|(path, _)| path).collect();
    (paths(files), paths(folders))
}

/// Files below a folder, sorted.
fn files(folder: &str) -> Vec<String> {
    let (mut found, mut folders) = entries(folder);
    while let Some(folder) = folders.pop() {
        let (more, deeper) = entries(&folder);
        found.extend(more);
        folders.extend(deeper);
    }
    found.sort();
    found
}

/// Files of the project with an ending. Other folders at the root (build outputs, say) are none of its own.
fn with_ending(ending: &str) -> Vec<String> {
    let mut found = entries(".").0;
    found.extend([".ci", ".cargo", "crates", "docs", "references"].into_iter().flat_map(files));
    found.retain(|path| path.ends_with(ending));
    found
}

/// The paper without its code blocks.
fn prose(text: &str) -> String {
    let mut outside = true;
    let mut lines = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            outside = !outside;
        } else if outside {
            lines.push(line);
        }
    }
    lines.join("\n")
}

/// What stands between backticks.
fn spans(text: &str) -> impl Iterator<Item = &str> {
    text.lines().flat_map(|line| line.split('`').skip(1).step_by(2))
}

/// Whether a span is written like a path.
fn is_path(span: &str) -> bool {
    span.contains('/') && span.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c))
}

#[test]
fn architecture_is_short_and_its_paths_exist() {
    let text = read("ARCHITECTURE.md");
    assert!(text.lines().count() < 120, "ARCHITECTURE.md has grown to {} lines", text.lines().count());
    let prose = prose(&text);
    let paths: Vec<&str> = spans(&prose).filter(|span| is_path(span)).collect();
    assert!(paths.len() > 20);
    let lost: Vec<_> = paths.into_iter().filter(|path| !root().join(path).exists()).collect();
    assert!(lost.is_empty(), "ARCHITECTURE.md names what does not exist: {lost:?}");
}

#[test]
fn architecture_names_every_crate() {
    let text = read("ARCHITECTURE.md");
    let manifest = read("Cargo.toml");
    let (_, members) = manifest.split_once("members = [").unwrap();
    let (members, _) = members.split_once(']').unwrap();
    for member in members.split('"').skip(1).step_by(2) {
        assert!(text.contains(&format!("`{member}`")), "ARCHITECTURE.md does not name the crate {member}");
    }
}

#[test]
fn papers_point_at_what_exists() {
    let mut lost = Vec::new();
    for paper in with_ending(".md") {
        let text = read(&paper);
        let prose = prose(&text);
        let folder = Path::new(&paper).parent().unwrap();
        for target in prose.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next()) {
            if !target.is_empty() && !target.contains("://") && !root().join(folder).join(target).exists() {
                lost.push(format!("{paper}: ({target})"));
            }
        }
        for span in spans(&prose).filter(|span| is_path(span)) {
            let of_the_project = ["crates/", "docs/", "references/"].iter().any(|start| span.starts_with(start));
            if of_the_project && !root().join(span).exists() {
                lost.push(format!("{paper}: `{span}`"));
            }
        }
    }
    assert!(lost.is_empty(), "papers name what does not exist: {lost:#?}");
}

/// The number of a section of our own theory, from `S4`.
fn section(tag: &str) -> Option<&str> {
    tag.strip_prefix('S').filter(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
}

/// Equation tags in the comments of a source text: `[JR92 (63), (64)]` is two.
fn tags(source: &str) -> BTreeSet<String> {
    let comments = source.lines().filter_map(|line| line.split_once("//").map(|(_, comment)| comment));
    let mut found = BTreeSet::new();
    for bracket in comments.flat_map(|comment| comment.split('[').skip(1)) {
        let Some((content, _)) = bracket.split_once(']') else { continue };
        if section(content).is_some() {
            found.insert(format!("[{content}]"));
        }
        let Some((document, places)) = content.split_once(' ') else { continue };
        if ["JR92", "US508", "SOA", "B83", "DS95"].contains(&document) {
            found.extend(places.split(", ").map(|place| format!("[{document} {place}]")));
        }
    }
    found
}

/// Rows of the ledger: tag, file, test.
fn ledger() -> Vec<[String; 3]> {
    let text = read("docs/equations.md");
    let rows = text.lines().filter(|line| line.starts_with("| `["));
    rows.map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        assert_eq!(cells.len(), 4, "tag, equation, file, test: {row}");
        [cells[0], cells[2], cells[3]].map(|cell| cell.trim_matches('`').to_owned())
    })
    .collect()
}

#[test]
fn every_equation_in_the_code_is_in_the_ledger_and_the_reverse() {
    let mut in_code = BTreeSet::new();
    for file in files("crates").iter().filter(|file| file.ends_with(".rs") && file.contains("/src/")) {
        in_code.extend(tags(&read(file)).into_iter().map(|tag| (tag, file.clone())));
    }
    let rows = ledger();
    let listed: BTreeSet<_> = rows.iter().map(|[tag, file, _]| (tag.clone(), file.clone())).collect();
    assert_eq!(listed.len(), rows.len(), "docs/equations.md has a row twice");
    let unlisted: Vec<_> = in_code.difference(&listed).collect();
    assert!(unlisted.is_empty(), "missing in docs/equations.md: {unlisted:#?}");
    let gone: Vec<_> = listed.difference(&in_code).collect();
    assert!(gone.is_empty(), "in docs/equations.md, but no longer in the code: {gone:#?}");
}

/// What is wrong with the name of a test, `file::test`, if anything.
pub fn not_a_test(test: &str) -> Option<String> {
    let Some((file, name)) = test.split_once("::") else { return Some(format!("`{test}` is not file::test")) };
    let Ok(text) = fs::read_to_string(root().join(file)) else { return Some(format!("{file} does not exist")) };
    let Some(at) = text.find(&format!("fn {name}(")) else { return Some(format!("{file} has no function {name}")) };
    // Attributes stand in front of the function, without an empty line.
    let before = text[..at].rsplit("\n\n").next().unwrap_or_default();
    (!before.contains("#[test]")).then(|| format!("{name} of {file} is not a test"))
}

#[test]
fn every_equation_has_a_test() {
    let problems = ledger().into_iter().filter_map(|[tag, _, test]| Some(format!("{tag}: {}", not_a_test(&test)?)));
    let problems: Vec<String> = problems.collect();
    assert!(problems.is_empty(), "{problems:#?}");
}

#[test]
fn sections_of_the_theory_are_those_that_tags_name() {
    let theory = read("docs/theory.md");
    for [tag, ..] in ledger() {
        if let Some(section) = section(tag.trim_matches(['[', ']'])) {
            assert!(theory.contains(&format!("\n## {section}. ")), "docs/theory.md has no section {section}");
        }
    }
}

/// The first code block that starts with `fence`.
fn block(text: &str, fence: &str) -> String {
    let lines = text.lines().skip_while(|line| *line != fence).skip(1);
    lines.take_while(|line| *line != "```").map(|line| format!("{line}\n")).collect()
}

/// Ratios `a / b = c` in the cells of the rows of a table that starts with `head`, by column.
fn ratios(text: &str, head: &str) -> Vec<Vec<f64>> {
    let rows = text.lines().skip_while(|line| !line.starts_with(head)).skip(2).take_while(|line| line.starts_with('|'));
    let ratio = |cell: &str| cell.split_once(" = ").and_then(|(_, ratio)| ratio.trim().parse().ok());
    let rows: Vec<Vec<f64>> = rows.map(|row| row.split('|').filter_map(ratio).collect()).collect();
    assert!(rows.len() > 3 && rows.iter().all(|row| row.len() == rows[0].len() && !row.is_empty()), "{head}");
    (0..rows[0].len()).map(|column| rows.iter().map(|row| row[column]).collect()).collect()
}

fn range(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    values.into_iter().fold((f64::INFINITY, 0.0), |(least, most), value| (value.min(least), value.max(most)))
}

#[test]
fn measured_facts_of_the_readme_are_those_of_the_speed_page() {
    let (readme, speed) = (read("README.md"), read("docs/speed.md"));
    let (head, _) = readme.split_once("\n## ").unwrap();
    assert!(head.contains("docs/pictures/report.png"), "the first screen shows the report");
    let head = head.split_whitespace().collect::<Vec<_>>().join(" ");
    let says = |what: String| assert!(head.contains(&what), "the first screen of README.md does not say `{what}`");

    let rigid = &ratios(&speed, "| model | forward dynamics / `aba` |")[0];
    let (least, most) = range(rigid.iter().copied());
    says(format!("{least:.2} to {most:.2} of the time of Pinocchio 4.1, on {} models", rigid.len()));

    let (least, most) = range(ratios(&speed, "| links | 1 mode |").into_iter().flatten());
    says(format!("{least:.0} to {most:.0} times as fast as in Exudyn 1.13"));
    let ten = speed.lines().find(|line| line.starts_with("| 10 | ")).unwrap().split('|').nth(4).unwrap();
    let (theirs, ours) = ten.split_once(" = ").unwrap().0.trim().split_once(" / ").unwrap();
    says(format!("{:.1} µs (Exudyn: {theirs} µs)", ours.parse::<f64>().unwrap()));

    let arm = speed.lines().filter(|line| line.starts_with("| Shuttle arm, 12 modes, steps of"));
    let (least, most) = range(arm.map(|row| row.trim_end_matches(" |").rsplit(' ').next().unwrap().parse().unwrap()));
    says(format!("runs {least:.0} to {most:.0} times as fast as in Exudyn"));
}

#[test]
fn commands_of_the_readme_are_tested() {
    let commands = block(&read("README.md"), "```sh");
    let commands: Vec<&str> = commands.lines().map(|line| line.split('#').next().unwrap_or(line).trim()).collect();
    let [first, second] = commands[..] else { panic!("README.md has two commands, not {commands:?}") };
    assert_eq!(second, "./test");
    assert!(read("test").lines().any(|line| line.trim_start().starts_with(first)), "./test does not run `{first}`");
    let (_, input) = first.rsplit_once(' ').unwrap();
    assert!(root().join(input).exists(), "{input} does not exist");
    assert_eq!(block(&read("CONTRIBUTING.md"), "```sh").lines().collect::<Vec<_>>(), commands);
    let mut ci = read(".ci/run");
    ci.retain(|c| c != '"');
    assert!(ci.trim_end().ends_with("/../test"), ".ci/run does more or less than ./test");
}

#[test]
fn changelog_has_an_unreleased_section() {
    let text = read("CHANGELOG.md");
    let mut sections = text.lines().filter(|line| line.starts_with("## "));
    assert_eq!(sections.next(), Some("## [Unreleased]"));
    assert!(sections.all(|line| line.starts_with("## [") && line.contains("] - ")), "sections are `## [1.2.3] - date`");
}

#[test]
fn counts_in_the_papers_are_those_of_the_command() {
    let text = read("docs/cost.md");
    let (_, rest) = text.split_once("<!-- supple ").expect("docs/cost.md names the command of its table");
    let (arguments, rest) = rest.split_once(" -->").unwrap();
    let output = Command::new(crate::program()).args(arguments.split_whitespace()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let counted = String::from_utf8(output.stdout).unwrap();
    assert_eq!(
        block(rest, "```text"),
        counted,
        "the table of docs/cost.md is not what `supple {arguments}` prints; a commit that changes counts says why"
    );
    let rows: Vec<Vec<&str>> = counted.lines().skip(1).map(|line| line.split_whitespace().collect()).collect();
    let readme = read("README.md");
    for modes in rows.iter().map(|row| row[3]).collect::<BTreeSet<_>>() {
        let [auto, published] = ["articulated-auto", "paper-articulated"].map(|algorithm| {
            let of = rows.iter().filter(|row| row[0] == algorithm && row[3] == modes && row[1] != "bias");
            thousands(of.map(|row| row[4].parse::<u64>().unwrap() + row[5].parse::<u64>().unwrap()).sum())
        });
        let row = text.lines().find(|line| line.starts_with(&format!("| {modes} | {auto} | ")));
        assert!(
            row.is_some_and(|row| row.ends_with(&format!(" {published} |"))),
            "docs/cost.md: {modes}, {auto}, {published}"
        );
        let told = readme.contains(&auto) && readme.contains(&published);
        assert!(told || !["10", "100"].contains(&modes), "README.md: {modes} modes are {auto}, published {published}");
    }
}

/// A number with commas between groups of three digits.
fn thousands(number: u64) -> String {
    if number < 1000 { number.to_string() } else { format!("{},{:03}", thousands(number / 1000), number % 1000) }
}

#[test]
fn no_paths_of_a_machine_and_no_to_do_without_an_issue() {
    let mut found = Vec::new();
    let machine = [concat!("/ro", "ot/"), concat!("/wo", "rk/"), concat!("/ho", "me/"), concat!("/Use", "rs/")];
    let to_do = [
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
        concat!("XX", "X"),
        concat!("to", "do!"),
        concat!("unimple", "mented!"),
    ];
    for file in [".rs", ".md", ".toml", ".json", "/run", "test"].into_iter().flat_map(with_ending) {
        for (i, line) in read(&file).lines().enumerate() {
            let path = machine.iter().any(|word| line.contains(word));
            let open = to_do.iter().any(|word| line.split_once(word).is_some_and(|(_, rest)| !rest.starts_with("(#")));
            if path || open {
                found.push(format!("{file}:{}: {}", i + 1, line.trim().chars().take(120).collect::<String>()));
            }
        }
    }
    assert!(found.is_empty(), "paths of a machine, or work without an issue `(#1)`: {found:#?}");
}

#[test]
fn decisions_are_numbered() {
    for (i, path) in files("docs/decisions").iter().enumerate() {
        let number = format!("{:04}", i + 1);
        assert!(path.starts_with(&format!("docs/decisions/{number}-")), "{path} should have number {number}");
        assert!(read(path).starts_with(&format!("# {number}: ")), "{path} does not start with its number");
    }
}

/// Crates that a member of the workspace is built of, each with its features.
fn crates_and_features(member: &str) -> BTreeSet<String> {
    let arguments = ["tree", "--offline", "-e", "normal,build", "--prefix", "none", "-f", "{p} [{f}]", "-p", member];
    let output = Command::new(env!("CARGO")).args(arguments).current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(|line| line.trim_end_matches(" (*)").to_owned()).collect()
}

/// Where one feature differs, a release build of the Python package compiles all crates again, minutes of `./test`.
#[test]
fn one_release_build_serves_the_command_and_the_python_package() {
    let (command, package) = (crates_and_features("supple-cli"), crates_and_features("supple-python"));
    let lost: Vec<_> = command.difference(&package).collect();
    assert!(
        lost.is_empty(),
        "the Python package wants other features: change them in supple-cli/Cargo.toml: {lost:#?}"
    );
}
