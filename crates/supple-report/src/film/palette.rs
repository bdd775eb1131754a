//! The colours of a GIF: 255 for all of its frames, so that what does not move does not flicker.

use std::collections::HashMap;

use color_quant::NeuQuant;
use tiny_skia::Pixmap;

/// Colours of a palette; one number is left for pixels that do not change.
const COLOURS: usize = 255;
/// How many of them are exactly those that occur most: background, words, the scale. The others are spread over the rest.
const EXACT: usize = 127;
/// Pixels of one colour that count, so that rare colours are not lost.
const LOUDEST: usize = 8;
/// Pixels that the spread colours are learnt from, about.
const LEARNT: usize = 100_000;

/// Colours with their numbers.
pub struct Palette {
    colours: Vec<[u8; 3]>,
    nearest: HashMap<[u8; 3], u8>,
}

impl Palette {
    /// For films that look like some of their frames.
    pub fn of(samples: &[Pixmap]) -> Self {
        let pixels = || samples.iter().flat_map(|map| colours(map.data()));
        let mut counts: HashMap<[u8; 3], usize> = HashMap::new();
        pixels().for_each(|colour| *counts.entry(colour).or_default() += 1);
        let mut by_count: Vec<([u8; 3], usize)> = counts.into_iter().collect();
        by_count.sort_by_key(|(colour, count)| (usize::MAX - count, *colour));
        let mut found: Vec<[u8; 3]> = by_count.iter().map(|(colour, _)| *colour).collect();
        if found.len() > COLOURS {
            found.truncate(EXACT);
            let rest =
                by_count[EXACT..].iter().flat_map(|(colour, count)| std::iter::repeat_n(colour, *count.min(&LOUDEST)));
            let rest: Vec<u8> = rest.flat_map(|[r, g, b]| [*r, *g, *b, 255]).collect();
            let every = (rest.len() / 4 / LEARNT).clamp(1, 30);
            let spread = NeuQuant::new(every as i32, COLOURS - EXACT, &rest).color_map_rgb();
            found.extend(spread.chunks_exact(3).map(|c| [c[0], c[1], c[2]]));
        }
        Self { colours: found, nearest: HashMap::new() }
    }

    /// As a GIF has them: red, green, blue, with an entry for pixels that do not change.
    pub fn bytes(&self) -> Vec<u8> {
        self.colours.iter().flatten().copied().chain([0; 3]).collect()
    }

    /// The number of pixels that do not change.
    pub fn unchanged(&self) -> u8 {
        self.colours.len() as u8
    }

    /// Numbers of the nearest colours of a frame.
    pub fn numbers(&mut self, frame: &[u8]) -> Vec<u8> {
        let mut last = None;
        let mut number = |colour: [u8; 3]| match last {
            // Most pixels are as the one before.
            Some((same, number)) if same == colour => number,
            _ => {
                let number = self.number(colour);
                last = Some((colour, number));
                number
            }
        };
        colours(frame).map(&mut number).collect()
    }

    fn number(&mut self, colour: [u8; 3]) -> u8 {
        let colours = &self.colours;
        let distance =
            |other: &[u8; 3]| -> u32 { (0..3).map(|i| u32::from(colour[i].abs_diff(other[i])).pow(2)).sum() };
        let find = || (0..colours.len()).min_by_key(|i| distance(&colours[*i])).unwrap_or(0) as u8;
        *self.nearest.entry(colour).or_insert_with(find)
    }
}

/// Red, green and blue of pixels that are not transparent.
fn colours(pixels: &[u8]) -> impl Iterator<Item = [u8; 3]> {
    pixels.chunks_exact(4).map(|p| [p[0], p[1], p[2]])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(width: u32, colour: impl Fn(u32) -> [u8; 3]) -> Pixmap {
        let mut map = Pixmap::new(width, 1).unwrap();
        for (i, pixel) in map.data_mut().chunks_exact_mut(4).enumerate() {
            let [r, g, b] = colour(i as u32);
            pixel.copy_from_slice(&[r, g, b, 255]);
        }
        map
    }

    #[test]
    fn few_colours_are_exact() {
        let all = map(200, |i| [i as u8, 0, 255 - i as u8]);
        let mut palette = Palette::of(&[all.clone(), all.clone()]);
        let bytes = palette.bytes();
        let numbers = palette.numbers(all.data());
        for (pixel, number) in all.data().chunks_exact(4).zip(numbers) {
            assert_eq!(pixel[..3], bytes[3 * usize::from(number)..][..3]);
        }
    }

    /// Of many colours the common ones are exact, the others near.
    #[test]
    fn many_colours_are_near() {
        let background = [250, 251, 252];
        let mixed = |i: u32| [(i % 64 * 4) as u8, (i / 64 % 64 * 4) as u8, 90];
        let all = map(12_000, |i| if i < 6000 { background } else { mixed(i) });
        let mut palette = Palette::of(std::slice::from_ref(&all));
        assert_eq!(palette.bytes().len(), 3 * 256);
        let bytes = palette.bytes();
        let numbers = palette.numbers(all.data());
        let mut worst = 0;
        for (i, (pixel, number)) in all.data().chunks_exact(4).zip(&numbers).enumerate() {
            let found = &bytes[3 * usize::from(*number)..][..3];
            let off = (0..3).map(|k| pixel[k].abs_diff(found[k])).max().unwrap();
            assert!(i >= 6000 || off == 0, "the background is exact");
            assert_ne!(*number, palette.unchanged());
            worst = worst.max(off);
        }
        // A plane of 256 by 256 shades among 128 colours.
        assert!(worst <= 40, "{worst}");
        assert_eq!(Palette::of(std::slice::from_ref(&all)).bytes(), bytes, "the same each time");
    }
}
