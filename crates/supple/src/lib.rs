//! Flexible multibody dynamics by recursive spatial operators.
//!
//! A [`Model`] is described by a [`System`] (or with [`ModelBuilder`]), checked once and never changed. Every verb has
//! one shape: `verb(&model, &state, &inputs, &mut workspace)`; results borrow the [`Workspace`].
//!
//! | verb                                                  | gives                                            |
//! |-------------------------------------------------------|--------------------------------------------------|
//! | [`forward_dynamics`], [`forward_dynamics_by`]         | accelerations from forces, O(bodies)             |
//! | [`composite_forward_dynamics`]                        | the same by the dense mass matrix                |
//! | [`inverse_dynamics`], [`bias_forces`]                 | forces from accelerations, O(bodies)             |
//! | [`hybrid_dynamics`]                                   | some hinges prescribed, the rest free, O(bodies) |
//! | [`mass_matrix()`], [`mass_operator`]                  | `𝓜` dense; `𝓜 x`, `𝓜⁻¹ x`, `ln det 𝓜`, factors   |
//! | [`operational_compliance()`], [`node_compliances`]    | `Λ = J 𝓜⁻¹ J*` at nodes                          |
//! | [`kinematics()`], [`kinematics_with`], [`node_jacobian`] | poses, velocities, accelerations, Jacobians   |
//! | [`energy()`], [`momentum`], [`power`]                 | energies, momenta, mass centre, power            |
//!
//! [`batch`] runs them for many instances at once, over SIMD lanes and threads.
//!
//! ```
//! use supple::{Body, Hinge, HingeKind, Inputs, ModelBuilder, Parent, State, Workspace, forward_dynamics};
//!
//! let mut builder = ModelBuilder::new();
//! builder.gravity([0.0, 0.0, -9.81]);
//! let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 1.0, 0.0] });
//! let inertia = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]];
//! builder.body(Body::rigid("bob", Parent::Ground, hinge, 1.0, [0.0, 0.0, -1.0], inertia));
//! let model = builder.build()?;
//!
//! let mut state = State::new(&model);
//! state.coordinates[0] = 0.5;
//! let mut workspace = Workspace::new(&model);
//! let solution = forward_dynamics(&model, &state, &Inputs::new(&model), &mut workspace)?;
//! assert!((solution.accelerations()[0] + 9.81 * 0.5_f64.sin()).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod batch;
pub mod book;
mod check;
pub mod cost;
mod energy;
mod error;
pub mod force;
mod forward_dynamics;
mod hybrid_dynamics;
mod implicit;
mod inputs;
pub mod integrate;
mod inverse_dynamics;
mod kinematics;
mod mass_matrix;
mod method;
pub mod model;
mod operational_compliance;
mod operator;
mod oscillators;
mod rank;
mod solution;
mod state;
mod sweep;
mod terms;
#[cfg(feature = "testkit")]
pub mod testkit;
mod validity;
mod workspace;

pub use energy::{Energy, Momentum, Power, energy, momentum, power};
pub use error::DynamicsError;
pub use forward_dynamics::{composite_forward_dynamics, forward_dynamics, forward_dynamics_by};
pub use hybrid_dynamics::hybrid_dynamics;
pub use inputs::{Inputs, Wrench, WrenchFrame};
pub use inverse_dynamics::{bias_forces, inverse_dynamics};
pub use kinematics::{Kinematics, kinematics, kinematics_with, node_jacobian};
pub use mass_matrix::mass_matrix;
pub use method::Method;
pub use model::{
    Body, BodyIndex, BodyPhysics, BuildError, DifferentStructure, ElasticRotation, Fidelity, Hinge, HingeKind,
    InertiaConvention, ModalInertia, ModalMatrix, Model, ModelBuilder, Modes, Node, NodeIndex, NonlinearStiffness,
    Parent, Problem, SecondOrderShape, System,
};
pub use operational_compliance::{node_compliances, operational_compliance};
pub use operator::{MassOperator, mass_operator};
pub use solution::Solution;
pub use state::State;
pub use supple_spatial as spatial;
pub use terms::Terms;
pub use validity::{Departure, Sign, Validity, ValidityLimits};
pub use workspace::{DenseWorkspace, Workspace};
