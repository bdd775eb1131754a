//! Files: models, scenarios, robots, results.
//!
//! | module            | reads                                                                                 |
//! |-------------------|---------------------------------------------------------------------------------------|
//! | [`case`]          | reference cases: small systems with a state, loads and exact answers, in JSON         |
//! | [`model_file`]    | models in TOML, and writes them                                                       |
//! | [`scenario_file`] | scenarios in TOML: drives, loads, duration and results of a simulation                |
//! | [`study_file`]    | studies in TOML: which values of a scenario vary, and what is taken from each run     |
//! | [`identification_file`] | what is identified of a scenario, in TOML, with its [`recording`]               |
//! | [`optimisation_file`] | moves that are optimised, in TOML                                                 |
//! | [`robot`]         | robots, with a side file that makes links flexible, in [`urdf`] or in [`mjcf`]        |
//! | [`sid_file`]      | standard input data of a flexible body, as a separate model                           |
//! | [`kind`]          | detects the format of a file                                                          |
//! | [`load`]          | any of these, read and built                                                          |
//! | [`mesh`]            | what bodies look like: STL, OBJ, COLLADA, glTF, below folders that the user names       |
//! | [`change`]        | values that are set from outside, in place of those of a file                         |
//! | [`source`]        | errors in users' files, with place and remedy                                         |
//!
//! [`linear_file`] writes linear models for other programs: JSON, NumPy, MATLAB. [`results`] writes the results of a run: tables as CSV, Parquet and MCAP, a summary, plots; [`drawing`] has the primitives of plots. A killed run leaves
//! readable files.
//!
//! Readers are pure functions of the text and of the files it names. Whatever their content, they return a value or a
//! typed error that names the place, the value, the rule and the remedy; they never panic, and
//! they allocate in proportion to the text, not to numbers written in it.
#![forbid(unsafe_code)]

pub mod case;
pub mod change;
mod document;
pub mod drawing;
pub mod identification_file;
pub mod kind;
pub mod linear_file;
pub mod load;
pub mod mesh;
pub mod mjcf;
pub mod model_file;
pub mod optimisation_file;
pub mod recording;
pub mod results;
pub mod robot;
pub mod scenario_file;
pub mod sid_file;
pub mod source;
pub mod study_file;
pub mod urdf;
pub mod visual;
