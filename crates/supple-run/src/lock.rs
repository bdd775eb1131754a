//! One run at a time in a folder of results.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::{RunError, RunErrorKind};

/// Name of the file that is locked.
pub const LOCK_FILE: &str = ".run.lock";
/// How often a run looks again at a lock whose file was taken away under its hands.
const TRIES: usize = 100;

/// Keeps other runs out of a folder until it is dropped. The operating system releases the lock of a process that has died, so that the
/// file it leaves is in nobody's way.
#[derive(Debug)]
pub struct FolderLock {
    path: PathBuf,
    /// Open as long as the lock is held.
    _file: File,
}

impl FolderLock {
    /// Takes the lock of a folder that exists; none where the file system has no locks.
    pub fn take(folder: &Path) -> Result<Option<Self>, RunError> {
        Self::take_named(folder, LOCK_FILE)
    }

    /// The same with one of several locks of the folder.
    pub fn take_named(folder: &Path, name: &str) -> Result<Option<Self>, RunError> {
        let path = folder.join(name);
        let failed = |error: io::Error| {
            let remedy = "choose a folder you may write to";
            RunError::new(RunErrorKind::File, format!("cannot be locked: {error}")).with_remedy(remedy).at(folder)
        };
        let own = holder();
        for _ in 0..TRIES {
            let mut file = open(&path).map_err(failed)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(busy(folder, &path)),
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                    let _ = fs::remove_file(&path);
                    return Ok(None);
                }
                Err(TryLockError::Error(error)) => return Err(failed(error)),
            }
            file.set_len(0).and_then(|()| file.write_all(own.as_bytes())).map_err(failed)?;
            // A run that ended in between has taken away the file that was opened here; the lock of that file keeps nobody out.
            // Elsewhere a file that is locked can neither be read nor taken away.
            if !cfg!(unix) || fs::read(&path).is_ok_and(|found| found == own.as_bytes()) {
                return Ok(Some(Self { path, _file: file }));
            }
        }
        Err(busy(folder, &path))
    }
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Opens the file, never through a link.
fn open(path: &Path) -> io::Result<File> {
    if fs::symlink_metadata(path).is_ok_and(|about| about.is_symlink()) {
        fs::remove_file(path)?;
    }
    OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)
}

fn busy(folder: &Path, path: &Path) -> RunError {
    let told = fs::read_to_string(path).unwrap_or_default();
    let holder = told.lines().next().filter(|line| !line.is_empty()).unwrap_or("another process");
    let holder: String = holder.chars().filter(|letter| !letter.is_control()).take(200).collect();
    RunError::new(RunErrorKind::Busy, format!("another run writes here: {holder}"))
        .with_remedy("wait until it has ended, or choose another folder")
        .at(folder)
}

/// Who holds the lock, for people in the first line; the second tells this lock from all others.
fn holder() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let program = std::env::current_exe().ok();
    let program = program.as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    let program = program.unwrap_or_else(|| "a program".to_owned());
    let host = fs::read_to_string("/proc/sys/kernel/hostname").or_else(|_| fs::read_to_string("/etc/hostname"));
    let host = host.map(|name| format!(" on {}", name.trim())).unwrap_or_default();
    let (process, since) = (std::process::id(), date(now.as_secs()));
    format!("process {process}{host}, {program}, since {since} UTC\n{}\n", now.as_nanos())
}

/// Date and time of a number of seconds since 1970.
fn date(seconds: u64) -> String {
    let (mut days, rest) = (seconds / 86_400, seconds % 86_400);
    let leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    while days >= 365 + u64::from(leap(year)) {
        days -= 365 + u64::from(leap(year));
        year += 1;
    }
    let lengths = [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while days >= lengths[month] {
        days -= lengths[month];
        month += 1;
    }
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year}-{:02}-{:02} {hour:02}:{minute:02}:{second:02}", month + 1, days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        assert_eq!(date(0), "1970-01-01 00:00:00");
        assert_eq!(date(951_782_399), "2000-02-28 23:59:59");
        assert_eq!(date(951_782_400), "2000-02-29 00:00:00");
        assert_eq!(date(1_767_225_599), "2025-12-31 23:59:59");
    }
}
