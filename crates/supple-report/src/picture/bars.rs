//! Bars by name: several panels side by side that share the names at their left.

use supple_io::drawing::{Anchor, Colour, Drawing, Item, Shape, Stroke};
use supple_io::results::plot::ticks;

/// Room above and below the bars, at their right, and between panels.
const TOP: f64 = 64.0;
const BOTTOM: f64 = 56.0;
const RIGHT: f64 = 34.0;
const GAP: f64 = 34.0;
const WIDTH: f64 = 720.0;
/// Height of a bar with the room around it, and part of it that the bar takes.
const ROW: f64 = 34.0;
const FILLED: f64 = 0.62;
/// Width of a letter, about, and most letters of a name.
const LETTER: f64 = 7.6;
const LETTERS: usize = 34;
const BAR: Colour = Colour::hex(0x00_72_b2);
const INTERVAL: Colour = Colour::hex(0x1b_24_30);
const GRID: Colour = Colour::hex(0xe4_e7_eb);
const FRAME: Colour = Colour::hex(0x48_50_5a);

/// A number with the ends of its interval; not finite where there is none.
pub type Interval = [f64; 3];

/// Bars by name.
#[derive(Clone, Debug, PartialEq)]
pub struct Bars {
    /// What stands above them.
    pub title: String,
    /// Names, from the top.
    pub names: Vec<String>,
    /// Panels, from the left: what their numbers are, and a number for each name.
    pub panels: Vec<(String, Vec<Interval>)>,
}

/// Draws bars.
pub fn bars(told: &Bars) -> Drawing {
    let names: Vec<String> = told.names.iter().map(|name| shortened(name)).collect();
    let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let left = 24.0 + LETTER * longest as f64;
    let panels = told.panels.len().max(1) as f64;
    let wide = (WIDTH - left - RIGHT - (panels - 1.0) * GAP) / panels;
    let high = ROW * names.len().max(1) as f64;
    let mut out = Drawing::new(WIDTH, TOP + high + BOTTOM, told.title.clone());
    let title = Shape::Text { at: [18.0, 28.0], anchor: Anchor::Start, size: Some(16.0), text: told.title.clone() };
    out.add(Item { class: String::new(), shape: title, fill: None, stroke: None });
    for (i, name) in names.iter().enumerate() {
        out.add(Item::text([left - 10.0, TOP + ROW * (i as f64 + 0.5) + 4.5], Anchor::End, name).of("bar-name"));
    }
    for (k, (label, numbers)) in told.panels.iter().enumerate() {
        let corner = [left + k as f64 * (wide + GAP), TOP];
        panel(&mut out, (corner, [wide, high]), label, numbers);
    }
    out
}

/// The end of a long name tells it from others, and so does its beginning.
fn shortened(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    if letters.len() <= LETTERS {
        return name.to_owned();
    }
    let half = (LETTERS - 1) / 2;
    letters[..half].iter().chain(&['…']).chain(&letters[letters.len() - half..]).collect()
}

fn panel(out: &mut Drawing, ([left, top], [wide, high]): ([f64; 2], [f64; 2]), label: &str, numbers: &[Interval]) {
    let all = numbers.iter().flatten().copied().filter(|x| x.is_finite());
    let [low, most] = all.fold([0.0_f64, 0.0_f64], |[low, most], x| [low.min(x), most.max(x)]);
    let room = if most > low { 0.06 * (most - low) } else { 0.5 };
    let range = [if low < 0.0 { low - room } else { 0.0 }, if most > 0.0 || low == 0.0 { most + room } else { 0.0 }];
    let x = |value: f64| left + wide * (value - range[0]) / (range[1] - range[0]);
    let marks = ticks(range, (wide / 60.0) as usize);
    for (place, text) in marks.places.iter().zip(&marks.labels) {
        out.add(Item::stroked(Shape::Line([x(*place), top], [x(*place), top + high]), Stroke::new(GRID, 1.0)));
        out.add(Item::text([x(*place), top + high + 18.0], Anchor::Middle, text));
    }
    for (i, [value, least, greatest]) in numbers.iter().enumerate() {
        let middle = top + ROW * (i as f64 + 0.5);
        if value.is_finite() {
            let (from, to) = (x(value.min(0.0)), x(value.max(0.0)));
            let (corner, size) = ([from, middle - 0.5 * FILLED * ROW], [to - from, FILLED * ROW]);
            out.add(Item::filled(Shape::Rectangle(corner, size), BAR).of("bar"));
        }
        if least < greatest {
            let pen = Stroke::new(INTERVAL, 1.4);
            out.add(Item::stroked(Shape::Line([x(*least), middle], [x(*greatest), middle]), pen).of("interval"));
            for end in [*least, *greatest] {
                let cap = Shape::Line([x(end), middle - 4.0], [x(end), middle + 4.0]);
                out.add(Item::stroked(cap, pen).of("interval"));
            }
        }
    }
    out.add(Item::stroked(Shape::Line([x(0.0), top], [x(0.0), top + high]), Stroke::new(FRAME, 1.0)));
    out.add(Item::stroked(Shape::Rectangle([left, top], [wide, high]), Stroke::new(FRAME, 1.0)));
    out.add(Item::text([left + 0.5 * wide, top + high + 42.0], Anchor::Middle, label).of("axis-label"));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told() -> Bars {
        let names = vec!["payload mass".into(), "model.body.\"link 2\".beam.properties.EI_y, and EI_z".into()];
        let numbers = vec![[0.8, 0.7, 0.9], [-0.4, f64::NAN, f64::NAN]];
        Bars { title: "What swing depends on".into(), names, panels: vec![("rank correlation".into(), numbers)] }
    }

    /// Names stand at the axis, in the lines of their bars.
    #[test]
    fn bars_have_their_names_at_the_axis() {
        let drawing = bars(&told());
        let named: Vec<(f64, String)> = drawing
            .items
            .iter()
            .filter(|item| item.class == "bar-name")
            .filter_map(|item| match &item.shape {
                Shape::Text { at, text, .. } => Some((at[1], text.clone())),
                _ => None,
            })
            .collect();
        assert_eq!(named[0].1, "payload mass");
        assert!(named[1].1.starts_with("model.body") && named[1].1.ends_with("EI_z") && named[1].1.contains('…'));
        let rows = drawing.items.iter().filter(|item| item.class == "bar").map(|item| match item.shape {
            Shape::Rectangle([x, y], [w, h]) => [x, y + 0.5 * h, w],
            _ => panic!("{item:?}"),
        });
        let rows: Vec<[f64; 3]> = rows.collect();
        for (row, (name, _)) in rows.iter().zip(&named) {
            assert!((row[1] - name).abs() < 6.0, "{row:?} {name}");
        }
        // To the right and to the left of zero, in proportion.
        assert!((rows[1][0] + rows[1][2] - rows[0][0]).abs() < 1e-9 && (rows[0][2] / rows[1][2] - 2.0).abs() < 1e-9);
        assert_eq!(drawing.items.iter().filter(|item| item.class == "interval").count(), 3);
    }

    #[test]
    fn nothing_to_draw_is_no_reason_to_fail() {
        let none = Bars { names: Vec::new(), panels: vec![("x".into(), Vec::new())], ..told() };
        assert!(bars(&none).svg().contains("swing"));
        let zero = Bars { panels: vec![("x".into(), vec![[0.0; 3], [f64::NAN; 3]])], ..told() };
        assert!(!bars(&zero).svg().contains("NaN"));
    }
}
