//! STL, text and binary.

use super::affine::Affine;
use super::error::Fault;
use super::gathering::{Gathering, Part};
use super::text::{numbers, words};

/// Bytes before the number of facets.
const HEADER: usize = 80;
/// Bytes of a facet: a normal, three corners, two bytes of attributes.
const FACET: usize = 50;

pub(super) fn read(bytes: &[u8], into: &mut Gathering) -> Result<(), Fault> {
    let mut part = into.part(&Affine::IDENTITY);
    // Some binary files begin as texts do; only they have the length that follows from their count.
    let count = facets(bytes);
    let exact = count.is_some_and(|count| bytes.len() == HEADER + 4 + count * FACET);
    if exact || !bytes.trim_ascii_start().starts_with(b"solid") {
        binary(bytes, count, &mut part)
    } else {
        text(bytes, &mut part)
    }
}

/// How many facets a binary file says it has.
fn facets(bytes: &[u8]) -> Option<usize> {
    let count = bytes.get(HEADER..HEADER + 4)?.try_into().ok()?;
    usize::try_from(u32::from_le_bytes(count)).ok()
}

fn binary(bytes: &[u8], count: Option<usize>, part: &mut Part<'_>) -> Result<(), Fault> {
    let count = count.ok_or_else(|| Fault::new("neither a text that begins with `solid` nor a binary STL"))?;
    let body = &bytes[HEADER + 4..];
    if body.len() / FACET < count {
        let what = format!("the file ends after {} of {count} facets", body.len() / FACET);
        return Err(Fault::new(what).at_byte(bytes.len()));
    }
    for (k, facet) in body.chunks_exact(FACET).take(count).enumerate() {
        let number = |at: usize| f32::from_le_bytes([facet[at], facet[at + 1], facet[at + 2], facet[at + 3]]);
        let corners = std::array::from_fn(|i| std::array::from_fn(|j| number(12 + 12 * i + 4 * j)));
        part.facet(corners).map_err(|fault| fault.at_byte(HEADER + 4 + k * FACET))?;
    }
    Ok(())
}

fn text(bytes: &[u8], part: &mut Part<'_>) -> Result<(), Fault> {
    let text = String::from_utf8_lossy(bytes);
    let (mut corners, mut open) = (Vec::with_capacity(3), true);
    let mut last = 0;
    for (line, word, rest) in words(&text) {
        last = line;
        match word.to_ascii_lowercase().as_str() {
            "vertex" => {
                let [x, y, z] = numbers(rest).map_err(|fault| fault.in_line(line))?;
                corners.push([x, y, z].map(|x| x as f32));
            }
            "endloop" => {
                let told = corners.len();
                let facet = std::mem::take(&mut corners).try_into();
                let wrong = |_| Fault::new(format!("a facet with {told} corners instead of 3")).in_line(line);
                part.facet(facet.map_err(wrong)?).map_err(|fault| fault.in_line(line))?;
            }
            "solid" => open = true,
            "endsolid" => open = false,
            "facet" | "outer" | "endfacet" => {}
            other => {
                let what = format!("`{}` is not a keyword of STL", crate::source::shorten(other, 40));
                return Err(Fault::new(what).in_line(line));
            }
        }
    }
    if open || !corners.is_empty() {
        return Err(Fault::new("the file ends before `endsolid`").in_line(last));
    }
    Ok(())
}
