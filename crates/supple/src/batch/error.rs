//! What can go wrong in a batch, by instance.

use crate::error::DynamicsError;
use crate::force::UnlistedScalar;
use crate::model::DifferentStructure;
use std::fmt;

/// A batch that could not give every result.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum BatchError {
    /// A slice has the wrong length. Nothing was computed.
    WrongSize {
        /// What it holds.
        quantity: &'static str,
        /// Its length.
        found: usize,
        /// The length for this batch.
        expected: usize,
    },
    /// More threads were asked for than a batch may have.
    TooManyThreads {
        /// How many.
        asked: usize,
        /// How many there may be.
        most: usize,
    },
    /// The models of a batch differ in more than numbers.
    Structure(DifferentStructure),
    /// The force elements of the model cannot be evaluated in these lanes.
    Lanes(UnlistedScalar),
    /// Some instances have no result; all others have theirs.
    Instances(Vec<InstanceError>),
}

/// An instance without a result.
#[derive(Clone, Debug, PartialEq)]
pub struct InstanceError {
    /// Its number in the batch.
    pub instance: usize,
    /// What its scalar run says.
    pub error: DynamicsError,
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongSize { quantity, found, expected } => {
                write!(f, "{quantity}: {found} numbers, this batch needs {expected}")
            }
            Self::TooManyThreads { asked, most } => {
                write!(f, "{asked} threads: a batch has {most} at most; use 0 for as many as the machine has")
            }
            Self::Structure(difference) => difference.fmt(f),
            Self::Lanes(unlisted) => unlisted.fmt(f),
            Self::Instances(list) => {
                let mut list = list.iter();
                if let Some(InstanceError { instance, error }) = list.next() {
                    write!(f, "instance {instance}: {error}")?;
                }
                match list.len() {
                    0 => Ok(()),
                    more => write!(f, "; {more} more without a result"),
                }
            }
        }
    }
}

impl std::error::Error for BatchError {}

impl From<UnlistedScalar> for BatchError {
    fn from(unlisted: UnlistedScalar) -> Self {
        Self::Lanes(unlisted)
    }
}

impl From<DifferentStructure> for BatchError {
    fn from(difference: DifferentStructure) -> Self {
        Self::Structure(difference)
    }
}
