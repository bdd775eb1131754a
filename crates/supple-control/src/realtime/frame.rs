//! What plant and controller send each other: one frame, one datagram. All numbers are little-endian.
//!
//! | bytes        | content                                                                                    |
//! |--------------|--------------------------------------------------------------------------------------------|
//! | 0 to 3       | `SUPL`                                                                                     |
//! | 4            | version of the layout, [`VERSION`]                                                         |
//! | 5            | kind: 1 hello, 2 measurement, 3 command, 4 end                                             |
//! | 6, 7         | [`Flags`]                                                                                  |
//! | 8 to 15      | session, chosen by the plant when it starts; 0 in the first hello of a controller          |
//! | 16 to 23     | sequence number: the cycle, from 0; one more with every frame, so that none counts twice   |
//! | 24 to 31     | time stamp: plant time of the cycle, ns, signed                                            |
//! | 32 to 39     | answers: the sequence number of the last frame of the other side that was used             |
//! | 40 to 43     | number of values, at most [`MOST_VALUES`]                                                  |
//! | 44 to 47     | zero                                                                                       |
//! | 48 and on    | values, 8 bytes each, IEEE 754                                                             |
//! | the last 8   | checksum of everything before, [`Key`]                                                     |

use super::checksum::Key;
use std::fmt;

/// The layout that is written and read.
pub const VERSION: u8 = 1;
/// Most values of a frame.
pub const MOST_VALUES: usize = 1024;
/// Bytes before the values.
pub const HEAD: usize = 48;
/// Bytes of the checksum.
pub const TAIL: usize = 8;
/// Bytes of the longest frame.
pub const MOST_BYTES: usize = HEAD + 8 * MOST_VALUES + TAIL;

const MAGIC: [u8; 4] = *b"SUPL";

/// What a frame is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameKind {
    /// Who is there, and with which signals.
    Hello,
    /// From the plant: what is measured.
    Measurement,
    /// From the controller: what is to act.
    Command,
    /// The other side ends as planned.
    End,
}

/// What goes with the values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(pub u16);

impl Flags {
    /// The sender is in its safe state.
    pub const SAFE: Self = Self(1);
    /// The deadline of this cycle was missed.
    pub const OVERRUN: Self = Self(2);
    /// Somebody has acknowledged the faults so far.
    pub const ACKNOWLEDGED: Self = Self(4);

    /// Whether these are among them.
    pub fn has(self, others: Self) -> bool {
        self.0 & others.0 == others.0
    }

    /// With these, where `wanted`.
    #[must_use]
    pub fn with(self, others: Self, wanted: bool) -> Self {
        Self(if wanted { self.0 | others.0 } else { self.0 })
    }
}

/// What a frame says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// What it is for.
    pub kind: FrameKind,
    /// What goes with it.
    pub flags: Flags,
    /// The session.
    pub session: u64,
    /// The cycle.
    pub sequence: u64,
    /// Plant time of the cycle, ns.
    pub time: i64,
    /// The last frame of the other side that was used.
    pub answers: u64,
}

/// A frame that has been read; its values are still where they came.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// What it says of itself.
    pub header: Header,
    values: &'a [[u8; 8]],
}

impl Frame<'_> {
    /// How many values it has.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Its values, which may be anything.
    pub fn values(&self) -> impl Iterator<Item = f64> + '_ {
        self.values.iter().map(|bytes| f64::from_le_bytes(*bytes))
    }
}

/// Why bytes are no frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FrameError {
    /// They do not start as frames do.
    NotAFrame,
    /// A layout of another version.
    Version(u8),
    /// A kind that this version does not have.
    Kind(u8),
    /// Another number of bytes than of the values it claims.
    Length,
    /// The checksum is not that of the bytes and the key.
    Checksum,
    /// More values than a frame can have, or a place too small for them.
    TooLarge,
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAFrame => f.write_str("not a frame"),
            Self::Version(version) => write!(f, "a frame of version {version}, this is version {VERSION}"),
            Self::Kind(kind) => write!(f, "a frame of kind {kind}, which version {VERSION} does not have"),
            Self::Length => f.write_str("a frame of another length than it says"),
            Self::Checksum => f.write_str("a frame with a wrong checksum"),
            Self::TooLarge => write!(f, "more than {MOST_VALUES} values"),
        }
    }
}

impl std::error::Error for FrameError {}

/// Writes a frame; gives its length.
///
/// # Errors
/// [`FrameError::TooLarge`].
pub fn encode(header: &Header, values: &[f64], key: &Key, out: &mut [u8]) -> Result<usize, FrameError> {
    let length = HEAD + 8 * values.len() + TAIL;
    if values.len() > MOST_VALUES || out.len() < length {
        return Err(FrameError::TooLarge);
    }
    let kind = match header.kind {
        FrameKind::Hello => 1,
        FrameKind::Measurement => 2,
        FrameKind::Command => 3,
        FrameKind::End => 4,
    };
    out[..4].copy_from_slice(&MAGIC);
    out[4..6].copy_from_slice(&[VERSION, kind]);
    out[6..8].copy_from_slice(&header.flags.0.to_le_bytes());
    for (at, word) in [(8, header.session), (16, header.sequence), (24, header.time as u64), (32, header.answers)] {
        out[at..at + 8].copy_from_slice(&word.to_le_bytes());
    }
    out[40..48].copy_from_slice(&(values.len() as u64).to_le_bytes());
    for (bytes, value) in out[HEAD..].chunks_exact_mut(8).zip(values) {
        bytes.copy_from_slice(&value.to_le_bytes());
    }
    let sum = key.checksum(&out[..length - TAIL]);
    out[length - TAIL..length].copy_from_slice(&sum.to_le_bytes());
    Ok(length)
}

/// Reads a frame. Whatever the bytes are, it ends, and nothing with a wrong checksum is taken.
///
/// # Errors
/// Why the bytes are no frame.
pub fn decode<'a>(bytes: &'a [u8], key: &Key) -> Result<Frame<'a>, FrameError> {
    let Some((head, body)) = bytes.split_first_chunk::<HEAD>() else { return Err(FrameError::NotAFrame) };
    if head[..4] != MAGIC {
        return Err(FrameError::NotAFrame);
    }
    if head[4] != VERSION {
        return Err(FrameError::Version(head[4]));
    }
    let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| head[at + i]));
    let Some((body, sum)) = body.split_last_chunk::<TAIL>() else { return Err(FrameError::Length) };
    let (values, rest) = body.as_chunks::<8>();
    if !rest.is_empty() || values.len() > MOST_VALUES || word(40) != values.len() as u64 {
        return Err(FrameError::Length);
    }
    if key.checksum(&bytes[..bytes.len() - TAIL]) != u64::from_le_bytes(*sum) {
        return Err(FrameError::Checksum);
    }
    let kind = match head[5] {
        1 => FrameKind::Hello,
        2 => FrameKind::Measurement,
        3 => FrameKind::Command,
        4 => FrameKind::End,
        other => return Err(FrameError::Kind(other)),
    };
    let flags = Flags(u16::from_le_bytes([head[6], head[7]]));
    let (session, sequence, time, answers) = (word(8), word(16), word(24) as i64, word(32));
    Ok(Frame { header: Header { kind, flags, session, sequence, time, answers }, values })
}
