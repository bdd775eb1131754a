//! What is wrong with nodes and matrices of a general body.

use std::fmt;

/// A motion of the whole body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RigidMotion {
    /// A turn about x, y or z (0 to 2) through the origin.
    Turn(usize),
    /// A shift along x, y or z (0 to 2).
    Shift(usize),
}

impl RigidMotion {
    pub(super) fn of(index: usize) -> Self {
        if index < 3 { Self::Turn(index) } else { Self::Shift(index - 3) }
    }
}

impl fmt::Display for RigidMotion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let axis = |i: usize| ["x", "y", "z"].get(i).copied().unwrap_or("?");
        match self {
            Self::Turn(i) => write!(f, "a turn about {}", axis(*i)),
            Self::Shift(i) => write!(f, "a shift along {}", axis(*i)),
        }
    }
}

/// A degree of freedom, named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DofName {
    /// Name or index of the node.
    pub node: String,
    /// `ux`, `uy`, `uz`, `rx`, `ry` or `rz`.
    pub component: &'static str,
    /// Row of the matrices, counted from 0.
    pub row: usize,
}

impl fmt::Display for DofName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "node {}, {} (row {})", self.node, self.component, self.row)
    }
}

/// Why nodes and matrices make no body.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum GeneralError {
    /// A matrix that does not have a row per degree of freedom of the nodes.
    Size {
        /// Which matrix.
        matrix: &'static str,
        /// Its rows.
        found: usize,
        /// Rows that it must have.
        expected: usize,
    },
    /// A position that is not finite.
    Position {
        /// Name or index of the node.
        node: String,
        /// The position.
        value: [f64; 3],
    },
    /// A name that two nodes have.
    SameName {
        /// The name.
        name: String,
    },
    /// An entry that is not finite.
    NotFinite {
        /// Which matrix.
        matrix: &'static str,
        /// The degree of freedom.
        dof: DofName,
        /// The entry.
        value: f64,
    },
    /// A negative number on the diagonal.
    NegativeDiagonal {
        /// Which matrix.
        matrix: &'static str,
        /// The degree of freedom.
        dof: DofName,
        /// The number.
        value: f64,
    },
    /// Entries across the diagonal that differ.
    NotSymmetric {
        /// Which matrix.
        matrix: &'static str,
        /// The degree of freedom of the row.
        dof: DofName,
        /// Difference as a fraction of the entries and of the diagonal.
        value: f64,
    },
    /// No mass, or negative kinetic energy, in a motion of the whole body.
    RigidMass {
        /// The motion that has it, or the one with the greatest share in it.
        motion: RigidMotion,
        /// Twice the energy of the motion at unit speed.
        value: f64,
    },
    /// A motion of the whole body that strains it.
    RigidStrain {
        /// The motion.
        motion: RigidMotion,
        /// Its work as a fraction of the sum of the absolute values of its parts.
        value: f64,
        /// The fraction that is allowed.
        allowed: f64,
        /// The degree of freedom with the largest force.
        dof: DofName,
    },
    /// Modes of another model.
    Modes {
        /// Rows of a mode.
        found: usize,
        /// Rows that it must have.
        expected: usize,
    },
    /// A list of nodes with a line that is none.
    NodeLine {
        /// The line, counted from 1.
        line: usize,
        /// Which field.
        field: &'static str,
        /// What stands there.
        value: String,
    },
    /// A geometric stiffness that cannot be taken.
    Stiffening(crate::stiffening::StiffeningError),
}

impl fmt::Display for GeneralError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size { matrix, found, expected } => write!(
                f,
                "the {matrix} matrix has {found} rows: {expected} are needed, one per degree of freedom of every node; \
                 choose the degrees of freedom per node or export all nodes"
            ),
            Self::Position { node, value } => write!(f, "node {node} is at {value:?}: positions must be finite"),
            Self::SameName { name } => write!(f, "two nodes are called {name}: names must be unique, rename one"),
            Self::NotFinite { matrix, dof, value } => {
                write!(f, "{matrix} matrix, {dof}: {value} is not finite; look for a failed export")
            }
            Self::NegativeDiagonal { matrix, dof, value } => write!(
                f,
                "{matrix} matrix, {dof}: {value} on the diagonal must not be negative; check sign and order of the matrices"
            ),
            Self::NotSymmetric { matrix, dof, value } => {
                write!(
                    f,
                    "{matrix} matrix, {dof}: entries differ across the diagonal by {value:.1e}; it must be symmetric"
                )
            }
            Self::RigidMass { motion, value } => write!(
                f,
                "{motion} has kinetic energy {value:e}: it must be positive; check mass matrix, positions and order of \
                 the degrees of freedom"
            ),
            Self::RigidStrain { motion, value, allowed, dof } => write!(
                f,
                "{motion} strains the body: its work is {value:.1e} of its parts, {allowed:.1e} is allowed, the largest force \
                 is at {dof}; remove supports from the stiffness, check positions and order of the degrees of freedom, or \
                 raise the tolerance"
            ),
            Self::Modes { found, expected } => {
                write!(f, "a mode has {found} rows, the model {expected}: the modes must come from the same model")
            }
            Self::NodeLine { line, field, value } => {
                write!(f, "line {line}, {field}: `{value}`: a line must be `name,x,y,z` with finite numbers")
            }
            Self::Stiffening(e) => write!(f, "{e}"),
        }
    }
}

impl std::error::Error for GeneralError {}
