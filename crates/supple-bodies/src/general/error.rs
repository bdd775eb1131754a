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

impl GeneralError {
    /// What to do about it.
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::Size { .. } => "set the degrees of freedom per node, or export all nodes",
            Self::Position { .. } => "positions must be finite",
            Self::SameName { .. } => "names must be unique: rename one",
            Self::NotFinite { .. } => "look for a failed export",
            Self::NegativeDiagonal { .. } => "check sign and order of the matrices",
            Self::NotSymmetric { .. } => "export the symmetric part",
            Self::RigidMass { .. } => "check mass matrix, positions and order of the degrees of freedom",
            Self::RigidStrain { .. } => {
                "remove supports from the stiffness, check positions and order of the degrees of freedom, or raise the \
                 tolerance"
            }
            Self::Modes { .. } => "modes and matrices must come from the same model",
            Self::NodeLine { .. } => "write `name,x,y,z` with finite numbers",
            Self::Stiffening(error) => error.remedy(),
        }
    }

    /// What is wrong, without the remedy.
    pub fn what(&self) -> String {
        match self {
            Self::Size { matrix, found, expected } => format!(
                "the {matrix} matrix has {found} rows, expected {expected}: one per degree of freedom of every node"
            ),
            Self::Position { node, value } => format!("node {node} is at {value:?}"),
            Self::SameName { name } => format!("two nodes are called {name}"),
            Self::NotFinite { matrix, dof, value } => format!("{matrix} matrix, {dof}: {value} is not finite"),
            Self::NegativeDiagonal { matrix, dof, value } => {
                format!("{matrix} matrix, {dof}: {value} on the diagonal must not be negative")
            }
            Self::NotSymmetric { matrix, dof, value } => {
                format!("{matrix} matrix, {dof}: entries differ across the diagonal by {value:.1e}")
            }
            Self::RigidMass { motion, value } => {
                format!("{motion} has kinetic energy {value:e}, which must be positive")
            }
            Self::RigidStrain { motion, value, allowed, dof } => format!(
                "{motion} strains the body: its work is {value:.1e} of its parts, tolerance {allowed:.1e}, the largest force is \
                 at {dof}"
            ),
            Self::Modes { found, expected } => format!("a mode has {found} rows, the model {expected}"),
            Self::NodeLine { line, field, value } => format!("line {line}, {field}: `{value}` is not valid"),
            Self::Stiffening(error) => error.what(),
        }
    }
}

impl fmt::Display for GeneralError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.what(), self.remedy())
    }
}

impl std::error::Error for GeneralError {}
