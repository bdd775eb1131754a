//! Wrenches that hinges transmit and that nodes carry.

use crate::access::AccessError;
use crate::check;
use crate::closure;
use crate::error::DynamicsError;
use crate::force::PortPlace;
use crate::hybrid_dynamics::accelerate;
use crate::inputs::{Inputs, Wrench, WrenchFrame};
use crate::model::{HingeHandle, Model, NodeHandle};
use crate::solution::Solution;
use crate::state::State;
use crate::sweep;
use crate::terms::Terms;
use crate::workspace::Workspace;
use supple_spatial::{Force, Mask, Matrix3, Scalar};

/// [`hybrid_dynamics`](crate::generic::hybrid_dynamics), and the wrench of every hinge and node for
/// [`Solution::hinge_wrench`] and [`Solution::node_wrench`] [JR92 (45)].
///
/// Where equations of closures depend on others, so that rigid bodies do not determine the forces of each, they are the least, weighted by
/// their compliances. O(bodies); no allocation.
///
/// # Errors
/// As [`forward_dynamics`](crate::forward_dynamics).
pub fn reactions<'w, T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    inputs: &Inputs<T>,
    workspace: &'w mut Workspace<T>,
) -> Result<Solution<'w, T>, DynamicsError> {
    check::state(model, state, workspace.stamp)?;
    if !accelerate(model, state, inputs, workspace)? {
        workspace.second_result.copy_from_slice(&inputs.forces);
    }
    let Workspace { configuration, modal, bias, acceleration, closing, result, reaction, .. } = workspace;
    closure::least::least_forces(model, closing);
    closure::solve::subtract_wrenches(model, &state.closed, configuration, closing, bias);
    sweep::newton_euler::accelerations::<T, true, true>(model, configuration, bias, result, acceleration);
    let forces = &mut reaction.forces;
    sweep::newton_euler::forces::<T, true>(model, configuration, modal, bias, result, acceleration, forces);
    check::result("reactions", forces, Some(inputs))?;
    record_loads(model, &inputs.wrenches, Terms::ALL, workspace);
    let Workspace { closing, reaction, .. } = &mut *workspace;
    for (side, f) in closure::solve::wrenches(model, &state.closed, closing) {
        // Nodes that no mode moves have their carrier at F_k.
        let node = &model.bodies[side.body].nodes[side.node];
        let f = if node.influence.is_empty() { f.shift(-node.position) } else { f };
        reaction.add_load(model.topology.bodies[side.body].nodes.start + side.node, f);
    }
    let solution = Solution::new(model, &workspace.result, &workspace.second_result).closed_by(&workspace.closing);
    Ok(solution.with_wrenches(workspace))
}

/// Keeps the loads on nodes, those of force elements included where `terms` has them, in the axes of the model. World attitudes must be
/// filled for inertial ones.
#[inline(always)]
pub(crate) fn record_loads<T: Scalar>(
    model: &Model<T>,
    wrenches: &[Wrench<T>],
    terms: Terms,
    workspace: &mut Workspace<T>,
) {
    workspace.reaction.clear_loads();
    if !(wrenches.is_empty() && model.elements.is_empty()) {
        add_loads(model, wrenches, terms, workspace);
    }
}

#[inline(never)]
fn add_loads<T: Scalar>(model: &Model<T>, wrenches: &[Wrench<T>], terms: Terms, workspace: &mut Workspace<T>) {
    let Workspace { configuration, reaction, applied, .. } = workspace;
    for wrench in wrenches {
        let k = wrench.body.0;
        let f = sweep::loads::in_body_axes(model, wrench, configuration);
        reaction.add_load(model.topology.bodies[k].nodes.start + wrench.node.0, f);
    }
    let ports = model.elements.list.iter().flat_map(|element| &element.ports);
    for (port, f) in ports.zip(&applied.loads).filter(|_| terms.elements) {
        if let PortPlace::Node { body, node, .. } = *port {
            reaction.add_load(model.topology.bodies[body].nodes.start + node, *f);
        }
    }
}

impl<'w, T: Scalar> Solution<'w, T> {
    /// The wrench that the parent's node exerts on a body through its hinge: moment about `O`, the node of the body at the hinge, and force.
    ///
    /// Along the free directions of the hinge it is what acts in the hinge: the [force](Self::forces_of) and that of force elements, less what
    /// accelerates the rotor of its drive. Across them it is the constraint.
    ///
    /// # Errors
    /// [`AccessError::NotComputed`] unless [`reactions`] or [`inverse_dynamics`](crate::inverse_dynamics) gave the solution;
    /// [`AccessError::WrongModel`] for a hinge of another model; [`AccessError::Overflow`] for a wrench that is not finite.
    pub fn hinge_wrench(&self, hinge: HingeHandle, frame: WrenchFrame) -> Result<Force<T>, AccessError> {
        self.check(hinge.stamp())?;
        let workspace = self.wrenches("wrenches of hinges")?;
        let k = hinge.body().0;
        finite("the wrench of a hinge", in_frame(workspace, k, across_hinge(workspace, k), frame))
    }

    /// The wrench that acts on a node of a body: what the bodies on it exert through their hinges, external loads and force elements; moment about the node
    /// and force. The hinge of the body itself is not in it, see [`hinge_wrench`](Self::hinge_wrench).
    ///
    /// O(bodies).
    ///
    /// # Errors
    /// As [`hinge_wrench`](Self::hinge_wrench).
    pub fn node_wrench(&self, node: NodeHandle, frame: WrenchFrame) -> Result<Force<T>, AccessError> {
        self.check(node.stamp())?;
        let workspace = self.wrenches("wrenches of nodes")?;
        let (at, reaction) = (&workspace.configuration, &workspace.reaction);
        let parent = node.body().0;
        let mut f = reaction.load(node.place());
        for (k, body) in reaction.topology.bodies.iter().enumerate().skip(parent + 1) {
            if body.parent == Some(parent) && body.parent_node == node.node().0 {
                let reach = at.offset[k] - reaction.carrier_to_node[k];
                f -= across_hinge(workspace, k).rotate(&at.rotation[k]).shift(reach);
            }
        }
        finite("the wrench of a node", in_frame(workspace, parent, f, frame))
    }
}

/// A wrench that is finite.
fn finite<T: Scalar>(quantity: &'static str, f: Force<T>) -> Result<Force<T>, AccessError> {
    if T::all_finite(&f.to_array()).all() { Ok(f) } else { Err(AccessError::Overflow { quantity }) }
}

/// The wrench at `O`, in body axes.
fn across_hinge<T: Scalar>(workspace: &Workspace<T>, k: usize) -> Force<T> {
    workspace.acceleration.force[k].shift(-workspace.configuration.inboard[k].position)
}

/// A wrench in axes of body `k` in those asked for.
fn in_frame<T: Scalar>(workspace: &Workspace<T>, k: usize, f: Force<T>, frame: WrenchFrame) -> Force<T> {
    match frame {
        WrenchFrame::Body => workspace.reaction.axes[k].force_to_user(f),
        WrenchFrame::Inertial => f.rotate(&attitude(workspace, k)),
    }
}

/// Attitude of body `k` in inertial axes, by its path to the ground.
fn attitude<T: Scalar>(workspace: &Workspace<T>, k: usize) -> Matrix3<T> {
    let (at, bodies) = (&workspace.configuration, &workspace.reaction.topology.bodies);
    let inboard = |k: &usize| bodies[*k].parent;
    let path = std::iter::successors(Some(k), inboard);
    path.fold(Matrix3::IDENTITY, |outboard, k| at.rotation[k] * outboard)
}
