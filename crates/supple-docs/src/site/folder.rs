//! Folders: what is in them, copied and removed.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

fn failed(path: &Path, error: &io::Error) -> String {
    format!("{}: {error}", path.display())
}

/// Removes a folder with all that is in it, if it is there.
pub fn remove(path: &Path) -> Result<(), String> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(failed(path, &error)),
        _ => Ok(()),
    }
}

/// Files below a folder, by their paths in it, in order.
pub fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let (mut found, mut waiting) = (Vec::new(), vec![folder.to_path_buf()]);
    while let Some(inner) = waiting.pop() {
        for entry in fs::read_dir(&inner).map_err(|error| failed(&inner, &error))? {
            let path = entry.map_err(|error| failed(&inner, &error))?.path();
            if path.is_dir() {
                waiting.push(path);
            } else if let Ok(within) = path.strip_prefix(folder) {
                found.push(within.to_path_buf());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Copies a folder; of what lies directly in it only what is wanted.
pub fn copy(from: &Path, to: &Path, wanted: &dyn Fn(&Path) -> bool) -> Result<(), String> {
    let first = |path: &Path| path.components().next().map(|part| PathBuf::from(part.as_os_str()));
    for path in files(from)?.iter().filter(|path| first(path).is_some_and(|part| wanted(&part))) {
        let target = to.join(path);
        let made = target.parent().map_or(Ok(()), fs::create_dir_all);
        made.and_then(|()| fs::copy(from.join(path), &target)).map_err(|error| failed(&target, &error))?;
    }
    Ok(())
}
