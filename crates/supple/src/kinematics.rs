//! Poses, velocities, accelerations and Jacobians of nodes, in inertial axes.

use crate::check;
use crate::energy::move_without_mass;
use crate::error::DynamicsError;
use crate::model::node::Slaves;
use crate::model::{BodyIndex, Model, NodeIndex};
use crate::state::State;
use crate::sweep;
use crate::sweep::configuration::place_node;
use crate::sweep::hinge::force_at_hinge;
use crate::sweep::newton_euler::add_nodal_force;
use crate::terms::Terms;
use crate::workspace::{NodePlace, Workspace};
use supple_spatial::{Force, Matrix3, Motion, Scalar, Vector3};

/// Poses and motions of nodes. It borrows the workspace, so a stale read does not compile.
#[derive(Clone, Copy, Debug)]
pub struct Kinematics<'w, T: Scalar = f64> {
    model: &'w Model<T>,
    state: &'w State<T>,
    workspace: &'w Workspace<T>,
    accelerations: Option<&'w [T]>,
}

/// Poses and velocities. O(bodies), and O(modes) for each node asked; no allocation.
///
/// # Errors
/// Sizes that do not fit or numbers that are not finite.
pub fn kinematics<'w, T: Scalar>(
    model: &'w Model<T>,
    state: &'w State<T>,
    workspace: &'w mut Workspace<T>,
) -> Result<Kinematics<'w, T>, DynamicsError> {
    move_without_mass(model, state, workspace)?;
    require_finite_motion(&workspace.velocity.body, workspace)?;
    Ok(Kinematics { model, state, workspace, accelerations: None })
}

/// Poses, velocities and accelerations for the generalized accelerations given.
///
/// # Errors
/// Sizes that do not fit or numbers that are not finite.
pub fn kinematics_with<'w, T: Scalar>(
    model: &'w Model<T>,
    state: &'w State<T>,
    accelerations: &'w [T],
    workspace: &'w mut Workspace<T>,
) -> Result<Kinematics<'w, T>, DynamicsError> {
    check::size("accelerations", accelerations.len(), model.speed_count())?;
    check::finite("accelerations", accelerations)?;
    check::state(model, state, workspace.stamp)?;
    workspace.poison(model);
    let Workspace { configuration, modal, velocity, bias, acceleration, .. } = workspace;
    let terms = Terms { velocity: true, ..Terms::NONE };
    sweep::motion::motion(model, state, terms, configuration, modal, velocity, bias);
    sweep::pose::pose(model, configuration);
    sweep::newton_euler::accelerations::<T, false, true>(model, configuration, bias, accelerations, acceleration);
    require_finite_motion(&workspace.velocity.body, workspace)?;
    require_finite_motion(&workspace.acceleration.body, workspace)?;
    Ok(Kinematics { model, state, workspace, accelerations: Some(accelerations) })
}

/// Checks positions, and velocities or accelerations, of all bodies.
fn require_finite_motion<T: Scalar>(motions: &[Motion<T>], ws: &Workspace<T>) -> Result<(), DynamicsError> {
    let size = |v: Vector3<T>| v[0] + v[1] + v[2];
    let positions = &ws.configuration.world_position;
    let sum = motions.iter().zip(positions).fold(T::ZERO, |s, (v, x)| s + size(v.angular) + size(v.linear) + size(*x));
    check::result("motion", &[sum], None)
}

impl<T: Scalar> Kinematics<'_, T> {
    /// Position of the origin of a body frame.
    ///
    /// # Panics
    /// For a body that the model does not have.
    pub fn body_position(&self, body: BodyIndex) -> Vector3<T> {
        self.workspace.configuration.world_position[body.0]
    }

    /// Attitude of a body frame: body axes to inertial axes.
    ///
    /// # Panics
    /// For a body that the model does not have.
    pub fn body_attitude(&self, body: BodyIndex) -> Matrix3<T> {
        self.model.bodies[body.0].axes.attitude_to_user(*self.model_attitude(body))
    }

    /// Angular velocity of a body frame and velocity of its origin.
    ///
    /// # Panics
    /// For a body that the model does not have.
    pub fn body_velocity(&self, body: BodyIndex) -> Motion<T> {
        self.workspace.velocity.body[body.0].rotate(self.model_attitude(body))
    }

    /// Position of a node, deformed.
    ///
    /// # Panics
    /// For a body or node that the model does not have.
    pub fn node_position(&self, body: BodyIndex, node: NodeIndex) -> Vector3<T> {
        self.model_attitude(body).mul_add(self.lever(body, node), self.body_position(body))
    }

    /// Displacement of a node from its undeformed place, in body axes; second-order shapes are in it.
    ///
    /// # Panics
    /// For a body or node that the model does not have.
    pub fn node_deflection(&self, body: BodyIndex, node: NodeIndex) -> Vector3<T> {
        let eta = &self.state.coordinates[self.model.modal_coordinates(body)];
        let data = &self.model.bodies[body.0];
        data.axes.vector_to_user(data.nodes[node.0].displacement(self.second(body), eta).linear)
    }

    /// Strain of a beam at a node: stretch `u'`, curvatures `θ_y'` and `θ_z'` and twist `θ_x'`, with `x` along the beam, all of first order in the modes. None
    /// where the description does not tell it. A fibre at `(y, z)` of the section has the strain `u' + z θ_y' - y θ_z'`.
    ///
    /// # Panics
    /// For a body or node that the model does not have.
    pub fn node_strain(&self, body: BodyIndex, node: NodeIndex) -> Option<[T; 4]> {
        let shapes = &self.model.names.strains[body.0][node.0];
        let eta = &self.state.coordinates[self.model.modal_coordinates(body)];
        let sum = |i: usize| {
            let terms = shapes.iter().zip(eta);
            terms.fold(T::ZERO, |sum, (shape, eta)| T::from_f64(shape[i]).mul_add(*eta, sum))
        };
        (!shapes.is_empty()).then(|| [0, 1, 2, 3].map(sum))
    }

    /// Attitude of a node: node axes to inertial axes. The elastic rotation is that of the model's option; nodes
    /// without an integrated attitude of their own turn by the rotation vector `λ η`.
    ///
    /// # Panics
    /// For a body or node that the model does not have.
    pub fn node_attitude(&self, body: BodyIndex, node: NodeIndex) -> Matrix3<T> {
        let eta = &self.state.coordinates[self.model.modal_coordinates(body)];
        let at = self.model.attitude_nodes().iter().position(|n| *n == (body, node));
        let axes = &self.model.bodies[body.0].axes;
        let attitude = at.map(|i| axes.rotation_from_user(self.state.attitudes[i]));
        let option = match (self.model.topology.elastic_rotation, attitude) {
            (crate::ElasticRotation::Integrated, None) => crate::ElasticRotation::RotationVector,
            (option, _) => option,
        };
        let data = &self.model.bodies[body.0].nodes[node.0];
        let mut place = NodePlace::ORIGIN;
        place_node(option, data, self.second(body), eta, attitude, &mut place);
        axes.attitude_to_user(*self.model_attitude(body) * place.attitude)
    }

    /// Angular velocity `ω_k + λ η̇` and velocity of a node.
    ///
    /// # Panics
    /// For a body or node that the model does not have.
    pub fn node_velocity(&self, body: BodyIndex, node: NodeIndex) -> Motion<T> {
        let data = &self.model.bodies[body.0].nodes[node.0];
        let eta_dot = &self.state.speeds[self.model.modal_speeds(body)];
        let carried = self.workspace.velocity.body[body.0].shift(self.lever(body, node));
        data.combine(self.second(body), eta_dot, carried).rotate(self.model_attitude(body))
    }

    /// Acceleration of a node: inertial derivatives of its angular velocity and velocity [JR92 (27)]. `None` unless the
    /// kinematics were asked with accelerations.
    ///
    /// # Panics
    /// For a body or node that the model does not have.
    pub fn node_acceleration(&self, body: BodyIndex, node: NodeIndex) -> Option<Motion<T>> {
        let udot = self.accelerations?;
        let data = &self.model.bodies[body.0].nodes[node.0];
        let range = self.model.modal_speeds(body);
        let l = self.lever(body, node);
        let w = self.workspace.velocity.body[body.0].angular;
        let (second, top) = (self.second(body), &self.model.topology.bodies[body.0]);
        let u_dot = data.combine(second, &self.state.speeds[range.clone()], Motion::ZERO);
        let change = data.change(&self.workspace.velocity.slave_change[top.slave.clone()]);
        // a(j) = [ω × λ η̇; ω × (ω × l + 2 γ η̇)], and the second-order shapes        [JR92 (28)]
        let linear = w.cross(w.cross_add(l, u_dot.linear + u_dot.linear));
        let own = Motion::new(w.cross(u_dot.angular), linear) + change;
        let carried = self.workspace.acceleration.body[body.0].shift(l) + own;
        Some(data.combine(second, &udot[range], carried).rotate(self.model_attitude(body)))
    }

    /// What a gyroscope on a node measures: its angular velocity, in node axes.
    ///
    /// # Panics
    /// For a body or node that the model does not have.
    pub fn node_gyro(&self, body: BodyIndex, node: NodeIndex) -> Vector3<T> {
        self.node_attitude(body, node).transpose_mul(self.node_velocity(body, node).angular)
    }

    /// What an accelerometer on a node measures: its acceleration less that of gravity, in node axes. `None` unless the kinematics were asked with
    /// accelerations.
    ///
    /// # Panics
    /// For a body or node that the model does not have.
    pub fn node_specific_force(&self, body: BodyIndex, node: NodeIndex) -> Option<Vector3<T>> {
        let felt = self.node_acceleration(body, node)?.linear - self.model.gravity;
        Some(self.node_attitude(body, node).transpose_mul(felt))
    }

    /// Deformation of a node relative to its body, in body axes: slopes and displacement `Π η`, and second-order shapes.
    ///
    /// # Panics
    /// For a body or node that the model does not have.
    pub fn node_deformation(&self, body: BodyIndex, node: NodeIndex) -> Motion<T> {
        let eta = &self.state.coordinates[self.model.modal_coordinates(body)];
        let deformation = self.model.bodies[body.0].nodes[node.0].displacement(self.second(body), eta);
        self.in_user_axes(body, deformation)
    }

    /// Rate of the [deformation](Self::node_deformation) of a node.
    ///
    /// # Panics
    /// For a body or node that the model does not have.
    pub fn node_deformation_rate(&self, body: BodyIndex, node: NodeIndex) -> Motion<T> {
        let eta_dot = &self.state.speeds[self.model.modal_speeds(body)];
        let rate = self.model.bodies[body.0].nodes[node.0].combine(self.second(body), eta_dot, Motion::ZERO);
        self.in_user_axes(body, rate)
    }

    /// Second rate of the [deformation](Self::node_deformation) of a node. `None` unless the kinematics were asked with accelerations.
    ///
    /// # Panics
    /// For a body or node that the model does not have.
    pub fn node_deformation_acceleration(&self, body: BodyIndex, node: NodeIndex) -> Option<Motion<T>> {
        let eta_ddot = &self.accelerations?[self.model.modal_speeds(body)];
        let (data, top) = (&self.model.bodies[body.0].nodes[node.0], &self.model.topology.bodies[body.0]);
        let change = data.change(&self.workspace.velocity.slave_change[top.slave.clone()]);
        Some(self.in_user_axes(body, data.combine(self.second(body), eta_ddot, change)))
    }

    /// Adds to `modal`, one number for each mode of the body, the modal forces that do the work of `force` on the
    /// [deformation](Self::node_deformation) of a node: `Π* f`.
    ///
    /// # Panics
    /// For a body or node that the model does not have.
    pub fn add_deformation_force(&self, body: BodyIndex, node: NodeIndex, force: Force<T>, modal: &mut [T]) {
        let data = &self.model.bodies[body.0];
        data.nodes[node.0].project(self.second(body), data.axes.force_from_user(force), modal);
    }

    fn in_user_axes(&self, body: BodyIndex, motion: Motion<T>) -> Motion<T> {
        let axes = &self.model.bodies[body.0].axes;
        Motion::new(axes.vector_to_user(motion.angular), axes.vector_to_user(motion.linear))
    }

    /// The axes in which the model keeps a body to inertial axes.
    fn model_attitude(&self, body: BodyIndex) -> &Matrix3<T> {
        &self.workspace.configuration.world_rotation[body.0]
    }

    fn second(&self, body: BodyIndex) -> Slaves<'_, T> {
        self.workspace.configuration.slaves(&self.model.topology.bodies[body.0])
    }

    fn lever(&self, body: BodyIndex, node: NodeIndex) -> Vector3<T> {
        let eta = &self.state.coordinates[self.model.modal_coordinates(body)];
        self.model.bodies[body.0].nodes[node.0].deformed(self.second(body), eta)
    }
}

/// Writes the Jacobian of a node, `6 × n` by rows: angular velocity and velocity, in inertial axes, per speed.
///
/// O(depth of the body); no allocation.
///
/// # Errors
/// Sizes that do not fit, a node that does not exist, or numbers that are not finite.
pub fn node_jacobian<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    node: (BodyIndex, NodeIndex),
    workspace: &mut Workspace<T>,
    out: &mut [T],
) -> Result<(), DynamicsError> {
    let n = model.speed_count();
    check::size("Jacobian", out.len(), 6 * n)?;
    check::node(model, node.0, node.1)?;
    move_without_mass(model, state, workspace)?;
    for (i, row) in out.chunks_exact_mut(n.max(1)).enumerate() {
        let mut unit = [T::ZERO; 6];
        unit[i] = T::ONE;
        let attitude = &workspace.configuration.world_rotation[node.0.0];
        project(model, state, node, Force::from_array(unit).rotate_back(attitude), workspace, row);
    }
    check::result("Jacobian", out, None)
}

/// Generalized forces `J* f` of a wrench at a node, in body axes: a row of the Jacobian for a unit wrench.
fn project<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    (body, node): (BodyIndex, NodeIndex),
    f: Force<T>,
    ws: &Workspace<T>,
    row: &mut [T],
) {
    let (top, at) = (&*model.topology, &ws.configuration);
    row.fill(T::ZERO);
    let k = body.0;
    let data = &model.bodies[k].nodes[node.0];
    let second = |k: usize| at.slaves(&top.bodies[k]);
    let f_k = f.shift(data.deformed(second(k), &state.coordinates[top.bodies[k].eta()]));
    data.project(second(k), f, &mut row[top.bodies[k].eta_dot()]);
    carry_inward(model, k, f_k, ws, row);
}

/// Adds the generalized forces of a force at `F_k`, in body axes, on the hinge of body `k` and all that is inboard of it.
pub(crate) fn carry_inward<T: Scalar>(
    model: &Model<T>,
    mut k: usize,
    mut f_k: Force<T>,
    ws: &Workspace<T>,
    row: &mut [T],
) {
    let (top, at) = (&*model.topology, &ws.configuration);
    let second = |k: usize| at.slaves(&top.bodies[k]);
    loop {
        let here = &top.bodies[k];
        let f_hinge = force_at_hinge(model, k, at, f_k);
        add_nodal_force(
            &model.bodies[k].nodes[here.inboard_node],
            &at.inboard[k],
            second(k),
            -f_hinge,
            &mut row[here.eta_dot()],
        );
        for (i, h) in at.hinge_map[here.hinge.clone()].iter().enumerate() {
            row[here.beta().start + i] += h.dot(f_hinge);
        }
        let Some(p) = here.parent else { break };
        let place = &at.carrier[here.carrier];
        let arriving = f_hinge.rotate(&at.rotation[k]).shift(at.offset[k]);
        let carrier = &model.bodies[p].nodes[top.carriers[here.carrier].node];
        add_nodal_force(carrier, place, second(p), arriving, &mut row[top.bodies[p].eta_dot()]);
        f_k = arriving.shift(place.position);
        k = p;
    }
}
