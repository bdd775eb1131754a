//! Lines as a picture: a panel per unit, one below the other, over a common axis of time.

use super::ticks::{Ticks, ticks};
use super::{Series, range};
use crate::drawing::{Anchor, Colour, Drawing, Item, Shape, Stroke};
use crate::results::error::ResultsError;
use crate::results::file::{self, Existing};
use std::path::Path;

/// Width of the picture, and of the legend at its right.
const WIDTH: f64 = 960.0;
const LEGEND: f64 = 210.0;
/// Room left of, above and below the panels; height of a panel and the distance to the next one.
const LEFT: f64 = 110.0;
const TOP: f64 = 62.0;
const BOTTOM: f64 = 52.0;
const PANEL: f64 = 240.0;
const GAP: f64 = 34.0;
/// The smallest panel that can be read.
const SMALLEST: [f64; 2] = [100.0, 60.0];
/// Most entries of a legend, and most letters of one.
const LEGEND_LINES: usize = 13;
const LEGEND_LETTERS: usize = 20;
/// Height of a line of the legend.
const LEGEND_LINE: f64 = 18.0;
/// Colours that people with colour-blindness tell apart too (Okabe and Ito), then dashed once more. The last one is that of the words.
const COLOURS: [Colour; 6] = [
    Colour::hex(0x00_72_b2),
    Colour::hex(0xd5_5e_00),
    Colour::hex(0x00_9e_73),
    Colour::hex(0xcc_79_a7),
    Colour::hex(0xe6_9f_00),
    Colour::hex(0x56_b4_e9),
];

/// How a plot looks.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct PlotLook {
    /// Width and height; default: 960 and 240 per panel. Less than [`smallest`] is made that large.
    pub size: Option<[f64; 2]>,
    /// Whether it is light on dark.
    pub dark: bool,
}

/// Colours of everything but the lines.
struct Inks {
    background: Colour,
    words: Colour,
    grid: Colour,
    frame: Colour,
}

const LIGHT: Inks = Inks {
    background: Colour::WHITE,
    words: Colour::BLACK,
    grid: Colour::hex(0xe2_e2_e2),
    frame: Colour::hex(0x44_44_44),
};
const DARK: Inks = Inks {
    background: Colour::hex(0x10_15_1d),
    words: Colour::hex(0xe4_e9_f0),
    grid: Colour::hex(0x2b_35_43),
    frame: Colour::hex(0x8e_9a_aa),
};

/// A rectangle of the picture with the numbers at its edges.
struct Panel {
    top: f64,
    right: f64,
    height: f64,
    times: [f64; 2],
    values: [f64; 2],
}

impl Panel {
    /// Numbers beyond the largest range that is drawn end up at its edge, here and below.
    fn x(&self, time: f64) -> f64 {
        let time = time.clamp(self.times[0], self.times[1]);
        LEFT + (time - self.times[0]) / (self.times[1] - self.times[0]) * (self.right - LEFT)
    }

    fn y(&self, value: f64) -> f64 {
        let value = value.clamp(self.values[0], self.values[1]);
        self.top + (self.values[1] - value) / (self.values[1] - self.values[0]) * self.height
    }

    fn bottom(&self) -> f64 {
        self.top + self.height
    }
}

/// Units in the order in which they come: one panel each.
fn units(series: &[Series]) -> Vec<&str> {
    let mut units: Vec<&str> = Vec::new();
    for s in series {
        if !units.contains(&s.unit.as_str()) {
            units.push(&s.unit);
        }
    }
    units
}

/// Height of everything but the panels themselves.
fn around(panels: usize) -> f64 {
    TOP + BOTTOM + (panels.max(1) - 1) as f64 * GAP
}

/// The smallest width and height that some series can be drawn in.
pub fn smallest(series: &[Series]) -> [f64; 2] {
    let panels = units(series).len().max(1);
    [LEFT + LEGEND + SMALLEST[0], around(panels) + panels as f64 * SMALLEST[1]]
}

/// Draws series against time, those of one unit in one panel.
pub fn drawing(title: &str, series: &[Series], look: &PlotLook) -> Drawing {
    let units = units(series);
    let panels = units.len().max(1);
    let least = smallest(series);
    let usual = [WIDTH, around(panels) + panels as f64 * PANEL];
    let [width, height] = look.size.map_or(usual, |size| [size[0].max(least[0]), size[1].max(least[1])]);
    let inks = if look.dark { &DARK } else { &LIGHT };
    let mut out = Drawing { background: inks.background, ink: inks.words, ..Drawing::new(width, height, title) };
    let heading = Shape::Text { at: [LEFT, 26.0], anchor: Anchor::Start, size: Some(16.0), text: title.to_owned() };
    out.add(Item { class: String::new(), shape: heading, fill: None, stroke: None });
    let times = range(series.iter(), 0);
    let panel_height = (height - around(panels)) / panels as f64;
    for (i, unit) in units.iter().enumerate() {
        let members: Vec<&Series> = series.iter().filter(|s| s.unit == *unit).collect();
        let mut values = range(members.iter().copied(), 1);
        let room = 0.04 * (values[1] - values[0]);
        values = [values[0] - room, values[1] + room];
        let top = TOP + i as f64 * (panel_height + GAP);
        let panel = Panel { top, right: width - LEGEND, height: panel_height, times, values };
        axes(&mut out, &panel, unit, i + 1 == units.len(), inks);
        for (k, s) in members.iter().enumerate() {
            line(&mut out, &panel, s, stroke(k, inks));
        }
        legend(&mut out, &panel, &members, inks);
    }
    out
}

/// Draws series against time as SVG.
pub fn svg(title: &str, series: &[Series]) -> String {
    drawing(title, series, &PlotLook::default()).svg()
}

/// Draws series into a file.
///
/// # Errors
/// A file that exists and may not be replaced; a place that cannot be written.
pub fn write_svg(path: &Path, title: &str, series: &[Series], existing: Existing) -> Result<(), ResultsError> {
    file::write_whole(path, existing, svg(title, series).as_bytes())
}

/// Frame, grid, numbers and names of the axes; times below the last panel only.
fn axes(out: &mut Drawing, panel: &Panel, unit: &str, last: bool, inks: &Inks) {
    let (top, bottom, right) = (panel.top, panel.bottom(), panel.right);
    let grid = Stroke::new(inks.grid, 1.0);
    // A number needs some room: as many as fit.
    let fitting = |length: f64, each: f64, most: usize| ((length / each) as usize).clamp(2, most);
    let across: Ticks = ticks(panel.times, fitting(right - LEFT, 80.0, 8));
    for (time, label) in across.places.iter().zip(&across.labels) {
        let x = panel.x(*time);
        out.add(Item::stroked(Shape::Line([x, top], [x, bottom]), grid));
        if last {
            out.add(Item::text([x, bottom + 18.0], Anchor::Middle, label));
        }
    }
    let up: Ticks = ticks(panel.values, fitting(panel.height, 30.0, 5));
    for (value, label) in up.places.iter().zip(&up.labels) {
        let y = panel.y(*value);
        out.add(Item::stroked(Shape::Line([LEFT, y], [right, y]), grid));
        out.add(Item::text([LEFT - 8.0, y + 4.5], Anchor::End, label));
    }
    let frame = Shape::Rectangle([LEFT, top], [right - LEFT, panel.height]);
    out.add(Item::stroked(frame, Stroke::new(inks.frame, 1.0)));
    out.add(Item::text([LEFT, top - 8.0], Anchor::Start, format!("[{unit}]")));
    if last {
        out.add(Item::text([LEFT + 0.5 * (right - LEFT), bottom + 40.0], Anchor::Middle, "time [s]"));
    }
}

fn stroke(index: usize, inks: &Inks) -> Stroke {
    let count = COLOURS.len() + 1;
    let colour = COLOURS.get(index % count).copied().unwrap_or(inks.words);
    let dash = if (index / count).is_multiple_of(2) { None } else { Some([6.0, 3.0]) };
    Stroke { dash, ..Stroke::new(colour, 1.6) }
}

fn line(out: &mut Drawing, panel: &Panel, series: &Series, stroke: Stroke) {
    for piece in series.pieces() {
        let mut points: Vec<[f64; 2]> = piece.iter().map(|p| [panel.x(p[0]), panel.y(p[1])]).collect();
        // A single point would not be seen.
        if let [[x, y]] = points[..] {
            points.push([x + 1.0, y]);
        }
        out.add(Item::stroked(Shape::Polyline(points), stroke));
    }
}

fn legend(out: &mut Drawing, panel: &Panel, members: &[&Series], inks: &Inks) {
    let (x, text) = (panel.right + 14.0, panel.right + 44.0);
    let lines = LEGEND_LINES.min((panel.height / LEGEND_LINE) as usize);
    for (k, series) in members.iter().enumerate().take(lines) {
        let y = panel.top + 12.0 + LEGEND_LINE * k as f64;
        if k + 1 == lines && members.len() > lines {
            out.add(Item::text([text, y + 4.5], Anchor::Start, format!("and {} more", members.len() - k)));
            continue;
        }
        let mut label: String = series.label.chars().take(LEGEND_LETTERS).collect();
        if label.len() < series.label.len() {
            label.push('…');
        }
        out.add(Item::stroked(Shape::Line([x, y], [x + 24.0, y]), stroke(k, inks)));
        out.add(Item::text([text, y + 4.5], Anchor::Start, label));
    }
}
