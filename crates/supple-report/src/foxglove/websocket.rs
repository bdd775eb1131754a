//! WebSocket (RFC 6455) as a server needs it: the answer to the opening, frames in both directions. No extensions.
//!
//! A frame is two bytes (whether it is the last of its message, its kind; whether it is masked, its length), 2 or 8 bytes more for
//! lengths from 126 on, four bytes of mask, and the payload. Clients mask, servers do not.

use std::io::{self, Read, Write};

use super::sha1::sha1;
use crate::numbers;

/// What the standard adds to a key before it is digested (section 1.3).
const GUID: &str = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
/// Longest message of a client.
const MOST_BYTES: usize = 1 << 20;

const CONTINUATION: u8 = 0;
/// Kind of a frame: text.
pub const TEXT: u8 = 1;
/// Kind of a frame: bytes.
pub const BINARY: u8 = 2;
/// Kind of a frame: the end.
pub const CLOSE: u8 = 8;
const PING: u8 = 9;
/// Kind of a frame: answer to a ping.
pub const PONG: u8 = 10;

/// Status of an end: the server goes away.
pub const GOING_AWAY: u16 = 1001;
const PROTOCOL_ERROR: u16 = 1002;
const NOT_TEXT: u16 = 1007;
const TOO_LONG: u16 = 1009;

/// What the server proves with that it speaks WebSocket; none where the key is not one.
pub fn accept(key: &str) -> Option<String> {
    // 16 bytes in base64.
    let letters = key.len() == 24 && key.ends_with("==");
    letters.then(|| numbers::encode(&sha1(format!("{key}{GUID}").as_bytes())))
}

/// What a client says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// A text.
    Text(String),
    /// Bytes.
    Binary(Vec<u8>),
    /// Asks for a pong with the same bytes.
    Ping(Vec<u8>),
    /// The end, with what is to be answered.
    Close(Vec<u8>),
}

/// Why nothing more can be read.
#[derive(Debug)]
pub enum Fault {
    /// The connection is gone.
    Gone,
    /// What came is not WebSocket: the status to close with.
    Wrong(u16),
}

impl From<io::Error> for Fault {
    fn from(_: io::Error) -> Self {
        Self::Gone
    }
}

/// Reads messages of a client.
#[derive(Debug)]
pub struct Reader<R> {
    stream: R,
    /// The kind of a message whose last frame has not come, and what has.
    begun: Option<(u8, Vec<u8>)>,
}

impl<R: Read> Reader<R> {
    /// From a connection that is open.
    pub fn new(stream: R) -> Self {
        Self { stream, begun: None }
    }

    /// The next message; waits for it.
    pub fn next(&mut self) -> Result<Message, Fault> {
        loop {
            let (last, kind, payload) = self.frame()?;
            match kind {
                // An unasked pong needs no answer.
                PONG => {}
                PING => return Ok(Message::Ping(payload)),
                CLOSE => return Ok(Message::Close(payload)),
                _ => {
                    let (kind, mut whole) = match (kind, self.begun.take()) {
                        (CONTINUATION, Some(begun)) => begun,
                        (TEXT | BINARY, None) => (kind, Vec::new()),
                        _ => return Err(Fault::Wrong(PROTOCOL_ERROR)),
                    };
                    if whole.len() + payload.len() > MOST_BYTES {
                        return Err(Fault::Wrong(TOO_LONG));
                    }
                    whole.extend_from_slice(&payload);
                    if !last {
                        self.begun = Some((kind, whole));
                    } else if kind == BINARY {
                        return Ok(Message::Binary(whole));
                    } else {
                        return String::from_utf8(whole).map(Message::Text).map_err(|_| Fault::Wrong(NOT_TEXT));
                    }
                }
            }
        }
    }

    /// A frame: whether it is the last of its message, its kind, its payload without mask.
    fn frame(&mut self) -> Result<(bool, u8, Vec<u8>), Fault> {
        let [first, second]: [u8; 2] = self.bytes()?;
        let (last, kind) = (first & 0x80 != 0, first & 0x0f);
        let (is_control, is_masked) = (kind >= CLOSE, second & 0x80 != 0);
        let length = match second & 0x7f {
            126 => u64::from(u16::from_be_bytes(self.bytes()?)),
            127 => u64::from_be_bytes(self.bytes()?),
            short => u64::from(short),
        };
        // Reserved bits belong to extensions, of which there are none.
        if first & 0x70 != 0 || !is_masked || (is_control && (!last || length > 125)) {
            return Err(Fault::Wrong(PROTOCOL_ERROR));
        }
        if length > MOST_BYTES as u64 {
            return Err(Fault::Wrong(TOO_LONG));
        }
        let mask: [u8; 4] = self.bytes()?;
        let mut payload = vec![0; length as usize];
        self.stream.read_exact(&mut payload)?;
        payload.iter_mut().zip(mask.iter().cycle()).for_each(|(byte, mask)| *byte ^= mask);
        Ok((last, kind, payload))
    }

    fn bytes<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.stream.read_exact(&mut bytes)?;
        Ok(bytes)
    }
}

/// Appends a frame of a server, a whole message.
pub fn push_frame(to: &mut Vec<u8>, kind: u8, parts: &[&[u8]]) {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    to.push(0x80 | kind);
    match length {
        0..126 => to.push(length as u8),
        126..0x1_0000 => {
            to.push(126);
            to.extend_from_slice(&(length as u16).to_be_bytes());
        }
        _ => {
            to.push(127);
            to.extend_from_slice(&(length as u64).to_be_bytes());
        }
    }
    parts.iter().for_each(|part| to.extend_from_slice(part));
}

/// Writes a frame of a server.
pub fn write_frame(stream: &mut impl Write, kind: u8, payload: &[u8]) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(payload.len() + 10);
    push_frame(&mut bytes, kind, &[payload]);
    stream.write_all(&bytes)?;
    stream.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of RFC 6455, sections 1.3 and 5.7.
    #[test]
    fn examples_of_the_standard() {
        assert_eq!(accept("dGhlIHNhbXBsZSBub25jZQ==").as_deref(), Some("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="));
        assert_eq!(accept("too short"), None);
        let masked = [0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58];
        assert_eq!(Reader::new(&masked[..]).next().unwrap(), Message::Text("Hello".into()));
        let mut written = Vec::new();
        push_frame(&mut written, TEXT, &[b"Hel", b"lo"]);
        assert_eq!(written, [0x81, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f]);
        for (length, head) in [(125, 2), (126, 4), (65_535, 4), (65_536, 10)] {
            written.clear();
            push_frame(&mut written, BINARY, &[&vec![1; length]]);
            assert_eq!(written.len(), head + length);
        }
    }

    /// A frame with a mask of zeros.
    fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
        let mut bytes = vec![first];
        match payload.len() {
            0..126 => bytes.push(0x80 | payload.len() as u8),
            length => bytes
                .extend_from_slice(&[[0xff, 0, 0, 0, 0, 0].as_slice(), &(length as u32).to_be_bytes()[1..]].concat()),
        }
        [bytes, vec![0; 4], payload.to_vec()].concat()
    }

    #[test]
    fn messages_come_in_pieces_with_others_between() {
        let bytes =
            [frame(0x01, b"ab"), frame(0x89, b"there?"), frame(0x8a, b""), frame(0x00, b"c"), frame(0x80, b"d")];
        let bytes = [bytes.concat(), frame(0x82, b"\x01\x02"), frame(0x88, &[3, 232])].concat();
        let mut reader = Reader::new(&bytes[..]);
        let all: Vec<Message> = (0..4).map(|_| reader.next().unwrap()).collect();
        let expected = [
            Message::Ping(b"there?".to_vec()),
            Message::Text("abcd".into()),
            Message::Binary(vec![1, 2]),
            Message::Close(vec![3, 232]),
        ];
        assert_eq!(all, expected);
        assert!(matches!(reader.next(), Err(Fault::Gone)));
    }

    #[test]
    fn what_is_not_a_frame_is_told_by_its_status() {
        let status = |bytes: &[u8]| match Reader::new(bytes).next() {
            Err(Fault::Wrong(status)) => status,
            other => panic!("{other:?}"),
        };
        assert_eq!(status(&[0x81, 0x01, b'a']), PROTOCOL_ERROR, "not masked");
        assert_eq!(status(&frame(0xc1, b"a")), PROTOCOL_ERROR, "a reserved bit");
        assert_eq!(status(&frame(0x83, b"a")), PROTOCOL_ERROR, "a reserved kind");
        assert_eq!(status(&frame(0x09, b"a")), PROTOCOL_ERROR, "a ping in pieces");
        assert_eq!(status(&frame(0x89, &[0; 126])), PROTOCOL_ERROR, "a long ping");
        assert_eq!(status(&frame(0x80, b"a")), PROTOCOL_ERROR, "the end of nothing");
        assert_eq!(status(&[frame(0x01, b"a"), frame(0x81, b"b")].concat()), PROTOCOL_ERROR, "two messages at a time");
        assert_eq!(status(&frame(0x81, &[0xff, 0xfe])), NOT_TEXT);
        let endless = [&[0x82, 0xff][..], &u64::MAX.to_be_bytes(), &[0; 4]].concat();
        assert_eq!(status(&endless), TOO_LONG);
        let half = vec![0; MOST_BYTES / 2 + 1];
        assert_eq!(status(&[frame(0x02, &half), frame(0x80, &half)].concat()), TOO_LONG);
    }
}
