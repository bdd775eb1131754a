//! Modes of a system in the modal coordinates of its bodies.

use super::{NoDesign, dot};
use crate::eigen;
use crate::frequencies::NoFrequencies;
use supple::{Derivatives, DynamicsError, Inputs, Model, State, System, Workspace};

/// Most coordinates of the eigenvalue problem.
const MOST_COORDINATES: usize = 400;
/// Squares of frequencies below this part of the largest belong to rigid-body motions.
const RIGID: f64 = 1e-13;
/// Equations of closures whose squares are below this part of the largest depend on others.
const DEPENDENT: f64 = 1e-13;

/// A mode of the whole system: its angular frequency, and its shape in the modal coordinates of each body.
pub(super) struct Mode {
    pub omega: f64,
    pub shapes: Vec<Vec<f64>>,
    /// `x* C x` of the damping that is there.
    pub damped: f64,
}

/// Modes of a system without weight, rigid-body motions left out, lowest first.
pub(super) fn modes(system: &System, pose: &State, free: &[bool]) -> Result<Vec<Mode>, NoDesign> {
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
pub(super) fn within(a: &[Vec<f64>], columns: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let images: Vec<Vec<f64>> = columns.iter().map(|x| a.iter().map(|row| dot(row, x)).collect()).collect();
    columns.iter().map(|x| images.iter().map(|y| dot(x, y)).collect()).collect()
}
