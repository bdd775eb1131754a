//! What a run leaves behind.
//!
//! A [`Table`] says what the columns are; every writer takes the same rows, one by one, and holds a bounded number of
//! them. Nothing is overwritten unless [`Existing::Replace`] asks for it.
//!
//! | writer                | file                   | what a killed process leaves                                        |
//! |-----------------------|------------------------|---------------------------------------------------------------------|
//! | [`CsvWriter`]         | `NAME.csv`             | all rows but those of the last half second; perhaps half a line      |
//! | [`ParquetWriter`]     | `NAME.parquet`         | `NAME.parts/`, a folder of complete Parquet files, all but the last 2 s |
//! | [`write_cells`]       | any                    | nothing, or the whole file                                          |
//! | [`McapWriter`]        | `NAME.mcap`            | a log without index and perhaps half a chunk: [`recover_mcap`]      |
//! | `mcap_of_csv`         | `NAME.mcap`            | nothing: the log is made of the rows of a CSV file, the warnings and the events |
//! | [`Summary::write`]    | `summary.json`         | the last one written, whole                                         |
//! | [`plot`]              | `NAME.svg`, terminal   | –                                                                   |
//!
//! ```
//! use supple_io::results::{Column, CsvWriter, Existing, RowSink, Table};
//!
//! let folder = std::env::temp_dir().join(format!("supple-results-{}", std::process::id()));
//! # let _ = std::fs::remove_dir_all(&folder);
//! std::fs::create_dir(&folder)?;
//! let columns = vec![Column::new("time", "s", "simulated time"), Column::new("angle", "rad", "of the shoulder")];
//! let table = Table::new("arm", columns)?;
//! let mut csv = CsvWriter::create(&folder.join("results.csv"), &table, Existing::Refuse)?;
//! csv.append(&[0.0, 0.1])?;
//! let written = Box::new(csv).finish()?;
//! assert_eq!(std::fs::read_to_string(&written[0].path)?, "time[s],angle[rad]\n0.0,0.1\n");
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answers;
#[cfg(feature = "parquet")]
mod arrow_schema;
#[cfg(feature = "parquet")]
mod cells;
mod csv;
mod damping_summary;
mod error;
mod event_summary;
mod file;
pub mod foxglove;
mod layout;
mod load_answers;
#[cfg(feature = "mcap")]
mod mcap;
#[cfg(feature = "parquet")]
mod parquet;
pub mod plot;
mod quantity;
mod sink;
mod story;
mod summary;
mod table;
mod topics;
mod vibration_answer;
mod warning;

pub use answers::{Answer, Tone};
#[cfg(feature = "parquet")]
pub use cells::{Cells, read_cells, write_cells};
pub(crate) use csv::fields;
pub use csv::{CsvData, CsvReader, CsvWriter, Extent, Heads, read_csv, visit_csv};
pub use damping_summary::{DampingSummary, GrowthSummary, ModeSummary};
pub use error::ResultsError;
pub use event_summary::{ActionKind, ActionSummary, EventSummary};
pub use file::{Existing, PartialFile, create_file, create_folder, write_whole};
pub use layout::{Channel, Frame, TopicLayout};
#[cfg(feature = "mcap")]
pub use mcap::{McapWriter, mcap_of_csv, recover_mcap};
#[cfg(feature = "parquet")]
pub use parquet::{ParquetWriter, discard_parts};
pub use quantity::of as quantity;
pub use sink::{RowSink, Written};
pub use story::{
    DeflectionStory, ElementStory, HingeStory, LoadPeak, LoadStory, ModesStory, MotorStory, PeriodicStory, Residual,
    Story, TrackingStory, VibrationStory,
};
pub use summary::{
    BodySummary, ClosuresSummary, FileSummary, IntegratorSummary, LedgerSummary, MomentumSummary, Outcome,
    PhysicsSummary, StatisticsSummary, Summary,
};
pub use table::{Column, Table};
pub use topics::{Topic, Topics, nanoseconds};
pub use warning::Warning;
