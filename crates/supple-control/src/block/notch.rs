//! Notch: takes a narrow band of frequencies out of a signal.

use super::biquad::Biquad;
use super::kind::{Bound, Hinges, Input, Kind, Needs, Otherwise, Output, Parameter, Setting, SettingError, Takes};
use supple::integrate::{Role, Sampled};

/// The kind.
pub static KIND: Kind = Kind {
    name: "notch",
    role: Role::Controller,
    about: "notch: (s² + 2ζ₀ωs + ω²)/(s² + 2ζωs + ω²)",
    parameters: &[
        Parameter { key: "frequency", takes: Takes::Number(Bound::Positive), meaning: "frequency of the filter, Hz" },
        Parameter {
            key: "width",
            takes: Takes::NumberOr(Bound::Positive, 0.5),
            meaning: "damping ratio ζ of the notch: half its width relative to the frequency; default: 0.5",
        },
        Parameter {
            key: "depth",
            takes: Takes::NumberOr(Bound::NotNegative, 0.0),
            meaning: "gain that remains at the frequency, ζ₀/ζ; default: 0, nothing",
        },
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
    let (width, depth) = (setting.positive_or("width", 0.5)?, setting.not_negative_or("depth", 0.0)?);
    let section = |damping: f64| [omega * omega, 2.0 * damping * omega, 1.0];
    Ok(Box::new(Biquad::new(section(depth * width), section(width), omega, setting.period)))
}
