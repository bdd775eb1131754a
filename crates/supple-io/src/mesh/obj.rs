//! Wavefront OBJ, with the colours of its materials.

use std::collections::HashMap;

use super::affine::Affine;
use super::error::Fault;
use super::folders::Beside;
use super::gathering::{Colour, Gathering};
use super::text::{number, numbers, words};
use crate::source::shorten;

pub(super) fn read(bytes: &[u8], beside: &mut Beside<'_>, into: &mut Gathering) -> Result<(), Fault> {
    let text = String::from_utf8_lossy(bytes);
    let mut vertices: Vec<([f64; 3], Option<Colour>)> = Vec::new();
    let mut materials: HashMap<String, Colour> = HashMap::new();
    let mut material = None;
    let mut part = into.part(&Affine::IDENTITY);
    for (line, word, rest) in words(&text) {
        let here = |fault: Fault| fault.in_line(line);
        match word {
            "v" => vertices.push(vertex(rest).map_err(here)?),
            "f" => {
                let corners = face(rest, vertices.len()).map_err(here)?;
                // A fan: right for the convex polygons that modellers write.
                for pair in corners[1..].windows(2) {
                    let told = |i: usize| (vertices[i].0, material.or(vertices[i].1));
                    part.indexed([corners[0], pair[0], pair[1]], vertices.len(), told).map_err(here)?;
                }
            }
            "usemtl" => {
                drop(part);
                material = materials.get(rest).copied();
                part = into.part(&Affine::IDENTITY);
            }
            // A library that cannot be read costs its colours only; many files name one that was never sent along.
            "mtllib" => {
                if let Ok(bytes) = beside.read(rest) {
                    materials.extend(library(&String::from_utf8_lossy(&bytes)));
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// A place, and a colour where there is one.
fn vertex(text: &str) -> Result<([f64; 3], Option<Colour>), Fault> {
    let colour = || numbers::<6>(text).ok().map(|[_, _, _, r, g, b]| [r as f32, g as f32, b as f32, 1.0]);
    Ok((numbers(text)?, colour()))
}

/// The corners of a polygon, from zero.
fn face(text: &str, count: usize) -> Result<Vec<usize>, Fault> {
    let corner = |word: &str| {
        let told = word.split('/').next().unwrap_or_default();
        let index: i64 =
            told.parse().map_err(|_| Fault::new(format!("`{}` is not a corner of a face", shorten(word, 40))))?;
        let from_end = i64::try_from(count).unwrap_or(i64::MAX).checked_add(index);
        let found =
            if index > 0 { usize::try_from(index - 1).ok() } else { from_end.and_then(|i| usize::try_from(i).ok()) };
        found.filter(|i| *i < count).ok_or_else(|| Fault::new(format!("vertex {index} of {count} so far")))
    };
    let corners: Vec<usize> = text.split_whitespace().map(corner).collect::<Result<_, _>>()?;
    if corners.len() < 3 {
        return Err(Fault::new(format!("a face with {} corners", corners.len())));
    }
    Ok(corners)
}

/// Diffuse colours of a library of materials; what is not understood is left out.
fn library(text: &str) -> HashMap<String, Colour> {
    let mut colours = HashMap::new();
    let mut name = None;
    for (_, word, rest) in words(text) {
        if word == "newmtl" {
            name = Some(rest.to_owned());
        }
        let Some(name) = &name else { continue };
        let mut opacity = |value: f64| {
            if let Some(colour) = colours.get_mut(name) {
                let [_, _, _, a]: &mut Colour = colour;
                *a = value as f32;
            }
        };
        match (word, numbers::<3>(rest), number(rest)) {
            ("Kd", Ok([r, g, b]), _) => {
                colours.insert(name.clone(), [r as f32, g as f32, b as f32, 1.0]);
            }
            ("d", _, Ok(value)) => opacity(value),
            ("Tr", _, Ok(value)) => opacity(1.0 - value),
            _ => {}
        }
    }
    colours
}
