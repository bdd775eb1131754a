//! Options that mean the same in every command.
//!
//! | option            | meaning                                                                             |
//! |-------------------|-------------------------------------------------------------------------------------|
//! | `FILE`            | a model, scenario, robot or standard input data; `--side`, `--lenient` for robots   |
//! | `--meshes`        | a folder below which meshes are read                                                |
//! | `--set`           | a value in place of that of the file                                                |
//! | `--at`            | values of the state that the system is looked at in                                 |
//! | `--lock`, `--free` | hinges that are locked and free in a linear model                                  |
//! | `--format`        | how the answer is printed; each command lists what it has. `--json` is short for it |
//! | `-o`, `--output`  | file or folder to write; `-` is standard output. `--force` replaces what is there   |

mod at;
mod file;
mod format;
mod formulation;
mod hinges;
mod meshes;
mod output;
mod pose;
mod set;

pub use at::{AtOptions, Setting};
pub use file::FileOptions;
pub use format::{
    Format, FormatOptions, LinearFiles, ModeFiles, Rows, RowsOrPeers, RowsOrPicture, StateFiles, TextOrJson, among,
};
pub use formulation::FormulationName;
pub use hinges::{HingeOptions, Usual};
pub use meshes::MeshOptions;
pub use output::{FileOutput, FolderOutput, Place};
pub use pose::PoseOptions;
pub use set::SetOptions;
