//! Nodes of a general body, and their degrees of freedom.

use super::GeneralError;
use std::collections::HashSet;

/// A node of a finite-element model.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct GeneralNode {
    /// Name, unique if given.
    pub name: Option<String>,
    /// Position from `F_k`.
    pub position: [f64; 3],
}

/// The degrees of freedom of every node, in the order of the matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum NodeDofs {
    /// `[ux, uy, uz]`: solids.
    Displacements,
    /// `[ux, uy, uz, rx, ry, rz]`: most codes with beams and shells.
    #[default]
    DisplacementsRotations,
    /// `[rx, ry, rz, ux, uy, uz]`: [`BeamMesh`](crate::fe::BeamMesh) and spatial vectors.
    RotationsDisplacements,
}

impl NodeDofs {
    /// How many.
    pub fn count(self) -> usize {
        if self == Self::Displacements { 3 } else { 6 }
    }

    /// Offset of the displacements.
    pub(super) fn displacement(self) -> usize {
        if self == Self::RotationsDisplacements { 3 } else { 0 }
    }

    /// Offset of the rotations, if there are some.
    pub(super) fn rotation(self) -> Option<usize> {
        match self {
            Self::Displacements => None,
            Self::DisplacementsRotations => Some(3),
            Self::RotationsDisplacements => Some(0),
        }
    }

    pub(super) fn name(self, component: usize) -> &'static str {
        let names = ["ux", "uy", "uz", "rx", "ry", "rz"];
        let turned = if self == Self::RotationsDisplacements { (component + 3) % 6 } else { component };
        names.get(turned).copied().unwrap_or("?")
    }
}

/// Reads a list of nodes: lines `name,x,y,z`, a heading of four words, blank lines and comments with `#`.
///
/// # Errors
/// [`GeneralError::NodeLine`] and [`GeneralError::SameName`].
pub fn read_nodes(text: &str) -> Result<Vec<GeneralNode>, GeneralError> {
    let mut nodes = Vec::new();
    let mut names = HashSet::new();
    let mut first = true;
    for (i, line) in text.lines().enumerate() {
        let line_text = line.trim();
        if line_text.is_empty() || line_text.starts_with('#') {
            continue;
        }
        let wrong = |field, value: &str| {
            let value = value.chars().take(60).collect();
            GeneralError::NodeLine { line: i + 1, field, value }
        };
        let words: Vec<&str> = line_text.split(',').map(str::trim).collect();
        let &[name, x, y, z] = words.as_slice() else { return Err(wrong("fields", line_text)) };
        let heading = first && [x, y, z].iter().all(|w| w.parse::<f64>().is_err());
        first = false;
        if heading {
            continue;
        }
        let number = |field, word: &str| match word.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(value),
            _ => Err(wrong(field, word)),
        };
        let position = [number("x", x)?, number("y", y)?, number("z", z)?];
        if name.is_empty() {
            return Err(wrong("name", line_text));
        }
        if !names.insert(name) {
            return Err(GeneralError::SameName { name: name.to_owned() });
        }
        nodes.push(GeneralNode { name: Some(name.to_owned()), position });
    }
    Ok(nodes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_nodes() {
        let nodes = read_nodes("name, x, y, z\r\n# root\n root, 0, 0, 0\n\ntip,1.5,-2e-1,0\n").unwrap();
        assert_eq!(nodes.len(), 2);
        assert_eq!((nodes[1].name.as_deref(), nodes[1].position), (Some("tip"), [1.5, -0.2, 0.0]));
        let line = |text: &str| match read_nodes(text).unwrap_err() {
            GeneralError::NodeLine { line, field, .. } => (line, field),
            other => panic!("{other}"),
        };
        assert_eq!(line("a,0,0,0\nb,0,0\n"), (2, "fields"));
        assert_eq!(line("a,0,0,0\nb,0,inf,0\n"), (2, "y"));
        assert_eq!(line("a,0,0,0\nname,x,y,z\n"), (2, "x"));
        assert_eq!(line("name,x,y,z\n,1,2,3\n"), (2, "name"));
        assert_eq!(read_nodes("a,0,0,0\na,0,0,1"), Err(GeneralError::SameName { name: "a".into() }));
    }
}
