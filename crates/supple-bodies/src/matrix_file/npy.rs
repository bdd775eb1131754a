//! NumPy arrays (`.npy`).
//!
//! The file is the bytes `\x93NUMPY`, a version, the length of a header, the header `{'descr': …, 'fortran_order': …, 'shape': …}`, and
//! the numbers. Read are little- and big-endian `f8`, `f4` and integers of one or two dimensions; one dimension is a column.

use super::{MatrixData, MatrixFileError, MatrixRule, Place, SIZE_LIMIT};
use crate::reduction::SparseSymmetric;

type Read<T> = Result<T, MatrixFileError>;

const SIGNATURE: &[u8] = b"\x93NUMPY";

/// Reads the bytes of a file.
///
/// # Errors
/// [`MatrixFileError`] names byte, field, value and rule.
pub fn read(bytes: &[u8]) -> Read<MatrixData> {
    let wrong = |at: usize, field, value: &str, rule| MatrixFileError::new(Place::Byte(at), field, value, rule);
    let cut = |at: usize| wrong(at, "header", "end of file", MatrixRule::Count);
    if !bytes.starts_with(SIGNATURE) {
        return Err(wrong(
            0,
            "signature",
            &String::from_utf8_lossy(&bytes[..bytes.len().min(6)]),
            MatrixRule::Signature,
        ));
    }
    let length_size = match bytes.get(6) {
        Some(1) => 2,
        Some(2 | 3) => 4,
        Some(version) => return Err(wrong(6, "version", &version.to_string(), MatrixRule::Kind)),
        None => return Err(cut(bytes.len())),
    };
    let start = 8 + length_size;
    let length = bytes.get(8..start).ok_or_else(|| cut(bytes.len()))?;
    let length = length.iter().rev().fold(0_usize, |n, b| (n << 8) | usize::from(*b));
    let end = start + length;
    let header = bytes.get(start..end).ok_or_else(|| cut(bytes.len()))?;
    let header = std::str::from_utf8(header).map_err(|_| wrong(start, "header", "not a text", MatrixRule::Kind))?;
    let head = Header::read(header).map_err(|(field, value, rule)| wrong(start, field, &value, rule))?;
    let (rows, columns) = head.shape;
    if rows > SIZE_LIMIT || columns > SIZE_LIMIT {
        return Err(wrong(start, "shape", &format!("({rows}, {columns})"), MatrixRule::Limit));
    }
    let data = &bytes[end..];
    // No overflow: sizes are limited.
    let expected = rows as u128 * columns as u128 * head.number.size() as u128;
    if data.len() as u128 != expected {
        let value = format!("{} of {expected} bytes", data.len());
        return Err(wrong(bytes.len(), "numbers", &value, MatrixRule::Count));
    }
    let mut entries = Vec::new();
    for (p, item) in data.chunks_exact(head.number.size()).enumerate() {
        let x = head.number.value(item);
        let (i, j) = if head.fortran { (p % rows, p / rows) } else { (p / columns, p % columns) };
        if !x.is_finite() {
            let at = end + p * head.number.size();
            return Err(wrong(at, "number", &format!("{x} at ({i}, {j})"), MatrixRule::FiniteNumber));
        }
        if x != 0.0 {
            entries.push((i, j, x));
        }
    }
    Ok(MatrixData { rows, columns, entries })
}

/// Writes a matrix as a dense array of `f8`.
pub fn write(matrix: &SparseSymmetric) -> Vec<u8> {
    let n = matrix.size();
    let mut header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({n}, {n}), }}");
    // Signature, version and length take 10 bytes; the numbers start at a multiple of 64.
    let padding = 64 - (10 + header.len() + 1) % 64;
    header.push_str(&" ".repeat(padding % 64));
    header.push('\n');
    let mut out = SIGNATURE.to_vec();
    out.extend([1, 0]);
    out.extend((header.len() as u16).to_le_bytes());
    out.extend(header.as_bytes());
    let mut dense = vec![0.0_f64; n * n];
    matrix.entries().for_each(|(i, j, x)| dense[i * n + j] = x);
    dense.iter().for_each(|x| out.extend(x.to_le_bytes()));
    out
}

#[derive(Clone, Copy)]
struct Number {
    big_endian: bool,
    kind: char,
    size: usize,
}

impl Number {
    fn size(self) -> usize {
        self.size
    }

    fn read(descr: &str) -> Option<Self> {
        let mut letters = descr.chars();
        let big_endian = match letters.next()? {
            '<' | '=' | '|' => false,
            '>' => true,
            _ => return None,
        };
        let kind = letters.next()?;
        let size = letters.as_str().parse().ok()?;
        let known = match kind {
            'f' => matches!(size, 4 | 8),
            'i' | 'u' => matches!(size, 1 | 2 | 4 | 8),
            _ => false,
        };
        known.then_some(Self { big_endian, kind, size })
    }

    fn value(self, item: &[u8]) -> f64 {
        let mut word = [0_u8; 8];
        word[..self.size].copy_from_slice(item);
        if self.big_endian {
            word[..self.size].reverse();
        }
        let bits = u64::from_le_bytes(word);
        let unused = 64 - 8 * self.size as u32;
        match (self.kind, self.size) {
            ('f', 8) => f64::from_bits(bits),
            ('f', _) => f64::from(f32::from_bits(bits as u32)),
            ('i', _) => ((bits << unused) as i64 >> unused) as f64,
            _ => bits as f64,
        }
    }
}

struct Header {
    number: Number,
    fortran: bool,
    shape: (usize, usize),
}

type Fault = (&'static str, String, MatrixRule);

impl Header {
    /// The header is a Python dictionary of three known keys.
    fn read(text: &str) -> Result<Self, Fault> {
        let after = |key: &'static str| -> Result<&str, Fault> {
            let quoted = [format!("'{key}'"), format!("\"{key}\"")];
            let found = quoted.iter().find_map(|q| text.split_once(q.as_str()));
            let rest = found.and_then(|(_, rest)| rest.trim_start().strip_prefix(':'));
            rest.map(str::trim_start).ok_or_else(|| (key, text.trim().to_owned(), MatrixRule::Kind))
        };
        let rest = after("descr")?;
        let descr = rest.get(1..).and_then(|r| r.split(['\'', '"']).next()).filter(|_| rest.starts_with(['\'', '"']));
        let number = descr.and_then(Number::read).ok_or_else(|| ("descr", first(rest), MatrixRule::Kind))?;
        let rest = after("fortran_order")?;
        let fortran = match rest {
            r if r.starts_with("True") => true,
            r if r.starts_with("False") => false,
            r => return Err(("fortran_order", first(r), MatrixRule::Kind)),
        };
        let rest = after("shape")?;
        let inner = rest.strip_prefix('(').and_then(|r| r.split_once(')')).map(|(inner, _)| inner);
        let inner = inner.ok_or_else(|| ("shape", first(rest), MatrixRule::Sizes))?;
        let sizes: Option<Vec<usize>> =
            inner.split(',').map(str::trim).filter(|w| !w.is_empty()).map(|w| w.parse().ok()).collect();
        let shape = match sizes.as_deref() {
            Some(&[rows]) => (rows, 1),
            Some(&[rows, columns]) => (rows, columns),
            Some(_) => return Err(("shape", first(rest), MatrixRule::Kind)),
            None => return Err(("shape", first(rest), MatrixRule::Sizes)),
        };
        Ok(Self { number, fortran, shape })
    }
}

/// The beginning of a text.
fn first(text: &str) -> String {
    text.chars().take(30).collect()
}
