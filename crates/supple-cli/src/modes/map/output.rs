//! Frequency maps as tables and pictures.

use serde::Serialize;
use supple_io::drawing::Drawing;
use supple_report::picture::{self, Chart, Curve, Field, Maps, Mark, Panel, Scale};

use super::{Axis, FrequencyMap, Quantity, values};

#[derive(Serialize)]
struct JsonMap<'m> {
    axes: Vec<JsonAxis<'m>>,
    /// One row per place, those of the last axis fastest.
    frequency_hz: Vec<Vec<f64>>,
    damping_ratio: Vec<Vec<f64>>,
}

#[derive(Serialize)]
struct JsonAxis<'m> {
    name: &'m str,
    values: &'m [f64],
}

/// One JSON object.
pub fn json(map: &FrequencyMap) -> String {
    let part = |k: usize| map.rows.iter().map(|row| row.iter().map(|pair| pair[k]).collect()).collect();
    let axes = map.axes.iter().map(|axis| JsonAxis { name: axis.name(), values: &axis.places }).collect();
    let all = JsonMap { axes, frequency_hz: part(0), damping_ratio: part(1) };
    // Lists, numbers and names: nothing here can fail to be written.
    serde_json::to_string(&all).unwrap_or_default() + "\n"
}

/// Comma-separated values with a header; an empty field where there are fewer modes.
pub fn csv(map: &FrequencyMap) -> String {
    let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
    let mut heads: Vec<String> = map.axes.iter().map(|axis| quoted(axis.name())).collect();
    heads.extend((1..=map.count).map(|k| format!("frequency.{k}[Hz]")));
    heads.extend((1..=map.count).map(|k| format!("damping_ratio.{k}")));
    let mut out = heads.join(",") + "\n";
    for (place, row) in map.rows.iter().enumerate() {
        let mut fields: Vec<String> = values(&map.axes, place).iter().map(|(_, x)| x.to_string()).collect();
        for part in 0..2 {
            fields.extend((0..map.count).map(|k| row.get(k).map_or(String::new(), |pair| pair[part].to_string())));
        }
        out += &fields.join(",");
        out.push('\n');
    }
    out
}

/// Columns for people.
pub fn table(map: &FrequencyMap) -> String {
    let line = |fields: Vec<String>| fields.join(" ") + "\n";
    let mut heads: Vec<String> = map.axes.iter().map(|axis| format!("{:>16}", axis.name())).collect();
    heads.extend((1..=map.count).map(|k| format!("{:>12}", format!("mode {k} Hz"))));
    let mut out = line(heads);
    for (place, row) in map.rows.iter().enumerate() {
        let mut fields: Vec<String> = values(&map.axes, place).iter().map(|(_, x)| format!("{x:>16.6}")).collect();
        fields.extend(row.iter().map(|[hz, _]| format!("{hz:>12.6}")));
        out += &line(fields);
    }
    out
}

/// Maps over two axes, curves over one.
pub fn drawing(map: &FrequencyMap) -> Drawing {
    match &map.axes[..] {
        [x, y] => picture::maps(&maps(map, x, y)),
        _ => picture::chart(&campbell(map)),
    }
}

fn maps(map: &FrequencyMap, x: &Axis, y: &Axis) -> Maps {
    let value = |i: usize, j: usize, k: usize| map.rows[j * y.places.len() + i].get(k).map_or(f64::NAN, |pair| pair[0]);
    let field = |k: usize| Field {
        title: format!("frequency {} [Hz]", k + 1),
        values: (0..y.places.len()).map(|i| (0..x.places.len()).map(|j| value(i, j, k)).collect()).collect(),
    };
    Maps {
        title: map.title.clone(),
        labels: [x.label(), y.label()],
        places: [x.places.clone(), y.places.clone()],
        fields: (0..map.count).map(field).collect(),
    }
}

/// Frequencies over one axis; over a spin with the lines of its multiples.
fn campbell(map: &FrequencyMap) -> Chart {
    let axis = &map.axes[0];
    let point = |i: usize, k: usize| [axis.places[i], map.rows[i].get(k).map_or(f64::NAN, |pair| pair[0])];
    let curve = |k: usize| Curve {
        label: format!("mode {}", k + 1),
        points: (0..axis.places.len()).map(|i| point(i, k)).collect(),
        mark: Mark::Line,
    };
    let mut curves: Vec<Curve> = (0..map.count).map(curve).collect();
    let highest = map.rows.iter().flatten().map(|pair| pair[0]).fold(0.0, f64::max);
    if let Quantity::Spin(_) = axis.quantity {
        for multiple in 1..=map.count {
            let turns = |x: &f64| multiple as f64 * x.abs() / std::f64::consts::TAU;
            let points = axis.places.iter().map(|x| [*x, turns(x)]).filter(|point| point[1] <= highest).collect();
            curves.push(Curve { label: String::new(), points, mark: Mark::Line });
        }
    }
    let y = picture::Axis::new("frequency [Hz]", Scale::Linear);
    let x = picture::Axis::new(axis.label(), Scale::Linear);
    Chart { title: map.title.clone(), x, panels: vec![Panel { y, curves }], equal: false }
}
