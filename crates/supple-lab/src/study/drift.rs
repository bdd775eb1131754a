//! The energy drift of a run: root mean square of `(E - W) / E_peak` at a thousand times, in percent [DS95 (30) to (32)].

use supple::State;
use supple::integrate::{Limits, Simulation, Tolerance};

/// Times at which energy and work are compared.
pub const SAMPLES: u32 = 1000;
/// A run ends where its energy passes this, J: the model runs away.
const RUNAWAY: f64 = 1e12;
/// A run ends after so many steps: its motion has become too fast to follow.
const STEPS: u64 = 5_000_000;

/// What came of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drift {
    /// Infinite if the run broke off.
    pub rms_percent: f64,
    /// When it broke off.
    pub stopped_at: Option<f64>,
}

/// The tolerance of a study: the absolute part is a hundredth of the relative one.
pub fn tolerance(relative: f64) -> Tolerance {
    Tolerance { relative, absolute: 0.01 * relative }
}

/// Follows a run to `end` and shows each sample to `observe`.
pub fn follow(simulation: &mut Simulation, end: f64, observe: impl FnMut(&State)) -> Drift {
    follow_closely(simulation, end, 1, observe)
}

/// The same with so many instants shown for each sample, where motions are too fast for a thousand.
pub fn follow_closely(simulation: &mut Simulation, end: f64, instants: u32, mut observe: impl FnMut(&State)) -> Drift {
    let limited = simulation.set_limits(Limits { steps: STEPS, ..Limits::default() });
    debug_assert!(limited.is_ok(), "a budget of steps is always sound");
    let (mut squares, mut peak) = (0.0, 0.0_f64);
    let all = SAMPLES * instants;
    for i in 1..=all {
        let reached = simulation.advance(end * f64::from(i) / f64::from(all)).is_ok();
        let sound = match simulation.ledger() {
            _ if reached && i % instants > 0 => true,
            Ok(ledger) if reached && ledger.energy.total().abs() < RUNAWAY => {
                squares += ledger.balance_error().powi(2);
                peak = peak.max(ledger.energy.total().abs());
                true
            }
            _ => false,
        };
        if !sound {
            return Drift { rms_percent: f64::INFINITY, stopped_at: Some(simulation.state().time) };
        }
        observe(simulation.state());
    }
    Drift { rms_percent: 100.0 * (squares / f64::from(SAMPLES)).sqrt() / peak, stopped_at: None }
}
