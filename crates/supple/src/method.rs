//! How the modes of each body are eliminated, and which hinges are not.

use crate::model::Model;
use crate::model::body::Elimination;
use crate::workspace::{Articulated, HingeRole};
use supple_spatial::Scalar;

/// How forward dynamics takes the modes out of the articulated inertia.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Method {
    /// The cheapest for each body, by its number of modes and carriers.
    #[default]
    Auto,
    /// Modal condensation: linear in the modes.
    Condensed,
    /// `D_f⁻¹` by eq. 77 of the paper: quadratic in the modes. Models with closures take the condensed way instead.
    Indirect,
    /// A factor of `D_f`: cubic in the modes.
    Explicit,
}

impl<T: Scalar> Articulated<T> {
    /// Sets how modes are eliminated and which hinges are prescribed, before an inward sweep.
    #[inline(always)]
    pub(crate) fn choose(&mut self, model: &Model<T>, method: Method, prescribed: Option<&[bool]>) {
        // Most calls choose what the last one chose.
        if prescribed.is_some() || self.chosen != Some(method) {
            self.set(model, method, prescribed);
        }
    }

    #[inline(never)]
    fn set(&mut self, model: &Model<T>, method: Method, prescribed: Option<&[bool]>) {
        self.chosen = prescribed.is_none().then_some(method);
        for &k in &model.topology.flexible {
            let Some(flexible) = &model.bodies[k].flexible else { continue };
            self.elimination[k] = match method {
                _ if flexible.tip_modes.is_none() => Elimination::Explicit,
                Method::Auto => flexible.cheapest,
                Method::Condensed => Elimination::Condensed,
                // Closures need factors.
                Method::Indirect if !model.topology.closures.is_empty() => Elimination::Condensed,
                Method::Indirect => Elimination::Indirect,
                Method::Explicit => Elimination::Explicit,
            };
        }
        for (k, role) in self.role.iter_mut().enumerate() {
            *role = HingeRole::of(prescribed.is_some_and(|flags| flags[k]), self.driven[k]);
        }
    }
}
