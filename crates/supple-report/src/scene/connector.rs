//! Rods from nodes of a body to what is fixed to them at a distance: hinges of other bodies, and the root of a beam.

use serde::{Deserialize, Serialize};
use supple::{Parent, System};

use super::SceneBody;

/// A rod fixed to a node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Connector {
    /// The node, among the nodes drawn.
    pub node: usize,
    /// Its other end from the node, in the axes of the node, m.
    pub to: [f64; 3],
}

impl Connector {
    /// Those of body `k`, drawn by the nodes `chosen` as `own`.
    pub(super) fn all(system: &System, k: usize, chosen: &[usize], own: &SceneBody) -> Vec<Self> {
        let children = system.bodies.iter().filter_map(|child| match child.parent {
            Parent::Body(parent, node) if parent.0 == k && child.hinge.position != [0.0; 3] => {
                Some(Self { node: chosen.binary_search(&node.0).ok()?, to: child.hinge.position })
            }
            _ => None,
        });
        children.chain(own.root()).collect()
    }
}

impl SceneBody {
    /// From the node at the hinge to the nearest node of the line, where it is not on it.
    fn root(&self) -> Option<Connector> {
        let line = self.line.as_ref().filter(|line| self.modes > 0 && !line.contains(&self.inboard))?;
        let at = |n: usize| -> [f64; 3] { std::array::from_fn(|i| f64::from(self.positions.0[3 * n + i])) };
        let hinge = at(self.inboard);
        let away = |n: &usize| (0..3).map(|i| (at(*n)[i] - hinge[i]).powi(2)).sum::<f64>();
        let root = line.iter().min_by(|a, b| away(a).total_cmp(&away(b)))?;
        let to = std::array::from_fn(|i| at(*root)[i] - hinge[i]);
        (away(root) > 0.0).then_some(Connector { node: self.inboard, to })
    }
}
