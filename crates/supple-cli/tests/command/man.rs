//! Manual pages: one of each command, with all of its options, in order.

use std::fs;
use std::process::Command;

use crate::picture::refused;
use crate::run_support::{Folder, runs};

/// Commands below a command, by its help.
fn below(folder: &Folder, command: &[&str]) -> Vec<String> {
    let help = runs(folder, &[command, &["--help"]].concat());
    let listed = help.split_once("Commands:\n").map_or("", |(_, rest)| rest.split("\n\n").next().unwrap());
    let names = listed.lines().filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

/// All commands, each with those above it.
fn commands(folder: &Folder) -> Vec<Vec<String>> {
    let mut found: Vec<Vec<String>> = Vec::new();
    for name in below(folder, &[]) {
        found.push(vec![name.clone()]);
        found.extend(below(folder, &[&name]).into_iter().map(|inner| vec![name.clone(), inner]));
    }
    found
}

#[test]
fn every_command_has_a_page_with_all_of_its_options() {
    let folder = Folder::new();
    let commands = commands(&folder);
    assert!(commands.len() > 24 && commands.contains(&vec!["design".to_owned(), "shaper".to_owned()]), "{commands:?}");
    let told = runs(&folder, &["man", "-o", "man1"]);
    assert_eq!(told.trim(), format!("man1: {} pages", commands.len() + 1));
    let files = fs::read_dir(folder.path("man1")).unwrap().count();
    assert_eq!(files, commands.len() + 1);
    for command in commands.iter().chain([&Vec::new()]) {
        let words: Vec<&str> = command.iter().map(String::as_str).collect();
        let name = [&["supple"], &words[..]].concat().join("-");
        let page = folder.text(&format!("man1/{name}.1"));
        assert!(page.contains(&format!(".TH {name} 1 \"\" \"supple 0.")), "{}", &page[..200.min(page.len())]);
        for section in ["NAME", "SYNOPSIS", "DESCRIPTION"] {
            assert!(page.contains(&format!(".SH {section}\n")), "{name}: {section}");
        }
        assert_eq!(page.contains(".SH \"SEE ALSO\"\n"), !words.is_empty(), "{name}");
        // A line that begins like a request of troff would not be seen.
        let known = [".TH ", ".SH ", ".PP", ".TP", ".RS", ".RE", ".IP ", ".br", ".ie ", ".el "];
        let lost =
            page.lines().find(|line| line.starts_with(['.', '\'']) && !known.iter().any(|k| line.starts_with(k)));
        assert_eq!(lost, None, "{name}");
        let help = runs(&folder, &[&words[..], &["--help"]].concat());
        let option = |line: &str| Some(line.split_once("--")?.1.split([' ', ',', '=']).next()?.to_owned());
        let options = help.lines().filter(|line| line.trim_start().starts_with('-')).filter_map(option);
        for option in options {
            assert!(page.contains(&format!("\\-\\-{}", option.replace('-', "\\-"))), "{name}: --{option}");
        }
        assert_eq!(runs(&folder, &[&["man"], &words[..]].concat()), page, "{name}");
    }
    // Again in the same place, after an update.
    runs(&folder, &["man", "-o", "man1"]);
}

#[test]
fn pages_are_sound() {
    let folder = Folder::new();
    runs(&folder, &["man", "-o", "man1"]);
    let mut pages: Vec<_> = fs::read_dir(folder.path("man1")).unwrap().map(|entry| entry.unwrap().path()).collect();
    pages.sort();
    match Command::new("mandoc").args(["-T", "lint", "-W", "warning"]).args(&pages).output() {
        Ok(output) => {
            let told = String::from_utf8(output.stdout).unwrap();
            // A page is of a version, not of a day.
            let wrong: Vec<&str> = told.lines().filter(|line| !line.contains("missing date")).collect();
            assert!(wrong.is_empty(), "{wrong:#?}");
        }
        Err(_) => println!("skipped: mandoc is not installed"),
    }
}

#[test]
fn mistakes_are_told_with_what_to_do() {
    let folder = Folder::new();
    let (code, told) = refused(&folder, &["man", "rnu"]);
    assert!(
        code == Some(2) && told.contains("there is no command `rnu`; did you mean `run`? commands are: "),
        "{told}"
    );
    let (code, told) = refused(&folder, &["man", "design", "shape"]);
    assert!(code == Some(2) && told.contains("did you mean `design shaper`?"), "{told}");
    assert_eq!(refused(&folder, &["man", "run", "-o", "x"]).0, Some(2));
    folder.write("file", "");
    let (code, told) = refused(&folder, &["man", "-o", "file"]);
    assert!(code == Some(1) && told.contains("file"), "{told}");
}
