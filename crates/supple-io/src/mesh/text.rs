//! Words and numbers of formats that are texts.

use super::error::Fault;
use crate::source::{number, shorten};

/// Lines with their number, first word and rest, without empty ones and remarks.
pub(super) fn words(text: &str) -> impl Iterator<Item = (usize, &str, &str)> {
    text.lines().enumerate().filter_map(|(i, line)| {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        (!word.is_empty() && !word.starts_with('#')).then(|| (i + 1, word, rest.trim()))
    })
}

/// A finite number.
pub(super) fn number(word: &str) -> Result<f64, Fault> {
    number::parse(word).map_err(|fault| Fault::new(format!("`{}` {fault}", shorten(word, 40))))
}

/// The first numbers of a line, of which there must be as many.
pub(super) fn numbers<const N: usize>(text: &str) -> Result<[f64; N], Fault> {
    let mut out = [0.0; N];
    let mut words = text.split_whitespace();
    for value in &mut out {
        let word = words.next().ok_or_else(|| Fault::new(format!("fewer than {N} numbers")))?;
        *value = number(word)?;
    }
    Ok(out)
}
