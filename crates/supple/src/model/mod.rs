//! The system: described by [`System`], checked by [`Model::build`], never changed after that.

mod accepted_inertia;
mod actuator;
pub(crate) mod body;
mod build_error;
mod builder;
mod carriers;
pub(crate) mod cast;
mod check;
pub(crate) mod closing;
mod closure;
mod closure_variables;
pub mod description;
pub(crate) mod elastic;
mod elements;
pub(crate) mod elimination_cost;
pub(crate) mod frames;
mod gather;
mod handle;
pub(crate) mod hinge;
mod index;
pub(crate) mod integrals;
mod join;
pub(crate) mod joint;
mod label;
mod modal_inertia;
pub(crate) mod modal_mass;
mod model_builder;
mod names;
pub(crate) mod node;
mod node_mass;
mod parameters;
mod physics;
mod problem;
mod sparse;
pub(crate) mod topology;
mod variables;

pub use actuator::Actuator;
pub use build_error::BuildError;
pub use check::{BODY_LIMIT, MODE_LIMIT, SHAPE_LIMIT};
pub use closure::{Closure, ClosureKind, Constraint, CoupledHinge, Mount};
pub use description::*;
pub use handle::{ClosureHandle, Freedom, HingeHandle, ModeHandle, ModelStamp, MotorHandle, NodeHandle};
pub use index::{BodyIndex, NodeIndex};
pub use join::DifferentStructure;
pub use joint::ClosureCoordinate;
pub use label::{Acting, NodeLabel};
pub use modal_inertia::ModalInertia;
pub use model_builder::ModelBuilder;
pub use names::NameError;
pub use physics::BodyPhysics;
pub use problem::Problem;
pub use variables::{Role, Variable, VariableKind, coordinate_names, speed_names};

use crate::force::{Elements, ForceElement, UnlistedScalar};
use body::BodyData;
use cast::Cast;
use closing::ClosureData;
use names::Names;
use std::ops::Range;
use std::sync::Arc;
use supple_spatial::{Scalar, Vector3};
use topology::{BodyTopology, Topology};

/// A checked, immutable system, shared freely between threads.
#[derive(Clone, Debug)]
pub struct Model<T = f64> {
    pub(crate) topology: Arc<Topology>,
    pub(crate) bodies: Arc<[BodyData<T>]>,
    pub(crate) gravity: Vector3<T>,
    pub(crate) elements: Arc<Elements<T>>,
    forces: Arc<[ForceElement]>,
    actuators: Arc<[Actuator]>,
    pub(crate) closing: Arc<[ClosureData<T>]>,
    closures: Arc<[Closure]>,
    pub(crate) names: Arc<Names>,
    notes: Arc<[String]>,
}

impl Model<f64> {
    /// Checks `system` and prepares its constants.
    ///
    /// # Errors
    /// [`BuildError`] lists everything that is wrong with the description, by name.
    pub fn build(system: &System) -> Result<Self, BuildError> {
        builder::build(system)
    }

    /// The same model with constants of another scalar. Workspaces and states of one scalar do not
    /// mix with models of another; the topology is shared.
    ///
    /// # Panics
    /// Where the model has force elements and they cannot be evaluated in `U`, see [`try_cast`](Self::try_cast).
    #[track_caller]
    pub fn cast<U: Scalar>(&self) -> Model<U> {
        match self.try_cast() {
            Ok(model) => model,
            Err(error) => panic!("{error}"),
        }
    }

    /// As [`cast`](Self::cast), for any scalar.
    ///
    /// # Errors
    /// [`UnlistedScalar`] where a force element cannot be evaluated in `U`: the macro [`force_element!`](crate::force_element) lists the
    /// scalars that can.
    pub fn try_cast<U: Scalar>(&self) -> Result<Model<U>, UnlistedScalar> {
        Ok(Model {
            topology: Arc::clone(&self.topology),
            bodies: self.bodies.iter().map(Cast::cast).collect(),
            gravity: self.gravity.cast(),
            elements: Arc::new(self.elements.cast()?),
            forces: Arc::clone(&self.forces),
            actuators: Arc::clone(&self.actuators),
            closing: self.closing.iter().map(Cast::cast).collect(),
            closures: Arc::clone(&self.closures),
            names: Arc::clone(&self.names),
            notes: Arc::clone(&self.notes),
        })
    }
}

impl<T> Model<T> {
    /// Number of bodies.
    pub fn body_count(&self) -> usize {
        self.topology.bodies.len()
    }

    /// Number of coordinates of a state, attitudes of nodes not included.
    pub fn coordinate_count(&self) -> usize {
        self.topology.sizes.coordinates
    }

    /// Number of speeds: the size of the mass matrix.
    pub fn speed_count(&self) -> usize {
        self.topology.sizes.speeds
    }

    /// All bodies, parents first.
    pub fn body_indices(&self) -> impl DoubleEndedIterator<Item = BodyIndex> + use<T> {
        (0..self.body_count()).map(BodyIndex)
    }

    /// Name of a body.
    ///
    /// # Panics
    /// For a body that the model does not have.
    pub fn name(&self, body: BodyIndex) -> &str {
        &self.at(body).name
    }

    /// The body of a given name.
    pub fn find(&self, name: &str) -> Option<BodyIndex> {
        self.topology.bodies.iter().position(|b| b.name == name).map(BodyIndex)
    }

    /// The body that carries `body`, or `None` on the ground.
    ///
    /// # Panics
    /// For a body that the model does not have.
    pub fn parent(&self, body: BodyIndex) -> Option<BodyIndex> {
        self.at(body).parent.map(BodyIndex)
    }

    /// Number of modes of a body.
    ///
    /// # Panics
    /// For a body that the model does not have.
    pub fn modes(&self, body: BodyIndex) -> usize {
        self.at(body).modes
    }

    /// Number of nodes of a body.
    ///
    /// # Panics
    /// For a body that the model does not have.
    pub fn node_count(&self, body: BodyIndex) -> usize {
        self.bodies[body.0].nodes.len()
    }

    /// Modal coordinates `η` of a body in a state.
    ///
    /// # Panics
    /// For a body that the model does not have.
    pub fn modal_coordinates(&self, body: BodyIndex) -> Range<usize> {
        self.at(body).eta()
    }

    /// Hinge coordinates `θ` of a body in a state.
    ///
    /// # Panics
    /// For a body that the model does not have.
    pub fn hinge_coordinates(&self, body: BodyIndex) -> Range<usize> {
        self.at(body).theta()
    }

    /// Modal speeds `η̇` of a body in a state.
    ///
    /// # Panics
    /// For a body that the model does not have.
    pub fn modal_speeds(&self, body: BodyIndex) -> Range<usize> {
        self.at(body).eta_dot()
    }

    /// Hinge speeds `β` of a body in a state.
    ///
    /// # Panics
    /// For a body that the model does not have.
    pub fn hinge_speeds(&self, body: BodyIndex) -> Range<usize> {
        self.at(body).beta()
    }

    /// Nodes with an integrated attitude, in the order of the attitudes of a state.
    pub fn attitude_nodes(&self) -> &[(BodyIndex, NodeIndex)] {
        &self.topology.attitude_nodes
    }

    /// Force elements, as described.
    pub fn forces(&self) -> &[ForceElement] {
        &self.forces
    }

    /// Motors, as described.
    pub fn actuators(&self) -> &[Actuator] {
        &self.actuators
    }

    /// Closures, as described.
    pub fn closures(&self) -> &[Closure] {
        &self.closures
    }

    /// Remarks about the description that are not problems, such as modes that are not normalised.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    fn at(&self, body: BodyIndex) -> &BodyTopology {
        &self.topology.bodies[body.0]
    }
}
