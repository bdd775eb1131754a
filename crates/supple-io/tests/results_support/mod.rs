//! Small tables, folders that disappear, and readers.
#![allow(dead_code, reason = "each test takes what it needs")]

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use supple_io::results::{Column, Table};

/// A folder of a test, removed at its end.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        static FOLDERS: AtomicUsize = AtomicUsize::new(0);
        let number = FOLDERS.fetch_add(1, Relaxed);
        let path = std::env::temp_dir().join(format!("supple-test-{name}-{}-{number}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// What is in the folder, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Time and three more.
pub fn table() -> Table {
    let columns = vec![
        Column::new("time", "s", "simulated time"),
        Column::new("angle", "rad", "angle of the shoulder"),
        Column::new("energy", "J", "total energy"),
        Column::new("arm.q[1]", "1", "first mode of the arm"),
    ];
    Table::new("test arm", columns).unwrap()
}

/// Row `i` of a made-up motion.
pub fn row(i: usize) -> [f64; 4] {
    let t = i as f64 * 1e-3;
    [t, (3.0 * t).sin(), 1.0 / (1.0 + t), (-t).exp() * (40.0 * t).cos()]
}

/// Rows of a made-up motion.
pub fn rows(count: usize) -> Vec<Vec<f64>> {
    (0..count).map(|i| row(i).to_vec()).collect()
}

#[cfg(feature = "parquet")]
pub struct ParquetFile {
    pub names: Vec<String>,
    pub rows: Vec<Vec<f64>>,
    pub groups: usize,
    pub metadata: std::collections::HashMap<String, String>,
}

/// Reads a Parquet file row by row, another way than the library joins parts.
#[cfg(feature = "parquet")]
#[track_caller]
pub fn read_parquet(path: &std::path::Path) -> ParquetFile {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;
    let reader = SerializedFileReader::new(fs::File::open(path).unwrap()).unwrap();
    let file = reader.metadata().file_metadata();
    let value = |field: &Field| if let Field::Double(x) = field { *x } else { panic!("{field:?} is not a double") };
    let rows = reader.get_row_iter(None).unwrap();
    ParquetFile {
        names: file.schema_descr().columns().iter().map(|c| c.name().to_owned()).collect(),
        rows: rows.map(|row| row.unwrap().get_column_iter().map(|(_, field)| value(field)).collect()).collect(),
        groups: reader.num_row_groups(),
        metadata: file
            .key_value_metadata()
            .unwrap()
            .iter()
            .map(|entry| (entry.key.clone(), entry.value.clone().unwrap()))
            .collect(),
    }
}

#[cfg(feature = "mcap")]
pub fn mcap_layout() -> supple_io::results::TopicLayout {
    use supple_io::results::{Channel, TopicLayout};
    let channel = |topic: &str, columns: &[usize]| Channel { topic: topic.to_owned(), columns: columns.to_vec() };
    TopicLayout { channels: vec![channel("/hinges", &[1]), channel("/energy", &[2, 3])], frames: Vec::new() }
}

/// Topic, time and content of every message of a complete log.
#[cfg(feature = "mcap")]
#[track_caller]
pub fn mcap_messages(bytes: &[u8]) -> Vec<(String, u64, serde_json::Value)> {
    let messages = mcap::MessageStream::new(bytes).unwrap().map(Result::unwrap);
    messages.map(|m| (m.channel.topic.clone(), m.log_time, serde_json::from_slice(&m.data).unwrap())).collect()
}
