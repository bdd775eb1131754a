//! Libraries by what they are made from, so that the same code is compiled once.

use super::compiler::{BuildError, Compiler};
use crate::package::File;
use std::collections::hash_map::DefaultHasher;
use std::env;
use std::fs;
use std::hash::{Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};

/// A folder of libraries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cache {
    folder: PathBuf,
}

/// What was compiled, beside each library: two codes with the same number are told apart by it.
const RECIPE: &str = "recipe.txt";

impl Cache {
    /// That of the user: `SUPPLE_CACHE`, else `supple` in the folder that the system has for such files.
    ///
    /// # Errors
    /// The user has no such folder.
    pub fn of_user() -> Result<Self, BuildError> {
        let from = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let usual = match env::consts::OS {
            "macos" => from("HOME").map(|home| home.join("Library/Caches")),
            "windows" => from("LOCALAPPDATA"),
            _ => from("XDG_CACHE_HOME").or_else(|| from("HOME").map(|home| home.join(".cache"))),
        };
        let folder = from("SUPPLE_CACHE").or_else(|| usual.map(|usual| usual.join("supple")));
        folder.map(Self::at).ok_or_else(|| BuildError::File {
            path: "cache of compiled code".into(),
            error: io::Error::new(io::ErrorKind::NotFound, "the user has no home; set SUPPLE_CACHE to a folder"),
        })
    }

    /// One of one's own. Whoever can write there decides what programs run.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// The library of some files of C, compiled with these flags unless it is there already.
    ///
    /// # Errors
    /// As the compiler, and files that cannot be written.
    pub fn library(&self, compiler: &Compiler, files: &[File], flags: &[&str]) -> Result<PathBuf, BuildError> {
        let recipe = recipe(compiler, files, flags);
        let mut hasher = DefaultHasher::new();
        recipe.hash(&mut hasher);
        let folder = self.folder.join(format!("{:016x}", hasher.finish()));
        let library = folder.join(format!("library.{}", env::consts::DLL_EXTENSION));
        if library.is_file() && fs::read_to_string(folder.join(RECIPE)).is_ok_and(|known| known == recipe) {
            return Ok(library);
        }
        // Built aside, so that whoever comes at the same time sees all of it or nothing.
        let aside = self.folder.join(format!("{:016x}.{}", hasher.finish(), std::process::id()));
        let built = build(&aside, compiler, files, flags, &recipe);
        if built.is_ok() {
            let _ = fs::remove_dir_all(&folder);
            match fs::rename(&aside, &folder) {
                Err(error) if !library.is_file() => return Err(file(&folder)(error)),
                _ => {}
            }
        }
        let _ = fs::remove_dir_all(&aside);
        built.map(|()| library)
    }
}

fn file(path: &Path) -> impl Fn(io::Error) -> BuildError {
    let path = path.display().to_string();
    move |error| BuildError::File { path: path.clone(), error }
}

/// All that decides what the library is: code for this processor is not for another that shares the folder.
fn recipe(compiler: &Compiler, files: &[File], flags: &[&str]) -> String {
    let about = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let features = about.lines().find(|line| line.starts_with("flags") || line.starts_with("Features")).unwrap_or("");
    let mut text = format!("{}\n{}\n{}\n{features}\n", compiler.command(), compiler.version, flags.join(" "));
    files.iter().for_each(|file| text += &format!("\n{}\n{}", file.name, file.text));
    text
}

fn build(folder: &Path, compiler: &Compiler, files: &[File], flags: &[&str], recipe: &str) -> Result<(), BuildError> {
    fs::create_dir_all(folder).map_err(file(folder))?;
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).map_err(file(&path))
    };
    files.iter().try_for_each(|file| write(&file.name, &file.text))?;
    let library = format!("library.{}", env::consts::DLL_EXTENSION);
    let sources = files.iter().map(|file| file.name.as_str()).filter(|name| name.ends_with(".c"));
    let arguments: Vec<&str> = flags.iter().copied().chain(sources).chain(["-lm", "-o", &library]).collect();
    compiler.run(folder, &arguments)?;
    write(RECIPE, recipe)
}
