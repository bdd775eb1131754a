//! Curves over time in panels beside each other, as a small SVG file.

use std::fmt;

/// A curve.
#[derive(Clone)]
pub struct Curve {
    /// Its name in the legend.
    pub name: String,
    /// Time and value.
    pub points: Vec<[f64; 2]>,
}

/// A panel.
pub struct Panel {
    /// Above it, with the unit.
    pub title: String,
    pub curves: Vec<Curve>,
}

/// A picture; curves of the same name have the same colour in all panels.
pub struct Panels {
    /// Above all.
    pub title: String,
    pub panels: Vec<Panel>,
}

/// Panels beside each other, and the size of each and of the margins: left, top, right, bottom.
const ACROSS: usize = 2;
const SIZE: [f64; 2] = [430.0, 230.0];
const MARGIN: [f64; 4] = [62.0, 26.0, 12.0, 30.0];
/// Room above for title and legend.
const HEAD: f64 = 56.0;
/// Colours that people with any colour vision tell apart, with dashes for those that see none, and widths: the first is broad, so that others can be
/// seen on it.
const STROKES: [(&str, &str, f64); 5] = [
    ("#56b4e9", "", 3.2),
    ("#d55e00", "7 3", 1.3),
    ("#000000", "2 3", 1.3),
    ("#007050", "9 3 2 3", 1.3),
    ("#cc79a7", "4 2", 1.3),
];

impl Panels {
    /// Names of all curves, each once.
    fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for curve in self.panels.iter().flat_map(|panel| &panel.curves) {
            if !names.contains(&curve.name.as_str()) {
                names.push(&curve.name);
            }
        }
        names
    }
}

/// Least and most, a little apart where they are the same.
fn range(values: impl Iterator<Item = f64>) -> [f64; 2] {
    let (least, most) =
        values.filter(|v| v.is_finite()).fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
    match most - least {
        spread if spread > 0.0 => [least, most],
        _ if least.is_finite() => [least - 1.0, least + 1.0],
        _ => [0.0, 1.0],
    }
}

/// Round numbers that hold a range, 1, 2 or 5 times a power of ten apart: three at least, and a little more than the range where it ends at one.
fn ticks([low, high]: [f64; 2]) -> Vec<f64> {
    let rough = (high - low) / 4.5;
    let power = 10.0_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().find(|s| *s >= rough).unwrap_or(rough);
    let (first, last) = ((low / step + 1e-9).floor() as i64, (high / step - 1e-9).ceil() as i64);
    (first..=last).map(|i| i as f64 * step).collect()
}

/// A round number in few letters.
fn told(value: f64, step: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    // Digits behind the point that the step needs.
    match (-step.log10()).ceil().max(0.0) as usize {
        digits if digits > 3 => format!("{value:.1e}").replace(".0e", "e"),
        digits => format!("{value:.digits$}"),
    }
}

/// Points to draw: all of a slow curve; of one with more than two for each column of the picture the least and the most of each column.
fn drawn(points: &[[f64; 2]], x: impl Fn(f64) -> f64) -> Vec<[f64; 2]> {
    let sound = || points.iter().copied().filter(|p| p[1].is_finite());
    let columns = (SIZE[0] - MARGIN[0] - MARGIN[2]) as usize;
    if points.len() <= 2 * columns {
        return sound().collect();
    }
    let mut out: Vec<[f64; 2]> = Vec::new();
    let mut column: Vec<[f64; 2]> = Vec::new();
    let mut empty = |column: &mut Vec<[f64; 2]>| {
        let by_value = |a: &&[f64; 2], b: &&[f64; 2]| a[1].total_cmp(&b[1]);
        let mut ends: Vec<[f64; 2]> =
            column.iter().min_by(by_value).into_iter().chain(column.iter().max_by(by_value)).copied().collect();
        ends.sort_by(|a, b| a[0].total_cmp(&b[0]));
        out.extend(ends);
        column.clear();
    };
    for point in sound() {
        if column.first().is_some_and(|first| x(first[0]).floor() != x(point[0]).floor()) {
            empty(&mut column);
        }
        column.push(point);
    }
    empty(&mut column);
    out
}

impl fmt::Display for Panels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.names();
        let [wide, tall] = SIZE;
        let rows = self.panels.len().div_ceil(ACROSS);
        let (width, height) = (wide * ACROSS.min(self.panels.len()).max(1) as f64, HEAD + tall * rows as f64);
        writeln!(
            f,
            r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="11">"##
        )?;
        writeln!(f, r##"<rect width="{width}" height="{height}" fill="#ffffff"/>"##)?;
        writeln!(f, r##"<text x="12" y="20" font-size="14">{}</text>"##, self.title)?;
        for (k, name) in names.iter().enumerate() {
            let (colour, dashes, broad) = STROKES[k % STROKES.len()];
            let x = 14.0 + 160.0 * k as f64;
            writeln!(
                f,
                r##"<line x1="{x}" x2="{}" y1="38" y2="38" stroke="{colour}" stroke-width="{broad}" stroke-dasharray="{dashes}"/>"##,
                x + 30.0
            )?;
            writeln!(f, r##"<text x="{}" y="42">{name}</text>"##, x + 36.0)?;
        }
        for (i, panel) in self.panels.iter().enumerate() {
            let corner = [wide * (i % ACROSS) as f64, HEAD + tall * (i / ACROSS) as f64];
            draw(f, panel, corner, &names)?;
        }
        writeln!(f, "</svg>")
    }
}

fn draw(f: &mut fmt::Formatter<'_>, panel: &Panel, [x0, y0]: [f64; 2], names: &[&str]) -> fmt::Result {
    let ([wide, tall], [left, top, right, bottom]) = (SIZE, MARGIN);
    let (inner, high) = (wide - left - right, tall - top - bottom);
    let points = || panel.curves.iter().flat_map(|curve| &curve.points);
    let times = range(points().map(|p| p[0]));
    let levels = ticks(range(points().map(|p| p[1])));
    let [least, most] = range(levels.iter().copied());
    let x = |t: f64| x0 + left + inner * (t - times[0]) / (times[1] - times[0]);
    let y = |v: f64| y0 + top + high * (most - v) / (most - least);
    writeln!(f, r##"<text x="{:.1}" y="{:.1}">{}</text>"##, x0 + left, y0 + top - 8.0, panel.title)?;
    for value in &levels {
        let (at, end) = (y(*value), x0 + left + inner);
        writeln!(f, r##"<line x1="{:.1}" x2="{end:.1}" y1="{at:.1}" y2="{at:.1}" stroke="#dddddd"/>"##, x0 + left)?;
        let label = told(*value, levels[1] - levels[0]);
        writeln!(f, r##"<text x="{:.1}" y="{:.1}" text-anchor="end">{label}</text>"##, x0 + left - 5.0, at + 4.0)?;
    }
    for time in ticks(times).into_iter().filter(|time| (times[0]..=times[1]).contains(time)) {
        let (at, low) = (x(time), y0 + top + high);
        writeln!(f, r##"<line x1="{at:.1}" x2="{at:.1}" y1="{low:.1}" y2="{:.1}" stroke="#000000"/>"##, low + 4.0)?;
        writeln!(f, r##"<text x="{at:.1}" y="{:.1}" text-anchor="middle">{time} s</text>"##, low + 16.0)?;
    }
    writeln!(
        f,
        r##"<rect x="{:.1}" y="{:.1}" width="{inner:.1}" height="{high:.1}" fill="none" stroke="#000000"/>"##,
        x0 + left,
        y0 + top
    )?;
    for curve in &panel.curves {
        let k = names.iter().position(|name| *name == curve.name).unwrap_or(0);
        let (colour, dashes, broad) = STROKES[k % STROKES.len()];
        // Alone it has nothing to carry, and may vibrate.
        let broad = if panel.curves.len() == 1 { 1.0 } else { broad };
        let line: Vec<String> =
            drawn(&curve.points, x).iter().map(|[t, v]| format!("{:.1},{:.1}", x(*t), y(*v))).collect();
        writeln!(
            f,
            r##"<polyline points="{}" fill="none" stroke="{colour}" stroke-width="{broad}" stroke-dasharray="{dashes}"/>"##,
            line.join(" ")
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_hold_all() {
        assert_eq!(ticks([0.0, 20.0]), [0.0, 5.0, 10.0, 15.0, 20.0]);
        assert_eq!(ticks([-0.3, 0.9]), [-0.5, 0.0, 0.5, 1.0]);
        assert_eq!(range([2.0, 2.0].into_iter()), [1.0, 3.0]);
        for (low, high) in [(0.0, 0.34), (-0.036, 0.35), (-1.15, 0.0), (-1.1e-3, 2e-5), (3.0, 60.0)] {
            let ticks = ticks([low, high]);
            let (first, last) = (ticks[0], *ticks.last().unwrap());
            assert!((3..=7).contains(&ticks.len()) && first <= low && last >= high, "{low} {high}: {ticks:?}");
        }
        assert_eq!(
            [told(0.5, 0.5), told(-0.02, 0.02), told(1.0, 0.5), told(-2e-4, 2e-4), told(20.0, 5.0)],
            ["0.5", "-0.02", "1.0", "-2e-4", "20"]
        );
    }

    /// Of a vibration too fast for the picture its bounds are drawn, and a single peak is not lost.
    #[test]
    fn fast_curves_keep_their_bounds() {
        let mut points: Vec<[f64; 2]> =
            (0..20_000).map(|i| [f64::from(i) * 1e-3, (f64::from(i) * 2.9).sin()]).collect();
        points[7_777][1] = 5.0;
        let found = drawn(&points, |t| 10.0 * t);
        assert!(found.len() <= 2 * 201 && found.contains(&[7.777, 5.0]), "{}", found.len());
        assert!(found.windows(2).all(|pair| pair[0][0] <= pair[1][0]));
        let bounds = range(found.iter().map(|p| p[1]).filter(|v| *v < 4.0));
        assert!(bounds[0] < -0.999 && bounds[1] > 0.999, "{bounds:?}");
        assert_eq!(drawn(&points[..300], |t| t), points[..300]);
    }

    /// Every curve is there, and those of one name look alike.
    #[test]
    fn curves_of_one_name_share_a_colour() {
        let panel = |title: &str, names: [&str; 2]| Panel {
            title: title.into(),
            curves: names
                .map(|name| Curve { name: name.into(), points: vec![[0.0, 1.0], [1.0, f64::NAN], [2.0, 3.0]] })
                .into(),
        };
        let text =
            Panels { title: "t".into(), panels: vec![panel("p", ["a", "b"]), panel("q", ["b", "a"])] }.to_string();
        assert_eq!(text.matches("<polyline").count(), 4);
        let colours: Vec<&str> = text
            .lines()
            .filter(|l| l.starts_with("<polyline"))
            .filter_map(|l| l.split("stroke=\"").nth(1)?.get(..7))
            .collect();
        assert_eq!(colours, ["#56b4e9", "#d55e00", "#d55e00", "#56b4e9"]);
        assert!(!text.contains("NaN"));
    }
}
