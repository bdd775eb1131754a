//! Studies in TOML: which scenario, which of its values vary and how, and which numbers are taken from each run.
//!
//! ```no_run
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let study = supple_io::study_file::read("study.toml".as_ref(), &[])?;
//! println!("{} values vary", study.varied.len());
//! # Ok(())
//! # }
//! ```
//!
//! The scenario is named, not read: [`ScenarioTemplate`](crate::scenario_file::ScenarioTemplate) does that. Keys and meanings are in the
//! [`schema`].

mod law;
mod measure;
mod read;
mod shapes;

use std::path::{Path, PathBuf};

pub use measure::{Extract, Measure};
pub use shapes::MAX_DIMENSIONS;

use crate::change::Change;
use crate::document::json_schema;
use crate::model_file::open;
use crate::source::folder::{Files, Folder};
use crate::source::{FileError, Report, Source};

/// The format that is read.
pub const FORMAT: &str = "supple-study-1";

/// How the values of a run follow from its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sampling {
    /// Every combination of lists.
    Grid,
    /// Independent random values.
    Random,
    /// A Latin hypercube: in each of as many slices as there are runs, every value lies once.
    LatinHypercube,
    /// A Sobol sequence with a random shift.
    SobolSequence,
    /// Trajectories that change one value after the other, on so many levels: elementary effects.
    Morris {
        /// Levels of each value.
        levels: u32,
    },
    /// Two samples and their mixtures: shares of the variance.
    SobolIndices,
}

impl Sampling {
    /// The word of the file.
    pub fn word(self) -> &'static str {
        match self {
            Self::Grid => "grid",
            Self::Random => "random",
            Self::LatinHypercube => "latin-hypercube",
            Self::SobolSequence => "sobol-sequence",
            Self::Morris { .. } => "morris",
            Self::SobolIndices => "sobol-indices",
        }
    }

    /// Whether more samples leave the first ones as they are.
    pub fn is_extensible(self) -> bool {
        !matches!(self, Self::Grid | Self::LatinHypercube)
    }
}

/// One of the values of a list: any value of TOML.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// As the study has it, in TOML.
    pub text: String,
    /// The number, where it is one.
    pub number: Option<f64>,
}

/// Which values a quantity takes.
#[derive(Clone, Debug, PartialEq)]
pub enum Law {
    /// One of these, all alike or by their weights.
    List {
        /// The values.
        items: Vec<Item>,
        /// Their shares, which sum to one.
        weights: Option<Vec<f64>>,
    },
    /// All values between two alike.
    Uniform {
        /// Least value.
        from: f64,
        /// Greatest value.
        to: f64,
    },
    /// The normal distribution, within bounds.
    Normal {
        /// Mean of the whole distribution.
        mean: f64,
        /// Its standard deviation.
        deviation: f64,
        /// Bounds; infinite where there are none.
        bounds: [f64; 2],
    },
    /// The logarithm is normal, within bounds.
    Lognormal {
        /// Median of the whole distribution.
        median: f64,
        /// Standard deviation of the natural logarithm.
        deviation: f64,
        /// Bounds; zero and infinity where there are none.
        bounds: [f64; 2],
    },
    /// A triangle.
    Triangular {
        /// Least value.
        from: f64,
        /// Most frequent value.
        peak: f64,
        /// Greatest value.
        to: f64,
    },
}

/// A quantity that varies from run to run.
#[derive(Clone, Debug, PartialEq)]
pub struct Varied {
    /// How results call it.
    pub name: String,
    /// The keys that get its value, as `--set` takes them.
    pub keys: Vec<String>,
    /// Its values.
    pub law: Law,
    /// The dimension of the sampling that it follows; those that are linked share one.
    pub dimension: usize,
}

/// A study as its file has it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct StudyFile {
    /// Name, where it has one.
    pub name: Option<String>,
    /// The scenario file.
    pub scenario: PathBuf,
    /// The same as the study names it.
    pub scenario_name: String,
    /// Values that are the same in every run, in place of those of the scenario.
    pub changes: Vec<Change>,
    /// How values follow from the number of a run.
    pub sampling: Sampling,
    /// Runs, trajectories or base samples; none for a grid.
    pub samples: Option<u64>,
    /// What all random numbers follow from.
    pub seed: u64,
    /// Whether each run has sensor noise of its own.
    pub own_noise: bool,
    /// What varies.
    pub varied: Vec<Varied>,
    /// How many dimensions the sampling has.
    pub dimensions: usize,
    /// The numbers to extract from each run.
    pub extracted: Vec<Extract>,
    /// Folder of the results, relative to that of the study.
    pub folder: String,
}

/// Reads a study, some of whose values are set from outside: keys that start with `study.` are those of the study, all others those of its
/// scenario.
///
/// # Errors
/// [`FileError`] with everything that is wrong.
pub fn read(path: &Path, changes: &[Change]) -> Result<StudyFile, FileError> {
    let name = path.to_string_lossy();
    let mut report = Report::default();
    let own: Vec<Change> = changes.iter().filter_map(|change| change.within("study")).collect();
    let files = Files::default();
    let source = open(path, &name, &files, &mut report).map(|source| source.changed(&own));
    let nothing = Source::nothing(&name);
    let Some(source) = source else { return report.finish(&nothing, None) };
    let study = read::read(&source, &Folder::of_file(path, &files), &mut report);
    let of_scenario = changes.iter().filter(|change| change.within("study").is_none()).cloned();
    let study = study.map(|mut study| {
        study.changes.extend(of_scenario);
        study
    });
    report.finish(&source, study)
}

/// JSON schema of study files.
pub fn schema() -> String {
    json_schema(&shapes::STUDY, "Supple study, format supple-study-1")
}
