//! Frequencies of systems and bodies with their hinges locked, and how well a mass matrix is conditioned.
//!
//! `K v = ω² 𝓜_ff v` with `𝓜_ff` the rows and columns of the modal speeds in the mass matrix of the undeformed system at zero hinge
//! coordinates, and `K` the linear stiffness of all bodies, at rest where it relaxes. Gravity, spin and what acts in hinges have no part in it.

use std::fmt;

use crate::damping::relaxing;
use crate::eigen;
use supple::{
    Body, DenseWorkspace, DynamicsError, Hinge, HingeKind, ModalMatrix, Model, Parent, State, System, Workspace,
    mass_matrix,
};

/// Most modes whose coupled frequencies are computed: work grows with the cube.
pub const MOST_MODES: usize = 400;
/// Largest mass matrix that is formed.
const MOST_SPEEDS: usize = 4000;
/// Largest mass matrix whose condition number is computed.
const MOST_CONDITION: usize = 200;

/// Why there are no frequencies.
#[derive(Debug)]
#[non_exhaustive]
pub enum NoFrequencies {
    /// Too many speeds or modes: what, how many, limit.
    Size(&'static str, usize, usize),
    /// The modes move no mass of their own.
    Singular,
    /// The mass matrix could not be computed.
    Dynamics(DynamicsError),
}

impl fmt::Display for NoFrequencies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size(what, found, limit) => {
                write!(
                    f,
                    "{found} {what} are too many for a dense eigenvalue problem, the limit is {limit}; use fewer modes"
                )
            }
            Self::Singular => f.write_str("some linear combination of the modes moves no mass; remove it"),
            Self::Dynamics(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for NoFrequencies {}

/// Angular frequencies of a system with all hinges locked, lowest first.
///
/// # Errors
/// Systems that are too large for a dense calculation, or whose modes move no mass.
pub fn of_system(model: &Model, system: &System) -> Result<Vec<f64>, NoFrequencies> {
    match relaxing::at_rest(system) {
        None => undamped(model, system),
        Some(rest) => undamped(&Model::build(&rest).map_err(|_| NoFrequencies::Singular)?, &rest),
    }
}

fn undamped(model: &Model, system: &System) -> Result<Vec<f64>, NoFrequencies> {
    let speeds: Vec<usize> = model.body_indices().flat_map(|body| model.modal_speeds(body)).collect();
    if speeds.len() > MOST_MODES {
        return Err(NoFrequencies::Size("modes", speeds.len(), MOST_MODES));
    }
    if speeds.is_empty() {
        return Ok(Vec::new());
    }
    let full = dense_mass(model)?;
    let mass: Vec<Vec<f64>> = speeds.iter().map(|&i| speeds.iter().map(|&j| full[i][j]).collect()).collect();
    let mut stiffness = vec![vec![0.0; speeds.len()]; speeds.len()];
    let mut first = 0;
    for body in &system.bodies {
        add_stiffness(&body.modes.stiffness, first, &mut stiffness);
        first += body.modes.count;
    }
    let (squares, _) = eigen::generalised(&stiffness, &mass).ok_or(NoFrequencies::Singular)?;
    Ok(squares.into_iter().map(|square| square.max(0.0).sqrt()).collect())
}

/// Angular frequencies of a body alone, held by its hinge; none where they cannot be computed.
pub fn of_body(body: &Body) -> Option<Vec<f64>> {
    if body.modes.count > MOST_MODES {
        return None;
    }
    let held = Body { parent: Parent::Ground, hinge: Hinge::new(HingeKind::Fixed), ..body.clone() };
    let system = System { bodies: vec![held], ..System::default() };
    of_system(&Model::build(&system).ok()?, &system).ok()
}

/// Condition number of the mass matrix, scaled to unit diagonal, at zero coordinates; none for large systems.
pub fn condition(model: &Model) -> Option<f64> {
    let n = model.speed_count();
    if n == 0 || n > MOST_CONDITION {
        return None;
    }
    let mass = dense_mass(model).ok()?;
    let scaled = |i: usize, j: usize| mass[i][j] / (mass[i][i] * mass[j][j]).sqrt();
    let (values, _) = eigen::symmetric((0..n).map(|i| (0..n).map(|j| scaled(i, j)).collect()).collect());
    let (least, most) = values.iter().fold((f64::INFINITY, 0.0_f64), |(a, b), x| (a.min(*x), b.max(*x)));
    Some(most / least).filter(|number| number.is_finite() && *number >= 1.0)
}

fn dense_mass(model: &Model) -> Result<Vec<Vec<f64>>, NoFrequencies> {
    let n = model.speed_count();
    if n > MOST_SPEEDS {
        return Err(NoFrequencies::Size("speeds", n, MOST_SPEEDS));
    }
    let mut out = vec![0.0; n * n];
    let (mut workspace, mut dense) = (Workspace::new(model), DenseWorkspace::new(model));
    mass_matrix(model, &State::new(model), &mut workspace, &mut dense, &mut out).map_err(NoFrequencies::Dynamics)?;
    Ok(out.chunks(n.max(1)).map(<[f64]>::to_vec).collect())
}

fn add_stiffness(matrix: &ModalMatrix, first: usize, out: &mut [Vec<f64>]) {
    match matrix {
        ModalMatrix::Zero => {}
        ModalMatrix::Diagonal(entries) => {
            entries.iter().enumerate().for_each(|(i, k)| out[first + i][first + i] = *k);
        }
        ModalMatrix::Full(rows) => {
            for (i, row) in rows.iter().enumerate() {
                out[first + i][first..first + row.len()].copy_from_slice(row);
            }
        }
    }
}
