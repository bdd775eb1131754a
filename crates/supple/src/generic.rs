//! The verbs for any [`Scalar`](crate::spatial::Scalar): derivatives, lanes, single precision, counted operations.
//!
//! [`Model::cast`](crate::Model::cast) gives a model of another scalar. For `f64` the functions of the same names at the root of the crate do
//! the same and are compiled already.
//!
//! ```
//! use supple::spatial::Dual;
//! use supple::{Body, Hinge, HingeKind, Inputs, ModelBuilder, Parent, State, Workspace, generic};
//!
//! let mut builder = ModelBuilder::new();
//! builder.gravity([0.0, 0.0, -9.81]);
//! let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 1.0, 0.0] });
//! let inertia = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]];
//! builder.body(Body::rigid("bob", Parent::Ground, hinge, 1.0, [0.0, 0.0, -1.0], inertia));
//! let model = builder.build()?.cast::<Dual<f64>>();
//!
//! let (mut state, inputs, mut workspace) = (State::new(&model), Inputs::new(&model), Workspace::new(&model));
//! state.coordinates[0] = Dual { value: 0.5, derivative: 1.0 };
//! let solution = generic::forward_dynamics(&model, &state, &inputs, &mut workspace)?;
//! assert!((solution.accelerations()[0].derivative + 9.81 * 0.5_f64.cos()).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use crate::closure::{closure_jacobian, settle};
pub use crate::derivative::stage::tree_derivatives;
pub use crate::energy::{energy, kinetic_energies, momentum, power};
pub use crate::forward_dynamics::{composite_forward_dynamics, forward_dynamics, forward_dynamics_by, reclose};
pub use crate::hybrid_dynamics::hybrid_dynamics;
pub use crate::inverse_dynamics::{bias_forces, inverse_dynamics};
pub use crate::kinematics::{kinematics, kinematics_with, node_jacobian};
pub use crate::mass_matrix::mass_matrix;
pub use crate::operational_compliance::{node_compliances, operational_compliance, operational_inertia};
pub use crate::operator::mass_operator;
pub use crate::reactions::reactions;
pub use crate::step::{
    LINEARLY_IMPLICIT_PLACES, RUNGE_KUTTA_PLACES, RUNGE_KUTTA_STAGES, RungeKuttaPoints, StageInputs,
    linearly_implicit_step, runge_kutta_end, runge_kutta_stage, runge_kutta_step,
};
