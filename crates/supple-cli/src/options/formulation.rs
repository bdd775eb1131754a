//! Formulations of the equations of motion.

use clap::ValueEnum;

/// Formulations of the equations of motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum FormulationName {
    /// Recursive spatial operators, for every model.
    #[default]
    SpatialOperators,
    /// Book's recursive Lagrangian, for serial chains with revolute hinges and linear modes.
    Book,
}

impl From<FormulationName> for supple_run::Formulation {
    fn from(name: FormulationName) -> Self {
        match name {
            FormulationName::SpatialOperators => Self::SpatialOperators,
            FormulationName::Book => Self::Other { name: "book", make: supple_lab::book::formulation },
        }
    }
}

impl From<FormulationName> for supple_lab::eval::Equations {
    fn from(name: FormulationName) -> Self {
        match name {
            FormulationName::SpatialOperators => Self::SpatialOperators,
            FormulationName::Book => Self::Book,
        }
    }
}
