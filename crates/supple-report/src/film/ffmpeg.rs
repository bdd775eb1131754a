//! Frames for the program `ffmpeg`, which makes a video of them.

use std::io::{ErrorKind, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread::{self, JoinHandle};

use super::{Encoder, FilmError, FilmKind};

/// What comes in, before its size and rate.
const IN: [&str; 8] = ["-hide_banner", "-loglevel", "error", "-f", "rawvideo", "-pixel_format", "rgba", "-video_size"];
/// Colours of high-definition video, said as such; the same bytes each time.
const OUT: [&str; 17] = [
    "-an",
    "-vf",
    "scale=out_color_matrix=bt709:out_range=tv",
    "-pix_fmt",
    "yuv420p",
    "-colorspace",
    "bt709",
    "-color_primaries",
    "bt709",
    "-color_trc",
    "bt709",
    "-fflags",
    "+bitexact",
    "-flags:v",
    "+bitexact",
    "-map_metadata",
    "-1",
];
/// H.264 that plays while it loads.
const MP4: [&str; 10] = ["-c:v", "libx264", "-preset", "medium", "-crf", "18", "-movflags", "+faststart", "-f", "mp4"];
/// VP9.
const WEBM: [&str; 10] = ["-c:v", "libvpx-vp9", "-crf", "24", "-b:v", "0", "-row-mt", "1", "-f", "webm"];

/// The program at work.
pub struct Ffmpeg {
    child: Child,
    frames: Option<ChildStdin>,
    told: Option<JoinHandle<String>>,
}

impl Ffmpeg {
    /// Starts it.
    pub fn start(kind: FilmKind, file: &Path, [width, height]: [u32; 2], rate: f64) -> Result<Self, FilmError> {
        let mut command = Command::new("ffmpeg");
        command.args(IN).arg(format!("{width}x{height}")).args(["-framerate", &rate.to_string(), "-i", "pipe:0"]);
        command.args(OUT).args(if kind == FilmKind::WebM { WEBM } else { MP4 }).arg("-y").arg(file);
        apart(&mut command);
        let child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
        let mut child = child.map_err(|error| match error.kind() {
            ErrorKind::NotFound => FilmError::NoProgram,
            _ => FilmError::Program { told: format!("it could not be started: {error}") },
        })?;
        let frames = child.stdin.take();
        // It would wait for ever for somebody to read what it says.
        let told = child.stderr.take().map(|mut stderr| {
            thread::spawn(move || {
                let mut bytes = Vec::new();
                // What was read before an error is what there is.
                let _ = stderr.read_to_end(&mut bytes);
                String::from_utf8_lossy(&bytes).into_owned()
            })
        });
        Ok(Self { child, frames, told })
    }

    /// Waits for its end; what it said last, where it failed.
    fn end(&mut self) -> Result<(), FilmError> {
        drop(self.frames.take());
        let status = self.child.wait();
        let said = self.told.take().and_then(|thread| thread.join().ok()).unwrap_or_default();
        let last = said.lines().rev().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned);
        let failed = |told: String| Err(FilmError::Program { told });
        match status {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => failed(last.unwrap_or_else(|| format!("it ended with {status}"))),
            Err(error) => failed(error.to_string()),
        }
    }
}

impl Encoder for Ffmpeg {
    fn add(&mut self, pixels: &[u8]) -> Result<(), FilmError> {
        let written = self.frames.as_mut().map_or(Ok(()), |frames| frames.write_all(pixels));
        let Err(error) = written else { return Ok(()) };
        // It has ended, and says why.
        self.end()?;
        Err(FilmError::Program { told: error.to_string() })
    }

    fn finish(mut self: Box<Self>) -> Result<(), FilmError> {
        self.end()
    }
}

impl Drop for Ffmpeg {
    /// Nobody waits for a film that is not to be.
    fn drop(&mut self) {
        if self.told.is_some() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// Keeps Ctrl-C away from it: this program ends it.
#[cfg(unix)]
fn apart(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

/// Elsewhere both end, and the half-written film is taken away all the same.
#[cfg(not(unix))]
fn apart(_: &mut Command) {}
