//! What `example.toml` says of an example.

use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};

/// The format that is read.
const FORMAT: &str = "supple-example-1";

/// An example of the gallery.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Example {
    format: String,
    /// Its heading.
    pub title: String,
    /// What it shows, and why.
    pub text: String,
    /// Where the numbers of its model come from.
    pub source: String,
    /// Place in the gallery, from 1.
    pub place: usize,
    /// Its picture.
    pub picture: Picture,
    /// Numbers that are checked.
    #[serde(rename = "check")]
    pub checks: Vec<Check>,
    /// Name of its folder.
    #[serde(skip)]
    pub folder: String,
}

/// Columns of runs, against time.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Picture {
    /// Above it.
    pub title: String,
    /// First and last time that is drawn; all unless given.
    pub times: Option<[f64; 2]>,
    /// Least and greatest value that is drawn; a curve that leaves them is interrupted.
    pub range: Option<[f64; 2]>,
    /// What is drawn.
    pub curves: Vec<Curve>,
}

/// A column of a run.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Curve {
    /// File of the scenario.
    pub scenario: String,
    /// The column.
    pub column: String,
    /// Its name in the picture.
    pub label: String,
    /// What it is multiplied by, where `unit` is not that of the column.
    pub factor: Option<f64>,
    /// Its unit; that of the column unless given. Curves of one unit share a panel.
    pub unit: Option<String>,
}

/// A number that is checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// What it is.
    pub what: String,
    /// File of the scenario.
    pub scenario: String,
    /// The column of the results that it is taken from.
    pub column: Option<String>,
    /// What is taken from the column.
    pub measure: Option<Measure>,
    /// A number of the summary instead: keys, joined by dots.
    pub summary: Option<String>,
    /// When, for the measure `at`.
    pub time: Option<f64>,
    /// Rows from this time on count; all unless given.
    pub from: Option<f64>,
    /// Rows up to this time count; all unless given.
    pub to: Option<f64>,
    /// Where a frequency is looked for, Hz.
    pub band: Option<[f64; 2]>,
    /// What it should be.
    pub value: f64,
    /// By how much it may differ.
    pub tolerance: f64,
    /// Its unit, where it is not that of the column.
    pub unit: Option<String>,
    /// Of what kind `value` is.
    pub kind: Kind,
    /// Where `value` comes from.
    pub source: String,
}

/// What is taken from a column.
#[derive(Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Measure {
    /// The value of the row at `time`.
    At,
    /// The greatest value.
    Max,
    /// The least value.
    Min,
    /// The mean of the rows.
    Mean,
    /// Half of the difference between the greatest and the least value.
    Amplitude,
    /// The strongest frequency within `band`, Hz.
    Frequency,
}

/// Of what kind an expected value is.
#[derive(Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Printed in the literature.
    Published,
    /// From a closed formula or the root of an equation.
    Analytic,
    /// From another program or another method, without code of this project.
    Independent,
    /// From this program, with finer tolerances and more modes.
    Converged,
}

impl Kind {
    /// The word on the page.
    pub fn word(self) -> &'static str {
        match self {
            Self::Published => "published",
            Self::Analytic => "analytic",
            Self::Independent => "independent calculation",
            Self::Converged => "converged run",
        }
    }
}

/// The folder of the examples.
pub fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// Every example, in the order of the gallery.
pub fn read_all() -> Vec<Example> {
    let folders = fs::read_dir(examples()).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    let mut all: Vec<Example> = folders.map(|folder| read(&folder)).collect();
    all.sort_by_key(|example| example.place);
    for (i, example) in all.iter().enumerate() {
        assert_eq!(example.place, i + 1, "{}: places in the gallery are 1, 2, 3, …", example.folder);
    }
    all
}

fn read(folder: &Path) -> Example {
    let path = folder.join("example.toml");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut example: Example = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!(example.format, FORMAT, "{}", path.display());
    example.folder = folder.file_name().unwrap().to_string_lossy().into_owned();
    for curve in &example.picture.curves {
        assert_eq!(curve.factor.is_some(), curve.unit.is_some(), "{}: a factor has a unit", curve.label);
    }
    for check in &example.checks {
        let place = format!("{}: {}", example.folder, check.what);
        assert!(check.tolerance > 0.0 && check.value.is_finite(), "{place}: value and positive tolerance");
        // A number that nothing could miss checks nothing.
        assert!(check.value == 0.0 || check.tolerance < 0.1 * check.value.abs(), "{place}: the tolerance is too wide");
        assert_eq!(check.column.is_some(), check.measure.is_some(), "{place}: a column has a measure");
        assert!(check.column.is_some() != check.summary.is_some(), "{place}: a column or a number of the summary");
        assert_eq!(check.measure == Some(Measure::At), check.time.is_some(), "{place}: `at` has a time");
        assert_eq!(check.measure == Some(Measure::Frequency), check.band.is_some(), "{place}: a frequency has a band");
    }
    assert!(!example.checks.is_empty(), "{}: no number is checked", example.folder);
    example
}

impl Example {
    /// The scenarios that are run: those of the checks and of the picture.
    pub fn scenarios(&self) -> Vec<&str> {
        let checked = self.checks.iter().map(|check| check.scenario.as_str());
        let mut all: Vec<&str> = checked.chain(self.picture.curves.iter().map(|c| c.scenario.as_str())).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}
