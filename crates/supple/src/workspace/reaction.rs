//! Filled by `reactions` and inverse dynamics, beside the forces of [`Acceleration`](super::Acceleration).

use crate::model::Model;
use crate::model::frames::BodyAxes;
use crate::model::topology::Topology;
use std::sync::Arc;
use supple_spatial::{Force, Scalar, Vector3};

/// What turns forces across hinges into wrenches of hinges and nodes.
#[derive(Clone, Debug)]
pub(crate) struct Reaction<T> {
    /// Who carries whom.
    pub topology: Arc<Topology>,
    /// Per body: its axes as described.
    pub axes: Vec<BodyAxes<T>>,
    /// Per body: from the carrier of its hinge to the node that it sits on. Constant; zero where modes move the node.
    pub carrier_to_node: Vec<Vector3<T>>,
    /// Generalized forces of the inward sweep.
    pub forces: Vec<T>,
    /// Per node: external load about the node, in body axes; valid where `loaded` holds the present call.
    load: Vec<Force<T>>,
    loaded: Vec<u64>,
    call: u64,
}

impl<T: Scalar> Reaction<T> {
    pub(crate) fn new(model: &Model<T>) -> Self {
        let top = &model.topology;
        let arm = |parent: usize, node: usize| {
            let node = &model.bodies[parent].nodes[node];
            if node.influence.is_empty() { node.position } else { Vector3::ZERO }
        };
        let carried = top.bodies.iter().map(|body| body.parent.map_or(Vector3::ZERO, |p| arm(p, body.parent_node)));
        let nodes = top.bodies.last().map_or(0, |body| body.nodes.end);
        Self {
            topology: Arc::clone(top),
            axes: model.bodies.iter().map(|body| body.axes).collect(),
            carrier_to_node: carried.collect(),
            forces: vec![T::ZERO; top.sizes.speeds],
            load: vec![Force::ZERO; nodes],
            loaded: vec![0; nodes],
            call: 0,
        }
    }

    /// Forgets the loads of the call before.
    pub(crate) fn clear_loads(&mut self) {
        self.call += 1;
    }

    /// Adds a load to a node, given by its place in an arena of nodes.
    pub(crate) fn add_load(&mut self, node: usize, f: Force<T>) {
        if self.loaded[node] != self.call {
            (self.loaded[node], self.load[node]) = (self.call, Force::ZERO);
        }
        self.load[node] += f;
    }

    /// The sum of the loads on a node.
    pub(crate) fn load(&self, node: usize) -> Force<T> {
        if self.loaded[node] == self.call { self.load[node] } else { Force::ZERO }
    }
}
