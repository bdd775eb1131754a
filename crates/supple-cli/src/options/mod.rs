//! Options that mean the same in every command.
//!
//! | option            | meaning                                                                             |
//! |-------------------|-------------------------------------------------------------------------------------|
//! | `FILE`            | a model, scenario, robot or standard input data; `--side`, `--lenient` for robots   |
//! | `--set`           | a value in place of that of the file                                                |
//! | `--format`        | how the answer is printed; each command lists what it has. `--json` is short for it |
//! | `-o`, `--output`  | file or folder to write; `-` is standard output. `--force` replaces what is there   |

mod file;
mod format;
mod formulation;
mod output;
mod set;

pub use file::FileOptions;
pub use format::{Format, FormatOptions, Rows, RowsOrPeers, TextOrJson, among};
pub use formulation::FormulationName;
pub use output::{FileOutput, FolderOutput, Place};
pub use set::SetOptions;
