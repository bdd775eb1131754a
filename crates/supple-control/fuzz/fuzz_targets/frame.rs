//! Any bytes are a frame or an error. What is a frame is written as it was read, an inbox takes it at most once, and neither side ever holds a command that is no
//! number. Bytes whose checksum is wrong are never taken; the same bytes are then tried under the right one, which reaches what lies behind it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use supple_control::realtime::{
    DeadlinePolicy, DriveLimits, DriveSignals, Drives, FrameKind, HEAD, Inbox, Key, LinkPlan, MOST_BYTES, Received, TAIL,
    Taken, decode, encode,
};

const KEY: Key = Key([1, 2]);
const SESSION: u64 = 9;

fuzz_target!(|bytes: &[u8]| {
    look_at(bytes);
    if bytes.len() < HEAD + TAIL || bytes.len() > MOST_BYTES {
        return;
    }
    let mut sealed = [0; MOST_BYTES];
    let sealed = &mut sealed[..bytes.len()];
    sealed.copy_from_slice(bytes);
    // What lies behind magic, version, kind and session is reached more often.
    if bytes[0] & 1 == 0 {
        sealed[..6].copy_from_slice(b"SUPL\x01\x03");
        sealed[8..16].copy_from_slice(&SESSION.to_le_bytes());
        sealed[40..48].copy_from_slice(&(((bytes.len() - HEAD - TAIL) / 8) as u64).to_le_bytes());
    }
    let (body, tail) = sealed.split_at_mut(bytes.len() - TAIL);
    tail.copy_from_slice(&KEY.checksum(body).to_le_bytes());
    look_at(sealed);
});

fn look_at(bytes: &[u8]) {
    let is_sealed = bytes.len() >= TAIL && {
        let (body, tail) = bytes.split_at(bytes.len() - TAIL);
        tail == KEY.checksum(body).to_le_bytes()
    };
    let decoded = decode(bytes, &KEY);
    assert!(is_sealed || decoded.is_err(), "taken with a wrong checksum");
    if let Ok(frame) = decoded {
        let values: Vec<f64> = frame.values().collect();
        let mut again = [0; MOST_BYTES];
        let length = encode(&frame.header, &values, &KEY, &mut again).expect("it has room");
        assert_eq!(&again[..length], bytes);
        let mut inbox = Inbox::new(KEY, FrameKind::Command, frame.header.session, values.len());
        if let Ok(Taken::Values(..)) = inbox.take(bytes, u64::MAX) {
            assert!(inbox.take(bytes, u64::MAX).is_err());
        }
    }
    let mut drives = Drives::new(plan(), KEY, SESSION);
    let received = drives.receive(bytes, 1000);
    let moves = drives.settle(1000, true).is_some();
    assert!(received != Received::Refused || !moves, "moves on after a frame that was refused");
    assert!(drives.commands().iter().all(|command| command.is_finite() && command.abs() <= 10.001));
}

/// One drive, whose effort is at most 10.
fn plan() -> LinkPlan {
    let limits = DriveLimits { effort: 10.0, ..DriveLimits::default() };
    LinkPlan {
        start: 0.0,
        period: 1e-3,
        measurements: vec![limits.position_bounds(true), limits.speed_bounds()],
        expected: vec![],
        warm_up: 0,
        commands: 1,
        drives: vec![DriveSignals { position: 0, speed: 1, efforts: vec![0], limits }],
        losses: 10,
        policy: DeadlinePolicy::Hold,
    }
}
