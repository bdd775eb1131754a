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

impl fmt::Display for PictureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoFrame => write!(f, "no frame was recorded: the run ended before its first row; run it again"),
            Self::Outside { time, span: [start, end] } => {
                write!(f, "there is nothing at {time} s: the motion is from {start} to {end} s")
            }
            Self::Without { quantity: Quantity::Strain, lines: true } => write!(
                f,
                "no flexible body has a strain to colour: no cross-section is known; curvature can be shown instead. Beams tell \
                 their `section` in the model file; results of an earlier version have to be run again"
            ),
            Self::Without { quantity, .. } => {
                let name = match quantity {
                    Quantity::Deflection => "deflection",
                    Quantity::Strain => "strain",
                    Quantity::Curvature => "curvature",
                };
                write!(f, "no body has a {name} to colour: it needs a flexible body")?;
                match quantity {
                    Quantity::Deflection => Ok(()),
                    _ => write!(
                        f,
                        " with at least three nodes on a line; results of an earlier version have to be run again"
                    ),
                }
            }
            Self::TooSmall { size: [w, h], least: [x, y] } => {
                write!(f, "{w} by {h} is too small: at least {x} by {y}")
            }
            Self::TooLarge { pixels: [w, h], most } => {
                write!(f, "{w} by {h} pixels are too many: at most {most} in all; SVG has no such limit")
            }
        }
    }
}

impl std::error::Error for PictureError {}
