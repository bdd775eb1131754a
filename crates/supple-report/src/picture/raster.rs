//! Drawings as PNG. Letters are outlines of a font that is part of the program: no machine needs to have any.

use supple_io::drawing::{Anchor, Colour, Drawing, Item, Shape, Stroke};
use tiny_skia::{FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, StrokeDash, Transform};
use ttf_parser::{Face, OutlineBuilder};

use super::error::PictureError;

/// DejaVu Sans, letters of Europe and signs of mathematics: `fonts/LICENSE`.
const FONT: &[u8] = include_bytes!("../../fonts/DejaVuSans-subset.ttf");
/// Most pixels of a picture.
const MOST_PIXELS: f64 = 2e8;

/// A drawing as PNG with `zoom` pixels per unit.
///
/// # Errors
/// A drawing without any pixels, or with more than 200 million.
pub fn png(drawing: &Drawing, zoom: f64) -> Result<Vec<u8>, PictureError> {
    let size = pixels([drawing.width, drawing.height], zoom)?;
    // Only a writer that fails can fail here, and memory does not.
    painted(drawing, zoom, size)?.encode_png().map_err(|_| too_large(size.map(f64::from)))
}

/// Pixels of a drawing of some size.
pub(crate) fn pixels(size: [f64; 2], zoom: f64) -> Result<[u32; 2], PictureError> {
    let pixels = size.map(|side| (side * zoom).round());
    if !(pixels[0] >= 1.0 && pixels[1] >= 1.0) {
        return Err(PictureError::TooSmall { size: pixels, least: [1.0; 2] });
    }
    if pixels[0] * pixels[1] > MOST_PIXELS { Err(too_large(pixels)) } else { Ok(pixels.map(|side| side as u32)) }
}

fn too_large(pixels: [f64; 2]) -> PictureError {
    PictureError::TooLarge { pixels, most: MOST_PIXELS }
}

/// A drawing on so many pixels, from the upper left corner on.
pub(crate) fn painted(drawing: &Drawing, zoom: f64, size: [u32; 2]) -> Result<Pixmap, PictureError> {
    let mut map = Pixmap::new(size[0], size[1]).ok_or_else(|| too_large(size.map(f64::from)))?;
    let [r, g, b] = drawing.background.0;
    map.fill(tiny_skia::Color::from_rgba8(r, g, b, 255));
    // The font is part of the program; without it there would be no words.
    let letters = Face::parse(FONT, 0).ok();
    let transform = Transform::from_scale(zoom as f32, zoom as f32);
    for item in &drawing.items {
        draw(&mut map, drawing, item, letters.as_ref(), transform);
    }
    Ok(map)
}

fn draw(map: &mut Pixmap, drawing: &Drawing, item: &Item, letters: Option<&Face<'_>>, transform: Transform) {
    if let Shape::Text { at, anchor, size, text } = &item.shape {
        let Some(letters) = letters else { return };
        let size = size.unwrap_or(drawing.font_size);
        if let Some(path) = written(letters, text, *at, *anchor, size) {
            let ink = item.fill.unwrap_or(drawing.ink);
            map.fill_path(&path, &paint(ink), FillRule::Winding, transform, None);
        }
        return;
    }
    let Some(path) = outline(&item.shape) else { return };
    if let Some(colour) = item.fill {
        map.fill_path(&path, &paint(colour), FillRule::Winding, transform, None);
    }
    if let Some(stroke) = &item.stroke {
        let joined = matches!(item.shape, Shape::Polyline(_));
        map.stroke_path(&path, &paint(stroke.colour), &pen(stroke, joined), transform, None);
    }
}

fn paint(colour: Colour) -> Paint<'static> {
    let mut out = Paint::default();
    let [r, g, b] = colour.0;
    out.set_color_rgba8(r, g, b, 255);
    out.anti_alias = true;
    out
}

fn pen(stroke: &Stroke, joined: bool) -> tiny_skia::Stroke {
    tiny_skia::Stroke {
        width: stroke.width as f32,
        line_cap: if stroke.round { LineCap::Round } else { LineCap::Butt },
        line_join: if joined { LineJoin::Round } else { LineJoin::Miter },
        dash: stroke.dash.and_then(|[dash, gap]| StrokeDash::new(vec![dash as f32, gap as f32], 0.0)),
        ..tiny_skia::Stroke::default()
    }
}

/// None where there is nothing to see.
fn outline(shape: &Shape) -> Option<Path> {
    let mut path = PathBuilder::new();
    let mut through = |points: &[[f64; 2]], closed: bool| {
        for (i, [x, y]) in points.iter().enumerate() {
            let (x, y) = (*x as f32, *y as f32);
            if i == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
        }
        if closed {
            path.close();
        }
    };
    match shape {
        Shape::Line(a, b) => through(&[*a, *b], false),
        Shape::Polyline(points) => through(points, false),
        Shape::Polygon(points) => through(points, true),
        Shape::Rectangle([x, y], [width, height]) => {
            path.push_rect(Rect::from_xywh(*x as f32, *y as f32, *width as f32, *height as f32)?);
        }
        Shape::Circle([x, y], radius) => path.push_circle(*x as f32, *y as f32, *radius as f32),
        Shape::Text { .. } => return None,
    }
    path.finish()
}

/// A text as outlines.
fn written(letters: &Face<'_>, text: &str, [x, y]: [f64; 2], anchor: Anchor, size: f64) -> Option<Path> {
    let scale = size / f64::from(letters.units_per_em());
    // What the font does not have is a sign of its own.
    let glyph = |letter: char| letters.glyph_index(letter).or_else(|| letters.glyph_index('\u{fffd}'));
    let advance = |letter: char| {
        glyph(letter).and_then(|id| letters.glyph_hor_advance(id)).map_or(0.5 * size, |units| scale * f64::from(units))
    };
    let width: f64 = text.chars().map(advance).sum();
    let mut at = x - width
        * match anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => 0.5,
            Anchor::End => 1.0,
        };
    let mut path = PathBuilder::new();
    for letter in text.chars() {
        if let Some(id) = glyph(letter) {
            letters.outline_glyph(id, &mut Outline { path: &mut path, x: at, y, scale });
        }
        at += advance(letter);
    }
    path.finish()
}

/// Takes the outline of a letter, from units of the font, `y` up, to those of the page.
struct Outline<'p> {
    path: &'p mut PathBuilder,
    x: f64,
    y: f64,
    scale: f64,
}

impl Outline<'_> {
    fn place(&self, x: f32, y: f32) -> (f32, f32) {
        ((self.x + self.scale * f64::from(x)) as f32, (self.y - self.scale * f64::from(y)) as f32)
    }
}

impl OutlineBuilder for Outline<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.place(x1, y1), self.place(x, y));
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.place(x1, y1), self.place(x2, y2), self.place(x, y));
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pixels of a drawing, red, green and blue.
    fn pixels(drawing: &Drawing, zoom: f64) -> (u32, Vec<[u8; 3]>) {
        let map = Pixmap::decode_png(&png(drawing, zoom).unwrap()).unwrap();
        (map.width(), map.pixels().iter().map(|p| [p.red(), p.green(), p.blue()]).collect())
    }

    #[test]
    fn forms_are_where_they_should_be() {
        let red = Colour([200, 0, 0]);
        let mut drawing = Drawing::new(40.0, 20.0, "");
        drawing.add(Item::filled(Shape::Rectangle([2.0, 2.0], [6.0, 6.0]), red));
        drawing.add(Item::filled(Shape::Circle([30.0, 10.0], 5.0), Colour::BLACK));
        drawing.add(Item::stroked(Shape::Line([10.0, 18.0], [20.0, 18.0]), Stroke::new(red, 2.0)));
        let (width, all) = pixels(&drawing, 2.0);
        assert_eq!((width, all.len()), (80, 80 * 40));
        let at = |x: usize, y: usize| all[2 * y * 80 + 2 * x];
        assert_eq!(at(4, 4), red.0);
        assert_eq!(at(30, 10), [0; 3]);
        assert_eq!(at(15, 17), red.0);
        assert_eq!(at(1, 1), [255; 3]);
        assert_eq!(at(30, 1), [255; 3]);
    }

    #[test]
    fn words_end_where_they_should_and_unknown_letters_are_seen() {
        let black = |text: &str, anchor: Anchor| {
            let mut drawing = Drawing::new(200.0, 30.0, "");
            drawing.add(Item::text([100.0, 20.0], anchor, text));
            let (_, all) = pixels(&drawing, 1.0);
            let dark: Vec<usize> = (0..all.len()).filter(|i| all[*i][0] < 128).map(|i| i % 200).collect();
            (dark.iter().copied().min(), dark.iter().copied().max())
        };
        let (first, last) = black("mmmm", Anchor::Start);
        assert!(first >= Some(100) && last > Some(130), "{first:?} {last:?}");
        let (first, last) = black("mmmm", Anchor::End);
        assert!(first < Some(70) && last <= Some(100), "{first:?} {last:?}");
        for text in ["κ", "µ", "²", "°", "…", "漢", "Ж"] {
            assert!(black(text, Anchor::Middle).0.is_some(), "{text}");
        }
        assert_eq!(black("", Anchor::Middle), (None, None));
    }

    #[test]
    fn sizes_without_sense_are_refused() {
        for (width, zoom) in
            [(0.0, 1.0), (f64::NAN, 1.0), (1e9, 1.0), (100.0, 1e9), (100.0, f64::INFINITY), (100.0, -1.0)]
        {
            assert!(png(&Drawing::new(width, 100.0, ""), zoom).is_err(), "{width} {zoom}");
        }
    }
}
