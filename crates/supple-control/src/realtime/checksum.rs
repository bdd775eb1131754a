//! The checksum of a frame: SipHash-2-4, 64 bits under a key of 128.
//!
//! Without a key it finds damage; with a key that both ends share, nobody else can make a frame that passes.

/// What both ends know. Zero where nothing is agreed on.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Key(pub [u64; 2]);

impl std::fmt::Debug for Key {
    /// Does not tell.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0 == [0, 0] { "Key(none)" } else { "Key(..)" })
    }
}

impl Key {
    /// A key from 32 hexadecimal digits.
    pub fn from_hex(text: &str) -> Option<Self> {
        let digits = text.trim();
        let whole = digits.len() == 32 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        let both = u128::from_str_radix(digits, 16).ok().filter(|_| whole)?;
        // The bytes as they are written, the first one lowest.
        let bytes = both.to_be_bytes();
        let half = |from: usize| u64::from_le_bytes(std::array::from_fn(|i| bytes[from + i]));
        Some(Self([half(0), half(8)]))
    }

    /// The checksum of some bytes.
    pub fn checksum(&self, bytes: &[u8]) -> u64 {
        let [k0, k1] = self.0;
        let mut v = [
            k0 ^ 0x736f_6d65_7073_6575,
            k1 ^ 0x646f_7261_6e64_6f6d,
            k0 ^ 0x6c79_6765_6e65_7261,
            k1 ^ 0x7465_6462_7974_6573,
        ];
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            absorb(&mut v, u64::from_le_bytes(*word));
        }
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        last[7] = bytes.len() as u8;
        absorb(&mut v, u64::from_le_bytes(last));
        v[2] ^= 0xff;
        (0..4).for_each(|_| round(&mut v));
        v[0] ^ v[1] ^ v[2] ^ v[3]
    }
}

fn absorb(v: &mut [u64; 4], word: u64) {
    v[3] ^= word;
    round(v);
    round(v);
    v[0] ^= word;
}

fn round(v: &mut [u64; 4]) {
    v[0] = v[0].wrapping_add(v[1]);
    v[1] = v[1].rotate_left(13) ^ v[0];
    v[0] = v[0].rotate_left(32);
    v[2] = v[2].wrapping_add(v[3]);
    v[3] = v[3].rotate_left(16) ^ v[2];
    v[0] = v[0].wrapping_add(v[3]);
    v[3] = v[3].rotate_left(21) ^ v[0];
    v[2] = v[2].wrapping_add(v[1]);
    v[1] = v[1].rotate_left(17) ^ v[2];
    v[2] = v[2].rotate_left(32);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The vectors that were published with the function: key 00 01 … 0f, input 00 01 02 … of growing length.
    #[test]
    fn published_vectors() {
        let key = Key::from_hex("000102030405060708090a0b0c0d0e0f").unwrap();
        let input: Vec<u8> = (0..15).collect();
        for (length, expected) in [
            (0, 0x726f_db47_dd0e_0e31),
            (1, 0x74f8_39c5_93dc_67fd),
            (8, 0x93f5_f579_9a93_2462),
            (15, 0xa129_ca61_49be_45e5),
        ] {
            assert_eq!(key.checksum(&input[..length]), expected, "{length} bytes");
        }
    }

    #[test]
    fn keys_are_read() {
        assert_eq!(Key::from_hex(" 01000000000000000200000000000000\n"), Some(Key([1, 2])));
        for other in ["", "12", "0102030405060708090a0b0c0d0e0fgg", "+1000000000000000200000000000000"] {
            assert_eq!(Key::from_hex(other), None, "{other}");
        }
    }
}
