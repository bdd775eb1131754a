//! Which body, and which part of it, a problem of the engine is about.

use std::collections::HashMap;

use supple::{BuildError, Model, Problem, System};

use super::geometry::{IDENTITY, inertia_at_origin};

/// A part of a body in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// The body as a whole.
    Body,
    /// Its inertia as a whole.
    Inertia,
    /// Its hinge.
    Hinge,
    /// The drive of its hinge.
    Rotor,
    /// One of its nodes.
    Node(usize),
    /// Its modes.
    Modes,
    /// One of its tables of modal integrals, by its key; empty for all of them together.
    ModalInertia(&'static str),
}

/// Keys of the tables of modal integrals.
const TABLES: [&str; 9] = [
    "mass",
    "mass_moment",
    "inertia",
    "moment_change",
    "coupling",
    "coupling_change",
    "inertia_first",
    "inertia_second",
    "modal_mass",
];

/// Problems of a system, and those that the engine looks for only once inertias are possible: hinges and modes that move no mass.
/// For that, impossible inertias are replaced by possible ones.
pub(crate) fn all_problems(system: &System, error: &BuildError) -> Vec<Problem> {
    let mut problems = error.problems().to_vec();
    let mut mended = system.clone();
    let places: HashMap<&str, usize> =
        system.bodies.iter().enumerate().map(|(k, body)| (body.name.as_str(), k)).collect();
    for problem in &problems {
        let (Problem::NegativeInertia { body, node, .. }
        | Problem::TriangleRule { body, node, .. }
        | Problem::AsymmetricInertia { body, node, .. }) = problem
        else {
            return problems;
        };
        if let Some(node) = places.get(body.as_str()).and_then(|k| mended.bodies[*k].nodes.get_mut(node.index)) {
            node.inertia = inertia_at_origin(node.mass, node.mass_centre, IDENTITY);
        }
    }
    if let Err(error) = Model::build(&mended) {
        let massless = |p: &&Problem| matches!(p, Problem::MasslessHinge { .. } | Problem::MasslessMode { .. });
        problems.extend(error.problems().iter().filter(massless).cloned());
    }
    problems
}

/// The body and the part; nothing where the problem is about the system.
pub(crate) fn place(problem: &Problem) -> Option<(&str, Part)> {
    Some(match problem {
        Problem::ZeroAxis { body } | Problem::ParallelAxes { body } => (body, Part::Hinge),
        Problem::NotARotation { body, .. } | Problem::MasslessHinge { body, .. } => (body, Part::Hinge),
        Problem::NegativeRotor { body, .. } => (body, Part::Rotor),
        Problem::UnknownParent { body, .. } | Problem::UnknownNode { body, .. } => (body, Part::Body),
        Problem::NegativeMass { body, node, .. }
        | Problem::AsymmetricInertia { body, node, .. }
        | Problem::NegativeInertia { body, node, .. }
        | Problem::TriangleRule { body, node, .. } => (body, Part::Node(node.index)),
        Problem::TooManyModes { body, .. }
        | Problem::TooManyShapes { body, .. }
        | Problem::AsymmetricMatrix { body, .. }
        | Problem::Indefinite { body, .. }
        | Problem::NonlinearEntry { body, .. }
        | Problem::DependentModes { body, .. }
        | Problem::MasslessMode { body, .. } => (body, Part::Modes),
        Problem::NotFinite { body, quantity, .. } | Problem::WrongSize { body, quantity, .. } => {
            (body, part_of_quantity(quantity))
        }
        Problem::ModalInertiaRule { body, table, .. } => (body, Part::ModalInertia(named_table(table))),
        Problem::BodyTriangleRule { body, .. } => (body, Part::Inertia),
        Problem::ForcePort { element, .. } | Problem::ForceParameter { element, .. } => {
            (element.body.as_deref()?, if element.index.is_none() { Part::Rotor } else { Part::Hinge })
        }
        _ => return None,
    })
}

/// The key of a table that the engine names alone or as "row of …".
fn named_table(name: &str) -> &'static str {
    let name = name.rsplit(' ').next().filter(|_| !name.contains(',')).unwrap_or_default();
    TABLES.into_iter().find(|known| *known == name).unwrap_or_default()
}

/// Quantities are named "… of node 3", "modal inertia, …", "modal …", "hinge …".
fn part_of_quantity(quantity: &str) -> Part {
    if let Some(table) = quantity.strip_prefix("modal inertia, ") {
        return Part::ModalInertia(named_table(table));
    }
    match quantity.rsplit_once(" of node ") {
        // The index, then the name or the position.
        Some((_, label)) => label.split(' ').next().and_then(|index| index.parse().ok()).map_or(Part::Body, Part::Node),
        None if quantity.starts_with("hinge") || quantity.starts_with("screw") => Part::Hinge,
        None if quantity.starts_with("rotor") => Part::Rotor,
        None if quantity.starts_with("modal") || quantity.starts_with("second-order") => Part::Modes,
        None => Part::Body,
    }
}
