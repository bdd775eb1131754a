//! The integrators to choose from.

use super::adams::Adams;
use super::automatic::Automatic;
use super::bdf::Bdf;
use super::error::IntegrationError;
use super::explicit::Explicit;
use super::exponential::Exponential;
use super::exponential_adams::ExponentialAdams;
use super::gauss::Gauss;
use super::gauss_points::MOST;
use super::generalized_alpha::{GeneralizedAlpha, MOST_CORRECTIONS};
use super::linearly_implicit::LinearlyImplicit;
use super::settings::Stepping;
use super::stepper::Stepper;
use super::tableau::{DORMAND_PRINCE, PRINCE_DORMAND_8, RUNGE_KUTTA_4};

/// An integrator.
///
/// | scheme             | order | evaluations a step | step          | for                                   |
/// |--------------------|-------|--------------------|---------------|---------------------------------------|
/// | `Automatic`        | 8, or 1-5 | 12, or 1 to 6  | adaptive      | anything: stiff or not, found out     |
/// | `DormandPrince`    | 5     | 6                  | any           | moderate accuracy, dense output       |
/// | `PrinceDormand8`   | 8     | 12                 | any           | high accuracy                         |
/// | `RungeKutta4`      | 4     | 4                  | fixed         | real time                             |
/// | `LinearlyImplicit` | 4     | 6                  | any           | stiff modes                           |
/// | `Exponential`      | 4     | 4                  | any           | stiff modes that vibrate, phase kept  |
/// | `ExponentialAdams` | 5     | 1                  | any           | the same, with the fewest evaluations |
/// | `Gauss`            | 2s    | s, 2 to 3 times    | fixed         | the same, implicit, long steps        |
/// | `GeneralizedAlpha` | 2     | 2 to 5             | fixed         | stiff modes, damped as chosen         |
/// | `Adams`            | 1-12  | 2                  | adaptive      | smooth motion, dear evaluations       |
/// | `Bdf`              | 1-5   | 2 to 4             | adaptive      | stiff drives, everything damped       |
#[derive(Clone, Copy, Debug, PartialEq, Default)]
#[non_exhaustive]
pub enum Scheme {
    /// Chooses by itself, step by step: [`PrinceDormand8`](Self::PrinceDormand8) where nothing is stiff,
    /// [`ExponentialAdams`](Self::ExponentialAdams), [`LinearlyImplicit`](Self::LinearlyImplicit) or [`Bdf`](Self::Bdf) where something is.
    #[default]
    Automatic,
    /// Dormand and Prince, order 5 with an estimate of order 4; seven stages, the last one reused.
    DormandPrince,
    /// Dormand and Prince, order 8 with estimates of order 5 and 3 (DOP853); twelve stages.
    PrinceDormand8,
    /// The classical one of order 4, at fixed steps.
    RungeKutta4,
    /// Order 4 with an estimate of order 3: modal stiffness and damping and the kinematics implicit and linear in each step, the rest
    /// explicit. The order holds whatever is taken as the implicit part.
    LinearlyImplicit,
    /// Order 4 with an estimate of order 3: oscillation and decay of all modes, and of the hinges that force elements reach, by mass and
    /// tangents at the start of the step are exact, the rest explicit. For stiff modes that vibrate and whose phase matters. Dense in modes
    /// and these hinges; of stiffness and damping together only what both have in common as independent oscillators is exact.
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
        /// Corrections of each step: always so many, for real time, or as many as it takes. See [`generalized_alpha`](Self::generalized_alpha).
        corrections: Option<u32>,
    },
    /// Adams' methods of order 1 to 12, two evaluations a step: for smooth motion whose evaluations are dear.
    Adams,
    /// Backward differentiation of order 1 to 5 with the whole Jacobian, drives included: for motion whose fast parts are damped. Dense in
    /// the numbers of the state.
    Bdf,
}

impl Scheme {
    /// [`Gauss`](Self::Gauss) with its stages found as exactly as rounding lets.
    pub fn gauss(stages: u32) -> Self {
        Self::Gauss { stages, tolerance: 1e-12 }
    }

    /// [`GeneralizedAlpha`](Self::GeneralizedAlpha) with as many corrections as it takes.
    pub const fn generalized_alpha(spectral_radius: f64) -> Self {
        Self::GeneralizedAlpha { spectral_radius, corrections: None }
    }

    /// The scheme for a state of `n` numbers, before its first step.
    pub(super) fn stepper(self, n: usize) -> Box<dyn Stepper> {
        match self {
            Self::Automatic => Box::new(Automatic::new(n)),
            Self::DormandPrince => Box::new(Explicit::new(&DORMAND_PRINCE, true, n)),
            Self::PrinceDormand8 => Box::new(Explicit::new(&PRINCE_DORMAND_8, false, n)),
            Self::RungeKutta4 => Box::new(Explicit::new(&RUNGE_KUTTA_4, false, n)),
            Self::LinearlyImplicit => Box::new(LinearlyImplicit::new(n)),
            Self::Exponential => Box::new(Exponential::new(n)),
            Self::ExponentialAdams => Box::new(ExponentialAdams::new(n)),
            Self::Gauss { stages, tolerance } => Box::new(Gauss::new(stages as usize, tolerance, n)),
            Self::GeneralizedAlpha { spectral_radius, corrections } => {
                Box::new(GeneralizedAlpha::new(spectral_radius, corrections, n))
            }
            Self::Adams => Box::new(Adams::new(n)),
            Self::Bdf => Box::new(Bdf::new(n)),
        }
    }

    /// Order of convergence; the highest where it varies.
    pub fn order(self) -> u32 {
        match self {
            Self::DormandPrince | Self::ExponentialAdams => 5,
            Self::Automatic | Self::PrinceDormand8 => 8,
            Self::Adams => 12,
            Self::Bdf => 5,
            Self::RungeKutta4 | Self::LinearlyImplicit | Self::Exponential => 4,
            Self::Gauss { stages, .. } => stages.saturating_mul(2),
            Self::GeneralizedAlpha { .. } => 2,
        }
    }

    /// Whether it asks for the oscillators of the equations.
    pub(super) fn needs_oscillators(self) -> bool {
        matches!(self, Self::Exponential | Self::ExponentialAdams | Self::Gauss { .. })
    }

    /// Whether it asks for solutions with mass, damping and stiffness.
    pub(super) fn needs_solutions(self) -> bool {
        matches!(self, Self::Automatic | Self::LinearlyImplicit | Self::GeneralizedAlpha { .. })
    }

    /// Whether it asks for speeds and what moves with them.
    pub(super) fn needs_speeds(self) -> bool {
        matches!(self, Self::GeneralizedAlpha { .. })
    }

    /// Whether it asks for the Jacobian.
    pub(super) fn needs_jacobian(self) -> bool {
        matches!(self, Self::Automatic | Self::Bdf)
    }

    /// Whether its steps may be of a fixed size.
    pub fn takes_fixed_steps(self) -> bool {
        !matches!(self, Self::Automatic | Self::Adams | Self::Bdf)
    }

    /// Whether it estimates its error, so that steps can follow a tolerance.
    pub fn estimates_error(self) -> bool {
        !matches!(self, Self::RungeKutta4 | Self::Gauss { .. } | Self::GeneralizedAlpha { .. })
    }

    /// Whether every fixed step takes about the same work, so that it can run in real time: no choice of step or order, no history that is built up again after
    /// each sampling instant, no iteration until something is small enough.
    pub fn has_even_steps(self) -> bool {
        match self {
            Self::DormandPrince | Self::PrinceDormand8 | Self::RungeKutta4 => true,
            Self::LinearlyImplicit | Self::Exponential => true,
            Self::GeneralizedAlpha { corrections, .. } => corrections.is_some(),
            Self::Gauss { .. } | Self::Automatic | Self::ExponentialAdams | Self::Adams | Self::Bdf => false,
        }
    }

    pub(super) fn check(self, stepping: Stepping) -> Result<(), IntegrationError> {
        let bad = |reason, value| Err(IntegrationError::BadRequest { reason, value });
        stepping.check()?;
        match (self, stepping) {
            (Self::GeneralizedAlpha { spectral_radius, .. }, _) if !(0.0..=1.0).contains(&spectral_radius) => {
                bad("the spectral radius must be between 0 and 1", spectral_radius)
            }
            (Self::GeneralizedAlpha { corrections: Some(count), .. }, _)
                if !(1..=MOST_CORRECTIONS).contains(&count) =>
            {
                bad("the number of corrections must be from 1 to 30", f64::from(count))
            }
            (Self::Gauss { stages, .. }, _) if !(1..=MOST as u32).contains(&stages) => {
                bad("the number of stages must be from 1 to 6", f64::from(stages))
            }
            (Self::Gauss { tolerance, .. }, _) if !(tolerance > 0.0 && tolerance < 1.0) => {
                bad("the tolerance of the iteration must be between 0 and 1", tolerance)
            }
            (scheme, Stepping::Fixed(step)) if !scheme.takes_fixed_steps() => {
                bad("this scheme chooses its steps, give a tolerance instead of the fixed step", step)
            }
            (scheme, Stepping::Adaptive(tolerance)) if !scheme.estimates_error() => {
                bad("this scheme has no error estimate, give a fixed step instead of the tolerance", tolerance.relative)
            }
            _ => Ok(()),
        }
    }
}
