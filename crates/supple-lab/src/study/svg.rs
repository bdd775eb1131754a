//! A plot of positive numbers by 0, 1, 2, … with a logarithmic scale, as a small SVG file.

use std::fmt;

/// A curve.
pub struct Curve {
    /// Its name in the legend.
    pub name: String,
    /// Values at 0, 1, 2, …
    pub values: Vec<f64>,
}

/// A picture.
pub struct Plot {
    /// Above it.
    pub title: String,
    /// Name of the horizontal axis.
    pub across: &'static str,
    /// Name of the vertical axis.
    pub up: &'static str,
    /// What the numbers across count, as points tell it.
    pub unit: &'static str,
    /// What stands at 0, 1, 2, … across.
    pub label: fn(usize) -> String,
    /// What is drawn.
    pub curves: Vec<Curve>,
}

/// Size of the picture and of its margins: left, top, right, bottom.
const SIZE: [f64; 2] = [760.0, 440.0];
const MARGIN: [f64; 4] = [70.0, 40.0, 210.0, 55.0];
/// Curves nearer than this lie on each other.
const NEAR: f64 = 2.0;
/// Points are marked where there are no more of them across.
const MARKED: usize = 100;
/// Colours that people with any colour vision tell apart.
const COLOURS: [&str; 8] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#e69f00", "#56b4e9", "#8c8c8c"];

impl Plot {
    /// Powers of ten that hold all values.
    fn decades(&self) -> [i32; 2] {
        let values = self.curves.iter().flat_map(|c| &c.values).filter(|v| **v > 0.0);
        let (least, most) = values.fold((f64::INFINITY, 0.0_f64), |(a, b), v| (a.min(*v), b.max(*v)));
        if most == 0.0 { [-1, 0] } else { [least.log10().floor() as i32, most.log10().ceil() as i32] }
    }

    /// How many of the curves drawn later lie on a curve for two thirds of its way: it is drawn broader, so that it is seen beneath them.
    fn covered(&self, k: usize, y: impl Fn(f64) -> f64) -> usize {
        let positive = |curve: &Curve, i: usize| curve.values.get(i).copied().filter(|v| *v > 0.0);
        let places: Vec<(usize, f64)> =
            (0..self.curves[k].values.len()).filter_map(|i| Some((i, positive(&self.curves[k], i)?))).collect();
        let on = |other: &&Curve| {
            let near = |(i, v): &&(usize, f64)| positive(other, *i).is_some_and(|w| (y(w) - y(*v)).abs() < NEAR);
            3 * places.iter().filter(near).count() > 2 * places.len()
        };
        self.curves[k + 1..].iter().filter(on).count()
    }
}

impl fmt::Display for Plot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [width, height] = SIZE;
        let [left, top, right, bottom] = MARGIN;
        let (inner, tall) = (width - left - right, height - top - bottom);
        let last = |curve: &Curve| curve.values.iter().rposition(|v| *v > 0.0).unwrap_or(0);
        let count = self.curves.iter().map(last).max().unwrap_or(1).max(1);
        let [low, high] = self.decades();
        let x = |i: usize| left + inner * i as f64 / count as f64;
        let y = |v: f64| top + tall * (f64::from(high) - v.log10()) / f64::from((high - low).max(1));
        writeln!(
            f,
            r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">"##
        )?;
        writeln!(f, r##"<rect width="{width}" height="{height}" fill="#ffffff"/>"##)?;
        writeln!(f, r##"<text x="{left}" y="22" font-size="14">{}</text>"##, self.title)?;
        for decade in low..=high {
            let at = y(10.0_f64.powi(decade));
            writeln!(
                f,
                r##"<line x1="{left}" x2="{:.1}" y1="{at:.1}" y2="{at:.1}" stroke="#dddddd"/>"##,
                left + inner
            )?;
            writeln!(f, r##"<text x="{:.1}" y="{:.1}" text-anchor="end">1e{decade}</text>"##, left - 6.0, at + 4.0)?;
        }
        for i in (0..=count).step_by(count.div_ceil(10)) {
            let (at, label) = (top + tall + 18.0, (self.label)(i));
            writeln!(f, r##"<text x="{:.1}" y="{at:.1}" text-anchor="middle">{label}</text>"##, x(i))?;
        }
        let (middle, low_end) = (left + 0.5 * inner, height - 14.0);
        writeln!(f, r##"<text x="{middle:.1}" y="{low_end:.1}" text-anchor="middle">{}</text>"##, self.across)?;
        let centre = top + 0.5 * tall;
        writeln!(
            f,
            r##"<text x="16" y="{centre:.1}" text-anchor="middle" transform="rotate(-90 16 {centre:.1})">{}</text>"##,
            self.up
        )?;
        writeln!(f, r##"<rect x="{left}" y="{top}" width="{inner}" height="{tall}" fill="none" stroke="#000000"/>"##)?;
        for (k, curve) in self.curves.iter().enumerate() {
            let (colour, under) = (COLOURS[k % COLOURS.len()], self.covered(k, y) as f64);
            let (broad, radius) = (1.5 + 3.0 * under, 2.5 + 2.0 * under);
            let points: Vec<(usize, f64)> = curve.values.iter().copied().enumerate().filter(|p| p.1 > 0.0).collect();
            let line: Vec<String> = points.iter().map(|(i, v)| format!("{:.1},{:.1}", x(*i), y(*v))).collect();
            writeln!(
                f,
                r##"<polyline points="{}" fill="none" stroke="{colour}" stroke-width="{broad}"/>"##,
                line.join(" ")
            )?;
            // More points than these would hide the curve.
            for (i, v) in points.into_iter().filter(|_| count <= MARKED) {
                let told = format!("{}, {} {}: {v:.2e}", curve.name, (self.label)(i), self.unit);
                let (cx, cy) = (x(i), y(v));
                writeln!(
                    f,
                    r##"<circle cx="{cx:.1}" cy="{cy:.1}" r="{radius}" fill="{colour}"><title>{told}</title></circle>"##
                )?;
            }
            let (at, start) = (top + 12.0 + 20.0 * k as f64, left + inner + 14.0);
            writeln!(
                f,
                r##"<line x1="{start:.1}" x2="{:.1}" y1="{at:.1}" y2="{at:.1}" stroke="{colour}" stroke-width="3"/>"##,
                start + 18.0
            )?;
            writeln!(f, r##"<text x="{:.1}" y="{:.1}">{}</text>"##, start + 24.0, at + 4.0, curve.name)?;
        }
        writeln!(f, "</svg>")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_positive_value_is_drawn() {
        let curve = Curve { name: "a".into(), values: vec![1.0, 1e-3, 0.0] };
        let text = Plot {
            title: "t".into(),
            across: "n",
            up: "e",
            unit: "modes",
            label: |i| i.to_string(),
            curves: vec![curve],
        }
        .to_string();
        assert_eq!(text.matches("<circle").count(), 2);
        assert!(text.contains("a, 1 modes: 1.00e-3") && text.trim_end().ends_with("</svg>"), "{text}");
        assert!(!text.contains("NaN") && !text.contains("inf"));
    }

    /// A curve on which another one lies is broader than that; one that is only crossed is not.
    #[test]
    fn hidden_curves_are_broader() {
        let curve = |values: [f64; 4]| Curve { name: "a".into(), values: values.into() };
        let all = [[1.0, 2.0, 3.0, 4.0], [9.0, 2.0, 0.5, 0.1], [1.0, 2.0, 3.0, 9.0]].map(curve);
        let plot =
            Plot { title: "t".into(), across: "n", up: "e", unit: "u", label: |i| i.to_string(), curves: all.into() };
        let text = plot.to_string();
        let lines = text.lines().filter(|line| line.starts_with("<polyline"));
        let widths: Vec<&str> = lines.filter_map(|line| line.split("stroke-width=\"").nth(1)).collect();
        assert_eq!(widths, ["4.5\"/>", "1.5\"/>", "1.5\"/>"]);
    }
}
