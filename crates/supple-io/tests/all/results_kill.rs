//! A process that is killed in the middle of a run leaves what it had written, readable.
#![cfg(all(feature = "parquet", feature = "mcap"))]

use crate::results_support::{Folder, mcap_layout, mcap_messages, read_parquet, row, table};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use supple_io::results::{
    CsvWriter, Existing, IntegratorSummary, McapWriter, Outcome, ParquetWriter, RowSink, Summary, read_csv,
    recover_mcap,
};

/// Names the folder for the process that is to be killed.
const VICTIM: &str = "SUPPLE_TEST_VICTIM";

fn write_for_ever(folder: &Path) {
    let integrator =
        IntegratorSummary { name: "none".to_owned(), relative_tolerance: None, absolute_tolerance: None, step: None };
    Summary::new("kill", &table(), integrator).write(&folder.join("summary.json"), Existing::Refuse).unwrap();
    let mut sinks: [Box<dyn RowSink>; 3] = [
        Box::new(CsvWriter::create(&folder.join("a.csv"), &table(), Existing::Refuse).unwrap()),
        Box::new(ParquetWriter::create(&folder.join("a.parquet"), &table(), Existing::Refuse).unwrap()),
        Box::new(McapWriter::create(&folder.join("a.mcap"), &table(), &mcap_layout(), Existing::Refuse).unwrap()),
    ];
    for i in 0.. {
        sinks.iter_mut().for_each(|sink| sink.append(&row(i)).unwrap());
        if i % 20 == 19 {
            // Some ten thousand rows a second, as a run might give.
            std::thread::sleep(Duration::from_millis(1));
            assert!(i < 2_000_000, "nobody came");
        }
    }
}

fn parts(folder: &Folder) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder.path("a.parts")).into_iter().flatten();
    let mut parts: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    parts.retain(|path| !path.file_name().unwrap().to_string_lossy().starts_with('.'));
    parts.sort();
    parts
}

/// Every row is that of its number.
fn check_rows(rows: &[Vec<f64>]) {
    for (i, found) in rows.iter().enumerate() {
        assert_eq!(found[..], row(i), "row {i}");
    }
}

#[test]
fn a_killed_run_leaves_readable_rows() {
    if let Ok(folder) = std::env::var(VICTIM) {
        write_for_ever(Path::new(&folder));
    }
    let folder = Folder::new("kill");
    let mut victim = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "results_kill::a_killed_run_leaves_readable_rows"])
        .env(VICTIM, folder.path(""))
        .spawn()
        .unwrap();
    let start = Instant::now();
    while parts(&folder).len() < 2 {
        assert!(start.elapsed() < Duration::from_secs(60) && victim.try_wait().unwrap().is_none(), "no parts come");
        std::thread::sleep(Duration::from_millis(20));
    }
    // SIGKILL where there are signals.
    victim.kill().unwrap();
    victim.wait().unwrap();

    let data = read_csv(&folder.path("a.csv")).unwrap();
    check_rows(&data.rows);
    let in_parts: Vec<Vec<f64>> = parts(&folder).iter().flat_map(|path| read_parquet(path).rows).collect();
    check_rows(&in_parts);
    let count = recover_mcap(&folder.path("a.mcap"), &folder.path("b.mcap"), Existing::Refuse).unwrap();
    let messages = mcap_messages(&fs::read(folder.path("b.mcap")).unwrap());
    assert_eq!(messages.len() as u64, count);
    for (i, (topic, time, value)) in messages.iter().filter(|(topic, ..)| topic == "/hinges").enumerate() {
        assert_eq!((topic.as_str(), *time), ("/hinges", i as u64 * 1_000_000));
        assert_eq!(value["angle"], row(i)[1]);
    }
    let summary: Summary = serde_json::from_str(&fs::read_to_string(folder.path("summary.json")).unwrap()).unwrap();
    assert_eq!(summary.outcome, Outcome::Running);
    // At most 20 rows come in a millisecond. CSV and MCAP hold all but half a second, Parquet all but two.
    let counts = [data.rows.len(), count as usize / 2, in_parts.len()];
    println!("rows left in csv, mcap, parquet: {counts:?}");
    let most = counts.into_iter().max().unwrap();
    assert!(most > 1000);
    for (count, seconds) in counts.into_iter().zip([0.5, 0.5, 2.0]) {
        assert!(most - count <= (20_000.0 * seconds) as usize + 20, "{counts:?}");
    }
}
