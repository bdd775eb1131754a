//! From a position in the text to line, column and path.

use std::fmt::Write;

use crate::case::error::Place;

/// Most steps of a path in a message.
const MAX_STEPS: usize = 12;
/// Most bytes of a member's name in a message.
const MAX_NAME: usize = 60;

/// An object or array that is open at some position.
enum Open {
    /// Entries before this position.
    Array { index: usize },
    /// Last name, as a range of the text, and whether its colon has been passed.
    Object { name: (usize, usize), in_value: bool },
}

/// The places of byte positions, in one pass over the text, which need only be JSON up to the
/// last of them. Positions may come in any order.
pub(super) fn locate(text: &str, offsets: &[usize]) -> Vec<Place> {
    let bytes = text.as_bytes();
    let mut order: Vec<usize> = (0..offsets.len()).collect();
    order.sort_by_key(|&i| offsets[i]);
    let mut places = vec![Place { path: String::new(), line: 1, column: 1 }; offsets.len()];
    let mut waiting = order.into_iter().peekable();
    let mut open: Vec<Open> = Vec::new();
    let (mut line, mut line_start, mut counted) = (1, 0, 0);
    let mut at = 0;
    loop {
        while let Some(i) = waiting.next_if(|&i| offsets[i] <= at || at >= bytes.len()) {
            let offset = offsets[i].min(bytes.len());
            for (k, _) in bytes.iter().enumerate().take(offset).skip(counted).filter(|(_, b)| **b == b'\n') {
                line += 1;
                line_start = k + 1;
            }
            counted = counted.max(offset);
            places[i] = Place { path: path(text, &open), line, column: offset - line_start + 1 };
        }
        if waiting.peek().is_none() || at >= bytes.len() {
            return places;
        }
        let byte = bytes[at];
        at += 1;
        match byte {
            b'{' => open.push(Open::Object { name: (at, at), in_value: false }),
            b'[' => open.push(Open::Array { index: 0 }),
            b'}' | b']' => drop(open.pop()),
            b',' => match open.last_mut() {
                Some(Open::Array { index }) => *index += 1,
                Some(Open::Object { in_value, .. }) => *in_value = false,
                None => {}
            },
            b':' => {
                if let Some(Open::Object { in_value, .. }) = open.last_mut() {
                    *in_value = true;
                }
            }
            b'"' => {
                let end = end_of_string(bytes, at);
                if let Some(Open::Object { name, in_value: false }) = open.last_mut() {
                    *name = (at, end);
                }
                at = (end + 1).min(bytes.len());
            }
            _ => {}
        }
    }
}

/// Position of the quote that closes the string whose content starts at `at`.
fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at.min(bytes.len())
}

fn path(text: &str, open: &[Open]) -> String {
    let mut path = String::new();
    for (depth, step) in open.iter().enumerate() {
        if depth == MAX_STEPS {
            path.push('…');
            break;
        }
        match step {
            Open::Array { index } => {
                // Writing to a string cannot fail.
                let _ = write!(path, "[{index}]");
            }
            Open::Object { name: (start, end), .. } if start < end => {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(&shorten(text.get(*start..*end).unwrap_or("?"), MAX_NAME));
            }
            Open::Object { .. } => {}
        }
    }
    path
}

/// At most `limit` bytes of a text, with an ellipsis where it was longer.
pub(super) fn shorten(text: &str, limit: usize) -> String {
    if text.len() <= limit {
        return text.to_owned();
    }
    let end = (0..=limit).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0);
    format!("{}…", &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lines_and_columns() {
        let text = "{\"a\": [1,\n {\"b\\\"c\": [2, 3]}],\n\"é\": 4}";
        let at = |needle: &str| text.find(needle).unwrap();
        let places = locate(text, &[at("4"), at("3]"), at("1"), 0, 1000]);
        let told: Vec<String> = places.iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "é (line 3, column 7)",
                "a[1].b\\\"c[1] (line 2, column 15)",
                "a[0] (line 1, column 8)",
                "case (line 1, column 1)",
                "case (line 3, column 9)",
            ]
        );
    }

    #[test]
    fn broken_texts_are_located_too() {
        for text in ["", "\"", "{\"", "]]]", "{\"a\\", "[[[[[[[[[[[[[[[[[[[["] {
            for offset in 0..text.len() + 2 {
                locate(text, &[offset]);
            }
        }
    }
}
