//! Filled by `sweep::applied`, where the model has force elements.

use crate::force::{Energies, PortForce, PortState};
use crate::model::Model;
use supple_spatial::{Force, Scalar, Symmetric3};

/// What force elements do. Empty for a model without any.
#[derive(Clone, Debug)]
pub(crate) struct Applied<T> {
    /// Per speed: forces of elements in hinges.
    pub hinge: Vec<T>,
    /// Per speed: these and the forces of the caller.
    pub total: Vec<T>,
    /// Per element and port: wrench on a node, in the axes of its body.
    pub loads: Vec<Force<T>>,
    /// Energies of all elements together.
    pub energy: Energies<T>,
    /// Ports of one element.
    pub ports: Vec<PortState<T>>,
    /// What it does to them.
    pub effects: Vec<PortForce<T>>,
    /// Of one body: `[η; a]`, `∂J/∂(η, a)` and its modal coupling.
    pub augmented: Vec<T>,
    pub inertia_rate: Vec<Symmetric3<T>>,
    pub coupling: Vec<Force<T>>,
}

impl<T: Scalar> Applied<T> {
    pub(crate) fn new(model: &Model<T>) -> Self {
        let (sizes, elements) = (model.topology.sizes, &model.elements);
        let speeds = if elements.is_empty() { 0 } else { sizes.speeds };
        let augmented = if elements.is_empty() { 0 } else { sizes.most_augmented };
        Self {
            hinge: vec![T::ZERO; speeds],
            total: vec![T::ZERO; speeds],
            loads: vec![Force::ZERO; elements.list.iter().map(|element| element.ports.len()).sum()],
            energy: Energies::ZERO,
            ports: vec![PortState::ZERO; elements.most_ports],
            effects: vec![PortForce::ZERO; elements.most_ports],
            augmented: vec![T::ZERO; augmented],
            inertia_rate: vec![Symmetric3::ZERO; augmented],
            coupling: vec![Force::ZERO; augmented],
        }
    }
}
