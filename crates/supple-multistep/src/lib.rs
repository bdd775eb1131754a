//! Multistep integrators for the equations of motion of [`supple`]: Adams for smooth motion whose evaluations are dear, backward
//! differentiation for motion with fast, damped parts. Both vary order and step.
//!
//! [`MultistepSimulation`] is used as [`supple::integrate::Simulation`] is, without events.
//!
//! ```
//! use supple::integrate::Tolerance;
//! use supple::{Body, Hinge, HingeKind, Inputs, ModelBuilder, Parent, State};
//! use supple_multistep::{Method, MultistepSimulation};
//!
//! let mut builder = ModelBuilder::new();
//! builder.gravity([0.0, 0.0, -9.81]);
//! let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 1.0, 0.0] });
//! builder.body(Body::rigid("bob", Parent::Ground, hinge, 1.0, [0.0, 0.0, -1.0], [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0; 3]]));
//! let model = builder.build()?;
//! let mut state = State::new(&model);
//! state.coordinates[0] = 0.01;
//!
//! let tolerance = Tolerance { relative: 1e-9, absolute: 1e-12 };
//! let free = |_: &State, _: &mut Inputs| {};
//! for method in [Method::Adams, Method::Bdf] {
//!     let mut run = MultistepSimulation::new(&model, state.clone(), free, method, tolerance)?;
//!     run.advance(0.5 * std::f64::consts::PI / 9.81_f64.sqrt())?;
//!     assert!(run.state().coordinates[0].abs() < 1e-6);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod adams;
mod adams_coefficients;
mod bdf;
mod budget;
mod checkpoint;
mod simulation;

pub use checkpoint::MultistepCheckpoint;
pub use simulation::{Method, MultistepSimulation};
