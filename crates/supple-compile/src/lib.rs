//! A model becomes code.
//!
//! A verb run on [`Traced`](supple::spatial::Traced) numbers is a recording of what it does: a straight-line program for that model, with
//! every zero, one and constant folded away.
//!
//! | module      | gives                                                                    |
//! |-------------|--------------------------------------------------------------------------|
//! | [`verb`]    | which verb of which model becomes a program                              |
//! | [`parameter`] | numbers of a model that stay symbols                                   |
//! | [`family`]  | one program for models that differ in numbers, as the runs of a study do |
//! | [`driven`]  | steps of such models under what follows the time                       |
//! | [`program`] | programs: inputs, outputs, operations, conditions; counts; an interpreter |
//! | [`function`] | functions of one's own as programs, and programs within them                |
//! | [`jacobian`] | derivatives of programs                                                 |
//! | [`schedule`] | the order of the operations, and functions of bounded size              |
//! | [`text`]    | programs as C, Rust and CUDA                                             |
//! | [`engine`]  | the engine with the numbers of a program: in and out                     |
//! | [`reference`](mod@reference) | vectors that code is checked with                                      |
//! | [`package`] | folders of code, vectors and a check                                     |
//! | [`native`]  | programs compiled by the C compiler of the system and loaded             |
//!
//! ```
//! use supple::{Body, Hinge, HingeKind, ModelBuilder, Parent};
//! use supple_compile::{Language, Verb, record};
//!
//! let mut builder = ModelBuilder::new();
//! builder.gravity([0.0, 0.0, -9.81]);
//! let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 1.0, 0.0] });
//! let inertia = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]];
//! builder.body(Body::rigid("bob", Parent::Ground, hinge, 1.0, [0.0, 0.0, -1.0], inertia));
//! let program = record(&builder.build()?, Verb::ForwardDynamics)?;
//!
//! // A pendulum: its angle, its speed, the torque in its hinge.
//! let mut acceleration = [0.0];
//! program.interpreter().run(&[0.5, 0.0, 0.0], &mut acceleration)?;
//! assert!((acceleration[0] + 9.81 * 0.5_f64.sin()).abs() < 1e-12);
//! assert!(program.write(Language::C).source.contains("sin("));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod controller;
pub mod driven;
pub mod engine;
pub mod family;
pub mod function;
mod guard;
pub mod jacobian;
mod liveness;
pub mod native;
mod order;
pub mod package;
pub mod parameter;
pub mod program;
mod recorder;
pub mod reference;
pub mod schedule;
pub mod text;
pub mod verb;

pub use controller::{Controller, ControllerError};
pub use driven::DrivenStep;
pub use engine::{Engine, Point};
pub use family::Family;
pub use function::record_function;
pub use jacobian::Jacobian;
pub use liveness::Pressure;
pub use parameter::Parameter;
pub use program::{Counts, Interpreter, Program, Refused, Signal};
pub use recorder::{RecordError, Recording, RungeKutta, record, record_at};
pub use reference::{Reference, Vector};
pub use text::{Code, DeviceFunction, Lanes, Language, Room};
pub use verb::Verb;
