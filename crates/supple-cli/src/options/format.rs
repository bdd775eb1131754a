//! How answers are printed.

use std::marker::PhantomData;
use std::path::Path;

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};

/// Formats of answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Text or columns for reading.
    #[value(alias = "text")]
    Table,
    /// Comma-separated values with a header.
    Csv,
    /// One JSON value.
    Json,
    /// Lines `name,metric,value,unit`, as benchmarks of other engines print them.
    Peers,
    /// A vector graphic.
    Svg,
    /// A pixel graphic.
    Png,
    /// An archive of NumPy arrays.
    Npz,
    /// A MATLAB file of level 5.
    Mat,
    /// A table of a scenario.
    Toml,
    /// A page to open in a browser.
    Html,
}

/// The formats that a command has.
pub trait Formats: Clone + Send + Sync + 'static {
    /// In the order in which they are listed.
    const ALL: &'static [Format];
}

/// Text for people, or JSON.
#[derive(Clone, Copy)]
pub struct TextOrJson;

impl Formats for TextOrJson {
    const ALL: &'static [Format] = &[Format::Table, Format::Json];
}

/// Rows: a table for people, CSV or JSON.
#[derive(Clone, Copy)]
pub struct Rows;

impl Formats for Rows {
    const ALL: &'static [Format] = &[Format::Table, Format::Csv, Format::Json];
}

/// Rows, also as other engines print them.
#[derive(Clone, Copy)]
pub struct RowsOrPeers;

impl Formats for RowsOrPeers {
    const ALL: &'static [Format] = &[Format::Table, Format::Csv, Format::Json, Format::Peers];
}

/// Rows, or a picture of them, or a page with both.
#[derive(Clone, Copy)]
pub struct RowsOrPicture;

impl Formats for RowsOrPicture {
    const ALL: &'static [Format] = &[Format::Table, Format::Csv, Format::Json, Format::Svg, Format::Png, Format::Html];
}

/// Modes: in words, for programs, as a page; maps of them as rows or pictures.
#[derive(Clone, Copy)]
pub struct ModeFiles;

impl Formats for ModeFiles {
    const ALL: &'static [Format] = &[Format::Table, Format::Json, Format::Html, Format::Csv, Format::Svg, Format::Png];
}

/// A state: in words, for programs, or for a scenario.
#[derive(Clone, Copy)]
pub struct StateFiles;

impl Formats for StateFiles {
    const ALL: &'static [Format] = &[Format::Table, Format::Json, Format::Toml];
}

/// Linear models: for programs, or what they are in words.
#[derive(Clone, Copy)]
pub struct LinearFiles;

impl Formats for LinearFiles {
    const ALL: &'static [Format] = &[Format::Json, Format::Npz, Format::Mat, Format::Table];
}

/// How the answer of a command with these formats is printed.
#[derive(clap::Args)]
pub struct FormatOptions<F: Formats> {
    /// Output format.
    #[arg(long, value_name = "FORMAT", value_parser = among(F::ALL))]
    format: Option<Format>,
    /// Short for --format json.
    #[arg(long, conflicts_with = "format")]
    json: bool,
    #[arg(skip)]
    formats: PhantomData<F>,
}

impl<F: Formats> FormatOptions<F> {
    /// The format asked for, or the usual one of the command.
    pub fn or(&self, usual: Format) -> Format {
        if self.json { Format::Json } else { self.format.unwrap_or(usual) }
    }

    /// The format asked for, or that of the ending of a file, or the usual one of the command.
    pub fn of_file_or(&self, file: Option<&Path>, usual: Format) -> Format {
        let ending = file.and_then(|file| file.extension()).map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        let told =
            ending.and_then(|ending| Format::from_str(&ending, true).ok()).filter(|format| F::ALL.contains(format));
        self.or(told.unwrap_or(usual))
    }

    /// The same for rows.
    pub fn rows_or(&self, usual: Format) -> supple_lab::Format {
        match self.or(usual) {
            Format::Csv => supple_lab::Format::Csv,
            Format::Json => supple_lab::Format::Json,
            Format::Peers => supple_lab::Format::Peers,
            _ => supple_lab::Format::Table,
        }
    }

    /// Whether JSON is asked for.
    pub fn is_json(&self) -> bool {
        self.or(Format::Table) == Format::Json
    }
}

/// Takes some of the formats, and lists them where another is asked for.
pub fn among(formats: &'static [Format]) -> impl TypedValueParser<Value = Format> {
    let names = formats.iter().filter_map(ValueEnum::to_possible_value);
    PossibleValuesParser::new(names).try_map(|name| Format::from_str(&name, false))
}
