//! How well a node can be moved by the hinges.

use faer::Mat;
use supple::{HingeHandle, Model, NodeHandle, State, Workspace};

use super::IkError;

/// Which part of the motion of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Part {
    /// Velocity.
    Translation,
    /// Angular velocity.
    Rotation,
    /// Both, angular velocity first.
    #[default]
    Both,
}

/// Velocities of a node that unit speeds of the hinges give: an ellipsoid.
#[derive(Clone, Debug, PartialEq)]
pub struct Manipulability {
    /// `√det(J J*)`, Yoshikawa's measure: the volume of the ellipsoid but for a factor; zero where there are fewer hinges than directions.
    pub measure: f64,
    /// Semi-axes of the ellipsoid, longest first.
    pub singular_values: Vec<f64>,
    /// Shortest over longest semi-axis: zero where the pose is singular.
    pub conditioning: f64,
}

/// Manipulability of a node by `hinges`, or by all where there are none given.
///
/// # Errors
/// A node of another model, no hinge, or what the engine says about the state.
pub fn manipulability(
    model: &Model,
    state: &State,
    node: NodeHandle,
    hinges: &[HingeHandle],
    part: Part,
) -> Result<Manipulability, IkError> {
    if node.stamp() != model.stamp() || hinges.iter().any(|hinge| hinge.stamp() != model.stamp()) {
        return Err(IkError::Handle(supple::AccessError::WrongModel { used_with: "model" }));
    }
    let moves = |hinge: &HingeHandle| hinges.is_empty() || hinges.contains(hinge);
    let columns: Vec<usize> = model.hinges().filter(moves).flat_map(|hinge| hinge.speeds()).collect();
    if columns.is_empty() {
        return Err(IkError::NoHinge);
    }
    let n = model.speed_count();
    let mut whole = vec![0.0; 6 * n];
    let place = (node.body(), node.node());
    supple::node_jacobian(model, state, place, &mut Workspace::new(model), &mut whole)?;
    let rows = match part {
        Part::Rotation => 0..3,
        Part::Translation => 3..6,
        Part::Both => 0..6,
    };
    let jacobian = Mat::from_fn(rows.len(), columns.len(), |i, j| whole[(rows.start + i) * n + columns[j]]);
    let singular_values = singular_values(&jacobian);
    let full = columns.len() >= rows.len();
    let measure = if full { singular_values.iter().product() } else { 0.0 };
    let longest = singular_values.first().copied().unwrap_or(0.0);
    let conditioning = match singular_values.last() {
        Some(shortest) if full && longest > 0.0 => shortest / longest,
        _ => 0.0,
    };
    Ok(Manipulability { measure, singular_values, conditioning })
}

/// Singular values, greatest first; none where they cannot be calculated.
pub(super) fn singular_values(matrix: &Mat<f64>) -> Vec<f64> {
    matrix.singular_values().unwrap_or_default()
}
