//! Low-pass filter of first or second order.

use super::biquad::Biquad;
use super::kind::{Bound, Hinges, Input, Kind, Needs, Otherwise, Output, Parameter, Setting, SettingError, Takes};
use supple::integrate::{Role, Sampled};

/// The kind.
pub static KIND: Kind = Kind {
    name: "low-pass",
    role: Role::Controller,
    about: "low-pass filter: ω²/(s² + 2ζωs + ω²), or ω/(s + ω) with `order` 1",
    parameters: &[
        Parameter { key: "frequency", takes: Takes::Number(Bound::Positive), meaning: "frequency of the filter, Hz" },
        Parameter {
            key: "damping",
            takes: Takes::NumberOr(Bound::Positive, std::f64::consts::FRAC_1_SQRT_2),
            meaning: "damping ratio; default: 0.7071 (Butterworth)",
        },
        Parameter { key: "order", takes: Takes::NumberOr(Bound::Positive, 2.0), meaning: "1 or 2; default: 2" },
    ],
    inputs: &[Input { key: "input", otherwise: Otherwise::Required, meaning: "signal to be filtered" }],
    outputs: &[Output { name: "output", unit: "1", meaning: "filtered signal" }],
    hinges: Hinges::AtMostOne,
    needs: Needs::Nothing,
    gives_states: false,
    make,
};

fn make(setting: &Setting) -> Result<Box<dyn Sampled>, SettingError> {
    let omega = Biquad::frequency(setting, "frequency")?;
    let damping = setting.positive_or("damping", std::f64::consts::FRAC_1_SQRT_2)?;
    let (b, a) = match setting.number_or("order", 2.0)? {
        1.0 => ([omega, 0.0, 0.0], [omega, 1.0, 0.0]),
        2.0 => ([omega * omega, 0.0, 0.0], [omega * omega, 2.0 * damping * omega, 1.0]),
        order => return Err(SettingError::new("order", format!("it is {order}"), "1 or 2")),
    };
    Ok(Box::new(Biquad::new(b, a, omega, setting.period)))
}
