//! Random systems and a dense, independent calculation to check the engine against.
//!
//! No recursive algorithm is used. [`answer`](fn@answer) writes the velocity of every node as a
//! function of configuration and speeds, takes its Jacobian by unit speeds and its rate along the
//! motion by dual numbers, and adds up the nodes; the equations of motion are then a dense matrix
//! and a vector. It costs O(n³) and is meant to be read, not to be fast. With the engine it shares
//! the description of a system and three-dimensional algebra, and no formula of dynamics.
//!
//! | file            | what it holds                                                        |
//! |-----------------|----------------------------------------------------------------------|
//! | `layout`        | where each body's numbers lie in the state vectors                   |
//! | `deformation`   | displacements of nodes and their rates                               |
//! | `attitude`      | rotation matrices and angular velocities as their rates              |
//! | `hinge`         | the relative motion of each hinge kind                               |
//! | `kinematics`    | poses and velocities of the bodies, on any scalar                    |
//! | `inertia`       | inertial force of a body: Newton-Euler and Lagrange                  |
//! | `constant`      | accelerations where a body keeps its undeformed inertia              |
//! | `elasticity`    | elastic force, damping and elastic energy                            |
//! | `elements`      | force elements from their definitions                                |
//! | `closures`      | [`constraints`]: equations of closures, and the dense solution with them |
//! | `dense`         | Cholesky solution, eigenvalues, condition number                     |
//! | `oracle`        | [`answer`](fn@answer), which puts them together                      |
//! | `answer`        | what it gives                                                        |
//! | `reactions`     | [`wrenches`]: of hinges and nodes, every hinge cut                   |
//! | `trajectory`    | [`trajectory`](fn@trajectory): the motion in time                    |
//! | `generator`     | deterministic random numbers                                         |
//! | `random`        | [`random_system`]: trees of every kind of body and hinge             |
//! | `random_body`   | their bodies                                                         |
//! | `random_closures` | their closures                                                     |
//! | `random_shapes` | their second-order shapes                                            |
//! | `random_state`  | their states                                                         |
//! | `random_elements` | force elements and motors on them                                  |
//! | `chain`         | [`serial_chain`]: beams in a row with mass-normalised modes          |
//! | `census`        | [`Census`]: what a sample of systems contains                        |
//! | `closeness`     | [`assert_close`] and [`tolerance`]                                   |
//! | `worst`         | [`Worst`]: the largest ratio of error to tolerance of every quantity |
//! | `verbs`         | [`EveryVerb`]: all verbs behind one call                             |
//! | `compiled`      | the same on other scalars, compiled once for tests of all crates     |
//! | `prepare`       | [`Prepared`]: model, state and inputs of the engine                  |
//!
//! The state, in slices:
//! - coordinates, body by body: deformation `η`, then the hinge's coordinates;
//! - speeds, body by body: `η̇`, then the hinge's speeds;
//! - attitudes, only with [`ElasticRotation::Integrated`](crate::model::ElasticRotation): one
//!   quaternion `(x, y, z, w)` per entry of [`Layout::attitudes`].

mod answer;
mod attitude;
mod census;
mod chain;
mod closeness;
mod closures;
#[cfg(feature = "scalars")]
mod compiled;
mod constant;
mod deformation;
mod dense;
mod elasticity;
mod elements;
mod generator;
mod hinge;
#[cfg(test)]
mod identities;
mod inertia;
mod kinematics;
mod layout;
mod oracle;
mod prepare;
mod random;
mod random_body;
mod random_closures;
mod random_elements;
mod random_shapes;
mod random_state;
mod reactions;
mod trajectory;
mod verbs;
mod worst;

pub use answer::{Answer, Bias, Energy, NodalWrench};
pub use census::Census;
pub use chain::{ChainOptions, serial_chain};
pub use closeness::{Components, assert_close, relative_difference, tolerance};
pub use closures::{Constraints, constraints};
#[cfg(feature = "scalars")]
pub use compiled::verbs_on_other_scalars;
pub use dense::{cholesky, condition_number, eigenvalues, solve};
pub use generator::Generator;
pub use layout::Layout;
pub use oracle::answer;
pub use prepare::{Prepared, moving};
pub use random::{RandomOptions, random_system};
pub use random_elements::ELEMENT_KINDS;
pub use random_state::RandomState;
pub use reactions::{Wrenches, wrenches};
pub use trajectory::trajectory;
pub use verbs::{EveryVerb, Verb};
pub use worst::Worst;
