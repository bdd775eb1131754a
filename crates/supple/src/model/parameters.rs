//! Models with other numbers in the places of a few, in their own scalar: symbols of a recording, or dual numbers of a sensitivity.
//!
//! What a number decides when a model is built stays as it was decided then: the structure of a model never changes.

use super::{BodyIndex, Model};
use crate::error::DynamicsError;
use std::sync::Arc;
use supple_spatial::{RigidInertia, Scalar, Symmetric3, Vector3};

impl<T: Scalar> Model<T> {
    /// The model under another gravitational acceleration.
    #[must_use]
    pub fn with_gravity(mut self, gravity: Vector3<T>) -> Self {
        self.gravity = gravity;
        self
    }

    /// Gravitational acceleration in inertial axes.
    pub fn gravity(&self) -> Vector3<T> {
        self.gravity
    }

    /// Mass, first moment and inertia of an undeformed body about its frame, in the described axes.
    ///
    /// # Errors
    /// A body that the model does not have.
    pub fn rigid_inertia(&self, body: BodyIndex) -> Result<RigidInertia<T>, DynamicsError> {
        crate::check::body(self, body)?;
        let data = &self.bodies[body.0];
        Ok(match data.axes.turned {
            true => data.inertia.rotate(&data.axes.rotation.transpose()),
            false => data.inertia,
        })
    }

    /// The model with another mass, first moment and inertia of a rigid body, about its frame and in the described axes. Whether masses are
    /// positive is not checked.
    ///
    /// # Errors
    /// [`DynamicsError::NotRigid`] for a body with modes, whose other constants depend on its mass; a body that the model does not have.
    pub fn with_rigid_inertia(mut self, body: BodyIndex, inertia: RigidInertia<T>) -> Result<Self, DynamicsError> {
        crate::check::body(&self, body)?;
        let data = &mut Arc::make_mut(&mut self.bodies)[body.0];
        if data.flexible.is_some() {
            return Err(DynamicsError::NotRigid { body, name: self.topology.bodies[body.0].name.clone() });
        }
        data.inertia = if data.axes.turned { inertia.rotate(&data.axes.rotation) } else { inertia };
        // What nodes have of it: all at the first, as seen from there.
        let none = RigidInertia { mass: T::ZERO, moment: Vector3::ZERO, inertia: Symmetric3::ZERO };
        for (i, node) in data.nodes.iter_mut().enumerate() {
            node.inertia = if i == 0 { data.inertia.shift(-node.position) } else { none };
        }
        Ok(self)
    }

    /// The model with all elastic forces of the modes of a body multiplied by `factor`, as by another modulus of elasticity.
    ///
    /// # Errors
    /// A body that the model does not have.
    pub fn with_scaled_stiffness(mut self, body: BodyIndex, factor: T) -> Result<Self, DynamicsError> {
        crate::check::body(&self, body)?;
        if let Some(flexible) = &mut Arc::make_mut(&mut self.bodies)[body.0].flexible {
            let elastic = &mut flexible.elastic;
            elastic.stiffness.scale(factor);
            elastic.cubic.iter_mut().for_each(|(_, value)| *value *= factor);
            elastic.quartic.iter_mut().for_each(|(_, value)| *value *= factor);
            elastic.axial_load.iter_mut().for_each(|(_, value)| *value *= factor);
        }
        Ok(self)
    }

    /// The model with the modal damping of a body multiplied by `factor`.
    ///
    /// # Errors
    /// A body that the model does not have.
    pub fn with_scaled_damping(mut self, body: BodyIndex, factor: T) -> Result<Self, DynamicsError> {
        crate::check::body(&self, body)?;
        if let Some(flexible) = &mut Arc::make_mut(&mut self.bodies)[body.0].flexible {
            flexible.elastic.damping.scale(factor);
        }
        Ok(self)
    }

    /// Origin of `O⁺` of the hinge of a body from the node that carries it, in the described axes of that node.
    ///
    /// # Errors
    /// A body that the model does not have.
    pub fn hinge_position(&self, body: BodyIndex) -> Result<Vector3<T>, DynamicsError> {
        crate::check::body(self, body)?;
        let from_node = self.bodies[body.0].hinge.position - self.fixed_node(body);
        Ok(match self.topology.bodies[body.0].parent {
            Some(parent) => self.bodies[parent].axes.vector_to_user(from_node),
            None => from_node,
        })
    }

    /// The model with the hinge of a body elsewhere: the origin of `O⁺` from the node that carries it, in the described axes of that node.
    ///
    /// # Errors
    /// A body that the model does not have.
    pub fn with_hinge_position(mut self, body: BodyIndex, position: Vector3<T>) -> Result<Self, DynamicsError> {
        crate::check::body(&self, body)?;
        let own = match self.topology.bodies[body.0].parent.map(|parent| &self.bodies[parent].axes) {
            Some(axes) if axes.turned => axes.rotation * position,
            _ => position,
        };
        let origin = self.fixed_node(body);
        Arc::make_mut(&mut self.bodies)[body.0].hinge.position = own + origin;
        Ok(self)
    }

    /// Where the node that carries a body stands in the constants of its hinge: nodes that no mode moves are part of them.
    fn fixed_node(&self, body: BodyIndex) -> Vector3<T> {
        let top = &self.topology.bodies[body.0];
        let node = top.parent.map(|parent| &self.bodies[parent].nodes[top.parent_node]);
        node.filter(|node| node.influence.is_empty()).map_or(Vector3::ZERO, |node| node.position)
    }

    /// Numbers of the law of a force element of [`forces`](Self::forces), in the order of [`ForceLaw::parameters`](crate::force::ForceLaw::parameters);
    /// empty where the model has no such element.
    pub fn element_parameters(&self, element: usize) -> &[T] {
        let found = self.elements.list.iter().find(|data| data.element == element);
        found.map_or(&[], |data| &data.parameters)
    }

    /// The model with another number in the law of a force element. Motors have none: their forces are inputs.
    ///
    /// # Errors
    /// [`DynamicsError::WrongSize`] for a number that the law does not have.
    pub fn with_element_parameter(mut self, element: usize, number: usize, value: T) -> Result<Self, DynamicsError> {
        let expected = self.element_parameters(element).len();
        if number >= expected {
            return Err(DynamicsError::WrongSize {
                quantity: "parameters of a force element",
                found: number + 1,
                expected,
            });
        }
        for data in Arc::make_mut(&mut self.elements).list.iter_mut().filter(|data| data.element == element) {
            data.parameters[number] = value;
        }
        Ok(self)
    }
}

impl Model {
    /// The model with hinges that are mounted within rounding of a quarter turn, as turns by `π/2` in files come out, mounted at it: entries of
    /// rotations within four roundings of 0, 1 and -1 become these.
    #[must_use]
    pub fn with_exact_quarter_turns(mut self) -> Self {
        for body in Arc::make_mut(&mut self.bodies).iter_mut() {
            for entry in body.hinge.rotation.0.iter_mut().flatten() {
                let whole = entry.round();
                if (*entry - whole).abs() <= 4.0 * f64::EPSILON {
                    *entry = whole;
                }
            }
        }
        self
    }
}
