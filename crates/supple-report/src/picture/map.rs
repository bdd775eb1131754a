//! Maps: numbers over two axes as colours with lines of equal height, several side by side.

use supple_io::drawing::{Anchor, Colour, Drawing, Item, Shape, Stroke};
use supple_io::results::plot::{Ticks, short, ticks};

/// Size of a map, of the room around it and of its colour bar.
const SIDE: f64 = 230.0;
const LEFT: f64 = 64.0;
const TOP: f64 = 84.0;
const BOTTOM: f64 = 58.0;
const BAR: f64 = 12.0;
const RIGHT: f64 = 66.0;
/// Coloured cells along a side.
const CELLS: usize = 64;
/// Lines of equal height, about.
const LINES: usize = 6;
/// From low to high: dark blue by green to yellow, of even brightness steps.
const COLOURS: [Colour; 6] = [
    Colour::hex(0x44_01_54),
    Colour::hex(0x41_44_87),
    Colour::hex(0x2a_78_8e),
    Colour::hex(0x22_a8_84),
    Colour::hex(0x7a_d1_51),
    Colour::hex(0xfd_e7_25),
];
const FRAME: Colour = Colour::hex(0x48_50_5a);

/// Numbers over a grid.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// What stands above it.
    pub title: String,
    /// For each place along the axis upwards, the numbers to the right.
    pub values: Vec<Vec<f64>>,
}

/// Maps side by side.
#[derive(Clone, Debug, PartialEq)]
pub struct Maps {
    /// What stands above them.
    pub title: String,
    /// What the axes show, to the right and upwards.
    pub labels: [String; 2],
    /// Places along the axes, increasing.
    pub places: [Vec<f64>; 2],
    /// The maps; each has colours of its own.
    pub fields: Vec<Field>,
}

/// A map on the page.
struct Frame<'m> {
    left: f64,
    maps: &'m Maps,
    field: &'m Field,
    range: [f64; 2],
}

/// Draws maps.
pub fn maps(told: &Maps) -> Drawing {
    let width = told.fields.len().max(1) as f64 * (LEFT + SIDE + RIGHT) + 8.0;
    let mut out = Drawing::new(width, TOP + SIDE + BOTTOM, told.title.clone());
    let title = Shape::Text { at: [LEFT, 26.0], anchor: Anchor::Start, size: Some(16.0), text: told.title.clone() };
    out.add(Item { class: String::new(), shape: title, fill: None, stroke: None });
    for (k, field) in told.fields.iter().enumerate() {
        let left = LEFT + k as f64 * (LEFT + SIDE + RIGHT);
        let frame = Frame { left, maps: told, field, range: range(field) };
        frame.colours(&mut out);
        frame.lines(&mut out);
        frame.axes(&mut out);
        frame.bar(&mut out);
    }
    out
}

fn range(field: &Field) -> [f64; 2] {
    let numbers = field.values.iter().flatten().copied().filter(|x| x.is_finite());
    let [low, high] = numbers.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)]);
    match high - low {
        length if length > 1e-6 * high.abs() => [low, high],
        _ if low <= high => [low - 0.05 * low.abs().max(1e-9), high + 0.05 * high.abs().max(1e-9)],
        _ => [0.0, 1.0],
    }
}

/// A share from 0 to 1 as a colour.
fn colour(share: f64) -> Colour {
    let at = share.clamp(0.0, 1.0) * (COLOURS.len() - 1) as f64;
    let below = (at.floor() as usize).min(COLOURS.len() - 2);
    COLOURS[below].towards(COLOURS[below + 1], at - below as f64)
}

impl Frame<'_> {
    fn share(&self, value: f64) -> f64 {
        (value - self.range[0]) / (self.range[1] - self.range[0])
    }

    /// A place of the grid, in steps from its first corner, on the page.
    fn at(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let along = |axis: usize, at: f64| {
            let places = &self.maps.places[axis];
            let below = (at.floor() as usize).min(places.len().saturating_sub(2));
            let (low, high) = (places[below], places[(below + 1).min(places.len() - 1)]);
            let value = low + (high - low) * (at - below as f64);
            self.position(axis, value)
        };
        [self.left + SIDE * along(0, x), TOP + SIDE * (1.0 - along(1, y))]
    }

    /// A number along an axis as a share of its length.
    fn position(&self, axis: usize, value: f64) -> f64 {
        let places = &self.maps.places[axis];
        let (first, last) = (places[0], places[places.len() - 1]);
        if last > first { (value - first) / (last - first) } else { 0.5 }
    }

    /// The number between four neighbours, at a place in steps.
    fn between(&self, [x, y]: [f64; 2]) -> f64 {
        let [columns, rows] = [0, 1].map(|axis| self.maps.places[axis].len());
        let (i, j) =
            ((y.floor() as usize).min(rows.saturating_sub(2)), (x.floor() as usize).min(columns.saturating_sub(2)));
        let (up, right) = (y - i as f64, x - j as f64);
        let value = |i: usize, j: usize| self.field.values[i.min(rows - 1)][j.min(columns - 1)];
        let row = |i: usize| (1.0 - right) * value(i, j) + right * value(i, j + 1);
        (1.0 - up) * row(i) + up * row(i + 1)
    }

    fn colours(&self, out: &mut Drawing) {
        let steps = [0, 1].map(|axis| (self.maps.places[axis].len() - 1) as f64 / CELLS as f64);
        let size = SIDE / CELLS as f64;
        for row in 0..CELLS {
            for column in 0..CELLS {
                let middle = [(column as f64 + 0.5) * steps[0], (row as f64 + 0.5) * steps[1]];
                let value = self.between(middle);
                if value.is_finite() {
                    let corner = [self.left + column as f64 * size, TOP + SIDE - (row as f64 + 1.0) * size];
                    // Cells overlap a little, so that no seam is seen.
                    let [width, height] =
                        [(self.left + SIDE - corner[0]).min(size + 0.6), (TOP + SIDE - corner[1]).min(size + 0.6)];
                    out.add(Item::filled(Shape::Rectangle(corner, [width, height]), colour(self.share(value))));
                }
            }
        }
    }

    /// Lines of equal height, by the edges of each cell that they cross, with a number on each.
    fn lines(&self, out: &mut Drawing) {
        let [columns, rows] = [0, 1].map(|axis| self.maps.places[axis].len());
        let Ticks { places: levels, labels } = ticks(self.range, LINES);
        let mut written = Vec::new();
        for (level, label) in levels.iter().zip(&labels) {
            let ink = if self.share(*level) < 0.55 { Colour::WHITE } else { Colour::hex(0x22_22_22) };
            let mut middle: Option<[f64; 2]> = None;
            let centre = [self.left + 0.5 * SIDE, TOP + 0.5 * SIDE];
            let away = |[x, y]: [f64; 2]| (x - centre[0]).hypot(y - centre[1]);
            for i in 0..rows.saturating_sub(1) {
                for j in 0..columns.saturating_sub(1) {
                    let crossings = self.crossings(i, j, *level);
                    for pair in crossings.chunks_exact(2) {
                        let [a, b] = [pair[0], pair[1]].map(|place| self.at(place));
                        out.add(Item::stroked(Shape::Line(a, b), Stroke::rounded(ink, 0.9)));
                        let here = [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])];
                        if middle.is_none_or(|middle| away(here) < away(middle)) {
                            middle = Some(here);
                        }
                    }
                }
            }
            if let Some(at) = middle {
                written.push((at, label, ink));
            }
        }
        self.numbers(out, &written);
    }

    /// Numbers at lines, inside the frame; those that would cover another are left out.
    fn numbers(&self, out: &mut Drawing, written: &[([f64; 2], &String, Colour)]) {
        let mut taken: Vec<[f64; 2]> = Vec::new();
        for ([x, y], label, ink) in written {
            let (x, y) = (*x, y.max(TOP + 14.0));
            if taken.iter().any(|[a, b]| (a - x).abs() < 34.0 && (b - y).abs() < 11.0) {
                continue;
            }
            taken.push([x, y]);
            let near_edge = x > self.left + SIDE - 34.0;
            let (x, anchor) = if near_edge { (x - 3.0, Anchor::End) } else { (x + 3.0, Anchor::Start) };
            let shape = Shape::Text { at: [x, y - 3.0], anchor, size: Some(10.5), text: (*label).clone() };
            out.add(Item { class: String::new(), shape, fill: Some(*ink), stroke: None });
        }
    }

    /// Where a level crosses the edges of a cell, in pairs that are joined.
    fn crossings(&self, i: usize, j: usize, level: f64) -> Vec<[f64; 2]> {
        let corners = [[j, i], [j + 1, i], [j + 1, i + 1], [j, i + 1]];
        let value = |[j, i]: [usize; 2]| self.field.values[i][j] - level;
        let mut out = Vec::new();
        for k in 0..4 {
            let (from, to) = (corners[k], corners[(k + 1) % 4]);
            let (a, b) = (value(from), value(to));
            if (a < 0.0) != (b < 0.0) && (b - a).is_finite() {
                let share = a / (a - b);
                out.push([0, 1].map(|axis| from[axis] as f64 + share * (to[axis] as f64 - from[axis] as f64)));
            }
        }
        out
    }

    fn axes(&self, out: &mut Drawing) {
        let (right, bottom) = (self.left + SIDE, TOP + SIDE);
        out.add(Item::stroked(Shape::Rectangle([self.left, TOP], [SIDE, SIDE]), Stroke::new(FRAME, 1.0)));
        out.add(Item::text([self.left, TOP - 26.0], Anchor::Start, &self.field.title));
        // Words along the axis would have to be turned: they stand above it.
        let upwards = Shape::Text {
            at: [self.left - 36.0, TOP - 9.0],
            anchor: Anchor::Start,
            size: Some(11.0),
            text: format!("{}, upwards", self.maps.labels[1]),
        };
        out.add(Item { class: String::new(), shape: upwards, fill: Some(FRAME), stroke: None });
        for axis in 0..2 {
            let places = &self.maps.places[axis];
            let marks = ticks([places[0], places[places.len() - 1]], 5);
            for (place, label) in marks.places.iter().zip(&marks.labels) {
                let share = self.position(axis, *place);
                let ink = Stroke::new(FRAME, 1.0);
                if axis == 0 {
                    let x = self.left + SIDE * share;
                    out.add(Item::stroked(Shape::Line([x, bottom], [x, bottom + 4.0]), ink));
                    out.add(Item::text([x, bottom + 18.0], Anchor::Middle, label));
                } else {
                    let y = bottom - SIDE * share;
                    out.add(Item::stroked(Shape::Line([self.left - 4.0, y], [self.left, y]), ink));
                    out.add(Item::text([self.left - 8.0, y + 4.5], Anchor::End, label));
                }
            }
        }
        out.add(Item::text([0.5 * (self.left + right), bottom + 40.0], Anchor::Middle, &self.maps.labels[0]));
    }

    fn bar(&self, out: &mut Drawing) {
        let left = self.left + SIDE + 10.0;
        let steps = 60;
        let height = SIDE / f64::from(steps);
        for k in 0..steps {
            let corner = [left, TOP + SIDE - f64::from(k + 1) * height];
            let fill = colour((f64::from(k) + 0.5) / f64::from(steps));
            out.add(Item::filled(Shape::Rectangle(corner, [BAR, height + if k == 0 { 0.0 } else { 0.6 }]), fill));
        }
        out.add(Item::stroked(Shape::Rectangle([left, TOP], [BAR, SIDE]), Stroke::new(FRAME, 1.0)));
        for (place, label) in bar_marks(self.range) {
            let y = TOP + SIDE * (1.0 - self.share(place));
            out.add(Item::text([left + BAR + 5.0, y + 4.0], Anchor::Start, label));
        }
    }
}

fn bar_marks(range: [f64; 2]) -> Vec<(f64, String)> {
    let marks = ticks(range, 5);
    let inside: Vec<(f64, String)> = marks.places.into_iter().zip(marks.labels).collect();
    if inside.len() > 1 { inside } else { range.map(|x| (x, short(x))).to_vec() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The distance from the middle of a square.
    fn told() -> Maps {
        let places: Vec<f64> = (-10..=10).map(|k| 0.1 * f64::from(k)).collect();
        let values = places.iter().map(|y| places.iter().map(|x| x.hypot(*y)).collect()).collect();
        let fields = vec![Field { title: "distance".into(), values }];
        Maps { title: "map".into(), labels: ["x".into(), "y".into()], places: [places.clone(), places], fields }
    }

    #[test]
    fn lines_of_equal_height_are_circles_about_the_middle() {
        let (maps, mut seen) = (told(), 0);
        let frame = Frame { left: 0.0, maps: &maps, field: &maps.fields[0], range: [0.0, 2.0_f64.sqrt()] };
        for (i, j) in (0..20).flat_map(|i| (0..20).map(move |j| (i, j))) {
            for [x, y] in frame.crossings(i, j, 0.5) {
                let distance = (0.1 * x - 1.0).hypot(0.1 * y - 1.0);
                assert!((distance - 0.5).abs() < 5e-3, "{distance}");
                seen += 1;
            }
        }
        assert!(seen > 40);
    }

    #[test]
    fn colours_go_from_dark_to_light_and_holes_stay_white() {
        let mut maps = told();
        let cells = |maps: &Maps| super::maps(maps).items.iter().filter(|item| item.fill.is_some()).count();
        let whole = cells(&maps);
        maps.fields[0].values[0][0] = f64::NAN;
        assert!(cells(&maps) < whole);
        assert_eq!((colour(0.0), colour(1.0)), (COLOURS[0], COLOURS[5]));
        assert_eq!(colour(f64::NAN.max(0.5)), colour(0.5));
        maps.fields[0].values.iter_mut().flatten().for_each(|x| *x = 3.0);
        assert!(super::maps(&maps).svg().contains("distance"));
    }
}
