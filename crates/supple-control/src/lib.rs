//! From desired motion to forces: trajectories, force signals and shapers.
//!
//! [`Shaper`] makes commands that leave little vibration. [`Trajectory`] is the desired motion of one coordinate, [`Signal`] a force. Both are checked once, when they are created,
//! and then have a finite value at every finite time; both list the times at which they are not smooth, where an
//! integrator must end a step.
//!
//! ```
//! use supple_control::Trajectory;
//!
//! // From 0 to 0.4 rad in 20 s, at rest at both ends.
//! let shoulder = Trajectory::cycloidal([0.0, 20.0], [0.0, 0.4])?;
//! assert!((shoulder.at(10.0).position - 0.2).abs() < 1e-15);
//! assert_eq!(shoulder.breaks(), [0.0, 20.0]);
//! # Ok::<(), supple_control::ProfileError>(())
//! ```
#![forbid(unsafe_code)]

pub mod block;
pub mod cartesian;
pub mod correction;
mod error;
pub mod inversion;
pub mod linear;
pub mod realtime;
mod rules;
pub mod shaper;
pub mod signal;
pub mod trajectory;

pub use cartesian::{CartesianLimits, CartesianTrajectory, FrameSample, Pose};
pub use correction::{Corrected, Correction, CorrectionLaw, Target, TargetError, Weighted, WeightedCorrection};
pub use error::ProfileError;
pub use inversion::{HingeMode, HingeModes, InversionError, RestToRest};
pub use shaper::{Band, Mode, Shaper, ShaperError, ShaperKind};
pub use signal::Signal;
pub use trajectory::{MotionLimits, Sample, SplineEnds, Trajectory};
