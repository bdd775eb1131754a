//! Frames between plant and controller: what is written is read, and nothing else is.

use supple_control::realtime::{
    Flags, FrameError, FrameKind, HEAD, Header, Key, MOST_BYTES, MOST_VALUES, TAIL, decode, encode,
};

/// Numbers that look random and are the same every time.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }
}

fn header(numbers: &mut Numbers) -> Header {
    let kinds = [FrameKind::Hello, FrameKind::Measurement, FrameKind::Command, FrameKind::End];
    Header {
        kind: kinds[numbers.below(4)],
        flags: Flags(numbers.next() as u16),
        session: numbers.next(),
        sequence: numbers.next(),
        time: numbers.next() as i64,
        answers: numbers.next(),
    }
}

#[test]
fn frames_are_read_as_they_were_written() {
    let mut numbers = Numbers(1);
    let mut bytes = [0; MOST_BYTES];
    for round in 0..2000 {
        let key = Key([numbers.next(), numbers.next()]);
        let count = if round == 0 { MOST_VALUES } else { numbers.below(64) };
        // Any bits, those of no number included.
        let values: Vec<f64> = (0..count).map(|_| f64::from_bits(numbers.next())).collect();
        let told = header(&mut numbers);
        let length = encode(&told, &values, &key, &mut bytes).unwrap();
        assert_eq!(length, HEAD + 8 * count + TAIL);
        let frame = decode(&bytes[..length], &key).unwrap();
        assert_eq!((frame.header, frame.len(), frame.is_empty()), (told, count, count == 0));
        let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&frame.values().collect::<Vec<_>>()), bits(&values));
        assert_eq!(decode(&bytes[..length], &Key([1, 2])).unwrap_err(), FrameError::Checksum);
    }
    let told = header(&mut numbers);
    let none = Key::default();
    assert_eq!(encode(&told, &[0.0; MOST_VALUES + 1], &none, &mut [0; 2 * MOST_BYTES]), Err(FrameError::TooLarge));
    assert_eq!(encode(&told, &[0.0; 2], &none, &mut [0; HEAD + TAIL + 15]), Err(FrameError::TooLarge));
}

/// The layout is the one that is documented, byte by byte: others read it.
#[test]
fn the_layout_is_the_documented_one() {
    let told = Header {
        kind: FrameKind::Measurement,
        flags: Flags::SAFE.with(Flags::OVERRUN, true),
        session: 0x0102_0304_0506_0708,
        sequence: 7,
        time: -2,
        answers: 6,
    };
    let mut bytes = [0; 64];
    assert_eq!(encode(&told, &[1.0], &Key::default(), &mut bytes), Ok(64));
    let mut expected = b"SUPL\x01\x02\x03\x00\x08\x07\x06\x05\x04\x03\x02\x01\x07\0\0\0\0\0\0\0\xfe\xff\xff\xff\xff\xff\xff\xff\x06\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\xf0\x3f".to_vec();
    expected.extend(Key::default().checksum(&expected).to_le_bytes());
    assert_eq!(bytes.as_slice(), expected);
}

/// A million frames, each changed in some bytes, cut, lengthened or mixed with another one: no panic, and none is taken unless it is what was written. The checksum of
/// whatever is taken is right; counted apart are those that only one of both would take.
#[test]
fn a_million_mutated_frames() {
    let mut numbers = Numbers(23);
    let key = Key([numbers.next(), numbers.next()]);
    let mut frames = Vec::new();
    for count in [0, 1, 6, 36] {
        for _ in 0..4 {
            let values: Vec<f64> = (0..count).map(|_| f64::from_bits(numbers.next())).collect();
            let mut bytes = vec![0; HEAD + 8 * count + TAIL];
            encode(&header(&mut numbers), &values, &key, &mut bytes).unwrap();
            frames.push(bytes);
        }
    }
    let (mut bytes, mut refused, mut taken) = (Vec::with_capacity(1024), [0_u32; 6], 0);
    for _ in 0..1_000_000 {
        bytes.clear();
        let original = &frames[numbers.below(frames.len())];
        bytes.extend_from_slice(original);
        match numbers.below(8) {
            0 => bytes.truncate(numbers.below(original.len() + 1)),
            1 => bytes.extend((0..numbers.below(40)).map(|i| i as u8)),
            2 => {
                let other = &frames[numbers.below(frames.len())];
                let cut = numbers.below(original.len().min(other.len()));
                bytes[..cut].copy_from_slice(&other[..cut]);
            }
            3 => bytes[40..48].copy_from_slice(&numbers.next().to_le_bytes()),
            _ => {
                for _ in 0..=numbers.below(4) {
                    let at = numbers.below(bytes.len());
                    bytes[at] ^= 1 << numbers.below(8);
                }
            }
        }
        let changed = !frames.contains(&bytes);
        match decode(&bytes, &key) {
            Ok(frame) => {
                taken += 1;
                assert!(!changed, "taken: {bytes:?}");
                assert_eq!(HEAD + 8 * frame.len() + TAIL, bytes.len());
            }
            Err(error) => {
                assert!(changed, "refused: {error}");
                refused[match error {
                    FrameError::NotAFrame => 0,
                    FrameError::Version(_) => 1,
                    FrameError::Length => 2,
                    FrameError::Checksum => 3,
                    FrameError::Kind(_) => 4,
                    _ => 5,
                }] += 1;
            }
        }
    }
    // Each way to be refused happens; a kind that is not there has a wrong checksum too.
    assert!(refused[..4].iter().all(|count| *count > 1000) && taken > 1000, "{refused:?} {taken}");
    assert_eq!(refused[4..], [0, 0]);
}
