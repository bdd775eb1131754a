//! A run that is looked at while it goes on.

use std::io::{self, Write};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use supple_io::results::{Summary, Warning};
use supple_report::foxglove::Feed;
use supple_report::live::{Broadcast, Server, Source};
use supple_report::{Origin, Scene};
use supple_run::Interrupt;

/// Longest sleep before Ctrl-C is looked at.
const NAP: Duration = Duration::from_millis(20);

/// How a run is looked at.
#[derive(Clone, Debug)]
pub struct LiveOptions {
    /// Port of the server; 0 for any that is free.
    pub port: u16,
    /// Simulated seconds per second of the clock; as fast as possible if none.
    pub speed: Option<f64>,
    /// Speak Foxglove's protocol too, with pages of these sites beside those that are always let in.
    pub foxglove: Option<Vec<String>>,
}

/// The server of a run.
pub struct Live {
    broadcast: Arc<Broadcast>,
    server: Server,
    speed: Option<f64>,
    /// Time of the clock and simulated time of the first row.
    begun: Option<(Instant, f64)>,
}

impl Live {
    /// Starts the server, and says where it is.
    pub fn start(options: &LiveOptions, scene: &Scene, origin: &Origin, summary: &Summary) -> Result<Self, String> {
        let broadcast = Arc::new(Broadcast::new(scene.clone(), origin.clone(), summary.clone()));
        let feed = match &options.foxglove {
            Some(origins) => {
                let feed = Feed::live(Arc::clone(&broadcast)).map_err(|error| error.to_string())?;
                Some(feed.with_origins(origins.clone()))
            }
            None => None,
        };
        let server = listen(options.port, Source::Live(Arc::clone(&broadcast)), feed)?;
        Ok(Self { broadcast, server, speed: options.speed, begun: None })
    }

    /// Tells a row, and waits until it is due.
    pub fn tell(&mut self, row: &[f64], frame: &[f32], interrupt: &Interrupt) {
        self.broadcast.tell(row, frame);
        let time = row.first().copied().unwrap_or(0.0);
        let (begun, from) = *self.begun.get_or_insert((Instant::now(), time));
        let Some(speed) = self.speed else { return };
        // A time beyond what a duration can hold is waited for until Ctrl-C.
        let due = Duration::try_from_secs_f64((time - from) / speed).unwrap_or(Duration::MAX);
        while begun.elapsed() < due && !interrupt.is_set() {
            thread::sleep(NAP.min(due.saturating_sub(begun.elapsed())));
        }
    }

    /// Tells a warning.
    pub fn warn(&self, warning: &Warning) {
        self.broadcast.warn(warning);
    }

    /// Tells how the run ended; the page stays until Ctrl-C.
    pub fn end(self, summary: &Summary, interrupt: &Interrupt) {
        self.broadcast.end(summary);
        stay(&self.server, interrupt);
    }
}

/// Starts a server, and says where it is.
pub fn listen(port: u16, source: Source, feed: Option<Feed>) -> Result<Server, String> {
    let feed = feed.map(|feed| feed.with_notice(|text| drop(writeln!(io::stderr(), "supple: {text}"))));
    let speaks_foxglove = feed.is_some();
    let server = Server::start(port, source, feed).map_err(|error| {
        format!("port {port} of 127.0.0.1 cannot be used ({error}); choose another with --port, or any free one with --port 0")
    })?;
    let _ = writeln!(io::stdout(), "open in a browser on this machine: http://{}/", server.address());
    if speaks_foxglove {
        let _ = writeln!(io::stdout(), "connect from Foxglove or Lichtblick: ws://{}", server.address());
    }
    let _ = io::stdout().flush();
    Ok(server)
}

/// Waits for Ctrl-C.
pub fn stay(server: &Server, interrupt: &Interrupt) {
    if !interrupt.is_set() {
        let _ = writeln!(io::stdout(), "the report stays at http://{}/ until Ctrl-C", server.address());
        let _ = io::stdout().flush();
    }
    while !interrupt.is_set() {
        thread::sleep(NAP);
    }
}
