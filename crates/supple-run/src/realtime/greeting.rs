//! How the two sides find each other: the controller greets until the plant answers with the session, and says that it is ready.

use std::time::{Duration, Instant};

use supple_control::realtime::{Flags, FrameKind, HEAD, Header, Key, MOST_BYTES, TAIL, decode, encode};

use super::line::Line;
use crate::{Interrupt, RunError, RunErrorKind};

/// How often a greeting is said again.
const AGAIN: Duration = Duration::from_millis(50);

/// What the plant decides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Greeting {
    /// Of this start of the plant.
    pub session: u64,
    /// What both have read: signals, period, blocks.
    pub layout: u64,
    /// Simulated seconds for each of the clock; zero in lock step.
    pub speed: f64,
}

impl Greeting {
    /// The frame; its numbers are those halves of the layout that a float holds, and the speed.
    fn frame(&self, key: &Key) -> [u8; HEAD + 24 + TAIL] {
        let mut bytes = [0; HEAD + 24 + TAIL];
        let header = Header {
            kind: FrameKind::Hello,
            flags: Flags::default(),
            session: self.session,
            sequence: 0,
            time: 0,
            answers: 0,
        };
        let values = [(self.layout >> 32) as f64, (self.layout as u32).into(), self.speed];
        // Its place has the right size.
        let _ = encode(&header, &values, key, &mut bytes);
        bytes
    }

    fn read(bytes: &[u8], key: &Key) -> Option<Self> {
        let frame = decode(bytes, key).ok().filter(|frame| frame.header.kind == FrameKind::Hello)?;
        let mut values = frame.values();
        let mut half = || values.next().filter(|x| (0.0..4294967296.0).contains(x)).map(|x| x as u64);
        let layout = half()? << 32 | half()?;
        let speed = values.next().filter(|speed| *speed >= 0.0 && speed.is_finite())?;
        Some(Self { session: frame.header.session, layout, speed })
    }

    /// Says it.
    pub fn say(&self, line: &Line, key: &Key) {
        line.send(&self.frame(key));
    }

    /// Says that somebody is there, before the session is known.
    fn first(layout: u64) -> Self {
        Self { session: 0, layout, speed: 0.0 }
    }
}

/// The plant waits until its controller is ready.
pub(super) fn welcome(line: &Line, own: Greeting, key: &Key, interrupt: &Interrupt) -> Result<(), RunError> {
    listen(line, own.layout, key, (interrupt, None), &mut |heard| {
        if heard.is_some_and(|heard| heard.session == own.session) {
            return Some(());
        }
        if heard.is_some() {
            own.say(line, key);
        }
        None
    })
}

/// The controller greets until it knows the session.
pub(super) fn greet(
    line: &Line,
    layout: u64,
    key: &Key,
    (interrupt, patience): (&Interrupt, Duration),
) -> Result<Greeting, RunError> {
    Greeting::first(layout).say(line, key);
    listen(
        line,
        layout,
        key,
        (interrupt, Some(patience)),
        &mut |heard| match heard.filter(|heard| heard.session != 0) {
            Some(heard) => {
                heard.say(line, key);
                Some(heard)
            }
            None => {
                Greeting::first(layout).say(line, key);
                None
            }
        },
    )
}

/// Listens until an answer satisfies; what is heard is none after a while of silence.
fn listen<T>(
    line: &Line,
    layout: u64,
    key: &Key,
    (interrupt, patience): (&Interrupt, Option<Duration>),
    answer: &mut dyn FnMut(Option<Greeting>) -> Option<T>,
) -> Result<T, RunError> {
    let (begun, mut buffer) = (Instant::now(), [0; MOST_BYTES]);
    while !interrupt.is_set() {
        if patience.is_some_and(|patience| begun.elapsed() > patience) {
            let message = "no answer from the address of the plant";
            return Err(RunError::cannot_begin(message)
                .with_remedy("start `supple plant` with the same file, and with the same --key if there is one"));
        }
        let heard = line.receive(&mut buffer, AGAIN).and_then(|length| Greeting::read(&buffer[..length], key));
        if heard.is_some_and(|heard| heard.layout != layout) {
            return Err(RunError::cannot_begin("the other side runs another scenario: its signals differ")
                .with_remedy("start both with the same file and the same --set"));
        }
        if let Some(found) = answer(heard) {
            return Ok(found);
        }
    }
    Err(RunError::new(RunErrorKind::EndedEarly, "interrupted before the other side answered"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn greetings_are_read_as_they_were_said() {
        let key = Key([3, 4]);
        let own = Greeting { session: 77, layout: 0x1234_5678_9abc_def0, speed: 2.5 };
        assert_eq!(Greeting::read(&own.frame(&key), &key), Some(own));
        assert_eq!(Greeting::read(&own.frame(&key), &Key::default()), None);
        for speed in [f64::NAN, -1.0, f64::INFINITY] {
            assert_eq!(Greeting::read(&Greeting { speed, ..own }.frame(&key), &key), None);
        }
    }
}
