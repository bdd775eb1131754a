//! What can be wrong with a description, and how to mend it.

use std::fmt;

use super::label::{Acting, NodeLabel};

/// One finding about a [`System`](super::System). Names are those of the description.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Problem {
    /// The system has no body.
    NoBodies,
    /// More bodies than a model may have.
    TooManyBodies {
        /// Number of bodies.
        bodies: usize,
        /// Greatest number accepted.
        limit: usize,
    },
    /// A name is empty.
    EmptyName {
        /// Position of the body.
        body: usize,
    },
    /// A name is used twice.
    DuplicateName {
        /// What is named: "body", "hinge", "force element", "actuator", "closure" or "node of body …".
        kind: String,
        /// The name.
        name: String,
    },
    /// A number is infinite or not a number.
    NotFinite {
        /// The body, or "system".
        body: String,
        /// The quantity.
        quantity: String,
        /// The value.
        value: f64,
    },
    /// A body names a parent that is not declared before it.
    UnknownParent {
        /// The body.
        body: String,
        /// Index of the parent.
        parent: usize,
    },
    /// A node index is beyond the nodes of its body.
    UnknownNode {
        /// The body whose hinge refers to it.
        body: String,
        /// The body that should have it.
        owner: String,
        /// The index.
        node: usize,
        /// Number of nodes there are.
        nodes: usize,
    },
    /// A hinge axis has no direction.
    ZeroAxis {
        /// The body.
        body: String,
    },
    /// The two axes of a universal hinge are parallel.
    ParallelAxes {
        /// The body.
        body: String,
    },
    /// The mount of a hinge is not a rotation matrix.
    NotARotation {
        /// The body.
        body: String,
        /// Largest entry of `R Rᵀ - I`, or the determinant's distance from one.
        error: f64,
    },
    /// A mass is negative.
    NegativeMass {
        /// The body.
        body: String,
        /// The node.
        node: NodeLabel,
        /// The value.
        mass: f64,
    },
    /// An inertia matrix is not symmetric.
    AsymmetricInertia {
        /// The body.
        body: String,
        /// The node.
        node: NodeLabel,
        /// Largest difference of two mirrored entries.
        difference: f64,
    },
    /// A principal moment of inertia about the mass centre is negative.
    NegativeInertia {
        /// The body.
        body: String,
        /// The node.
        node: NodeLabel,
        /// The least principal moment.
        moment: f64,
    },
    /// Principal moments about the mass centre break the triangle rule `a ≤ b + c`.
    TriangleRule {
        /// The body.
        body: String,
        /// The node.
        node: NodeLabel,
        /// Principal moments, greatest last.
        moments: [f64; 3],
    },
    /// Principal moments of a whole flexible body about its mass centre break the triangle rule.
    BodyTriangleRule {
        /// The body.
        body: String,
        /// Principal moments, greatest last.
        moments: [f64; 3],
    },
    /// More modes than a body may have.
    TooManyModes {
        /// The body.
        body: String,
        /// Number of modes.
        modes: usize,
        /// Greatest number accepted.
        limit: usize,
    },
    /// More modes and shapes of second order than a body may have together.
    TooManyShapes {
        /// The body.
        body: String,
        /// Number of modes.
        modes: usize,
        /// Number of shapes of second order: one for each pair of bending modes of a beam.
        second_order: usize,
        /// Greatest number accepted.
        limit: usize,
    },
    /// A matrix or list has the wrong size.
    WrongSize {
        /// The body.
        body: String,
        /// The quantity.
        quantity: String,
        /// Size found.
        found: usize,
        /// Size expected.
        expected: usize,
    },
    /// Stiffness or damping is not symmetric.
    AsymmetricMatrix {
        /// The body.
        body: String,
        /// The quantity.
        quantity: String,
        /// Row and column of the entry.
        at: (usize, usize),
        /// The two mirrored entries.
        values: (f64, f64),
    },
    /// Stiffness or damping has a negative eigenvalue.
    Indefinite {
        /// The body.
        body: String,
        /// The quantity.
        quantity: String,
        /// Mode at which the factorization meets it.
        mode: usize,
    },
    /// An entry of a nonlinear stiffness tensor is out of range or lacks a mirrored one.
    NonlinearEntry {
        /// The body.
        body: String,
        /// Indices of the entry.
        indices: Vec<usize>,
        /// What is wrong with it.
        rule: &'static str,
    },
    /// A mode shape is a combination of the others.
    DependentModes {
        /// The body.
        body: String,
        /// A mode that depends on those before it.
        mode: usize,
    },
    /// A drive with negative inertia.
    NegativeRotor {
        /// The body.
        body: String,
        /// The value.
        value: f64,
    },
    /// A port of a force element, or the hinge of an actuator, that does not exist or does not fit.
    ForcePort {
        /// The element or actuator.
        element: Box<Acting>,
        /// Which of its ports.
        port: usize,
        /// What is wrong.
        reason: String,
        /// What to do.
        remedy: &'static str,
    },
    /// A number of a force element or actuator that breaks a rule.
    ForceParameter {
        /// The element or actuator.
        element: Box<Acting>,
        /// The quantity.
        quantity: String,
        /// Its value.
        value: f64,
        /// The rule, after "it must".
        rule: &'static str,
        /// What to do.
        remedy: &'static str,
    },
    /// A closure that cannot be.
    Closure {
        /// Its place among the closures of the system.
        index: usize,
        /// How messages call it.
        closure: String,
        /// What is wrong.
        reason: String,
        /// What to do.
        remedy: &'static str,
    },
    /// Tables of modal integrals that no distribution of mass has.
    ModalInertiaRule {
        /// The body.
        body: String,
        /// The table.
        table: &'static str,
        /// The rule it breaks.
        rule: &'static str,
        /// The value that breaks it.
        value: f64,
    },
    /// A mode accelerates no mass, neither of its body nor outboard of it.
    MasslessMode {
        /// The body.
        body: String,
        /// The mode.
        mode: usize,
    },
    /// A hinge accelerates no mass in one of its directions.
    MasslessHinge {
        /// The body.
        body: String,
        /// Which of its speeds.
        speed: usize,
    },
}

impl Problem {
    /// What to do about it, where there is more to say than what is wrong.
    pub fn remedy(&self) -> Option<&'static str> {
        Some(match self {
            Self::NoBodies => "add at least one",
            Self::EmptyName { .. } => "names identify bodies in results",
            Self::DuplicateName { .. } => "rename one",
            Self::NotFinite { .. } => "every number must be finite",
            Self::UnknownParent { .. } => "declare parents first",
            Self::UnknownNode { nodes: 0, .. } => "add one there",
            Self::UnknownNode { .. } => "use one of its nodes",
            Self::ZeroAxis { .. } => "give it a direction",
            Self::ParallelAxes { .. } => "turn one, or use a revolute hinge",
            Self::NotARotation { .. } => "its columns must be a right-handed orthonormal triad",
            Self::NegativeMass { .. } => "use a positive mass, or 0 for a marker",
            Self::AsymmetricInertia { .. } => "an inertia matrix must be symmetric",
            Self::NegativeInertia { .. } => {
                "it must not be negative (inertia is given about the node: is the mass-centre offset right?)"
            }
            Self::TriangleRule { .. } => "the greatest must not exceed the sum of the others",
            Self::BodyTriangleRule { .. } => {
                "the greatest must not exceed the sum of the others: check the inertias of its nodes"
            }
            Self::TooManyBodies { .. } => "divide the system, or merge bodies that do not move against each other",
            Self::TooManyModes { .. } => "keep the lowest ones",
            Self::TooManyShapes { .. } => "keep the lowest modes; cut a beam into several bodies for more",
            Self::WrongSize { .. } => "make the size fit the number of modes",
            Self::AsymmetricMatrix { .. } => "give both entries the same value",
            Self::Indefinite { .. } => "it must not have negative eigenvalues",
            Self::NonlinearEntry { .. } => "correct the entry",
            Self::NegativeRotor { .. } => "use 0 or more, including the square of the gear ratio",
            Self::ForcePort { remedy, .. } | Self::ForceParameter { remedy, .. } | Self::Closure { remedy, .. } => {
                remedy
            }
            Self::ModalInertiaRule { .. } => "check the program that wrote the tables",
            Self::DependentModes { .. } => "remove it or orthonormalise the modes",
            Self::MasslessMode { .. } => "give its nodes mass, or remove the mode",
            Self::MasslessHinge { .. } => "give the bodies it carries mass or inertia there, or fix the hinge",
        })
    }

    /// What is wrong, without the remedy.
    pub fn what(&self) -> String {
        match self {
            Self::NoBodies => "the system has no body".into(),
            Self::EmptyName { body } => format!("body number {body} has an empty name"),
            Self::DuplicateName { kind, name } => format!("{kind} name '{name}' is used more than once"),
            Self::NotFinite { body, quantity, value } => format!("{body}: {quantity} is {value}"),
            Self::UnknownParent { body, parent } => {
                format!("body '{body}': parent number {parent} is not declared before it")
            }
            Self::UnknownNode { body, owner, nodes: 0, .. } => {
                format!("body '{body}': its hinge needs a node of body '{owner}', which has none")
            }
            Self::UnknownNode { body, owner, node, nodes } => format!(
                "body '{body}': node {node} of body '{owner}' does not exist, which has nodes 0 to {}",
                nodes - 1
            ),
            Self::ZeroAxis { body } => format!("body '{body}': a hinge axis is zero"),
            Self::ParallelAxes { body } => format!("body '{body}': the axes of the universal hinge are parallel"),
            Self::NotARotation { body, error } => {
                format!("body '{body}': the hinge's mount deviates from a rotation matrix by {error:.2e}")
            }
            Self::NegativeMass { body, node, mass } => format!("body '{body}', node {node}: mass {mass:?} is negative"),
            Self::AsymmetricInertia { body, node, difference } => {
                format!("body '{body}', node {node}: the inertia is not symmetric, entries differ by {difference:.2e}")
            }
            Self::NegativeInertia { body, node, moment } => format!(
                "body '{body}', node {node}: a principal moment of inertia about the mass centre is {moment:.6e}"
            ),
            Self::TriangleRule { body, node, moments: [a, b, c] } => format!(
                "body '{body}', node {node}: principal moments {a:.6e}, {b:.6e}, {c:.6e} violate the triangle inequality, no mass \
                 distribution has them"
            ),
            Self::BodyTriangleRule { body, moments: [a, b, c] } => format!(
                "body '{body}': the principal moments of all its nodes together, {a:.6e}, {b:.6e}, {c:.6e}, violate the triangle \
                 inequality"
            ),
            Self::TooManyBodies { bodies, limit } => format!("{bodies} bodies, the limit is {limit}"),
            Self::TooManyModes { body, modes, limit } => format!("body '{body}': {modes} modes, the limit is {limit}"),
            Self::TooManyShapes { body, modes, second_order, limit } => format!(
                "body '{body}': {modes} modes and {second_order} shapes of second order, the limit for both together is {limit}"
            ),
            Self::WrongSize { body, quantity, found, expected } => {
                format!("body '{body}': {quantity} has size {found}, expected {expected}")
            }
            Self::AsymmetricMatrix { body, quantity, at: (i, j), values: (a, b) } => format!(
                "body '{body}': modal {quantity} is not symmetric, entries ({i},{j}) and ({j},{i}) are {a} and {b}"
            ),
            Self::Indefinite { body, quantity, mode } => {
                format!("body '{body}': modal {quantity} is indefinite (found at mode {mode})")
            }
            Self::NonlinearEntry { body, indices, rule } => {
                format!("body '{body}': nonlinear stiffness entry {indices:?} {rule}")
            }
            Self::NegativeRotor { body, value } => {
                format!("body '{body}': rotor inertia {value} of its hinge is negative")
            }
            Self::ForcePort { element, reason, .. } => format!("{}: {reason}", element.name),
            Self::ForceParameter { element, quantity, value, rule, .. } => {
                format!("{}: {quantity} is {value}; it must {rule}", element.name)
            }
            Self::Closure { closure, reason, .. } => format!("{closure}: {reason}"),
            Self::ModalInertiaRule { body, table, rule, value } => {
                format!("body '{body}', modal inertia: {table} {rule} {value}")
            }
            Self::DependentModes { body, mode } => {
                format!("body '{body}': mode {mode} is a linear combination of the modes before it")
            }
            Self::MasslessMode { body, mode } => format!("body '{body}': mode {mode} moves no mass"),
            Self::MasslessHinge { body, speed } => {
                format!("body '{body}': its hinge moves no mass in direction {speed}")
            }
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what())?;
        self.remedy().map_or(Ok(()), |remedy| write!(f, "; {remedy}"))
    }
}
