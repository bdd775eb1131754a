//! Files of Supple.
//!
//! [`case`] reads, evaluates and writes reference cases: small systems with a state, loads and
//! exact answers, one JSON object each.
//!
//! [`results`] writes what a run gives: tables as CSV, Parquet and MCAP, a summary, plots. A run that is killed leaves
//! what it had written in a readable state.
//!
//! Readers are pure functions of the text. Whatever the text holds, they return a value or a
//! typed error that names the place, the value, the rule and the remedy; they never panic, and
//! they allocate in proportion to the text, not to numbers written in it.
#![forbid(unsafe_code)]

pub mod case;
pub mod results;
