//! The summary of folders of parts, and its files.

use std::path::Path;

use supple_io::results::{self, write_whole};

use super::parts::read_rows;
use super::{Manifest, Row, Study, SweepSummary};
use crate::{RunError, RunErrorKind};

/// Names of the files of a summary.
pub(super) const FILES: [&str; 2] = ["summary.json", "sweep.html"];

/// The summary of a study by the parts in folders, and their rows. All folders must be of the study as it is.
///
/// # Errors
/// A folder of another study or of none, or a part that cannot be read.
pub fn summarise(study: &Study, folders: &[impl AsRef<Path>]) -> Result<(SweepSummary, Vec<Row>), RunError> {
    for folder in folders.iter().map(AsRef::as_ref) {
        match Manifest::read(folder)? {
            Some(manifest) => manifest.check(study, folder)?,
            None => {
                return Err(RunError::new(
                    RunErrorKind::File,
                    "there is no sweep in this folder: sweep.json is missing",
                )
                .with_remedy("name the folder that a sweep wrote")
                .at(folder));
            }
        }
    }
    let (rows, again) = read_rows(study, folders)?;
    Ok((SweepSummary { again: again as u64, ..SweepSummary::of(study, &rows) }, rows))
}

/// Writes a summary into a folder: `summary.json`, and the page `sweep.html` where this build has pages.
///
/// # Errors
/// A place that cannot be written.
pub fn write_summary(study: &Study, rows: &[Row], summary: &SweepSummary, folder: &Path) -> Result<(), RunError> {
    // Texts and numbers are always JSON; what is not finite is null.
    let json = serde_json::to_string_pretty(summary).unwrap_or_default() + "\n";
    write_whole(&folder.join(FILES[0]), results::Existing::Replace, json.as_bytes())?;
    if let Some(page) = page(study, rows, summary) {
        write_whole(&folder.join(FILES[1]), results::Existing::Replace, page.as_bytes())?;
    }
    Ok(())
}

#[cfg(feature = "report")]
fn page(study: &Study, rows: &[Row], summary: &SweepSummary) -> Option<String> {
    Some(super::page::page(study, rows, summary))
}

#[cfg(not(feature = "report"))]
fn page(_: &Study, _: &[Row], _: &SweepSummary) -> Option<String> {
    None
}
