//! External wrenches: the greatest and the root of the mean square of force and moment.

use serde::{Deserialize, Serialize};
use supple_control::Signal;
use supple_io::results::{LoadPeak, LoadStory};
use supple_io::scenario_file::{NodeWrench, Scenario};

use super::Peak;

/// Wrenches that are followed.
const MOST_LOADS: usize = 64;

/// Wrenches of a scenario.
pub struct Loads {
    acting: Vec<Acting>,
}

struct Acting {
    body: String,
    node: String,
    /// Force, then moment.
    signals: [[Signal; 3]; 2],
}

/// What was seen of one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoadRecord {
    /// Of force and of moment.
    peaks: [Peak; 2],
    /// Integrals of the squares, by the rule of trapezoids, and the time they are taken over.
    squares: [f64; 2],
    seconds: f64,
    last: [f64; 2],
}

impl Loads {
    /// Those of a scenario.
    pub fn new(scenario: &Scenario) -> Self {
        let one = |wrench: &NodeWrench| {
            let body = &scenario.model.system.bodies[wrench.body.0];
            let node = body.nodes.get(wrench.node.0).and_then(|node| node.name.clone());
            let node = node.unwrap_or_else(|| wrench.node.0.to_string());
            Some(Acting { body: body.name.clone(), node, signals: wrench.curve.signals().ok()? })
        };
        Self { acting: scenario.wrenches.iter().take(MOST_LOADS).filter_map(one).collect() }
    }

    /// Looks at what acts at the time of a row; the one before was at `last`.
    pub fn observe(&self, time: f64, last: Option<f64>, records: &mut Vec<LoadRecord>) {
        records.resize(self.acting.len(), LoadRecord::default());
        let passed = last.map_or(0.0, |last| time - last);
        for (own, record) in self.acting.iter().zip(records) {
            record.seconds += passed;
            for (part, signals) in own.signals.iter().enumerate() {
                let size = signals.iter().map(|signal| signal.value(time).powi(2)).sum::<f64>().sqrt();
                record.peaks[part].see(size, time);
                record.squares[part] += 0.5 * passed * (size * size + record.last[part] * record.last[part]);
                record.last[part] = size;
            }
        }
    }

    /// What was seen, those with the greatest peaks first.
    pub fn told(&self, records: &[LoadRecord]) -> Vec<LoadStory> {
        let told = |(own, record): (&Acting, &LoadRecord)| {
            let part = |i: usize| LoadPeak {
                peak: record.peaks[i].value,
                time: record.peaks[i].time,
                rms: if record.seconds > 0.0 { (record.squares[i] / record.seconds).sqrt() } else { record.last[i] },
            };
            LoadStory { body: own.body.clone(), node: own.node.clone(), force: part(0), moment: part(1) }
        };
        let mut all: Vec<LoadStory> = self.acting.iter().zip(records).map(told).collect();
        let size = |load: &LoadStory| load.force.peak.max(load.moment.peak);
        all.sort_by(|a, b| size(b).total_cmp(&size(a)));
        all
    }
}
