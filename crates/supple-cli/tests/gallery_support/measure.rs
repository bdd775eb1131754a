//! Numbers from the results of a run.

use super::example::{Check, Measure};
use std::f64::consts::TAU;
use std::path::Path;
use supple_io::results::{CsvData, read_csv};

/// What a run has left.
pub struct Results {
    data: CsvData,
    summary: serde_json::Value,
}

impl Results {
    pub fn read(folder: &Path) -> Self {
        let data = read_csv(&folder.join("results.csv")).unwrap_or_else(|error| panic!("{error}"));
        assert!(!data.cut, "{}: the results are cut off", folder.display());
        let summary = std::fs::read_to_string(folder.join("summary.json")).unwrap();
        Self { data, summary: serde_json::from_str(&summary).unwrap() }
    }

    /// Times and values of a column, and its unit.
    pub fn column(&self, name: &str) -> (Vec<[f64; 2]>, &str) {
        let at = self.data.heads.iter().position(|(head, _)| head == name);
        let at = at.unwrap_or_else(|| panic!("no column `{name}` in {:?}", self.data.heads));
        (self.data.rows.iter().map(|row| [row[0], row[at]]).collect(), &self.data.heads[at].1)
    }

    /// What a check looks at, and its unit.
    pub fn measured(&self, check: &Check) -> (f64, String) {
        let own = |unit: &str| check.unit.clone().unwrap_or_else(|| unit.to_owned());
        if let Some(path) = &check.summary {
            let number = path.split('.').fold(&self.summary, |value, key| match key.parse::<usize>() {
                Ok(index) => &value[index],
                Err(_) => &value[key],
            });
            let number = number.as_f64().unwrap_or_else(|| panic!("no number `{path}` in the summary"));
            return (number, own(""));
        }
        let (points, unit) = self.column(check.column.as_deref().unwrap());
        let [from, to] = [check.from.unwrap_or(f64::NEG_INFINITY), check.to.unwrap_or(f64::INFINITY)];
        let points: Vec<[f64; 2]> = points.into_iter().filter(|p| p[0] >= from && p[0] <= to).collect();
        assert!(!points.is_empty(), "no rows between {from} and {to} s");
        let values = || points.iter().map(|p| p[1]);
        let [least, greatest] = [values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max)];
        match check.measure.unwrap() {
            Measure::At => {
                let time = check.time.unwrap();
                let row = points.iter().find(|p| (p[0] - time).abs() < 1e-9);
                (row.unwrap_or_else(|| panic!("no row at {time} s"))[1], own(unit))
            }
            Measure::Max => (greatest, own(unit)),
            Measure::Min => (least, own(unit)),
            Measure::Mean => (values().sum::<f64>() / points.len() as f64, own(unit)),
            Measure::Amplitude => (0.5 * (greatest - least), own(unit)),
            Measure::Frequency => (frequency(&points, check.band.unwrap()), own("Hz")),
        }
    }
}

/// The frequency within a band at which the Fourier transform of the rows, less a straight line and under the window of
/// Blackman and Harris, is greatest. Its side lobes are below 1e-4, so that other frequencies further than a few over the
/// length of the record do not move it.
pub fn frequency(points: &[[f64; 2]], band: [f64; 2]) -> f64 {
    let (first, length) = (points[0][0], points[points.len() - 1][0] - points[0][0]);
    assert!(length * band[0] > 3.0, "the band starts below three periods of the record");
    let count = points.len() as f64;
    let centre = first + 0.5 * length;
    let mean = points.iter().map(|p| p[1]).sum::<f64>() / count;
    let (above, below) = points.iter().fold((0.0, 0.0), |(a, b), p| {
        let t = p[0] - centre;
        (a + t * (p[1] - mean), b + t * t)
    });
    let slope = above / below;
    let windowed: Vec<[f64; 2]> = points
        .iter()
        .map(|p| {
            let s = TAU * (p[0] - first) / length;
            let window = 0.35875 - 0.48829 * s.cos() + 0.14128 * (2.0 * s).cos() - 0.01168 * (3.0 * s).cos();
            [p[0], window * (p[1] - mean - slope * (p[0] - centre))]
        })
        .collect();
    let power = |f: f64| {
        let (re, im) = windowed.iter().fold((0.0, 0.0), |(re, im), p| {
            let (s, c) = (TAU * f * p[0]).sin_cos();
            (re + p[1] * c, im + p[1] * s)
        });
        re * re + im * im
    };
    // A grid finer than the main lobe, then golden section about the best of it.
    let steps = ((band[1] - band[0]) * length * 8.0).ceil().max(8.0);
    let step = (band[1] - band[0]) / steps;
    let at = |i: usize| band[0] + step * i as f64;
    let best = (0..=steps as usize).max_by(|i, j| power(at(*i)).total_cmp(&power(at(*j)))).unwrap();
    let [mut low, mut high] = [at(best) - step, at(best) + step];
    let golden = 0.5 * (5.0_f64.sqrt() - 1.0);
    for _ in 0..60 {
        let [a, b] = [high - golden * (high - low), low + golden * (high - low)];
        if power(a) > power(b) { high = b } else { low = a }
    }
    let found = 0.5 * (low + high);
    assert!(found > band[0] + step && found < band[1] - step, "no maximum between {} and {} Hz", band[0], band[1]);
    found
}
