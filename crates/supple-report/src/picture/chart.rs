//! Charts: panels of curves one below the other, with linear or logarithmic axes, and a legend.

use supple_io::drawing::{Anchor, Colour, Drawing, Item, Shape, Stroke};
use supple_io::results::plot::{Ticks, short, ticks};

/// Width of a chart, and of the legend at its right.
const WIDTH: f64 = 920.0;
const LEGEND: f64 = 230.0;
/// Room at the right without a legend.
const ALONE: f64 = 30.0;
/// Room left of, above and below the panels; the distance between them.
const LEFT: f64 = 92.0;
const TOP: f64 = 58.0;
const BOTTOM: f64 = 56.0;
const GAP: f64 = 30.0;
const PANEL: f64 = 250.0;
const LEGEND_LINE: f64 = 19.0;
const LEGEND_LETTERS: usize = 30;
const GRID: Colour = Colour::hex(0xe4_e7_eb);
const FRAME: Colour = Colour::hex(0x48_50_5a);
/// Colours that people with colour-blindness tell apart too (Okabe and Ito); then dashed once more.
const COLOURS: [Colour; 7] = [
    Colour::hex(0x00_72_b2),
    Colour::hex(0xd5_5e_00),
    Colour::hex(0x00_9e_73),
    Colour::hex(0xcc_79_a7),
    Colour::hex(0xe6_9f_00),
    Colour::hex(0x56_b4_e9),
    Colour::BLACK,
];

/// How numbers are spread along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Evenly.
    Linear,
    /// By their logarithms; numbers that are not positive are left out.
    Logarithmic,
    /// Evenly, with marks at parts of a turn, in degrees.
    Degrees,
}

/// An axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What it shows, with its unit.
    pub label: String,
    /// How.
    pub scale: Scale,
}

impl Axis {
    /// An axis.
    pub fn new(label: impl Into<String>, scale: Scale) -> Self {
        Self { label: label.into(), scale }
    }

    /// A number as it is drawn.
    fn place(&self, x: f64) -> f64 {
        if self.scale == Scale::Logarithmic { x.log10() } else { x }
    }
}

/// How the points of a curve are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// As a line through them.
    Line,
    /// One by one.
    Dots,
    /// As a line, and the area that it closes.
    Area,
}

/// Points that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// For the legend, unless the axis upwards has the same; empty for a thin line that is explained elsewhere.
    pub label: String,
    /// Points; one that is not finite interrupts the line.
    pub points: Vec<[f64; 2]>,
    /// How they are drawn.
    pub mark: Mark,
}

/// A panel. Panels of a chart have the same axis `x`.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// Axis upwards.
    pub y: Axis,
    /// What it shows. Curves with the same number in their panels have the same colour.
    pub curves: Vec<Curve>,
}

/// A chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// What stands above it.
    pub title: String,
    /// Axis to the right.
    pub x: Axis,
    /// The panels, the first at the top.
    pub panels: Vec<Panel>,
    /// Whether both axes of the only panel have the same unit of length.
    pub equal: bool,
}

/// A panel on the page.
struct Frame<'c> {
    x: &'c Axis,
    y: &'c Axis,
    left: f64,
    top: f64,
    width: f64,
    height: f64,
    ranges: [[f64; 2]; 2],
}

impl Frame<'_> {
    fn at(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let share = |value: f64, [low, high]: [f64; 2]| (value - low) / (high - low);
        [
            self.left + self.width * share(self.x.place(x), self.ranges[0]),
            self.top + self.height * (1.0 - share(self.y.place(y), self.ranges[1])),
        ]
    }
}

impl Panel {
    /// Curves of the legend with their numbers.
    fn named(&self) -> Vec<(usize, &Curve)> {
        let named = |curve: &&Curve| !curve.label.is_empty() && curve.label != self.y.label;
        self.curves.iter().enumerate().filter(|(_, curve)| named(curve)).collect()
    }
}

/// Draws a chart. Without a legend it is narrower.
pub fn chart(told: &Chart) -> Drawing {
    let count = told.panels.len().max(1);
    let beside = if told.panels.iter().all(|panel| panel.named().is_empty()) { ALONE } else { LEGEND };
    let panel = if told.equal { 2.0 * PANEL } else { PANEL };
    let height = TOP + BOTTOM + count as f64 * panel + (count - 1) as f64 * GAP;
    let mut out = Drawing::new(WIDTH - LEGEND + beside, height, told.title.clone());
    out.add(words([LEFT, 30.0], Anchor::Start, &told.title, 16.0));
    let curves = || told.panels.iter().flat_map(|panel| &panel.curves);
    let across = range(&told.x, curves(), 0);
    // Dots on the frame would be cut.
    let dots = || curves().filter(|curve| curve.mark == Mark::Dots && !curve.points.is_empty());
    let [first, last] = range(&told.x, dots(), 0);
    let cut = dots().next().is_some() && (first <= across[0] || last >= across[1]);
    let across = if cut { roomy(across) } else { across };
    for (k, part) in told.panels.iter().enumerate() {
        let mut ranges = [across, roomy(range(&part.y, part.curves.iter(), 1))];
        let (width, top) = (WIDTH - LEFT - LEGEND, TOP + k as f64 * (panel + GAP));
        if told.equal {
            ranges = equal(ranges, width / panel);
        }
        let frame = Frame { x: &told.x, y: &part.y, left: LEFT, top, width, height: panel, ranges };
        axes(&mut out, &frame, k + 1 == count);
        for (i, curve) in part.curves.iter().enumerate() {
            draw(&mut out, &frame, curve, i);
        }
        legend(&mut out, &frame, &part.named());
    }
    out
}

fn words(at: [f64; 2], anchor: Anchor, text: &str, size: f64) -> Item {
    let shape = Shape::Text { at, anchor, size: Some(size), text: text.to_owned() };
    Item { class: String::new(), shape, fill: None, stroke: None }
}

/// Least and greatest number of curves along an axis, as drawn.
fn range<'c>(axis: &Axis, curves: impl Iterator<Item = &'c Curve>, part: usize) -> [f64; 2] {
    let numbers = curves.flat_map(|curve| &curve.points).map(|point| axis.place(point[part]));
    let [low, high] = numbers
        .filter(|x| x.is_finite())
        .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)]);
    if low > high {
        return [0.0, 1.0];
    }
    let room = if high - low > 1e-9 * low.abs().max(high.abs()) { 0.0 } else { low.abs().max(1.0) };
    [low - 0.5 * room, high + 0.5 * room]
}

/// With a little room above and below.
fn roomy([low, high]: [f64; 2]) -> [f64; 2] {
    [low - 0.04 * (high - low), high + 0.04 * (high - low)]
}

/// The shorter range made longer, so that both have the same scale.
fn equal(ranges: [[f64; 2]; 2], ratio: f64) -> [[f64; 2]; 2] {
    let length = ranges.map(|[low, high]| high - low);
    let unit = (length[0] / ratio).max(length[1]);
    let about = |[low, high]: [f64; 2], length: f64| [0.5 * (low + high - length), 0.5 * (low + high + length)];
    [about(ranges[0], unit * ratio), about(ranges[1], unit)]
}

/// Marks of an axis, in numbers as drawn.
fn marks(axis: &Axis, range: [f64; 2], count: usize) -> Ticks {
    match axis.scale {
        Scale::Linear => ticks(range, count),
        Scale::Degrees => {
            let length = range[1] - range[0];
            let steps = [1.0, 5.0, 15.0, 30.0, 45.0, 90.0, 180.0, 360.0];
            let step = steps.into_iter().find(|step| length / step <= count as f64 + 0.5);
            let Some(step) = step else { return ticks(range, count) };
            let first = (range[0] / step).ceil() as i64;
            let last = (range[1] / step).floor() as i64;
            let places: Vec<f64> = (first..=last).map(|i| i as f64 * step).collect();
            Ticks { labels: places.iter().map(|x| short(*x)).collect(), places }
        }
        Scale::Logarithmic => {
            let decades = (range[1] - range[0]).max(1e-9);
            if decades < 0.8 {
                // Less than a decade is read as numbers.
                let plain = ticks([10.0_f64.powf(range[0]), 10.0_f64.powf(range[1])], count);
                return Ticks { places: plain.places.iter().map(|x| x.log10()).collect(), labels: plain.labels };
            }
            let step = (decades / count as f64).ceil().max(1.0) as i64;
            let factors: &[f64] = if decades < 2.5 { &[1.0, 2.0, 5.0] } else { &[1.0] };
            let powers = range[0].floor() as i64..=range[1].ceil() as i64;
            let powers = powers.filter(|power| power.rem_euclid(step) == 0);
            let all = powers.flat_map(|power| factors.iter().map(move |factor| factor.log10() + power as f64));
            let places: Vec<f64> = all.filter(|x| *x >= range[0] - 1e-9 && *x <= range[1] + 1e-9).collect();
            Ticks { labels: places.iter().map(|x| short(10.0_f64.powf(*x))).collect(), places }
        }
    }
}

/// Frame, grid and numbers; those to the right below the last panel only.
fn axes(out: &mut Drawing, frame: &Frame<'_>, last: bool) {
    let Frame { left, top, width, height, .. } = *frame;
    let (right, bottom) = (left + width, top + height);
    let share = |value: f64, [low, high]: [f64; 2]| (value - low) / (high - low);
    let grid = Stroke::new(GRID, 1.0);
    let across = marks(frame.x, frame.ranges[0], 8);
    for (place, label) in across.places.iter().zip(&across.labels) {
        let x = left + width * share(*place, frame.ranges[0]);
        out.add(Item::stroked(Shape::Line([x, top], [x, bottom]), grid));
        if last {
            out.add(Item::text([x, bottom + 18.0], Anchor::Middle, label));
        }
    }
    let up = marks(frame.y, frame.ranges[1], (height / 42.0) as usize);
    for (place, label) in up.places.iter().zip(&up.labels) {
        let y = bottom - height * share(*place, frame.ranges[1]);
        out.add(Item::stroked(Shape::Line([left, y], [right, y]), grid));
        out.add(Item::text([left - 8.0, y + 4.5], Anchor::End, label));
    }
    out.add(Item::stroked(Shape::Rectangle([left, top], [width, height]), Stroke::new(FRAME, 1.0)));
    out.add(Item::text([left, top - 7.0], Anchor::Start, &frame.y.label));
    if last {
        out.add(Item::text([left + 0.5 * width, bottom + 42.0], Anchor::Middle, &frame.x.label));
    }
}

fn stroke(index: usize, curve: &Curve) -> Stroke {
    if curve.label.is_empty() {
        return Stroke { dash: Some([4.0, 3.0]), ..Stroke::new(Colour::hex(0x9a_a2_ac), 1.0) };
    }
    let dash = if (index / COLOURS.len()).is_multiple_of(2) { None } else { Some([6.0, 3.0]) };
    Stroke { dash, ..Stroke::new(COLOURS[index % COLOURS.len()], 1.7) }
}

/// Within the frame, from point to point.
fn draw(out: &mut Drawing, frame: &Frame<'_>, curve: &Curve, index: usize) {
    let pen = stroke(index, curve);
    let inside = |[x, y]: [f64; 2]| {
        let (right, bottom) = (frame.left + frame.width, frame.top + frame.height);
        x >= frame.left - 0.5 && x <= right + 0.5 && y >= frame.top - 0.5 && y <= bottom + 0.5
    };
    let places: Vec<[f64; 2]> = curve.points.iter().map(|point| frame.at(*point)).collect();
    if curve.mark == Mark::Dots {
        let seen = places.iter().filter(|place| place.iter().all(|x| x.is_finite()) && inside(**place));
        seen.for_each(|place| out.add(Item::filled(Shape::Circle(*place, 2.2), pen.colour)));
        return;
    }
    for piece in places.split(|place| !(place.iter().all(|x| x.is_finite()) && inside(*place))) {
        if piece.len() > 1 && curve.mark == Mark::Area {
            let light = pen.colour.towards(Colour::WHITE, 0.65);
            out.add(Item::filled(Shape::Polygon(piece.to_vec()), light));
        }
        if piece.len() > 1 {
            out.add(Item::stroked(Shape::Polyline(piece.to_vec()), pen));
        }
    }
}

fn legend(out: &mut Drawing, frame: &Frame<'_>, named: &[(usize, &Curve)]) {
    let x = frame.left + frame.width + 14.0;
    let most = (frame.height / LEGEND_LINE) as usize;
    for (k, (i, curve)) in named.iter().enumerate().take(most) {
        let y = frame.top + 12.0 + LEGEND_LINE * k as f64;
        if k + 1 == most && named.len() > most {
            out.add(Item::text([x + 30.0, y + 4.5], Anchor::Start, format!("and {} more", named.len() - k)));
            continue;
        }
        let mut label: String = curve.label.chars().take(LEGEND_LETTERS).collect();
        if label.len() < curve.label.len() {
            label.push('…');
        }
        let pen = stroke(*i, curve);
        if curve.mark == Mark::Dots {
            out.add(Item::filled(Shape::Circle([x + 12.0, y], 3.0), pen.colour));
        } else {
            out.add(Item::stroked(Shape::Line([x, y], [x + 24.0, y]), pen));
        }
        out.add(words([x + 30.0, y + 4.5], Anchor::Start, &label, 12.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(drawing: &Drawing) -> Vec<String> {
        let text = |item: &Item| if let Shape::Text { text, .. } = &item.shape { Some(text.clone()) } else { None };
        drawing.items.iter().filter_map(text).collect()
    }

    fn decades() -> Chart {
        let points = (-2..=3).map(|k| [10.0_f64.powi(k), 90.0 * f64::from(k)]).collect();
        let curves = vec![Curve { label: "gain".into(), points, mark: Mark::Line }];
        let panels = vec![Panel { y: Axis::new("phase", Scale::Degrees), curves }];
        Chart { title: "response".into(), x: Axis::new("f", Scale::Logarithmic), panels, equal: false }
    }

    #[test]
    fn logarithms_have_decades_and_angles_parts_of_a_turn() {
        let told = labels(&chart(&decades()));
        for label in ["0.01", "1", "1000", "-180", "90", "gain", "response", "f", "phase"] {
            assert!(told.iter().any(|text| text == label), "{label} in {told:?}");
        }
    }

    #[test]
    fn lines_are_interrupted_where_numbers_end() {
        let mut told = decades();
        told.panels[0].curves[0].points[3][1] = f64::NAN;
        let lines =
            |told: &Chart| chart(told).items.iter().filter(|item| matches!(item.shape, Shape::Polyline(_))).count();
        assert_eq!((lines(&told), lines(&decades())), (2, 1));
        // Nothing to draw is no reason to fail.
        told.panels[0].curves.clear();
        assert_eq!(lines(&told), 0);
        assert!(labels(&chart(&told)).contains(&"response".to_owned()));
    }

    /// The axis tells what a single curve is.
    #[test]
    fn charts_without_a_legend_are_narrower_and_dots_are_not_cut() {
        let points = vec![[1.0, 2.0], [5.0, 3.0]];
        let panel = |label: &str, mark: Mark| Panel {
            y: Axis::new("runs", Scale::Linear),
            curves: vec![Curve { label: label.into(), points: points.clone(), mark }],
        };
        let drawn = |label: &str, mark: Mark| {
            let panels = vec![panel(label, mark)];
            chart(&Chart { title: String::new(), x: Axis::new("x", Scale::Linear), panels, equal: false })
        };
        let count = |drawing: &Drawing| labels(drawing).iter().filter(|text| *text == "runs").count();
        let alone = drawn("runs", Mark::Dots);
        assert_eq!((alone.width, count(&alone)), (WIDTH - LEGEND + ALONE, 1));
        assert_eq!(drawn("others", Mark::Dots).width, WIDTH);
        let right = WIDTH - LEGEND;
        let dots = alone
            .items
            .iter()
            .filter_map(|item| if let Shape::Circle([x, _], _) = item.shape { Some(x) } else { None });
        assert!(dots.clone().count() == 2 && dots.into_iter().all(|x| x > LEFT + 5.0 && x < right - 5.0));
        let areas =
            |drawing: &Drawing| drawing.items.iter().filter(|item| matches!(item.shape, Shape::Polygon(_))).count();
        assert_eq!((areas(&drawn("runs", Mark::Area)), areas(&drawn("runs", Mark::Line))), (1, 0));
    }

    #[test]
    fn equal_axes_keep_circles_round() {
        let circle = |k: i32| [3.0 * f64::from(k).cos(), 3.0 * f64::from(k).sin()];
        let curves = vec![Curve { label: "G".into(), points: (0..400).map(circle).collect(), mark: Mark::Dots }];
        let panels = vec![Panel { y: Axis::new("im", Scale::Linear), curves }];
        let told = Chart { title: String::new(), x: Axis::new("re", Scale::Linear), panels, equal: true };
        let centre = |item: &Item| if let Shape::Circle(at, 2.2) = item.shape { Some(at) } else { None };
        let dots: Vec<[f64; 2]> = chart(&told).items.iter().filter_map(centre).collect();
        let size = |axis: usize| {
            let range =
                dots.iter().fold([f64::INFINITY, 0.0], |[a, b], dot| [f64::min(a, dot[axis]), f64::max(b, dot[axis])]);
            range[1] - range[0]
        };
        assert!(dots.len() == 400 && (size(0) / size(1) - 1.0).abs() < 1e-3, "{} {}", size(0), size(1));
    }
}
