//! How rows are written.

/// Formats of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Columns for people.
    Table,
    /// Comma-separated values with a header.
    Csv,
    /// One JSON value.
    Json,
    /// Lines `name,metric,value,unit`, as benchmarks of other engines print them.
    Peers,
}
