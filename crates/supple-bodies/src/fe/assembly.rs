//! Sparse matrices of a mesh.

use super::element::{Element, ElementMatrix, rotary_inertia};
use super::mesh::{BeamMesh, Condition, MassModel};
use super::point_mass::PointMass;
use crate::reduction::{SparseSymmetric, Structure};

impl BeamMesh {
    /// Stiffness, mass and rigid motions of the mesh, nothing held.
    pub fn structure(&self) -> Structure {
        let positions: Vec<[f64; 3]> = (0..self.station_count()).map(|s| self.position(s)).collect();
        Structure::new(self.stiffness_matrix(), self.mass_matrix(), &positions)
    }

    /// Stiffness matrix `K`.
    pub fn stiffness_matrix(&self) -> SparseSymmetric {
        let elements = self.elements.iter().map(Element::stiffness);
        SparseSymmetric::from_triplets(self.dof_count(), &scatter(elements))
    }

    /// Mass matrix `M` of beam and fittings.
    pub fn mass_matrix(&self) -> SparseSymmetric {
        let mut entries = match self.mass {
            MassModel::Consistent => scatter(self.elements.iter().map(|e| e.consistent_mass(self.rotary))),
            MassModel::Lumped => Vec::new(),
        };
        for (station, mass) in self.station_masses().iter().enumerate() {
            entries.extend(mass_entries(station, mass));
        }
        SparseSymmetric::from_triplets(self.dof_count(), &entries)
    }

    /// Geometric stiffness for an axial force in each element, tension positive.
    ///
    /// # Panics
    /// If there is not one force per element.
    #[track_caller]
    pub fn geometric_stiffness_matrix(&self, axial_forces: &[f64]) -> SparseSymmetric {
        assert!(axial_forces.len() == self.elements.len(), "one axial force per element");
        let elements = self.elements.iter().zip(axial_forces).map(|(e, &force)| e.geometric_stiffness(force));
        SparseSymmetric::from_triplets(self.dof_count(), &scatter(elements))
    }

    /// The degrees of freedom that conditions hold.
    pub fn held(&self, conditions: &[Condition]) -> Vec<usize> {
        let mut dofs: Vec<usize> = conditions.iter().flat_map(|c| c.dofs()).collect();
        dofs.sort_unstable();
        dofs.dedup();
        dofs
    }

    /// Rigid masses at the stations: fittings, and the beam's own mass where it is lumped.
    pub(super) fn station_masses(&self) -> Vec<PointMass> {
        let mut masses = self.fittings.clone();
        if self.mass == MassModel::Lumped {
            for (i, element) in self.elements.iter().enumerate() {
                for point in element.points() {
                    let p = &point.properties;
                    let inertia = rotary_inertia(p, self.rotary);
                    // Lever rule: total mass and mass centre are kept.
                    for (end, share) in [(0, 1.0 - point.xi), (1, point.xi)] {
                        let length = point.weight * share;
                        let own = inertia.map(|j| j * length);
                        masses[i + end].add(&PointMass::at(p.mass * length, element.offsets()[end], own));
                    }
                }
            }
        }
        masses
    }
}

/// Entries of a rigid mass at a station.
pub(crate) fn mass_entries(station: usize, mass: &PointMass) -> Vec<(usize, usize, f64)> {
    let matrix = mass.matrix();
    let places = (0..6).flat_map(|i| (0..6).map(move |j| (i, j)));
    places.map(|(i, j)| (6 * station + i, 6 * station + j, matrix[i][j])).filter(|e| e.2 != 0.0).collect()
}

/// Entries of a chain of elements.
fn scatter(elements: impl Iterator<Item = ElementMatrix>) -> Vec<(usize, usize, f64)> {
    let mut entries = Vec::new();
    for (e, matrix) in elements.enumerate() {
        for i in 0..12 {
            for j in 0..12 {
                if matrix[i][j] != 0.0 {
                    entries.push((6 * e + i, 6 * e + j, matrix[i][j]));
                }
            }
        }
    }
    entries
}
