//! Damping of flexible bodies that gives the modes of a whole system the ratios asked for.
//!
//! A body has one constant damping matrix on its deformation rates, positive semidefinite whatever the numbers, and nothing acts on hinge rates:
//!
//! ```text
//! D_k = Σ_a c_a f_a f_a*,  c_a ≥ 0                       of body k: dashpots on combinations f_a of its deformation rates
//! Σ_k x_i* D_k x_i = 2 ζ_i ω_i                           the ratio of mode i of the system
//! Σ_k x_i* D_k x_j = 0                                   modes that do not drive each other
//! ```
//!
//! The `c_a` are those of least squares that are not negative. Dashpots are added as long as one reduces the error: the steepest is an eigenvector of the
//! gradient, so that the last word is that of all positive semidefinite matrices. Low modes count most, since what damps them damps high ones as well.
//! The third lines decide between ways that are equal. Gravity and spin have no part in the modes; springs of free hinges and closures have.
//!
//! Another way to say damping is a [`LossFactor`].

mod loss_factor;
mod nonnegative;
pub mod relaxing;

pub use loss_factor::{LossFactor, MOST_LOSS, Relaxation, WIDEST_BAND};

use std::f64::consts::TAU;

use crate::eigen;
use crate::frequencies::NoFrequencies;
use supple::{Derivatives, DynamicsError, Inputs, ModalMatrix, Model, State, System, Workspace};

/// Most modes that are given their ratio.
pub const MOST_MODES: usize = 60;
/// How many they are where nothing is said.
const USUAL_MODES: usize = 30;
/// Most coordinates of the eigenvalue problem.
const MOST_COORDINATES: usize = 400;
/// Weight of modes beyond those asked for: they get about the ratio of the last.
const BEYOND: f64 = 0.03;
/// Least weight of what modes do to each other: enough to decide between equal ways to the same ratios.
const APART: f64 = 1e-3;
/// How often dashpots are added.
const MOST_ROUNDS: usize = 60;
/// Part of the error that may stay.
const ENOUGH: f64 = 1e-4;
/// Part of it that a dashpot must be able to take.
const FLAT: f64 = 1e-9;
/// Part of it that a round must take.
const SLOW: f64 = 1e-3;
/// Squares of frequencies below this part of the largest belong to rigid-body motions.
const RIGID: f64 = 1e-13;

/// Equations of closures whose squares are below this part of the largest depend on others.
const DEPENDENT: f64 = 1e-13;

/// What is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Design {
    /// Damping ratios of the modes, lowest first; the last is that of all others.
    pub ratios: Vec<f64>,
    /// The highest frequency that matters, Hz; none for the first thirty modes.
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

/// A mode of the whole system: its angular frequency, and its shape in the modal coordinates of each body.
struct Mode {
    omega: f64,
    shapes: Vec<Vec<f64>>,
    /// `x* C x` of the damping that is there.
    damped: f64,
}

/// The damping matrix of each body, with what it has already: damping that is there counts. `pose` is the configuration, closures closed.
///
/// # Errors
/// [`NoDesign`] for systems without modes, or too large for a dense calculation.
pub fn design(system: &System, pose: &State, asked: &Design) -> Result<Vec<ModalMatrix>, NoDesign> {
    let modes = modes(system, pose, &asked.free)?;
    let fitted = match asked.up_to {
        Some(hz) => modes.iter().filter(|mode| mode.omega <= TAU * hz).count(),
        None => modes.len().min(USUAL_MODES),
    };
    let first = modes.first().ok_or(NoDesign::Rigid)?.omega / TAU;
    if fitted == 0 {
        return Err(NoDesign::NoneBelow(first));
    }
    if fitted > MOST_MODES {
        return Err(NoDesign::Modes(NoFrequencies::Size("modes up to this frequency", fitted, MOST_MODES)));
    }
    let seen = &modes[..modes.len().min(fitted + USUAL_MODES)];
    let candidates = fit(system, &Equations { modes: seen, fitted, ratios: &asked.ratios });
    let mut out: Vec<Vec<Vec<f64>>> =
        system.bodies.iter().map(|body| dense(&body.modes.damping, body.modes.count)).collect();
    for Dashpot { body, force, share } in &candidates {
        for (row, fi) in out[*body].iter_mut().zip(force) {
            row.iter_mut().zip(force).for_each(|(entry, fj)| *entry += share * (fi * fj));
        }
    }
    Ok(out.into_iter().map(matrix).collect())
}

/// A dashpot on one combination of the deformation rates of a body.
struct Dashpot {
    body: usize,
    force: Vec<f64>,
    share: f64,
}

/// The dashpots of least error. Whatever direction in whatever body still reduces it is added, until none does.
fn fit(system: &System, equations: &Equations<'_>) -> Vec<Dashpot> {
    // Of unit stiffness, so that directions can be compared; what has no stiffness has no dashpot.
    let roots: Vec<Vec<Vec<f64>>> = system
        .bodies
        .iter()
        .map(|body| eigen::function(dense(&body.modes.stiffness, body.modes.count), |k| k.max(0.0).sqrt()))
        .collect();
    let right = equations.right();
    let start = dot(&right, &right).sqrt();
    let mut dashpots: Vec<Dashpot> = Vec::new();
    let mut before = f64::INFINITY;
    for _ in 0..MOST_ROUNDS {
        let columns: Vec<Vec<f64>> =
            dashpots.iter().map(|dashpot| equations.column(dashpot.body, &dashpot.force)).collect();
        let shares = nonnegative::least_squares(&columns, &right);
        let mut error = right.clone();
        for (column, share) in columns.iter().zip(&shares) {
            error.iter_mut().zip(column).for_each(|(e, a)| *e -= share * a);
        }
        dashpots.iter_mut().zip(shares).for_each(|(dashpot, share)| dashpot.share = share);
        dashpots.retain(|dashpot| dashpot.share > 0.0);
        let size = dot(&error, &error).sqrt();
        if size <= ENOUGH * start || size >= (1.0 - SLOW) * before {
            break;
        }
        before = size;
        let known = dashpots.len();
        for (body, root) in roots.iter().enumerate() {
            let (values, vectors) = eigen::symmetric(equations.gradient(body, root, &error));
            for (value, vector) in values.iter().zip(&vectors) {
                let force: Vec<f64> = root.iter().map(|row| dot(row, vector)).collect();
                let column = equations.column(body, &force);
                // How much of the error it can take.
                if *value > FLAT * start * dot(&column, &column).sqrt() {
                    dashpots.push(Dashpot { body, force, share: 0.0 });
                }
            }
        }
        if dashpots.len() == known {
            break;
        }
    }
    dashpots.retain(|dashpot| dashpot.share > 0.0);
    dashpots
}

/// The two lines of the head of this file, each in damping ratios, as rows of the least squares.
struct Equations<'m> {
    modes: &'m [Mode],
    /// Of these, the first matter.
    fitted: usize,
    ratios: &'m [f64],
}

impl Equations<'_> {
    fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        (0..self.fitted).flat_map(|i| (0..i).map(move |j| (i, j)))
    }

    fn asked(&self, mode: usize) -> f64 {
        self.ratios.get(mode.min(self.ratios.len().saturating_sub(1))).copied().unwrap_or(0.0)
    }

    /// Low modes first, where not all can be had: by the fourth root, each.
    fn weight(&self, i: usize) -> f64 {
        (self.modes[0].omega / self.modes[i].omega).sqrt().sqrt()
    }

    /// Factor of `x_i* D x_i`.
    fn own(&self, i: usize) -> f64 {
        let matters = if i < self.fitted { 1.0 } else { BEYOND };
        matters * self.weight(i) * self.weight(i) / (2.0 * self.modes[i].omega)
    }

    /// Factor of `x_i* D x_j`. Modes drive each other where their frequencies are closer than what damping blurs.
    fn between(&self, i: usize, j: usize) -> f64 {
        let (a, b) = (self.modes[i].omega, self.modes[j].omega);
        let blurred = self.asked(i) * a / (a - b).abs();
        blurred.clamp(APART, 1.0) * self.weight(i) * self.weight(j) / (2.0 * (a * b).sqrt())
    }

    /// What a dashpot of unit share does.
    fn column(&self, body: usize, force: &[f64]) -> Vec<f64> {
        let along: Vec<f64> = self.modes.iter().map(|mode| dot(force, &mode.shapes[body])).collect();
        let own = along.iter().enumerate().map(|(i, a)| self.own(i) * a * a);
        own.chain(self.pairs().map(|(i, j)| self.between(i, j) * along[i] * along[j])).collect()
    }

    /// What is missing.
    fn right(&self) -> Vec<f64> {
        let missing = |(i, mode): (usize, &Mode)| {
            let damped = (2.0 * self.asked(i) * mode.omega - mode.damped).max(0.0);
            self.own(i) * damped
        };
        self.modes.iter().enumerate().map(missing).chain(self.pairs().map(|_| 0.0)).collect()
    }

    /// `G` in `e* column(R w) = w* G w`: which direction of a body takes most of an error.
    fn gradient(&self, body: usize, root: &[Vec<f64>], error: &[f64]) -> Vec<Vec<f64>> {
        let turned = |mode: &Mode| -> Vec<f64> { root.iter().map(|row| dot(row, &mode.shapes[body])).collect() };
        let shapes: Vec<Vec<f64>> = self.modes.iter().map(turned).collect();
        let n = root.len();
        let mut out = vec![vec![0.0; n]; n];
        let mut add = |factor: f64, a: &[f64], b: &[f64]| {
            for (row, x) in out.iter_mut().zip(a) {
                row.iter_mut().zip(b).for_each(|(entry, y)| *entry += factor * x * y);
            }
        };
        for (i, shape) in shapes.iter().enumerate() {
            add(error[i] * self.own(i), shape, shape);
        }
        for ((i, j), e) in self.pairs().zip(&error[self.modes.len()..]) {
            let half = 0.5 * e * self.between(i, j);
            add(half, &shapes[i], &shapes[j]);
            add(half, &shapes[j], &shapes[i]);
        }
        out
    }
}

/// Modes of a system without weight, rigid-body motions left out, lowest first.
fn modes(system: &System, pose: &State, free: &[bool]) -> Result<Vec<Mode>, NoDesign> {
    let weightless = System { gravity: [0.0; 3], ..system.clone() };
    let model = Model::build(&weightless).map_err(|_| NoDesign::Modes(NoFrequencies::Singular))?;
    let mut state = State::new(&model);
    state.coordinates.clone_from(&pose.coordinates);
    state.attitudes.clone_from(&pose.attitudes);
    state.closed.clone_from(&pose.closed);
    let (n, mut workspace, mut found) = (model.speed_count(), Workspace::new(&model), Derivatives::new(&model));
    let hinges = model.body_indices().zip(free).filter(|(_, free)| **free).flat_map(|(k, _)| model.hinge_speeds(k));
    let deforming = model.body_indices().flat_map(|body| model.modal_speeds(body));
    let mut moving: Vec<usize> = hinges.chain(deforming).collect();
    moving.sort_unstable();
    if moving.len() > MOST_COORDINATES {
        return Err(NoDesign::Modes(NoFrequencies::Size("coordinates", moving.len(), MOST_COORDINATES)));
    }
    supple::inverse_dynamics_derivatives(&model, &state, &Inputs::new(&model), &mut workspace, &mut found)?;
    let taken = |numbers: &[f64]| -> Vec<Vec<f64>> {
        moving.iter().map(|i| moving.iter().map(|j| numbers[i * n + j]).collect()).collect()
    };
    let [mass, damping, stiffness] = [found.acceleration(), found.speed(), found.displacement()].map(taken);
    let open = open_directions(&model, &state, &moving, &mass)?;
    let [mass, damping, stiffness] = [mass, damping, stiffness].map(|a| within(&a, &open));
    let (squares, vectors) = eigen::generalised(&stiffness, &mass).ok_or(NoDesign::Modes(NoFrequencies::Singular))?;
    let rigid = RIGID * squares.last().copied().unwrap_or(0.0);
    let elastic = squares.iter().zip(&vectors).filter(|(square, _)| **square > rigid);
    let mode = |(square, z): (&f64, &Vec<f64>)| {
        let mut whole = vec![0.0; n];
        for (direction, z) in open.iter().zip(z) {
            moving.iter().zip(direction).for_each(|(i, x)| whole[*i] += z * x);
        }
        let damped = damping.iter().zip(z).map(|(row, z_i)| dot(row, z) * z_i).sum::<f64>();
        let shapes = model.body_indices().map(|body| whole[model.modal_speeds(body)].to_vec()).collect();
        Mode { omega: square.sqrt(), shapes, damped }
    };
    Ok(elastic.map(mode).collect())
}

/// Directions in which closures let the coordinates move; all, one by one, where there are none.
fn open_directions(
    model: &Model,
    state: &State,
    moving: &[usize],
    mass: &[Vec<f64>],
) -> Result<Vec<Vec<f64>>, DynamicsError> {
    let n = moving.len();
    let acting = model.closure_handles().filter(|closure| state.closed[closure.closure()]);
    let rows: Vec<usize> = acting.flat_map(|closure| closure.rows()).collect();
    if rows.is_empty() {
        return Ok((0..n).map(|i| (0..n).map(|j| f64::from(i == j)).collect()).collect());
    }
    let mut numbers = vec![0.0; model.equation_count() * model.speed_count()];
    supple::closure_jacobian(model, state, &mut Workspace::new(model), &mut numbers)?;
    // Of unit kinetic energy each, so that meters and radians can be compared.
    let scale: Vec<f64> = (0..n).map(|i| mass[i][i].max(f64::MIN_POSITIVE).sqrt().recip()).collect();
    let entry = |row: usize, i: usize| numbers[row * model.speed_count() + moving[i]] * scale[i];
    let product = |i: usize, j: usize| rows.iter().map(|row| entry(*row, i) * entry(*row, j)).sum();
    let (values, vectors) = eigen::symmetric((0..n).map(|i| (0..n).map(|j| product(i, j)).collect()).collect());
    let most = values.iter().fold(0.0_f64, |m, x| m.max(*x));
    let open = values.iter().zip(vectors).filter(|(value, _)| **value <= DEPENDENT * most);
    Ok(open.map(|(_, v)| v.iter().zip(&scale).map(|(x, s)| x * s).collect()).collect())
}

/// `B* A B` for the columns of `B`.
fn within(a: &[Vec<f64>], columns: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let images: Vec<Vec<f64>> = columns.iter().map(|x| a.iter().map(|row| dot(row, x)).collect()).collect();
    columns.iter().map(|x| images.iter().map(|y| dot(x, y)).collect()).collect()
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
