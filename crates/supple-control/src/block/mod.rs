//! Sampled blocks: controllers, filters, sensors, servos.
//!
//! Each kind is one file with its [`Kind`], and one line in [`KINDS`]: names, parameters, signals and law. Scenario files, their schema and
//! their manual are made from it. All numbers that a block remembers are saved with checkpoints, and no block allocates after it is made. A
//! block of one's own implements [`Sampled`](supple::integrate::Sampled) and is connected the same way.
//!
//! ```
//! use supple_control::block::{Setting, kind};
//!
//! let pid = kind("pid").unwrap();
//! let law = pid.law(&Setting::every(1e-3).with("p", 100.0).with("d", 20.0))?;
//! # drop(law);
//! # Ok::<(), supple_control::block::SettingError>(())
//! ```

mod acceleration_feedback;
mod biquad;
mod computed_torque;
mod correction;
mod extended_kalman;
mod flow;
mod gravity;
mod impedance;
mod kalman;
mod kind;
mod law;
mod lead_lag;
mod low_pass;
mod lqg;
mod lqr;
mod motor;
mod notch;
mod pid;
mod plant;
mod reference;
mod rest_to_rest;
mod sensor;
mod servo;
mod shaped_signal;
mod strain_feedback;
mod weighted;

pub use kind::{
    Bound, HingePlace, Hinges, Input, Kind, Law, Needs, Otherwise, Output, Parameter, PlantModel, Setting,
    SettingError, Takes, Value,
};

/// All kinds.
pub static KINDS: [&Kind; 21] = [
    &sensor::KIND,
    &shaped_signal::KIND,
    &reference::KIND,
    &pid::KIND,
    &low_pass::KIND,
    &notch::KIND,
    &lead_lag::KIND,
    &gravity::KIND,
    &computed_torque::KIND,
    &correction::KIND,
    &weighted::KIND,
    &rest_to_rest::KIND,
    &impedance::KIND,
    &strain_feedback::KIND,
    &acceleration_feedback::KIND,
    &servo::KIND,
    &motor::KIND,
    &kalman::KIND,
    &extended_kalman::KIND,
    &lqr::KIND,
    &lqg::KIND,
];

/// The kind of a name.
pub fn kind(name: &str) -> Option<&'static Kind> {
    KINDS.iter().copied().find(|kind| kind.name == name)
}
