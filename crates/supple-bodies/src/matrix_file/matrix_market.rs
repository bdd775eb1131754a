//! Matrix Market text files.
//!
//! ```text
//! %%MatrixMarket matrix coordinate real symmetric
//! % comment
//! rows columns entries
//! row column value
//! ```
//!
//! `array` in place of `coordinate` has all values by columns, of a symmetric matrix the lower triangle.

use super::{MatrixData, MatrixFileError, MatrixRule, Place, SIZE_LIMIT};
use crate::reduction::SparseSymmetric;
use std::collections::HashSet;
use std::fmt::Write as _;

type Read<T> = Result<T, MatrixFileError>;

/// Reads a text.
///
/// # Errors
/// [`MatrixFileError`] names line, field, value and rule. Places that are given twice are refused.
pub fn read(text: &str) -> Read<MatrixData> {
    let mut lines = text.lines().enumerate().map(|(i, l)| (i + 1, l.trim()));
    let last = text.lines().count().max(1);
    let (_, head) = lines.next().unwrap_or((1, ""));
    let kind = Kind::read(head)?;
    let mut lines = lines.filter(|(_, l)| !l.is_empty() && !l.starts_with('%'));
    let Some((at, sizes)) = lines.next() else {
        return Err(MatrixFileError::new(Place::Line(last), "sizes", "end of text", MatrixRule::Sizes));
    };
    let wrong = |rule| MatrixFileError::new(Place::Line(at), "sizes", sizes, rule);
    let numbers: Option<Vec<usize>> = sizes.split_whitespace().map(|w| w.parse().ok()).collect();
    let (rows, columns, announced) = match (numbers.as_deref(), kind.array) {
        (Some(&[rows, columns, entries]), false) => (rows, columns, Some(entries)),
        (Some(&[rows, columns]), true) => (rows, columns, None),
        _ => return Err(wrong(MatrixRule::Sizes)),
    };
    if rows > SIZE_LIMIT || columns > SIZE_LIMIT {
        return Err(wrong(MatrixRule::Limit));
    }
    if kind.symmetric && rows != columns {
        return Err(wrong(MatrixRule::Square));
    }
    // No product here overflows: sizes are limited.
    let triangle = rows * (rows + 1) / 2;
    let expected = announced.unwrap_or(if kind.symmetric { triangle } else { rows * columns });
    let mut reader = Entries { kind, rows, columns, seen: HashSet::new(), count: 0, place: (0, 0), data: Vec::new() };
    for (line, text) in lines {
        if reader.count == expected {
            return Err(MatrixFileError::new(Place::Line(line), "entry", text, MatrixRule::Count));
        }
        reader.entry(line, text)?;
    }
    if reader.count != expected {
        let value = format!("{} of {expected}", reader.count);
        return Err(MatrixFileError::new(Place::Line(last), "entries", &value, MatrixRule::Count));
    }
    Ok(MatrixData { rows, columns, entries: reader.data })
}

/// Writes a symmetric matrix, lower triangle, in the shortest numbers that read back bit for bit.
pub fn write(matrix: &SparseSymmetric) -> String {
    let lower: Vec<(usize, usize, f64)> = matrix.entries().filter(|e| e.0 >= e.1 && e.2 != 0.0).collect();
    let mut out = String::from("%%MatrixMarket matrix coordinate real symmetric\n");
    // Writing into a string does not fail.
    let _ = writeln!(out, "{} {} {}", matrix.size(), matrix.size(), lower.len());
    for (i, j, x) in lower {
        let _ = writeln!(out, "{} {} {x:e}", i + 1, j + 1);
    }
    out
}

#[derive(Clone, Copy)]
struct Kind {
    array: bool,
    integer: bool,
    symmetric: bool,
}

impl Kind {
    fn read(head: &str) -> Read<Self> {
        let wrong = |rule| MatrixFileError::new(Place::Line(1), "first line", head, rule);
        let lower = head.to_lowercase();
        let words: Vec<&str> = lower.split_whitespace().collect();
        let &[signature, object, format, field, symmetry] = words.as_slice() else {
            return Err(wrong(MatrixRule::Signature));
        };
        if signature != "%%matrixmarket" {
            return Err(wrong(MatrixRule::Signature));
        }
        let array = match (object, format) {
            ("matrix", "coordinate") => false,
            ("matrix", "array") => true,
            _ => return Err(wrong(MatrixRule::Kind)),
        };
        let integer = match field {
            "real" | "double" => false,
            "integer" => true,
            _ => return Err(wrong(MatrixRule::Kind)),
        };
        let symmetric = match symmetry {
            "general" => false,
            "symmetric" => true,
            _ => return Err(wrong(MatrixRule::Kind)),
        };
        Ok(Self { array, integer, symmetric })
    }
}

struct Entries {
    kind: Kind,
    rows: usize,
    columns: usize,
    seen: HashSet<(usize, usize)>,
    count: usize,
    /// Next row and column of an array.
    place: (usize, usize),
    data: Vec<(usize, usize, f64)>,
}

impl Entries {
    fn entry(&mut self, line: usize, text: &str) -> Read<()> {
        let wrong = |rule| MatrixFileError::new(Place::Line(line), "entry", text, rule);
        let words: Vec<&str> = text.split_whitespace().collect();
        let (i, j, value) = match (words.as_slice(), self.kind.array) {
            (&[value], true) => {
                let (i, j) = self.place;
                self.place =
                    if i + 1 < self.rows { (i + 1, j) } else { (if self.kind.symmetric { j + 1 } else { 0 }, j + 1) };
                (i, j, value)
            }
            (&[row, column, value], false) => {
                let index = |word: &str, size: usize| -> Read<usize> {
                    let index: usize = word.parse().map_err(|_| wrong(MatrixRule::Entry))?;
                    if index == 0 || index > size { Err(wrong(MatrixRule::IndexRange)) } else { Ok(index - 1) }
                };
                let (i, j) = (index(row, self.rows)?, index(column, self.columns)?);
                // Of a symmetric matrix either triangle will do.
                let place = if self.kind.symmetric { (i.max(j), i.min(j)) } else { (i, j) };
                if !self.seen.insert(place) {
                    return Err(wrong(MatrixRule::Once));
                }
                (i, j, value)
            }
            _ => return Err(wrong(MatrixRule::Entry)),
        };
        let x: f64 = if self.kind.integer {
            value.parse::<i64>().map_err(|_| wrong(MatrixRule::Entry))? as f64
        } else {
            value.replace(['d', 'D'], "e").parse().map_err(|_| wrong(MatrixRule::Entry))?
        };
        if !x.is_finite() {
            return Err(wrong(MatrixRule::FiniteNumber));
        }
        self.count += 1;
        if x != 0.0 {
            self.data.push((i, j, x));
            if self.kind.symmetric && i != j {
                self.data.push((j, i, x));
            }
        }
        Ok(())
    }
}
