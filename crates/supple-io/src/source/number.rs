//! Numbers in text, strictly: finite, decimal, neither lost nor overflown.

use std::fmt;

/// Longest number that is read: more than any double needs.
const MAX_NUMBER: usize = 400;

/// Why a text is not a number that can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NumberFault {
    /// There is no text.
    Empty,
    /// It stands for no number: "nan".
    NotANumber,
    /// It is infinite: "inf".
    Infinite,
    /// It is not a decimal number: other characters, commas, hexadecimal digits.
    NotDecimal,
    /// It is beyond the largest double.
    Overflow,
    /// It is not zero, but less than the smallest double.
    Underflow,
    /// It has more characters than any double needs.
    TooLong {
        /// Characters.
        length: usize,
    },
}

impl fmt::Display for NumberFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "is empty"),
            Self::NotANumber => write!(f, "is not a number"),
            Self::Infinite => write!(f, "is infinite"),
            Self::NotDecimal => write!(f, "is not a decimal number"),
            Self::Overflow => write!(f, "exceeds the largest double, 1.8e308"),
            Self::Underflow => write!(f, "is below the smallest double, 4.9e-324"),
            Self::TooLong { length } => write!(f, "has {length} characters, more than {MAX_NUMBER}"),
        }
    }
}

/// The number that a text stands for.
pub(crate) fn parse(text: &str) -> Result<f64, NumberFault> {
    if text.is_empty() {
        return Err(NumberFault::Empty);
    }
    if text.len() > MAX_NUMBER {
        return Err(NumberFault::TooLong { length: text.len() });
    }
    match text.trim_start_matches(['+', '-']).to_ascii_lowercase().as_str() {
        "nan" => return Err(NumberFault::NotANumber),
        "inf" | "infinity" => return Err(NumberFault::Infinite),
        _ => {}
    }
    if !text.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b)) {
        return Err(NumberFault::NotDecimal);
    }
    let number: f64 = text.parse().map_err(|_| NumberFault::NotDecimal)?;
    let digits = text.split(['e', 'E']).next().unwrap_or_default();
    match () {
        () if !number.is_finite() => Err(NumberFault::Overflow),
        () if number == 0.0 && digits.bytes().any(|b| (b'1'..=b'9').contains(&b)) => Err(NumberFault::Underflow),
        () => Ok(number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_has_its_name() {
        for (text, fault) in [
            ("", NumberFault::Empty),
            ("nan", NumberFault::NotANumber),
            ("-NaN", NumberFault::NotANumber),
            ("inf", NumberFault::Infinite),
            ("-Infinity", NumberFault::Infinite),
            ("1e400", NumberFault::Overflow),
            ("1e-400", NumberFault::Underflow),
            ("0x1p3", NumberFault::NotDecimal),
            ("1,5", NumberFault::NotDecimal),
            ("1.0abc", NumberFault::NotDecimal),
            ("1e", NumberFault::NotDecimal),
        ] {
            assert_eq!(parse(text), Err(fault), "{text}");
        }
        assert_eq!(parse(&"1".repeat(10_000)), Err(NumberFault::TooLong { length: 10_000 }));
        assert_eq!(parse("5e-324"), Ok(5e-324));
        assert_eq!(parse("-0.0").map(f64::to_bits), Ok((-0.0_f64).to_bits()));
        assert_eq!(parse(".5"), Ok(0.5));
    }
}
