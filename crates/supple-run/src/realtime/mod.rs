//! Plant and controllers as two programs: who does what, and how they talk.
//!
//! | module       | content                                                                             |
//! |--------------|-------------------------------------------------------------------------------------|
//! | `wiring`     | which block belongs to which program, and the signals between them                  |
//! | [`plant`]    | the plant: a run whose controllers are elsewhere, against the clock or in lock step |
//! | [`control`]  | the controllers, cycle by cycle                                                     |
//! | `laws`       | controllers as they are, or as generated code                                       |
//! | `line`       | UDP between two addresses; `greeting` is how the sides find each other              |
//! | `log`        | what a controller records                                                           |
//! | `relay`      | tells observers of a plant about it, in a thread of their own                       |
//! | `brakes`     | the brakes of the plant's drives                                                    |
//! | `code_step`  | steps of a plant as generated code                                                  |
//! | `news`       | what a link tells the run around it                                                 |
//! | `schedule`   | priority, memory and core, where the system grants them                             |
//! | `injection`  | faults on purpose                                                                   |
//! | `rehearsal`  | both sides in one program, to see how long they take                                |
//!
//! What goes over the link and what happens where that goes wrong is in [`supple_control::realtime`].

mod brakes;
mod code_step;
mod controller;
mod greeting;
mod injection;
mod laws;
mod line;
mod log;
mod news;
mod plant;
mod rehearsal;
mod relay;
mod schedule;
mod wiring;

pub use controller::{Acknowledgement, ControlOptions, ControlSummary, control};
pub use injection::Injection;
pub use laws::Laws;
pub use line::Addresses;
pub(crate) use news::LinkNews;
pub use news::LinkSummary;
pub use plant::{Pace, PlantOptions, plant};
pub use rehearsal::{Rehearsal, RehearsalTimes};
pub use schedule::Schedule;
pub use supple_control::realtime::{Histogram, Key, Timing};
pub(crate) use wiring::Wiring;

use std::path::Path;

use supple_io::scenario_file::Scenario;

use crate::{Options, Output, RunError, place};

/// The same scenario with its results as an MCAP log too and without checkpoints, in a folder of its own below that of the scenario where no other is named.
fn recorded(scenario: &Scenario, path: &Path, options: &Options, side: &str) -> Result<(Scenario, Options), RunError> {
    let (mut scenario, mut options) = (scenario.clone(), options.clone());
    // Nobody can take up a link where it was.
    scenario.checkpoint_interval = None;
    if !scenario.results.formats.iter().any(|format| format == "mcap") {
        scenario.results.formats.push("mcap".into());
    }
    if let (Output::Scenario, Some(folder)) = (&options.output, place::folder_of(&scenario, path, &options)?) {
        options.output = Output::Folder(folder.join(side));
    }
    Ok((scenario, options))
}
