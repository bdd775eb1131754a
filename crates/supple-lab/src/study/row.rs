//! Rows of a study, and how they are written.

use std::io::{self, Write};

use serde::Serialize;

use crate::Format;

const HEADER: [&str; 7] = ["case", "discretisation", "model", "tip", "quantity", "paper", "ours"];
/// Widths of the columns: rows are written one by one, before the later ones are known.
const WIDTHS: [usize; 7] = [12, 14, 15, 10, 24, 9, 13];

/// A quantity, as published and as it comes out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Value {
    pub quantity: String,
    pub paper: Option<f64>,
    pub ours: f64,
}

impl Value {
    /// A quantity that the paper gives.
    pub fn new(quantity: impl Into<String>, paper: Option<f64>, ours: f64) -> Self {
        Self { quantity: quantity.into(), paper, ours }
    }
}

/// A row.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    pub case: &'static str,
    pub discretisation: &'static str,
    pub model: &'static str,
    pub tip: &'static str,
    #[serde(flatten)]
    pub value: Value,
}

/// Writes rows as they come; JSON is one list, written at the end.
pub struct Writer<'o> {
    out: &'o mut dyn Write,
    format: Format,
    rows: Vec<Row>,
}

impl<'o> Writer<'o> {
    /// Starts with the names of the columns.
    pub fn start(out: &'o mut dyn Write, format: Format) -> io::Result<Self> {
        if format != Format::Json {
            write_cells(out, format, &HEADER.map(str::to_owned))?;
            out.flush()?;
        }
        Ok(Self { out, format, rows: Vec::new() })
    }

    /// Some rows are known.
    pub fn write(&mut self, rows: Vec<Row>) -> io::Result<()> {
        if self.format == Format::Json {
            self.rows.extend(rows);
            return Ok(());
        }
        rows.iter().try_for_each(|row| write_cells(self.out, self.format, &row.cells()))?;
        self.out.flush()
    }

    /// All rows are known.
    pub fn end(self) -> io::Result<()> {
        if self.format == Format::Json {
            serde_json::to_writer_pretty(&mut *self.out, &self.rows)?;
            writeln!(self.out)?;
        }
        Ok(())
    }
}

impl Row {
    fn cells(&self) -> [String; 7] {
        let Value { quantity, paper, ours } = &self.value;
        [
            self.case.to_owned(),
            self.discretisation.to_owned(),
            self.model.to_owned(),
            self.tip.to_owned(),
            quantity.clone(),
            paper.map_or(String::new(), |x| format!("{x:e}")),
            format!("{ours:.6e}"),
        ]
    }
}

/// Words to the left, numbers to the right.
fn write_cells(out: &mut dyn Write, format: Format, cells: &[String; 7]) -> io::Result<()> {
    if format == Format::Csv {
        return writeln!(out, "{}", cells.join(","));
    }
    let mut text = String::new();
    for (i, (cell, width)) in cells.iter().zip(WIDTHS).enumerate() {
        text += &if i < 5 { format!("{cell:<width$}  ") } else { format!("{cell:>width$}  ") };
    }
    writeln!(out, "{}", text.trim_end())
}
