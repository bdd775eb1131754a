//! Hinges that are locked or free, by name.

use supple::{Inputs, Model};
use supple_linear::{LinearError, hold};

/// What hinges do that no option names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Usual {
    /// They move.
    Free,
    /// They are held where they are.
    Locked,
}

/// Which hinges are locked and which are free.
#[derive(clap::Args, Default)]
pub struct HingeOptions {
    /// Lock these hinges; `all` means all hinges, * in a name matches any text. A name decides before a pattern or `all`.
    #[arg(long, value_name = "HINGE", value_delimiter = ',')]
    pub lock: Vec<String>,
    /// Free these hinges, named as for --lock. A hinge that both name alike is refused.
    #[arg(long, value_name = "HINGE", value_delimiter = ',')]
    pub free: Vec<String>,
}

impl HingeOptions {
    /// Locks and frees hinges of `inputs`, by the same rules whatever is usual: a name decides before a pattern or `all`, and a hinge that both options name alike is refused.
    pub fn apply(&self, model: &Model, inputs: &mut Inputs, usual: Usual) -> Result<(), LinearError> {
        let named = (&patterns(model, &self.lock)[..], &patterns(model, &self.free)[..]);
        hold(model, inputs, named, usual == Usual::Locked)
    }
}

/// `all` means every hinge, unless one is called so.
fn patterns<'n>(model: &Model, names: &'n [String]) -> Vec<&'n str> {
    let pattern = |name: &'n String| if name == "all" && model.hinge("all").is_err() { "*" } else { name.as_str() };
    names.iter().map(pattern).collect()
}
