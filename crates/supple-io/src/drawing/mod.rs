//! Drawings: lines, areas, circles and words on a page, whatever they show and whatever file they end up in.
//!
//! Units are those of SVG at 96 per inch, `y` points down. What comes later covers what came before. [`Drawing::svg`] writes a drawing as SVG.

mod svg;

use std::fmt;

/// A colour: red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour(pub [u8; 3]);

impl Colour {
    /// Black.
    pub const BLACK: Self = Self([0; 3]);
    /// White.
    pub const WHITE: Self = Self([255; 3]);

    /// From `0xrrggbb`.
    pub const fn hex(rgb: u32) -> Self {
        Self([(rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8])
    }

    /// `share` of the way to another colour.
    pub fn towards(self, other: Self, share: f64) -> Self {
        let mixed = |i: usize| f64::from(self.0[i]) + (f64::from(other.0[i]) - f64::from(self.0[i])) * share;
        Self(std::array::from_fn(|i| mixed(i).round().clamp(0.0, 255.0) as u8))
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [r, g, b] = self.0;
        write!(f, "#{r:02x}{g:02x}{b:02x}")
    }
}

/// A page with things on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
    /// What it shows, for readers that cannot see it.
    pub title: String,
    /// Colour of the page.
    pub background: Colour,
    /// Colour of words.
    pub ink: Colour,
    /// Size of words that have none of their own.
    pub font_size: f64,
    /// What is drawn, from the back to the front.
    pub items: Vec<Item>,
}

/// One thing of a drawing.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// What it belongs to, for programs that read the drawing; empty where it is nothing in particular.
    pub class: String,
    /// Its form.
    pub shape: Shape,
    /// Colour inside; of words, their colour where it is not that of the drawing.
    pub fill: Option<Colour>,
    /// The line along it.
    pub stroke: Option<Stroke>,
}

/// A form.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// From one point to another.
    Line([f64; 2], [f64; 2]),
    /// Through all points.
    Polyline(Vec<[f64; 2]>),
    /// Through all points and back to the first.
    Polygon(Vec<[f64; 2]>),
    /// Corner with the least coordinates, and size.
    Rectangle([f64; 2], [f64; 2]),
    /// Centre and radius.
    Circle([f64; 2], f64),
    /// Words.
    Text {
        /// Where they begin, have their middle or end, on their base line.
        at: [f64; 2],
        /// Which of these.
        anchor: Anchor,
        /// Size, where it is not that of the drawing.
        size: Option<f64>,
        /// The words.
        text: String,
    },
}

impl Shape {
    fn is_finite(&self) -> bool {
        let points: &[[f64; 2]] = match self {
            Self::Line(a, b) | Self::Rectangle(a, b) => &[*a, *b],
            Self::Polyline(points) | Self::Polygon(points) => points,
            Self::Circle(centre, radius) => &[*centre, [*radius; 2]],
            Self::Text { at, .. } => &[*at],
        };
        points.as_flattened().iter().all(|x| x.is_finite())
    }
}

/// What of a text is at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Anchor {
    /// Its begin.
    #[default]
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Its colour.
    pub colour: Colour,
    /// Its width.
    pub width: f64,
    /// Lengths of dashes and gaps.
    pub dash: Option<[f64; 2]>,
    /// Whether it ends and turns in circles.
    pub round: bool,
}

impl Stroke {
    /// A plain line.
    pub const fn new(colour: Colour, width: f64) -> Self {
        Self { colour, width, dash: None, round: false }
    }

    /// With round ends.
    pub const fn rounded(colour: Colour, width: f64) -> Self {
        Self { colour, width, dash: None, round: true }
    }
}

impl Item {
    /// A line along a form.
    pub fn stroked(shape: Shape, stroke: Stroke) -> Self {
        Self { class: String::new(), shape, fill: None, stroke: Some(stroke) }
    }

    /// A form in a colour.
    pub fn filled(shape: Shape, colour: Colour) -> Self {
        Self { class: String::new(), shape, fill: Some(colour), stroke: None }
    }

    /// Words in the colour of the drawing.
    pub fn text(at: [f64; 2], anchor: Anchor, text: impl Into<String>) -> Self {
        let shape = Shape::Text { at, anchor, size: None, text: text.into() };
        Self { class: String::new(), shape, fill: None, stroke: None }
    }

    /// The same, belonging to something.
    pub fn of(self, class: impl Into<String>) -> Self {
        Self { class: class.into(), ..self }
    }

    /// The same with another line.
    pub fn edged(self, stroke: Stroke) -> Self {
        Self { stroke: Some(stroke), ..self }
    }
}

impl Drawing {
    /// An empty page, black on white.
    pub fn new(width: f64, height: f64, title: impl Into<String>) -> Self {
        let (background, ink) = (Colour::WHITE, Colour::BLACK);
        Self { width, height, title: title.into(), background, ink, font_size: 13.0, items: Vec::new() }
    }

    /// Puts something on the page, before all that is there. What is at no place, its numbers being infinite or none, is left out.
    pub fn add(&mut self, item: Item) {
        if item.shape.is_finite() {
            self.items.push(item);
        }
    }
}
