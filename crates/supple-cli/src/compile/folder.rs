//! The folder that code is written into.

use crate::output::{UNSUPPORTED, fail};
use crate::status::Status;
use std::fs;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use supple_compile::package::{File, MARK};
use supple_io::results::{Existing, write_whole};

/// Writes all files. What is there stays: files of an earlier call are replaced only by `force`, others never.
pub fn write(folder: &Path, files: &[File], force: bool) -> Result<(), Status> {
    let failed = |path: &Path, error: &dyn std::fmt::Display| fail(1, &path.display().to_string(), &error.to_string());
    fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
    let mut own = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| failed(folder, &error))? {
        let path = entry.map_err(|error| failed(folder, &error))?.path();
        if is_own(&path).map_err(|error| failed(&path, &error))? {
            own.push(path);
        } else if files.iter().any(|file| path.ends_with(&file.name)) {
            let told = "the file is not one that supple compile wrote; give another folder with -o";
            return Err(fail(UNSUPPORTED, &path.display().to_string(), &told));
        }
    }
    if !own.is_empty() && !force {
        let told = "the folder has code of an earlier call; use --force to replace it";
        return Err(fail(UNSUPPORTED, &folder.display().to_string(), &told));
    }
    // Code of other verbs would take part in the check.
    own.iter().try_for_each(|path| fs::remove_file(path).map_err(|error| failed(path, &error)))?;
    for File { name, text } in files {
        let path = folder.join(name);
        write_whole(&path, Existing::Replace, text.as_bytes()).map_err(|error| failed(&path, &error))?;
    }
    Ok(())
}

/// Whether an earlier call wrote a file.
fn is_own(path: &Path) -> io::Result<bool> {
    if !path.is_file() {
        return Ok(false);
    }
    let mut first = Vec::new();
    BufReader::new(fs::File::open(path)?).read_until(b'\n', &mut first)?;
    Ok(String::from_utf8_lossy(&first).contains(MARK))
}
