//! Tables of numbers, whole numbers and texts as Parquet files, whole or not at all.
//!
//! Columns are required; numbers are plain, whole numbers and texts by their dictionaries. The key `supple.columns` of the metadata has name,
//! unit and description of each column as JSON, `supple.version` the version of this library.

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

use ::parquet::basic::{LogicalType, Repetition, Type as PhysicalType};
use ::parquet::column::reader::{ColumnReader, get_typed_column_reader};
use ::parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::KeyValue;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::reader::{FileReader, SerializedFileReader};
use ::parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use ::parquet::schema::types::Type;

use super::error::ResultsError;
use super::file::{self, Existing};
use super::parquet::{complete, parquet_error};
use super::table::Column;

/// The cells of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Cells {
    /// Whole numbers.
    Whole(Vec<i64>),
    /// Numbers.
    Numbers(Vec<f64>),
    /// Texts.
    Texts(Vec<String>),
}

impl Cells {
    /// How many.
    pub fn len(&self) -> usize {
        match self {
            Self::Whole(cells) => cells.len(),
            Self::Numbers(cells) => cells.len(),
            Self::Texts(cells) => cells.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Writes a table under a hidden name and renames it when it is on the disk.
///
/// # Errors
/// A file that exists; a place that cannot be written.
pub fn write_cells(path: &Path, columns: &[(Column, Cells)]) -> Result<(), ResultsError> {
    if path.exists() {
        return Err(ResultsError::Exists { path: path.to_path_buf() });
    }
    let beside = file::hidden(path);
    let written = write(&beside, columns).and_then(|()| Ok(fs::rename(&beside, path)?));
    written.map_err(|error| {
        // The half-written file is of no use to anybody.
        let _ = fs::remove_file(&beside);
        parquet_error(path, "write", error)
    })
}

fn write(path: &Path, columns: &[(Column, Cells)]) -> Result<(), ParquetError> {
    let fields: Result<Vec<_>, ParquetError> = columns.iter().map(|(column, cells)| field(column, cells)).collect();
    let schema = Arc::new(Type::group_type_builder("supple").with_fields(fields?).build()?);
    let described: Vec<&Column> = columns.iter().map(|(column, _)| column).collect();
    let entry = |key: &str, value: String| KeyValue::new(key.to_owned(), value);
    let metadata = vec![
        entry("supple.version", env!("CARGO_PKG_VERSION").to_owned()),
        entry("supple.columns", serde_json::to_string(&described).unwrap_or_default()),
    ];
    let mut builder = WriterProperties::builder().set_key_value_metadata(Some(metadata));
    for (column, _) in columns.iter().filter(|(_, cells)| matches!(cells, Cells::Numbers(_))) {
        builder = builder.set_column_dictionary_enabled(vec![column.name.clone()].into(), false);
    }
    let file = file::open_new(path, Existing::Replace)?;
    let mut writer = SerializedFileWriter::new(file, schema, Arc::new(builder.build()))?;
    let mut group = writer.next_row_group()?;
    for (_, cells) in columns {
        let Some(mut column) = group.next_column()? else { break };
        write_column(&mut column, cells)?;
        column.close()?;
    }
    group.close()?;
    complete(writer)
}

fn field(column: &Column, cells: &Cells) -> Result<Arc<Type>, ParquetError> {
    let (physical, logical) = match cells {
        Cells::Whole(_) => (PhysicalType::INT64, None),
        Cells::Numbers(_) => (PhysicalType::DOUBLE, None),
        Cells::Texts(_) => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
    };
    let builder = Type::primitive_type_builder(&column.name, physical).with_repetition(Repetition::REQUIRED);
    Ok(Arc::new(builder.with_logical_type(logical).build()?))
}

fn write_column(column: &mut SerializedColumnWriter<'_>, cells: &Cells) -> Result<(), ParquetError> {
    match cells {
        Cells::Whole(cells) => column.typed::<Int64Type>().write_batch(cells, None, None)?,
        Cells::Numbers(cells) => column.typed::<DoubleType>().write_batch(cells, None, None)?,
        Cells::Texts(cells) => {
            let bytes: Vec<ByteArray> = cells.iter().map(|text| ByteArray::from(text.as_str())).collect();
            column.typed::<ByteArrayType>().write_batch(&bytes, None, None)?
        }
    };
    Ok(())
}

/// Reads the columns of a table by their names, or all of them where none are named.
///
/// # Errors
/// A file that cannot be read, is no such table, or lacks a column.
pub fn read_cells(path: &Path, names: Option<&[&str]>) -> Result<Vec<(String, Cells)>, ResultsError> {
    read(path, names).map_err(|error| parquet_error(path, "read", error))
}

fn read(path: &Path, names: Option<&[&str]>) -> Result<Vec<(String, Cells)>, ParquetError> {
    let reader = SerializedFileReader::new(File::open(path)?)?;
    let schema = reader.metadata().file_metadata().schema_descr_ptr();
    let all: Vec<&str> = schema.columns().iter().map(|column| column.name()).collect();
    let mut found = Vec::new();
    for name in names.unwrap_or(&all) {
        let place = all.iter().position(|other| other == name);
        let place = place.ok_or_else(|| ParquetError::General(format!("it has no column `{name}`")))?;
        let mut cells = None;
        for group in 0..reader.num_row_groups() {
            let group = reader.get_row_group(group)?;
            let count = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
            read_column(group.get_column_reader(place)?, count, &mut cells)?;
        }
        found.push(((*name).to_owned(), cells.unwrap_or(Cells::Whole(Vec::new()))));
    }
    Ok(found)
}

/// Adds the cells of a group of rows.
fn read_column(reader: ColumnReader, count: usize, cells: &mut Option<Cells>) -> Result<(), ParquetError> {
    match &reader {
        ColumnReader::Int64ColumnReader(_) => {
            let Cells::Whole(held) = cells.get_or_insert(Cells::Whole(Vec::new())) else { return Ok(()) };
            typed::<Int64Type>(reader, count, held)
        }
        ColumnReader::DoubleColumnReader(_) => {
            let Cells::Numbers(held) = cells.get_or_insert(Cells::Numbers(Vec::new())) else { return Ok(()) };
            typed::<DoubleType>(reader, count, held)
        }
        ColumnReader::ByteArrayColumnReader(_) => {
            let Cells::Texts(held) = cells.get_or_insert(Cells::Texts(Vec::new())) else { return Ok(()) };
            let mut bytes = Vec::new();
            typed::<ByteArrayType>(reader, count, &mut bytes)?;
            held.extend(bytes.iter().map(|text| String::from_utf8_lossy(text.data()).into_owned()));
            Ok(())
        }
        _ => Err(ParquetError::General("it has columns that are neither numbers nor texts".into())),
    }
}

fn typed<T: DataType>(reader: ColumnReader, count: usize, held: &mut Vec<T::T>) -> Result<(), ParquetError> {
    let (found, ..) = get_typed_column_reader::<T>(reader).read_records(count, None, None, held)?;
    if found == count { Ok(()) } else { Err(ParquetError::EOF(format!("{found} rows of {count}"))) }
}
