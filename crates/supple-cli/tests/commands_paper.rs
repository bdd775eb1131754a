//! docs/commands.md tells what the commands print.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A folder with the references, in which commands may write.
fn folder() -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("commands_paper");
    let _ = fs::remove_dir_all(&path);
    for part in ["models", "urdf", "sid", "cases"] {
        let target = path.join("references").join(part);
        fs::create_dir_all(&target).unwrap();
        for entry in fs::read_dir(root().join("references").join(part)).unwrap() {
            let entry = entry.unwrap();
            fs::copy(entry.path(), target.join(entry.file_name())).unwrap();
        }
    }
    path
}

/// Command lines with what is shown below them.
fn examples(paper: &str) -> Vec<(String, Vec<String>)> {
    let mut found = Vec::new();
    let mut lines = paper.lines();
    while let Some(line) = lines.next() {
        if line == "```console" {
            for line in lines.by_ref().take_while(|line| *line != "```") {
                match line.strip_prefix("$ ") {
                    Some(command) => found.push((command.to_owned(), Vec::new())),
                    None => found.last_mut().expect("a block starts with a command").1.push(line.to_owned()),
                }
            }
        }
    }
    found
}

/// Whether printed lines are the shown ones, where `…` stands for any number of lines.
fn agrees(shown: &[String], printed: &[&str]) -> bool {
    match shown {
        [] => printed.is_empty(),
        [first, rest @ ..] if first == "…" => (0..=printed.len()).any(|skip| agrees(rest, &printed[skip..])),
        [first, rest @ ..] => printed.first() == Some(&first.as_str()) && agrees(rest, &printed[1..]),
    }
}

#[test]
fn examples_print_what_the_paper_shows() {
    let paper = fs::read_to_string(root().join("docs/commands.md")).unwrap();
    let examples = examples(&paper);
    let folder = folder();
    for command in
        ["check", "modes", "import", "schema", "completions", "report", "compare", "view", "eval", "cost", "bench"]
    {
        assert!(examples.iter().any(|(line, _)| line.starts_with(&format!("supple {command} "))), "{command}");
    }
    for (line, shown) in examples {
        let (arguments, file) = line.split_once(" > ").map_or((line.as_str(), None), |(a, file)| (a, Some(file)));
        let mut words = arguments.split_whitespace();
        assert_eq!(words.next(), Some("supple"), "{line}");
        let output = Command::new(env!("CARGO_BIN_EXE_supple")).args(words).current_dir(&folder).output().unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        // A terminal shows messages after what was printed.
        let told = String::from_utf8(output.stderr).unwrap();
        let all = if file.is_some() { told } else { printed + &told };
        let lines: Vec<&str> = all.lines().map(str::trim_end).collect();
        assert!(agrees(&shown, &lines), "`{line}` prints\n{all}");
        let refused = lines.iter().any(|line| line.starts_with("supple: ") || line.starts_with("error: "));
        assert_eq!(output.status.success(), !refused, "{line}");
    }
}
