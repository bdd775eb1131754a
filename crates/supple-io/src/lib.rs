//! Files of Supple.
//!
//! | module            | reads                                                                                 |
//! |-------------------|---------------------------------------------------------------------------------------|
//! | [`case`]          | reference cases: small systems with a state, loads and exact answers, in JSON         |
//! | [`model_file`]    | models in TOML, and writes them                                                       |
//! | [`scenario_file`] | scenarios in TOML: what a model does and for how long                                 |
//! | [`urdf`]          | robots in URDF, with a side file that makes links flexible                            |
//! | [`sid_file`]      | standard input data of a flexible body, as a model of its own                         |
//! | [`kind`]          | what a file is, before a reader is chosen                                             |
//! | [`load`]          | any of these, read and built                                                          |
//! | [`change`]        | values that are set from outside, in place of those of a file                         |
//! | [`source`]        | how problems in users' files are told                                                 |
//!
//! [`results`] writes what a run gives: tables as CSV, Parquet and MCAP, a summary, plots; [`drawing`] is what plots are made of. A run that is killed leaves
//! what it had written in a readable state.
//!
//! Readers are pure functions of the text and of the files it names. Whatever these hold, they return a value or a
//! typed error that names the place, the value, the rule and the remedy; they never panic, and
//! they allocate in proportion to the text, not to numbers written in it.
#![forbid(unsafe_code)]

pub mod case;
pub mod change;
mod document;
pub mod drawing;
pub mod kind;
pub mod load;
pub mod model_file;
pub mod results;
pub mod scenario_file;
pub mod sid_file;
pub mod source;
pub mod urdf;
