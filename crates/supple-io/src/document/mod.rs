//! TOML documents of a known shape.
//!
//! A [`Shape`](shape::Shape) says which keys a table has, what their values are and what they mean. It serves three ends: it checks a
//! document and reports every problem at once, it is the JSON schema, and it lists the known names for "did you mean".

mod check;
pub(crate) mod convert;
mod json_schema;
pub(crate) mod shape;
pub(crate) mod units;
mod value;

pub(crate) use check::check_document;
pub(crate) use json_schema::json_schema;
pub(crate) use value::{Table, Value};
