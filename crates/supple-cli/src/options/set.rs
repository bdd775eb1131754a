//! Values in place of those of a file.

use supple_io::change::Change;

/// Values in place of those of a model or scenario.
#[derive(clap::Args)]
pub struct SetOptions {
    /// Use this value in place of that of the file, such as integrator.step=1e-3 or body.boom.beam.length=3; in a scenario, model.
    /// leads to its model. May be given several times.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = Change::parse)]
    pub changes: Vec<Change>,
}
