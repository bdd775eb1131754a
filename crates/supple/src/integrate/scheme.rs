//! The integrators to choose from.

use super::error::IntegrationError;
use super::gauss_points::MOST;
use super::settings::Stepping;
use super::tableau::{DORMAND_PRINCE, PRINCE_DORMAND_8, RUNGE_KUTTA_4, Tableau};

/// An integrator.
///
/// | scheme             | order | evaluations a step | step          | for                                   |
/// |--------------------|-------|--------------------|---------------|---------------------------------------|
/// | `DormandPrince`    | 5     | 6                  | any           | moderate accuracy, dense output       |
/// | `PrinceDormand8`   | 8     | 12                 | any           | high accuracy                         |
/// | `RungeKutta4`      | 4     | 4                  | fixed         | real time                             |
/// | `LinearlyImplicit` | 4     | 6                  | any           | stiff modes                           |
/// | `Exponential`      | 4     | 4                  | any           | stiff modes that vibrate, phase kept  |
/// | `ExponentialAdams` | 5     | 1                  | any           | the same, with the fewest evaluations |
/// | `Gauss`            | 2s    | s, 2 to 3 times    | fixed         | the same, implicit, long steps        |
/// | `GeneralizedAlpha` | 2     | 2 to 5             | fixed         | stiff modes, damped as chosen         |
#[derive(Clone, Copy, Debug, PartialEq, Default)]
#[non_exhaustive]
pub enum Scheme {
    /// Dormand and Prince, order 5 with an estimate of order 4; seven stages, the last one reused.
    DormandPrince,
    /// Dormand and Prince, order 8 with estimates of order 5 and 3 (DOP853); twelve stages.
    #[default]
    PrinceDormand8,
    /// The classical one of order 4, at fixed steps.
    RungeKutta4,
    /// Order 4 with an estimate of order 3: modal stiffness and damping and the kinematics implicit and linear in each step, the rest
    /// explicit. The order holds whatever is taken as the implicit part.
    LinearlyImplicit,
    /// Order 4 with an estimate of order 3: the oscillation of all modes by mass and tangent stiffness at the start of the step is exact, the
    /// rest explicit. For stiff modes that vibrate and whose phase matters. Dense in the modes; damping is explicit.
    Exponential,
    /// Like `Exponential`, but with one evaluation a step: a polynomial through the last six. Order 6 when running; the first steps are of
    /// order 4, which leaves 5 for the whole.
    ExponentialAdams,
    /// Gauss' collocation: implicit, order twice the number of stages, no numerical damping, at fixed steps. For stiff modes that vibrate;
    /// steps may be longer than the periods of those that do not.
    Gauss {
        /// From 1 to 6.
        stages: u32,
        /// Where the iteration for the stages ends: what it would still change, relative to coordinates and speeds. See
        /// [`gauss`](Self::gauss).
        tolerance: f64,
    },
    /// Generalized-alpha on the manifold of the coordinates, order 2, at fixed steps.
    GeneralizedAlpha {
        /// What is left of infinitely fast oscillations after a step, from 0 to 1.
        spectral_radius: f64,
    },
}

impl Scheme {
    /// [`Gauss`](Self::Gauss) with its stages found as exactly as rounding lets.
    pub fn gauss(stages: u32) -> Self {
        Self::Gauss { stages, tolerance: 1e-12 }
    }

    /// The coefficients of an explicit scheme.
    pub(super) fn tableau(self) -> Option<&'static Tableau> {
        match self {
            Self::DormandPrince => Some(&DORMAND_PRINCE),
            Self::PrinceDormand8 => Some(&PRINCE_DORMAND_8),
            Self::RungeKutta4 => Some(&RUNGE_KUTTA_4),
            Self::LinearlyImplicit
            | Self::Exponential
            | Self::ExponentialAdams
            | Self::Gauss { .. }
            | Self::GeneralizedAlpha { .. } => None,
        }
    }

    /// Order of convergence.
    pub fn order(self) -> u32 {
        match self {
            Self::DormandPrince | Self::ExponentialAdams => 5,
            Self::PrinceDormand8 => 8,
            Self::RungeKutta4 | Self::LinearlyImplicit | Self::Exponential => 4,
            Self::Gauss { stages, .. } => stages.saturating_mul(2),
            Self::GeneralizedAlpha { .. } => 2,
        }
    }

    /// Whether it asks for the oscillators of the equations.
    pub(super) fn needs_oscillators(self) -> bool {
        matches!(self, Self::Exponential | Self::ExponentialAdams | Self::Gauss { .. })
    }

    /// Whether the modes oscillate exactly.
    pub(super) fn is_exponential(self) -> bool {
        matches!(self, Self::Exponential | Self::ExponentialAdams)
    }

    /// Whether it estimates its error, so that steps can follow a tolerance.
    pub fn estimates_error(self) -> bool {
        !matches!(self, Self::RungeKutta4 | Self::Gauss { .. } | Self::GeneralizedAlpha { .. })
    }

    pub(super) fn check(self, stepping: Stepping) -> Result<(), IntegrationError> {
        let bad = |reason, value| Err(IntegrationError::BadRequest { reason, value });
        stepping.check()?;
        match (self, stepping) {
            (Self::GeneralizedAlpha { spectral_radius }, _) if !(0.0..=1.0).contains(&spectral_radius) => {
                bad("the spectral radius must be between 0 and 1", spectral_radius)
            }
            (Self::Gauss { stages, .. }, _) if !(1..=MOST as u32).contains(&stages) => {
                bad("the number of stages must be from 1 to 6", f64::from(stages))
            }
            (Self::Gauss { tolerance, .. }, _) if !(tolerance > 0.0 && tolerance < 1.0) => {
                bad("the tolerance of the iteration must be between 0 and 1", tolerance)
            }
            (scheme, Stepping::Adaptive(tolerance)) if !scheme.estimates_error() => {
                bad("this scheme has no error estimate, give a fixed step instead of the tolerance", tolerance.relative)
            }
            _ => Ok(()),
        }
    }
}
