//! `supple sweep`: killed and resumed, split, repeated run by run, summarised.
#![cfg(unix)]

use crate::run_support::{Folder, repository, run, runs, signal, start, supple};
use std::fs;
use std::time::{Duration, Instant};
use supple_run::sweep::{Study, done_runs, read_rows};

/// A folder with a study of the double pendulum: some tens of milliseconds per run.
fn pendulum(top: &str) -> Folder {
    let folder = Folder::new();
    folder.write("pendulum.toml", fs::read(repository("examples/double-pendulum/pendulum.toml")).unwrap());
    folder.write("fall.toml", fs::read(repository("examples/double-pendulum/fall.toml")).unwrap());
    let text = r#"
        format = "supple-study-1"
        scenario = "fall.toml"
        set = ["duration=0.1", "integrator.relative_tolerance=1e-5", "integrator.absolute_tolerance=1e-7"]
        TOP
        [[vary]]
        name = "length"
        key = "model.body.lower.beam.length"
        uniform = [0.9, 1.1]
        [[vary]]
        name = "elbow"
        key = "initial.hinges.elbow"
        uniform = [-0.2, 0.2]
        [[extract]]
        name = "height"
        column = "node.lower.tip.y"
    "#;
    folder.write("study.toml", text.replace("TOP", top));
    folder
}

/// Killed in the middle three times: at the end every run is there once, and the rows are those of a sweep that nobody killed.
#[test]
fn no_run_is_lost_or_made_twice_after_kills() {
    let folder = pendulum("samples = 150");
    let study = Study::read(folder.path("study.toml")).unwrap();
    let (killed, whole) = (folder.path("killed"), folder.path("whole"));
    let mut before = 0;
    for kill in 0..3 {
        let resume: &[&str] = if kill == 0 { &[] } else { &["--resume"] };
        let mut child = start(&folder, &[&["sweep", "study.toml", "-o", "killed"], resume].concat());
        let started = Instant::now();
        while done_runs(&killed).map_or(0, |done| done.len()) <= before && child.try_wait().unwrap().is_none() {
            assert!(started.elapsed() < Duration::from_secs(120), "no part after two minutes");
            std::thread::sleep(Duration::from_millis(5));
        }
        signal(child.id(), "KILL");
        child.wait().unwrap();
        before = done_runs(&killed).unwrap().len();
    }
    assert!(before > 0);
    let told = runs(&folder, &["sweep", "study.toml", "-o", "killed", "--resume"]);
    assert!(told.contains(&format!("{} of 150 runs made", 150 - before)), "{told}");
    runs(&folder, &["sweep", "study.toml", "-o", "whole", "--jobs", "1"]);
    let (rows, again) = read_rows(&study, &[&killed]).unwrap();
    assert_eq!((rows.len(), again), (150, 0));
    assert_eq!(rows, read_rows(&study, &[&whole]).unwrap().0);
    assert_eq!(folder.text("killed/summary.json").replace("killed", ""), folder.text("whole/summary.json"));
    let refused = run(&folder, &["sweep", "study.toml", "-o", "killed"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--resume"), "{refused:?}");
}

/// Ctrl-C keeps what is complete.
#[test]
fn an_interrupted_sweep_keeps_its_rows() {
    let folder = pendulum("samples = 4000");
    let mut child = start(&folder, &["sweep", "study.toml"]);
    let out = folder.path("results/study");
    let started = Instant::now();
    while done_runs(&out).map_or(0, |done| done.len()) == 0 {
        assert!(started.elapsed() < Duration::from_secs(120), "no part after two minutes");
        std::thread::sleep(Duration::from_millis(5));
    }
    signal(child.id(), "INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let study = Study::read(folder.path("study.toml")).unwrap();
    let (rows, again) = read_rows(&study, &[&out]).unwrap();
    assert!(!rows.is_empty() && rows.len() < 4000 && again == 0 && rows.iter().all(|row| row.message.is_empty()));
}

/// Processes with runs of their own share a folder; the last one writes the summary.
#[test]
fn runs_are_split_among_processes() {
    let folder = pendulum("samples = 12\nsampling = \"latin-hypercube\"");
    runs(&folder, &["sweep", "study.toml", "--runs", "5:", "-q"]);
    assert!(!folder.path("results/study/summary.json").exists());
    let told = runs(&folder, &["sweep", "study.toml", "--runs", ":5"]);
    assert!(
        told.contains("height [m], 12 runs") && told.contains("rank correlation") && told.contains("--run "),
        "{told}"
    );
    assert_eq!(folder.json("results/study/summary.json")["done"], 12);
    // Folders of several machines are summarised as one.
    runs(&folder, &["sweep", "study.toml", "--runs", "0:7", "-o", "a", "-q"]);
    runs(&folder, &["sweep", "study.toml", "--runs", "7:12", "-o", "b", "-q"]);
    let json = runs(&folder, &["sweep", "study.toml", "--summary", "a", "b", "--json"]);
    let found: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(found["numbers"], folder.json("results/study/summary.json")["numbers"]);
    let csv = runs(&folder, &["sweep", "study.toml", "--summary", "--format", "csv"]);
    assert!(csv.starts_with("number,statistic,value,low,high\n\"height\",\"mean\","), "{csv}");
}

/// The values of runs before they are made, and a run once more in full: the number of its row comes out again.
#[test]
fn runs_are_listed_and_repeated() {
    let folder = pendulum("samples = 4\nseed = 3");
    let csv = runs(&folder, &["sweep", "study.toml", "--dry-run", "--format", "csv"]);
    let study = Study::read(folder.path("study.toml")).unwrap();
    let values = study.values(2);
    assert_eq!(csv.lines().next(), Some("run,length,elbow"));
    assert_eq!(csv.lines().nth(3), Some(format!("2,{},{}", values[0].text, values[1].text).as_str()));
    assert!(!folder.path("results").exists());
    let rows = runs(&folder, &["sweep", "study.toml", "--dry-run", "--runs", "1:3", "--json"]);
    let rows: serde_json::Value = serde_json::from_str(&rows).unwrap();
    assert_eq!((rows[1]["run"].as_u64(), rows[1]["elbow"].as_f64()), (Some(2), values[1].number));
    runs(&folder, &["sweep", "study.toml", "-q"]);
    let (made, _) = read_rows(&study, &[folder.path("results/study")]).unwrap();
    runs(&folder, &["sweep", "study.toml", "--run", "2"]);
    let results = supple_io::results::read_csv(&folder.path("results/study/run-2/results.csv")).unwrap();
    let column = results.heads.iter().position(|(name, _)| name == "node.lower.tip.y").unwrap();
    assert_eq!(results.rows.last().unwrap()[column], made[2].numbers[0]);
    assert!(folder.path("results/study/run-2/report.html").exists());
    let wrong = run(&folder, &["sweep", "study.toml", "--run", "4"]);
    assert!(wrong.status.code() == Some(2) && String::from_utf8_lossy(&wrong.stderr).contains("0 to 3"), "{wrong:?}");
}

/// Plots of the summary, and generated code whose rows are those of the engine but for rounding.
#[test]
fn plots_are_files_and_code_gives_the_same_rows() {
    let folder = pendulum("samples = 12");
    runs(&folder, &["sweep", "study.toml", "--svg", "plots", "--quiet"]);
    for name in ["distribution", "sensitivity", "over-length", "over-elbow"] {
        let text = folder.text(&format!("plots/1-height-{name}.svg"));
        assert!(text.starts_with("<svg") && text.contains("height"), "{name}");
    }
    assert!(folder.text("plots/1-height-sensitivity.svg").contains("rank correlation"));
    let page = folder.text("results/study/sweep.html");
    assert!(page.matches("<svg").count() >= 4, "the page has them too");
    if std::process::Command::new("cc").arg("--version").output().is_err() {
        return;
    }
    let told = runs(&folder, &["sweep", "study.toml", "--compiled", "-o", "compiled"]);
    assert!(told.contains("12 of 12 runs made") && !told.contains("by the engine"), "{told}");
    let study = Study::read(folder.path("study.toml")).unwrap();
    let rows = |name: &str| read_rows(&study, &[folder.path(name)]).unwrap().0;
    for (own, other) in rows("compiled").iter().zip(rows("results/study")) {
        assert!((own.numbers[0] - other.numbers[0]).abs() < 1e-5, "{own:?} {other:?}");
    }
    let refused = run(&folder, &["sweep", "study.toml", "-o", "compiled", "--resume"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("add --compiled"), "{refused:?}");
    runs(&folder, &["sweep", "study.toml", "--summary", "compiled", "--quiet"]);
}

/// Without a GPU, and for a study that none can run, it says what to do, and leaves no folder.
#[test]
fn a_sweep_without_its_gpu_leaves_nothing() {
    let folder = pendulum("samples = 3");
    let free = ["--unset", "integrator.relative_tolerance", "--unset", "integrator.absolute_tolerance"];
    let fixed = [&free[..], &["--set", "integrator.kind=rk4", "--set", "integrator.step=1e-4"]].concat();
    let cases: [(&[&str], [&str; 2]); 2] = [
        (&[], ["`integrator.kind` must be rk4 or linearly-implicit", "leave out --gpu"]),
        (&fixed, ["runs on a GPU: ", "run the study on the processor with --compiled"]),
    ];
    for (more, words) in cases {
        // Where there is a GPU it is hidden.
        let arguments = [&["sweep", "study.toml", "--gpu", "-o", "out"], more].concat();
        let told = supple(&folder, &arguments).env("CUDA_VISIBLE_DEVICES", "").output().unwrap();
        let text = String::from_utf8_lossy(&told.stderr).into_owned();
        assert_eq!(told.status.code(), Some(1), "{text}");
        assert!(words.iter().all(|word| text.contains(word)), "{text}");
        assert!(!folder.path("out").exists());
    }
    let help = runs(&folder, &["sweep", "--help"]);
    assert!(
        help.contains("Override a value of the scenario of all runs") && !help.contains("of the file, e.g."),
        "{help}"
    );
}
