//! From a body of the engine to standard input data.

use super::tables::{Block, INERTIA_COLUMN, less_cross, spin_coefficients};
use super::{Sid, SidNode, Taylor};
use std::fmt;
use supple::{Body, Fidelity, ModalInertia, ModalMatrix, Node};

/// Something that a body uses and that standard input data do not carry.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Loss {
    /// Entries of the elastic force that are not linear.
    NonlinearStiffness {
        /// How many.
        entries: usize,
    },
    /// Entries of the stiffness of the axial load.
    AxialLoad {
        /// How many.
        entries: usize,
    },
    /// Masses of second-order shapes: what they do to the modal rows is kept to first order in the deformation.
    SecondOrderMass {
        /// How many shapes there are.
        shapes: usize,
    },
    /// Names of nodes: nodes are numbered from 1 in their order.
    NodeNames {
        /// How many nodes have one.
        nodes: usize,
    },
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NonlinearStiffness { entries } => write!(f, "{entries} entries of nonlinear stiffness"),
            Self::AxialLoad { entries } => write!(f, "{entries} entries of the stiffness of the axial load"),
            Self::SecondOrderMass { shapes } => write!(f, "masses of {shapes} second-order shapes"),
            Self::NodeNames { nodes } => write!(f, "names of {nodes} nodes"),
        }
    }
}

impl Sid {
    /// The standard input data of a body, in Lagrange's convention, with a list of what its fidelity reads
    /// and they do not carry. Hinge and parent are no part of
    /// them; nodes are numbered from 1.
    ///
    /// Exact for a body without second-order shapes and nonlinear stiffness. `Gr` is written to first order: its change holds the
    /// second derivative of the inertia, which other programs leave out.
    ///
    /// # Panics
    /// If tables or influences of `body` do not have a column for each of its modes and shapes.
    #[track_caller]
    pub fn from_body(body: &Body) -> (Self, Vec<Loss>) {
        let n = body.modes.count;
        let tables = ModalInertia::of(body);
        let gains = Gains::of(body);
        let t = &tables;
        let spin = |r: usize, s: usize| -> Block {
            let shapes = gains.sum::<9>(r, s, |k| flat(&t.inertia_first[k]));
            let own = t.inertia_second[r][s];
            std::array::from_fn(|i| std::array::from_fn(|j| own[i][j] + shapes[3 * i + j]))
        };
        let angular = |r: usize| [t.coupling[r][0], t.coupling[r][1], t.coupling[r][2]];
        let coupling = |r: usize, s: usize| gains.sum::<6>(r, s, |k| t.coupling[k]);
        let column = |i: usize| INERTIA_COLUMN[i];
        let sid = Self {
            title: String::new(),
            name: body.name.clone(),
            mass: t.mass,
            modes: vec![String::new(); n],
            nodes: body.nodes.iter().enumerate().map(|(i, node)| sid_node(i, node, n, &gains)).collect(),
            mass_moment: linear(3, 1, n, |i, _| t.mass_moment[i], |i, r, _| t.moment_change[r][i]),
            inertia: linear(
                6,
                1,
                n,
                |i, _| t.inertia[column(i)[0]][column(i)[1]],
                |i, r, _| t.inertia_first[r][column(i)[0]][column(i)[1]],
            ),
            linear_coupling: linear(n, 3, n, |r, i| t.coupling[r][3 + i], |r, s, i| coupling(r, s)[3 + i]),
            angular_coupling: linear(
                n,
                3,
                n,
                |r, i| t.coupling[r][i],
                |r, s, i| t.coupling_change[r][s][i] + coupling(r, s)[i],
            ),
            modal_mass: constant(n, n, n, |r, s| t.modal_mass[r][s]),
            angular_gyroscopic: Some(linear(
                3,
                3 * n,
                n,
                |i, c| less_cross(&t.inertia_first[c / 3], angular(c / 3))[i][c % 3],
                |i, s, c| less_cross(&t.inertia_second[c / 3][s], t.coupling_change[c / 3][s])[i][c % 3],
            )),
            modal_gyroscopic: Some(constant(n, 3 * n, n, |r, c| {
                t.coupling_change[r][c / 3][c % 3] - t.coupling_change[c / 3][r][c % 3]
            })),
            centrifugal: Some(linear(
                n,
                6,
                n,
                |r, i| spin_coefficients(&t.inertia_first[r])[i],
                |r, s, i| spin_coefficients(&spin(r, s))[i],
            )),
            rest_force: None,
            stiffness: modal_matrix(&body.modes.stiffness, n),
            damping: Some(modal_matrix(&body.modes.damping, n)),
        };
        (sid, losses(body, &tables, &gains))
    }
}

/// As [`Taylor::constant`], with one zero: a negative one would be written.
fn constant(rows: usize, columns: usize, modes: usize, entry: impl Fn(usize, usize) -> f64) -> Taylor {
    Taylor::constant(rows, columns, modes, |i, j| entry(i, j) + 0.0)
}

/// As [`Taylor::linear`], with one zero.
fn linear(
    rows: usize,
    columns: usize,
    modes: usize,
    entry: impl Fn(usize, usize) -> f64,
    change: impl Fn(usize, usize, usize) -> f64,
) -> Taylor {
    Taylor::linear(rows, columns, modes, |i, j| entry(i, j) + 0.0, |i, k, j| change(i, k, j) + 0.0)
}

/// Gains of the second-order shapes that the fidelity of a body reads.
struct Gains {
    /// Column of the first shape.
    first: usize,
    /// `B` of each shape by rows.
    gains: Vec<Vec<f64>>,
}

impl Gains {
    fn of(body: &Body) -> Self {
        let n = body.modes.count;
        let used = body.modes.fidelity == Fidelity::Stiffened;
        let shapes = if used { body.modes.second_order.as_slice() } else { &[] };
        let full = |shape: &supple::SecondOrderShape| {
            let mut b = vec![0.0; n * n];
            for ([r, s], value) in &shape.quadratic {
                (b[r * n + s], b[s * n + r]) = (*value, *value);
            }
            b
        };
        Self { first: n, gains: shapes.iter().map(full).collect() }
    }

    /// `Σ B_k(r,s) x(k)` over the shapes.
    fn sum<const N: usize>(&self, r: usize, s: usize, x: impl Fn(usize) -> [f64; N]) -> [f64; N] {
        let mut sum = [0.0; N];
        for (k, b) in self.gains.iter().enumerate() {
            let gain = b[r * self.first + s];
            if gain != 0.0 {
                sum.iter_mut().zip(x(self.first + k)).for_each(|(a, x)| *a += gain * x);
            }
        }
        sum
    }
}

fn flat(a: &Block) -> [f64; 9] {
    std::array::from_fn(|p| a[p / 3][p % 3])
}

fn sid_node(index: usize, node: &Node, n: usize, gains: &Gains) -> SidNode {
    let column = |r: usize| node.influence.get(r).copied().unwrap_or([0.0; 6]);
    let motion =
        |first: usize| linear(3, n, n, |i, r| column(r)[first + i], |i, s, r| gains.sum(r, s, column)[first + i]);
    let turned = |i: usize, r: usize, j: usize| less_cross(&[[0.0; 3]; 3], lambda(column(r)))[j][i];
    SidNode {
        number: index as u64 + 1,
        frame: "body ref".to_owned(),
        origin: linear(3, 1, n, |i, _| node.position[i], |i, r, _| column(r)[3 + i]),
        translation: motion(3),
        rotation: motion(0),
        axes: linear(3, 3, n, |i, j| f64::from(i == j), turned),
        stress: None,
    }
}

fn lambda(column: [f64; 6]) -> [f64; 3] {
    [column[0], column[1], column[2]]
}

fn modal_matrix(m: &ModalMatrix, n: usize) -> Taylor {
    constant(n, n, n, |r, s| match m {
        ModalMatrix::Zero => 0.0,
        ModalMatrix::Diagonal(d) => d.get(r).copied().filter(|_| r == s).unwrap_or(0.0),
        ModalMatrix::Full(rows) => rows.get(r).and_then(|row| row.get(s)).copied().unwrap_or(0.0),
    })
}

fn losses(body: &Body, tables: &ModalInertia, gains: &Gains) -> Vec<Loss> {
    let mut out = Vec::new();
    let nonlinear = &body.modes.nonlinear;
    let entries = nonlinear.cubic.len() + nonlinear.quartic.len();
    if entries > 0 && body.modes.fidelity == Fidelity::Exact {
        out.push(Loss::NonlinearStiffness { entries });
    }
    if !nonlinear.axial_load.is_empty() && body.modes.fidelity == Fidelity::Consistent {
        out.push(Loss::AxialLoad { entries: nonlinear.axial_load.len() });
    }
    let shapes = gains.gains.len();
    if tables.modal_mass.iter().skip(gains.first).take(shapes).flatten().any(|m| *m != 0.0) {
        out.push(Loss::SecondOrderMass { shapes });
    }
    let nodes = body.nodes.iter().filter(|n| n.name.is_some()).count();
    if nodes > 0 {
        out.push(Loss::NodeNames { nodes });
    }
    out
}
