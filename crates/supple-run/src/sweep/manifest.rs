//! `sweep.json`: which study the parts of a folder are of.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use supple_io::results::{self, Column, write_whole};

use super::Study;
use crate::{RunError, RunErrorKind};

/// Name of the file.
const FILE: &str = "sweep.json";
/// Its format.
const FORMAT: &str = "supple-sweep-1";

/// What the parts of a folder are of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Manifest {
    /// Its format.
    pub format: String,
    /// Version of the library.
    pub version: String,
    /// Name of the study.
    pub study: String,
    /// Everything that makes the rows what they are, in hexadecimal digits.
    pub fingerprint: String,
    /// How values follow from numbers of runs.
    pub sampling: String,
    /// How many runs the study has.
    pub runs: u64,
    /// The columns between the number of a run and its status: what varies, then the extracted numbers.
    pub columns: Vec<Column>,
    /// How many of them vary.
    pub varied: usize,
    /// The files that the study depends on, by their names, with fingerprints of their contents.
    pub inputs: Vec<(String, String)>,
    /// Whether its runs are made by generated code.
    #[serde(default)]
    pub compiled: bool,
    /// Whether they are made on a GPU.
    #[serde(default)]
    pub gpu: bool,
}

impl Manifest {
    /// That of a study.
    pub fn of(study: &Study) -> Self {
        let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Self {
            format: FORMAT.into(),
            version: env!("CARGO_PKG_VERSION").into(),
            study: study.name(),
            fingerprint: format!("{:016x}", study.fingerprint()),
            sampling: study.sampling().word().into(),
            runs: study.runs(),
            columns: study.columns().to_vec(),
            varied: study.names().len(),
            inputs: study.inputs().iter().map(|(path, content)| (name(path), format!("{content:016x}"))).collect(),
            compiled: study.option() == Some("--compiled"),
            gpu: study.option() == Some("--gpu"),
        }
    }

    /// The one in a folder, where there is one.
    ///
    /// # Errors
    /// A file that cannot be read or is damaged.
    pub fn read(folder: &Path) -> Result<Option<Self>, RunError> {
        let path = folder.join(FILE);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(RunError::new(RunErrorKind::File, error).at(&path)),
        };
        let found: Result<Self, _> = serde_json::from_str(&text);
        match found {
            Ok(manifest) if manifest.format == FORMAT => Ok(Some(manifest)),
            Ok(manifest) => {
                Err(RunError::new(RunErrorKind::OldCheckpoint, format!("unknown format `{}`", manifest.format))
                    .with_remedy("choose another folder")
                    .at(&path))
            }
            Err(error) => {
                Err(RunError::new(RunErrorKind::DamagedCheckpoint, format!("the manifest is damaged: {error}"))
                    .with_remedy("start again and replace the results")
                    .at(&path))
            }
        }
    }

    /// Makes a folder that of a study, or finds that it is.
    ///
    /// # Errors
    /// A folder of another study, or of this one before it changed; a place that cannot be written.
    pub fn claim(study: &Study, folder: &Path) -> Result<Self, RunError> {
        let own = Self::of(study);
        match Self::read(folder)? {
            Some(found) => {
                found.check(study, folder)?;
                found.check_way(&own, folder)?;
                if found.runs < own.runs {
                    own.write(folder)?;
                }
            }
            None => own.write(folder)?,
        }
        Ok(own)
    }

    /// Whether it is that of a study.
    ///
    /// # Errors
    /// What is another one.
    pub fn check(&self, study: &Study, folder: &Path) -> Result<(), RunError> {
        let own = Self::of(study);
        if self.fingerprint == own.fingerprint {
            return Ok(());
        }
        let changed: Vec<&str> =
            own.inputs.iter().filter(|input| !self.inputs.contains(input)).map(|(name, _)| name.as_str()).collect();
        let what = match (self.version == own.version, changed.is_empty()) {
            (false, _) => format!("they are of version {} of Supple, this is {}", self.version, own.version),
            (true, false) => format!("{} changed since", changed.join(", ")),
            (true, true) => "the study or its `set` has changed".to_owned(),
        };
        Err(RunError::new(RunErrorKind::ForeignCheckpoint, format!("the results here are of another study: {what}"))
            .with_remedy("undo that, or choose another folder")
            .at(folder))
    }

    /// Whether its runs were made in the same way.
    fn check_way(&self, own: &Self, folder: &Path) -> Result<(), RunError> {
        let way = |manifest: &Self| match (manifest.compiled, manifest.gpu) {
            (_, true) => Some("--gpu"),
            (true, false) => Some("--compiled"),
            (false, false) => None,
        };
        let (made, remedy) = match (way(self), way(own)) {
            (found, own) if found == own => return Ok(()),
            (Some(found), None) => (format!("with {found}"), format!("add {found}")),
            (Some(found), Some(own)) => (format!("with {found}"), format!("replace {own} by {found}")),
            (None, own) => {
                let own = own.unwrap_or_default();
                (format!("without {own}"), format!("leave out {own}"))
            }
        };
        let message = format!("the runs here were made {made}; other ways give other last digits");
        Err(RunError::new(RunErrorKind::ForeignCheckpoint, message)
            .with_remedy(format!("{remedy}, or choose another folder"))
            .at(folder))
    }

    fn write(&self, folder: &Path) -> Result<(), RunError> {
        // Texts and numbers are always JSON.
        let text = serde_json::to_string_pretty(self).unwrap_or_default() + "\n";
        Ok(write_whole(&folder.join(FILE), results::Existing::Replace, text.as_bytes())?)
    }

    /// Takes away what a sweep left: manifest, parts, summaries.
    ///
    /// # Errors
    /// A file that cannot be removed.
    pub fn discard(folder: &Path) -> Result<(), RunError> {
        let parts = super::parts::part_files(folder)?;
        let made = super::summarise::FILES.into_iter().chain([FILE]).map(|name| folder.join(name));
        for path in parts.into_iter().chain(made) {
            match fs::remove_file(&path) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(RunError::new(RunErrorKind::File, format!("cannot be replaced: {error}")).at(&path));
                }
                _ => {}
            }
        }
        Ok(())
    }
}
