//! What sensors measure, by name: numbers of the state, and of nodes that carry gauges, gyroscopes and accelerometers.

use crate::error::DynamicsError;
use crate::kinematics::{kinematics, kinematics_with};
use crate::model::{BodyIndex, Model, NodeIndex, Variable, VariableKind};
use crate::state::State;
use crate::workspace::Workspace;
use supple_spatial::{Quaternion, Scalar};

/// A number that a sensor measures, found by the name of its [variable](Model::variables).
///
/// ```
/// use supple::{Body, Hinge, HingeKind, Measurement, ModelBuilder, Node, Parent, State, Workspace};
///
/// let mut builder = ModelBuilder::new();
/// let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 1.0, 0.0] });
/// let inertia = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]];
/// let tip = Node { name: Some("tip".into()), position: [0.0, 0.0, -2.0], ..Node::default() };
/// builder.body(Body::rigid("bob", Parent::Ground, hinge, 1.0, [0.0, 0.0, -1.0], inertia).with_node(tip));
/// let model = builder.build()?;
/// let mut state = State::new(&model);
/// state.speeds[0] = 0.5;
/// let gyro = Measurement::find(&model, "gyro.bob.tip.y").ok_or("no such measurement")?;
/// assert_eq!(gyro.value(&model, &state, &[], &mut Workspace::new(&model))?, 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Measurement {
    /// A coordinate, by its place in the state.
    Coordinate(usize),
    /// A speed, by its place in the state.
    Speed(usize),
    /// A number of a node: its [motion](VariableKind::NodeMotion), [deflection](VariableKind::Deflection), [strain](VariableKind::Strain), or the
    /// reading of a [gyroscope](VariableKind::Gyro) or an [accelerometer](VariableKind::Accelerometer).
    Node {
        /// The body.
        body: BodyIndex,
        /// Its node.
        node: NodeIndex,
        /// What is measured.
        kind: VariableKind,
        /// Which of the numbers of its kind.
        index: usize,
    },
}

impl Measurement {
    /// The measurement of a name: `hinge.NAME`, `speed.NAME`, `mode.BODY.1`, `mode_speed.BODY.1`, `node.BODY.NODE.x`, `deflection.BODY.NODE.y`,
    /// `strain.BODY.NODE.curvature_z`, `gyro.BODY.NODE.z`, `accelerometer.BODY.NODE.y`.
    pub fn find(model: &Model, name: &str) -> Option<Self> {
        let of_state = model.variables().into_iter().find(|variable| variable.name == name);
        if let Some(Variable { kind, index, .. }) = of_state {
            return match kind {
                VariableKind::HingeCoordinate | VariableKind::ModalCoordinate => Some(Self::Coordinate(index)),
                VariableKind::HingeSpeed | VariableKind::ModalSpeed => Some(Self::Speed(index)),
                _ => None,
            };
        }
        let (_, rest) = name.split_once('.')?;
        let bodies = model.body_indices().filter(|body| rest.starts_with(model.name(*body)));
        let mut variables = bodies.flat_map(|body| model.nodes_of(body)).flat_map(|node| {
            let of_node = move |Variable { name, kind, index, .. }| (name, (node.body(), node.node(), kind, index));
            model.node_variables(node).into_iter().map(of_node)
        });
        let (_, (body, node, kind, index)) = variables.find(|(own, _)| own == name)?;
        (kind != VariableKind::NodeWrench).then_some(Self::Node { body, node, kind, index })
    }

    /// Whether it depends on accelerations, and so on what acts.
    pub fn needs_accelerations(self) -> bool {
        matches!(self, Self::Node { kind: VariableKind::Accelerometer, .. })
    }

    /// Whether it is a linear function of the state: coordinates, speeds and strains are.
    pub fn is_linear(self) -> bool {
        !matches!(self, Self::Node { kind, .. } if kind != VariableKind::Strain)
    }

    /// What is measured in a state; `accelerations` may be empty where they are not needed.
    ///
    /// # Errors
    /// Sizes that do not fit, accelerations that are missing, or numbers that are not finite.
    ///
    /// # Panics
    /// For a measurement of another model whose bodies or nodes this one does not have.
    pub fn value(
        self,
        model: &Model,
        state: &State,
        accelerations: &[f64],
        workspace: &mut Workspace,
    ) -> Result<f64, DynamicsError> {
        self.evaluate(model, state, accelerations, workspace)
    }

    /// [`value`](Self::value) in any scalar.
    pub(crate) fn evaluate<T: Scalar>(
        self,
        model: &Model<T>,
        state: &State<T>,
        accelerations: &[T],
        workspace: &mut Workspace<T>,
    ) -> Result<T, DynamicsError> {
        let (body, node, kind, index) = match self {
            Self::Coordinate(i) => return Ok(state.coordinates[i]),
            Self::Speed(i) => return Ok(state.speeds[i]),
            Self::Node { body, node, kind, index } => (body, node, kind, index),
        };
        let motion = match self.needs_accelerations() {
            true => kinematics_with(model, state, accelerations, workspace)?,
            false => kinematics(model, state, workspace)?,
        };
        Ok(match kind {
            VariableKind::Deflection => motion.node_deflection(body, node)[index],
            VariableKind::Strain => motion.node_strain(body, node).map_or(T::ZERO, |strain| strain[index]),
            VariableKind::Gyro => motion.node_gyro(body, node)[index],
            VariableKind::Accelerometer => motion.node_specific_force(body, node).map_or(T::ZERO, |felt| felt[index]),
            _ => match index {
                0..3 => motion.node_position(body, node)[index],
                3..7 => Quaternion::from_matrix(&motion.node_attitude(body, node)).0[index - 3],
                7..10 => motion.node_velocity(body, node).linear[index - 7],
                _ => motion.node_velocity(body, node).angular[index - 10],
            },
        })
    }
}
