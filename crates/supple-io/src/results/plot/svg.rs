//! Lines as a picture in SVG: a panel per unit, one below the other, over a common axis of time.

use super::ticks::{Ticks, ticks};
use super::{Series, range};
use crate::results::error::ResultsError;
use crate::results::file::{self, Existing};
use std::fmt::Write;
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
/// Most entries of a legend, and most letters of one.
const LEGEND_LINES: usize = 13;
const LEGEND_LETTERS: usize = 20;
/// Colours that people with colour-blindness tell apart too (Okabe and Ito), then dashed once more.
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];

/// A rectangle of the picture with the numbers at its edges.
struct Panel {
    top: f64,
    times: [f64; 2],
    values: [f64; 2],
}

impl Panel {
    fn right() -> f64 {
        WIDTH - LEGEND
    }

    /// Numbers beyond the largest range that is drawn end up at its edge, here and below.
    fn x(&self, time: f64) -> f64 {
        let time = time.clamp(self.times[0], self.times[1]);
        LEFT + (time - self.times[0]) / (self.times[1] - self.times[0]) * (Self::right() - LEFT)
    }

    fn y(&self, value: f64) -> f64 {
        let value = value.clamp(self.values[0], self.values[1]);
        self.top + (self.values[1] - value) / (self.values[1] - self.values[0]) * PANEL
    }
}

/// Draws series against time, those of one unit in one panel.
pub fn svg(title: &str, series: &[Series]) -> String {
    let mut units: Vec<&str> = Vec::new();
    for s in series {
        if !units.contains(&s.unit.as_str()) {
            units.push(&s.unit);
        }
    }
    let panels = units.len().max(1) as f64;
    let height = TOP + panels * PANEL + (panels - 1.0) * GAP + BOTTOM;
    let mut out = String::new();
    // Writing to a string cannot fail, here and below.
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
         viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <title>{0}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"{LEFT}\" y=\"26\" font-size=\"16\">{0}</text>",
        escaped(title)
    );
    let times = range(series.iter(), 0);
    for (i, unit) in units.iter().enumerate() {
        let members: Vec<&Series> = series.iter().filter(|s| s.unit == *unit).collect();
        let mut values = range(members.iter().copied(), 1);
        let room = 0.04 * (values[1] - values[0]);
        values = [values[0] - room, values[1] + room];
        let panel = Panel { top: TOP + i as f64 * (PANEL + GAP), times, values };
        axes(&mut out, &panel, unit, i + 1 == units.len());
        for (k, s) in members.iter().enumerate() {
            line(&mut out, &panel, s, k);
        }
        legend(&mut out, &panel, &members);
    }
    out += "</svg>\n";
    out
}

/// Draws series into a file.
///
/// # Errors
/// A file that exists and may not be replaced; a place that cannot be written.
pub fn write_svg(path: &Path, title: &str, series: &[Series], existing: Existing) -> Result<(), ResultsError> {
    file::write_whole(path, existing, svg(title, series).as_bytes())
}

/// Frame, grid, numbers and names of the axes; times below the last panel only.
fn axes(out: &mut String, panel: &Panel, unit: &str, last: bool) {
    let (top, bottom, right) = (panel.top, panel.top + PANEL, Panel::right());
    let across: Ticks = ticks(panel.times, 8);
    for (time, label) in across.places.iter().zip(&across.labels) {
        let x = panel.x(*time);
        let _ =
            writeln!(out, "<line x1=\"{x:.1}\" y1=\"{top:.1}\" x2=\"{x:.1}\" y2=\"{bottom:.1}\" stroke=\"#e2e2e2\"/>");
        if last {
            let y = bottom + 18.0;
            let _ = writeln!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{label}</text>");
        }
    }
    let up: Ticks = ticks(panel.values, 5);
    for (value, label) in up.places.iter().zip(&up.labels) {
        let (y, x, base) = (panel.y(*value), LEFT - 8.0, panel.y(*value) + 4.5);
        let _ = writeln!(
            out,
            "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{right}\" y2=\"{y:.1}\" stroke=\"#e2e2e2\"/>\n\
             <text x=\"{x}\" y=\"{base:.1}\" text-anchor=\"end\">{label}</text>"
        );
    }
    let (width, above) = (right - LEFT, top - 8.0);
    let _ = writeln!(
        out,
        "<rect x=\"{LEFT}\" y=\"{top:.1}\" width=\"{width}\" height=\"{PANEL}\" fill=\"none\" stroke=\"#444444\"/>\n\
         <text x=\"{LEFT}\" y=\"{above:.1}\">[{}]</text>",
        escaped(unit)
    );
    if last {
        let (x, y) = (LEFT + 0.5 * width, bottom + 40.0);
        let _ = writeln!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">time [s]</text>");
    }
}

fn stroke(index: usize) -> String {
    let dash = if (index / COLOURS.len()).is_multiple_of(2) { "" } else { " stroke-dasharray=\"6 3\"" };
    format!("stroke=\"{}\" stroke-width=\"1.6\"{dash}", COLOURS[index % COLOURS.len()])
}

fn line(out: &mut String, panel: &Panel, series: &Series, index: usize) {
    for piece in series.pieces() {
        let _ = write!(out, "<polyline fill=\"none\" stroke-linejoin=\"round\" {} points=\"", stroke(index));
        for p in piece {
            let _ = write!(out, "{:.2},{:.2} ", panel.x(p[0]), panel.y(p[1]));
        }
        // A single point would not be seen.
        if let [p] = piece {
            let _ = write!(out, "{:.2},{:.2} ", panel.x(p[0]) + 1.0, panel.y(p[1]));
        }
        out.truncate(out.trim_end().len());
        *out += "\"/>\n";
    }
}

fn legend(out: &mut String, panel: &Panel, members: &[&Series]) {
    let (x, text) = (Panel::right() + 14.0, Panel::right() + 44.0);
    for (k, series) in members.iter().enumerate().take(LEGEND_LINES) {
        let y = panel.top + 12.0 + 18.0 * k as f64;
        if k + 1 == LEGEND_LINES && members.len() > LEGEND_LINES {
            let more = members.len() - k;
            let _ = writeln!(out, "<text x=\"{text}\" y=\"{:.1}\">and {more} more</text>", y + 4.5);
            continue;
        }
        let mut label: String = series.label.chars().take(LEGEND_LETTERS).collect();
        if label.len() < series.label.len() {
            label.push('…');
        }
        let _ = writeln!(
            out,
            "<line x1=\"{x}\" y1=\"{y:.1}\" x2=\"{}\" y2=\"{y:.1}\" {}/>\n\
             <text x=\"{text}\" y=\"{:.1}\">{}</text>",
            x + 24.0,
            stroke(k),
            y + 4.5,
            escaped(&label)
        );
    }
}

/// A text with the characters that XML reserves replaced, and without those it forbids.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            letter if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            letter => out.push(letter),
        }
    }
    out
}
