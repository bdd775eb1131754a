//! A controller and its plant as two programs: what they send each other, and what happens where that goes wrong. Nothing here sends, receives or waits.
//!
//! | module         | content                                                                        |
//! |----------------|--------------------------------------------------------------------------------|
//! | `frame`        | the layout of a frame; its checksum in `checksum`                              |
//! | `inbox`        | which frames are taken                                                         |
//! | `watch`        | values that cannot be: not finite, out of range, too fast, degrees for radians |
//! | `frozen`       | positions that stay the same though the model moves                            |
//! | `limits`       | limits of drives, on the command                                               |
//! | `supervisor`   | when the safe state is entered and left; `fault` is its log                    |
//! | `timing`       | times of cycles, and what happens where one takes too long                     |
//! | `link`         | what both sides agree on                                                       |
//! | [`Controller`] | the controller's side, from frame to frame                                     |
//! | [`Drives`]     | the plant's side                                                               |

mod checksum;
mod controller;
mod drives;
mod fault;
mod frame;
mod frozen;
mod inbox;
mod limits;
mod link;
mod supervisor;
mod timing;
mod watch;

pub use checksum::Key;
pub use controller::{Controller, Measurements, Places};
pub use drives::Drives;
pub use fault::{Entry, Fault};
pub use frame::{
    Flags, Frame, FrameError, FrameKind, HEAD, Header, MOST_BYTES, MOST_VALUES, TAIL, VERSION, decode, encode,
};
pub use frozen::{DrivePlace, FrozenWatch};
pub use inbox::{Inbox, Taken};
pub use limits::DriveLimits;
pub use link::{DriveSignals, LinkPlan, Received, nanoseconds};
pub use supervisor::Supervisor;
pub use timing::{DeadlinePolicy, Histogram, Timing};
pub use watch::{Bounds, SignalWatch};
