//! The distribution of the residual vibration.

use crate::study::Result;
use std::error::Error;
use std::path::Path;
use supple_report::picture::{Axis, Chart, Curve, Mark, Panel, Scale, chart};

const BINS: usize = 60;

/// Draws how often each size of vibration occurs, for light and heavy payloads, and how often it is exceeded.
pub fn draw(results: &[Result], path: &Path) -> std::result::Result<(), Box<dyn Error>> {
    let sound: Vec<&Result> = results.iter().filter(|result| !result.failed && result.vibration > 0.0).collect();
    let most = sound.iter().fold(0.0_f64, |most, result| most.max(result.vibration));
    let width = most / BINS as f64;
    let groups = [("all", [0.0, 9.0]), ("payload below 0.75", [0.0, 0.75]), ("payload above 1.25", [1.25, 9.0])];
    let bars = groups.map(|(label, [low, high])| {
        let mut counts = [0_usize; BINS];
        for result in sound.iter().filter(|result| (low..high).contains(&result.payload)) {
            counts[((result.vibration / width) as usize).min(BINS - 1)] += 1;
        }
        let all = counts.iter().sum::<usize>().max(1) as f64;
        let edge = |i: usize, share: f64| [[i as f64 * width, share], [(i + 1) as f64 * width, share]];
        let points = counts.iter().enumerate().flat_map(|(i, n)| edge(i, *n as f64 / all / width)).collect();
        Curve { label: label.into(), points, mark: Mark::Line }
    });
    let mut sorted: Vec<f64> = sound.iter().map(|result| result.vibration).collect();
    sorted.sort_by(f64::total_cmp);
    let stride = (sorted.len() / 400).max(1);
    let share = |i: usize| 1.0 - i as f64 / sorted.len() as f64;
    let points = (0..sorted.len()).step_by(stride).map(|i| [sorted[i], share(i)]).collect();
    let told = Chart {
        title: format!("Residual vibration after {} slews of the Shuttle arm", results.len()),
        x: Axis::new("largest distance of the payload's far end from rest, m", Scale::Linear),
        panels: vec![
            Panel { y: Axis::new("probability density, 1/m", Scale::Linear), curves: bars.into() },
            Panel {
                y: Axis::new("share that exceeds it", Scale::Logarithmic),
                curves: vec![Curve { label: "all".into(), points, mark: Mark::Line }],
            },
        ],
        equal: false,
    };
    std::fs::write(path, chart(&told).svg())?;
    Ok(())
}
