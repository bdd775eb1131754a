//! Tables come back from every format as they were written.

use crate::results_support::{Folder, rows, table};
use std::fs;
use supple_io::results::{Column, CsvWriter, Existing, ResultsError, RowSink, Table, read_csv};

/// Numbers that are hard to write: the edges of doubles and those that are not finite.
const HARD: [f64; 12] = [
    0.1,
    -0.0,
    1.0 / 3.0,
    f64::MAX,
    f64::MIN_POSITIVE,
    5e-324,
    123_456_789_012_345_680.0,
    9_007_199_254_740_993.0,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    1e-7,
];

fn same(a: &[Vec<f64>], b: &[Vec<f64>]) -> bool {
    let bits = |x: &f64| if x.is_nan() { u64::MAX } else { x.to_bits() };
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.iter().map(bits).eq(b.iter().map(bits)))
}

#[test]
fn csv_comes_back_bit_by_bit() {
    let folder = Folder::new("csv");
    let path = folder.path("results.csv");
    let heads = [("time", "s"), ("arm.q[1]", "1"), ("a \"b\", c", "N m"), ("ω", "rad/s")];
    let columns = heads.iter().map(|(name, unit)| Column::new(*name, *unit, "")).collect();
    let table = Table::new("arm", columns).unwrap();
    let mut writer = CsvWriter::create(&path, &table, Existing::Refuse).unwrap();
    let rows: Vec<Vec<f64>> = HARD.iter().enumerate().map(|(i, x)| vec![i as f64, *x, -x, x * 0.7]).collect();
    rows.iter().for_each(|row| writer.append(row).unwrap());
    let written = Box::new(writer).finish().unwrap();
    assert_eq!((written[0].path.as_path(), written[0].rows), (path.as_path(), 12));
    let data = read_csv(&path).unwrap();
    assert!(same(&data.rows, &rows), "{:?}", data.rows);
    assert_eq!(data.heads, heads.map(|(name, unit)| (name.to_owned(), unit.to_owned())));
    assert!(!data.cut);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.starts_with("time[s],arm.q[1][1],\"a \"\"b\"\", c[N m]\",ω[rad/s]\n0.0,0.1,-0.1,"), "{text}");
    assert!(text.contains("\n5.0,5e-324,-5e-324,5e-324\n"), "shortest numbers: {text}");
}

#[test]
fn a_cut_last_line_is_the_only_damage_of_a_csv_file() {
    let folder = Folder::new("csv-cut");
    let path = folder.path("results.csv");
    let mut writer = CsvWriter::create(&path, &table(), Existing::Refuse).unwrap();
    let rows = rows(5);
    rows.iter().for_each(|row| writer.append(row).unwrap());
    drop(writer);
    let whole = fs::read(&path).unwrap();
    let ends: Vec<usize> = (0..whole.len()).filter(|i| whole[*i] == b'\n').collect();
    assert_eq!(ends.len(), 6);
    for length in ends[0] + 1..=whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        let data = read_csv(&path).unwrap();
        let complete = ends.iter().filter(|end| **end < length).count() - 1;
        assert!(same(&data.rows, &rows[..complete]), "{length}");
        assert_eq!(data.cut, !ends.contains(&(length - 1)), "{length}");
    }
}

#[test]
fn damaged_csv_files_are_refused() {
    let folder = Folder::new("csv-damaged");
    let path = folder.path("results.csv");
    for text in ["time\n1.0\n", "time[s],x[m]\n1.0\n", "time[s]\nfive\n", "time[s]\n\n", "\u{fffd}[s]\n1.0,2.0\n"] {
        fs::write(&path, text).unwrap();
        assert!(matches!(read_csv(&path), Err(ResultsError::Format { .. })), "{text:?}");
    }
    fs::write(&path, b"time[s]\n\xff\n").unwrap();
    assert!(matches!(read_csv(&path), Err(ResultsError::Io { action: "read", .. })));
    assert!(matches!(read_csv(&folder.path("none.csv")), Err(ResultsError::Io { action: "read", .. })));
}

#[cfg(feature = "parquet")]
mod parquet_files {
    use super::*;
    use crate::results_support::read_parquet;
    use supple_io::results::ParquetWriter;

    #[test]
    fn parquet_comes_back_bit_by_bit_with_its_metadata() {
        let folder = Folder::new("parquet");
        let path = folder.path("results.parquet");
        let mut writer = ParquetWriter::create(&path, &table(), Existing::Refuse).unwrap();
        let rows: Vec<Vec<f64>> = HARD.iter().map(|x| vec![*x, -x, x * 0.7, 1.0]).collect();
        for (i, row) in rows.iter().enumerate() {
            writer.append(row).unwrap();
            // Parts of one, two and nine rows.
            if i == 0 || i == 2 {
                writer.flush().unwrap();
            }
        }
        assert_eq!(folder.names(), ["results.parts"]);
        let written = Box::new(writer).finish().unwrap();
        assert_eq!((written[0].path.as_path(), written[0].rows), (path.as_path(), 12));
        assert_eq!(folder.names(), ["results.parquet"], "the parts are gone");
        let file = read_parquet(&path);
        assert!(same(&file.rows, &rows), "{:?}", file.rows);
        assert_eq!(file.names, ["time", "angle", "energy", "arm.q[1]"]);
        assert_eq!(file.groups, 1, "parts are joined");
        assert_eq!(file.metadata["supple.model"], "test arm");
        assert_eq!(file.metadata["supple.version"], env!("CARGO_PKG_VERSION"));
        let columns: Vec<Column> = serde_json::from_str(&file.metadata["supple.columns"]).unwrap();
        assert_eq!(columns, table().columns());
    }

    /// Parts of many pages, more of them together than a group of rows.
    #[test]
    fn many_rows_come_back() {
        let folder = Folder::new("parquet-many");
        let path = folder.path("results.parquet");
        let mut writer = ParquetWriter::create(&path, &table(), Existing::Refuse).unwrap();
        let rows = rows(600_000);
        for (i, row) in rows.iter().enumerate() {
            writer.append(row).unwrap();
            if i == 300_000 {
                writer.flush().unwrap();
            }
        }
        assert_eq!(Box::new(writer).finish().unwrap()[0].rows, 600_000);
        assert!(same(&read_parquet(&path).rows, &rows));
    }

    #[test]
    fn tables_without_rows_and_with_one_part_are_whole_files() {
        let folder = Folder::new("parquet-small");
        for count in [0, 3] {
            let path = folder.path(&format!("{count}.parquet"));
            let mut writer = ParquetWriter::create(&path, &table(), Existing::Refuse).unwrap();
            rows(count).iter().for_each(|row| writer.append(row).unwrap());
            Box::new(writer).finish().unwrap();
            assert!(same(&read_parquet(&path).rows, &rows(count)));
        }
    }

    #[test]
    fn a_dropped_parquet_writer_leaves_complete_parts() {
        let folder = Folder::new("parquet-dropped");
        let path = folder.path("results.parquet");
        let mut writer = ParquetWriter::create(&path, &table(), Existing::Refuse).unwrap();
        let rows = rows(7);
        rows[..4].iter().for_each(|row| writer.append(row).unwrap());
        writer.flush().unwrap();
        rows[4..].iter().for_each(|row| writer.append(row).unwrap());
        drop(writer);
        let parts = [1, 2].map(|i| read_parquet(&folder.path(&format!("results.parts/000{i}.parquet"))).rows);
        assert!(same(&parts.concat(), &rows));
        // Another run does not touch them unasked, and removes them when asked.
        let again = |existing| ParquetWriter::create(&path, &table(), existing);
        assert!(matches!(again(Existing::Refuse), Err(ResultsError::Exists { .. })));
        Box::new(again(Existing::Replace).unwrap()).finish().unwrap();
        assert_eq!(folder.names(), ["results.parquet"]);
    }

    /// The text was read once by pyarrow, which gave unit and description of the field; it must not change unnoticed.
    #[test]
    fn the_arrow_schema_is_that_which_arrow_reads() {
        let folder = Folder::new("arrow");
        let path = folder.path("results.parquet");
        let table = Table::new("m", vec![Column::new("time", "s", "simulated time")]).unwrap();
        Box::new(ParquetWriter::create(&path, &table, Existing::Refuse).unwrap()).finish().unwrap();
        assert_eq!(
            read_parquet(&path).metadata["ARROW:schema"],
            include_str!("../results_support/arrow_schema.txt").trim()
        );
    }
}

#[cfg(feature = "mcap")]
mod mcap_files {
    use super::*;
    use crate::results_support::{mcap_layout, mcap_messages};
    use std::path::Path;
    use supple_io::results::{Channel, Frame, McapWriter, TopicLayout, recover_mcap};

    #[test]
    fn mcap_comes_back() {
        let folder = Folder::new("mcap");
        let path = folder.path("results.mcap");
        let mut writer = McapWriter::create(&path, &table(), &mcap_layout(), Existing::Refuse).unwrap();
        writer.append(&[0.0, 0.1, f64::NAN, 5e-324]).unwrap();
        writer.append(&[1.5, -0.2, 1e300, 2.0]).unwrap();
        let written = Box::new(writer).finish().unwrap();
        assert_eq!(written[0].rows, 2);
        let bytes = fs::read(&path).unwrap();
        let summary = mcap::Summary::read(&bytes).unwrap().expect("an index");
        assert_eq!(summary.stats.unwrap().message_count, 4);
        let messages = mcap_messages(&bytes);
        let text = |i: usize| (messages[i].0.as_str(), messages[i].1, messages[i].2.to_string());
        assert_eq!(text(0), ("/hinges", 0, r#"{"angle":0.1}"#.to_owned()));
        assert_eq!(text(1), ("/energy", 0, r#"{"arm.q[1]":5e-324,"energy":null}"#.to_owned()));
        assert_eq!(text(2), ("/hinges", 1_500_000_000, r#"{"angle":-0.2}"#.to_owned()));
        let channel = summary.channels.values().find(|c| c.topic == "/hinges").unwrap();
        let schema = channel.schema.as_ref().unwrap();
        assert_eq!((schema.encoding.as_str(), channel.message_encoding.as_str()), ("jsonschema", "json"));
        let told: serde_json::Value = serde_json::from_slice(&schema.data).unwrap();
        assert_eq!(told["properties"]["angle"]["unit"], "rad");
    }

    #[test]
    fn frames_become_transforms() {
        let folder = Folder::new("mcap-frames");
        let path = folder.path("results.mcap");
        let names = ["time", "x", "y", "z", "qx", "qy", "qz", "qw"];
        let columns = names.iter().enumerate().map(|(i, n)| Column::new(*n, if i == 0 { "s" } else { "m" }, ""));
        let table = Table::new("m", columns.collect()).unwrap();
        let frame = Frame { parent: "world".to_owned(), child: "arm \"tip\"".to_owned(), first_column: 1 };
        let layout = TopicLayout { channels: Vec::new(), frames: vec![frame] };
        let mut writer = McapWriter::create(&path, &table, &layout, Existing::Refuse).unwrap();
        writer.append(&[2.25, 1.0, 2.0, 3.0, 0.0, 0.6, 0.0, 0.8]).unwrap();
        Box::new(writer).finish().unwrap();
        let bytes = fs::read(&path).unwrap();
        let messages = mcap_messages(&bytes);
        let expected = serde_json::json!({"transforms": [{
            "timestamp": {"sec": 2, "nsec": 250_000_000},
            "parent_frame_id": "world",
            "child_frame_id": "arm \"tip\"",
            "translation": {"x": 1.0, "y": 2.0, "z": 3.0},
            "rotation": {"x": 0.0, "y": 0.6, "z": 0.0, "w": 0.8},
        }]});
        assert_eq!(messages, [("/tf".to_owned(), 2_250_000_000, expected)]);
        let summary = mcap::Summary::read(&bytes).unwrap().unwrap();
        assert_eq!(summary.schemas.values().next().unwrap().name, "foxglove.FrameTransforms");
    }

    /// Cut at any length, a log gives back all of its complete chunks, or rows where it is written live.
    #[test]
    fn a_cut_log_is_recovered() {
        recover_cut("mcap-cut", McapWriter::create);
        recover_cut("mcap-cut-live", McapWriter::live);
    }

    type Create = fn(&Path, &Table, &TopicLayout, Existing) -> Result<McapWriter, ResultsError>;

    fn recover_cut(name: &str, create: Create) {
        let folder = Folder::new(name);
        let (path, cut, sound) = (folder.path("a.mcap"), folder.path("cut.mcap"), folder.path("sound.mcap"));
        let mut writer = create(&path, &table(), &mcap_layout(), Existing::Refuse).unwrap();
        let mut sizes = Vec::new();
        for row in rows(12) {
            writer.append(&row).unwrap();
            writer.flush().unwrap();
            sizes.push(fs::metadata(&path).unwrap().len() as usize);
        }
        Box::new(writer).finish().unwrap();
        let whole = fs::read(&path).unwrap();
        let all = mcap_messages(&whole);
        for length in (sizes[0]..whole.len()).step_by(7) {
            fs::write(&cut, &whole[..length]).unwrap();
            let count = recover_mcap(&cut, &sound, Existing::Replace).unwrap() as usize;
            let complete = sizes.iter().filter(|size| **size <= length).count();
            assert!(count >= 2 * complete, "{count} messages of {length} bytes, {complete} chunks");
            let bytes = fs::read(&sound).unwrap();
            assert!(mcap::Summary::read(&bytes).unwrap().is_some());
            assert_eq!(mcap_messages(&bytes), all[..count]);
        }
        fs::write(&cut, b"not a log").unwrap();
        assert!(matches!(recover_mcap(&cut, &sound, Existing::Replace), Err(ResultsError::Format { .. })));
    }

    #[test]
    fn senseless_logs_are_refused() {
        let folder = Folder::new("mcap-bad");
        let create = |table: &Table, layout: &TopicLayout| {
            McapWriter::create(&folder.path("bad.mcap"), table, layout, Existing::Refuse).err().unwrap()
        };
        let channel = |topic: &str, columns: &[usize]| Channel { topic: topic.to_owned(), columns: columns.to_vec() };
        let layout = |channels| TopicLayout { channels, frames: Vec::new() };
        let lost = |index| ResultsError::NoSuchColumn { index, columns: 4 };
        assert_eq!(create(&table(), &layout(vec![channel("/a", &[9])])), lost(9));
        let frame = |first_column| Frame { parent: "a".to_owned(), child: "b".to_owned(), first_column };
        let frames = |first| TopicLayout { channels: Vec::new(), frames: vec![frame(first)] };
        assert_eq!(create(&table(), &frames(0)), lost(6));
        assert_eq!(create(&table(), &frames(usize::MAX)), lost(usize::MAX));
        for channels in [
            vec![channel("/a", &[])],
            vec![channel("/a", &[1]), channel("/a", &[2])],
            vec![channel("/tf", &[1])],
            vec![channel("", &[1])],
        ] {
            assert!(matches!(create(&table(), &layout(channels)), ResultsError::BadColumn { .. }));
        }
        let no_time = Table::new("m", vec![Column::new("x", "m", "")]).unwrap();
        assert!(matches!(create(&no_time, &TopicLayout::default()), ResultsError::BadColumn { index: 0, .. }));
        assert!(folder.names().is_empty(), "nothing is created for what is refused");
        let mut writer =
            McapWriter::create(&folder.path("a.mcap"), &table(), &mcap_layout(), Existing::Refuse).unwrap();
        for value in [-1e-9, f64::NAN, f64::INFINITY, 2e10] {
            let error = writer.append(&[value, 0.0, 0.0, 0.0]).unwrap_err();
            assert!(matches!(error, ResultsError::Time { row: 0, .. }), "{error}");
        }
        // A refused row does no harm.
        writer.append(&[0.0; 4]).unwrap();
        assert_eq!(Box::new(writer).finish().unwrap()[0].rows, 1);
    }
}

/// A CSV file that was left before its end goes on to the same bytes, whatever is behind the rows that are kept.
#[test]
fn csv_goes_on_to_the_same_bytes() {
    let folder = Folder::new("csv-resume");
    let (whole, part) = (folder.path("whole.csv"), folder.path("part.csv"));
    let mut sink = CsvWriter::create(&whole, &table(), Existing::Refuse).unwrap();
    assert_eq!(sink.last_row(), None);
    rows(11).iter().for_each(|row| sink.append(row).unwrap());
    sink.flush().unwrap();
    let keep = sink.extent();
    rows(30)[11..].iter().for_each(|row| sink.append(row).unwrap());
    // What is held is not in the file.
    assert_eq!(sink.last_row(), Some((11, rows(11)[10][0])));
    sink.complete().unwrap();
    assert_eq!(sink.last_row(), Some((30, rows(30)[29][0])));
    let bytes = std::fs::read(&whole).unwrap();
    let ends: Vec<usize> = (0..bytes.len()).filter(|i| bytes[*i] == b'\n').map(|i| i + 1).collect();
    // Whole lines, lines cut anywhere, a cut line with lines after it, and what a lost power supply may leave.
    let cuts = [ends[11], ends[11] + 3, ends[20], ends[20] + 17, bytes.len()].map(|cut| bytes[..cut].to_vec());
    let torn = [&bytes[..ends[20] + 7], &bytes[ends[3]..ends[5]]].concat();
    let zeros = [&bytes[..ends[11]], &[0; 100], b"\n"].concat();
    let letters = [&bytes[..ends[11]], &[0xff, 0xfe, b'\n']].concat();
    for left in cuts.into_iter().chain([torn, zeros, letters]) {
        std::fs::write(&part, left).unwrap();
        let (sink, kept) = CsvWriter::resume(&part, &table(), keep).unwrap();
        assert_eq!(kept, rows(11));
        let mut sink: Box<dyn RowSink> = Box::new(sink);
        rows(30)[11..].iter().for_each(|row| sink.append(row).unwrap());
        assert_eq!(sink.finish().unwrap()[0].rows, 30);
        assert_eq!(std::fs::read(&part).unwrap(), bytes);
    }
    // Too few rows, other columns: refused, and the file stays.
    std::fs::write(&part, &bytes[..ends[10] + 5]).unwrap();
    assert!(CsvWriter::resume(&part, &table(), keep).is_err());
    assert_eq!(std::fs::read(&part).unwrap(), bytes[..ends[10] + 5]);
    // Every other digit among the rows that are kept is noticed, one behind them is cut off.
    assert_eq!(keep.bytes, ends[11] as u64);
    let digits: Vec<usize> = (ends[0]..ends[12]).filter(|i| bytes[*i].is_ascii_digit()).collect();
    for i in digits {
        let mut changed = bytes.clone();
        changed[i] = if changed[i] == b'7' { b'3' } else { b'7' };
        std::fs::write(&part, &changed).unwrap();
        let resumed = CsvWriter::resume(&part, &table(), keep);
        assert_eq!(resumed.is_err(), i < ends[11], "byte {i}");
        if let Err(error) = resumed {
            assert!(error.to_string().contains("its first 11 rows have changed"), "{error}");
            assert_eq!(std::fs::read(&part).unwrap(), changed, "a file that is refused stays");
        }
    }
    let other = Table::new("other", vec![Column::new("time", "s", "time")]).unwrap();
    assert!(CsvWriter::resume(&whole, &other, keep).is_err());
    assert_eq!(std::fs::read(&whole).unwrap(), bytes);
}
