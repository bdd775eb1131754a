//! A WebSocket client of a few lines, and a bending system whose rows are told to a server.
#![allow(dead_code, reason = "each test takes what it needs")]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use supple::ElasticRotation;
use supple::testkit::{Prepared, RandomOptions, random_system};
use supple_io::results::{Column, IntegratorSummary, Summary, Table};
use supple_report::live::Broadcast;
use supple_report::{MotionRecorder, Origin, Scene};

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

/// A random system with flexible bodies, its table and its rows.
pub struct Bending {
    pub at: Prepared,
    pub scene: Scene,
    pub table: Table,
    pub summary: Summary,
    pub recorder: MotionRecorder,
}

impl Bending {
    pub fn new() -> Self {
        // Frames hold rotations: those of a linear elastic rotation are none.
        let elastic_rotation = Some(ElasticRotation::RotationVector);
        let (system, random) = random_system(5, &RandomOptions { elastic_rotation, ..RandomOptions::default() });
        let at = Prepared::new(&system, &random);
        let scene = Scene::new("bending", &system, &at.model, &|_| Vec::new());
        assert!(scene.bodies.len() > 2 && scene.bodies.iter().any(|body| body.modes > 0));
        let mut columns = vec![Column::new("time", "s", "simulated time")];
        columns.extend(["hinge.a", "hinge.b", "energy.total"].map(|name| Column::new(name, "1", "made up")));
        columns
            .extend(["x", "y", "z", "qx", "qy", "qz", "qw"].map(|q| Column::new(format!("node.arm.tip.{q}"), "1", "")));
        let table = Table::new("bending", columns).unwrap();
        let integrator =
            IntegratorSummary { name: "x".into(), relative_tolerance: None, absolute_tolerance: None, step: None };
        let summary = Summary::new("bend", &table, integrator);
        let recorder = MotionRecorder::new(&scene, &at.model);
        Self { at, scene, table, summary, recorder }
    }

    pub fn broadcast(&self) -> Arc<Broadcast> {
        Arc::new(Broadcast::new(self.scene.clone(), Origin::default(), self.summary.clone()))
    }

    /// Row `i`, every hundredth of a second, and its frame: the deformation dies away.
    pub fn row(&mut self, i: usize) -> (Vec<f64>, Vec<f32>) {
        let t = 0.01 * i as f64;
        let mut state = self.at.state.clone();
        state.time = t;
        for body in self.at.model.body_indices() {
            state.coordinates[self.at.model.modal_coordinates(body)].iter_mut().for_each(|q| *q *= (-t).exp());
        }
        self.recorder.take(&self.scene, &self.at.model, &state).unwrap();
        let sum = if i == 1 { f64::NAN } else { 1.0 / (1.0 + t) };
        let row = vec![t, t.sin(), 0.1 + t, sum, t, 2.0, 3.0, 0.0, 0.6, 0.0, 0.8];
        (row, self.recorder.frame().to_vec())
    }
}
