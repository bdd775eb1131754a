//! Frames as GIF: of each what changed since the one before.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufWriter, Write};

use gif::{DisposalMethod, EncodingError, Frame, Repeat};
use supple_io::results::PartialFile;
use tiny_skia::Pixmap;

use super::palette::Palette;
use super::{Encoder, FilmError};

/// Writes a GIF.
pub struct GifWriter<'p> {
    encoder: gif::Encoder<BufWriter<File>>,
    partial: &'p PartialFile,
    palette: Palette,
    /// Numbers of the colours that are seen; empty before the first frame.
    seen: Vec<u8>,
    size: [u16; 2],
    rate: f64,
    written: u32,
}

impl<'p> GifWriter<'p> {
    /// Into a file, with the colours of some frames.
    pub fn new(
        (file, partial): (File, &'p PartialFile),
        size: [u32; 2],
        rate: f64,
        samples: &[Pixmap],
    ) -> Result<Self, FilmError> {
        let palette = Palette::of(samples);
        // Sides are bounded long before.
        let size = size.map(|side| u16::try_from(side).unwrap_or(u16::MAX));
        let failed = |error| failed(partial, error);
        let mut encoder =
            gif::Encoder::new(BufWriter::new(file), size[0], size[1], &palette.bytes()).map_err(failed)?;
        encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
        Ok(Self { encoder, partial, palette, seen: Vec::new(), size, rate, written: 0 })
    }

    /// Hundredths of a second until a frame begins.
    fn begins(&self, frame: u32) -> f64 {
        (100.0 * f64::from(frame) / self.rate).round()
    }

    /// The rectangle of what changed: left, top, width, height. Where nothing did, one pixel.
    fn changed(&self, numbers: &[u8]) -> [usize; 4] {
        let [width, height] = self.size.map(usize::from);
        if self.seen.is_empty() {
            return [0, 0, width, height];
        }
        let row = |y: usize| y * width..(y + 1) * width;
        let differs = |y: &usize| self.seen[row(*y)] != numbers[row(*y)];
        let Some(top) = (0..height).find(differs) else { return [0, 0, 1, 1] };
        let bottom = (0..height).rev().find(differs).unwrap_or(top);
        let column = |x: &usize| (top..=bottom).any(|y| self.seen[y * width + x] != numbers[y * width + x]);
        let left = (0..width).find(column).unwrap_or(0);
        let right = (0..width).rev().find(column).unwrap_or(left);
        [left, top, right + 1 - left, bottom + 1 - top]
    }
}

impl Encoder for GifWriter<'_> {
    fn add(&mut self, pixels: &[u8]) -> Result<(), FilmError> {
        let numbers = self.palette.numbers(pixels);
        let [left, top, width, height] = self.changed(&numbers);
        let unchanged = self.palette.unchanged();
        let all = usize::from(self.size[0]);
        let places = (top..top + height).flat_map(|y| (left..left + width).map(move |x| y * all + x));
        let seen = &self.seen;
        let buffer = places.map(|i| if seen.get(i) == Some(&numbers[i]) { unchanged } else { numbers[i] });
        let frame = Frame {
            delay: (self.begins(self.written + 1) - self.begins(self.written)) as u16,
            dispose: DisposalMethod::Keep,
            transparent: Some(unchanged),
            left: left as u16,
            top: top as u16,
            width: width as u16,
            height: height as u16,
            buffer: Cow::Owned(buffer.collect()),
            ..Frame::default()
        };
        self.encoder.write_frame(&frame).map_err(|error| failed(self.partial, error))?;
        self.seen = numbers;
        self.written += 1;
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), FilmError> {
        let partial = self.partial;
        let mut out = self.encoder.into_inner().map_err(|error| failed(partial, error))?;
        out.flush().map_err(|error| partial.failed(&error).into())
    }
}

fn failed(partial: &PartialFile, error: EncodingError) -> FilmError {
    let error = match error {
        EncodingError::Io(error) => error,
        other => io::Error::other(other),
    };
    partial.failed(&error).into()
}
