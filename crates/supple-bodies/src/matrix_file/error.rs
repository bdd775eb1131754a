//! What is wrong with a file of a matrix, and where.

use std::fmt;

/// Where in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A line, counted from 1.
    Line(usize),
    /// A byte, counted from 0.
    Byte(usize),
    /// No single place.
    Whole,
}

/// A rule that a file breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MatrixRule {
    /// The first line or bytes name the format.
    Signature,
    /// A kind of matrix that is read here.
    Kind,
    /// The sizes are whole numbers, as many as the format wants.
    Sizes,
    /// Sizes within the limits.
    Limit,
    /// An entry has its indices and one number.
    Entry,
    /// Indices from 1 to the size.
    IndexRange,
    /// A finite number.
    FiniteNumber,
    /// Every place once.
    Once,
    /// As many entries as announced.
    Count,
    /// As many rows as columns.
    Square,
    /// The same entries on both sides of the diagonal.
    Symmetric,
}

impl MatrixRule {
    /// The rule in words.
    pub fn text(self) -> &'static str {
        match self {
            Self::Signature => "the file must begin with the name of its format",
            Self::Kind => "only real or integer matrices, general or symmetric, of one or two dimensions are read",
            Self::Sizes => "the sizes must be non-negative integers, as many as the format requires",
            Self::Limit => "the size exceeds the limit of the reader",
            Self::Entry => "an entry must have its indices and one number",
            Self::IndexRange => "indices run from 1 to the size",
            Self::FiniteNumber => "must be a finite number",
            Self::Once => "every place of the matrix is given once",
            Self::Count => "there must be as many entries as announced",
            Self::Square => "the matrix must be square",
            Self::Symmetric => "the matrix must be symmetric",
        }
    }

    /// What to do about it.
    pub fn remedy(self) -> &'static str {
        match self {
            Self::Signature => "start with %%MatrixMarket, or save by numpy.save",
            Self::Kind => "convert it: complex numbers, patterns, objects and structured arrays are not supported",
            Self::Sizes => "correct the line of sizes or the shape",
            Self::Limit => "reduce the model before it is exported",
            Self::Entry => "write `row column value`, or `value` in an array",
            Self::IndexRange => "correct the index or the size; indices count from 1",
            Self::FiniteNumber => "look for a failed export",
            Self::Once => "add the values up before the export",
            Self::Count => "look for a truncated file",
            Self::Square => "export the whole matrix",
            Self::Symmetric => "export the symmetric part, or state the matrix as symmetric and give one triangle",
        }
    }
}

/// Why a file gives no matrix.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MatrixFileError {
    /// Where.
    pub place: Place,
    /// Which part of the file.
    pub field: &'static str,
    /// What stands there, shortened.
    pub value: String,
    /// The rule that is broken.
    pub rule: MatrixRule,
}

impl MatrixFileError {
    pub(crate) fn new(place: Place, field: &'static str, value: &str, rule: MatrixRule) -> Self {
        let mut short: String = value.chars().take(80).collect();
        if short.len() < value.len() {
            short.push('…');
        }
        Self { place, field, value: short, rule }
    }
}

impl fmt::Display for MatrixFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Place::Line(line) => write!(f, "line {line}, ")?,
            Place::Byte(byte) => write!(f, "byte {byte}, ")?,
            Place::Whole => {}
        }
        write!(f, "{}: `{}`: {}; {}", self.field, self.value, self.rule.text(), self.rule.remedy())
    }
}

impl std::error::Error for MatrixFileError {}
