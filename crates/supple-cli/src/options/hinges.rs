//! Hinges that are locked or free, by name.

use supple::{Inputs, Model};
use supple_linear::{LinearError, free, lock};

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
    /// Lock these hinges; `all` means all hinges, * in a name matches any text.
    #[arg(long, value_name = "HINGE", value_delimiter = ',')]
    pub lock: Vec<String>,
    /// Free these hinges; `all` means all hinges, * in a name matches any text.
    #[arg(long, value_name = "HINGE", value_delimiter = ',')]
    pub free: Vec<String>,
}

impl HingeOptions {
    /// Locks and frees hinges of `inputs`. Where both options name a hinge, the one that departs from what is usual decides last.
    pub fn apply(&self, model: &Model, inputs: &mut Inputs, usual: Usual) -> Result<(), LinearError> {
        let (mut locked, mut freed) = (inputs.clone(), inputs.clone());
        lock(model, &mut locked, &patterns(model, &self.lock))?;
        free(model, &mut freed, &patterns(model, &self.free))?;
        for ((flag, is_locked), is_held) in inputs.prescribed.iter_mut().zip(&locked.prescribed).zip(&freed.prescribed)
        {
            *flag = match usual {
                Usual::Free => *is_locked && *is_held,
                Usual::Locked => *is_locked || *is_held,
            };
        }
        Ok(())
    }
}

/// `all` means every hinge, unless one is called so.
fn patterns<'n>(model: &Model, names: &'n [String]) -> Vec<&'n str> {
    let pattern = |name: &'n String| if name == "all" && model.hinge("all").is_err() { "*" } else { name.as_str() };
    names.iter().map(pattern).collect()
}
