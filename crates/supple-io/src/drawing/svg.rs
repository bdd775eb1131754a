//! Drawings as SVG: one element per line, numbers to a tenth of a unit, those of curves to a hundredth.

use std::fmt::Write;

use super::{Anchor, Drawing, Item, Shape, Stroke};

impl Drawing {
    /// The drawing as SVG.
    pub fn svg(&self) -> String {
        let (width, height) = (tenths(self.width), tenths(self.height));
        let mut out = String::new();
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"sans-serif\" font-size=\"{}\">\n<title>{}</title>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"{}\"/>",
            tenths(self.font_size),
            escaped(&self.title),
            self.background
        );
        for item in &self.items {
            self.element(&mut out, item);
        }
        out += "</svg>\n";
        out
    }

    fn element(&self, out: &mut String, item: &Item) {
        let class = if item.class.is_empty() { String::new() } else { format!(" class=\"{}\"", escaped(&item.class)) };
        let inside = item.fill.map_or_else(|| "none".to_owned(), |colour| colour.to_string());
        let stroke = item.stroke.map(|stroke| stroked(&stroke)).unwrap_or_default();
        let _ = match &item.shape {
            Shape::Line(from, to) => {
                let [x1, y1, x2, y2] = [from[0], from[1], to[0], to[1]].map(tenths);
                writeln!(out, "<line{class} x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"{stroke}/>")
            }
            Shape::Polyline(points) => {
                // Without a turn there is nothing to round.
                let join = " stroke-linejoin=\"round\"";
                writeln!(out, "<polyline{class} fill=\"{inside}\"{join}{stroke} points=\"{}\"/>", listed(points))
            }
            Shape::Polygon(points) => {
                writeln!(out, "<polygon{class} fill=\"{inside}\"{stroke} points=\"{}\"/>", listed(points))
            }
            Shape::Rectangle(corner, size) => {
                let [x, y, width, height] = [corner[0], corner[1], size[0], size[1]].map(tenths);
                writeln!(
                    out,
                    "<rect{class} x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{inside}\"{stroke}/>"
                )
            }
            Shape::Circle(centre, radius) => {
                let [x, y, r] = [centre[0], centre[1], *radius].map(hundredths);
                writeln!(out, "<circle{class} cx=\"{x}\" cy=\"{y}\" r=\"{r}\" fill=\"{inside}\"{stroke}/>")
            }
            Shape::Text { at, anchor, size, text } => {
                let [x, y] = at.map(tenths);
                let anchor = match anchor {
                    Anchor::Start => "",
                    Anchor::Middle => " text-anchor=\"middle\"",
                    Anchor::End => " text-anchor=\"end\"",
                };
                let size = size.map(|size| format!(" font-size=\"{}\"", tenths(size))).unwrap_or_default();
                let ink = item.fill.unwrap_or(self.ink);
                // Words are black unless said otherwise.
                let fill = if ink == super::Colour::BLACK { String::new() } else { format!(" fill=\"{ink}\"") };
                writeln!(out, "<text{class} x=\"{x}\" y=\"{y}\"{size}{anchor}{fill}>{}</text>", escaped(text))
            }
        };
    }
}

fn stroked(stroke: &Stroke) -> String {
    let mut out = format!(" stroke=\"{}\"", stroke.colour);
    if stroke.width != 1.0 {
        let _ = write!(out, " stroke-width=\"{}\"", hundredths(stroke.width));
    }
    if let Some([dash, gap]) = stroke.dash {
        let _ = write!(out, " stroke-dasharray=\"{} {}\"", tenths(dash), tenths(gap));
    }
    if stroke.round {
        out += " stroke-linecap=\"round\"";
    }
    out
}

fn listed(points: &[[f64; 2]]) -> String {
    let point = |p: &[f64; 2]| format!("{},{}", hundredths(p[0]), hundredths(p[1]));
    points.iter().map(point).collect::<Vec<_>>().join(" ")
}

fn tenths(x: f64) -> String {
    trimmed(format!("{x:.1}"))
}

fn hundredths(x: f64) -> String {
    trimmed(format!("{x:.2}"))
}

/// Without zeros at the end, and without a sign before zero.
fn trimmed(text: String) -> String {
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
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

#[cfg(test)]
mod tests {
    use super::super::Colour;
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (x, text) in [(110.0, "110"), (0.06, "0.1"), (-0.01, "0"), (293.14, "293.1"), (100.0, "100"), (0.0, "0")] {
            assert_eq!(tenths(x), text);
        }
        assert_eq!(hundredths(293.114), "293.11");
        assert_eq!(hundredths(10.5), "10.5");
    }

    #[test]
    fn every_form_is_an_element_and_words_cannot_break_out() {
        let mut drawing = Drawing::new(100.0, 50.0, "a < b");
        let stroke = Stroke { dash: Some([6.0, 3.0]), ..Stroke::rounded(Colour::hex(0x01_02_03), 2.5) };
        drawing.add(Item::stroked(Shape::Line([0.0, 1.0], [2.0, 3.25]), stroke).of("body-0"));
        drawing.add(Item::filled(Shape::Polygon(vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]), Colour::WHITE));
        drawing.add(Item::filled(Shape::Circle([5.0, 5.5], 2.0), Colour::BLACK).edged(Stroke::new(Colour::WHITE, 1.0)));
        drawing.add(Item::text([1.0, 2.0], Anchor::End, "</svg>\u{7}&"));
        drawing.add(Item::filled(Shape::Circle([f64::NAN, 0.0], 1.0), Colour::BLACK));
        drawing.add(Item::text([f64::INFINITY, 0.0], Anchor::Start, "nowhere"));
        let text = drawing.svg();
        assert!(!text.contains("NaN") && !text.contains("nowhere"));
        for element in [
            "<title>a &lt; b</title>",
            "<line class=\"body-0\" x1=\"0\" y1=\"1\" x2=\"2\" y2=\"3.2\" stroke=\"#010203\" stroke-width=\"2.5\" \
             stroke-dasharray=\"6 3\" stroke-linecap=\"round\"/>",
            "<polygon fill=\"#ffffff\" points=\"0,0 1,0 0,1\"/>",
            "<circle cx=\"5\" cy=\"5.5\" r=\"2\" fill=\"#000000\" stroke=\"#ffffff\"/>",
            "<text x=\"1\" y=\"2\" text-anchor=\"end\">&lt;/svg&gt;\u{fffd}&amp;</text>",
        ] {
            assert!(text.contains(element), "{element}\n{text}");
        }
    }
}
