//! From effort to the commands of a servo and what it gives: current, counts, saturation, rate, quantisation. Box 146 of the patent's figure 6.
//!
//! ```text
//! current = effort / (gear ratio · efficiency · torque constant)       counts = current / current per count, rounded
//! ```
//!
//! What acts is the effort of the current that was asked for in whole counts. Command delay is the delay of the block.

use super::kind::{Bound, Hinges, Input, Kind, Needs, Otherwise, Output, Parameter, Setting, SettingError, Takes};
use supple::integrate::{Measured, Role, Sampled};

struct Servo {
    /// Effort for each ampere.
    effort: f64,
    limit: f64,
    /// Greatest change of the current in a period.
    slew: f64,
    /// Current of a count; zero for any current.
    count: f64,
    last: f64,
    begun: bool,
    /// Whether it has been at rest before its first instant: its current need not rise from zero.
    rested: bool,
}

/// The kind.
pub static KIND: Kind = Kind {
    name: "servo",
    role: Role::Controller,
    about: "servo commands: effort to current and counts, with gear ratio, saturation, rate limit and quantisation",
    parameters: &[
        Parameter {
            key: "torque_constant",
            takes: Takes::NumberOr(Bound::Positive, 1.0),
            meaning: "torque of the motor for each ampere, N m/A; default: 1",
        },
        Parameter {
            key: "gear_ratio",
            takes: Takes::NumberOr(Bound::Positive, 1.0),
            meaning: "turns of the motor for one of the hinge; default: 1",
        },
        Parameter {
            key: "efficiency",
            takes: Takes::NumberOr(Bound::Positive, 1.0),
            meaning: "efficiency of the gear, from 0 to 1; default: 1",
        },
        Parameter {
            key: "current_limit",
            takes: Takes::Maybe(Bound::Positive),
            meaning: "greatest current, A; default: none",
        },
        Parameter {
            key: "current_rate",
            takes: Takes::Maybe(Bound::Positive),
            meaning: "greatest rate of the current, A/s; default: none",
        },
        Parameter {
            key: "current_per_count",
            takes: Takes::NumberOr(Bound::NotNegative, 0.0),
            meaning: "current of one count of the converter, A; default: 0, any current",
        },
    ],
    inputs: &[Input { key: "input", otherwise: Otherwise::Required, meaning: "commanded effort, N m or N" }],
    outputs: &[
        Output { name: "effort", unit: "N m, N", meaning: "effort that acts" },
        Output { name: "current", unit: "A", meaning: "current of the motor" },
        Output { name: "counts", unit: "1", meaning: "command in counts; the current where there are no counts" },
    ],
    hinges: Hinges::AtMostOne,
    needs: Needs::Nothing,
    gives_states: false,
    make,
};

fn make(setting: &Setting) -> Result<Box<dyn Sampled>, SettingError> {
    let efficiency = setting.positive_or("efficiency", 1.0)?;
    if efficiency > 1.0 {
        return Err(SettingError::new("efficiency", format!("it is {efficiency}"), "a number above 0, at most 1"));
    }
    let ratio = setting.positive_or("gear_ratio", 1.0)?;
    Ok(Box::new(Servo {
        effort: ratio * efficiency * setting.positive_or("torque_constant", 1.0)?,
        limit: setting.positive_or("current_limit", f64::MAX)?,
        slew: setting.positive_or("current_rate", f64::MAX)? * setting.period,
        count: setting.not_negative_or("current_per_count", 0.0)?,
        last: 0.0,
        begun: false,
        rested: false,
    }))
}

impl Sampled for Servo {
    fn sample(&mut self, measured: &Measured<'_>, outputs: &mut [f64]) {
        let asked = (measured.signals[0] / self.effort).clamp(-self.limit, self.limit);
        let slew = if self.rested && !self.begun { f64::MAX } else { self.slew };
        let mut current = asked.clamp(self.last - slew, self.last + slew);
        // Before it is rounded: a rate of less than a count for each period adds up.
        (self.last, self.begun) = (current, true);
        let mut counts = current;
        if self.count > 0.0 {
            counts = (current / self.count).round();
            // Rounding must not lead beyond the limit.
            if (counts * self.count).abs() > self.limit {
                counts = (current / self.count).trunc();
            }
            current = counts * self.count;
        }
        outputs.copy_from_slice(&[current * self.effort, current, counts]);
    }

    fn settle(&mut self, _more: f64) -> bool {
        self.rested = true;
        false
    }

    fn save(&self) -> Vec<f64> {
        vec![self.last, f64::from(u8::from(self.begun))]
    }

    fn load(&mut self, from: &[f64]) -> bool {
        let [last, begun] = from else { return false };
        (self.last, self.begun) = (*last, *begun != 0.0);
        true
    }
}
