//! A model without a run: how it is read, and the state that it is looked at in.

use std::path::{Path, PathBuf};

use super::{AtOptions, FileOptions, MeshOptions, SetOptions};
use crate::operating::Operating;
use crate::status::Status;
use supple_report::{Origin, OriginFile, Run};

use crate::output::fail;

/// How a model is looked at without a run.
#[derive(clap::Args)]
pub struct PoseOptions {
    #[command(flatten)]
    at: AtOptions,
    /// Side file (TOML, format supple-flexible-1) that makes links of a robot flexible.
    #[arg(long, value_name = "FILE")]
    side: Option<PathBuf>,
    /// Downgrade defects of a robot that other programs ignore to notes.
    #[arg(long)]
    lenient: bool,
    /// Folders of meshes.
    #[command(flatten)]
    pub meshes: MeshOptions,
}

impl PoseOptions {
    /// The first option that says how a model is looked at.
    pub fn given(&self) -> Option<&'static str> {
        let all = [("--at", !self.at.at.is_empty()), ("--side", self.side.is_some()), ("--lenient", self.lenient)];
        all.into_iter().find(|(_, given)| *given).map(|(name, _)| name)
    }

    /// What a file describes, in the state asked for, as a run of one frame; or why not, which is on standard error.
    pub fn read(&self, path: &Path, set: &SetOptions, command: &str, with_modes: bool) -> Result<Run, Status> {
        let (side, set) = (self.side.clone(), SetOptions::of(set.all()));
        let file = FileOptions { file: path.to_owned(), side, lenient: self.lenient, set };
        let operating = Operating::read_with_meshes(&file, &self.at, self.meshes.folders())?;
        let files = [Some(path), self.side.as_deref()].into_iter().flatten();
        let files = files.map(|path| OriginFile::new(&path.display().to_string(), path)).collect();
        let origin = Origin { command: self.command(command, path), files };
        let posed = supple_run::pose(&operating.loaded, &operating.state, origin, with_modes);
        posed.map_err(|error| fail(1, &operating.source, &error))
    }

    fn command(&self, command: &str, path: &Path) -> String {
        let mut words = vec![path.as_os_str().to_owned()];
        if let Some(side) = &self.side {
            words.extend(["--side".into(), side.clone().into()]);
        }
        for folder in self.meshes.folders().paths() {
            words.extend(["--meshes".into(), folder.clone().into()]);
        }
        for setting in &self.at.at {
            words.extend(["--at".into(), format!("{}={}", setting.name, setting.value).into()]);
        }
        let words: Vec<String> = words.iter().map(|word| supple_run::shell_word(word)).collect();
        format!("supple {command} {}", words.join(" "))
    }
}
