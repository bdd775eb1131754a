//! Arrays of numbers as text: little-endian bytes in base64, which a browser turns into typed arrays at once.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Numbers of single precision, enough for a picture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Singles(pub Vec<f32>);

/// Numbers of double precision: times, which may be long after zero and close to each other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Doubles(pub Vec<f64>);

/// Small whole numbers: places in steps, indices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shorts(pub Vec<u16>);

/// Bytes: parts of colours.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bytes(pub Vec<u8>);

pub(crate) fn encode(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let at = |i: usize| u32::from(chunk.get(i).copied().unwrap_or(0));
        let word = at(0) << 16 | at(1) << 8 | at(2);
        for i in 0..4 {
            let digit = DIGITS[(word >> (18 - 6 * i) & 63) as usize];
            out.push(if i <= chunk.len() { char::from(digit) } else { '=' });
        }
    }
    out
}

/// None where the text is not base64 of whole words of four letters.
fn decode(text: &str) -> Option<Vec<u8>> {
    let letters = text.as_bytes();
    if !letters.len().is_multiple_of(4) {
        return None;
    }
    let mut out = Vec::with_capacity(letters.len() / 4 * 3);
    for (i, word) in letters.chunks(4).enumerate() {
        let last = (i + 1) * 4 == letters.len();
        let padding = word.iter().rev().take_while(|letter| **letter == b'=').count();
        if padding > 2 || (padding > 0 && !last) {
            return None;
        }
        let mut number = 0;
        for letter in &word[..4 - padding] {
            number = number << 6 | DIGITS.iter().position(|digit| digit == letter)? as u32;
        }
        number <<= 6 * padding;
        out.extend_from_slice(&number.to_be_bytes()[1..4 - padding]);
    }
    Some(out)
}

/// Whole numbers of `N` bytes; none where bytes are left over.
fn words<const N: usize>(bytes: &[u8]) -> Option<impl Iterator<Item = [u8; N]>> {
    bytes.len().is_multiple_of(N).then(|| bytes.as_chunks::<N>().0.iter().copied())
}

macro_rules! as_text {
    ($($name:ident of $number:ty, $size:literal;)*) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(&encode(&self.0.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>()))
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let bytes = decode(&String::deserialize(from)?).ok_or_else(|| D::Error::custom("not base64"))?;
                let numbers = words::<$size>(&bytes)
                    .ok_or_else(|| D::Error::custom(concat!("not whole numbers of ", $size, " bytes")))?;
                Ok(Self(numbers.map(<$number>::from_le_bytes).collect()))
            }
        }
    )*};
}

as_text! {
    Singles of f32, 4;
    Doubles of f64, 8;
    Shorts of u16, 2;
    Bytes of u8, 1;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The test vectors of RFC 4648, section 10.
    #[test]
    fn words_of_the_standard() {
        for (plain, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(encode(plain.as_bytes()), text);
            assert_eq!(decode(text).as_deref(), Some(plain.as_bytes()));
        }
        for damaged in ["Z", "Zg=", "Zg==Zg==", "Z===", "Zm9\u{e9}", "Zm9<"] {
            assert_eq!(decode(damaged), None, "{damaged}");
        }
    }

    #[test]
    fn numbers_come_back() {
        let numbers = Singles(vec![0.0, -1.5, f32::MAX, f32::INFINITY, 1e-30]);
        let text = serde_json::to_string(&numbers).unwrap();
        assert_eq!(serde_json::from_str::<Singles>(&text).unwrap(), numbers);
        let numbers = Doubles(vec![1e9 + 1e-6, -0.1]);
        let text = serde_json::to_string(&numbers).unwrap();
        assert_eq!(serde_json::from_str::<Doubles>(&text).unwrap(), numbers);
        assert!(serde_json::from_str::<Doubles>("\"Zm9v\"").is_err());
    }
}
