//! Formulations of the equations of motion.

/// Formulations of the equations of motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Formulation {
    /// Recursive spatial operators, for every model.
    #[default]
    SpatialOperators,
    /// Book's recursive Lagrangian, for serial chains with revolute hinges and linear modes.
    Book,
}
