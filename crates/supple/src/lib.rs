//! Flexible multibody dynamics by recursive spatial operators.
//!
//! A [`Model`] is described by a [`System`] (or with [`ModelBuilder`]), checked once and never changed. Every verb has
//! one shape: `verb(&model, &state, &inputs, &mut workspace)`; results borrow the [`Workspace`].
//!
//! | verb                                                  | gives                                            |
//! |-------------------------------------------------------|--------------------------------------------------|
//! | [`forward_dynamics`], [`forward_dynamics_by`]         | accelerations from forces, O(bodies)             |
//! | [`LaggedDynamics`]                                    | the same with `P⁺`, `z⁺`, `α` of the last step   |
//! | [`composite_forward_dynamics`]                        | the same by the dense mass matrix                |
//! | [`inverse_dynamics`], [`bias_forces`]                 | forces from accelerations, O(bodies)             |
//! | [`hybrid_dynamics`]                                   | some hinges prescribed, the rest free, O(bodies) |
//! | [`forward_dynamics_derivatives`], [`inverse_dynamics_derivatives`], [`hybrid_dynamics_derivatives`] | the same, and all derivatives |
//! | [`inverse_dynamics_regressor`]                        | `∂T/∂π` by inertial and elastic parameters       |
//! | [`reactions()`]                                       | hybrid dynamics, and wrenches of hinges and nodes       |
//! | [`mass_matrix()`], [`mass_operator`]                  | `𝓜` dense; `𝓜 x`, `𝓜⁻¹ x`, `ln det 𝓜`, factors, `P`, `D`, `G` |
//! | [`operational_compliance()`], [`node_compliances`]    | `Λ = J 𝓜⁻¹ J*` at nodes                          |
//! | [`operational_inertia()`]                             | `Λ⁻¹` at nodes                                    |
//! | [`kinematics()`], [`kinematics_with`], [`node_jacobian`] | poses, velocities, accelerations, Jacobians   |
//! | [`energy()`], [`kinetic_energies`], [`momentum`], [`power`] | energies, momenta, mass centre, power      |
//!
//! Hinges, nodes and modes are found [by name](Model::hinge); their handles set and read numbers of states, inputs and solutions.
//! [`Model::variables`] lists all of them with units.
//!
//! The verbs take `f64`; [`generic`] has the same verbs for any scalar, so that they can be differentiated. [`batch`] runs them for many instances
//! at once, over SIMD lanes and threads.
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

mod access;
pub mod batch;
mod check;
mod closure;
mod derivative;
mod energy;
mod error;
pub mod force;
mod forward_dynamics;
pub mod generic;
mod hybrid_dynamics;
mod implicit;
mod inputs;
pub mod integrate;
mod inverse_dynamics;
mod kinematics;
mod lagged_dynamics;
mod mass_matrix;
mod measurement;
mod method;
pub mod model;
mod nearest;
mod operational_compliance;
mod operator;
mod oscillators;
mod plain;
mod rank;
mod reactions;
mod solution;
#[cfg(feature = "lab")]
pub mod stages;
mod state;
mod step;
mod sweep;
mod terms;
#[cfg(feature = "testkit")]
pub mod testkit;
mod validity;
mod workspace;

pub use access::AccessError;
pub use closure::{
    Actuation, ActuationWorkspace, Assembly, ClosureRank, Hold, Impact, RedundantEquation, Separation, actuator_forces,
    assemble, close_speeds, closure_deviations, closure_rank, closure_separation, hold, strike,
};
pub use derivative::{
    Derivatives, Parameter, Regressor, RegressorColumn, TreeDerivatives, forward_dynamics_derivatives,
    hybrid_dynamics_derivatives, inverse_dynamics_derivatives, inverse_dynamics_regressor,
};
pub use energy::{Energy, Momentum, Power};
pub use error::DynamicsError;
pub use inputs::{EquationMotion, Inputs, Wrench, WrenchFrame};
pub use kinematics::Kinematics;
pub use lagged_dynamics::LaggedDynamics;
pub use measurement::Measurement;
pub use method::Method;
pub use model::{
    Actuator, BODY_LIMIT, Body, BodyIndex, BodyPhysics, BuildError, Closure, ClosureCoordinate, ClosureHandle,
    ClosureKind, Constraint, CoupledHinge, DifferentStructure, ElasticRotation, Fidelity, Freedom, Hinge, HingeHandle,
    HingeKind, InertiaConvention, MODE_LIMIT, ModalInertia, ModalMatrix, ModeHandle, Model, ModelBuilder, ModelStamp,
    Modes, MotorHandle, Mount, NameError, Node, NodeHandle, NodeIndex, NodeLabel, NonlinearStiffness, Parent, Problem,
    SHAPE_LIMIT, SecondOrderShape, System,
};
pub use nearest::nearest;
pub use operator::{ArticulatedBody, MassOperator};
pub use plain::{
    bias_forces, closure_jacobian, composite_forward_dynamics, energy, forward_dynamics, forward_dynamics_by,
    hybrid_dynamics, inverse_dynamics, kinematics, kinematics_with, kinetic_energies, mass_matrix, mass_operator,
    momentum, node_compliances, node_jacobian, operational_compliance, operational_inertia, power, reactions, reclose,
};
pub use solution::Solution;
pub use state::State;
pub use step::StepWorkspace;
pub use supple_spatial as spatial;
pub use terms::Terms;
pub use validity::{Departure, Sign, Validity, ValidityLimits};
pub use workspace::{DenseWorkspace, Workspace};
