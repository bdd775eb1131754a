//! What an integrator asks of the equations.

use super::error::IntegrationError;
use crate::error::DynamicsError;
use std::ops::Range;

/// A value of a number of the state at which the rates or their slopes jump.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kink {
    /// Place of the number in the state.
    pub place: usize,
    /// Place of its speed in the state.
    pub speed: usize,
    /// The value.
    pub value: f64,
}

/// Equations `ẏ = f(t, y)`.
///
/// Explicit schemes need [`rates`](Self::rates) alone. Linearly implicit ones also ask for a matrix `A` near the stiff part of
/// `∂f/∂y`; left out, it is zero. Generalized-alpha asks for the structure of mechanics: speeds whose rates are accelerations, and
/// coordinates that move with the speeds.
pub trait Equations {
    /// Writes the rates of `y` at time `t`.
    ///
    /// # Errors
    /// What keeps the rates from being computed.
    fn rates(&mut self, t: f64, y: &[f64], rates: &mut [f64]) -> Result<(), DynamicsError>;

    /// Writes `∂f/∂y` at `y`, row by row. Left out, rates are differenced forward over `√ε` of the state, or of one where numbers are smaller.
    ///
    /// # Errors
    /// What keeps the rates from being computed.
    fn jacobian(&mut self, t: f64, y: &[f64], out: &mut [f64]) -> Result<(), DynamicsError> {
        difference_rates(self, t, y, out)
    }

    /// Brings `y` back onto its manifold after a step, such as quaternions to unit length.
    fn project(&self, _y: &mut [f64]) {}

    /// Brings `y` at time `t` back onto its constraints after a step. The state between steps is brought there too, for those who look at it: `kept` tells
    /// whether the motion goes on from here.
    ///
    /// # Errors
    /// What keeps it from being brought there.
    fn close(&mut self, _t: f64, _y: &mut [f64], _kept: bool) -> Result<(), DynamicsError> {
        Ok(())
    }

    /// Freezes mass, damping, stiffness and kinematics at `y` and factors `M + damping · C + stiffness · K`.
    ///
    /// # Errors
    /// What keeps them from being computed.
    fn freeze(&mut self, _y: &[f64], _damping: f64, _stiffness: f64) -> Result<(), DynamicsError> {
        Ok(())
    }

    /// `x ← (I - s A)⁻¹ x`, after [`freeze`](Self::freeze) with damping `s` and stiffness `s²`.
    fn solve(&mut self, _s: f64, _x: &mut [f64]) {}

    /// Freezes the stiff part of the equations at `y`, as damped oscillators for steps near `step`, and writes square of the frequency and
    /// damping of each number of `y`, in the coordinates of [`split`](Self::split). None may be negative.
    ///
    /// # Errors
    /// What keeps them from being computed.
    fn oscillators(
        &mut self,
        _y: &[f64],
        _step: f64,
        _squares: &mut [f64],
        _dampings: &mut [f64],
    ) -> Result<(), DynamicsError> {
        Ok(())
    }

    /// Turns a change of `y`, or a rate, into the coordinates of the oscillators.
    fn split(&mut self, _x: &mut [f64]) {}

    /// The inverse of [`split`](Self::split).
    fn join(&mut self, _x: &mut [f64]) {}

    /// `out ← A x` in the coordinates of the oscillators: in pairs of coordinate and speed `[0, 1; -ω², -d]`, and elsewhere a matrix whose
    /// square is zero.
    fn oscillate(&mut self, _x: &[f64], out: &mut [f64]) {
        out.fill(0.0);
    }

    /// Where the rates or their slopes jump, so that a step across is of low order.
    fn kinks(&self) -> &[Kink] {
        &[]
    }

    /// How many numbers at the end of `y` are integrals that the others do not depend on. Their errors are judged apart, so that many of them
    /// do not hide an error of the motion.
    fn quadratures(&self) -> usize {
        0
    }

    /// Writes the motion after a step of `h` from `start`, a time and a state, or once more from where the last one began, where these equations have steps of
    /// their own.
    ///
    /// # Errors
    /// What keeps it from being computed; that there are none.
    fn given_step(&mut self, _start: Option<(f64, &[f64])>, _h: f64, _end: &mut [f64]) -> Result<(), DynamicsError> {
        Err(DynamicsError::OtherModel { what: "step" })
    }

    /// Where the speeds are in `y`; empty for equations that are not of second order.
    fn speeds(&self) -> Range<usize> {
        0..0
    }

    /// `x ← (M + damping · C + stiffness · K)⁻¹ M x`, after [`freeze`](Self::freeze) with the same numbers; `x` are accelerations.
    fn relax(&mut self, _damping: f64, _stiffness: f64, _x: &mut [f64]) {}

    /// Moves the coordinates of `from` for the time `h` with constant `speeds`, along their manifold, into `to`.
    fn transport(&self, _from: &[f64], _h: f64, _speeds: &[f64], _to: &mut [f64]) {}
}

/// The Jacobian by differences.
fn difference_rates<E: Equations + ?Sized>(
    equations: &mut E,
    t: f64,
    y: &[f64],
    out: &mut [f64],
) -> Result<(), DynamicsError> {
    let n = y.len();
    let (mut displaced, mut here, mut there) = (y.to_vec(), vec![0.0; n], vec![0.0; n]);
    equations.rates(t, y, &mut here)?;
    out.fill(0.0);
    // Nothing depends on the integrals.
    for j in 0..n - equations.quadratures().min(n) {
        let step = f64::EPSILON.sqrt() * y[j].abs().max(1.0);
        displaced[j] = y[j] + step;
        equations.rates(t, &displaced, &mut there)?;
        displaced[j] = y[j];
        for i in 0..n {
            out[i * n + j] = (there[i] - here[i]) / step;
        }
    }
    Ok(())
}

/// Checks that what the equations say about their state fits it.
pub(super) fn check_structure(equations: &dyn Equations, needs_speeds: bool, n: usize) -> Result<(), IntegrationError> {
    let speeds = equations.speeds();
    let bad = |reason, value: usize| Err(IntegrationError::BadRequest { reason, value: value as f64 });
    if needs_speeds && speeds.is_empty() {
        return bad("generalized-alpha needs equations of second order, speeds found", 0);
    }
    if speeds.start > speeds.end || speeds.end > n {
        return bad("the speeds of the equations lie outside of the state, they end at", speeds.end);
    }
    if let Some(kink) = equations.kinks().iter().find(|kink| kink.place.max(kink.speed) >= n) {
        return bad("a kink of the equations lies outside of the state, at", kink.place.max(kink.speed));
    }
    if equations.quadratures() > n {
        return bad(
            "the equations have more integrals than the state has numbers, integrals found",
            equations.quadratures(),
        );
    }
    Ok(())
}
