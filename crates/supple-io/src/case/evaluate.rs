//! All answers to a case, from the verbs of the engine.

use std::fmt;

use supple::integrate::IntegrationError;
use supple::{
    BuildError, DenseWorkspace, DynamicsError, ElasticRotation, Energy, Momentum, NodeIndex, Terms, Workspace,
    bias_forces, energy, forward_dynamics, inverse_dynamics, kinematics, mass_matrix, momentum,
};

use super::Case;
use super::answer::{Answer, BiasParts, CaseEnergy, Matrix};
use super::nodal_momentum::angular_momentum;
use super::system::Prepared;

/// Most generalized speeds of a case that is evaluated: the answer holds the full mass matrix.
pub const MAX_SPEEDS: usize = 10_000;

/// Why a case has no answer.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum EvaluateError {
    /// The engine refuses the system.
    Model(BuildError),
    /// The equations of motion have no solution in this state.
    Dynamics(DynamicsError),
    /// A motion that cannot be followed to its end.
    Integration(IntegrationError),
    /// The mass matrix would be too large to be written.
    TooLarge {
        /// Number of generalized speeds.
        speeds: usize,
        /// Largest number.
        limit: usize,
    },
    /// A result is infinite or not a number: the numbers of the case are too large or too small.
    NotFinite {
        /// Member of the answer.
        member: &'static str,
    },
}

impl EvaluateError {
    /// What to do about it. Errors of the engine have their own.
    pub fn remedy(&self) -> Option<&'static str> {
        match self {
            Self::TooLarge { .. } => Some("use the engine's verbs directly for larger systems"),
            Self::NotFinite { .. } => Some("scale the numbers of the case closer to 1"),
            Self::Dynamics(error) => error.remedy(),
            Self::Integration(error) => error.remedy(),
            Self::Model(_) => None,
        }
    }
}

impl fmt::Display for EvaluateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // With their remedies.
            Self::Model(error) => return write!(f, "{error}"),
            Self::Dynamics(error) => return write!(f, "{error}"),
            Self::Integration(error) => return write!(f, "{error}"),
            Self::TooLarge { speeds, limit } => write!(
                f,
                "{speeds} generalized speeds, the limit is {limit}, because the answer holds the full mass matrix"
            )?,
            Self::NotFinite { member } => write!(f, "member `{member}` of the answer is not finite")?,
        }
        self.remedy().map_or(Ok(()), |remedy| write!(f, "; {remedy}"))
    }
}

impl std::error::Error for EvaluateError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Model(error) => Some(error),
            Self::Dynamics(error) => Some(error),
            Self::Integration(error) => Some(error),
            _ => None,
        }
    }
}

impl From<BuildError> for EvaluateError {
    fn from(error: BuildError) -> Self {
        Self::Model(error)
    }
}

impl From<DynamicsError> for EvaluateError {
    fn from(error: DynamicsError) -> Self {
        Self::Dynamics(error)
    }
}

impl From<IntegrationError> for EvaluateError {
    fn from(error: IntegrationError) -> Self {
        Self::Integration(error)
    }
}

/// Computes everything the schema asks about a case, in the order of the file.
///
/// # Errors
/// [`EvaluateError`], where the engine refuses the system or finds no finite answer.
pub fn evaluate(case: &Case) -> Result<Answer, EvaluateError> {
    let speeds = case.forces().len();
    if speeds > MAX_SPEEDS {
        return Err(EvaluateError::TooLarge { speeds, limit: MAX_SPEEDS });
    }
    let prepared = case.prepare()?;
    let answer = answer(case, &prepared)?;
    match answer.member_that_overflowed() {
        Some(member) => Err(EvaluateError::NotFinite { member }),
        None => Ok(answer),
    }
}

fn answer(told: &Case, case: &Prepared) -> Result<Answer, DynamicsError> {
    let Prepared { model, state, inputs, .. } = case;
    let mut workspace = Workspace::new(model);
    let ws = &mut workspace;
    let solution = forward_dynamics(model, state, inputs, ws)?;
    let accelerations = in_file_order(case, solution.accelerations());
    // One that is not finite is told as such.
    let on_a = |closure| solution.closure_wrenches(closure).map_or([f64::NAN; 6], |[on_a, _]| on_a.to_array());
    let closure_wrench_on_a = model.closure_handles().map(on_a).collect();
    let inverse_forces = in_file_order(case, inverse_dynamics(model, state, inputs, ws)?.forces());
    let mut part =
        |terms| Ok::<_, DynamicsError>(in_file_order(case, bias_forces(model, state, inputs, terms, ws)?.forces()));
    let bias = part(Terms::ALL)?;
    let bias_parts = BiasParts {
        velocity: part(Terms { velocity: true, ..Terms::NONE })?,
        elastic: part(Terms { elastic: true, ..Terms::NONE })?,
        damping: part(Terms { damping: true, ..Terms::NONE })?,
        gravity: part(Terms { gravity: true, ..Terms::NONE })?,
        external: part(Terms { external: true, ..Terms::NONE })?,
    };
    let Energy { kinetic, elastic, gravitational, .. } = energy(model, state, ws)?;
    let energy = CaseEnergy { kinetic, elastic, gravity: gravitational, total: kinetic + elastic + gravitational };
    let Momentum { centre_of_mass, linear, angular, .. } = momentum(model, state, ws)?;
    let angular = match told.model.tip_rotation {
        ElasticRotation::FirstOrder => angular_momentum(told, case, ws)?,
        _ => angular,
    };
    let (node_positions, node_velocities) = nodes(case, ws)?;
    Ok(Answer {
        mass_matrix: full_mass_matrix(case, ws)?,
        bias,
        bias_parts,
        accelerations,
        inverse_forces,
        energy,
        linear_momentum: linear.0,
        angular_momentum: angular.0,
        centre_of_mass: centre_of_mass.0,
        node_positions,
        node_velocities,
        closure_wrench_on_a,
    })
}

fn in_file_order(case: &Prepared, engine: &[f64]) -> Vec<f64> {
    case.speeds.iter().map(|&i| engine[i]).collect()
}

fn full_mass_matrix(case: &Prepared, ws: &mut Workspace<f64>) -> Result<Matrix, DynamicsError> {
    let size = case.speeds.len();
    let mut dense = DenseWorkspace::new(&case.model);
    let mut entries = vec![0.0; size * size];
    mass_matrix(&case.model, &case.state, ws, &mut dense, &mut entries)?;
    let in_order = case.speeds.iter().enumerate().all(|(file, &engine)| file == engine);
    if !in_order {
        let rows = case.speeds.iter().flat_map(|&i| case.speeds.iter().map(move |&j| i * size + j));
        entries = rows.map(|at| entries[at]).collect();
    }
    Ok(Matrix::new(size, entries))
}

type NodeMotions = (Vec<Vec<[f64; 3]>>, Vec<Vec<[f64; 6]>>);

fn nodes(case: &Prepared, ws: &mut Workspace<f64>) -> Result<NodeMotions, DynamicsError> {
    let motion = kinematics(&case.model, &case.state, ws)?;
    let per_body = |&body| {
        let nodes = || (0..case.model.node_count(body)).map(NodeIndex);
        let positions = nodes().map(|node| motion.node_position(body, node).0).collect();
        let velocities = nodes().map(|node| motion.node_velocity(body, node).to_array()).collect();
        (positions, velocities)
    };
    Ok(case.bodies.iter().map(per_body).unzip())
}
