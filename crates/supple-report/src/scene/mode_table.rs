//! The modes of a body in numbers.

use serde::{Deserialize, Serialize};
use supple::Body;
use supple_bodies::report::ModeReport;

/// Most modes in a table: work grows with the cube.
const MOST_MODES: usize = 200;

/// The modes of a flexible body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModeTable {
    /// Whether they are eigenmodes made up of the body's own modes, which are coupled.
    pub turned: bool,
    /// One row per mode.
    pub rows: Vec<ModeRow>,
    /// What is worth to know, as where the body is rigid.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What to look at.
    pub warnings: Vec<String>,
}

/// A mode.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModeRow {
    /// Frequency; none where it is infinite.
    pub hertz: Option<f64>,
    /// Damping ratio, where there is vibration.
    pub damping_ratio: Option<f64>,
    /// Modal mass.
    pub modal_mass: f64,
    /// Effective inertia about x, y, z and mass along x, y, z, in percent of the rigid body.
    pub percent: [f64; 6],
    /// What mostly moves, such as `along y`.
    pub motion: String,
    /// Which combination of the modal coordinates it is.
    pub coefficients: Vec<f64>,
}

impl ModeTable {
    /// Of a body that a model was built of; none where it is rigid or has too many modes.
    pub(super) fn of(body: &Body) -> Option<Self> {
        if !(1..=MOST_MODES).contains(&body.modes.count) {
            return None;
        }
        let report = ModeReport::of_body(body);
        let finite = |x: f64| if x.is_finite() { x } else { 0.0 };
        let rows = report.modes.iter().map(|mode| ModeRow {
            hertz: Some(mode.frequency).filter(|hz| hz.is_finite()),
            damping_ratio: mode.damping_ratio.filter(|ratio| ratio.is_finite()),
            modal_mass: finite(mode.modal_mass),
            percent: mode.percent.map(finite),
            motion: mode.sketch.label().to_owned(),
            coefficients: mode.coefficients.clone(),
        });
        let warnings = report.warnings.iter().map(ToString::to_string).collect();
        Some(Self { turned: report.turned, rows: rows.collect(), notes: report.notes(), warnings })
    }
}
