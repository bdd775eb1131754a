//! Where results go: which folder, and what of an earlier run leaves it.

use std::fs;
use std::path::{Path, PathBuf};

use supple_io::results::{ResultsError, create_folder};
use supple_io::scenario_file::Scenario;

use crate::lock::{FolderLock, LOCK_FILE};
use crate::{Existing, Options, Output, RunError, RunErrorKind};

/// What is made of the rows: each is worth nothing beside other rows.
const MADE_OF_ROWS: [&str; 5] = ["summary.json", "report.html", "plot.svg", "results.mcap", "results.parquet"];
/// What a run goes on from.
const GOES_ON_FROM: [&str; 3] = ["results.csv", "checkpoint.json", "motion.json"];

/// The folder of parts of a table that is not complete.
const PARTS_FOLDER: &str = "results.parts";

/// The folder of the results; none where they stay in memory.
pub fn folder_of(scenario: &Scenario, path: &Path, options: &Options) -> Result<Option<PathBuf>, RunError> {
    match &options.output {
        Output::Memory | Output::Observer if options.existing == Existing::Resume => {
            Err(RunError::unsupported("results in memory cannot be resumed").with_remedy("name their folder"))
        }
        Output::Memory | Output::Observer => Ok(None),
        Output::Scenario => {
            let told = &scenario.results;
            within(path, &told.folder).map(Some).map_err(|error| error.on_line(told.folder_line))
        }
        Output::Folder(folder) => Ok(Some(folder.clone())),
    }
}

/// A folder that a scenario names, which may lead nowhere but below the folder of the scenario, whatever links are on the way.
fn within(scenario: &Path, name: &str) -> Result<PathBuf, RunError> {
    let folder = scenario.parent().unwrap_or(Path::new("")).join(name);
    let own = scenario.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let root = own.canonicalize().map_err(|error| RunError::new(RunErrorKind::File, error).at(own))?;
    match nearest_existing(&folder).canonicalize() {
        Ok(place) if place.starts_with(&root) => Ok(folder),
        found => {
            let leads = found.map_or_else(|_| "nowhere".to_owned(), |place| format!("to {}", place.display()));
            let rule = "the results folder of a scenario lies in the folder of the scenario or below";
            Err(RunError::new(
                RunErrorKind::Outside,
                format!("`results.folder` = {name:?} leads {leads} through a link; {rule}"),
            )
            .with_remedy("name another folder, or choose this one in the options of the run")
            .at(scenario))
        }
    }
}

/// The folder, or the nearest one above it that exists; a link exists wherever it leads.
pub fn nearest_existing(folder: &Path) -> &Path {
    let mut parts = folder.ancestors().filter(|part| !part.as_os_str().is_empty());
    parts.find(|part| fs::symlink_metadata(part).is_ok()).unwrap_or(Path::new("."))
}

/// Makes the folder for a new run and takes its lock. Results that may not be replaced are refused.
pub fn occupy(folder: &Path, existing: Existing) -> Result<Option<FolderLock>, RunError> {
    let free = || match existing == Existing::Refuse && has_results(folder) {
        true => Err(RunError::from(ResultsError::Exists { path: folder.to_path_buf() })),
        false => Ok(()),
    };
    free()?;
    create_folder(folder, supple_io::results::Existing::Replace)?;
    let lock = FolderLock::take(folder)?;
    // Another run may have come and gone.
    free()?;
    Ok(lock)
}

fn has_results(folder: &Path) -> bool {
    // Folders of other runs are no results of this one; a folder of parts is.
    let is_folder = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
    let mut entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.any(|entry| entry.file_name() != LOCK_FILE && (!is_folder(&entry) || entry.file_name() == PARTS_FOLDER))
}

/// Takes away what an earlier run left: what is made of its rows, and where a new run starts the rows as well. Links are taken away, not
/// what they lead to.
pub fn discard(folder: &Path, rows_too: bool) -> Result<(), RunError> {
    let rows = GOES_ON_FROM.iter().filter(|_| rows_too);
    for name in MADE_OF_ROWS.iter().chain(rows).flat_map(|name| [(*name).to_owned(), format!(".{name}.partial")]) {
        let path = folder.join(name);
        if fs::symlink_metadata(&path).is_ok_and(|about| about.is_file() || about.is_symlink()) {
            let failed = |error| RunError::new(RunErrorKind::File, format!("cannot be replaced: {error}")).at(&path);
            fs::remove_file(&path).map_err(failed)?;
        }
    }
    #[cfg(feature = "parquet")]
    supple_io::results::discard_parts(&folder.join(PARTS_FOLDER))?;
    Ok(())
}

/// Bytes of what [`discard`] takes away.
pub fn replaced(folder: &Path) -> u64 {
    let size = |name: &&str| fs::symlink_metadata(folder.join(name)).map_or(0, |about| about.len());
    MADE_OF_ROWS.iter().chain(&GOES_ON_FROM).map(size).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `results` with the folders of other runs in it may take a run of its own; a file, or parts of a table, may not be written over.
    #[test]
    fn folders_of_other_runs_are_no_results() {
        let folder = std::env::temp_dir().join(format!("supple-place-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("fall")).unwrap();
        fs::write(folder.join("fall/results.csv"), "time").unwrap();
        assert!(!has_results(&folder));
        fs::create_dir(folder.join(PARTS_FOLDER)).unwrap();
        assert!(has_results(&folder));
        fs::remove_dir(folder.join(PARTS_FOLDER)).unwrap();
        fs::write(folder.join("notes.txt"), "mine").unwrap();
        assert!(has_results(&folder));
        fs::remove_dir_all(&folder).unwrap();
    }
}
