//! What can go wrong when numbers are read or written through a handle.

use std::fmt;
use std::ops::Range;

/// A handle that does not fit what it was used with. Nothing is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AccessError {
    /// The handle was made by another model.
    WrongModel {
        /// What it was used with.
        used_with: &'static str,
    },
    /// One number was asked for, or given, where there are several or none.
    NotOne {
        /// How many there are.
        count: usize,
    },
    /// A list of numbers has the wrong length.
    WrongSize {
        /// Its length.
        found: usize,
        /// The length that fits.
        expected: usize,
    },
    /// The verb that gave this solution does not compute the quantity.
    NotComputed {
        /// The quantity.
        quantity: &'static str,
        /// The verbs that do.
        computed_by: &'static str,
    },
}

impl AccessError {
    /// What to do about it.
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::WrongModel { .. } => "ask the model in use for the handle",
            Self::NotOne { .. } => "use the methods that take and give slices",
            Self::WrongSize { .. } => "give one number for each coordinate or speed of the handle",
            Self::NotComputed { .. } => "call one of those verbs instead",
        }
    }
}

impl fmt::Display for AccessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongModel { used_with } => write!(f, "the handle belongs to another model than the {used_with}")?,
            Self::NotOne { count } => write!(f, "the handle stands for {count} numbers, not for one")?,
            Self::WrongSize { found, expected } => write!(f, "{found} numbers, the handle stands for {expected}")?,
            Self::NotComputed { quantity, computed_by } => {
                write!(f, "this solution has no {quantity}; {computed_by} give them")?;
            }
        }
        write!(f, "; {}", self.remedy())
    }
}

impl std::error::Error for AccessError {}

/// The only number of a list.
pub(crate) fn one<T: Copy>(list: &[T]) -> Result<T, AccessError> {
    match list {
        [x] => Ok(*x),
        _ => Err(AccessError::NotOne { count: list.len() }),
    }
}

/// The part of a list that a caller may have resized.
pub(crate) fn part<T>(list: &[T], range: Range<usize>) -> Result<&[T], AccessError> {
    let (found, expected) = (list.len(), range.end);
    list.get(range).ok_or(AccessError::WrongSize { found, expected })
}

/// As [`part`], to be written.
pub(crate) fn part_mut<T>(list: &mut [T], range: Range<usize>) -> Result<&mut [T], AccessError> {
    let (found, expected) = (list.len(), range.end);
    list.get_mut(range).ok_or(AccessError::WrongSize { found, expected })
}
