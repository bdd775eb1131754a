//! From standard input data to a body of the engine.

use super::tables::{Block, from_spin_coefficients, inertia, less_cross, spin_coefficients, split};
use super::{Sid, Taylor};
use crate::stiffening::{GeometricStiffness, Matrix, NodalStiffness, StiffeningError, stiffen};
use std::fmt;
use supple::{Body, Fidelity, Hinge, ModalInertia, ModalMatrix, Modes, Node, Parent};

/// Why standard input data make no body.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SidBodyError {
    /// A block whose size does not fit the number of modes.
    Size {
        /// The block.
        block: String,
        /// Rows and columns that it has.
        found: [usize; 2],
        /// Rows and columns that it must have.
        expected: [usize; 2],
    },
    /// Stresses at rest, which the engine does not have.
    RestForce {
        /// The mode.
        mode: usize,
        /// The force.
        value: f64,
    },
    /// A geometric stiffness that cannot be taken.
    Stiffening(StiffeningError),
}

impl SidBodyError {
    /// What to do about it.
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::Size { .. } => "make the block fit the number of modes, with one number per entry",
            Self::RestForce { .. } => "a body at rest must be free of stress: set it to zero",
            Self::Stiffening(error) => error.remedy(),
        }
    }

    /// What is wrong, without the remedy.
    pub fn what(&self) -> String {
        match self {
            Self::Size { block, found: [r, c], expected: [rows, columns] } => {
                format!("{block} is {r} x {c}, expected {rows} x {columns} for this number of modes")
            }
            Self::RestForce { mode, value } => format!("ksigma of mode {mode} is {value}"),
            Self::Stiffening(error) => error.what(),
        }
    }
}

impl fmt::Display for SidBodyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.what(), self.remedy())
    }
}

impl std::error::Error for SidBodyError {}

/// Differences, relative to the largest entry, that count as rounding when parts of a table are separated.
const ROUNDING: f64 = 1e-12;

impl Sid {
    /// A body with these data: massless nodes in the order of the file, named by their numbers, and all inertia as
    /// [`ModalInertia`]. The first node is at the hinge; set [`Body::inboard_node`] for another.
    ///
    /// Nodes have the axes of the body frame; `AP` at rest is not used. Read are `mdCM`, `J`, `Ct`, `Cr`, `Me`, `Ke`, `De`, and of `Gr` and
    /// `Oe` the change with the modes, the rest of them follows. What the change of a table means:
    ///
    /// | table | with a change of `Gr`                            | without                                           |
    /// |-------|--------------------------------------------------|---------------------------------------------------|
    /// | `Gr`  | second derivative of the inertia, and that of `Cr` by motion | –                                      |
    /// | `Cr`  | what `Gr` does not explain is geometric stiffness | symmetric part geometric stiffness, the rest motion |
    /// | `Oe`  | what `Gr` does not explain is geometric stiffness | second derivative of the inertia, stiffness included |
    ///
    /// The changes of `Ct`, `phi` and `psi` are geometric stiffness. [`Fidelity::Stiffened`] alone uses it, as
    /// [second-order shapes](crate::stiffening) whose masses, unknown to these data, are the least ones; the equations agree with those of
    /// the data to first order in the deformation. Without geometric stiffness they are exact.
    ///
    /// # Errors
    /// [`SidBodyError`] for tables of the wrong size, stresses at rest, and a geometric stiffness that no displacement has.
    pub fn body(
        &self,
        name: impl Into<String>,
        parent: Parent,
        hinge: Hinge,
        fidelity: Fidelity,
    ) -> Result<Body, SidBodyError> {
        self.check_sizes()?;
        let n = self.modes.len();
        let rest = |r: usize| self.rest_force.as_ref().map_or(0.0, |t| t.at(r, 0));
        if let Some(mode) = (0..n).find(|&r| rest(r) != 0.0) {
            return Err(SidBodyError::RestForce { mode, value: rest(mode) });
        }
        let parts = Parts::of(self);
        let modes = Modes {
            count: n,
            stiffness: modal_matrix(&self.stiffness),
            damping: self.damping.as_ref().map_or(ModalMatrix::Zero, modal_matrix),
            fidelity,
            ..Modes::default()
        };
        let mut body = Body::new(name, parent, hinge).with_modes(modes);
        body.nodes = self
            .nodes
            .iter()
            .map(|node| {
                let column = |r: usize| {
                    std::array::from_fn(|i| if i < 3 { node.rotation.at(i, r) } else { node.translation.at(i - 3, r) })
                };
                let influence: Vec<[f64; 6]> = (0..n).map(column).collect();
                Node {
                    name: Some(node.number.to_string()),
                    position: std::array::from_fn(|i| node.origin.at(i, 0)),
                    influence: if influence.iter().all(|c| *c == [0.0; 6]) { Vec::new() } else { influence },
                    ..Node::default()
                }
            })
            .collect();
        body.modal_inertia = Some(self.tables(&parts));
        if fidelity == Fidelity::Stiffened {
            stiffen(&mut body, &self.geometric_stiffness(&parts)).map_err(SidBodyError::Stiffening)?;
        }
        Ok(body)
    }

    fn tables(&self, parts: &Parts) -> ModalInertia {
        let n = self.modes.len();
        let mut t = ModalInertia::zero(n);
        t.mass = self.mass;
        t.mass_moment = std::array::from_fn(|i| self.mass_moment.at(i, 0));
        t.inertia = inertia(&self.inertia, |i, j| self.inertia.at(i, j));
        for r in 0..n {
            t.moment_change[r] = std::array::from_fn(|i| self.mass_moment.change(i, r, 0));
            t.inertia_first[r] = inertia(&self.inertia, |i, j| self.inertia.change(i, r, j));
            t.coupling[r] = std::array::from_fn(|i| {
                if i < 3 { self.angular_coupling.at(r, i) } else { self.linear_coupling.at(r, i - 3) }
            });
            for s in 0..n {
                t.modal_mass[r][s] = 0.5 * (self.modal_mass.at(r, s) + self.modal_mass.at(s, r));
                t.coupling_change[r][s] = parts.coupling_change[r * n + s];
                t.inertia_second[r][s] = parts.inertia_second[r * n + s];
            }
        }
        t
    }

    fn geometric_stiffness(&self, parts: &Parts) -> GeometricStiffness {
        let n = self.modes.len();
        let matrix = |entry: &dyn Fn(usize, usize) -> f64| symmetric(n, entry);
        let mut nodal = Vec::new();
        for (i, node) in self.nodes.iter().enumerate() {
            for component in 0..6 {
                let (t, row) =
                    if component < 3 { (&node.rotation, component) } else { (&node.translation, component - 3) };
                // On the side of the forces: a stiffness has the opposite sign.
                let matrix = matrix(&|r, s| -t.change(row, s, r));
                if !matrix.is_empty() {
                    nodal.push(NodalStiffness { node: i, component, matrix });
                }
            }
        }
        GeometricStiffness {
            linear: std::array::from_fn(|i| matrix(&|r, s| self.linear_coupling.change(r, s, i))),
            angular: std::array::from_fn(|i| matrix(&|r, s| parts.angular_stiffness[r * n + s][i])),
            centrifugal: std::array::from_fn(|i| matrix(&|r, s| parts.spin_stiffness[r * n + s][i])),
            nodal,
        }
    }

    /// Blocks of the right size, with a number per entry.
    fn check_sizes(&self) -> Result<(), SidBodyError> {
        let n = self.modes.len();
        let check = |name: String, t: &Taylor, rows: usize, columns: usize| {
            let change = if t.order == 0 { 0 } else { rows * columns * n };
            let sound = t.m0.len() == rows * columns && t.m1.len() == change && (t.order == 0 || t.modes == n);
            if (t.rows, t.columns) == (rows, columns) && sound {
                return Ok(());
            }
            Err(SidBodyError::Size { block: name, found: [t.rows, t.columns], expected: [rows, columns] })
        };
        let inertia = if self.inertia.columns == 1 { [6, 1] } else { [3, 3] };
        let blocks = [
            ("mdCM", Some(&self.mass_moment), 3, 1),
            ("J", Some(&self.inertia), inertia[0], inertia[1]),
            ("Ct", Some(&self.linear_coupling), n, 3),
            ("Cr", Some(&self.angular_coupling), n, 3),
            ("Me", Some(&self.modal_mass), n, n),
            ("Gr", self.angular_gyroscopic.as_ref(), 3, 3 * n),
            ("Oe", self.centrifugal.as_ref(), n, 6),
            ("ksigma", self.rest_force.as_ref(), n, 1),
            ("Ke", Some(&self.stiffness), n, n),
            ("De", self.damping.as_ref(), n, n),
        ];
        for (name, block, rows, columns) in blocks {
            if let Some(block) = block {
                check(name.to_owned(), block, rows, columns)?;
            }
        }
        for node in &self.nodes {
            let named = |block: &str| format!("frame node {}, {block}", node.number);
            check(named("origin"), &node.origin, 3, 1)?;
            check(named("phi"), &node.translation, 3, n)?;
            check(named("psi"), &node.rotation, 3, n)?;
        }
        Ok(())
    }
}

/// What the changes of `Cr`, `Gr` and `Oe` mean, per pair of modes by rows.
struct Parts {
    /// `F1`: by the motion of the masses.
    coupling_change: Vec<[f64; 3]>,
    /// `2 J2`.
    inertia_second: Vec<Block>,
    /// Per unit angular acceleration.
    angular_stiffness: Vec<[f64; 3]>,
    /// Per unit `Ω`.
    spin_stiffness: Vec<[f64; 6]>,
}

impl Parts {
    fn of(sid: &Sid) -> Self {
        let n = sid.modes.len();
        let cr = |r: usize, s: usize| -> [f64; 3] { std::array::from_fn(|i| sid.angular_coupling.change(r, s, i)) };
        let oe = |r: usize, s: usize| -> [f64; 6] {
            std::array::from_fn(|i| sid.centrifugal.as_ref().map_or(0.0, |t| t.change(r, s, i)))
        };
        let pairs = || (0..n * n).map(move |p| (p / n, p % n));
        let Some(gr) = sid.angular_gyroscopic.as_ref().filter(|t| t.order == 1) else {
            let half = |r, s, sign: f64| combined(0.5, cr(r, s), sign * 0.5, cr(s, r));
            let spin = |r, s| from_spin_coefficients(combined(0.5, oe(r, s), 0.5, oe(s, r)));
            return Self {
                coupling_change: pairs().map(|(r, s)| half(r, s, -1.0)).collect(),
                inertia_second: pairs().map(|(r, s)| spin(r, s)).collect(),
                angular_stiffness: cleaned(
                    pairs().map(|(r, s)| half(r, s, 1.0)).collect(),
                    pairs().map(|(r, s)| cr(r, s)),
                ),
                spin_stiffness: vec![[0.0; 6]; n * n],
            };
        };
        let columns = Columns::of(sid, gr);
        let block = |r: usize, s: usize| -> Block {
            std::array::from_fn(|i| std::array::from_fn(|j| gr.change(i, s, columns.at(r, j, n))))
        };
        let (second, motion): (Vec<Block>, Vec<[f64; 3]>) = pairs().map(|(r, s)| split(&block(r, s))).unzip();
        let symmetric: Vec<Block> = pairs()
            .map(|(r, s)| std::array::from_fn(|i| combined(0.5, second[r * n + s][i], 0.5, second[s * n + r][i])))
            .collect();
        let angular = pairs().map(|(r, s)| combined(1.0, cr(r, s), -1.0, motion[r * n + s])).collect();
        let spin =
            pairs().map(|(r, s)| combined(1.0, oe(r, s), -1.0, spin_coefficients(&symmetric[r * n + s]))).collect();
        let angular_stiffness = cleaned(angular, pairs().map(|(r, s)| cr(r, s)));
        // Where nothing is left over, `Cr` itself has fewer roundings than `Gr`.
        let coupling_change = pairs()
            .map(|(r, s)| if angular_stiffness[r * n + s] == [0.0; 3] { cr(r, s) } else { motion[r * n + s] })
            .collect();
        Self {
            coupling_change,
            inertia_second: symmetric,
            angular_stiffness,
            spin_stiffness: cleaned(spin, pairs().map(|(r, s)| oe(r, s))),
        }
    }
}

/// How the columns of `Gr` are counted: programs differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Columns {
    /// Three columns per mode.
    ByMode,
    /// All modes per axis.
    ByAxis,
}

impl Columns {
    /// The way in which `Gr` at rest is closer to what `J` and `Cr` say it is.
    fn of(sid: &Sid, gr: &Taylor) -> Self {
        let n = sid.modes.len();
        let misfit = |way: Self| -> f64 {
            let block = |r: usize| {
                let a = inertia(&sid.inertia, |i, j| sid.inertia.change(i, r, j));
                less_cross(&a, std::array::from_fn(|i| sid.angular_coupling.at(r, i)))
            };
            let places = (0..n).flat_map(|r| (0..9).map(move |p| (r, p / 3, p % 3)));
            places.map(|(r, i, j)| (gr.at(i, way.at(r, j, n)) - block(r)[i][j]).powi(2)).sum()
        };
        if misfit(Self::ByAxis) < misfit(Self::ByMode) { Self::ByAxis } else { Self::ByMode }
    }

    fn at(self, mode: usize, axis: usize, modes: usize) -> usize {
        match self {
            Self::ByMode => 3 * mode + axis,
            Self::ByAxis => modes * axis + mode,
        }
    }
}

fn combined<const N: usize>(x: f64, a: [f64; N], y: f64, b: [f64; N]) -> [f64; N] {
    std::array::from_fn(|i| x * a[i] + y * b[i])
}

/// Entries that are rounding relative to the largest of `whole` become zero.
fn cleaned<const N: usize>(mut part: Vec<[f64; N]>, whole: impl Iterator<Item = [f64; N]>) -> Vec<[f64; N]> {
    let largest = whole.flatten().fold(0.0_f64, |a, x| a.max(x.abs()));
    part.as_flattened_mut().iter_mut().filter(|x| x.abs() <= ROUNDING * largest).for_each(|x| *x = 0.0);
    part
}

/// The symmetric part of a matrix; empty where it is zero.
fn symmetric(n: usize, entry: &dyn Fn(usize, usize) -> f64) -> Matrix {
    let m: Matrix = (0..n).map(|r| (0..n).map(|s| 0.5 * (entry(r, s) + entry(s, r))).collect()).collect();
    if m.iter().flatten().all(|x| *x == 0.0) { Matrix::new() } else { m }
}

fn modal_matrix(t: &Taylor) -> ModalMatrix {
    let n = t.rows;
    let full = symmetric(n, &|r, s| t.at(r, s));
    let diagonal = (0..full.len()).all(|r| (0..n).all(|s| r == s || full[r][s] == 0.0));
    match (full.is_empty(), diagonal) {
        (true, _) => ModalMatrix::Zero,
        (_, true) => ModalMatrix::Diagonal((0..n).map(|r| full[r][r]).collect()),
        _ => ModalMatrix::Full(full),
    }
}
