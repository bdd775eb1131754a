//! Overrides of values in files.

use supple_io::change::Change;

/// Overrides of values in a model or scenario.
#[derive(clap::Args)]
pub struct SetOptions {
    /// Override a value of the file, e.g. integrator.step=1e-3 or body.boom.beam.length=3; in a scenario, the prefix model. selects
    /// its model. May be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = Change::parse)]
    pub changes: Vec<Change>,
    /// Leave out a key of the file, or an entry of a list by its name, e.g. body.boom.beam.damping_ratio or controller.pid. Before any
    /// --set. May be repeated.
    #[arg(long = "unset", value_name = "KEY", value_parser = Change::parse_dropped)]
    pub dropped: Vec<Change>,
}

impl SetOptions {
    /// With these changes alone.
    pub fn of(changes: Vec<Change>) -> Self {
        Self { changes, dropped: Vec::new() }
    }

    /// All changes in the order in which they are made.
    pub fn all(&self) -> Vec<Change> {
        self.dropped.iter().chain(&self.changes).cloned().collect()
    }
}
