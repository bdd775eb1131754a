//! What can go wrong with a place or a table, told with path and remedy; nothing is lost or overwritten.

use crate::results_support::{Folder, row, rows, table};
use std::fs;
use std::path::Path;
use supple_io::results::{
    Column, CsvWriter, Existing, IntegratorSummary, Outcome, ResultsError, RowSink, StatisticsSummary, Summary, Table,
    create_folder, plot, read_csv,
};

fn summary() -> Summary {
    let integrator = IntegratorSummary {
        name: "prince-dormand-8".to_owned(),
        relative_tolerance: Some(1e-9),
        absolute_tolerance: Some(1e-12),
        step: None,
    };
    Summary::new("slew", &table(), integrator)
}

#[test]
fn what_exists_is_not_overwritten_unasked() {
    let folder = Folder::new("exists");
    let path = folder.path("a");
    fs::write(&path, "precious").unwrap();
    let exists = || ResultsError::Exists { path: path.clone() };
    assert_eq!(CsvWriter::create(&path, &table(), Existing::Refuse).unwrap_err(), exists());
    assert_eq!(summary().write(&path, Existing::Refuse).unwrap_err(), exists());
    assert_eq!(plot::write_svg(&path, "a", &[], Existing::Refuse).unwrap_err(), exists());
    #[cfg(feature = "parquet")]
    {
        use supple_io::results::ParquetWriter;
        assert_eq!(ParquetWriter::create(&path, &table(), Existing::Refuse).unwrap_err(), exists());
    }
    #[cfg(feature = "mcap")]
    {
        use supple_io::results::McapWriter;
        let layout = crate::results_support::mcap_layout();
        assert_eq!(McapWriter::create(&path, &table(), &layout, Existing::Refuse).err(), Some(exists()));
    }
    assert_eq!(create_folder(&folder.path(""), Existing::Refuse), Err(ResultsError::Exists { path: folder.path("") }));
    assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
    assert_eq!(folder.names(), ["a"], "nothing else is left behind");
    assert!(exists().to_string().contains("ask for replacement"));

    create_folder(&folder.path(""), Existing::Replace).unwrap();
    let mut writer = CsvWriter::create(&path, &table(), Existing::Replace).unwrap();
    writer.append(&row(0)).unwrap();
    Box::new(writer).finish().unwrap();
    assert_eq!(read_csv(&path).unwrap().rows.len(), 1);
    summary().write(&path, Existing::Replace).unwrap();
    assert!(fs::read_to_string(&path).unwrap().starts_with('{'));
}

#[test]
fn folders_are_made_with_those_above_them() {
    let folder = Folder::new("folders");
    let deep = folder.path("a/b/c");
    create_folder(&deep, Existing::Refuse).unwrap();
    create_folder(&deep, Existing::Refuse).unwrap();
    fs::write(folder.path("file"), "").unwrap();
    assert_eq!(
        create_folder(&folder.path("file/deeper"), Existing::Replace),
        Err(ResultsError::NoFolder { path: folder.path("file/deeper") })
    );
    assert!(matches!(create_folder(&folder.path("file"), Existing::Replace), Err(ResultsError::Io { .. })));
    let lost = folder.path("nowhere/a.csv");
    let error = CsvWriter::create(&lost, &table(), Existing::Refuse).unwrap_err();
    assert_eq!(error, ResultsError::NoFolder { path: lost });
    assert!(error.to_string().contains("create the folder"), "{error}");
}

/// `/dev/full` has no space, ever.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_and_stays_told() {
    let full = Path::new("/dev/full");
    let expected = ResultsError::DiskFull { path: full.to_path_buf() };
    assert_eq!(CsvWriter::create(full, &table(), Existing::Replace).unwrap_err(), expected);
    assert!(expected.to_string().contains("free space"));
    #[cfg(feature = "mcap")]
    {
        use supple_io::results::McapWriter;
        let layout = crate::results_support::mcap_layout();
        assert_eq!(McapWriter::create(full, &table(), &layout, Existing::Replace).err(), Some(expected));
    }
}

/// A file that takes no more: rows written before stay whole, further ones fail in the same way.
#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_fills_up_leaves_whole_rows() {
    use std::process::Command;
    if let Ok(path) = std::env::var("SUPPLE_TEST_LIMITED") {
        let mut writer = CsvWriter::create(Path::new(&path), &table(), Existing::Refuse).unwrap();
        let error = (0..100_000).find_map(|i| writer.append(&row(i)).err()).expect("the limit is far below");
        assert_eq!(error, ResultsError::DiskFull { path: Path::new(&path).to_path_buf() });
        assert_eq!(writer.append(&row(0)), Err(error.clone()));
        assert_eq!(Box::new(writer).finish(), Err(error));
        #[cfg(feature = "parquet")]
        {
            let whole = Path::new(&path).with_extension("parquet");
            let mut writer = supple_io::results::ParquetWriter::create(&whole, &table(), Existing::Refuse).unwrap();
            (0..2000).for_each(|i| writer.append(&row(i)).unwrap());
            writer.flush().unwrap();
            (2000..50_000).for_each(|i| writer.append(&row(i)).unwrap());
            let part = whole.with_extension("parts").join("0002.parquet");
            assert_eq!(writer.flush(), Err(ResultsError::DiskFull { path: part.clone() }));
            assert_eq!(Box::new(writer).finish(), Err(ResultsError::DiskFull { path: part }));
        }
        return;
    }
    let folder = Folder::new("fills");
    let path = folder.path("a.csv");
    // A limit on the size of files, whose signal is ignored, gives an error like a quota's.
    let status = Command::new("bash")
        .args([
            "-c",
            "trap '' XFSZ; ulimit -f 300; exec \"$0\" --exact results_errors::a_disk_that_fills_up_leaves_whole_rows",
        ])
        .arg(std::env::current_exe().unwrap())
        .env("SUPPLE_TEST_LIMITED", &path)
        .stdout(std::process::Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
    let data = read_csv(&path).unwrap();
    assert!(!data.cut, "no half line");
    assert!(data.rows.len() > 1000);
    assert_eq!(data.rows, rows(data.rows.len()));
    #[cfg(feature = "parquet")]
    {
        assert_eq!(fs::read_dir(folder.path("a.parts")).unwrap().count(), 1, "no half part");
        assert_eq!(crate::results_support::read_parquet(&folder.path("a.parts/0001.parquet")).rows, rows(2000));
    }
}

#[test]
fn senseless_tables_are_refused() {
    let column = |name: &str, unit: &str| Column::new(name, unit, "");
    assert_eq!(Table::new("m", Vec::new()), Err(ResultsError::NoColumns));
    for (name, unit) in [("", "s"), ("a\nb", "s"), ("a", ""), ("a", "m[s]"), ("a", "\t")] {
        let error = Table::new("m", vec![column("time", "s"), column(name, unit)]).unwrap_err();
        assert!(matches!(error, ResultsError::BadColumn { index: 1, .. }), "{error}");
    }
    assert_eq!(
        Table::new("m", vec![column("a", "s"), column("b", "m"), column("a", "m")]),
        Err(ResultsError::RepeatedColumn { index: 2, first: 0, name: "a".to_owned() })
    );
    assert_eq!(table().column("energy"), Some(2));
    let folder = Folder::new("rows");
    let mut writer = CsvWriter::create(&folder.path("a.csv"), &table(), Existing::Refuse).unwrap();
    assert_eq!(writer.append(&[1.0]), Err(ResultsError::WrongLength { found: 1, expected: 4 }));
    writer.append(&row(0)).unwrap();
    assert_eq!(Box::new(writer).finish().unwrap()[0].rows, 1);
    assert_eq!(plot::Traces::new(&table(), &[4], 10).unwrap_err(), ResultsError::NoSuchColumn { index: 4, columns: 4 });
}

#[test]
fn summaries_come_back() {
    let folder = Folder::new("summary");
    let path = folder.path("summary.json");
    let mut summary = summary();
    summary.write(&path, Existing::Refuse).unwrap();
    summary.outcome = Outcome::Failed("step became too small at 1.5 s".to_owned());
    summary.end_time = 1.5;
    summary.set_wall_time(0.5);
    assert_eq!(summary.real_time_factor, 3.0);
    summary.warnings.push("`arm` is deflected by 12 % of its length".to_owned());
    let energy = supple::Energy { kinetic: 1.0, elastic: 0.1 + 0.2, gravitational: -3.0, stored: 0.0 };
    let ledger = supple::integrate::Ledger {
        energy,
        start: -2.0,
        work: 0.5,
        wrench_work: 0.0,
        dissipated: 0.125,
        hinge_dissipated: 0.0,
        projection_work: 0.0,
        impact_loss: 0.0,
        deviation: 0.0,
        deviation_rate: 0.0,
    };
    summary.ledger = Some(ledger.into());
    summary.statistics = StatisticsSummary { accepted_steps: 7, rejected_steps: 1, evaluations: 90 };
    assert_eq!(StatisticsSummary::default(), supple::integrate::Statistics::default().into());
    let written = supple_io::results::Written { path: folder.path("results.csv"), rows: 12 };
    summary.files.push((&written).into());
    summary.write(&path, Existing::Replace).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(serde_json::from_str::<Summary>(&text).unwrap(), summary);
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["outcome"]["state"], "failed");
    assert_eq!(value["files"][0]["name"], "results.csv");
    assert_eq!(value["ledger"]["balance_error"], ledger.balance_error());
    assert_eq!(value["columns"][1]["unit"], "rad");
    // A run that blew up is told too.
    summary.end_time = f64::NAN;
    summary.write(&path, Existing::Replace).unwrap();
    let again: Summary = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    assert!(again.end_time.is_nan());
    assert_eq!(folder.names(), ["summary.json"]);
}

#[test]
fn physics_of_a_model_are_told() {
    let text = include_str!("../../../../references/cases/tree_5_flex.json");
    let model = supple_io::case::Case::from_json(text).unwrap().prepare().unwrap().model;
    let mut summary = summary();
    summary.set_physics(&model);
    let physics = &summary.physics;
    assert_eq!(physics.bodies.len(), model.physics().len());
    assert!(!physics.bodies.is_empty() && physics.bodies.iter().all(|body| body.modes > 0));
    assert!(physics.bodies[0].terms.contains("modal mass"), "{physics:?}");
    assert_eq!(physics.elastic_rotation, model.elastic_rotation().to_string());
}
