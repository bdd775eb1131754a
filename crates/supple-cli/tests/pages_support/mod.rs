//! What the test of the pages needs.

pub mod change;
pub mod folder;
pub mod output;
