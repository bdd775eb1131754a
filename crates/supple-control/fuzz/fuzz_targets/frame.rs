//! Any bytes are a frame or an error; what is a frame is written as it was read, and an inbox takes it at most once.
#![no_main]

use libfuzzer_sys::fuzz_target;
use supple_control::realtime::{FrameKind, Inbox, Key, MOST_BYTES, Taken, decode, encode};

fuzz_target!(|bytes: &[u8]| {
    let key = Key([1, 2]);
    if let Ok(frame) = decode(bytes, &key) {
        let values: Vec<f64> = frame.values().collect();
        let mut again = [0; MOST_BYTES];
        let length = encode(&frame.header, &values, &key, &mut again).expect("it has room");
        assert_eq!(&again[..length], bytes);
        let mut inbox = Inbox::new(key, FrameKind::Command, frame.header.session, values.len());
        if let Ok(Taken::Values(..)) = inbox.take(bytes, u64::MAX) {
            assert!(inbox.take(bytes, u64::MAX).is_err());
        }
    }
});
