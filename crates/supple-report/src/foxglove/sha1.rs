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
        // No length makes it fail, whatever is left over for the padding.
        (0..200).for_each(|length| assert_eq!(sha1(&vec![7; length]).len(), 20));
    }
}
