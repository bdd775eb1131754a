//! Linear models as MATLAB files of level 5: a header, then one element per variable, uncompressed. Matrices are written column by column.

use super::{Array, LinearModel, MATRICES, POINT, SIGNALS};

/// Types of data.
const INT8: u32 = 1;
const UINT16: u32 = 4;
const INT32: u32 = 5;
const UINT32: u32 = 6;
const DOUBLE: u32 = 9;
const MATRIX: u32 = 14;
/// Classes of arrays.
const CELL: u32 = 1;
const STRUCT: u32 = 2;
const CHAR: u32 = 4;
const NUMBERS: u32 = 6;
/// Bytes of a name of a field, its end included.
const FIELD: usize = 32;

impl LinearModel<'_> {
    /// The model as the bytes of a `.mat` file: `A`, `B`, `C`, `D`, `dt`, cell arrays of names `states`, `inputs`, `outputs` and of units
    /// `state_units`, `input_units`, `output_units`, and a structure `operating_point` with `x`, `u`, `y`.
    pub fn to_mat(&self) -> Vec<u8> {
        let mut out = format!("{:<116}", "MATLAB 5.0 MAT-file, linear model by Supple").into_bytes();
        out.extend([0; 8]);
        // Version 1.0, and in which order bytes are.
        out.extend(0x0100_u16.to_le_bytes());
        out.extend(b"IM");
        for (name, matrix) in MATRICES.iter().zip(&self.matrices) {
            out.extend(numbers(name, *matrix));
        }
        out.extend(numbers("dt", Array::column(&[self.dt])));
        for ([name, units], list) in SIGNALS.iter().zip(&self.signals) {
            out.extend(cells(name, list.iter().map(|signal| signal.name)));
            out.extend(cells(units, list.iter().map(|signal| signal.unit)));
        }
        let values = self.operating_point.map(|values| numbers("", Array::column(values)));
        out.extend(structure("operating_point", POINT, values));
        out
    }
}

/// A tag, data, and zeros up to a multiple of eight bytes.
fn element(kind: u32, data: &[u8]) -> Vec<u8> {
    let mut out = kind.to_le_bytes().to_vec();
    out.extend((data.len() as u32).to_le_bytes());
    out.extend(data);
    out.resize(out.len().next_multiple_of(8), 0);
    out
}

/// An array: class, size, name, and what it holds.
fn array(class: u32, [rows, columns]: [usize; 2], name: &str, content: &[u8]) -> Vec<u8> {
    let mut inside = element(UINT32, [class, 0].map(u32::to_le_bytes).as_flattened());
    inside.extend(element(INT32, [rows as i32, columns as i32].map(i32::to_le_bytes).as_flattened()));
    inside.extend(element(INT8, name.as_bytes()));
    inside.extend(content);
    element(MATRIX, &inside)
}

fn numbers(name: &str, matrix: Array<'_>) -> Vec<u8> {
    let Array { rows, columns, numbers } = matrix;
    let by_columns = (0..columns).flat_map(|j| (0..rows).map(move |i| numbers[i * columns + j]));
    let bytes: Vec<u8> = by_columns.flat_map(f64::to_le_bytes).collect();
    array(NUMBERS, [rows, columns], name, &element(DOUBLE, &bytes))
}

fn text(words: &str) -> Vec<u8> {
    let bytes: Vec<u8> = words.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let length = bytes.len() / 2;
    array(CHAR, [usize::from(length > 0), length], "", &element(UINT16, &bytes))
}

/// A column of texts.
fn cells<'t>(name: &str, list: impl ExactSizeIterator<Item = &'t str>) -> Vec<u8> {
    let size = [list.len(), 1];
    let inside: Vec<u8> = list.flat_map(text).collect();
    array(CELL, size, name, &inside)
}

/// One structure with fields.
fn structure(name: &str, fields: [&str; 3], values: [Vec<u8>; 3]) -> Vec<u8> {
    let mut names = Vec::new();
    for field in fields {
        names.extend(field.bytes());
        names.resize(names.len().next_multiple_of(FIELD), 0);
    }
    // The length of the names is a small element: type and size share a word.
    let mut inside = (INT32 | 4 << 16).to_le_bytes().to_vec();
    inside.extend((FIELD as u32).to_le_bytes());
    inside.extend(element(INT8, &names));
    values.iter().for_each(|value| inside.extend(value));
    array(STRUCT, [1, 1], name, &inside)
}
