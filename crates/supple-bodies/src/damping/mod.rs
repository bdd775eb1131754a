//! Damping of flexible bodies that gives the modes of a whole system the ratios asked for.
//!
//! A body has one constant damping matrix on its deformation rates, positive semidefinite whatever the numbers, and nothing acts on hinge rates:
//!
//! ```text
//! D_k ≥ 0                                                of body k: constant, positive semidefinite
//! Σ_k x_i* D_k x_i = 2 ζ_i ω_i                           the ratio of mode i of the system
//! Σ_k x_i* D_k x_j = 0                                   modes so close that damping would mix them
//! ```
//!
//! Where bodies drive each other, not all of the second lines can be met: what damps a low mode, which bends links as a static load does, damps the higher modes that bend one of them
//! alike by the ratio of their frequencies. The matrices are then those of least cost, over all semidefinite ones: the cost of a mode grows with the factor by which its ratio is
//! missed, slowly up to two and fast beyond, and low modes weigh most (`definite`). Gravity and spin have no part in the modes; springs of free hinges and closures have.
//!
//! Another way to say damping is a [`LossFactor`].

mod definite;
mod loss_factor;
mod modes;
mod nonnegative;
pub mod relaxing;

pub use loss_factor::{LossFactor, MOST_LOSS, Relaxation, WIDEST_BAND};

use std::f64::consts::TAU;

use crate::eigen;
use crate::frequencies::NoFrequencies;
use definite::{Aim, Equation, Part};
use modes::{Mode, modes, within};
use supple::{DynamicsError, ModalMatrix, State, System};

/// Most modes that are given their ratio, and how many they are where nothing is said.
pub const MOST_MODES: usize = 60;
/// As many more count a little: they get about the ratio of the last.
const BEYOND: usize = 60;
/// Weights of modes where not all can be had: as the cube of the frequency falls, down to this part of that of the first.
const LEAST_WEIGHT: f64 = 1e-3;
/// Weight of modes beyond those asked for.
const WEIGHT_BEYOND: f64 = 1e-6;
/// Part of the greatest ratio below which errors are not measured by a ratio itself, and part of the guess that all directions get.
const LEAST: f64 = 1e-2;
/// Modes drive each other where the part of the distance of their frequencies that damping blurs is more than this.
const BLURRED: f64 = 0.05;
/// Most pairs of modes that are kept apart.
const MOST_PAIRS: usize = 200;

/// What is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Design {
    /// Damping ratios of the modes, lowest first; the last is that of all others.
    pub ratios: Vec<f64>,
    /// The highest frequency that matters, Hz; none for the first sixty modes.
    pub up_to: Option<f64>,
    /// Per body, whether its hinge is free; all others are locked.
    pub free: Vec<bool>,
}

/// Why there is no such damping.
#[derive(Debug)]
#[non_exhaustive]
pub enum NoDesign {
    /// The system has no modes that can be computed.
    Modes(NoFrequencies),
    /// No mode is so low: the first is here, Hz.
    NoneBelow(f64),
    /// Nothing is flexible.
    Rigid,
}

impl std::fmt::Display for NoDesign {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Modes(why) => why.fmt(f),
            Self::NoneBelow(first) => write!(f, "no mode of the system is so low: the first is at {first:.4} Hz"),
            Self::Rigid => f.write_str("no body of the system is flexible"),
        }
    }
}

impl std::error::Error for NoDesign {}

impl From<DynamicsError> for NoDesign {
    fn from(error: DynamicsError) -> Self {
        Self::Modes(NoFrequencies::Dynamics(error))
    }
}

/// The damping matrix of each body, with what it has already: damping that is there counts. `pose` is the configuration, closures closed.
///
/// # Errors
/// [`NoDesign`] for systems without modes, or too large for a dense calculation.
pub fn design(system: &System, pose: &State, asked: &Design) -> Result<Vec<ModalMatrix>, NoDesign> {
    let modes = modes(system, pose, &asked.free)?;
    let fitted = match asked.up_to {
        Some(hz) => modes.iter().filter(|mode| mode.omega <= TAU * hz).count(),
        None => modes.len().min(MOST_MODES),
    };
    let first = modes.first().ok_or(NoDesign::Rigid)?.omega / TAU;
    if fitted == 0 {
        return Err(NoDesign::NoneBelow(first));
    }
    if fitted > MOST_MODES {
        return Err(NoDesign::Modes(NoFrequencies::Size("modes up to this frequency", fitted, MOST_MODES)));
    }
    let roots: Vec<Vec<Vec<f64>>> = system
        .bodies
        .iter()
        .map(|body| eigen::function(dense(&body.modes.stiffness, body.modes.count), |k| k.max(0.0).sqrt()))
        .collect();
    let asked = Asked { modes: &modes, fitted, ratios: &asked.ratios };
    let parts: Vec<Part> = roots.iter().enumerate().map(|(body, root)| asked.part(body, root)).collect();
    let found = definite::nearest(&parts, &asked.equations()).ok_or(NoDesign::Modes(NoFrequencies::Singular))?;
    let damping = system.bodies.iter().zip(&roots).zip(found).map(|((body, root), found)| {
        let there = dense(&body.modes.damping, body.modes.count);
        let added = within(&found, root);
        // Symmetric to the last digit.
        let entry = |i: usize, j: usize| there[i][j] + 0.5 * (added[i][j] + added[j][i]);
        let sum: Vec<Vec<f64>> = (0..there.len()).map(|i| (0..there.len()).map(|j| entry(i, j)).collect()).collect();
        matrix(sum)
    });
    Ok(damping.collect())
}

/// What modes are asked for.
struct Asked<'m> {
    /// All of them.
    modes: &'m [Mode],
    /// Of these, the first matter.
    fitted: usize,
    ratios: &'m [f64],
}

impl Asked<'_> {
    fn ratio(&self, mode: usize) -> f64 {
        self.ratios.get(mode.min(self.ratios.len().saturating_sub(1))).copied().unwrap_or(0.0)
    }

    /// The ratio that errors of a mode are measured by.
    fn unit(&self, mode: usize) -> f64 {
        let most = self.ratios.iter().fold(f64::MIN_POSITIVE, |m, x| m.max(*x));
        self.ratio(mode).max(LEAST * most)
    }

    /// Modes that have an equation.
    fn seen(&self) -> usize {
        self.modes.len().min(self.fitted + BEYOND)
    }

    /// A body in coordinates `R η` of unit stiffness, `K = R R`: what has no stiffness has no damping. Shapes have a product of one where the ratio is as asked.
    /// The guess has all ratios where bodies do not drive each other, `Σ 2 ζ_i ω_i M x_i x_i* M`, with `K x = ω² M x`.
    fn part(&self, body: usize, root: &[Vec<f64>]) -> Part {
        let strain = |mode: &Mode| -> Vec<f64> { root.iter().map(|row| dot(row, &mode.shapes[body])).collect() };
        let n = root.len();
        let fastest = self.modes.iter().fold(f64::MIN_POSITIVE, |m, mode| m.max(mode.omega));
        let least = LEAST * 2.0 * self.unit(self.modes.len()) / fastest;
        let mut guess: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| least * f64::from(i == j)).collect()).collect();
        let mut shapes = Vec::with_capacity(self.seen());
        for (i, mode) in self.modes.iter().enumerate() {
            let mut u = strain(mode);
            let share = 2.0 * self.unit(i) / mode.omega.powi(3);
            for (row, a) in guess.iter_mut().zip(&u) {
                row.iter_mut().zip(&u).for_each(|(entry, b)| *entry += share * (a * b));
            }
            if i < self.seen() {
                let scale = (2.0 * self.unit(i) * mode.omega).sqrt().recip();
                u.iter_mut().for_each(|x| *x *= scale);
                shapes.push(u);
            }
        }
        Part { shapes, guess }
    }

    /// The lines of the head of this file.
    fn equations(&self) -> Vec<Equation> {
        let own = (0..self.seen()).map(|i| {
            let Mode { omega, damped, .. } = &self.modes[i];
            let there = (damped / (2.0 * omega * self.unit(i))).max(0.0);
            Equation { shapes: [i, i], aim: Aim::One { there }, weight: self.weight(i) }
        });
        let pairs = (0..self.fitted).flat_map(|i| (0..i).map(move |j| [i, j]));
        let mut apart: Vec<([usize; 2], f64)> =
            pairs.map(|pair| (pair, self.blur(pair))).filter(|(_, blur)| *blur > BLURRED).collect();
        apart.sort_by(|a, b| b.1.total_cmp(&a.1));
        let apart = apart.into_iter().take(MOST_PAIRS).map(|([i, j], blur)| Equation {
            shapes: [i, j],
            aim: Aim::Nothing,
            weight: blur * blur * (self.weight(i) * self.weight(j)).sqrt(),
        });
        own.chain(apart).collect()
    }

    /// Which part of the distance of two frequencies damping blurs, one at most.
    fn blur(&self, [i, j]: [usize; 2]) -> f64 {
        let [a, b] = [i, j].map(|i| self.modes[i].omega);
        let width = (self.unit(i) * a).max(self.unit(j) * b);
        if width >= (a - b).abs() { 1.0 } else { width / (a - b).abs() }
    }

    /// Low modes first, where not all can be had; those whose ratios were given one by one before them.
    fn weight(&self, i: usize) -> f64 {
        let given = self.ratios.len() > 1 && i < self.ratios.len();
        match i < self.fitted {
            true if given => 1.0,
            true => (self.modes[0].omega / self.modes[i].omega).powi(3).max(LEAST_WEIGHT),
            false => WEIGHT_BEYOND,
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn dense(matrix: &ModalMatrix, n: usize) -> Vec<Vec<f64>> {
    match matrix {
        ModalMatrix::Zero => vec![vec![0.0; n]; n],
        ModalMatrix::Diagonal(d) => (0..n).map(|i| (0..n).map(|j| if i == j { d[i] } else { 0.0 }).collect()).collect(),
        ModalMatrix::Full(rows) => rows.clone(),
    }
}

fn matrix(rows: Vec<Vec<f64>>) -> ModalMatrix {
    if rows.iter().flatten().all(|x| *x == 0.0) { ModalMatrix::Zero } else { ModalMatrix::Full(rows) }
}
