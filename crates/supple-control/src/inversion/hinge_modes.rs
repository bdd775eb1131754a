//! The linear model of one hinge: the modes that its torque moves, with all other hinges locked.

use super::eigen::symmetric_eigen;
use supple::{Derivatives, DynamicsError, Inputs, Model, State, Workspace, inverse_dynamics_derivatives};

/// Matrices by rows.
type Rows = Vec<Vec<f64>>;

/// A mode of the linear model: `q̈ + 2 ζ ω q̇ + ω² q = φ τ`, and the hinge moves by `φ q`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HingeMode {
    /// Circular frequency, rad/s; zero of the mode in which the arm turns as a rigid body.
    pub frequency: f64,
    /// Damping ratio; zero of a mode without frequency.
    pub damping: f64,
    /// `φ`, share of the hinge.
    pub hinge: f64,
}

/// The linear model of one hinge of an arm, cut to a few modes: the hinge, and the first modes with the hinge held.
///
/// Cutting with the hinge held keeps the inertia about the hinge whole, however few modes there are.
#[derive(Clone, Debug, PartialEq)]
pub struct HingeModes {
    /// Circular frequencies with the hinge held, rad/s.
    pub held: Vec<f64>,
    /// Inertia about the hinge, everything rigid, kg m² or kg.
    pub inertia: f64,
    /// Coupling of each held mode, of unit modal mass, with the hinge.
    pub coupling: Vec<f64>,
    /// Modes with the hinge free, one more than held ones.
    pub free: Vec<HingeMode>,
}

/// Why there is no such model.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum InversionError {
    /// A speed that the model does not have.
    NoSuchSpeed {
        /// The speed.
        speed: usize,
    },
    /// The model cannot be linearised at the state.
    Dynamics(DynamicsError),
    /// The state is not at rest: the linear model is one about rest.
    Moving,
    /// More modes than the model has.
    TooManyModes {
        /// As asked for.
        asked: usize,
        /// As there are.
        found: usize,
    },
    /// A mode that grows by itself, or masses that are not positive.
    Unstable,
    /// Several modes without stiffness: the torque of one hinge cannot stop them all.
    Drifting,
    /// A duration that is not positive, or a coordinate that is not finite.
    Motion {
        /// Which number.
        quantity: &'static str,
        /// Its value.
        value: f64,
    },
}

impl std::fmt::Display for InversionError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoSuchSpeed { speed } => write!(f, "there is no speed {speed}"),
            Self::Dynamics(error) => write!(f, "the model cannot be linearised: {error}"),
            Self::Moving => {
                write!(f, "the linear model is one about rest, and something moves; set all speeds to zero")
            }
            Self::TooManyModes { asked, found } => {
                write!(f, "{asked} modes are asked for, the model has {found} with the hinge held")
            }
            Self::Unstable => {
                write!(
                    f,
                    "the arm does not rest by itself with the hinge held: a mode grows, or a mass is not positive"
                )
            }
            Self::Drifting => write!(f, "something else than the hinge moves without stiffness; lock it"),
            Self::Motion { quantity, value } => write!(f, "{quantity} is {value}"),
        }
    }
}

impl std::error::Error for InversionError {}

impl From<DynamicsError> for InversionError {
    fn from(error: DynamicsError) -> Self {
        Self::Dynamics(error)
    }
}

/// A mode counts as rigid below this part of the greatest eigenvalue.
const RIGID: f64 = 1e-10;

impl HingeModes {
    /// The linear model about `state` for the hinge of `speed`, with the first `count` modes that the arm has with this hinge held. Modes of bodies
    /// and the speeds `free` move, all other hinges are locked.
    ///
    /// # Errors
    /// See [`InversionError`].
    pub fn new(
        model: &Model,
        state: &State,
        speed: usize,
        free: &[usize],
        count: usize,
    ) -> Result<Self, InversionError> {
        let speeds = model.speed_count();
        if let Some(speed) = free.iter().chain([&speed]).find(|speed| **speed >= speeds) {
            return Err(InversionError::NoSuchSpeed { speed: *speed });
        }
        if state.speeds.iter().any(|speed| *speed != 0.0) {
            return Err(InversionError::Moving);
        }
        let modal = model.body_indices().flat_map(|body| model.modal_speeds(body));
        let moving: Vec<usize> = modal.chain(free.iter().copied()).filter(|other| *other != speed).collect();
        if count > moving.len() {
            return Err(InversionError::TooManyModes { asked: count, found: moving.len() });
        }
        let [mass, damping, stiffness] = matrices(model, state)?;
        let block =
            |from: &Rows| -> Rows { moving.iter().map(|i| moving.iter().map(|j| from[*i][*j]).collect()).collect() };
        let (squares, shapes) = if moving.is_empty() {
            (Vec::new(), Vec::new())
        } else {
            symmetric_eigen(&block(&stiffness), &block(&mass)).ok_or(InversionError::Unstable)?
        };
        let stiffest = squares.last().copied().unwrap_or(0.0);
        if squares.iter().any(|square| *square < -RIGID * stiffest) {
            return Err(InversionError::Unstable);
        }
        if squares.iter().any(|square| *square <= RIGID * stiffest) {
            return Err(InversionError::Drifting);
        }
        // The hinge alone, then the held modes, over all speeds.
        let mut basis = vec![vec![0.0; speeds]; 1 + count];
        basis[0][speed] = 1.0;
        for (vector, shape) in basis[1..].iter_mut().zip(&shapes) {
            moving.iter().zip(shape).for_each(|(i, x)| vector[*i] = *x);
        }
        let [mass, damping, stiffness] = [mass, damping, stiffness].map(|matrix| reduce(&matrix, &basis));
        Ok(Self {
            held: squares[..count].iter().map(|square| square.sqrt()).collect(),
            inertia: mass[0][0],
            coupling: mass[0][1..].to_vec(),
            free: free_modes(&mass, &damping, &stiffness)?,
        })
    }
}

/// Mass, damping and stiffness about the state, symmetric.
fn matrices(model: &Model, state: &State) -> Result<[Rows; 3], InversionError> {
    let (mut workspace, mut derivatives) = (Workspace::new(model), Derivatives::new(model));
    inverse_dynamics_derivatives(model, state, &Inputs::new(model), &mut workspace, &mut derivatives)?;
    let n = model.speed_count();
    let rows = |flat: &[f64]| -> Rows {
        (0..n).map(|i| (0..n).map(|j| 0.5 * (flat[i * n + j] + flat[j * n + i])).collect()).collect()
    };
    Ok([derivatives.acceleration(), derivatives.speed(), derivatives.displacement()].map(rows))
}

/// `V A V*` with the vectors of the basis in the rows of `V`.
fn reduce(matrix: &Rows, basis: &Rows) -> Rows {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let image = |vector: &Vec<f64>| -> Vec<f64> { matrix.iter().map(|row| dot(row, vector)).collect() };
    let images: Rows = basis.iter().map(image).collect();
    basis.iter().map(|a| images.iter().map(|b| dot(a, b)).collect()).collect()
}

/// Modes of the reduced model, whose first coordinate is the hinge.
fn free_modes(mass: &Rows, damping: &Rows, stiffness: &Rows) -> Result<Vec<HingeMode>, InversionError> {
    let (squares, shapes) = symmetric_eigen(stiffness, mass).ok_or(InversionError::Unstable)?;
    let stiffest = squares.last().copied().unwrap_or(0.0).max(f64::MIN_POSITIVE);
    let mut modes = Vec::with_capacity(squares.len());
    for (square, shape) in squares.iter().zip(&shapes) {
        let own_damping = reduce(damping, &vec![shape.clone()])[0][0];
        let frequency = if *square > RIGID * stiffest { square.sqrt() } else { 0.0 };
        if *square < -RIGID * stiffest {
            return Err(InversionError::Unstable);
        }
        let damping = if frequency > 0.0 { own_damping / (2.0 * frequency) } else { 0.0 };
        modes.push(HingeMode { frequency, damping, hinge: shape[0] });
    }
    if modes.iter().filter(|mode| mode.frequency == 0.0).count() > 1 {
        return Err(InversionError::Drifting);
    }
    Ok(modes)
}
