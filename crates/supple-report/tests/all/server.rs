//! The server of a run that goes on: for this machine alone, for any number of readers.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use supple::{Body, Hinge, HingeKind, Model, Parent, State, System};
use supple_io::results::{Column, IntegratorSummary, Outcome, Summary, Table, Warning};
use supple_report::live::{Broadcast, Server, Source};
use supple_report::{MotionRecorder, Origin, Scene, page};

/// A wheel whose rows are told to a server.
struct Wheel {
    scene: Scene,
    model: Model,
    recorder: MotionRecorder,
    summary: Summary,
    broadcast: Arc<Broadcast>,
}

impl Wheel {
    fn new() -> Self {
        let inertia = [[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.5]];
        let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 0.0, 1.0] });
        let body = Body::rigid("wheel", Parent::Ground, hinge, 1.0, [1.0, 0.0, 0.0], inertia);
        let system = System { bodies: vec![body], ..System::default() };
        let model = Model::build(&system).unwrap();
        let scene = Scene::new("wheel", &system, &model, &|_| Vec::new());
        let columns = vec![Column::new("time", "s", ""), Column::new("hinge.wheel", "rad", "")];
        let table = Table::new("wheel", columns).unwrap();
        let integrator =
            IntegratorSummary { name: "x".into(), relative_tolerance: None, absolute_tolerance: None, step: None };
        let summary = Summary::new("turn", &table, integrator);
        let recorder = MotionRecorder::new(&scene, &model);
        let broadcast = Arc::new(Broadcast::new(scene.clone(), Origin::default(), summary.clone()));
        Self { scene, model, recorder, summary, broadcast }
    }

    fn tell(&mut self, rows: std::ops::Range<u32>) {
        for row in rows {
            let mut state = State::new(&self.model);
            (state.time, state.coordinates[0]) = (f64::from(row), 0.1 * f64::from(row));
            self.recorder.take(&self.scene, &self.model, &state).unwrap();
            self.broadcast.tell(&[state.time, state.coordinates[0]], self.recorder.frame());
        }
    }

    fn serve(&self) -> Server {
        Server::start(0, Source::Live(Arc::clone(&self.broadcast)), None).unwrap()
    }
}

fn ask(address: SocketAddr, head: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    stream.write_all(head.as_bytes()).unwrap();
    stream
}

/// The whole answer to a request.
fn answer(address: SocketAddr, head: &str) -> String {
    let mut text = String::new();
    ask(address, head).read_to_string(&mut text).unwrap();
    text
}

fn get(address: SocketAddr, path: &str) -> String {
    answer(address, &format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n"))
}

/// Reads events until one that holds a text has come.
fn read_until(stream: &mut TcpStream, text: &str) -> String {
    let (mut seen, mut buffer) = (Vec::new(), [0; 4096]);
    while !String::from_utf8_lossy(&seen).contains(text) {
        let count = stream.read(&mut buffer).unwrap();
        assert!(count > 0, "the stream ended before `{text}`: {}", String::from_utf8_lossy(&seen));
        seen.extend_from_slice(&buffer[..count]);
    }
    String::from_utf8(seen).unwrap()
}

#[test]
fn rows_reach_every_reader_and_late_ones_find_them_in_the_page() {
    let mut wheel = Wheel::new();
    let server = wheel.serve();
    let address = server.address();
    wheel.tell(0..3);
    let events = |from: u32| ask(address, &format!("GET /events?from={from} HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    let (mut one, mut other) = (events(0), events(2));
    let first = read_until(&mut one, "id: 3\n");
    assert!(first.contains("\"time\":0.0") && first.contains("\"time\":2.0") && first.contains("text/event-stream"));
    let second = read_until(&mut other, "id: 3\n");
    assert!(!second.contains("\"time\":1.0") && second.contains("\"time\":2.0"));
    wheel.tell(3..5);
    for stream in [&mut one, &mut other] {
        assert!(read_until(stream, "id: 5\n").contains("\"time\":4.0"));
    }
    // A browser that lost the connection says what it has seen.
    let head = "GET /events?from=0 HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: 4\r\n\r\n";
    let again = read_until(&mut ask(address, head), "id: 5\n");
    assert!(again.contains("\"time\":4.0") && !again.contains("\"time\":3.0"));
    let html = get(address, "/");
    assert!(html.starts_with("HTTP/1.1 200 OK\r\n"), "{html}");
    if page::IS_COMPLETE {
        assert!(html.contains("\"kind\":\"live\"") && html.contains("\"next\":5"));
    }
    wheel.summary.outcome = Outcome::Finished;
    wheel.broadcast.end(&wheel.summary);
    for stream in [&mut one, &mut other] {
        assert!(read_until(stream, "event: over\n").contains("over"));
    }
    assert!(!page::IS_COMPLETE || get(address, "/").contains("\"kind\":\"report\""));
}

/// Warnings reach readers before the next row, and are in the page of those that come later.
#[test]
fn warnings_reach_readers_when_they_come() {
    let mut wheel = Wheel::new();
    let server = wheel.serve();
    wheel.tell(0..2);
    let mut events = ask(server.address(), "GET /events?from=0 HTTP/1.1\r\nHost: localhost\r\n\r\n");
    read_until(&mut events, "id: 2\n\n");
    wheel.broadcast.warn(&Warning { time: 1.5, text: "a \"doubt\"".into() });
    read_until(&mut events, "event: warning\ndata: \"a \\\"doubt\\\"\"\n\n");
    assert!(get(server.address(), "/").contains("doubt"));
}

#[test]
fn a_reader_that_is_too_slow_misses_rows_and_nothing_else() {
    let mut wheel = Wheel::new();
    wheel.tell(0..6000);
    let server = wheel.serve();
    let head = "GET /events?from=0 HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let told = read_until(&mut ask(server.address(), head), "id: 6000\n");
    assert!(!told.contains("\"time\":0.0,") && told.contains("\"time\":5999.0,"));
}

#[test]
fn strangers_and_nonsense_are_refused() {
    let wheel = Wheel::new();
    let server = wheel.serve();
    let address = server.address();
    assert_eq!(address.ip(), Ipv4Addr::LOCALHOST);
    for (head, status) in [
        ("GET / HTTP/1.1\r\nHost: example.org\r\n\r\n", "403"),
        ("GET / HTTP/1.1\r\n\r\n", "403"),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nHost: example.org\r\n\r\n", "403"),
        ("GET / HTTP/1.1\r\nHost: example.org\r\nHost: localhost\r\n\r\n", "403"),
        ("POST / HTTP/1.1\r\nHost: localhost\r\n\r\n", "405"),
        ("GET /../summary.json HTTP/1.1\r\nHost: localhost\r\n\r\n", "404"),
        ("GET /results.csv HTTP/1.1\r\nHost: localhost\r\n\r\n", "404"),
        ("nonsense\r\n\r\n", "400"),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n\r\n", "400"),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n", "200"),
    ] {
        assert!(answer(address, head).starts_with(&format!("HTTP/1.1 {status} ")), "{head}");
    }
    // It listens at one address and no other; on Linux all of 127.0.0.0/8 is this machine.
    let other = SocketAddr::new(Ipv4Addr::new(127, 0, 0, 2).into(), address.port());
    let refused = TcpStream::connect_timeout(&other, Duration::from_secs(2));
    assert!(refused.is_err(), "the server answers at {other}");
}

/// More connections than there may be are sent away, and places are given back.
#[test]
fn places_are_given_back() {
    let mut wheel = Wheel::new();
    let server = wheel.serve();
    let address = server.address();
    wheel.tell(0..1);
    let events = format!("GET /events HTTP/1.1\r\nHost: {address}\r\n\r\n");
    let mut held: Vec<TcpStream> = (0..32).map(|_| ask(address, &events)).collect();
    held.iter_mut().for_each(|stream| drop(read_until(stream, "data:")));
    assert!(get(address, "/").starts_with("HTTP/1.1 503 "), "a connection too many");
    drop(held);
    let begun = Instant::now();
    while !get(address, "/").starts_with("HTTP/1.1 200 ") {
        assert!(begun.elapsed() < Duration::from_secs(20), "no place is given back");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// A thousand connections that say nothing, and then one that asks: it is answered at once, as often as it likes, in frames of this machine alone.
#[test]
fn silent_connections_keep_nobody_out() {
    let wheel = Wheel::new();
    let server = wheel.serve();
    let address = server.address();
    let connect = || TcpStream::connect_timeout(&address, Duration::from_secs(5)).unwrap();
    let silent: Vec<TcpStream> = (0..1000).map(|_| connect()).collect();
    for _ in 0..5 {
        let begun = Instant::now();
        let answer = get(address, "/");
        assert!(answer.starts_with("HTTP/1.1 200 "), "{answer:.200}");
        assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
        assert!(
            answer.contains("Content-Security-Policy: frame-ancestors 'self' http://127.0.0.1:* "),
            "{answer:.600}"
        );
    }
    drop(silent);
}

#[test]
fn a_server_that_is_dropped_is_gone() {
    let wheel = Wheel::new();
    let server = wheel.serve();
    let address = server.address();
    drop(server);
    assert!(TcpStream::connect_timeout(&address, Duration::from_secs(1)).is_err());
}
