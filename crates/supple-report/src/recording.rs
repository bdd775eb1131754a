//! Data of a run for its report: scene and motion, in `motion.json` next to the results.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde::{Deserialize, Serialize};
use supple_io::results::{Existing, write_whole};

use crate::control_loop::ControlLoop;
use crate::error::ReportError;
use crate::mode_shapes::{ModesAbout, ShownMode};
use crate::motion::Motion;
use crate::scene::{Scene, SceneFrame};

/// The format that is written and read.
const FORMAT: &str = "supple-motion-1";
/// Name of the file in the folder of the results.
pub const MOTION_FILE: &str = "motion.json";
/// Longest text of a file that is kept.
const MOST_TEXT: usize = 200_000;
/// No body has more modes, or shapes of second order.
const MOST_MODES: usize = 1 << 20;
/// No recording is longer.
const MOST_BYTES: u64 = 1 << 30;

/// A scene in motion, and where it came from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recording {
    /// Version of the format.
    pub format: String,
    /// The system.
    pub scene: Scene,
    /// Its motion.
    pub motion: Motion,
    /// How to run it again.
    pub origin: Origin,
    /// Hinges under control.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub loops: Vec<ControlLoop>,
    /// Modes of the whole system in the pose at the end.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modes: Vec<ShownMode>,
    /// What these are about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modes_about: Option<ModesAbout>,
}

/// How to run it again.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Origin {
    /// The command.
    pub command: String,
    /// The files that it read, with their texts where they are short.
    pub files: Vec<OriginFile>,
}

/// A file that a run read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OriginFile {
    /// Its name, as it was given.
    pub name: String,
    /// Its text; none where it is too long or no text.
    pub text: Option<String>,
}

impl OriginFile {
    /// Reads the file. That it cannot be read is no reason to stop.
    pub fn new(name: &str, path: &Path) -> Self {
        Self { name: name.to_owned(), text: fs::read_to_string(path).ok().filter(|text| text.len() <= MOST_TEXT) }
    }
}

impl Recording {
    /// A recording.
    pub fn new(scene: Scene, motion: Motion, origin: Origin) -> Self {
        let format = FORMAT.to_owned();
        Self { format, scene, motion, origin, loops: Vec::new(), modes: Vec::new(), modes_about: None }
    }

    /// Writes the recording into the folder of the results, whole or not at all.
    ///
    /// # Errors
    /// A place that cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), ReportError> {
        let path = folder.join(MOTION_FILE);
        let text = serde_json::to_vec(self).map_err(|error| ReportError::damaged(&path, &error))?;
        Ok(write_whole(&path, Existing::Replace, &text)?)
    }

    /// Reads the recording of a folder.
    ///
    /// # Errors
    /// There is none, or it is damaged or of another version.
    pub fn read(folder: &Path) -> Result<Self, ReportError> {
        let path = folder.join(MOTION_FILE);
        let failed = |error: std::io::Error| match error.kind() {
            ErrorKind::NotFound if !folder.exists() => ReportError::Missing { path: folder.to_path_buf() },
            ErrorKind::NotFound | ErrorKind::NotADirectory => ReportError::NoMotion { folder: folder.to_path_buf() },
            _ => ReportError::Read { path: path.clone(), reason: error.to_string() },
        };
        if fs::metadata(&path).map_err(failed)?.len() > MOST_BYTES {
            return Err(ReportError::damaged(&path, &"file too large"));
        }
        let text = fs::read_to_string(&path).map_err(failed)?;
        let own: Self = serde_json::from_str(&text).map_err(|error| ReportError::damaged(&path, &error))?;
        if own.format != FORMAT {
            return Err(ReportError::damaged(
                &path,
                &format!("format `{}`, this version reads `{FORMAT}`", own.format),
            ));
        }
        own.check().map_err(|reason| ReportError::damaged(&path, &reason))?;
        Ok(own)
    }

    /// Whether all parts fit each other, so that nothing that reads them has to ask again.
    fn check(&self) -> Result<(), String> {
        let motion = &self.motion;
        // Sizes first: what follows calculates with them.
        if let Some(k) =
            self.scene.bodies.iter().position(|b| b.modes > MOST_MODES || b.second_order.len() > MOST_MODES)
        {
            return Err(format!("body {k} has more than {MOST_MODES} modes"));
        }
        let frames = motion.times.0.len();
        if frames.checked_mul(self.scene.frame_length()) != Some(motion.frames.0.len()) {
            return Err("the frames do not match the bodies".to_owned());
        }
        let fits = |mode: &ShownMode| {
            mode.motion.len().checked_mul(self.scene.frame_length()) == Some(mode.motion.frames.0.len())
        };
        if !self.modes.iter().all(fits) {
            return Err("the frames of a mode do not match the bodies".to_owned());
        }
        if motion.stride == 0 || (motion.last.is_some() && frames == 0) {
            return Err("the frames do not match the rows".to_owned());
        }
        for (k, body) in self.scene.bodies.iter().enumerate() {
            let nodes = body.node_names.len();
            let strained = body.strain.as_ref().is_none_or(|strain| {
                let line = body.line.as_ref().map_or(0, Vec::len);
                line > 0 && strain.shapes.0.len() == 3 * line * body.modes
            });
            let drawn = body.line.iter().flatten().chain(body.edges.as_flattened()).all(|n| *n < nodes);
            let carried = match (body.parent, body.carrier) {
                (Some(parent), Some(node)) => self.scene.bodies.get(parent).is_some_and(|p| node < p.node_names.len()),
                _ => true,
            };
            let fits = nodes > body.inboard
                && body.looks_are_sound(self.scene.meshes.len())
                && strained
                && drawn
                && carried
                && body.parent.is_none_or(|p| p < k)
                && body.positions.0.len() == 3 * nodes
                && body.influence.0.len() == 6 * nodes * (body.modes + body.second_order.len())
                && body.second_order.iter().flatten().all(|(r, s, _)| *r < body.modes && *s < body.modes);
            if !fits {
                return Err(format!("body {k} does not match its nodes and modes"));
            }
        }
        if let Some(i) = self.scene.meshes.iter().position(|mesh| !mesh.is_sound()) {
            return Err(format!("mesh {i} does not match its vertices"));
        }
        let lost = |frame: &SceneFrame| {
            frame.body.is_some_and(|k| self.scene.bodies.get(k).is_none_or(|body| frame.node >= body.node_names.len()))
        };
        match self.scene.closures.iter().position(|closure| closure.frames.iter().flatten().any(lost)) {
            Some(i) => Err(format!("closure {i} does not match the bodies")),
            None => Ok(()),
        }
    }
}
