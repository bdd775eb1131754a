//! Tables as Parquet files.
//!
//! A Parquet file cannot be read before its end is written. So rows go into parts, complete files of their own:
//! `NAME.parts/0001.parquet`, and so on, a new one every 16 MiB or 2 s of rows. Each part is written under a hidden name
//! and renamed when it is on the disk. At the end the parts become one file `NAME.parquet`, and the folder disappears.
//!
//! A killed run leaves the folder. Its files have the same columns and read as one table:
//! `pandas.read_parquet("NAME.parts")`.
//!
//! Columns are required doubles, without compression. The metadata of the file say where it comes from:
//!
//! | key              | value                                                          |
//! |------------------|----------------------------------------------------------------|
//! | `supple.version` | version of this library                                        |
//! | `supple.model`   | name of the model                                              |
//! | `supple.columns` | JSON list of `{name, unit, description}`, in the order of the columns |
//! | `ARROW:schema`   | the same as metadata `unit` and `description` of each field, for readers built on Arrow |

use super::arrow_schema;
use super::error::ResultsError;
use super::file::{self, Existing};
use super::sink::{Health, Pace, RowSink, Written};
use super::table::Table;
use ::parquet::basic::{Encoding, Repetition, Type as PhysicalType};
use ::parquet::column::reader::get_typed_column_reader;
use ::parquet::data_type::DoubleType;
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::KeyValue;
use ::parquet::file::properties::{WriterProperties, WriterPropertiesPtr};
use ::parquet::file::reader::{FileReader, SerializedFileReader};
use ::parquet::file::writer::SerializedFileWriter;
use ::parquet::schema::types::{Type, TypePtr};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Most bytes of rows that are held.
const HELD: usize = 16 * 1024 * 1024;
/// Longest time that rows are held, looked at when a row comes.
const PERIOD: Duration = Duration::from_secs(2);

/// Writes a table as Parquet.
#[derive(Debug)]
pub struct ParquetWriter {
    path: PathBuf,
    parts: PathBuf,
    existing: Existing,
    table: Table,
    schema: TypePtr,
    properties: WriterPropertiesPtr,
    /// Columns of rows that are not in a part yet.
    held: Vec<Vec<f64>>,
    part_count: usize,
    rows: u64,
    pace: Pace,
    health: Health,
}

impl ParquetWriter {
    /// Makes the folder of parts. `path` is that of the whole file, such as `results.parquet`.
    ///
    /// # Errors
    /// A file or folder of parts that exists and may not be replaced; a place that cannot be written.
    pub fn create(path: &Path, table: &Table, existing: Existing) -> Result<Self, ResultsError> {
        let parts = path.with_extension("parts");
        if existing == Existing::Refuse && path.exists() {
            return Err(ResultsError::Exists { path: path.to_path_buf() });
        }
        if existing == Existing::Replace {
            discard_parts(&parts)?;
        }
        fs::create_dir(&parts).map_err(|error| ResultsError::io(&parts, "create", &error))?;
        Ok(Self {
            path: path.to_path_buf(),
            parts,
            existing,
            schema: schema(table).map_err(|error| parquet_error(path, "create", error))?,
            properties: properties(table),
            held: vec![Vec::new(); table.columns().len()],
            table: table.clone(),
            part_count: 0,
            rows: 0,
            pace: Pace::new(PERIOD),
            health: Health::default(),
        })
    }

    fn part(&self, number: usize) -> PathBuf {
        self.parts.join(format!("{number:04}.parquet"))
    }

    fn group_rows(&self) -> usize {
        (HELD / 8 / self.held.len()).max(1)
    }

    /// Writes what is held as a part.
    fn write_part(&mut self) -> Result<(), ResultsError> {
        if self.held[0].is_empty() {
            return Ok(());
        }
        let path = self.part(self.part_count + 1);
        let beside = file::hidden(&path);
        let written = self.new_file(&beside).and_then(|mut writer| {
            write_group(&mut writer, &self.held)?;
            complete(writer)?;
            Ok(fs::rename(&beside, &path)?)
        });
        written.map_err(|error| {
            // The half-written part is of no use to anybody.
            let _ = fs::remove_file(&beside);
            parquet_error(&path, "write", error)
        })?;
        self.part_count += 1;
        self.held.iter_mut().for_each(Vec::clear);
        Ok(())
    }

    fn new_file(&self, path: &Path) -> Result<SerializedFileWriter<File>, ParquetError> {
        let file = file::open_new(path, Existing::Replace)?;
        SerializedFileWriter::new(file, self.schema.clone(), self.properties.clone())
    }

    /// Writes the rows of all parts into one file, one group of rows in memory at a time.
    fn join_parts(&mut self, beside: &Path) -> Result<(), ParquetError> {
        let mut writer = self.new_file(beside)?;
        let group = self.group_rows();
        for number in 1..=self.part_count {
            let reader = SerializedFileReader::new(File::open(self.part(number))?)?;
            for i in 0..reader.num_row_groups() {
                let rows = reader.get_row_group(i)?;
                let count = usize::try_from(rows.metadata().num_rows()).unwrap_or(0);
                if self.held[0].len() + count > group && !self.held[0].is_empty() {
                    write_group(&mut writer, &self.held)?;
                    self.held.iter_mut().for_each(Vec::clear);
                }
                for (column, held) in self.held.iter_mut().enumerate() {
                    let mut values = get_typed_column_reader::<DoubleType>(rows.get_column_reader(column)?);
                    let (found, ..) = values.read_records(count, None, None, held)?;
                    if found != count {
                        return Err(ParquetError::EOF(format!("part {number} has {found} rows of {count}")));
                    }
                }
            }
        }
        if !self.held[0].is_empty() {
            write_group(&mut writer, &self.held)?;
        }
        complete(writer)
    }
}

impl RowSink for ParquetWriter {
    fn append(&mut self, row: &[f64]) -> Result<(), ResultsError> {
        self.health.check()?;
        self.table.check_row(row)?;
        for (held, value) in self.held.iter_mut().zip(row) {
            held.push(*value);
        }
        self.rows += 1;
        if self.held[0].len() >= self.group_rows() || self.pace.is_due() { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), ResultsError> {
        self.health.check()?;
        let written = self.write_part();
        self.health.note(written)?;
        self.pace.restart();
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<Vec<Written>, ResultsError> {
        self.flush()?;
        let (path, beside) = (self.path.clone(), file::hidden(&self.path));
        if self.existing == Existing::Refuse && path.exists() {
            return Err(ResultsError::Exists { path });
        }
        let moved = match self.part_count {
            1 => fs::rename(self.part(1), &path).map_err(ParquetError::from),
            _ => self.join_parts(&beside).and_then(|()| Ok(fs::rename(&beside, &path)?)).inspect_err(|_| {
                // The parts are still there.
                let _ = fs::remove_file(&beside);
            }),
        };
        moved.map_err(|error| parquet_error(&path, "write", error))?;
        remove_parts(&self.parts)?;
        Ok(vec![Written { path, rows: self.rows }])
    }
}

impl Drop for ParquetWriter {
    /// Rows that are held are written as a part; nobody is left to hear of a failure.
    fn drop(&mut self) {
        if self.parts.is_dir() {
            let _ = self.flush();
        }
    }
}

fn schema(table: &Table) -> Result<TypePtr, ParquetError> {
    let field = |name: &str| {
        let double = Type::primitive_type_builder(name, PhysicalType::DOUBLE);
        Ok(Arc::new(double.with_repetition(Repetition::REQUIRED).build()?))
    };
    let fields: Result<Vec<TypePtr>, ParquetError> = table.columns().iter().map(|c| field(&c.name)).collect();
    Ok(Arc::new(Type::group_type_builder("supple").with_fields(fields?).build()?))
}

fn properties(table: &Table) -> WriterPropertiesPtr {
    // A list of texts is always JSON.
    let columns = serde_json::to_string(table.columns()).unwrap_or_default();
    let entry = |key: &str, value: String| KeyValue::new(key.to_owned(), value);
    let metadata = vec![
        entry("supple.version", env!("CARGO_PKG_VERSION").to_owned()),
        entry("supple.model", table.model().to_owned()),
        entry("supple.columns", columns),
        entry("ARROW:schema", arrow_schema::encoded(table)),
    ];
    let builder = WriterProperties::builder().set_dictionary_enabled(false).set_encoding(Encoding::PLAIN);
    Arc::new(builder.set_key_value_metadata(Some(metadata)).build())
}

fn write_group(writer: &mut SerializedFileWriter<File>, columns: &[Vec<f64>]) -> Result<(), ParquetError> {
    let mut group = writer.next_row_group()?;
    for values in columns {
        let Some(mut column) = group.next_column()? else { break };
        column.typed::<DoubleType>().write_batch(values, None, None)?;
        column.close()?;
    }
    group.close()?;
    Ok(())
}

/// Writes the end of a file and waits until the disk has it all.
pub(super) fn complete(writer: SerializedFileWriter<File>) -> Result<(), ParquetError> {
    Ok(writer.into_inner()?.sync_all()?)
}

/// Takes away the parts that a killed run left, and their folder when nothing else is in it; a link to a folder is taken away alone.
///
/// # Errors
/// A folder that cannot be read or removed.
pub fn discard_parts(folder: &Path) -> Result<(), ResultsError> {
    match fs::symlink_metadata(folder) {
        Ok(about) if about.is_symlink() => {
            fs::remove_file(folder).map_err(|error| ResultsError::io(folder, "remove", &error))
        }
        Ok(about) if about.is_dir() => remove_parts(folder),
        _ => Ok(()),
    }
}

/// Removes parts, and their folder when nothing else is in it.
fn remove_parts(folder: &Path) -> Result<(), ResultsError> {
    let remove = || -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let number = name.trim_start_matches('.').trim_end_matches(".partial").strip_suffix(".parquet");
            if number.is_some_and(|number| number.len() >= 4 && number.bytes().all(|b| b.is_ascii_digit())) {
                fs::remove_file(path)?;
            }
        }
        fs::remove_dir(folder)
    };
    remove().map_err(|error| ResultsError::io(folder, "remove", &error))
}

pub(super) fn parquet_error(path: &Path, action: &'static str, error: ParquetError) -> ResultsError {
    if let ParquetError::External(source) = &error
        && let Some(source) = source.downcast_ref::<io::Error>()
    {
        return ResultsError::io(path, action, source);
    }
    ResultsError::Format { path: path.to_path_buf(), reason: error.to_string() }
}
