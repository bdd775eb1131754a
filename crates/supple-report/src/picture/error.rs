//! Why there is no picture.

use std::fmt;

use super::quantity::Quantity;

/// What cannot be drawn.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PictureError {
    /// No frame was recorded.
    NoFrame,
    /// A time before or after the motion.
    Outside {
        /// The time asked for.
        time: f64,
        /// Where the motion begins and ends.
        span: [f64; 2],
    },
    /// A quantity that no body has.
    Without {
        /// The quantity.
        quantity: Quantity,
        /// Whether there are flexible bodies on a line at all.
        lines: bool,
    },
    /// A page that has no room.
    TooSmall {
        /// The size asked for.
        size: [f64; 2],
        /// The smallest one.
        least: [f64; 2],
    },
    /// More pixels than are drawn.
    TooLarge {
        /// The pixels asked for.
        pixels: [f64; 2],
        /// How many are drawn at most, in all.
        most: f64,
    },
}

impl PictureError {
    /// What to do about it.
    pub fn remedy(&self) -> String {
        match self {
            Self::NoFrame => "run it again".into(),
            Self::Outside { span: [start, end], .. } => format!("choose a time from {start} to {end} s"),
            Self::Without { quantity: Quantity::Strain, lines: true } => {
                "give beams a `section` in the model file and run it again, or show the curvature".into()
            }
            Self::Without { quantity: Quantity::Deflection, .. } => "it needs a flexible body".into(),
            Self::Without { .. } => {
                "it needs a flexible body with at least three nodes on a line; run results of an earlier version again"
                    .into()
            }
            Self::TooSmall { least: [x, y], .. } => format!("use at least {x} by {y}"),
            Self::TooLarge { most, .. } => format!("use at most {most} in total; SVG has no such limit"),
        }
    }

    /// What is wrong, without the remedy.
    pub fn what(&self) -> String {
        match self {
            Self::NoFrame => "no frame was recorded: the run ended before its first row".into(),
            Self::Outside { time, .. } => format!("nothing was recorded at {time} s"),
            Self::Without { quantity: Quantity::Strain, lines: true } => {
                "no flexible body has a strain to colour, because no cross-section is known".into()
            }
            Self::Without { quantity, .. } => {
                let name = match quantity {
                    Quantity::Deflection => "deflection",
                    Quantity::Strain => "strain",
                    Quantity::Curvature => "curvature",
                };
                format!("no body has a {name} to colour")
            }
            Self::TooSmall { size: [w, h], .. } => format!("{w} by {h} is too small"),
            Self::TooLarge { pixels: [w, h], .. } => format!("{w} by {h} pixels are too many"),
        }
    }
}

impl fmt::Display for PictureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.what(), self.remedy())
    }
}

impl std::error::Error for PictureError {}
