//! Which frames are taken: those of the other side, of this session, each once.

use super::checksum::Key;
use super::fault::Fault;
use super::frame::{Frame, FrameError, FrameKind, decode};

/// Takes frames of one kind.
#[derive(Clone, Copy, Debug)]
pub struct Inbox {
    key: Key,
    kind: FrameKind,
    session: u64,
    values: usize,
    newest: Option<u64>,
}

/// A frame that may be used.
#[derive(Clone, Copy, Debug)]
pub enum Taken<'a> {
    /// Values of a cycle, and how many cycles after the last ones they come.
    Values(Frame<'a>, u64),
    /// The other side has ended.
    End,
    /// A greeting, which says nothing once the session goes on.
    Hello,
}

impl Inbox {
    /// For frames of a session.
    pub fn new(key: Key, kind: FrameKind, session: u64, values: usize) -> Self {
        Self { key, kind, session, values, newest: None }
    }

    /// The sequence number of the newest frame.
    pub fn newest(&self) -> Option<u64> {
        self.newest
    }

    /// Looks at what has come. Frames later in sequence than `latest` cannot be.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn take<'a>(&mut self, bytes: &'a [u8], latest: u64) -> Result<Taken<'a>, Fault> {
        let frame = decode(bytes, &self.key).map_err(|error| match error {
            FrameError::Version(_) | FrameError::Kind(_) => Fault::Foreign,
            _ => Fault::Forged,
        })?;
        let header = frame.header;
        match header.kind {
            FrameKind::Hello => return Ok(Taken::Hello),
            _ if header.session != self.session => return Err(Fault::Foreign),
            FrameKind::End => return Ok(Taken::End),
            kind if kind != self.kind || frame.len() != self.values => return Err(Fault::Foreign),
            _ => {}
        }
        if self.newest.is_some_and(|newest| header.sequence <= newest) {
            return Err(Fault::Replayed);
        }
        if header.sequence > latest {
            return Err(Fault::Foreign);
        }
        let cycles = self.newest.map_or(1, |newest| header.sequence - newest);
        self.newest = Some(header.sequence);
        Ok(Taken::Values(frame, cycles))
    }
}
