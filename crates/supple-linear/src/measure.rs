//! Values of outputs at a state, and those of their derivatives that are known without differences.

use faer::Mat;
use supple::model::VariableKind as Kind;
use supple::spatial::{Quaternion, Vector3};
use supple::{Inputs, Model, State, Workspace, WrenchFrame};

use crate::LinearError;
use crate::signals::{NodeMotion, Output, Place};

/// The outputs at a state, under inputs.
pub(crate) fn measure(
    model: &Model,
    state: &State,
    inputs: &Inputs,
    outputs: &[Output],
) -> Result<Vec<f64>, LinearError> {
    let (mut dynamics, mut motion) = (Workspace::new(model), Workspace::new(model));
    let solution = supple::reactions(model, state, inputs, &mut dynamics)?;
    let accelerations = solution.accelerations().to_vec();
    let momentum = supple::momentum(model, state, &mut motion)?;
    let at = supple::kinematics_with(model, state, &accelerations, &mut motion)?;
    let one = |output: &Output| -> Result<f64, LinearError> {
        Ok(match *output {
            Output::Variable(Kind::HingeCoordinate | Kind::ModalCoordinate, i) => state.coordinates[i],
            Output::Variable(Kind::HingeSpeed | Kind::ModalSpeed, i) => state.speeds[i],
            Output::Variable(Kind::HingeAcceleration | Kind::ModalAcceleration, i) => accelerations[i],
            Output::Variable(Kind::DriveForce, i) => solution.forces()[i],
            Output::HingeWrench(hinge, i) => solution.hinge_wrench(hinge, WrenchFrame::Body)?.to_array()[i],
            Output::NodeWrench(node, i) => solution.node_wrench(node, WrenchFrame::Body)?.to_array()[i],
            Output::ClosureWrench(closure, i) => solution.closure_wrenches(closure)?[1].to_array()[i],
            Output::ClosureForce(closure) => solution.closure_forces(closure)?[0],
            Output::Variable(_, i) => [momentum.linear, momentum.angular, momentum.centre_of_mass][i / 3][i % 3],
            // Counted from the operating point.
            Output::Displacement(_) => 0.0,
            Output::Node((body, node), what, i) => match what {
                NodeMotion::Position => at.node_position(body, node)[i],
                NodeMotion::Rotation => 0.0,
                NodeMotion::Quaternion => Quaternion::from_matrix(&at.node_attitude(body, node)).0[i],
                NodeMotion::Velocity => at.node_velocity(body, node).linear[i],
                NodeMotion::AngularVelocity => at.node_velocity(body, node).angular[i],
                NodeMotion::Acceleration => at.node_acceleration(body, node).map_or(0.0, |a| a.linear[i]),
                NodeMotion::AngularAcceleration => at.node_acceleration(body, node).map_or(0.0, |a| a.angular[i]),
                NodeMotion::Deflection => at.node_deflection(body, node)[i],
                NodeMotion::Strain => at.node_strain(body, node).map_or(0.0, |strain| strain[i]),
                NodeMotion::Gyro => at.node_gyro(body, node)[i],
                NodeMotion::Accelerometer => at.node_specific_force(body, node).map_or(0.0, |felt| felt[i]),
            },
        })
    };
    outputs.iter().map(one).collect()
}

/// How displacements, speeds and accelerations of all speeds follow from states and inputs, column by column.
pub(crate) struct Responses {
    pub displacements: Mat<f64>,
    pub speeds: Mat<f64>,
    pub accelerations: Mat<f64>,
}

/// The row of an output over states and inputs, where it is linear in displacements, speeds and accelerations or the system is at rest. `None` for
/// the others.
pub(crate) fn exact_row(
    model: &Model,
    state: &State,
    output: Output,
    responses: &Responses,
) -> Result<Option<Vec<f64>>, LinearError> {
    let row = |matrix: &Mat<f64>, i: usize| (0..matrix.ncols()).map(|j| matrix[(i, j)]).collect::<Vec<f64>>();
    let still = state.speeds.iter().all(|u| *u == 0.0);
    Ok(match output {
        Output::Variable(Kind::HingeCoordinate | Kind::ModalCoordinate, i) => {
            Some(coordinate_row(model, state, i, &responses.displacements))
        }
        Output::Variable(Kind::HingeSpeed | Kind::ModalSpeed, i) => Some(row(&responses.speeds, i)),
        Output::Variable(Kind::HingeAcceleration | Kind::ModalAcceleration, i) => {
            Some(row(&responses.accelerations, i))
        }
        Output::Displacement(i) => Some(row(&responses.displacements, i)),
        Output::Node(place, what, i) => {
            let jacobian = || node_jacobian(model, state, place);
            let along = |row: usize, matrix: &Mat<f64>, j: &Mat<f64>| -> Vec<f64> {
                let y = j.as_ref().subrows(row, 1) * matrix;
                (0..y.ncols()).map(|k| y[(0, k)]).collect()
            };
            match what {
                NodeMotion::Position => Some(along(3 + i, &responses.displacements, &jacobian()?)),
                NodeMotion::Rotation => Some(along(i, &responses.displacements, &jacobian()?)),
                NodeMotion::Quaternion => {
                    let turns = jacobian()?.as_ref().subrows(0, 3) * &responses.displacements;
                    let mut workspace = Workspace::new(model);
                    let at = supple::kinematics(model, state, &mut workspace)?.node_attitude(place.0, place.1);
                    let q = Quaternion::from_matrix(&at);
                    let turn = |k: usize| Vector3([turns[(0, k)], turns[(1, k)], turns[(2, k)]]);
                    Some((0..turns.ncols()).map(|k| q.rate_fixed(turn(k)).0[i]).collect())
                }
                NodeMotion::Strain => {
                    let shapes = strain_shapes(model, place, i)?;
                    let speeds = model.modal_speeds(place.0);
                    let sum = |j: usize| {
                        let terms = shapes.iter().zip(speeds.clone());
                        terms.map(|(shape, s)| shape * responses.displacements[(s, j)]).sum()
                    };
                    Some((0..responses.displacements.ncols()).map(sum).collect())
                }
                NodeMotion::Velocity if still => Some(along(3 + i, &responses.speeds, &jacobian()?)),
                NodeMotion::AngularVelocity if still => Some(along(i, &responses.speeds, &jacobian()?)),
                _ => None,
            }
        }
        _ => None,
    })
}

/// A strain of a node per unit of each mode of its body.
fn strain_shapes(model: &Model, (body, node): Place, i: usize) -> Result<Vec<f64>, LinearError> {
    let (mut unit, mut workspace) = (State::new(model), Workspace::new(model));
    let mut of_mode = |at: usize| {
        unit.coordinates[at] = 1.0;
        let strain = supple::kinematics(model, &unit, &mut workspace)?.node_strain(body, node);
        unit.coordinates[at] = 0.0;
        Ok(strain.map_or(0.0, |strain| strain[i]))
    };
    model.modal_coordinates(body).map(&mut of_mode).collect()
}

/// A coordinate by the displacements of its hinge.
fn coordinate_row(model: &Model, state: &State, coordinate: usize, displacements: &Mat<f64>) -> Vec<f64> {
    let mut unit = state.clone();
    let mut rates = vec![0.0; model.coordinate_count()];
    let mut turns = state.attitudes.clone();
    let mut weights = vec![0.0; model.speed_count()];
    for (i, weight) in weights.iter_mut().enumerate() {
        unit.speeds.fill(0.0);
        unit.speeds[i] = 1.0;
        unit.coordinate_rates(model, &mut rates, &mut turns);
        *weight = rates[coordinate];
    }
    let sum = |j: usize| weights.iter().enumerate().map(|(i, weight)| weight * displacements[(i, j)]).sum();
    (0..displacements.ncols()).map(sum).collect()
}

/// Angular and linear velocity of a node per speed, in inertial axes.
pub(crate) fn node_jacobian(model: &Model, state: &State, place: Place) -> Result<Mat<f64>, LinearError> {
    let n = model.speed_count();
    let mut numbers = vec![0.0; 6 * n];
    supple::node_jacobian(model, state, place, &mut Workspace::new(model), &mut numbers)?;
    Ok(Mat::from_fn(6, n, |i, j| numbers[i * n + j]))
}
