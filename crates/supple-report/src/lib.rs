//! Reports of runs: one self-contained HTML file with an animated view, linked plots and the facts of the model.
//!
//! | module        | content                                                                                |
//! |---------------|----------------------------------------------------------------------------------------|
//! | [`scene`]     | geometry and facts of a system, at rest                                                |
//! | [`motion`]    | its motion in a bounded number of frames                                               |
//! | [`recording`] | both in a file next to the results, `motion.json`                                      |
//! | [`chart_page`] | charts of linear analyses as a page                                                   |
//! | [`columns`]   | the recorded columns, decimated for a report                                           |
//! | [`control_loop`] | controllers with the columns that show what they do                                  |
//! | [`difference`]| differences of two runs                                                                |
//! | [`mode_shapes`] | system modes as a motion                                                             |
//! | [`still`]     | a state that was not run                                                               |
//! | [`report`]    | a run read back from its folder                                                        |
//! | [`page`]      | the HTML                                                                               |
//! | [`SimplePage`] | headings, tables and drawings, as pages of sweeps have them                          |
//! | [`picture`]   | frames and plots for papers, as SVG and PNG                                            |
//! | [`film`]      | films of a motion, as GIF or by `ffmpeg`                                               |
//! | [`live`]      | the report of a live run, on a local server                                            |
//! | [`foxglove`]  | a run for Foxglove and Lichtblick, by their WebSocket protocol                         |
//!
//! The page itself is `web/`, built by `build.rs` if Node.js is available.
#![forbid(unsafe_code)]

pub mod chart_page;
pub mod columns;
pub mod control_loop;
pub mod difference;
mod error;
pub mod film;
pub mod foxglove;
pub mod live;
pub mod mode_shapes;
pub mod motion;
mod numbers;
pub mod page;
pub mod picture;
mod plain_page;
pub mod pose;
pub mod recording;
pub mod report;
mod sample;
pub mod scene;
mod simple_page;
pub mod still;

pub use error::ReportError;
pub use motion::{Motion, MotionRecorder};
pub use numbers::{Doubles, Singles};
pub use recording::{Origin, OriginFile, Recording};
pub use report::Run;
pub use scene::Scene;
pub use simple_page::SimplePage;
