//! The C compiler of the system.

use std::ffi::OsStr;
use std::fmt;
use std::io;
use std::path::Path;
use std::process::Command;

/// Compilers that are tried in turn where the environment names none.
const USUAL: [&str; 3] = ["cc", "clang", "gcc"];

/// Why there is no library.
#[derive(Debug)]
#[non_exhaustive]
pub enum BuildError {
    /// No compiler can be called.
    NoCompiler {
        /// What was tried.
        tried: Vec<String>,
    },
    /// The compiler refused the code.
    Refused {
        /// The command.
        command: String,
        /// What it said.
        said: String,
    },
    /// A file that cannot be written or read.
    File {
        /// Its path.
        path: String,
        /// Why.
        error: io::Error,
    },
    /// The library cannot be loaded.
    Load {
        /// Its path.
        path: String,
        /// Why.
        reason: String,
    },
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoCompiler { tried } => write!(
                f,
                "there is no C compiler ({}); install one, or name it in the environment variable CC",
                tried.join(", ")
            ),
            Self::Refused { command, said } => write!(f, "the C compiler failed: {command}\n{said}"),
            Self::File { path, error } => write!(f, "{path}: {error}"),
            Self::Load { path, reason } => write!(f, "{path}: cannot be loaded: {reason}"),
        }
    }
}

impl std::error::Error for BuildError {}

/// A C compiler with the arguments that it is always given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiler {
    words: Vec<String>,
    /// What it says of itself.
    pub version: String,
}

impl Compiler {
    /// The one that the environment variable `CC` names, else `cc`, `clang` or `gcc`.
    ///
    /// # Errors
    /// None of them can be called.
    pub fn find() -> Result<Self, BuildError> {
        let named = std::env::var("CC").ok().filter(|named| !named.trim().is_empty());
        let list = named.map_or_else(|| USUAL.map(String::from).to_vec(), |named| vec![named]);
        let words = |text: &str| text.split_whitespace().map(String::from).collect::<Vec<_>>();
        list.iter().find_map(|text| Self::called(words(text))).ok_or(BuildError::NoCompiler { tried: list })
    }

    fn called(words: Vec<String>) -> Option<Self> {
        let (program, arguments) = words.split_first()?;
        let told = Command::new(program).args(arguments).arg("--version").output().ok()?;
        let version = String::from_utf8_lossy(&told.stdout).lines().next().unwrap_or_default().to_owned();
        told.status.success().then_some(Self { words, version })
    }

    /// The command that it is called by.
    pub fn command(&self) -> String {
        self.words.join(" ")
    }

    /// Runs it in a folder.
    ///
    /// # Errors
    /// It cannot be called, or fails: with what it said.
    pub fn run(&self, folder: &Path, arguments: &[impl AsRef<OsStr>]) -> Result<(), BuildError> {
        let mut command = Command::new(&self.words[0]);
        command.args(&self.words[1..]).args(arguments).current_dir(folder);
        let told = command.output().map_err(|error| BuildError::File { path: self.command(), error })?;
        if told.status.success() {
            return Ok(());
        }
        let arguments: Vec<_> = arguments.iter().map(|argument| argument.as_ref().to_string_lossy()).collect();
        Err(BuildError::Refused {
            command: format!("{} {}", self.command(), arguments.join(" ")),
            said: String::from_utf8_lossy(&told.stderr).into_owned(),
        })
    }
}
