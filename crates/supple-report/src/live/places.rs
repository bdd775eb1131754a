//! Connections that a server has at a time. Those that have not asked yet give way to newer ones: whoever connects and says nothing keeps nobody out.

use std::collections::VecDeque;
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// Connections at a time; more are asked to come again.
const MOST: usize = 32;
/// Those that were told to go and have not yet gone come on top.
const MOST_WITH_LEAVING: usize = 4 * MOST;

/// All places.
#[derive(Debug, Default)]
pub(super) struct Places(Mutex<Taken>);

#[derive(Debug, Default)]
struct Taken {
    count: usize,
    /// Those that have not asked yet, the oldest first.
    silent: VecDeque<(u64, TcpStream)>,
    next: u64,
}

/// One of them, until it is dropped.
#[derive(Debug)]
pub(super) struct Place {
    places: Arc<Places>,
    number: u64,
}

impl Places {
    fn lock(&self) -> MutexGuard<'_, Taken> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for a connection; none where all are at work.
    pub fn take(self: &Arc<Self>, stream: &TcpStream) -> Option<Place> {
        // Those that leave take microseconds.
        for _ in 0..100 {
            if self.lock().count < MOST_WITH_LEAVING {
                break;
            }
            thread::sleep(Duration::from_millis(1));
        }
        let mut taken = self.lock();
        if taken.count >= MOST_WITH_LEAVING {
            return None;
        }
        if taken.count >= MOST {
            let (_, oldest) = taken.silent.pop_front()?;
            let _ = oldest.shutdown(Shutdown::Both);
        }
        let number = taken.next;
        taken.silent.push_back((number, stream.try_clone().ok()?));
        (taken.next, taken.count) = (number + 1, taken.count + 1);
        Some(Place { places: Arc::clone(self), number })
    }
}

impl Place {
    /// The connection has asked: it stays until it is served.
    pub fn keep(&self) {
        self.places.lock().silent.retain(|(number, _)| *number != self.number);
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.keep();
        self.places.lock().count -= 1;
    }
}
