//! A description put together piece by piece.

use super::actuator::Actuator;
use super::build_error::BuildError;
use super::builder::build;
use super::closure::Closure;
use super::description::{Body, ElasticRotation, InertiaConvention, System};
use super::{BodyIndex, Model};
use crate::force::ForceElement;

/// Collects bodies and builds the model.
///
/// ```
/// use supple::{Body, Hinge, HingeKind, ModelBuilder, Parent};
/// let mut builder = ModelBuilder::new();
/// builder.gravity([0.0, 0.0, -9.81]);
/// let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 1.0, 0.0] });
/// builder.body(Body::rigid("pendulum", Parent::Ground, hinge, 1.0, [0.0, 0.0, -1.0], [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]]));
/// let model = builder.build().unwrap();
/// assert_eq!(model.speed_count(), 1);
/// ```
#[derive(Clone, Debug, Default)]
pub struct ModelBuilder {
    system: System,
}

impl ModelBuilder {
    /// An empty system without gravity, with the default elastic rotation and inertia convention.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the gravitational acceleration in inertial axes.
    pub fn gravity(&mut self, gravity: [f64; 3]) -> &mut Self {
        self.system.gravity = gravity;
        self
    }

    /// Sets the elastic rotation of hinge-carrying nodes.
    pub fn elastic_rotation(&mut self, option: ElasticRotation) -> &mut Self {
        self.system.elastic_rotation = option;
        self
    }

    /// Sets the equations of nodal inertias.
    pub fn inertia(&mut self, convention: InertiaConvention) -> &mut Self {
        self.system.inertia = convention;
        self
    }

    /// Adds a body and gives its index, which later bodies name as their parent.
    pub fn body(&mut self, body: Body) -> BodyIndex {
        self.system.bodies.push(body);
        BodyIndex(self.system.bodies.len() - 1)
    }

    /// Adds a force element.
    ///
    /// ```
    /// # use supple::{Body, Hinge, HingeKind, ModelBuilder, Parent};
    /// use supple::force::{ForceElement, HingeSpring, Port};
    /// # let mut builder = ModelBuilder::new();
    /// # let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 1.0, 0.0] });
    /// # let inertia = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]];
    /// let door = builder.body(Body::rigid("door", Parent::Ground, hinge, 1.0, [0.0, 0.0, -1.0], inertia));
    /// builder.force(ForceElement::new(HingeSpring { stiffness: 3.0, rest: 0.0 }, [Port::hinge(door)]));
    /// assert_eq!(builder.build()?.forces().len(), 1);
    /// # Ok::<(), supple::BuildError>(())
    /// ```
    pub fn force(&mut self, element: ForceElement) -> &mut Self {
        self.system.forces.push(element);
        self
    }

    /// Adds a motor.
    pub fn actuator(&mut self, actuator: Actuator) -> &mut Self {
        self.system.actuators.push(actuator);
        self
    }

    /// Adds a closure.
    ///
    /// ```
    /// use supple::{Body, Closure, ClosureKind, Hinge, HingeKind, ModelBuilder, Mount, NodeIndex, Parent};
    /// # let mut builder = ModelBuilder::new();
    /// # let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 1.0, 0.0] });
    /// # let inertia = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]];
    /// let gate = builder.body(Body::rigid("gate", Parent::Ground, hinge, 1.0, [0.0, 0.0, -1.0], inertia));
    /// let latch = Mount::node(gate, NodeIndex(0)).at([0.0, 0.0, -2.0]);
    /// builder.closure(Closure::joint(ClosureKind::Weld, Mount::ground().at([0.0, 0.0, -2.0]), latch));
    /// assert_eq!(builder.build()?.closures().len(), 1);
    /// # Ok::<(), supple::BuildError>(())
    /// ```
    pub fn closure(&mut self, closure: Closure) -> &mut Self {
        self.system.closures.push(closure);
        self
    }

    /// The description so far.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// Checks everything and builds the model.
    ///
    /// # Errors
    /// [`BuildError`] lists all problems at once.
    pub fn build(&self) -> Result<Model, BuildError> {
        build(&self.system)
    }
}
