//! Films of a motion: GIF, and MP4 and WebM by the program `ffmpeg`.
//!
//! | module    | content                                                             |
//! |-----------|---------------------------------------------------------------------|
//! | `timing`  | which time each frame shows                                         |
//! | `palette` | the colours of a GIF, chosen from frames all over the film          |
//! | `gif`     | frames as GIF: what changed from one to the next                    |
//! | `ffmpeg`  | frames for `ffmpeg`                                                 |

mod error;
mod ffmpeg;
mod gif;
mod palette;
mod timing;

use std::path::Path;
use std::thread;

use supple_io::results::{Existing, PartialFile};
use tiny_skia::Pixmap;

use crate::picture::{self, FramePicture, LOOKS, PictureError, Studio};
use crate::recording::Recording;
pub use error::FilmError;
use ffmpeg::Ffmpeg;
use gif::GifWriter;
pub use timing::Pace;
use timing::Timing;

/// Frames that the colours of a GIF are chosen from.
const SAMPLES: usize = 16;
/// Most pixels of a side: what players and encoders take.
const MOST_SIDE: u32 = 8192;

/// A format of films.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilmKind {
    /// Built in; plays wherever pictures are shown.
    Gif,
    /// H.264, by `ffmpeg`.
    Mp4,
    /// VP9, by `ffmpeg`.
    WebM,
}

impl FilmKind {
    /// By the ending of a file.
    ///
    /// # Errors
    /// Another ending.
    pub fn of(path: &Path) -> Result<Self, FilmError> {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        match ending.as_deref() {
            Some("gif") => Ok(Self::Gif),
            Some("mp4") => Ok(Self::Mp4),
            Some("webm") => Ok(Self::WebM),
            _ => Err(FilmError::Ending { path: path.to_path_buf() }),
        }
    }

    /// Frames per second, unless others are asked for: of a GIF fewer, which keeps it small.
    pub fn usual_rate(self) -> f64 {
        if self == Self::Gif { 20.0 } else { 25.0 }
    }

    /// Most frames per second: viewers slow a GIF down that is faster.
    fn most_rate(self) -> f64 {
        if self == Self::Gif { 50.0 } else { 60.0 }
    }

    /// Width and height, unless others are asked for.
    pub fn usual_size(self) -> [f64; 2] {
        if self == Self::Gif { [640.0, 448.0] } else { FramePicture::default().size }
    }
}

/// What a film shows, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Filming {
    /// How its frames are drawn; its times are those of the film.
    pub picture: FramePicture,
    /// Pixels per unit of the size.
    pub zoom: f64,
    /// Where of the motion it begins, s; none for its start.
    pub from: Option<f64>,
    /// Where of the motion it ends, s; none for its end.
    pub to: Option<f64>,
    /// How fast the motion passes.
    pub pace: Pace,
    /// Frames per second; none for 20 of a GIF, 25 of others.
    pub rate: Option<f64>,
    /// Words about a mode, whose period is a second of the motion; none for a motion in time.
    pub mode: Option<String>,
}

/// Takes frames one after the other. Dropped before its end, it leaves what it has written to whoever gave it the file.
trait Encoder {
    /// Takes the next frame: red, green, blue and opacity of every pixel, row by row.
    fn add(&mut self, pixels: &[u8]) -> Result<(), FilmError>;
    /// Completes the file.
    fn finish(self: Box<Self>) -> Result<(), FilmError>;
}

/// Writes a film, whole or not at all. Before frames are drawn `goes_on` gets the number of those written and of all, and says whether to go on.
///
/// # Errors
/// A picture that cannot be drawn, a kind or a rate that is not offered, a place that cannot be written, `ffmpeg` missing or failing, an end
/// asked for by `goes_on`.
pub fn write(
    recording: &Recording,
    asked: &Filming,
    (path, existing): (&Path, Existing),
    goes_on: &mut dyn FnMut(usize, usize) -> bool,
) -> Result<(), FilmError> {
    let kind = FilmKind::of(path)?;
    let film = Film::new(recording, asked, kind)?;
    let (partial, file) = PartialFile::create(path, existing)?;
    let mut encoder: Box<dyn Encoder + '_> = match kind {
        FilmKind::Gif => {
            let samples = film.drawn(&film.timing.spread(SAMPLES))?;
            Box::new(GifWriter::new((file, &partial), film.size, film.timing.rate, &samples)?)
        }
        kind => Box::new(Ffmpeg::start(kind, partial.path(), film.size, film.timing.rate)?),
    };
    let all: Vec<usize> = (0..film.timing.frames).collect();
    let threads = thread::available_parallelism().map_or(1, usize::from);
    for some in all.chunks(threads) {
        if !goes_on(some[0], all.len()) {
            return Err(FilmError::Interrupted);
        }
        film.drawn(some)?.iter().try_for_each(|frame| encoder.add(frame.data()))?;
    }
    encoder.finish()?;
    Ok(partial.keep()?)
}

/// Words about when a frame is.
fn when(asked: &Filming, timing: &Timing, i: usize) -> String {
    match &asked.mode {
        None => timing.words(i),
        Some(mode) => format!("{mode}, t = {:.2} T", timing.time(i).rem_euclid(1.0)),
    }
}

/// All frames of a film, to be drawn.
struct Film<'r> {
    recording: &'r Recording,
    studio: Studio<'r>,
    timing: Timing,
    asked: &'r Filming,
    size: [u32; 2],
}

impl<'r> Film<'r> {
    fn new(recording: &'r Recording, asked: &'r Filming, kind: FilmKind) -> Result<Self, FilmError> {
        let span = recording.motion.span().ok_or(PictureError::NoFrame)?;
        let timing = Timing::new(span, asked, kind)?;
        let looks = picture::looks(recording, [timing.start, timing.end], LOOKS);
        let studio = Studio::new(recording, &asked.picture, &looks, &when(asked, &timing, timing.frames - 1))?;
        let mut size = picture::pixels(asked.picture.size, asked.zoom)?;
        if kind != FilmKind::Gif {
            // Colours of a video have half its resolution.
            size = size.map(|side| side.next_multiple_of(2));
        }
        if size.iter().any(|side| *side > MOST_SIDE) {
            return Err(FilmError::TooLarge { size, most: MOST_SIDE });
        }
        Ok(Self { recording, studio, timing, asked, size })
    }

    fn frame(&self, i: usize) -> Result<Pixmap, PictureError> {
        let time = self.timing.time(i);
        let frame = self.recording.motion.sample(&self.recording.scene, time).ok_or(PictureError::NoFrame)?;
        let when = when(self.asked, &self.timing, i);
        let drawing = self.studio.draw(&[time], &[frame], &when);
        picture::painted(&drawing, self.asked.zoom, self.size)
    }

    /// Some frames, drawn at the same time.
    fn drawn(&self, frames: &[usize]) -> Result<Vec<Pixmap>, PictureError> {
        thread::scope(|scope| {
            let threads: Vec<_> = frames.iter().map(|i| scope.spawn(|| self.frame(*i))).collect();
            let joined = threads.into_iter().map(|thread| thread.join());
            joined.map(|frame| frame.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
        })
    }
}
