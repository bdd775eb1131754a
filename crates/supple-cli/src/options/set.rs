//! Overrides of values in files.

use supple_io::change::Change;

/// Overrides of values in a model or scenario.
#[derive(clap::Args)]
pub struct SetOptions {
    /// Override a value of the file, e.g. integrator.step=1e-3 or body.boom.beam.length=3; in a scenario, the prefix model. selects
    /// its model. May be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = Change::parse)]
    pub changes: Vec<Change>,
}
