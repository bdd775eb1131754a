//! Sweeps: each run follows from the study and its number alone, and no run is lost or made twice.

use std::fs;
use std::path::PathBuf;

use supple_io::change::Change;
use supple_run::sweep::{
    Manifest, PartWriter, Row, RunStatus, Runner, Study, SweepOptions, done_runs, read_rows, summarise, sweep,
    write_summary,
};
use supple_run::{Existing, Interrupt, Options, RunErrorKind};

use crate::Arm;

/// Coarse, so that a run takes little time.
const COARSE: &str = "kind = \"dormand-prince\"\nrelative_tolerance = 1e-4\nabsolute_tolerance = 1e-6";

const VARY: &str = r#"
    [[vary]]
    name = "jib mass"
    key = "model.body.jib.rigid.mass"
    uniform = [2, 4]
    [[vary]]
    name = "start"
    key = "initial.hinges.elbow"
    normal = { mean = 0, deviation = 0.2 }
"#;
const EXTRACT: &str = r#"
    [[extract]]
    name = "swing"
    column = "hinge.elbow"
    measure = "peak-to-peak"
    [[extract]]
    name = "energy"
    column = "energy.total"
    measure = "last"
"#;

/// An arm with a study in its folder.
fn arm(top: &str, vary: &str) -> (Arm, PathBuf) {
    let arm = Arm::new(COARSE);
    let path = arm.0.join("study.toml");
    let text = format!("format = \"supple-study-1\"\nscenario = \"scenario.toml\"\n{top}\n{vary}\n{EXTRACT}");
    fs::write(&path, text).unwrap();
    (arm, path)
}

fn options(study: &Study, folder: PathBuf, jobs: usize) -> SweepOptions {
    SweepOptions { folder, jobs, ..SweepOptions::new(study) }
}

fn all_rows(study: &Study) -> Vec<Row> {
    let mut runner = Runner::new(study);
    (0..study.runs()).map(|run| runner.run(run)).collect()
}

/// Rows as text, with the bits of their numbers: what is no number is equal to itself.
fn bits(rows: &[Row]) -> Vec<String> {
    let numbers = |row: &Row| row.numbers.iter().map(|number| number.to_bits()).collect::<Vec<_>>();
    rows.iter()
        .map(|row| format!("{} {:?} {:?} {} {}", row.run, row.values, numbers(row), row.status, row.message))
        .collect()
}

/// Backwards, on three threads in two parts, and read back from files: the same bits.
#[test]
fn rows_do_not_depend_on_order_threads_or_split() {
    let (arm, path) = arm("samples = 12\nseed = 5", VARY);
    let study = Study::read(&path).unwrap();
    let rows = all_rows(&study);
    assert!(rows.iter().all(|row| row.status == RunStatus::Finished && row.numbers.iter().all(|n| n.is_finite())));
    assert!(rows.windows(2).all(|pair| pair[0].numbers[0] != pair[1].numbers[0]), "{rows:?}");
    let other = Study::read(&path).unwrap();
    let mut runner = Runner::new(&other);
    let mut backwards: Vec<Row> = (0..12).rev().map(|run| runner.run(run)).collect();
    backwards.reverse();
    assert_eq!(bits(&rows), bits(&backwards));
    let folders = [arm.0.join("first"), arm.0.join("second")];
    for (folder, runs) in folders.iter().zip([0..5, 5..12]) {
        let options = SweepOptions { runs, ..options(&study, folder.clone(), 3) };
        let swept = sweep(&study, &options, &mut |_| {}).unwrap();
        assert!(!swept.interrupted && swept.progress.failed == 0);
    }
    let (read, again) = read_rows(&study, &folders).unwrap();
    assert_eq!((bits(&rows), again), (bits(&read), 0));
}

/// A run of a sweep is that of `supple run` with its values set, although the sweep reads files once and keeps the model where it can.
#[test]
fn a_run_is_that_of_its_changes() {
    for vary in [VARY, "[[vary]]\nkey = \"initial.hinges.elbow\"\nuniform = [-1, 1]"] {
        let (arm, path) = arm("samples = 3\nset = [\"gravity=[0, -5, 0]\"]", vary);
        let study = Study::read(&path).unwrap();
        for row in all_rows(&study) {
            let changes = study.changes(row.run);
            let results = supple_run::run(arm.scenario(), &Options { changes, ..Options::default() }).unwrap();
            let column = results.column("hinge.elbow").unwrap();
            let extreme = |f: fn(f64, f64) -> f64| column.iter().copied().reduce(f).unwrap();
            assert_eq!(row.numbers[0].to_bits(), (extreme(f64::max) - extreme(f64::min)).to_bits());
            assert_eq!(row.numbers[1].to_bits(), results.last("energy.total").unwrap().to_bits());
        }
    }
}

/// Files that change or disappear while a sweep goes on make no difference to it.
#[test]
fn files_are_read_once() {
    let (arm, path) = arm("samples = 4", VARY);
    let study = Study::read(&path).unwrap();
    let before = all_rows(&study);
    fs::write(arm.scenario(), "nonsense").unwrap();
    fs::remove_file(arm.0.join("model.toml")).unwrap();
    assert_eq!(bits(&all_rows(&study)), bits(&before));
    assert_eq!(Study::read(&path).unwrap_err().kind, RunErrorKind::Unsound);
}

/// Values that make no run, and runs that end early, are rows.
#[test]
fn failures_are_rows() {
    let (arm, path) =
        arm("sampling = \"grid\"", "[[vary]]\nname = \"mass\"\nkey = \"model.body.jib.rigid.mass\"\nlist = [3, -1, 2]");
    let study = Study::read(&path).unwrap();
    let folder = arm.0.join("out");
    let swept = sweep(&study, &options(&study, folder.clone(), 2), &mut |_| {}).unwrap();
    assert_eq!((swept.progress.made, swept.progress.failed), (3, 1));
    let (summary, rows) = summarise(&study, &[&folder]).unwrap();
    assert_eq!(rows.iter().map(|row| row.status.word()).collect::<Vec<_>>(), ["finished", "failed", "finished"]);
    assert!(rows[1].message.contains("mass") && rows[1].numbers[0].is_nan(), "{:?}", rows[1]);
    assert_eq!((summary.failed, summary.failures[0].run, summary.numbers[0].count), (1, 1, 2));
    write_summary(&study, &rows, &summary, &folder).unwrap();
    let page = fs::read_to_string(folder.join("sweep.html")).unwrap();
    assert!(page.contains("First failures") && page.contains("--run 1") && page.contains("<svg"));
}

/// Where no run can begin, or a column is missing, the study is refused at once.
#[test]
fn studies_that_cannot_run_are_refused() {
    let (_arm, path) = arm("samples = 4", "[[vary]]\nkey = \"model.body.jib.rigid.mas\"\nuniform = [1, 2]");
    let error = Study::read(&path).unwrap_err();
    assert!(error.to_string().contains("run 0") && error.to_string().contains("did you mean `mass`?"), "{error}");
    let (_arm, path) = arm("samples = 4", "[[extract]]\ncolumn = \"hinge.elbo\"");
    let error = Study::read(&path).unwrap_err();
    assert_eq!(error.kind, RunErrorKind::NoColumn);
    assert!(error.to_string().contains("did you mean `hinge.elbow`?"), "{error}");
}

/// A sweep that was interrupted goes on; runs that are there are refused, or left as they are, and a study that changed is refused.
#[test]
fn sweeps_go_on_where_they_ended() {
    let (arm, path) = arm("samples = 20", VARY);
    let study = Study::read(&path).unwrap();
    let folder = arm.0.join("out");
    let interrupt = Interrupt::default();
    let first = SweepOptions { interrupt: interrupt.clone(), ..options(&study, folder.clone(), 2) };
    let swept = sweep(&study, &first, &mut |progress| {
        if progress.made >= 7 {
            interrupt.interrupt();
        }
    });
    let swept = swept.unwrap();
    let made = swept.progress.made;
    assert!(swept.interrupted && (7..20).contains(&made), "{swept:?}");
    assert_eq!(done_runs(&folder).unwrap().len(), made);
    let again = options(&study, folder.clone(), 2);
    assert_eq!(sweep(&study, &again, &mut |_| {}).unwrap_err().kind, RunErrorKind::Exists);
    let resume = SweepOptions { existing: Existing::Resume, ..again };
    let swept = sweep(&study, &resume, &mut |_| {}).unwrap();
    assert_eq!((swept.progress.before, swept.progress.made), (made, 20 - made));
    let (rows, twice) = read_rows(&study, &[&folder]).unwrap();
    assert_eq!((bits(&rows), twice), (bits(&all_rows(&study)), 0));
    // More samples of the same are no other study; another seed is, and so is another model.
    let more = Study::read_changed(&path, &[Change::parse("study.samples=22").unwrap()]).unwrap();
    let further = SweepOptions { runs: 0..22, ..resume.clone() };
    assert_eq!(sweep(&more, &further, &mut |_| {}).unwrap().progress.made, 2);
    let other = Study::read_changed(&path, &[Change::parse("study.seed=1").unwrap()]).unwrap();
    let error = sweep(&other, &resume, &mut |_| {}).unwrap_err();
    assert!(error.kind == RunErrorKind::ForeignCheckpoint && error.to_string().contains("study"), "{error}");
    let model = arm.0.join("model.toml");
    fs::write(&model, fs::read_to_string(&model).unwrap().replace("damping = 4", "damping = 5")).unwrap();
    let error = sweep(&Study::read(&path).unwrap(), &resume, &mut |_| {}).unwrap_err();
    assert!(error.to_string().contains("model.toml changed since"), "{error}");
    let replaced = SweepOptions { existing: Existing::Replace, ..resume };
    assert_eq!(sweep(&Study::read(&path).unwrap(), &replaced, &mut |_| {}).unwrap().progress.made, 20);
}

/// Two processes cannot make the same runs in a folder.
#[test]
fn runs_are_made_by_one_process() {
    let (arm, path) = arm("samples = 4", VARY);
    let study = Study::read(&path).unwrap();
    let folder = arm.0.join("out");
    let mut inner = None;
    sweep(&study, &options(&study, folder.clone(), 1), &mut |_| {
        let other = SweepOptions { runs: 2..3, existing: Existing::Resume, ..options(&study, folder.clone(), 1) };
        inner.get_or_insert_with(|| sweep(&study, &other, &mut |_| {}).map_err(|error| error.kind));
    })
    .unwrap();
    assert_eq!(inner, Some(Err(RunErrorKind::Busy)));
    assert!(!folder.join(".runs-0-4.lock").exists());
    assert_eq!(Manifest::read(&folder).unwrap().unwrap().runs, 4);
}

/// Parts that were written before a kill stay, what was being written is passed over, and parts of the same run are told.
#[test]
fn parts_appear_whole() {
    let (arm, path) = arm("samples = 6", VARY);
    let study = Study::read(&path).unwrap();
    let rows = all_rows(&study);
    let mut parts = PartWriter::new(&study, &arm.0.join("out")).unwrap();
    for i in [4, 2] {
        parts.append(rows[i].clone()).unwrap();
    }
    parts.flush().unwrap();
    fs::write(arm.0.join("out/parts/.000000000005.parquet.partial"), "half").unwrap();
    assert_eq!(done_runs(&arm.0.join("out")).unwrap().ranges(), [2..3, 4..5]);
    let (read, _) = read_rows(&study, &[arm.0.join("out")]).unwrap();
    assert_eq!(bits(&read), bits(&[rows[2].clone(), rows[4].clone()]));
    let mut twice = PartWriter::new(&study, &arm.0.join("out")).unwrap();
    twice.append(rows[2].clone()).unwrap();
    assert_eq!(twice.flush().unwrap_err().kind, RunErrorKind::Busy);
}

/// Sensors of a random study have noise of their own in every run; those of a grid have that of the scenario.
#[test]
fn noise_is_counted() {
    let sensor =
        "\n[[sensor]]\nname = \"the \\\"encoder\\\"\"\nupdate_rate = 10\nquantity = \"hinge.elbow\"\nnoise = 0.1\n";
    let numbers = |top: &str, vary: &str| {
        let (arm, path) = arm(top, vary);
        let scenario = fs::read_to_string(arm.scenario()).unwrap();
        let recorded = scenario.replace("\"energy\"]", "\"energy\", \"signals\"]") + sensor;
        fs::write(arm.scenario(), recorded).unwrap();
        let study = fs::read_to_string(&path).unwrap().replace("hinge.elbow", "sensor.the \\\"encoder\\\".value");
        fs::write(&path, study).unwrap();
        let study = Study::read(&path).unwrap_or_else(|error| panic!("{error}"));
        all_rows(&study).iter().map(|row| row.numbers[0]).collect::<Vec<_>>()
    };
    let own = numbers("samples = 3", "");
    assert!(own[0] != own[1] && own[1] != own[2] && own[0] != own[2], "{own:?}");
    let same = numbers("samples = 3\nnoise = \"same\"", "");
    assert!(same[0] == same[1] && same[1] == same[2], "{same:?}");
    let grid = numbers("sampling = \"grid\"", "[[vary]]\nkey = \"name\"\nlist = [\"a\", \"b\"]");
    assert_eq!(grid, same[..2]);
}
