//! What can be wrong with a description, and how to mend it.

use std::fmt;

/// One finding about a [`System`](super::System). Names are those of the description.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Problem {
    /// The system has no body.
    NoBodies,
    /// A name is empty.
    EmptyName {
        /// Position of the body.
        body: usize,
    },
    /// A name is used twice.
    DuplicateName {
        /// What is named: "body", "hinge", "force element", "actuator" or "node of body …".
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
        node: usize,
        /// The value.
        mass: f64,
    },
    /// An inertia matrix is not symmetric.
    AsymmetricInertia {
        /// The body.
        body: String,
        /// The node.
        node: usize,
        /// Largest difference of two mirrored entries.
        difference: f64,
    },
    /// A principal moment of inertia about the mass centre is negative.
    NegativeInertia {
        /// The body.
        body: String,
        /// The node.
        node: usize,
        /// The least principal moment.
        moment: f64,
    },
    /// Principal moments about the mass centre break the triangle rule `a ≤ b + c`.
    TriangleRule {
        /// The body.
        body: String,
        /// The node.
        node: usize,
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
        element: String,
        /// Its place among the force elements of the system; none for an actuator.
        index: Option<usize>,
        /// The body of its first port, where it has one.
        body: Option<String>,
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
        element: String,
        /// Its place among the force elements of the system; none for an actuator.
        index: Option<usize>,
        /// The body of its first port, where it has one.
        body: Option<String>,
        /// The quantity.
        quantity: String,
        /// Its value.
        value: f64,
        /// The rule, after "it must".
        rule: &'static str,
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

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoBodies => write!(f, "the system has no body; declare at least one"),
            Self::EmptyName { body } => {
                write!(f, "body number {body} has an empty name; names identify bodies in results")
            }
            Self::DuplicateName { kind, name } => write!(f, "{kind} name '{name}' is used more than once; rename one"),
            Self::NotFinite { body, quantity, value } => {
                write!(f, "{body}: {quantity} is {value}; every number must be finite")
            }
            Self::UnknownParent { body, parent } => {
                write!(f, "body '{body}': parent number {parent} is not declared before it; declare parents first")
            }
            Self::UnknownNode { body, owner, nodes: 0, .. } => {
                write!(f, "body '{body}': its hinge needs a node of body '{owner}', which has none; add one there")
            }
            Self::UnknownNode { body, owner, node, nodes } => {
                write!(
                    f,
                    "body '{body}': node {node} of body '{owner}' does not exist; it has nodes 0 to {}",
                    nodes - 1
                )
            }
            Self::ZeroAxis { body } => write!(f, "body '{body}': a hinge axis is zero; give it a direction"),
            Self::ParallelAxes { body } => {
                write!(
                    f,
                    "body '{body}': the axes of the universal hinge are parallel; turn one, or use a revolute hinge"
                )
            }
            Self::NotARotation { body, error } => write!(
                f,
                "body '{body}': the hinge's mount is off a rotation matrix by {error:.2e}; its columns must be a right-handed orthonormal triad"
            ),
            Self::NegativeMass { body, node, mass } => {
                write!(f, "body '{body}', node {node}: mass {mass} is negative; use a positive mass, or 0 for a marker")
            }
            Self::AsymmetricInertia { body, node, difference } => {
                write!(
                    f,
                    "body '{body}', node {node}: the inertia is not symmetric, entries differ by {difference:.2e}"
                )
            }
            Self::NegativeInertia { body, node, moment } => write!(
                f,
                "body '{body}', node {node}: a principal moment of inertia about the mass centre is {moment:.6e}; it must not be negative \
                 (inertia is given about the node: is the mass-centre offset right?)"
            ),
            Self::TriangleRule { body, node, moments: [a, b, c] } => write!(
                f,
                "body '{body}', node {node}: principal moments {a:.6e}, {b:.6e}, {c:.6e} break the triangle rule, no mass distribution has them; \
                 the greatest must not exceed the sum of the others"
            ),
            Self::BodyTriangleRule { body, moments: [a, b, c] } => write!(
                f,
                "body '{body}': the principal moments of all its nodes together, {a:.6e}, {b:.6e}, {c:.6e}, break the triangle \
                 rule; the greatest must not exceed the sum of the others: check the inertias of its nodes"
            ),
            Self::TooManyModes { body, modes, limit } => {
                write!(f, "body '{body}': {modes} modes, at most {limit} are accepted; keep the lowest ones")
            }
            Self::WrongSize { body, quantity, found, expected } => {
                write!(f, "body '{body}': {quantity} has size {found}, expected {expected}")
            }
            Self::AsymmetricMatrix { body, quantity, at, values } => write!(
                f,
                "body '{body}': modal {quantity} is not symmetric, entries ({i},{j}) and ({j},{i}) are {} and {}",
                values.0,
                values.1,
                i = at.0,
                j = at.1
            ),
            Self::Indefinite { body, quantity, mode } => {
                write!(
                    f,
                    "body '{body}': modal {quantity} is indefinite (found at mode {mode}); it must not have negative eigenvalues"
                )
            }
            Self::NonlinearEntry { body, indices, rule } => {
                write!(f, "body '{body}': nonlinear stiffness entry {indices:?} {rule}")
            }
            Self::NegativeRotor { body, value } => {
                write!(
                    f,
                    "body '{body}': rotor inertia {value} of its hinge is negative; use 0 or more, the square of the gear ratio included"
                )
            }
            Self::ForcePort { element, reason, remedy, .. } => write!(f, "{element}: {reason}; {remedy}"),
            Self::ForceParameter { element, quantity, value, rule, remedy, .. } => {
                write!(f, "{element}: {quantity} is {value}; it must {rule}: {remedy}")
            }
            Self::ModalInertiaRule { body, table, rule, value } => {
                write!(
                    f,
                    "body '{body}', modal inertia: {table} {rule} {value}; check the program that made the tables"
                )
            }
            Self::DependentModes { body, mode } => {
                write!(
                    f,
                    "body '{body}': mode {mode} is a combination of the modes before it; remove it or orthonormalise the modes"
                )
            }
            Self::MasslessMode { body, mode } => {
                write!(f, "body '{body}': mode {mode} moves no mass; give its nodes mass, or remove the mode")
            }
            Self::MasslessHinge { body, speed } => write!(
                f,
                "body '{body}': its hinge moves no mass in direction {speed}; give the bodies it carries mass or inertia there, or fix the hinge"
            ),
        }
    }
}

/// Everything that is wrong with a description.
#[derive(Clone, Debug, PartialEq)]
pub struct BuildError {
    problems: Vec<Problem>,
}

impl BuildError {
    pub(crate) fn new(problems: Vec<Problem>) -> Self {
        Self { problems }
    }

    /// All findings.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the model has {} problem(s):", self.problems.len())?;
        for p in &self.problems {
            write!(f, "\n  - {p}")?;
        }
        Ok(())
    }
}

impl std::error::Error for BuildError {}
