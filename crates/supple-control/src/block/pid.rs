//! PD and PID with feed-forward, limits of effort and of its rate, and anti-windup.
//!
//! ```text
//! e = reference - measured                        u = feed_forward + p e + i ∫e dt + d ė
//! ```
//!
//! Where the effort limit of the hinge cuts what acts, the integral is kept from growing the same way as by `u_clamp`.
//!
//! The integral is a sum over instants, `∫e ← ∫e + T e`. `ė` is the difference of the speeds given, or that of `e` from instant to instant.

use super::kind::{Bound, Hinges, Input, Kind, Needs, Otherwise, Output, Parameter, Setting, SettingError, Takes};
use crate::linear::clamped;
use supple::integrate::{Measured, Role, Sampled};
use supple::spatial::{Scalar, Traced};

/// How the integral is kept from growing while the effort is at its limit.
#[derive(Clone, Copy, PartialEq)]
enum Antiwindup {
    None,
    /// It rests while it would drive the effort further beyond the limit.
    Conditional,
    /// What is beyond the limit flows back into it, with this time constant.
    BackCalculation(f64),
}

struct Pid {
    gains: [f64; 3],
    period: f64,
    clamp: f64,
    /// Greatest change of the effort in a period.
    slew: f64,
    antiwindup: Antiwindup,
    has_speed: bool,
    integral: f64,
    last_error: f64,
    last_effort: f64,
    begun: bool,
    /// The integral before the last instant, for the hinge's word after it.
    before: f64,
    /// Whether it has been at rest before its first instant: its effort need not rise from zero.
    rested: bool,
}

/// The kind.
pub static KIND: Kind = Kind {
    name: "pid",
    role: Role::Controller,
    about: "PD or PID with feed-forward, limits of effort and slew rate, and anti-windup",
    parameters: &[
        Parameter {
            key: "p",
            takes: Takes::NumberOr(Bound::Any, 0.0),
            meaning: "gain of the error, N m/rad or N/m; default: 0",
        },
        Parameter {
            key: "i",
            takes: Takes::NumberOr(Bound::Any, 0.0),
            meaning: "gain of the integral of the error; default: 0",
        },
        Parameter {
            key: "d",
            takes: Takes::NumberOr(Bound::Any, 0.0),
            meaning: "gain of the rate of the error; default: 0",
        },
        Parameter {
            key: "u_clamp",
            takes: Takes::Maybe(Bound::Positive),
            meaning: "greatest effort, either way, N m or N; default: none but the effort limit of the hinge",
        },
        Parameter {
            key: "antiwindup",
            takes: Takes::Word(&[
                (
                    "conditional",
                    "the integral is held while it would drive the effort further beyond `u_clamp` or the effort limit of the hinge",
                ),
                (
                    "back-calculation",
                    "the effort beyond `u_clamp` or the effort limit of the hinge is fed back into the integral within `tracking_time`",
                ),
                ("none", "the integral grows on"),
            ]),
            meaning: "what the integral does while the effort is at its limit; default: conditional",
        },
        Parameter {
            key: "tracking_time",
            takes: Takes::Maybe(Bound::Positive),
            meaning: "time constant of back-calculation, s; default: √(d/i), or p/i without d",
        },
        Parameter {
            key: "slew",
            takes: Takes::Maybe(Bound::Positive),
            meaning: "greatest rate of the effort, N m/s or N/s; default: none",
        },
    ],
    inputs: &[
        Input { key: "reference", otherwise: Otherwise::Number(0.0), meaning: "desired coordinate; default: 0" },
        Input {
            key: "measured",
            otherwise: Otherwise::Coordinate,
            meaning: "coordinate; default: that of the hinge, without error",
        },
        Input { key: "reference_speed", otherwise: Otherwise::Number(0.0), meaning: "desired speed; default: 0" },
        Input {
            key: "measured_speed",
            otherwise: Otherwise::Speed,
            meaning: "speed; default: that of the hinge, or without a hinge the difference of errors from instant to instant",
        },
        Input { key: "feed_forward", otherwise: Otherwise::Number(0.0), meaning: "effort to be added; default: 0" },
    ],
    outputs: &[Output { name: "effort", unit: "N m, N", meaning: "effort of the controller" }],
    hinges: Hinges::AtMostOne,
    needs: Needs::Nothing,
    gives_states: false,
    make,
};

fn make(setting: &Setting) -> Result<Box<dyn Sampled>, SettingError> {
    let gains = [setting.number_or("p", 0.0)?, setting.number_or("i", 0.0)?, setting.number_or("d", 0.0)?];
    let [p, i, d] = gains;
    let antiwindup = match setting.word("antiwindup", "conditional") {
        "none" => Antiwindup::None,
        "back-calculation" => {
            let usual = if d == 0.0 { (p / i).abs() } else { (d / i).abs().sqrt() };
            let time = setting.positive_or("tracking_time", usual)?;
            if i != 0.0 && !(time > 0.0 && time.is_finite()) {
                let what = "back-calculation has no time constant of its own here";
                return Err(SettingError::new("tracking_time", what, "a time, s"));
            }
            Antiwindup::BackCalculation(if i == 0.0 { 1.0 } else { time })
        }
        _ => Antiwindup::Conditional,
    };
    Ok(Box::new(Pid {
        gains,
        period: setting.period,
        clamp: setting.positive_or("u_clamp", f64::INFINITY)?,
        slew: setting.positive_or("slew", f64::INFINITY)? * setting.period,
        antiwindup,
        has_speed: setting.is_connected("measured_speed"),
        integral: 0.0,
        last_error: 0.0,
        last_effort: 0.0,
        begun: false,
        before: 0.0,
        rested: false,
    }))
}

impl Pid {
    /// One call: integral, last error, last effort and whether there was a call before; what goes in; the effort.
    fn update<T: Scalar>(&self, memory: &mut [T; 4], signals: [T; 5]) -> T {
        let [reference, coordinate, reference_speed, speed, feed_forward] = signals;
        let [integral, last_error, last_effort, begun] = *memory;
        let ([p, i, d], period) = (self.gains.map(T::from_f64), T::from_f64(self.period));
        let error = reference - coordinate;
        let rate = match self.has_speed {
            true => reference_speed - speed,
            false => T::select(T::ZERO.less_than(begun), (error - last_error) / period, T::ZERO),
        };
        let grown = integral + period * error;
        let asked = feed_forward + p * error + i * grown + d * rate;
        let bounded = if self.clamp.is_finite() { clamped(asked, T::from_f64(self.clamp)) } else { asked };
        let effort = match self.slew.is_finite() {
            true => {
                let (least, most) = (last_effort - T::from_f64(self.slew), last_effort + T::from_f64(self.slew));
                let above = T::select(bounded.less_than(least), least, bounded);
                let slewed = T::select(most.less_than(above), most, above);
                // What was at rest begins where it is.
                if self.rested { T::select(T::ZERO.less_than(begun), slewed, bounded) } else { slewed }
            }
            false => bounded,
        };
        let kept = match self.antiwindup {
            // More of the integral would only lead further beyond the limit.
            Antiwindup::Conditional => T::select(T::ZERO.less_than((asked - effort) * (i * error)), integral, grown),
            Antiwindup::BackCalculation(time) if self.gains[1] != 0.0 => {
                grown + (effort - asked) / i * T::from_f64((self.period / time).min(1.0))
            }
            _ => grown,
        };
        *memory = [kept, error, effort, T::ONE];
        effort
    }
}

impl Sampled for Pid {
    fn sample(&mut self, measured: &Measured<'_>, outputs: &mut [f64]) {
        let Ok(signals) = measured.signals.try_into() else { return };
        let mut memory = [self.integral, self.last_error, self.last_effort, f64::from(u8::from(self.begun))];
        outputs[0] = self.update(&mut memory, signals);
        self.before = self.integral;
        [self.integral, self.last_error, self.last_effort, _] = memory;
        self.begun = true;
    }

    fn record(&self, memory: &mut [Traced], signals: &[Traced], outputs: &mut [Traced]) -> bool {
        let (Ok(memory), Ok(signals)) = (memory.try_into(), signals.try_into()) else { return false };
        outputs[0] = self.update(memory, signals);
        true
    }

    fn limited(&mut self, _output: usize, excess: f64) {
        let i = self.gains[1];
        match self.antiwindup {
            Antiwindup::Conditional if excess * (i * self.last_error) > 0.0 => self.integral = self.before,
            Antiwindup::BackCalculation(time) if i != 0.0 => {
                self.integral -= excess / i * (self.period / time).min(1.0)
            }
            _ => {}
        }
    }

    fn integrated_error(&self) -> Option<f64> {
        (self.gains[1] != 0.0).then_some(self.last_error)
    }

    fn settle(&mut self, more: f64) -> bool {
        self.rested = true;
        let i = self.gains[1];
        if i != 0.0 {
            self.integral += more / i;
        }
        i != 0.0
    }

    fn save(&self) -> Vec<f64> {
        vec![self.integral, self.last_error, self.last_effort, f64::from(u8::from(self.begun))]
    }

    fn load(&mut self, from: &[f64]) -> bool {
        let [integral, error, effort, begun] = from else { return false };
        (self.integral, self.last_error, self.last_effort, self.begun) = (*integral, *error, *effort, *begun != 0.0);
        true
    }
}
