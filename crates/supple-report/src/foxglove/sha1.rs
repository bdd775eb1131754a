//! SHA-1 (RFC 3174), which the opening of a WebSocket asks for. Nothing rests on its strength there.

/// The digest of a text.
pub fn sha1(text: &[u8]) -> [u8; 20] {
    let mut state: [u32; 5] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];
    // A one bit, zeros, and the length in bits fill the last block of 64 bytes.
    let mut padded = text.to_vec();
    padded.push(0x80);
    while padded.len() % 64 != 56 {
        padded.push(0);
    }
    padded.extend_from_slice(&(8 * text.len() as u64).to_be_bytes());
    for block in padded.as_chunks::<64>().0 {
        let mut w = [0_u32; 80];
        for (word, bytes) in w.iter_mut().zip(block.as_chunks::<4>().0) {
            *word = u32::from_be_bytes(*bytes);
        }
        for t in 16..80 {
            w[t] = (w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16]).rotate_left(1);
        }
        let [mut a, mut b, mut c, mut d, mut e] = state;
        for (t, word) in w.iter().enumerate() {
            let (f, k) = match t / 20 {
                0 => (b & c | !b & d, 0x5a82_7999),
                1 => (b ^ c ^ d, 0x6ed9_eba1),
                2 => (b & c | b & d | c & d, 0x8f1b_bcdc),
                _ => (b ^ c ^ d, 0xca62_c1d6_u32),
            };
            let next = a.rotate_left(5).wrapping_add(f).wrapping_add(e).wrapping_add(*word).wrapping_add(k);
            (a, b, c, d, e) = (next, a, b.rotate_left(30), c, d);
        }
        for (total, own) in state.iter_mut().zip([a, b, c, d, e]) {
            *total = total.wrapping_add(own);
        }
    }
    let mut digest = [0; 20];
    for (bytes, word) in digest.as_chunks_mut::<4>().0.iter_mut().zip(state) {
        *bytes = word.to_be_bytes();
    }
    digest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The test cases of RFC 3174, section 7.3, and lengths around those of a block.
    #[test]
    fn digests_of_the_standard() {
        let hexadecimal = |text: &[u8]| sha1(text).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        assert_eq!(hexadecimal(b"abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
        let long = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        assert_eq!(hexadecimal(long), "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
        assert_eq!(hexadecimal(&[b'a'; 1_000_000]), "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
        assert_eq!(hexadecimal(b""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
        let repeated = "0123456701234567012345670123456701234567012345670123456701234567".repeat(10);
        assert_eq!(hexadecimal(repeated.as_bytes()), "dea356a2cddd90c7a7ecedc5ebb563934f460452");
        // Around the lengths at which the padding needs a block more; by Python's hashlib.
        for (length, digest) in [
            (55, "01ba0487e7eef79b487e75248a7048858ac87c07"),
            (56, "cdfb051dd3e3e88edc3dc9bb30986d27c9b0ae79"),
            (63, "f0a42ff306a33f3810119c5da473bc360bd792ea"),
            (64, "6b4d5b862bba704d0fafe932e3f334c5f1bb7128"),
            (119, "b56d6f4694b3a4f6acf558e9227976dea557a70c"),
            (120, "c1482c9205fcff75c74442f54fbd93883ac85d63"),
        ] {
            assert_eq!(hexadecimal(&vec![7; length]), digest, "{length}");
        }
    }
}
