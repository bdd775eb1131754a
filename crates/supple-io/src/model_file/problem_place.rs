//! Which body, and which part of it, a problem of the engine is about.

use supple::Problem;

/// A part of a body in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// The body as a whole.
    Body,
    /// Its hinge.
    Hinge,
    /// One of its nodes.
    Node(usize),
    /// Its modes.
    Modes,
}

/// The body and the part; nothing where the problem is about the system.
pub(crate) fn place(problem: &Problem) -> Option<(&str, Part)> {
    Some(match problem {
        Problem::ZeroAxis { body } | Problem::ParallelAxes { body } => (body, Part::Hinge),
        Problem::NotARotation { body, .. } | Problem::MasslessHinge { body, .. } => (body, Part::Hinge),
        Problem::UnknownParent { body, .. } | Problem::UnknownNode { body, .. } => (body, Part::Body),
        Problem::NegativeMass { body, node, .. }
        | Problem::AsymmetricInertia { body, node, .. }
        | Problem::NegativeInertia { body, node, .. }
        | Problem::TriangleRule { body, node, .. } => (body, Part::Node(*node)),
        Problem::TooManyModes { body, .. }
        | Problem::AsymmetricMatrix { body, .. }
        | Problem::Indefinite { body, .. }
        | Problem::NonlinearEntry { body, .. }
        | Problem::DependentModes { body, .. }
        | Problem::MasslessMode { body, .. } => (body, Part::Modes),
        Problem::NotFinite { body, quantity, .. } | Problem::WrongSize { body, quantity, .. } => {
            (body, part_of_quantity(quantity))
        }
        Problem::BodyTriangleRule { body, .. } => (body, Part::Body),
        _ => return None,
    })
}

/// Quantities are told as "… of node 3", "modal …", "hinge …".
fn part_of_quantity(quantity: &str) -> Part {
    match quantity.rsplit_once(" of node ") {
        Some((_, index)) => index.parse().map_or(Part::Body, Part::Node),
        None if quantity.starts_with("hinge") || quantity.starts_with("screw") => Part::Hinge,
        None if quantity.starts_with("modal") || quantity.starts_with("second-order") => Part::Modes,
        None => Part::Body,
    }
}
