//! Pictures of the studies as their files have them: what they say, and how far their curves go.

use crate::run_support::repository;
use std::fs;

/// The picture of a page.
#[track_caller]
pub fn kept(name: &str) -> String {
    let path = format!("docs/studies/{name}");
    fs::read_to_string(repository(&path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Titles, names of axes and names of curves, in order; not the numbers at the axes.
pub fn words(svg: &str) -> Vec<&str> {
    let texts = svg.lines().filter(|line| line.starts_with("<text"));
    let inner = texts.filter_map(|line| line.split_once('>')?.1.strip_suffix("</text>"));
    inner.filter(|text| text.chars().any(|c| c.is_alphabetic() && !matches!(c, 'e' | 's'))).collect()
}

/// What a study draws says what the picture of its page says, with as many curves and points.
#[track_caller]
pub fn assert_is_kept(drawn: &str, name: &str) {
    let kept = kept(name);
    assert_eq!(words(drawn), words(&kept), "docs/studies/{name}");
    for shape in ["<polyline", "<circle"] {
        assert_eq!(drawn.matches(shape).count(), kept.matches(shape).count(), "docs/studies/{name}: {shape}");
    }
}

/// Least and most value of every curve of a picture with panels, read off at the ticks of its panel, and how exactly they can be read.
pub fn bounds(svg: &str) -> Vec<([f64; 2], f64)> {
    let quoted = |line: &str, name: &str| -> f64 {
        let value = line.split_once(&format!(" {name}=\"")).and_then(|(_, rest)| rest.split_once('"'));
        value.unwrap_or_else(|| panic!("{name} in {line}")).0.parse().unwrap()
    };
    let (mut ticks, mut at, mut out) = (Vec::<[f64; 2]>::new(), 0.0, Vec::new());
    let mut drawn = false;
    for line in svg.lines() {
        if line.starts_with("<line") && line.contains("#dddddd") {
            if std::mem::take(&mut drawn) {
                ticks.clear();
            }
            at = quoted(line, "y1");
        } else if line.contains("text-anchor=\"end\"") {
            let label = line.trim_end_matches("</text>").rsplit_once('>').unwrap().1;
            ticks.push([at, label.parse().unwrap()]);
        } else if line.starts_with("<polyline") {
            drawn = true;
            let points = line.split_once("points=\"").unwrap().1.split_once('"').unwrap().0;
            let heights = points.split(' ').map(|point| point.split_once(',').unwrap().1.parse::<f64>().unwrap());
            let (first, last) = (ticks[0], ticks[ticks.len() - 1]);
            let slope = (last[1] - first[1]) / (last[0] - first[0]);
            let values = heights.map(|y| first[1] + slope * (y - first[0]));
            let ends = values.fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], v| [a.min(v), b.max(v)]);
            out.push((ends, 0.75 * slope.abs()));
        }
    }
    out
}
