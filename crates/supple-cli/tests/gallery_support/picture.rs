//! Pictures of the gallery.

use super::example::Example;
use super::measure::Results;
use supple_io::results::plot::{Series, svg};

/// Most points of a curve.
const MOST_POINTS: usize = 1200;

/// The picture of an example; `results` gives those of a scenario.
pub fn draw<'r>(example: &Example, results: impl Fn(&str) -> &'r Results) -> String {
    let picture = &example.picture;
    let [from, to] = picture.times.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
    let [low, high] = picture.range.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
    let series: Vec<Series> = picture
        .curves
        .iter()
        .map(|curve| {
            let (points, unit) = results(&curve.scenario).column(&curve.column);
            let drawn: Vec<[f64; 2]> = points.into_iter().filter(|p| p[0] >= from && p[0] <= to).collect();
            let every = drawn.len().div_ceil(MOST_POINTS);
            let factor = curve.factor.unwrap_or(1.0);
            let inside = |[t, x]: [f64; 2]| [t, if x >= low && x <= high { factor * x } else { f64::NAN }];
            let points = drawn.into_iter().step_by(every).map(inside).collect();
            Series { label: curve.label.clone(), unit: curve.unit.as_deref().unwrap_or(unit).to_owned(), points }
        })
        .collect();
    svg(&picture.title, &series)
}

/// What differs between two pictures, up to a pixel of their curves.
pub fn difference(there: &str, drawn: &str) -> Option<String> {
    let (there, drawn): (Vec<&str>, Vec<&str>) = (there.lines().collect(), drawn.lines().collect());
    if there.len() != drawn.len() {
        return Some(format!("{} lines, not {}", there.len(), drawn.len()));
    }
    let differs = |a: &str, b: &str| match (points(a), points(b)) {
        (Some(a), Some(b)) => {
            let away = |(p, q): (&f64, &f64)| (p - q).abs() > 1.0;
            a.len().abs_diff(b.len()) > 4 || a.iter().zip(&b).any(away)
        }
        _ => a != b,
    };
    there.iter().zip(&drawn).find(|(a, b)| differs(a, b)).map(|(a, _)| a.chars().take(120).collect())
}

/// Coordinates of a line that is a curve.
fn points(line: &str) -> Option<Vec<f64>> {
    let (_, rest) = line.strip_prefix("<polyline")?.split_once("points=\"")?;
    let (list, _) = rest.split_once('"')?;
    list.split([' ', ',']).map(|number| number.parse().ok()).collect()
}
