//! Sweeps: many runs of one scenario, each of which follows from the study and its number alone.
//!
//! ```no_run
//! use supple_run::sweep::{Runner, Study};
//!
//! let study = Study::read("study.toml")?; // reads study, scenario and model once, and checks them
//! let values = study.values(17); // what varies, in the order of `study.names()`: a pure function of study and number
//! let mut runner = Runner::new(&study); // one per thread or process: files and model stay in memory
//! for run in 0..study.runs() {
//!     let row = runner.run(run); // the same bits whatever ran before, wherever it runs
//!     println!("{run}: {:?} {:?}", row.status, row.numbers);
//! }
//! # Ok::<(), supple_run::RunError>(())
//! ```
//!
//! | item             | what it does                                                                                          |
//! |------------------|-------------------------------------------------------------------------------------------------------|
//! | [`Study`]        | scenario, varied values, extracted numbers; `runs`, `names`, `values(run)`, `changes(run)`, `columns`; clones share everything, `Send + Sync` |
//! | [`Runner`]       | makes runs; `run(number)`, or `run_until(number, &interrupt)`; a run that fails is a [`Row`] with a status |
//! | [`rows_of`]      | makes many runs together, on threads or on a GPU                                                      |
//! | [`Row`]          | number, values, extracted numbers, status, error text                                                 |
//! | `PartWriter`     | takes rows in any order and writes Parquet files, each whole or not at all                            |
//! | `read_rows`      | the rows of folders of parts, sorted, each run once; `done_runs` their numbers                        |
//! | [`SweepSummary`] | statistics with confidence intervals, sensitivity, worst cases; `summarise` folders, `write_summary`, `write_plots` |
//! | `Manifest`       | `sweep.json` of a folder: which study its parts are of                                                |
//! | `sweep`          | all of this over the cores of one machine, with progress; goes on where it was killed                 |
//!
//! Nothing is drawn in sequence: random numbers are functions of seed, run and value (Philox), orders are permutations that give each entry
//! without the others, and seeds of sensors are counted. So any split over threads, processes and machines gives the same rows.

mod compiled;
mod extract;
mod gpu;
mod kept;
#[cfg(feature = "parquet")]
mod manifest;
#[cfg(feature = "parquet")]
mod many;
#[cfg(all(feature = "report", feature = "parquet"))]
mod page;
#[cfg(feature = "parquet")]
mod parts;
#[cfg(all(feature = "report", feature = "parquet"))]
mod plots;
mod row;
mod run_set;
mod runner;
mod sample;
pub mod statistics;
mod study;
#[cfg(feature = "parquet")]
mod summarise;
mod summary;
mod together;

#[cfg(feature = "parquet")]
pub use manifest::Manifest;
#[cfg(feature = "parquet")]
pub use many::{SweepOptions, SweepProgress, Swept, sweep};
#[cfg(feature = "parquet")]
pub use parts::{PartWriter, done_runs, read_rows};
#[cfg(all(feature = "report", feature = "parquet"))]
pub use plots::write_plots;
pub use row::{Row, RunStatus};
pub use run_set::RunSet;
pub use runner::Runner;
pub use study::Study;
#[cfg(feature = "parquet")]
pub use summarise::{summarise, write_summary};
pub use summary::{Failure, Influence, Influences, NumberSummary, SweepSummary, WorstCase};
pub use supple_io::study_file::{Extract, Item as Value, Law, Measure, Sampling, Varied};
pub use together::rows_of;
