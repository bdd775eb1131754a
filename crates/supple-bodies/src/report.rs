//! What the modes of a flexible body are, and whether they are enough.
//!
//! From nodes and tables of inertia: participation `L = Σ_j R(j)* M(j) Π(j)` of each mode in the six rigid motions `R` about `F_k`,
//! effective mass `L² / m` with the modal mass `m`, and its running sum against the rigid mass and inertia. Modes that are coupled in mass
//! or stiffness are first turned to the eigenmodes of the body.

mod sketch;
mod text;

pub use sketch::Sketch;

use crate::damping::relaxing;
use crate::eigen;
use std::f64::consts::TAU;
use supple::{Body, Hinge, HingeKind, ModalInertia, ModalMatrix, Modes, Node, Parent};

/// Names of the six rigid motions, in the order of every array of six here.
pub const DIRECTIONS: [&str; 6] = ["about x", "about y", "about z", "along x", "along y", "along z"];

/// A report on the modes of one body.
#[derive(Clone, Debug, PartialEq)]
pub struct ModeReport {
    /// Rigid inertia about and mass along the axes of `F_k`.
    pub rigid: [f64; 6],
    /// Fraction of `rigid` that the modes move at all: what sits on held nodes is out of reach. Tables of inertia do not tell where their
    /// mass is; it counts as moved.
    pub reachable: [f64; 6],
    /// Modes in the order of the body, or by frequency where they were turned.
    pub modes: Vec<ModeEntry>,
    /// True if the modes were coupled and are reported as the eigenmodes they make up.
    pub turned: bool,
    /// True if the modes are those of a free body: rigid motions carry all the momentum and effective masses vanish.
    pub free: bool,
    /// Directions in which no mode moves the body, indices into [`DIRECTIONS`]: it is rigid there, which is a choice and no lack of modes.
    pub unmoved: Vec<usize>,
    /// What to look at.
    pub warnings: Vec<ModeWarning>,
}

/// One mode.
#[derive(Clone, Debug, PartialEq)]
pub struct ModeEntry {
    /// Angular frequency in rad/s; infinite without mass.
    pub angular_frequency: f64,
    /// Frequency in Hz.
    pub frequency: f64,
    /// Modal mass `m`.
    pub modal_mass: f64,
    /// Damping ratio `c / (2 ω m)`; none where there is no vibration. Coupling of modes by damping is left out.
    pub damping_ratio: Option<f64>,
    /// Participation factors `L / m`.
    pub participation: [f64; 6],
    /// Effective inertias and masses `L² / m`.
    pub effective_mass: [f64; 6],
    /// The same in percent of the rigid body; 0 where the rigid body has none.
    pub percent: [f64; 6],
    /// Sum of `percent` up to this mode.
    pub running: [f64; 6],
    /// Its shape.
    pub sketch: Sketch,
    /// Which combination of the body's own modal coordinates it is.
    pub coefficients: Vec<f64>,
}

/// A reason to look again at the choice of modes.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ModeWarning {
    /// The modes move less than 80 % of what they could, though some: too few for loads in this direction.
    TooFewModes {
        /// Index into [`DIRECTIONS`].
        direction: usize,
        /// Running effective mass in percent of what is reachable.
        percent: f64,
    },
    /// Two frequencies are nearly the same.
    NearDuplicate {
        /// The two modes, counted from 0.
        modes: [usize; 2],
        /// Relative distance of the frequencies.
        distance: f64,
    },
    /// No motion of the base excites this mode to speak of.
    HardlyMoves {
        /// The mode, counted from 0.
        mode: usize,
        /// The largest of its percentages.
        percent: f64,
    },
    /// The modal mass of the body alone is singular: frequencies are those of each mode by itself.
    SingularMass,
}

/// Translations first, as tables of effective mass usually have them.
const ORDER: [usize; 6] = [3, 4, 5, 0, 1, 2];
/// Effective mass that is rounding, %.
const NOTHING: f64 = 1e-6;
/// Percent of the reachable mass below which a direction is warned of.
const ENOUGH: f64 = 80.0;
/// Relative distance of frequencies that are nearly the same.
const SAME: f64 = 1e-6;
/// Percent of mass below which a mode hardly moves.
const HARDLY: f64 = 1e-4;

/// A mode to report: `ω²`, modal mass, and its combination of the body's own modes.
struct Combination {
    square: f64,
    mass: f64,
    coefficients: Vec<f64>,
}

impl ModeReport {
    /// A report from nodes and modal stiffness.
    ///
    /// # Panics
    /// If the stiffness does not fit the number of modes of the nodes.
    #[track_caller]
    pub fn new(nodes: &[Node], stiffness: &ModalMatrix) -> Self {
        let count = nodes.iter().map(|n| n.influence.len()).max().unwrap_or(0);
        let modes = Modes { count, stiffness: stiffness.clone(), ..Modes::default() };
        let body = Body::new("", Parent::Ground, Hinge::new(HingeKind::Fixed)).with_modes(modes);
        Self::of_body(&Body { nodes: nodes.to_vec(), ..body })
    }

    /// A report on the modes of a body, with its frame at rest and nothing on its nodes. Stiffness that relaxes is that at rest.
    ///
    /// # Panics
    /// If stiffness, damping or tables of inertia do not fit the number of modes; those of a body that a model was built of do.
    #[track_caller]
    pub fn of_body(body: &Body) -> Self {
        let rest = relaxing::body_at_rest(body);
        let body = rest.as_ref().unwrap_or(body);
        let (nodes, tables) = (&body.nodes[..], body.modal_inertia.as_ref());
        let count = body.modes.count;
        let [k, c] = [&body.modes.stiffness, &body.modes.damping].map(|matrix| square_matrix(matrix, count));
        let m = mass_matrix(nodes, tables, count);
        let (combinations, kind) = combinations(&k, &m);
        let motions: Vec<[[f64; 6]; 6]> = nodes.iter().map(rigid_motions).collect();
        let in_tables = |d: usize| tables.map_or(0.0, |t| if d < 3 { t.inertia[d][d] } else { t.mass });
        let of_nodes = |counts: &dyn Fn(&Node) -> bool| -> [f64; 6] {
            let term = |j: usize, node: &Node, d: usize| bilinear(node, &motions[j][d], &motions[j][d]);
            sum(nodes, |j, node, d| if counts(node) { term(j, node, d) } else { 0.0 })
        };
        let still = |node: &Node| node.influence.iter().take(count).flatten().all(|&x| x == 0.0);
        let (all, moved) = (of_nodes(&|_| true), of_nodes(&|node| !still(node)));
        let rigid: [f64; 6] = std::array::from_fn(|d| all[d] + in_tables(d));
        // A direction in which the body has no inertia to speak of has no percentage.
        let scale = |d: usize| if d < 3 { rigid[0].max(rigid[1]).max(rigid[2]) } else { rigid[3] };
        let share = |d: usize, x: f64| if rigid[d] > 1e-12 * scale(d) { x / rigid[d] } else { 0.0 };
        let mut running = [0.0; 6];
        let entry = |mode: &Combination| {
            let shape = shape(nodes, &mode.coefficients);
            let of_nodes = sum(nodes, |j, node, d| bilinear(node, &motions[j][d], &shape[j]));
            let momentum: [f64; 6] = std::array::from_fn(|d| of_nodes[d] + coupling(tables, &mode.coefficients, d));
            let per_mass = |x: f64| if mode.mass > 0.0 { x / mode.mass } else { 0.0 };
            let effective_mass = momentum.map(|l| per_mass(l * l));
            let percent: [f64; 6] = std::array::from_fn(|d| 100.0 * share(d, effective_mass[d]));
            (0..6).for_each(|d| running[d] += percent[d]);
            let angular_frequency = mode.square.max(0.0).sqrt();
            let critical = 2.0 * angular_frequency * mode.mass;
            let vibrates = critical > 0.0 && critical.is_finite();
            ModeEntry {
                angular_frequency,
                frequency: angular_frequency / TAU,
                modal_mass: mode.mass,
                damping_ratio: vibrates.then(|| quadratic(&c, &mode.coefficients) / critical),
                participation: momentum.map(per_mass),
                effective_mass,
                percent,
                running,
                sketch: Sketch::new(nodes, &shape),
                coefficients: mode.coefficients.clone(),
            }
        };
        let modes: Vec<ModeEntry> = combinations.iter().map(entry).collect();
        let free = !modes.is_empty() && running.iter().all(|&p| p < 1e-6);
        let reachable = std::array::from_fn(|d| share(d, moved[d] + in_tables(d)));
        let last = modes.last().map(|mode: &ModeEntry| mode.running).filter(|_| !free);
        let unmoved = ORDER.into_iter().filter(|&d| reachable[d] > 0.0 && last.is_some_and(|sum| sum[d] < NOTHING));
        let unmoved: Vec<usize> = unmoved.collect();
        let mut warnings = warnings(&modes, reachable, free, &unmoved);
        if kind == Kind::Singular {
            warnings.push(ModeWarning::SingularMass);
        }
        Self { rigid, reachable, modes, turned: kind == Kind::Turned, free, unmoved, warnings }
    }

    /// A report on uncoupled modes from nodes and angular frequencies in rad/s.
    ///
    /// # Panics
    /// If there is not one frequency per mode.
    #[track_caller]
    pub fn from_frequencies(nodes: &[Node], frequencies: &[f64]) -> Self {
        let m = mass_matrix(nodes, None, frequencies.len());
        let stiffness = frequencies.iter().enumerate().map(|(i, w)| w * w * m[i][i]).collect();
        Self::new(nodes, &ModalMatrix::Diagonal(stiffness))
    }
}

/// The motion that dominates in each of a body's own modes, an index into [`DIRECTIONS`].
pub fn directions(body: &Body) -> Vec<usize> {
    let own = |r: usize| {
        let coefficients: Vec<f64> = (0..body.modes.count).map(|i| f64::from(i == r)).collect();
        Sketch::new(&body.nodes, &shape(&body.nodes, &coefficients)).direction
    };
    (0..body.modes.count).map(own).collect()
}

/// What the modes of a report are.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// The body's own, uncoupled.
    Own,
    /// The body's own, though their mass is singular.
    Singular,
    /// Eigenmodes.
    Turned,
}

/// Own modes where they are uncoupled, eigenmodes where they are not.
fn combinations(k: &[Vec<f64>], m: &[Vec<f64>]) -> (Vec<Combination>, Kind) {
    let n = k.len();
    let coupled = |a: &[Vec<f64>], i: usize, j: usize| a[i][j].abs() > 1e-8 * (a[i][i] * a[j][j]).abs().sqrt();
    let any = (0..n).any(|i| (0..i).any(|j| coupled(k, i, j) || coupled(m, i, j)));
    if any && let Some((squares, vectors)) = eigen::generalised(k, m) {
        let pairs = squares.into_iter().zip(vectors);
        let turned = pairs.map(|(square, coefficients)| Combination { square, mass: 1.0, coefficients });
        return (turned.collect(), Kind::Turned);
    }
    let own = |i: usize| {
        let mut coefficients = vec![0.0; n];
        coefficients[i] = 1.0;
        let square = match (k[i][i], m[i][i]) {
            (k, m) if m > 0.0 => k / m,
            (k, _) if k > 0.0 => f64::INFINITY,
            _ => 0.0,
        };
        Combination { square, mass: m[i][i], coefficients }
    };
    let singular = any || (0..n).any(|i| m[i][i] <= 0.0);
    ((0..n).map(own).collect(), if singular { Kind::Singular } else { Kind::Own })
}

fn warnings(modes: &[ModeEntry], reachable: [f64; 6], free: bool, unmoved: &[usize]) -> Vec<ModeWarning> {
    let mut out = Vec::new();
    if let (Some(last), false) = (modes.last(), free) {
        for direction in ORDER.into_iter().filter(|&d| reachable[d] > 0.0 && !unmoved.contains(&d)) {
            let percent = last.running[direction] / reachable[direction];
            if percent < ENOUGH {
                out.push(ModeWarning::TooFewModes { direction, percent });
            }
        }
    }
    let mut order: Vec<usize> = (0..modes.len()).collect();
    order.sort_by(|&i, &j| modes[i].angular_frequency.total_cmp(&modes[j].angular_frequency));
    for pair in order.windows(2) {
        let (low, high) = (modes[pair[0]].angular_frequency, modes[pair[1]].angular_frequency);
        let distance = if high > 0.0 { (high - low) / high } else { 0.0 };
        if distance < SAME {
            out.push(ModeWarning::NearDuplicate { modes: [pair[0], pair[1]], distance });
        }
    }
    if !free {
        for (mode, entry) in modes.iter().enumerate() {
            let percent = entry.percent.iter().fold(0.0_f64, |m, p| m.max(*p));
            if percent < HARDLY {
                out.push(ModeWarning::HardlyMoves { mode, percent });
            }
        }
    }
    out
}

/// `[λ; γ]` of a combination of modes at every node.
fn shape(nodes: &[Node], coefficients: &[f64]) -> Vec<[f64; 6]> {
    let at = |node: &Node| {
        let mut out = [0.0; 6];
        for (column, c) in node.influence.iter().zip(coefficients) {
            (0..6).for_each(|i| out[i] += c * column[i]);
        }
        out
    };
    nodes.iter().map(at).collect()
}

/// `[λ; γ]` at a node of unit turns about and shifts along the axes of `F_k`.
fn rigid_motions(node: &Node) -> [[f64; 6]; 6] {
    let [x, y, z] = node.position;
    [
        [1.0, 0.0, 0.0, 0.0, -z, y],
        [0.0, 1.0, 0.0, z, 0.0, -x],
        [0.0, 0.0, 1.0, -y, x, 0.0],
        [0.0, 0.0, 0.0, 1.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, 0.0, 1.0, 0.0],
        [0.0, 0.0, 0.0, 0.0, 0.0, 1.0],
    ]
}

/// `a* M(j) b` of two motions `[λ; γ]` of a node.
pub(crate) fn bilinear(node: &Node, a: &[f64; 6], b: &[f64; 6]) -> f64 {
    let p = node.mass_centre;
    // λ × p
    let arm = |v: &[f64; 6]| [v[1] * p[2] - v[2] * p[1], v[2] * p[0] - v[0] * p[2], v[0] * p[1] - v[1] * p[0]];
    let (turned_a, turned_b) = (arm(a), arm(b));
    let mut total = 0.0;
    for i in 0..3 {
        total += node.mass * (a[i + 3] * (b[i + 3] + turned_b[i]) + turned_a[i] * b[i + 3]);
        total += (0..3).map(|j| a[i] * node.inertia[i][j] * b[j]).sum::<f64>();
    }
    total
}

/// A sum over nodes for each of the six directions.
fn sum(nodes: &[Node], term: impl Fn(usize, &Node, usize) -> f64) -> [f64; 6] {
    std::array::from_fn(|d| nodes.iter().enumerate().map(|(j, node)| term(j, node, d)).sum())
}

fn mass_matrix(nodes: &[Node], tables: Option<&ModalInertia>, count: usize) -> Vec<Vec<f64>> {
    let entry = |r: usize, s: usize| -> f64 {
        let pairs = nodes.iter().filter_map(|n| Some((n, n.influence.get(r)?, n.influence.get(s)?)));
        pairs.map(|(n, a, b)| bilinear(n, a, b)).sum::<f64>() + tables.map_or(0.0, |t| t.modal_mass[r][s])
    };
    (0..count).map(|r| (0..count).map(|s| entry(r, s)).collect()).collect()
}

/// Momentum in a direction that tables of inertia give a combination of modes.
fn coupling(tables: Option<&ModalInertia>, coefficients: &[f64], direction: usize) -> f64 {
    let columns = tables.map_or(&[][..], |t| &t.coupling);
    columns.iter().zip(coefficients).map(|(column, c)| c * column[direction]).sum()
}

/// `x* A x`.
fn quadratic(a: &[Vec<f64>], x: &[f64]) -> f64 {
    let row = |(row, x_i): (&Vec<f64>, &f64)| x_i * row.iter().zip(x).map(|(a, x_j)| a * x_j).sum::<f64>();
    a.iter().zip(x).map(row).sum()
}

#[track_caller]
fn square_matrix(matrix: &ModalMatrix, count: usize) -> Vec<Vec<f64>> {
    let mut out = vec![vec![0.0; count]; count];
    match matrix {
        ModalMatrix::Zero => {}
        ModalMatrix::Diagonal(d) => {
            assert!(d.len() == count, "one entry per mode");
            (0..count).for_each(|i| out[i][i] = d[i]);
        }
        ModalMatrix::Full(rows) => {
            assert!(rows.len() == count && rows.iter().all(|r| r.len() == count), "one row per mode");
            out.clone_from(rows);
        }
    }
    out
}
