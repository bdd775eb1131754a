//! Pages of runs: one HTML file with an animated view, linked plots and the facts of the model, which opens without a network.
//!
//! | module        | content                                                                                |
//! |---------------|----------------------------------------------------------------------------------------|
//! | [`scene`]     | what a system looks like and what it is, at rest                                       |
//! | [`motion`]    | its motion in a bounded number of frames                                               |
//! | [`recording`] | both in a file beside the results, `motion.json`                                       |
//! | [`columns`]   | the recorded columns, as far as a page can show them                                   |
//! | [`difference`]| how far two runs are apart                                                             |
//! | [`report`]    | a run read back from its folder                                                        |
//! | [`page`]      | the HTML                                                                               |
//! | [`picture`]   | frames and plots for papers, as SVG and PNG                                            |
//! | [`live`]      | the page of a run that goes on, over a server for this machine alone                   |
//! | [`foxglove`]  | a run for Foxglove and Lichtblick, by their WebSocket protocol                         |
//!
//! The page itself is `web/`, built by `build.rs` where Node.js is there.
#![forbid(unsafe_code)]

pub mod columns;
pub mod difference;
mod error;
pub mod foxglove;
pub mod live;
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

pub use error::ReportError;
pub use motion::{Motion, MotionRecorder};
pub use numbers::{Doubles, Singles};
pub use recording::{Origin, OriginFile, Recording};
pub use report::Run;
pub use scene::Scene;
