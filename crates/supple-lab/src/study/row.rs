//! Rows of a study, and how they are written.

use std::io::{self, Write};

use crate::Format;

const HEADER: [&str; 7] = ["case", "discretisation", "model", "tip", "quantity", "paper", "ours"];
/// Widths of the columns: rows are written one by one, before the later ones are known.
const WIDTHS: [usize; 7] = [12, 14, 15, 10, 24, 9, 13];

/// A quantity, as published and as it comes out.
#[derive(Clone, Debug, PartialEq)]
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
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub case: &'static str,
    pub discretisation: &'static str,
    pub model: &'static str,
    pub tip: &'static str,
    pub value: Value,
}

/// Writes the names of the columns.
pub fn write_header(out: &mut dyn Write, format: Format) -> io::Result<()> {
    write_cells(out, format, &HEADER.map(str::to_owned))
}

/// Writes a row.
pub fn write(out: &mut dyn Write, format: Format, row: &Row) -> io::Result<()> {
    let Value { quantity, paper, ours } = &row.value;
    let cells = [
        row.case.to_owned(),
        row.discretisation.to_owned(),
        row.model.to_owned(),
        row.tip.to_owned(),
        quantity.clone(),
        paper.map_or(String::new(), |x| format!("{x:e}")),
        format!("{ours:.6e}"),
    ];
    write_cells(out, format, &cells)
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
