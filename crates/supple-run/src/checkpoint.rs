//! A run laid aside: one JSON object with all numbers of the integrator, exact to the bit, and a checksum over them.
//!
//! Written to a second file that then takes the place of the first, so that a process killed while writing leaves the one before.

use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use supple::integrate::{Checkpoint, SimulationCheckpoint, Statistics};
use supple::{BodyIndex, Departure, NodeIndex, Sign};
use supple_io::results::{Existing, Extent, Warning, create_file};

use crate::collapse::CollapseWatch;
use crate::effort::MotorRecord;
use crate::events::EventRecord;
use crate::story::StoryRecord;

const FORMAT: &str = "supple-checkpoint-5";
/// No checkpoint of a sensible model is longer.
const MAX_BYTES: u64 = 1 << 30;

/// Where a run was.
#[derive(Clone, Debug, PartialEq)]
pub struct RunCheckpoint {
    /// Fingerprint of the scenario, so that no other goes on from here.
    pub scenario: u64,
    /// The table before: rows, bytes and their checksum.
    pub rows: Extent,
    /// Events before.
    pub events: EventRecord,
    /// Greatest change so far of the linear and of the angular momentum.
    pub momentum_drift: [f64; 2],
    /// Greatest deviation of the closures that acted, and greatest rate of one.
    pub closure_residuals: [f64; 2],
    /// What motors with limits were asked for.
    pub efforts: Vec<MotorRecord>,
    /// What happened.
    pub story: StoryRecord,
    /// How steps went.
    pub collapse: CollapseWatch,
    /// Warnings before.
    pub warnings: Vec<Warning>,
    /// The simulation.
    pub simulation: SimulationCheckpoint,
}

/// Why a file is not a checkpoint that this run can go on from.
#[derive(Debug)]
pub enum CheckpointError {
    /// There is none.
    Missing,
    /// It cannot be read or written.
    Io(io::Error),
    /// It cannot be created.
    File(String),
    /// It is not whole.
    Damaged(String),
    /// It belongs to another version.
    Format(String),
    /// It belongs to another scenario.
    OtherScenario,
}

impl fmt::Display for CheckpointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str("there is no checkpoint to resume from"),
            Self::Io(error) => write!(f, "{error}"),
            Self::File(reason) => f.write_str(reason),
            Self::Damaged(why) => write!(f, "the checkpoint is damaged ({why})"),
            Self::Format(found) => {
                write!(f, "the checkpoint has the format `{found}`, this version reads `{FORMAT}`")
            }
            Self::OtherScenario => {
                f.write_str("the checkpoint belongs to another scenario or model: one of the files has changed")
            }
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File<'a> {
    format: String,
    checksum: String,
    #[serde(borrow)]
    content: &'a RawValue,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Content {
    scenario: u64,
    rows: u64,
    bytes: u64,
    rows_checksum: u32,
    time: f64,
    step: f64,
    fresh: bool,
    y: Vec<f64>,
    rates: Vec<f64>,
    scheme: Vec<f64>,
    accepted: u64,
    rejected: u64,
    evaluations: u64,
    solves: u64,
    factorisations: u64,
    start_energy: f64,
    prescribed: Vec<bool>,
    signs: Vec<i8>,
    departures: Vec<DepartureContent>,
    blocks: Vec<f64>,
    events: EventRecord,
    momentum_drift: [f64; 2],
    /// None in files of versions that did not watch motors.
    #[serde(default)]
    efforts: Vec<MotorRecord>,
    /// None in files of versions that did not tell what happened.
    #[serde(default)]
    story: StoryRecord,
    /// None in files of versions that had no closures.
    #[serde(default)]
    closure_residuals: [f64; 2],
    #[serde(default)]
    closed: Vec<bool>,
    /// None in files of versions that held no closure as it is.
    #[serde(default)]
    held: Vec<(usize, [f64; 8])>,
    /// None in files of versions that told warnings at the end.
    #[serde(default)]
    collapse: CollapseWatch,
    #[serde(default)]
    warnings: Vec<Warning>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DepartureContent {
    time: f64,
    body: usize,
    sign: SignContent,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum SignContent {
    Deflection { node: usize, value: f64, length: f64 },
    Slope { node: usize, value: f64 },
    Spin { value: f64, frequency: f64 },
}

impl DepartureContent {
    /// None for a sign that this format has no word for: it is told again by the run that goes on.
    fn new(departure: &Departure) -> Option<Self> {
        let sign = match departure.sign {
            Sign::Deflection { node, value, length } => SignContent::Deflection { node: node.0, value, length },
            Sign::Slope { node, value } => SignContent::Slope { node: node.0, value },
            Sign::Spin { value, frequency } => SignContent::Spin { value, frequency },
            _ => return None,
        };
        Some(Self { time: departure.time, body: departure.body.0, sign })
    }

    fn departure(self) -> Departure {
        let sign = match self.sign {
            SignContent::Deflection { node, value, length } => {
                Sign::Deflection { node: NodeIndex(node), value, length }
            }
            SignContent::Slope { node, value } => Sign::Slope { node: NodeIndex(node), value },
            SignContent::Spin { value, frequency } => Sign::Spin { value, frequency },
        };
        Departure { time: self.time, body: BodyIndex(self.body), sign }
    }
}

/// FNV-1a: finds damage, not malice.
pub fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

impl RunCheckpoint {
    /// Writes the checkpoint in place of the one before.
    pub fn write(&self, path: &Path) -> Result<(), CheckpointError> {
        let (own, s) = (&self.simulation.integrator, self.simulation.integrator.statistics);
        let content = Content {
            scenario: self.scenario,
            rows: self.rows.rows,
            bytes: self.rows.bytes,
            rows_checksum: self.rows.checksum,
            time: own.time,
            step: own.step,
            fresh: own.fresh,
            y: own.y.clone(),
            rates: own.rates.clone(),
            scheme: own.scheme.clone(),
            accepted: s.accepted,
            rejected: s.rejected,
            evaluations: s.evaluations,
            solves: s.solves,
            factorisations: s.factorisations,
            start_energy: self.simulation.start_energy,
            prescribed: self.simulation.prescribed.clone(),
            signs: self.simulation.signs.clone(),
            departures: self.simulation.departures.iter().filter_map(DepartureContent::new).collect(),
            blocks: self.simulation.blocks.clone(),
            events: self.events.clone(),
            momentum_drift: self.momentum_drift,
            closure_residuals: self.closure_residuals,
            efforts: self.efforts.clone(),
            story: self.story.clone(),
            closed: self.simulation.closed.clone(),
            held: self.simulation.held.clone(),
            collapse: self.collapse.clone(),
            warnings: self.warnings.clone(),
        };
        let damaged = |error: serde_json::Error| CheckpointError::Damaged(error.to_string());
        let content = serde_json::value::to_raw_value(&content).map_err(damaged)?;
        let checksum = format!("{:016x}", fingerprint(content.get().as_bytes()));
        let text =
            serde_json::to_string(&File { format: FORMAT.into(), checksum, content: &content }).map_err(damaged)?;
        let fresh = path.with_extension("json.new");
        let mut file =
            create_file(&fresh, Existing::Replace).map_err(|error| CheckpointError::File(error.to_string()))?;
        file.write_all(text.as_bytes()).and_then(|()| fs::rename(&fresh, path)).map_err(|error| {
            // The half-written file is of no use to anybody.
            let _ = fs::remove_file(&fresh);
            CheckpointError::Io(error)
        })
    }

    /// Reads a checkpoint of the scenario with this fingerprint.
    pub fn read(path: &Path, scenario: u64) -> Result<Self, CheckpointError> {
        let length = match fs::metadata(path) {
            Ok(told) => told.len(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(CheckpointError::Missing),
            Err(error) => return Err(CheckpointError::Io(error)),
        };
        if length > MAX_BYTES {
            return Err(CheckpointError::Damaged(format!("{length} bytes")));
        }
        let bytes = fs::read(path).map_err(CheckpointError::Io)?;
        let text = String::from_utf8(bytes).map_err(|_| CheckpointError::Damaged("it is not UTF-8".into()))?;
        let damaged = |error: serde_json::Error| CheckpointError::Damaged(error.to_string());
        let file: File<'_> = serde_json::from_str(&text).map_err(damaged)?;
        if file.format != FORMAT {
            return Err(CheckpointError::Format(file.format.chars().take(40).collect()));
        }
        let found = format!("{:016x}", fingerprint(file.content.get().as_bytes()));
        if found != file.checksum {
            return Err(CheckpointError::Damaged("its checksum does not match".into()));
        }
        let c: Content = serde_json::from_str(file.content.get()).map_err(damaged)?;
        if c.scenario != scenario {
            return Err(CheckpointError::OtherScenario);
        }
        let statistics = Statistics {
            accepted: c.accepted,
            rejected: c.rejected,
            evaluations: c.evaluations,
            solves: c.solves,
            factorisations: c.factorisations,
        };
        let integrator = Checkpoint {
            time: c.time,
            step: c.step,
            fresh: c.fresh,
            y: c.y,
            rates: c.rates,
            scheme: c.scheme,
            statistics,
        };
        let departures = c.departures.into_iter().map(DepartureContent::departure).collect();
        let (start_energy, prescribed, signs) = (c.start_energy, c.prescribed, c.signs);
        let simulation = SimulationCheckpoint {
            integrator,
            start_energy,
            prescribed,
            signs,
            departures,
            blocks: c.blocks,
            closed: c.closed,
            held: c.held,
        };
        Ok(Self {
            scenario,
            rows: Extent { rows: c.rows, bytes: c.bytes, checksum: c.rows_checksum },
            events: c.events,
            momentum_drift: c.momentum_drift,
            closure_residuals: c.closure_residuals,
            efforts: c.efforts,
            story: c.story,
            collapse: c.collapse,
            warnings: c.warnings,
            simulation,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use supple_io::results::{ActionKind, ActionSummary};

    fn sample() -> RunCheckpoint {
        let numbers = |n: usize| (0..n).map(|i| (i as f64 + 0.1).sin() / 3.0).collect::<Vec<f64>>();
        let statistics = Statistics { accepted: 7, rejected: 1, evaluations: 88, solves: 0, factorisations: 2 };
        RunCheckpoint {
            scenario: 42,
            rows: Extent { rows: 5, bytes: 400, checksum: 0xdead_beef },
            events: EventRecord {
                listed: vec![(0.1, 1), (0.25, 0)],
                more: 3,
                stopped: Some(0),
                timed: 1,
                actions: vec![(
                    1,
                    ActionSummary {
                        closure: "grip".into(),
                        kind: ActionKind::Rebounded,
                        closing_speed: Some(0.1),
                        energy_lost: Some(1.0 / 3.0),
                    },
                )],
            },
            momentum_drift: [1e-12, 0.0],
            closure_residuals: [1e-13, 1e-15],
            efforts: vec![MotorRecord {
                body: 1,
                first: Some((0.25, 505.0)),
                seconds: 0.1 + 0.2,
                most: 606.0,
                since: None,
            }],
            story: StoryRecord::default(),
            collapse: CollapseWatch::default(),
            warnings: vec![Warning { time: 0.25, text: "hinge 'a' requires \"505\" N m".into() }],
            simulation: SimulationCheckpoint {
                integrator: Checkpoint {
                    time: 0.1 + 0.2,
                    step: 1e-300,
                    fresh: false,
                    y: numbers(9),
                    rates: numbers(9),
                    scheme: numbers(4),
                    statistics,
                },
                start_energy: -0.0,
                prescribed: vec![true, false],
                signs: vec![-1, 0, 1],
                departures: [
                    Sign::Deflection { node: NodeIndex(3), value: 0.7, length: 1.0 / 3.0 },
                    Sign::Slope { node: NodeIndex(0), value: 0.21 },
                    Sign::Spin { value: 5.5, frequency: 10.0 },
                ]
                .map(|sign| Departure { time: 0.125, body: BodyIndex(1), sign })
                .to_vec(),
                blocks: numbers(3),
                closed: vec![true, false],
                held: vec![(1, std::array::from_fn(|i| (i as f64).cos() / 7.0))],
            },
        }
    }

    /// Every byte flipped and every length cut off is found; what is whole comes back to the bit.
    #[test]
    fn damage_is_found() {
        let path = std::env::temp_dir().join(format!("supple-checkpoint-{}.json", std::process::id()));
        sample().write(&path).unwrap();
        assert_eq!(RunCheckpoint::read(&path, 42).unwrap(), sample());
        assert!(matches!(RunCheckpoint::read(&path, 43), Err(CheckpointError::OtherScenario)));
        let whole = fs::read(&path).unwrap();
        for i in 0..whole.len() {
            for bit in [1_u8, 32] {
                let mut bad = whole.clone();
                bad[i] ^= bit;
                fs::write(&path, &bad).unwrap();
                assert!(RunCheckpoint::read(&path, 42).is_err(), "byte {i}");
            }
            fs::write(&path, &whole[..i]).unwrap();
            assert!(RunCheckpoint::read(&path, 42).is_err(), "length {i}");
        }
        fs::remove_file(&path).unwrap();
    }
}
