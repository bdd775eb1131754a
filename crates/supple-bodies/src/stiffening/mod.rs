//! Geometric stiffness per unit load as second-order shapes of a body.
//!
//! A load that stresses a body changes its stiffness. Where the load is known per unit of what causes it, the modal rows gain
//!
//! ```text
//! Σ_k a_k K_t(k) η  +  Σ_k ω̇_k K_r(k) η  +  Σ_j Ω_j K_ω(j) η  +  Σ f K_f η        Ω = (ω₁², ω₂², ω₃², ω₁ω₂, ω₂ω₃, ω₁ω₃)
//! ```
//!
//! with `a`, `ω`, `ω̇` the motion of the body frame and `f` forces and moments at nodes. The engine knows none of these matrices. It knows
//! [second-order shapes](supple::SecondOrderShape): displacements of amplitude `½ η* B η`, whose momentum, moment of inertia and motion of
//! nodes act on the modal rows through `B η`. The two are one:
//!
//! | load                  | what the shapes must have                     |
//! |-----------------------|-----------------------------------------------|
//! | linear acceleration   | linear momentum `E`, `Σ B E = K_t`            |
//! | angular acceleration  | angular momentum `F`, `Σ B F = K_r`           |
//! | spin                  | change of inertia `A`, `-½ ω·Σ B A ω = K_ω Ω` |
//! | force at a node       | motion of the node, `B = -K_f`                |
//!
//! # The mass of the shapes
//!
//! The matrices say nothing about the kinetic energy of the shapes themselves, which is of fourth order in `η` but keeps the mass matrix
//! definite however far the body bends. `E`, `F` and `A` are the twelve moments `R = Σ m s [1, x, y, z]` of a displacement field `s`.
//! Of all fields with given moments the affine one, `s = T [1; x]`, moves with the least kinetic energy: `T = R P⁻¹` with the second
//! moments `P = Σ m [1; x][1; x]*`, which mass, first moment and inertia of the body tell. There is a shape for each of the twelve
//! moments, at most, whatever the number of modes, and all their integrals follow from `P` and from the same moments of the modes:
//!
//! ```text
//! M(k,l) = T_k : R_l      M(r,k) = T_k : R_r      F1(r,k) = Σ_j T_k,j × R_r,j      2J2(r,k) = 2 tr N I - N - N*,  N = R_r T_k*
//! ```
//!
//! So the equations of a stiffened body are those of the matrices to first order in `η`, but for one term: the modal mass gains
//! `M(r,k) B η` where modes move along the shapes, which the matrices leave out and a real body has. For bodies with rotary inertia or
//! mass centres off their nodes the moments of the modes are those of point masses with the same tables; what this leaves indefinite is
//! added to the mass of the shapes.

mod affine;

use affine::Moments;
use std::fmt;
use supple::{Body, ModalInertia, SecondOrderShape};

/// A symmetric matrix of the modes, by rows.
pub type Matrix = Vec<Vec<f64>>;

/// Geometric stiffness of a body in its modes, per unit of each load. Empty matrices stand for zero.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct GeometricStiffness {
    /// Per unit linear acceleration of `F_k` along x, y and z.
    pub linear: [Matrix; 3],
    /// Per unit angular acceleration about x, y and z.
    pub angular: [Matrix; 3],
    /// Per unit `ω₁²`, `ω₂²`, `ω₃²`, `ω₁ω₂`, `ω₂ω₃`, `ω₁ω₃`.
    pub centrifugal: [Matrix; 6],
    /// Per unit moment or force at nodes.
    pub nodal: Vec<NodalStiffness>,
}

/// Geometric stiffness of a moment or force at a node.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct NodalStiffness {
    /// The node.
    pub node: usize,
    /// Component of `[moment; force]`, 0 to 5.
    pub component: usize,
    /// The matrix.
    pub matrix: Matrix,
}

/// Why a geometric stiffness cannot be taken.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum StiffeningError {
    /// A matrix that is not `modes × modes`.
    Size {
        /// Which matrix.
        matrix: String,
        /// Its rows, or the columns of its first wrong row.
        found: usize,
        /// The number of modes.
        expected: usize,
    },
    /// An entry that is not finite.
    NotFinite {
        /// Which matrix.
        matrix: String,
        /// Row and column.
        entry: [usize; 2],
        /// The entry.
        value: f64,
    },
    /// A matrix that is not symmetric: it has no energy.
    NotSymmetric {
        /// Which matrix.
        matrix: String,
        /// Row and column.
        entry: [usize; 2],
        /// Difference of the two entries as a fraction of the largest.
        value: f64,
    },
    /// A node that the body does not have, or a component beyond 5.
    NoNode {
        /// The node.
        node: usize,
        /// The component.
        component: usize,
        /// How many nodes there are.
        nodes: usize,
    },
    /// A loaded node with mass of its own, which the shape of the load would move.
    NodeMass {
        /// The node.
        node: usize,
        /// Its mass.
        mass: f64,
    },
    /// Mass, first moment and inertia that no distribution of mass has.
    Inertia {
        /// The negative second moment of mass.
        value: f64,
    },
    /// A load that moves mass where the body has none: a body on a line has no moments across it.
    Moment {
        /// Component of the displacement, 0 to 2.
        along: usize,
        /// The part that no displacement has, as a fraction of the largest moment.
        value: f64,
    },
}

impl StiffeningError {
    /// What to do about it.
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::Size { .. } => "give it a row and a column per mode",
            Self::NotFinite { .. } => "every entry must be finite",
            Self::NotSymmetric { .. } => "the matrix must be symmetric: use its symmetric part if the rest is rounding",
            Self::NoNode { .. } => "correct node or component",
            Self::NodeMass { .. } => "give the inertia of the body as tables, with massless nodes",
            Self::Inertia { .. } => "no second moment of mass may be negative: correct the inertia",
            Self::Moment { .. } => "correct the matrices, or give the body its inertia across that axis",
        }
    }

    /// What is wrong, without the remedy.
    pub fn what(&self) -> String {
        match self {
            Self::Size { matrix, found, expected } => {
                format!("{matrix} has size {found}, expected {expected}: one row and column per mode")
            }
            Self::NotFinite { matrix, entry: [i, j], value } => format!("{matrix}, entry ({i}, {j}) is {value}"),
            Self::NotSymmetric { matrix, entry: [i, j], value } => {
                format!("{matrix}, entries ({i}, {j}) and ({j}, {i}) differ by {value:.1e} of the largest")
            }
            Self::NoNode { node, component, nodes } => format!(
                "stiffness of a load at node {node}, component {component}: there are {nodes} nodes (from 0) and 6 components"
            ),
            Self::NodeMass { node, mass } => {
                format!("stiffness of a load at node {node}, which has mass {mass} and must have none")
            }
            Self::Inertia { value } => {
                format!("the inertia of the body implies a second moment of mass of {value}")
            }
            Self::Moment { along, value } => format!(
                "stiffness of accelerations moves mass along axis {along} by {value:.1e} of the largest moment, where the body \
                 has none"
            ),
        }
    }
}

impl fmt::Display for StiffeningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.what(), self.remedy())
    }
}

impl std::error::Error for StiffeningError {}

/// Entries may differ from those across the diagonal by this fraction of the largest.
const ASYMMETRY: f64 = 1e-6;

/// Adds shapes to `body` that stiffen it by `stiffness`. They are read by [`Fidelity::Stiffened`](supple::Fidelity::Stiffened) alone.
///
/// Matrices are symmetrised; differences of up to 1e-6 of their largest entry are taken for rounding.
///
/// # Errors
/// [`StiffeningError`] names the matrix, the node or the inertia that is wrong.
///
/// # Panics
/// If tables or influences of `body` do not have a column for each of its modes and shapes.
#[track_caller]
pub fn stiffen(body: &mut Body, stiffness: &GeometricStiffness) -> Result<(), StiffeningError> {
    let n = body.modes.count;
    let named = |kind: &str, at: usize| format!("geometric stiffness, {kind} {at}");
    let matrices = |kind: &'static str, list: &[Matrix]| -> Result<Vec<Option<Matrix>>, StiffeningError> {
        list.iter().enumerate().map(|(i, m)| symmetric(m, n, &named(kind, i))).collect()
    };
    let linear = matrices("linear acceleration", &stiffness.linear)?;
    let angular = matrices("angular acceleration", &stiffness.angular)?;
    let centrifugal = matrices("spin", &stiffness.centrifugal)?;
    let mut nodal = Vec::new();
    for load in &stiffness.nodal {
        let (node, component, nodes) = (load.node, load.component, body.nodes.len());
        if node >= nodes || component > 5 {
            return Err(StiffeningError::NoNode { node, component, nodes });
        }
        if body.nodes[node].mass != 0.0 || body.nodes[node].inertia != [[0.0; 3]; 3] {
            return Err(StiffeningError::NodeMass { node, mass: body.nodes[node].mass });
        }
        if let Some(m) = symmetric(&load.matrix, n, &named("load at node", node))? {
            nodal.push((node, component, m));
        }
    }
    let tables = ModalInertia::of(body);
    let at = |m: &Option<Matrix>, r: usize, s: usize| m.as_ref().map_or(0.0, |m| m[r][s]);
    let moments = |r: usize, s: usize| {
        let o: [f64; 6] = std::array::from_fn(|j| at(&centrifugal[j], r, s));
        // -½ ω·A ω = o·Ω
        let a = [[-2.0 * o[0], -o[3], -o[5]], [-o[3], -2.0 * o[1], -o[4]], [-o[5], -o[4], -2.0 * o[2]]];
        let (e, f) = (std::array::from_fn(|i| at(&linear[i], r, s)), std::array::from_fn(|i| at(&angular[i], r, s)));
        Moments::from_tables(e, f, &a)
    };
    let fields = affine::shapes(&tables, n, moments)?;
    let old = tables.modal_mass.len();
    let added = fields.len() + nodal.len();
    if added == 0 {
        return Ok(());
    }
    let mut given = body.modal_inertia.take().unwrap_or_else(|| ModalInertia::zero(old));
    affine::extend(&mut given, &tables, &fields, added);
    body.modal_inertia = Some(given);
    for field in &fields {
        body.modes.second_order.push(shape(&field.gain, 1.0));
    }
    for (_, _, matrix) in &nodal {
        body.modes.second_order.push(shape(matrix, -1.0));
    }
    for (i, node) in body.nodes.iter_mut().enumerate() {
        let moved = nodal.iter().any(|(at, _, _)| *at == i);
        if node.influence.is_empty() && !moved {
            continue;
        }
        node.influence.resize(old + added, [0.0; 6]);
        for (k, (at, component, _)) in nodal.iter().enumerate() {
            if *at == i {
                node.influence[old + fields.len() + k][*component] = 1.0;
            }
        }
    }
    Ok(())
}

/// `factor B` as the engine lists it.
fn shape(b: &Matrix, factor: f64) -> SecondOrderShape {
    let pairs = (0..b.len()).flat_map(|r| (r..b.len()).map(move |s| [r, s]));
    SecondOrderShape { quadratic: pairs.map(|[r, s]| ([r, s], factor * b[r][s])).filter(|e| e.1 != 0.0).collect() }
}

/// The symmetric part of a matrix that is finite and of the right size; nothing where it is zero.
fn symmetric(m: &Matrix, n: usize, name: &str) -> Result<Option<Matrix>, StiffeningError> {
    if m.is_empty() {
        return Ok(None);
    }
    let wrong = std::iter::once(m.len()).chain(m.iter().map(Vec::len)).find(|&size| size != n);
    if let Some(found) = wrong {
        return Err(StiffeningError::Size { matrix: name.to_owned(), found, expected: n });
    }
    let mut largest = 0.0_f64;
    for (i, row) in m.iter().enumerate() {
        for (j, &value) in row.iter().enumerate() {
            if !value.is_finite() {
                return Err(StiffeningError::NotFinite { matrix: name.to_owned(), entry: [i, j], value });
            }
            largest = largest.max(value.abs());
        }
    }
    if largest == 0.0 {
        return Ok(None);
    }
    for i in 0..n {
        for j in 0..i {
            let value = (m[i][j] - m[j][i]).abs() / largest;
            if value > ASYMMETRY {
                return Err(StiffeningError::NotSymmetric { matrix: name.to_owned(), entry: [i, j], value });
            }
        }
    }
    Ok(Some((0..n).map(|i| (0..n).map(|j| 0.5 * (m[i][j] + m[j][i])).collect()).collect()))
}
