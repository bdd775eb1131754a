//! From a reduced mesh to the nodes of the engine.
//!
//! Nodes `0..stations` are the stations: they can carry hinges, and have the fittings and any lumped mass, unless that is offset: then
//! nodes at the mass centres follow. With consistent mass the Gauss points of the elements follow as nodes with mass and rotary inertia; sums over nodes are then the consistent mass matrix.

use super::element::{Element, Row, rotary_inertia};
use super::mesh::{BeamMesh, MassModel};
use crate::reduction::ReducedModes;
use supple::{ModalMatrix, Node};

/// A mesh reduced to modes, as the engine takes it.
#[derive(Clone, Debug, PartialEq)]
pub struct FeBody {
    /// Nodes: stations first.
    pub nodes: Vec<Node>,
    /// Modal stiffness.
    pub stiffness: ModalMatrix,
    /// What the modes do to the axis at the Gauss points.
    pub strain: Vec<StrainSample>,
}

/// Stretch and slopes of the modes at one quadrature point: what geometric terms are made of.
#[derive(Clone, Debug, PartialEq)]
pub struct StrainSample {
    /// Undeformed position from `F_k`.
    pub position: [f64; 3],
    /// Quadrature weight: the length that the point stands for.
    pub weight: f64,
    /// Axial stiffness `EA`.
    pub axial: f64,
    /// `u'` of each mode.
    pub stretch: Vec<f64>,
    /// `[v', w']` of each mode.
    pub slope: Vec<[f64; 2]>,
}

impl BeamMesh {
    /// Nodes, modal stiffness and strain samples for modes found on [`structure`](Self::structure).
    ///
    /// # Panics
    /// If the modes do not belong to a mesh of this size.
    #[track_caller]
    pub fn body(&self, modes: &ReducedModes) -> FeBody {
        assert!(modes.vectors.iter().all(|v| v.len() == self.dof_count()), "modes of another mesh");
        let mut nodes = self.station_nodes(modes);
        // Masses beside the axis are nodes of their own, which slopes move.
        let offset: Vec<Node> = nodes.iter().filter(|n| n.mass_centre != [0.0; 3]).map(Node::at_mass_centre).collect();
        for node in nodes.iter_mut().filter(|n| n.mass_centre != [0.0; 3]) {
            *node = std::mem::take(node).without_mass();
        }
        nodes.extend(offset);
        if self.mass == MassModel::Consistent {
            nodes.extend(self.point_nodes(modes));
        }
        FeBody { nodes, stiffness: modes.stiffness.clone(), strain: self.strain_samples(modes) }
    }

    /// Stretch and slopes `[u', v', w']` of one vector of degrees of freedom at `xi` of an element.
    ///
    /// # Panics
    /// For an element that the mesh does not have, or a vector shorter than its degrees of freedom.
    pub fn slopes(&self, vector: &[f64], element: usize, xi: f64) -> [f64; 3] {
        self.elements[element].displacement_slope(xi).map(|row| apply(&row, element, vector))
    }

    /// Rotation and displacement `[θ_x, θ_y, θ_z, u, v, w]` of one vector at `xi` of an element.
    ///
    /// # Panics
    /// For an element that the mesh does not have, or a vector shorter than its degrees of freedom.
    pub fn motion(&self, vector: &[f64], element: usize, xi: f64) -> [f64; 6] {
        self.elements[element].motion(xi).map(|row| apply(&row, element, vector))
    }

    fn station_nodes(&self, modes: &ReducedModes) -> Vec<Node> {
        let last = self.tip();
        let masses = self.station_masses();
        let node = |station: usize| {
            let name = match station {
                0 => "root".into(),
                s if s == last => "tip".into(),
                s => format!("station{s}"),
            };
            let first = self.dofs(station).start;
            let influence = modes.vectors.iter().map(|v| std::array::from_fn(|i| v[first + i])).collect();
            let influence = empty_if_still(influence);
            let mut node = Node { name: Some(name), position: self.position(station), influence, ..Node::default() };
            masses[station].load(&mut node);
            node
        };
        (0..self.station_count()).map(node).collect()
    }

    fn point_nodes(&self, modes: &ReducedModes) -> Vec<Node> {
        let mut nodes = Vec::new();
        for (e, element) in self.elements.iter().enumerate() {
            for point in element.points() {
                let rows = element.motion(point.xi);
                let influence = modes.vectors.iter().map(|v| rows.map(|row| apply(&row, e, v))).collect();
                let [x, y, z] = rotary_inertia(&point.properties, self.rotary).map(|j| j * point.weight);
                nodes.push(Node {
                    position: self.inside(e, element, point.xi),
                    mass: point.properties.mass * point.weight,
                    inertia: [[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]],
                    influence: empty_if_still(influence),
                    ..Node::default()
                });
            }
        }
        nodes
    }

    fn strain_samples(&self, modes: &ReducedModes) -> Vec<StrainSample> {
        let mut samples = Vec::new();
        for (e, element) in self.elements.iter().enumerate() {
            for point in element.points() {
                let rows = element.displacement_slope(point.xi);
                let slopes: Vec<[f64; 3]> = modes.vectors.iter().map(|v| rows.map(|row| apply(&row, e, v))).collect();
                samples.push(StrainSample {
                    position: self.inside(e, element, point.xi),
                    weight: point.weight,
                    axial: point.properties.axial,
                    stretch: slopes.iter().map(|s| s[0]).collect(),
                    slope: slopes.iter().map(|s| [s[1], s[2]]).collect(),
                });
            }
        }
        samples
    }

    /// Undeformed position of a point of an element.
    fn inside(&self, index: usize, element: &Element, xi: f64) -> [f64; 3] {
        let start = self.position(index);
        let offset = element.offsets()[0];
        [start[0] + offset[0] + xi * element.length(), start[1] + offset[1], start[2] + offset[2]]
    }
}

/// Empty stands for a node that no mode moves.
fn empty_if_still(influence: Vec<[f64; 6]>) -> Vec<[f64; 6]> {
    if influence.iter().flatten().all(|&x| x == 0.0) { Vec::new() } else { influence }
}

/// A row of an element times its part of a vector.
fn apply(row: &Row, element: usize, vector: &[f64]) -> f64 {
    row.iter().zip(&vector[6 * element..6 * element + 12]).map(|(a, b)| a * b).sum()
}
