//! Why there is no film.

use std::fmt;
use std::path::PathBuf;

use supple_io::results::ResultsError;

use crate::picture::PictureError;

/// What is missing, or wrong.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum FilmError {
    /// A frame that cannot be drawn.
    Picture(PictureError),
    /// A file that cannot be written.
    Results(ResultsError),
    /// A file whose ending names no kind of film.
    Ending {
        /// The file.
        path: PathBuf,
    },
    /// Frames per second that viewers do not show.
    Rate {
        /// Those asked for.
        rate: f64,
        /// Most of this kind of film.
        most: f64,
    },
    /// A film that is too long, or has no length.
    Length {
        /// The length asked for, s.
        seconds: f64,
        /// The speed at which the film is as long as it may be.
        least_speed: f64,
        /// The longest one, s.
        most: f64,
    },
    /// An end before the start.
    Backwards {
        /// The start, s.
        from: f64,
        /// The end, s.
        to: f64,
    },
    /// More pixels than videos have.
    TooLarge {
        /// Width and height.
        size: [u32; 2],
        /// Most of either.
        most: u32,
    },
    /// A program that is not installed.
    NoProgram,
    /// A program that failed.
    Program {
        /// What it says.
        told: String,
    },
    /// An end that was asked for.
    Interrupted,
}

impl fmt::Display for FilmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Picture(error) => error.fmt(f),
            Self::Results(error) => error.fmt(f),
            Self::Ending { path } => {
                write!(f, "{}: films end in .gif, or with ffmpeg installed in .mp4 or .webm", path.display())
            }
            Self::Rate { rate, most } => write!(f, "{rate} frames per second; choose from 1 to {most}"),
            Self::Length { seconds, least_speed, most } => write!(
                f,
                "a film of {seconds} s; it lasts more than 0 and at most {most} s: choose a speed of at least {least_speed}"
            ),
            Self::Backwards { from, to } => write!(f, "from {from} to {to} s is backwards; exchange them"),
            Self::TooLarge { size: [width, height], most } => {
                write!(f, "{width} by {height} pixels; films have at most {most} on a side")
            }
            Self::NoProgram => f.write_str(
                "films other than .gif need the program ffmpeg, which was not found; install it, or choose .gif",
            ),
            Self::Program { told } => write!(f, "ffmpeg failed: {told}; see which encoders it has, or choose .gif"),
            Self::Interrupted => f.write_str("interrupted; no film was written"),
        }
    }
}

impl std::error::Error for FilmError {}

impl From<ResultsError> for FilmError {
    fn from(error: ResultsError) -> Self {
        Self::Results(error)
    }
}
