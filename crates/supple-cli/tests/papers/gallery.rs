//! The examples run, every number that they promise comes out, and the page of the gallery in the book is made of them.
//!
//! `SUPPLE_WRITE_GALLERY=1 cargo test -p supple-cli --test papers gallery` writes the page and the pictures anew.

use crate::gallery_support::analytic;
use crate::gallery_support::example::{Example, Kind, examples, read_all};
use crate::gallery_support::measure::{Results, frequency};
use crate::gallery_support::page::{Shown, index, page};
use crate::gallery_support::picture;
use crate::run_support::{Folder, repository, runs};
use std::collections::BTreeMap;
use std::fs;
use std::sync::Mutex;

/// Results of the scenarios of all examples, by folder and file of the scenario. As many run at a time as there are processors.
fn run_all(all: &[Example]) -> BTreeMap<(String, String), Results> {
    let folder = Folder::new();
    let jobs: Vec<(String, String)> = all
        .iter()
        .flat_map(|example| example.scenarios().into_iter().map(|file| (example.folder.clone(), file.to_owned())))
        .collect();
    let waiting = Mutex::new(jobs);
    let done = Mutex::new(BTreeMap::new());
    let next = || waiting.lock().unwrap().pop();
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, |n| n.get()) {
            scope.spawn(|| {
                while let Some((example, file)) = next() {
                    let scenario = examples().join(&example).join(&file);
                    let output = folder.path(&format!("{example}/{file}"));
                    let arguments = ["run", "-q", scenario.to_str().unwrap(), "-o", output.to_str().unwrap()];
                    runs(&folder, &arguments);
                    done.lock().unwrap().insert((example, file), Results::read(&output));
                }
            });
        }
    });
    done.into_inner().unwrap()
}

#[test]
fn every_number_and_the_page() {
    let all = read_all();
    let results = run_all(&all);
    let write = std::env::var_os("SUPPLE_WRITE_GALLERY").is_some();
    let (mut wrong, mut stale, mut shown) = (Vec::new(), Vec::new(), Vec::new());
    for example in all {
        let of = |file: &str| &results[&(example.folder.clone(), file.to_owned())];
        let measured: Vec<(f64, String)> = example.checks.iter().map(|c| of(&c.scenario).measured(c)).collect();
        for (check, (number, unit)) in example.checks.iter().zip(&measured) {
            let (value, tolerance) = (check.value, check.tolerance);
            let told = format!("{}: {}: {number} {unit}, expected {value} ± {tolerance}", example.folder, check.what);
            println!("{told}");
            let close = (number - value).abs() <= tolerance;
            // What is not a number is not close to anything.
            if !close {
                wrong.push(told);
            }
        }
        let name = format!("docs/pictures/gallery/{}.svg", example.folder);
        let path = repository(&name);
        let drawn = picture::draw(&example, of);
        if write {
            fs::write(&path, &drawn).unwrap();
        }
        let there = fs::read_to_string(&path).unwrap_or_default();
        stale.extend(picture::difference(&there, &drawn).map(|line| format!("{name}: {line}")));
        let models = example.checks.iter().map(|check| model(&example, &check.scenario)).collect();
        shown.push(Shown { example, measured, models });
    }
    assert!(wrong.is_empty(), "numbers of the examples are not what they should be:\n{}", wrong.join("\n"));
    for (name, made) in [("docs/gallery.md", page(&shown)), ("examples/README.md", index(&shown))] {
        if write {
            fs::write(repository(name), &made).unwrap();
        }
        let there = fs::read_to_string(repository(name)).unwrap_or_default();
        let differs = there.lines().zip(made.lines()).find(|(a, b)| a != b);
        let told = differs.map_or("another length".to_owned(), |(a, b)| format!("{a}\n{b}"));
        stale.extend((there != made).then(|| format!("{name}:\n{told}")));
    }
    assert!(stale.is_empty(), "the gallery is out of date, SUPPLE_WRITE_GALLERY=1 writes it:\n{}", stale.join("\n"));
}

/// A picture that no example draws any more is not left lying about.
#[test]
fn every_picture_is_of_an_example() {
    let folders: Vec<String> = read_all().into_iter().map(|example| example.folder).collect();
    for entry in fs::read_dir(repository("docs/pictures/gallery")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(folders.iter().any(|folder| format!("{folder}.svg") == name), "docs/pictures/gallery/{name}");
    }
}

/// The file of the model that a scenario names.
fn model(example: &Example, scenario: &str) -> String {
    let text = fs::read_to_string(examples().join(&example.folder).join(scenario)).unwrap();
    toml::from_str::<toml::Table>(&text).unwrap()["model"].as_str().unwrap().to_owned()
}

/// Numbers that are called analytic follow from their formulas, to a fifth of what is allowed.
#[test]
fn analytic_numbers_follow_from_formulas() {
    let numbers = analytic::numbers();
    let mut used = 0;
    for example in read_all() {
        for check in example.checks.iter().filter(|check| check.kind == Kind::Analytic && check.value != 0.0) {
            let found = numbers.iter().find(|(folder, what, _)| *folder == example.folder && *what == check.what);
            let Some((_, _, number)) = found else { panic!("{}: {}: no formula", example.folder, check.what) };
            let told = format!("{}: {}: {number}, not {}", example.folder, check.what, check.value);
            assert!((number - check.value).abs() <= 0.2 * check.tolerance, "{told}");
            used += 1;
        }
    }
    assert_eq!(used, numbers.len(), "formulas without a number in the gallery");
}

/// The systems that the gallery is to hold.
#[test]
fn the_gallery_is_complete() {
    let folders: Vec<String> = read_all().into_iter().map(|example| example.folder).collect();
    let trees =
        ["shuttle-arm", "spin-up-beam", "double-pendulum", "spacecraft", "laboratory-link", "crane", "ur5", "ur10"];
    let loops = ["four-bar", "slider-crank", "stewart-platform", "two-arms", "satellite-grapple", "walking-arm"];
    let controlled = ["two-link-arm", "rest-to-rest", "shuttle-slew", "spacecraft-wheel"];
    for wanted in trees.into_iter().chain(loops).chain(controlled) {
        assert!(folders.iter().any(|folder| folder == wanted), "{wanted} is missing in {folders:?}");
    }
}

/// What measures frequencies finds those of sines, also beside another one and a drift.
#[test]
fn frequencies_of_sines() {
    let signal = |t: f64| (std::f64::consts::TAU * 1.234 * t).sin() + 0.3 * (20.0 * t).cos() + 0.2 * t;
    let points: Vec<[f64; 2]> = (0..=2000).map(|i| f64::from(i) * 0.01).map(|t| [t, signal(t)]).collect();
    assert!((frequency(&points, [0.7, 2.0]) - 1.234).abs() < 1e-5);
    assert!((frequency(&points, [2.5, 4.0]) - 20.0 / std::f64::consts::TAU).abs() < 1e-4);
}
