//! A look at XML before it is parsed: no document types, bounded depth and sizes. One pass, no recursion, no allocation.

use std::ops::Range;

use crate::source::Rule;

/// Greatest depth of elements.
pub(crate) const MAX_DEPTH: usize = 256;
/// Most elements of a document.
const MAX_ELEMENTS: usize = 2_000_000;
/// Most attributes of an element.
const MAX_ATTRIBUTES: usize = 1000;

/// What forbids parsing the text, and where.
pub(crate) fn scan(text: &str) -> Result<(), (Range<usize>, Rule)> {
    let bytes = text.as_bytes();
    let (mut depth, mut elements, mut at) = (0_usize, 0_usize, 0);
    while let Some(start) = find(bytes, at, b"<") {
        let rest = &bytes[start..];
        at = if rest.starts_with(b"<!--") {
            find(bytes, start + 4, b"-->").map_or(bytes.len(), |end| end + 3)
        } else if rest.starts_with(b"<![CDATA[") {
            find(bytes, start + 9, b"]]>").map_or(bytes.len(), |end| end + 3)
        } else if rest.starts_with(b"<!") {
            return Err((start..start + 9, Rule::DocumentType));
        } else if rest.starts_with(b"<?") {
            find(bytes, start + 2, b"?>").map_or(bytes.len(), |end| end + 2)
        } else if rest.starts_with(b"</") {
            depth = depth.saturating_sub(1);
            find(bytes, start, b">").map_or(bytes.len(), |end| end + 1)
        } else {
            let (end, attributes) = end_of_tag(bytes, start);
            elements += 1;
            if bytes.get(end.wrapping_sub(2)) != Some(&b'/') {
                depth += 1;
            }
            let limits = [
                (depth > MAX_DEPTH, Rule::TooDeep { limit: MAX_DEPTH }),
                (elements > MAX_ELEMENTS, Rule::TooMany { what: "elements", found: elements, limit: MAX_ELEMENTS }),
                (
                    attributes > MAX_ATTRIBUTES,
                    Rule::TooMany { what: "attributes of an element", found: attributes, limit: MAX_ATTRIBUTES },
                ),
            ];
            if let Some((_, rule)) = limits.into_iter().find(|(broken, _)| *broken) {
                return Err((start..start + 1, rule));
            }
            end
        };
    }
    Ok(())
}

/// The name of the root element, where there is one.
pub(crate) fn root_element(text: &str) -> Option<&str> {
    let mut rest = text.trim_start();
    loop {
        let end = match () {
            () if rest.starts_with("<!--") => "-->",
            () if rest.starts_with("<?") => "?>",
            () => break,
        };
        rest = rest[rest.find(end)? + end.len()..].trim_start();
    }
    let name = rest.strip_prefix('<')?;
    name.split(|c: char| c.is_whitespace() || matches!(c, '/' | '>')).next()
}

/// The position of a row and a column, both from one.
pub(crate) fn offset(text: &str, row: usize, column: usize) -> usize {
    let line = text.split_inclusive('\n').take(row.saturating_sub(1)).map(str::len).sum::<usize>();
    let rest = text.get(line..).unwrap_or_default();
    line + rest.char_indices().nth(column.saturating_sub(1)).map_or(rest.len(), |(at, _)| at)
}

fn find(bytes: &[u8], from: usize, what: &[u8]) -> Option<usize> {
    let rest = bytes.get(from..)?;
    rest.windows(what.len()).position(|window| window == what).map(|at| from + at)
}

/// The position after a tag, and the number of its attributes.
fn end_of_tag(bytes: &[u8], start: usize) -> (usize, usize) {
    let (mut quote, mut attributes) = (None, 0);
    for (at, byte) in bytes.iter().enumerate().skip(start) {
        match (quote, byte) {
            (None, b'>') => return (at + 1, attributes),
            (None, b'"' | b'\'') => {
                quote = Some(byte);
                attributes += 1;
            }
            (Some(open), byte) if open == byte => quote = None,
            _ => {}
        }
    }
    (bytes.len(), attributes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_found_where_they_are_and_not_in_comments() {
        assert_eq!(scan("<!DOCTYPE x [<!ENTITY a 'b'>]><x/>").unwrap_err().1, Rule::DocumentType);
        assert_eq!(scan("<?xml version='1.0'?>\n <!DOCTYPE x><x/>").unwrap_err().0.start, 23);
        assert!(scan("<!-- <!DOCTYPE x> --><x a='>' b=\"<!DOCTYPE\"><![CDATA[<!DOCTYPE]]></x>").is_ok());
    }

    #[test]
    fn the_root_stands_behind_declarations_and_comments() {
        assert_eq!(root_element("<?xml version='1.0'?>\n<!-- <robot> -->\n<mujoco model='x'>"), Some("mujoco"));
        assert_eq!(root_element("<robot/>"), Some("robot"));
        assert_eq!(root_element("<!-- <robot>"), None);
        assert_eq!(root_element("robot"), None);
    }

    #[test]
    fn depth_counts_open_elements() {
        let nested = |n: usize| format!("{}{}", "<a>".repeat(n), "</a>".repeat(n));
        assert!(scan(&nested(MAX_DEPTH)).is_ok());
        assert_eq!(scan(&nested(MAX_DEPTH + 1)).unwrap_err().1, Rule::TooDeep { limit: MAX_DEPTH });
        assert!(scan(&format!("<x>{}</x>", "<a b='/'/>".repeat(10_000))).is_ok());
        assert!(scan(&"<a>".repeat(1_000_000)).is_err());
        assert!(scan("<a").is_ok() && scan("<").is_ok() && scan("</").is_ok() && scan("<!--").is_ok());
    }
}
