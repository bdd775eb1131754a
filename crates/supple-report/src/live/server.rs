//! A server for browsers on this machine: pages and events, nothing else.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::broadcast::{Broadcast, News};
use super::places::{Place, Places};
use super::request::Request;
use crate::foxglove::{Feed, client};

/// Connections that are being sent away at a time; more are cut.
const MOST_REFUSALS: usize = 16;
/// How long a browser may take to ask, and to read.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long one that is sent away may take to ask.
const GLANCE: Duration = Duration::from_millis(100);
/// How often a silent stream of events shows that it is alive.
const BEAT: Duration = Duration::from_millis(500);

/// Pages that may show the page in a frame: those of this machine, notebooks among them.
const FRAMES: &str = "'self' http://127.0.0.1:* http://localhost:* https://localhost:* vscode-webview:";

/// What the server shows.
#[derive(Clone, Debug)]
pub enum Source {
    /// A page that does not change.
    Page(Arc<str>),
    /// A run that goes on.
    Live(Arc<Broadcast>),
}

/// Everything that the server shows.
#[derive(Debug)]
struct Shown {
    source: Source,
    foxglove: Option<Feed>,
}

/// A server on the loopback address, which no other machine can reach. It stops when it is dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    stopped: Arc<AtomicBool>,
    listening: Option<JoinHandle<()>>,
}

impl Server {
    /// Listens on a port of 127.0.0.1; port 0 stands for any that is free. With a feed it also speaks Foxglove's protocol there.
    ///
    /// # Errors
    /// A port that is taken.
    pub fn start(port: u16, source: Source, foxglove: Option<Feed>) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let address = listener.local_addr()?;
        let stopped = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stopped);
        let shown = Arc::new(Shown { source, foxglove });
        let listening = thread::Builder::new().name("view".into()).spawn(move || listen(&listener, &shown, &flag))?;
        Ok(Self { address, stopped, listening: Some(listening) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::SeqCst);
        // Wakes the listener, which then sees that it is over.
        let _ = TcpStream::connect(self.address);
        if let Some(listening) = self.listening.take() {
            let _ = listening.join();
        }
    }
}

fn listen(listener: &TcpListener, shown: &Arc<Shown>, stopped: &Arc<AtomicBool>) {
    let (places, refusals) = (Arc::new(Places::default()), Arc::new(AtomicUsize::new(0)));
    for stream in listener.incoming() {
        if stopped.load(Ordering::SeqCst) {
            return;
        }
        let Ok(stream) = stream else { continue };
        // The address is that of this machine by the binding already; a peer that is not is sent away all the same.
        let near = stream.peer_addr().is_ok_and(|peer| peer.ip().is_loopback());
        let Some(place) = places.take(&stream).filter(|_| near) else {
            refuse(stream, &refusals);
            continue;
        };
        let (shown, stopped) = (Arc::clone(shown), Arc::clone(stopped));
        // A thread that cannot be had, like one that ends, gives the place back.
        let _ = thread::Builder::new().name("view client".into()).spawn(move || {
            // A browser that goes away is no failure.
            let _ = serve(stream, &shown, &stopped, &place);
        });
    }
}

/// Sends a connection away without letting others wait for it.
fn refuse(mut stream: TcpStream, refusals: &Arc<AtomicUsize>) {
    if refusals.fetch_add(1, Ordering::SeqCst) >= MOST_REFUSALS {
        refusals.fetch_sub(1, Ordering::SeqCst);
        return;
    }
    let count = Arc::clone(refusals);
    let spawned = thread::Builder::new().name("view refusal".into()).spawn(move || {
        // What was asked and not read would have the answer thrown away.
        let _ = stream.set_read_timeout(Some(GLANCE)).and_then(|()| stream.read(&mut [0; 4096]));
        let _ = answer(&mut stream, "503 Service Unavailable", "text/plain", "too many connections: close a tab\n");
        count.fetch_sub(1, Ordering::SeqCst);
    });
    if spawned.is_err() {
        refusals.fetch_sub(1, Ordering::SeqCst);
    }
}

/// A stream from which everything has to come before a time.
struct Before<'s> {
    stream: &'s TcpStream,
    end: Instant,
}

impl Read for Before<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(ErrorKind::TimedOut.into());
        }
        self.stream.set_read_timeout(Some(left))?;
        let mut stream = self.stream;
        stream.read(buffer)
    }
}

fn serve(mut stream: TcpStream, shown: &Shown, stopped: &AtomicBool, place: &Place) -> io::Result<()> {
    stream.set_write_timeout(Some(PATIENCE))?;
    let request = match Request::read(&mut Before { stream: &stream, end: Instant::now() + PATIENCE }) {
        Ok(request) => request,
        Err(_) => return answer(&mut stream, "408 Request Timeout", "text/plain", "no request received\n"),
    };
    place.keep();
    stream.set_read_timeout(Some(PATIENCE))?;
    let Some(request) = request else {
        return answer(&mut stream, "400 Bad Request", "text/plain", "invalid request\n");
    };
    if !request.is_for_this_machine() {
        return answer(&mut stream, "403 Forbidden", "text/plain", "this server accepts 127.0.0.1 only\n");
    }
    if request.method != "GET" {
        return answer(&mut stream, "405 Method Not Allowed", "text/plain", "only GET\n");
    }
    // Other upgrades, such as to HTTP/2, are offers that need not be taken.
    if let Some(upgrade) = request.upgrade.as_ref().filter(|upgrade| upgrade.to.eq_ignore_ascii_case("websocket")) {
        return match shown.foxglove.as_ref().map(|feed| (feed, feed.admit(upgrade, request.origin.as_deref()))) {
            Some((feed, Ok(head))) => client::serve(stream, feed, &head, stopped),
            Some((_, Err(refusal))) => answer(&mut stream, refusal.status, "text/plain", &refusal.text),
            None => answer(&mut stream, "400 Bad Request", "text/plain", "no WebSocket here: start with --foxglove\n"),
        };
    }
    match (request.path.as_str(), &shown.source) {
        ("/", Source::Page(page)) => answer(&mut stream, "200 OK", "text/html; charset=utf-8", page),
        ("/", Source::Live(run)) => answer(&mut stream, "200 OK", "text/html; charset=utf-8", &run.page()),
        ("/events", Source::Live(run)) => {
            let from = request.last_event.or_else(|| request.number("from")).unwrap_or(0);
            events(&mut stream, run, from, stopped)
        }
        _ => answer(&mut stream, "404 Not Found", "text/plain", "there is only /\n"),
    }
}

fn answer(stream: &mut TcpStream, status: &str, kind: &str, text: &str) -> io::Result<()> {
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\nCache-Control: no-store\r\n\
         X-Content-Type-Options: nosniff\r\nCross-Origin-Resource-Policy: same-origin\r\n\
         Content-Security-Policy: frame-ancestors {FRAMES}\r\n\r\n",
        text.len()
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(text.as_bytes())?;
    stream.flush()
}

/// Server-sent events: rows and warnings as they come, then the end. The page itself has the warnings before.
fn events(stream: &mut TcpStream, run: &Broadcast, mut from: u64, stopped: &AtomicBool) -> io::Result<()> {
    stream.write_all(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\nConnection: close\r\n\
          Cross-Origin-Resource-Policy: same-origin\r\n\r\nretry: 500\n\n",
    )?;
    let mut warned = 0;
    while !stopped.load(Ordering::SeqCst) {
        let news = run.news(from, BEAT);
        for warning in run.warnings(warned) {
            warned += 1;
            write!(stream, "event: warning\ndata: {}\n\n", serde_json::json!(warning.text))?;
        }
        match news {
            News::Rows(rows, next) => {
                from = next;
                write!(stream, "event: rows\ndata: {rows}\nid: {next}\n\n")?;
            }
            News::Over(summary) => {
                write!(stream, "event: over\ndata: {summary}\nid: {from}\n\n")?;
                return stream.flush();
            }
            News::Nothing => stream.write_all(b": still here\n\n")?,
        }
        stream.flush()?;
        // Rows that come close together go together.
        thread::sleep(Duration::from_millis(15));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes that come one by one do not put the end off.
    #[test]
    fn a_head_that_never_ends_is_given_up() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let mut near = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (far, _) = listener.accept().unwrap();
        let slow = thread::spawn(move || {
            while near.write_all(b"x").is_ok() {
                thread::sleep(Duration::from_millis(20));
            }
        });
        let begun = Instant::now();
        let mut before = Before { stream: &far, end: begun + Duration::from_millis(300) };
        let error = before.read_to_end(&mut Vec::new()).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::TimedOut | ErrorKind::WouldBlock), "{error}");
        assert!(begun.elapsed() >= Duration::from_millis(290));
        drop(far);
        slow.join().unwrap();
    }
}
