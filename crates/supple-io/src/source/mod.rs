//! Texts of users' files, and how problems in them are reported: file, line, column, the text underlined, what was expected, what to do.

mod error;
pub(crate) mod folder;
mod message;
pub(crate) mod number;
mod report;
mod rule;
mod text;

pub use error::{FileError, Finding, Place};
pub use folder::PathFault;
pub(crate) use message::{ROBOT, number as written};
pub use number::NumberFault;
pub(crate) use report::Report;
pub use rule::Rule;
pub use supple::nearest;
pub(crate) use text::{Source, shorten};

/// Longest file that is read, in bytes.
pub const MAX_FILE_BYTES: usize = 64 << 20;
