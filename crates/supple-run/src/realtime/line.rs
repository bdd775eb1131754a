//! Datagrams between two programs: UDP between two addresses, and no others.

use std::io::{self, ErrorKind};
use std::net::{SocketAddr, UdpSocket};
use std::time::Duration;

use crate::{RunError, RunErrorKind};

/// The addresses of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Addresses {
    /// Where this side listens.
    pub own: SocketAddr,
    /// The other side; what others send is not received.
    pub peer: SocketAddr,
}

impl Addresses {
    /// Both on the loopback address, which no other machine can reach.
    pub fn loopback(own: u16, peer: u16) -> Self {
        let at = |port| SocketAddr::from(([127, 0, 0, 1], port));
        Self { own: at(own), peer: at(peer) }
    }
}

/// One end of a link.
#[derive(Debug)]
pub(super) struct Line(UdpSocket);

impl Line {
    pub fn open(addresses: Addresses) -> Result<Self, RunError> {
        let failed = |what: &str, at: SocketAddr, error: io::Error| {
            RunError::new(RunErrorKind::CannotBegin, format!("{what} {at} cannot be used: {error}"))
                .with_remedy("choose another address or port")
        };
        let socket = UdpSocket::bind(addresses.own).map_err(|error| failed("the address", addresses.own, error))?;
        socket
            .connect(addresses.peer)
            .and_then(|()| socket.set_nonblocking(true))
            .map_err(|error| failed("the peer", addresses.peer, error))?;
        Ok(Self(socket))
    }

    /// Sends. A peer that is not there, or a queue that is full, is a loss: the other side counts them.
    pub fn send(&self, bytes: &[u8]) {
        let _ = self.0.send(bytes);
    }

    /// What has come; waits for it, but no longer than this.
    pub fn receive(&self, buffer: &mut [u8], patience: Duration) -> Option<usize> {
        if let Some(length) = self.poll(buffer) {
            return Some(length);
        }
        if patience.is_zero() {
            return None;
        }
        wait(&self.0, patience);
        self.poll(buffer)
    }

    fn poll(&self, buffer: &mut [u8]) -> Option<usize> {
        loop {
            match self.0.recv(buffer) {
                Ok(length) => return Some(length),
                // What was sent earlier found nobody: this says nothing about what comes.
                Err(error) if matches!(error.kind(), ErrorKind::ConnectionRefused | ErrorKind::Interrupted) => {}
                Err(_) => return None,
            }
        }
    }
}

/// Waits until something has come, to the microsecond.
#[cfg(unix)]
fn wait(socket: &UdpSocket, patience: Duration) {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let timeout = Timespec { tv_sec: patience.as_secs() as i64, tv_nsec: i64::from(patience.subsec_nanos()) };
    let _ = poll(&mut [PollFd::new(socket, PollFlags::IN)], Some(&timeout));
}

/// Looks again every while.
#[cfg(not(unix))]
fn wait(socket: &UdpSocket, patience: Duration) {
    let begun = std::time::Instant::now();
    while begun.elapsed() < patience && socket.peek(&mut [0]).is_err() {
        std::thread::sleep(Duration::from_micros(200));
    }
}
