//! Lead or lag: a zero and a pole.

use super::biquad::Biquad;
use super::kind::{Bound, Hinges, Input, Kind, Needs, Otherwise, Output, Parameter, Setting, SettingError, Takes};
use supple::integrate::{Role, Sampled};

/// The kind.
pub static KIND: Kind = Kind {
    name: "lead-lag",
    role: Role::Controller,
    about: "lead or lag: gain (1 + s/ω₀)/(1 + s/ω₁), a lead where the zero ω₀ is below the pole ω₁",
    parameters: &[
        Parameter { key: "zero", takes: Takes::Number(Bound::Positive), meaning: "frequency of the zero, Hz" },
        Parameter { key: "pole", takes: Takes::Number(Bound::Positive), meaning: "frequency of the pole, Hz" },
        Parameter {
            key: "gain",
            takes: Takes::NumberOr(Bound::Any, 1.0),
            meaning: "gain at low frequencies; default: 1",
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
    let (zero, pole) = (Biquad::frequency(setting, "zero")?, Biquad::frequency(setting, "pole")?);
    let gain = setting.number_or("gain", 1.0)?;
    // Exact where the phase is greatest.
    let (b, a) = ([gain, gain / zero, 0.0], [1.0, 1.0 / pole, 0.0]);
    Ok(Box::new(Biquad::new(b, a, (zero * pole).sqrt(), setting.period)))
}
