//! The energy ledger of a motion.

use crate::energy::Energy;

/// Where the energy went, since the start [DS95 (30) to (31)].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ledger {
    /// Energies now.
    pub energy: Energy,
    /// Total energy at the start.
    pub start: f64,
    /// Work of generalized forces, of prescribed hinges and of closures that move as prescribed.
    pub work: f64,
    /// Work of external wrenches, and what force elements feed in.
    pub wrench_work: f64,
    /// Energy taken by modal damping.
    pub dissipated: f64,
    /// Energy taken by force elements: damping, friction and stops of hinges, dampers.
    pub hinge_dissipated: f64,
    /// Energy that came with bringing the state back onto the closures of the model, step by step.
    pub projection_work: f64,
    /// Energy lost where closures closed while their frames moved.
    pub impact_loss: f64,
    /// Largest deviation of the equations of closures that act, m or rad.
    pub deviation: f64,
    /// Largest rate of one.
    pub deviation_rate: f64,
}

impl Ledger {
    /// What does not balance: energy gained less work done plus energy dissipated.
    pub fn balance_error(&self) -> f64 {
        let work = self.work + self.wrench_work + self.projection_work;
        self.total() - self.start - work + self.dissipated + self.hinge_dissipated + self.impact_loss
    }

    /// Energy now, that of force elements included.
    pub fn total(&self) -> f64 {
        self.energy.total()
    }
}
