//! A WebSocket client of a few lines.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

/// A key and what has to be answered to it: those of RFC 6455, section 1.3.
pub const KEY: &str = "dGhlIHNhbXBsZSBub25jZQ==";
pub const ACCEPT: &str = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";

/// The head of a request for a WebSocket, `more` lines in it.
pub fn head(host: &str, more: &str) -> String {
    format!("GET / HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n{more}\r\n")
}

pub fn usual(subprotocol: &str) -> String {
    let more =
        format!("Sec-WebSocket-Key: {KEY}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: {subprotocol}\r\n");
    head("localhost:8765", &more)
}

/// Something that a server says.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    Json(Value),
    Time(u64),
    /// Subscription, time, message.
    Message(u32, u64, Vec<u8>),
    Pong(Vec<u8>),
    /// Status.
    Close(u16),
}

pub struct Client(pub TcpStream);

impl Client {
    /// Asks, and gives the head of the answer.
    pub fn ask(address: SocketAddr, head: &str) -> (Self, String) {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream.write_all(head.as_bytes()).unwrap();
        let (mut answer, mut byte) = (Vec::new(), [0]);
        while !answer.ends_with(b"\r\n\r\n") && stream.read(&mut byte).unwrap() > 0 {
            answer.push(byte[0]);
        }
        (Self(stream), String::from_utf8(answer).unwrap())
    }

    /// A connection that has heard the first two messages, and the channels of the second by their topics.
    pub fn open(address: SocketAddr, subprotocol: &str) -> (Self, Vec<Value>) {
        let (mut own, answer) = Self::ask(address, &usual(subprotocol));
        assert!(answer.starts_with("HTTP/1.1 101 ") && answer.contains(ACCEPT), "{answer}");
        assert!(answer.contains(&format!("Sec-WebSocket-Protocol: {subprotocol}\r\n")), "{answer}");
        let Said::Json(info) = own.next() else { panic!() };
        assert_eq!((&info["op"], &info["capabilities"][0]), (&"serverInfo".into(), &"time".into()), "{info}");
        let Said::Json(told) = own.next() else { panic!() };
        assert_eq!(told["op"], "advertise");
        (own, told["channels"].as_array().unwrap().clone())
    }

    /// Sends a frame, masked as those of clients are.
    pub fn send(&mut self, first: u8, payload: &[u8]) {
        let mask = [0x12, 0x34, 0x56, 0x78];
        let mut bytes = vec![first];
        match payload.len() {
            0..126 => bytes.push(0x80 | payload.len() as u8),
            length => bytes.extend([&[0x80 | 126][..], &(length as u16).to_be_bytes()].concat()),
        }
        bytes.extend(mask);
        bytes.extend(payload.iter().zip(mask.iter().cycle()).map(|(byte, mask)| byte ^ mask));
        self.0.write_all(&bytes).unwrap();
    }

    pub fn text(&mut self, text: &str) {
        self.send(0x81, text.as_bytes());
    }

    /// Subscribes to channels, each by a number that is ten more.
    pub fn subscribe(&mut self, channels: &[usize]) {
        let all: Vec<Value> = channels.iter().map(|c| serde_json::json!({"id": c + 10, "channelId": c})).collect();
        self.text(&serde_json::json!({"op": "subscribe", "subscriptions": all}).to_string());
    }

    pub fn next(&mut self) -> Said {
        let mut head = [0; 2];
        self.0.read_exact(&mut head).unwrap();
        assert!(head[0] & 0xf0 == 0x80 && head[1] & 0x80 == 0, "servers send whole messages without mask: {head:?}");
        let length = match head[1] {
            126 => u16::from_be_bytes(self.bytes()).into(),
            127 => u64::from_be_bytes(self.bytes()),
            short => short.into(),
        };
        let mut payload = vec![0; length as usize];
        self.0.read_exact(&mut payload).unwrap();
        let number = |at: usize| u64::from_le_bytes(payload[at..at + 8].try_into().unwrap());
        match (head[0] & 15, payload.first()) {
            (1, _) => Said::Json(serde_json::from_slice(&payload).unwrap()),
            (2, Some(1)) => {
                let id = u32::from_le_bytes(payload[1..5].try_into().unwrap());
                Said::Message(id, number(5), payload[13..].to_vec())
            }
            (2, Some(2)) if payload.len() == 9 => Said::Time(number(1)),
            (8, Some(high)) => Said::Close(u16::from_be_bytes([*high, payload[1]])),
            (10, _) => Said::Pong(payload),
            other => panic!("{other:?}"),
        }
    }

    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        self.0.read_exact(&mut bytes).unwrap();
        bytes
    }

    /// Whether the server has ended the connection.
    pub fn is_over(&mut self) -> bool {
        matches!(self.0.read(&mut [0]), Ok(0) | Err(_))
    }
}
