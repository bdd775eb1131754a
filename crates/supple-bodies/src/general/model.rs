//! Nodes with their mass and stiffness matrix.

use super::tables::{lumped_masses, modal_inertia};
use super::{DofName, GeneralError, GeneralNode, NodeDofs, RigidMotion};
use crate::reduction::{ReducedModes, SparseSymmetric, Structure, dot};
use crate::stiffening::{GeometricStiffness, Matrix, NodalStiffness, stiffen};
use std::collections::HashSet;
use supple::{Body, Fidelity, Hinge, HingeKind, ModalInertia, Modes, Node, Parent};

/// Work of a rigid motion on the stiffness, as a fraction of the absolute values of its parts, up to which it counts as rounding.
pub const RIGID_TOLERANCE: f64 = 1e-6;

/// A finite-element model of any kind, nothing held.
#[derive(Clone, Debug, PartialEq)]
pub struct GeneralModel {
    nodes: Vec<GeneralNode>,
    dofs: NodeDofs,
    structure: Structure,
    rigid_work: [f64; 6],
}

/// Geometric stiffness matrices of the degrees of freedom, per unit of each load; none where a load has none.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct GeometricMatrices {
    /// Per unit linear acceleration of `F_k` along x, y and z.
    pub linear: [Option<SparseSymmetric>; 3],
    /// Per unit angular acceleration about x, y and z.
    pub angular: [Option<SparseSymmetric>; 3],
    /// Per unit `ω₁²`, `ω₂²`, `ω₃²`, `ω₁ω₂`, `ω₂ω₃`, `ω₁ω₃`.
    pub centrifugal: [Option<SparseSymmetric>; 6],
    /// Node, component of `[moment; force]` and matrix, per unit load there.
    pub nodal: Vec<(usize, usize, SparseSymmetric)>,
}

impl GeneralModel {
    /// A model whose matrices have a row per degree of freedom, node by node.
    ///
    /// # Errors
    /// [`GeneralError`] for sizes that do not fit, entries that are not finite, matrices that are not symmetric or have negative diagonals,
    /// rigid motions without mass, and a stiffness that resists rigid motions by more than [`RIGID_TOLERANCE`].
    pub fn new(
        nodes: Vec<GeneralNode>,
        dofs: NodeDofs,
        mass: SparseSymmetric,
        stiffness: SparseSymmetric,
    ) -> Result<Self, GeneralError> {
        Self::with_tolerance(nodes, dofs, mass, stiffness, RIGID_TOLERANCE)
    }

    /// As [`new`](Self::new), with another tolerance for the work of rigid motions.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_tolerance(
        nodes: Vec<GeneralNode>,
        dofs: NodeDofs,
        mass: SparseSymmetric,
        stiffness: SparseSymmetric,
        tolerance: f64,
    ) -> Result<Self, GeneralError> {
        let rigid = rigid_motions(&nodes, dofs);
        let mut model = Self { nodes, dofs, structure: Structure { stiffness, mass, rigid }, rigid_work: [0.0; 6] };
        model.check_nodes()?;
        model.check_matrix("mass", &model.structure.mass)?;
        model.check_matrix("stiffness", &model.structure.stiffness)?;
        model.check_rigid_mass()?;
        model.rigid_work = model.check_rigid_work(tolerance)?;
        Ok(model)
    }

    /// Nodes.
    pub fn nodes(&self) -> &[GeneralNode] {
        &self.nodes
    }

    /// Stiffness, mass and rigid motions, to be [reduced](crate::reduction::Reduction).
    pub fn structure(&self) -> &Structure {
        &self.structure
    }

    /// Rows of a node, in the order of its degrees of freedom.
    pub fn rows(&self, node: usize) -> std::ops::Range<usize> {
        let count = self.dofs.count();
        count * node..count * (node + 1)
    }

    /// Work of turns about and shifts along x, y and z on the stiffness, as a fraction of the absolute values of its parts: rounding.
    pub fn rigid_work(&self) -> [f64; 6] {
        self.rigid_work
    }

    /// A body with these modes; its nodes are those of the model, massless, the first one at the hinge. Set
    /// [`Body::inboard_node`] for another.
    ///
    /// # Errors
    /// [`GeneralError::Modes`] if the modes are not of this model.
    pub fn body(
        &self,
        name: impl Into<String>,
        parent: Parent,
        hinge: Hinge,
        modes: &ReducedModes,
        fidelity: Fidelity,
    ) -> Result<Body, GeneralError> {
        self.check_modes(modes)?;
        let count = modes.vectors.len();
        let assumed = Modes { count, stiffness: modes.stiffness.clone(), fidelity, ..Modes::default() };
        let mut body = Body::new(name, parent, hinge).with_modes(assumed).with_modal_inertia(self.tables(modes));
        body.nodes = (0..self.nodes.len()).map(|i| self.node(i, modes)).collect();
        Ok(body)
    }

    /// As [`body`](Self::body), stiffened by loads: [`Fidelity::Stiffened`].
    ///
    /// # Errors
    /// [`GeneralError::Modes`], [`GeneralError::Size`], and [`GeneralError::Stiffening`].
    pub fn stiffened_body(
        &self,
        name: impl Into<String>,
        parent: Parent,
        hinge: Hinge,
        modes: &ReducedModes,
        geometric: &GeometricMatrices,
    ) -> Result<Body, GeneralError> {
        let mut body = self.body(name, parent, hinge, modes, Fidelity::Stiffened)?;
        let stiffness = self.reduced(modes, geometric)?;
        stiffen(&mut body, &stiffness).map_err(GeneralError::Stiffening)?;
        Ok(body)
    }

    /// Geometric stiffness in the modes.
    fn reduced(&self, modes: &ReducedModes, g: &GeometricMatrices) -> Result<GeometricStiffness, GeneralError> {
        let all = g.linear.iter().chain(&g.angular).chain(&g.centrifugal).flatten().chain(g.nodal.iter().map(|n| &n.2));
        let expected = self.structure.size();
        if let Some(found) = all.map(SparseSymmetric::size).find(|&size| size != expected) {
            return Err(GeneralError::Size { matrix: "geometric stiffness", found, expected });
        }
        let project = |m: &SparseSymmetric| -> Matrix {
            let images: Vec<Vec<f64>> = modes.vectors.iter().map(|v| m.mul(v)).collect();
            modes.vectors.iter().map(|v| images.iter().map(|i| dot(v, i)).collect()).collect()
        };
        let each = |m: &Option<SparseSymmetric>| m.as_ref().map_or_else(Matrix::new, project);
        let nodal = |(node, component, m): &(usize, usize, SparseSymmetric)| NodalStiffness {
            node: *node,
            component: *component,
            matrix: project(m),
        };
        Ok(GeometricStiffness {
            linear: std::array::from_fn(|i| each(&g.linear[i])),
            angular: std::array::from_fn(|i| each(&g.angular[i])),
            centrifugal: std::array::from_fn(|i| each(&g.centrifugal[i])),
            nodal: g.nodal.iter().map(nodal).collect(),
        })
    }

    fn tables(&self, modes: &ReducedModes) -> ModalInertia {
        let Some(masses) = lumped_masses(&self.structure.mass, self.dofs) else {
            return modal_inertia(&self.structure.mass, &self.structure.rigid, &modes.vectors, self.dofs);
        };
        let massive = |(i, lump): (usize, Node)| {
            let Node { mass, mass_centre, inertia, .. } = lump;
            Node { mass, mass_centre, inertia, ..self.node(i, modes) }.at_mass_centre()
        };
        let mut body = Body::new("", Parent::Ground, Hinge::new(HingeKind::Fixed));
        body.modes.count = modes.vectors.len();
        body.nodes = masses.into_iter().enumerate().map(massive).collect();
        ModalInertia::of(&body)
    }

    fn node(&self, index: usize, modes: &ReducedModes) -> Node {
        let first = self.rows(index).start;
        let part = |v: &[f64], offset: usize| std::array::from_fn::<f64, 3, _>(|i| v[first + offset + i]);
        let column = |v: &Vec<f64>| {
            let turn = self.dofs.rotation().map_or([0.0; 3], |offset| part(v, offset));
            let shift = part(v, self.dofs.displacement());
            [turn[0], turn[1], turn[2], shift[0], shift[1], shift[2]]
        };
        let influence: Vec<[f64; 6]> = modes.vectors.iter().map(column).collect();
        let still = influence.iter().all(|c| *c == [0.0; 6]);
        let GeneralNode { name, position } = self.nodes[index].clone();
        Node { name, position, influence: if still { Vec::new() } else { influence }, ..Node::default() }
    }

    fn dof(&self, row: usize) -> DofName {
        let count = self.dofs.count();
        let node = row / count;
        let named = self.nodes.get(node).and_then(|n| n.name.clone());
        DofName { node: named.unwrap_or_else(|| node.to_string()), component: self.dofs.name(row % count), row }
    }

    fn check_modes(&self, modes: &ReducedModes) -> Result<(), GeneralError> {
        let expected = self.structure.size();
        match modes.vectors.iter().map(Vec::len).find(|&found| found != expected) {
            Some(found) => Err(GeneralError::Modes { found, expected }),
            None => Ok(()),
        }
    }

    fn check_nodes(&self) -> Result<(), GeneralError> {
        let mut names = HashSet::new();
        for (i, node) in self.nodes.iter().enumerate() {
            if !node.position.iter().all(|x| x.is_finite()) {
                let name = node.name.clone().unwrap_or_else(|| i.to_string());
                return Err(GeneralError::Position { node: name, value: node.position });
            }
            if let Some(name) = node.name.as_ref().filter(|name| !names.insert(name.as_str())) {
                return Err(GeneralError::SameName { name: name.clone() });
            }
        }
        Ok(())
    }

    fn check_matrix(&self, matrix: &'static str, m: &SparseSymmetric) -> Result<(), GeneralError> {
        let expected = self.dofs.count() * self.nodes.len();
        if m.size() != expected {
            return Err(GeneralError::Size { matrix, found: m.size(), expected });
        }
        if let Some((row, _, value)) = m.entries().find(|e| !e.2.is_finite()) {
            return Err(GeneralError::NotFinite { matrix, dof: self.dof(row), value });
        }
        let diagonal = m.diagonal();
        if let Some(row) = diagonal.iter().position(|x| *x < 0.0) {
            return Err(GeneralError::NegativeDiagonal { matrix, dof: self.dof(row), value: diagonal[row] });
        }
        for (i, j, x) in m.entries() {
            let across = m.get(j, i);
            let scale = (diagonal[i] * diagonal[j]).sqrt().max(x.abs()).max(across.abs());
            if (x - across).abs() > 1e-9 * scale {
                let value = (x - across).abs() / scale;
                return Err(GeneralError::NotSymmetric { matrix, dof: self.dof(i), value });
            }
        }
        Ok(())
    }

    /// Every shift has mass, and no combination of motions has negative energy.
    fn check_rigid_mass(&self) -> Result<(), GeneralError> {
        let rigid = &self.structure.rigid;
        let images: Vec<Vec<f64>> = rigid.iter().map(|r| self.structure.mass.mul(r)).collect();
        let mut m: Vec<Vec<f64>> = rigid.iter().map(|r| images.iter().map(|i| dot(r, i)).collect()).collect();
        for axis in 3..6 {
            if m[axis][axis] <= 0.0 {
                return Err(GeneralError::RigidMass { motion: RigidMotion::of(axis), value: m[axis][axis] });
            }
        }
        // Elimination by the largest pivot: what is left must not be negative beyond rounding.
        let whole: Vec<f64> = (0..6).map(|i| m[i][i]).collect();
        let mut left: Vec<usize> = (0..6).collect();
        while let Some(place) = (0..left.len()).max_by(|&a, &b| {
            let share = |p: usize| m[left[p]][left[p]] / whole[left[p]].abs().max(f64::MIN_POSITIVE);
            share(a).total_cmp(&share(b))
        }) {
            let p = left.swap_remove(place);
            let rounding = 1e-10 * whole[p].abs();
            if m[p][p] < -rounding {
                return Err(GeneralError::RigidMass { motion: RigidMotion::of(p), value: m[p][p] });
            }
            if m[p][p] <= rounding {
                continue;
            }
            for &i in &left {
                let factor = m[i][p] / m[p][p];
                for &j in &left {
                    m[i][j] -= factor * m[p][j];
                }
            }
        }
        Ok(())
    }

    fn check_rigid_work(&self, allowed: f64) -> Result<[f64; 6], GeneralError> {
        let mut out = [0.0; 6];
        for (i, motion) in self.structure.rigid.iter().enumerate() {
            let force = self.structure.stiffness.mul(motion);
            let work = dot(motion, &force).abs();
            let parts: f64 =
                self.structure.stiffness.entries().map(|(r, c, x)| (motion[r] * x * motion[c]).abs()).sum();
            let value = if parts > 0.0 { work / parts } else { 0.0 };
            out[i] = value;
            if value > allowed || value.is_nan() {
                let row = (0..force.len()).max_by(|&a, &b| force[a].abs().total_cmp(&force[b].abs())).unwrap_or(0);
                let motion = RigidMotion::of(i);
                return Err(GeneralError::RigidStrain { motion, value, allowed, dof: self.dof(row) });
            }
        }
        Ok(out)
    }
}

/// Turns about and shifts along x, y and z.
fn rigid_motions(nodes: &[GeneralNode], dofs: NodeDofs) -> Vec<Vec<f64>> {
    let (count, at) = (dofs.count(), dofs.displacement());
    let motion = |index: usize| {
        let mut out = vec![0.0; count * nodes.len()];
        let (i, j, k) = (index % 3, (index + 1) % 3, (index + 2) % 3);
        for (node, o) in nodes.iter().zip(out.chunks_exact_mut(count)) {
            if index >= 3 {
                o[at + i] = 1.0;
                continue;
            }
            (o[at + j], o[at + k]) = (-node.position[k], node.position[j]);
            if let Some(turn) = dofs.rotation() {
                o[turn + i] = 1.0;
            }
        }
        out
    };
    (0..6).map(motion).collect()
}
