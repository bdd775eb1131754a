//! Curves over time in panels beside each other, as a small SVG file.

use std::fmt;

/// A curve.
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
/// Colours that people with any colour vision tell apart, with dashes for those that see none.
const STROKES: [(&str, &str); 5] =
    [("#0072b2", ""), ("#d55e00", "7 3"), ("#009e73", "2 3"), ("#000000", "9 3 2 3"), ("#cc79a7", "4 2")];

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

/// Round numbers within a range: 1, 2 or 5 times a power of ten apart.
fn ticks([low, high]: [f64; 2]) -> Vec<f64> {
    let rough = (high - low) / 4.0;
    let power = 10.0_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().find(|s| *s >= rough).unwrap_or(rough);
    let first = (low / step).ceil() as i64;
    (first..).map(|i| i as f64 * step).take_while(|t| *t <= high + 1e-9 * step).collect()
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
            let (colour, dashes) = STROKES[k % STROKES.len()];
            let x = 14.0 + 160.0 * k as f64;
            writeln!(
                f,
                r##"<line x1="{x}" x2="{}" y1="38" y2="38" stroke="{colour}" stroke-width="2" stroke-dasharray="{dashes}"/>"##,
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
    let (times, values) = (range(points().map(|p| p[0])), range(points().map(|p| p[1])));
    let x = |t: f64| x0 + left + inner * (t - times[0]) / (times[1] - times[0]);
    let y = |v: f64| y0 + top + high * (values[1] - v) / (values[1] - values[0]);
    writeln!(f, r##"<text x="{:.1}" y="{:.1}">{}</text>"##, x0 + left, y0 + top - 8.0, panel.title)?;
    for value in ticks(values) {
        let at = y(value);
        let end = x0 + left + inner;
        writeln!(f, r##"<line x1="{:.1}" x2="{end:.1}" y1="{at:.1}" y2="{at:.1}" stroke="#dddddd"/>"##, x0 + left)?;
        let told = format!("{:.6}", value);
        let told = told.trim_end_matches('0').trim_end_matches('.');
        let told = if value != 0.0 && value.abs() < 1e-3 { format!("{value:.0e}") } else { told.to_owned() };
        writeln!(f, r##"<text x="{:.1}" y="{:.1}" text-anchor="end">{told}</text>"##, x0 + left - 5.0, at + 4.0)?;
    }
    for time in ticks(times) {
        let below = y0 + top + high + 14.0;
        writeln!(f, r##"<text x="{:.1}" y="{below:.1}" text-anchor="middle">{time} s</text>"##, x(time))?;
    }
    writeln!(
        f,
        r##"<rect x="{:.1}" y="{:.1}" width="{inner:.1}" height="{high:.1}" fill="none" stroke="#000000"/>"##,
        x0 + left,
        y0 + top
    )?;
    for curve in &panel.curves {
        let k = names.iter().position(|name| *name == curve.name).unwrap_or(0);
        let (colour, dashes) = STROKES[k % STROKES.len()];
        let sound = curve.points.iter().filter(|p| p[1].is_finite());
        let line: Vec<String> = sound.map(|[t, v]| format!("{:.1},{:.1}", x(*t), y(*v))).collect();
        writeln!(
            f,
            r##"<polyline points="{}" fill="none" stroke="{colour}" stroke-width="1.3" stroke-dasharray="{dashes}"/>"##,
            line.join(" ")
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_within() {
        assert_eq!(ticks([0.0, 20.0]), [0.0, 5.0, 10.0, 15.0, 20.0]);
        assert_eq!(ticks([-0.3, 0.9]), [0.0, 0.5]);
        assert_eq!(range([2.0, 2.0].into_iter()), [1.0, 3.0]);
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
        assert_eq!(colours, ["#0072b2", "#d55e00", "#d55e00", "#0072b2"]);
        assert!(!text.contains("NaN"));
    }
}
