//! Faults on purpose, to see what happens: frames that are lost, replayed, forged, or hold what is no number.

use std::str::FromStr;

use supple_control::realtime::{HEAD, Key, TAIL};

/// The byte of a frame that tells measurements from commands.
const KIND: usize = 5;

/// A fault that one side makes in what it sends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Injection {
    /// Frames are lost with this probability, the same ones every time, others in each direction.
    Drop(f64),
    /// The first value of one frame is no number, from this time on.
    Nan(f64),
    /// One frame is sent a second time.
    Replay(f64),
    /// A frame with a wrong checksum follows one.
    Forge(f64),
}

impl FromStr for Injection {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let rule = "one of drop=PROBABILITY, nan@SECONDS, replay@SECONDS, forge@SECONDS";
        let (word, number) = text.split_once(['=', '@']).ok_or(format!("`{text}` is not {rule}"))?;
        let value: f64 = number.parse().map_err(|_| format!("`{number}` is no number; a fault is {rule}"))?;
        match (word, text.as_bytes()[word.len()]) {
            ("drop", b'=') if (0.0..1.0).contains(&value) => Ok(Self::Drop(value)),
            ("drop", b'=') => Err(format!("the probability {value} must be from 0 to below 1")),
            _ if !(value.is_finite() && value >= 0.0) => Err(format!("the time {value} must not be negative")),
            ("nan", b'@') => Ok(Self::Nan(value)),
            ("replay", b'@') => Ok(Self::Replay(value)),
            ("forge", b'@') => Ok(Self::Forge(value)),
            _ => Err(format!("`{text}` is not {rule}")),
        }
    }
}

/// The faults of one side, at work.
#[derive(Clone, Debug, Default)]
pub(super) struct Injections {
    planned: Vec<Injection>,
    done: Vec<bool>,
    key: Key,
}

impl Injections {
    pub fn new(planned: Vec<Injection>, key: Key) -> Self {
        Self { done: vec![false; planned.len()], planned, key }
    }

    /// Sends a frame of a cycle with whatever is to go wrong with it.
    pub fn send(&mut self, (cycle, time): (u64, f64), frame: &mut [u8], send: &mut dyn FnMut(&[u8])) {
        let (mut lost, mut again, mut forged, key) = (false, false, false, self.key);
        for (injection, done) in self.planned.iter().zip(&mut self.done) {
            let mut once = |from: f64| time >= from && !std::mem::replace(done, time >= from);
            match *injection {
                // The checksum of the number of a cycle is as good as a die, another one for each kind of frame.
                Injection::Drop(part) => {
                    let thrown = Key([0x5eed, frame[KIND].into()]).checksum(&cycle.to_le_bytes());
                    lost |= (thrown as f64) < part * u64::MAX as f64;
                }
                Injection::Nan(from) if once(from) => spoil(&key, frame),
                Injection::Replay(from) => again |= once(from),
                Injection::Forge(from) => forged |= once(from),
                Injection::Nan(_) => {}
            }
        }
        if lost {
            return;
        }
        send(frame);
        if again {
            send(frame);
        }
        if forged {
            frame[16] ^= 0x55;
            send(frame);
            frame[16] ^= 0x55;
        }
    }
}

/// The first value becomes no number, under a right checksum.
fn spoil(key: &Key, frame: &mut [u8]) {
    let end = frame.len() - TAIL;
    if end > HEAD {
        frame[HEAD..HEAD + 8].copy_from_slice(&f64::NAN.to_le_bytes());
        let sum = key.checksum(&frame[..end]);
        frame[end..].copy_from_slice(&sum.to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_read() {
        assert_eq!("drop=0.05".parse(), Ok(Injection::Drop(0.05)));
        assert_eq!("nan@2".parse(), Ok(Injection::Nan(2.0)));
        for wrong in ["", "drop", "drop@1", "drop=2", "nan=1", "nan@-1", "nan@x", "melt@1", "forge@inf"] {
            assert!(wrong.parse::<Injection>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn one_frame_in_twenty_is_lost() {
        let mut injections = Injections::new(vec![Injection::Drop(0.05)], Key::default());
        let mut lost = |kind: u8, cycle: u64| {
            let (mut frame, mut is_sent) = ([kind; 56], false);
            injections.send((cycle, 0.0), &mut frame, &mut |_| is_sent = true);
            !is_sent
        };
        let both: Vec<[bool; 2]> = (0..100_000).map(|cycle| [2, 3].map(|kind| lost(kind, cycle))).collect();
        for side in [0, 1] {
            let count = both.iter().filter(|lost| lost[side]).count();
            assert!((4_500..5_500).contains(&count), "{count}");
        }
        // Independent in both directions: 1 in 400.
        let count = both.iter().filter(|lost| **lost == [true; 2]).count();
        assert!((200..300).contains(&count), "{count}");
    }
}
