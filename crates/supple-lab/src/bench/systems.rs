//! The systems that are timed, by name.

use super::tree_file::{self, Tree};
use super::{closed, flexible, rigid};
use crate::LabError;
use std::path::Path;
use supple::{BuildError, Fidelity, Model, System};
use supple_io::load::{LoadOptions, Refusal, load};
use supple_io::urdf::Root;

/// Fidelity of the chains of beams: all inertial terms and linear elasticity, the terms of other floating-frame codes.
pub const CHAIN_FIDELITY: Fidelity = Fidelity::Inconsistent;
/// Numbers of beams in the chains.
pub const CHAIN_BODIES: [usize; 5] = [1, 2, 5, 10, 20];
/// Numbers of modes of each.
const CHAIN_MODES: [usize; 6] = [0, 2, 5, 10, 20, 40];

/// A system that can be built.
pub struct NamedSystem {
    /// Its name.
    pub name: String,
    source: Source,
}

enum Source {
    Built(Box<Model>),
    System(Box<dyn Fn() -> System>),
    Arm(Option<Fidelity>),
}

impl NamedSystem {
    fn new(name: impl Into<String>, system: impl Fn() -> System + 'static) -> Self {
        Self { name: name.into(), source: Source::System(Box::new(system)) }
    }

    /// Builds it.
    pub fn build(&self) -> Result<Model, BuildError> {
        match &self.source {
            Source::Built(model) => Ok((**model).clone()),
            Source::System(system) => Model::build(&system()),
            Source::Arm(fidelity) => flexible::shuttle_arm(*fidelity),
        }
    }
}

/// The systems that come with the program.
pub fn standard() -> Vec<NamedSystem> {
    let mut systems = vec![NamedSystem::new("arm7", || rigid::chain(7))];
    // Any axis and any rotor should cost the same.
    for (name, axis) in [("y", [0.0, 1.0, 0.0]), ("minus-y", [0.0, -1.0, 0.0]), ("skew", [0.6, 0.0, 0.8])] {
        systems.push(NamedSystem::new(format!("arm7-{name}"), move || rigid::arm(axis, false)));
        systems.push(NamedSystem::new(format!("arm7-{name}-rotor"), move || rigid::arm(axis, true)));
    }
    for bodies in [6, 12, 25, 50, 100, 200] {
        systems.push(NamedSystem::new(format!("chain{bodies}"), move || rigid::chain(bodies)));
    }
    systems.push(NamedSystem::new("bintree63", || rigid::binary_tree(63)));
    systems.push(NamedSystem::new("humanoid", rigid::humanoid));
    for (name, cut) in closed::cuts() {
        systems.push(NamedSystem::new(name, move || closed::four_bar(cut.clone())));
    }
    for bodies in CHAIN_BODIES {
        for modes in CHAIN_MODES {
            let chain = move || flexible::chain(bodies, modes, CHAIN_FIDELITY);
            systems.push(NamedSystem::new(format!("beams{bodies}x{modes}"), chain));
        }
    }
    systems.push(NamedSystem { name: "shuttle-rigid".into(), source: Source::Arm(None) });
    for (name, fidelity) in flexible::FIDELITIES {
        systems.push(NamedSystem { name: format!("shuttle-{name}"), source: Source::Arm(Some(fidelity)) });
    }
    systems
}

/// The trees of a file or folder.
pub fn trees(path: &Path) -> Result<Vec<NamedSystem>, String> {
    let files = tree_file::files(path).map_err(|error| format!("{}: cannot be read: {error}", path.display()))?;
    if files.is_empty() {
        return Err(format!("{}: no .tree file in this folder", path.display()));
    }
    let named = |file: &std::path::PathBuf| {
        let Tree { name, system } = tree_file::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
        let model = Model::build(&system).map_err(|error| format!("{}: {error}", file.display()))?;
        Ok(NamedSystem { name, source: Source::Built(Box::new(model)) })
    };
    files.iter().map(named).collect()
}

/// A robot or model of the user's, named like its file.
pub fn from_file(file: &Path, root: Root) -> Result<NamedSystem, LabError> {
    let options = LoadOptions { lenient: true, root, ..LoadOptions::default() };
    // Leniency is for robots alone.
    let loaded = match load(file, &options) {
        Err(Refusal::Unsupported(_)) => load(file, &LoadOptions { lenient: false, ..options }),
        other => other,
    };
    let model = loaded.map_err(|refusal| LabError::File { path: file.to_owned(), refusal })?.model;
    let name = file.file_stem().map_or_else(|| "model".into(), |stem| stem.to_string_lossy().into_owned());
    Ok(NamedSystem { name, source: Source::Built(Box::new(model)) })
}

/// Whether `name` is like `pattern`, in which `*` stands for anything and `?` for one character.
pub fn is_like(pattern: &str, name: &str) -> bool {
    let (p, n): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    // reached[j]: the pattern so far matches the first j characters.
    let mut reached = vec![false; n.len() + 1];
    reached[0] = true;
    for c in p {
        if c == '*' {
            (1..=n.len()).for_each(|j| reached[j] |= reached[j - 1]);
        } else {
            for j in (1..=n.len()).rev() {
                reached[j] = reached[j - 1] && (c == '?' || c == n[j - 1]);
            }
            reached[0] = false;
        }
    }
    reached[n.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        for (pattern, name, like) in [
            ("chain*", "chain200", true),
            ("chain", "chain200", false),
            ("*", "", true),
            ("b?ams1x*", "beams1x40", true),
            ("beams?x2", "beams10x2", false),
            ("*x*", "beams10x2", true),
            ("", "a", false),
        ] {
            assert_eq!(is_like(pattern, name), like, "{pattern} {name}");
        }
    }

    /// All but the largest beams, which take a while, are built and have names of their own.
    #[test]
    fn standard_systems_can_be_built() {
        let systems = standard();
        let mut names: Vec<_> = systems.iter().map(|system| &system.name).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), systems.len());
        for system in systems.iter().filter(|system| !system.name.ends_with("x40")) {
            system.build().unwrap_or_else(|error| panic!("{}: {error}", system.name));
        }
    }
}
