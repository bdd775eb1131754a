//! Force elements: springs, dampers, friction, stops, fields, and what users add.
//!
//! An element has ports, parameters and a law. Ports say where it acts; the law is one function, generic over the scalar, that gives
//! forces, stored energy and power from what the ports measure. Elements are part of the [`System`](crate::System), so that every verb,
//! scalar, batch, scheme and the energy ledger see them.
//!
//! | law                | ports                  | force                                               | stores                 | takes             |
//! |--------------------|------------------------|-----------------------------------------------------|------------------------|-------------------|
//! | [`HingeSpring`]    | hinge                  | `-k (θ - θ₀)`                                       | `½ k (θ - θ₀)²`        | nothing           |
//! | [`HingeDamping`]   | hinge                  | `-c β`                                              | nothing                | `c β²`            |
//! | [`HingeFriction`]  | hinge                  | `-f tanh(β / s)`                                    | nothing                | `f β tanh(β / s)` |
//! | [`HingeStops`]     | hinge                  | `∓k d (1 + e ḋ)`, never pulling, at depth `d > 0`   | `½ k d²`               | `k d e ḋ²`        |
//! | [`HingeCoupling`]  | two hinges             | `∓(k δ + c δ̇)`, `δ = θ_a - i θ_b - δ₀`              | `½ k δ²`               | `c δ̇²`            |
//! | [`SpringDamper`]   | two nodes              | `P + k (L - L₀) + c L̇` along the line               | `P (L - L₀) + ½ k (L - L₀)²` | `c L̇²`      |
//! | [`Bushing`]        | two nodes              | along and about the axes of the first               | `½ d·K d + ½ θ·Kθ θ`   | `ḋ·C ḋ + θ̇·Cθ θ̇`  |
//! | [`ConstantForce`]  | node                   | constant in inertial axes                           | `-F·x`                 | nothing           |
//! | [`FollowerForce`]  | node                   | constant in the axes of the node                    | nothing; supplies power | nothing          |
//! | [`Motor`]          | hinge                  | an input                                            | nothing; supplies power | nothing          |
//! | [`PointMassField`] | bodies                 | gravity of a point mass, with its gradient          | its potential          | nothing           |
//!
//! What takes a hinge takes a coordinate of a [closure](crate::ClosureKind::coordinates) as well, and acts while that is closed.
//!
//! To add one: a file with a type that implements [`ForceLaw`], and its name in the list below.

mod bushing;
mod constant_force;
mod element;
mod follower_force;
mod hinge_coupling;
mod hinge_damping;
mod hinge_friction;
mod hinge_spring;
mod hinge_stops;
mod joint_port;
mod law;
mod motor;
mod point_mass_field;
mod port;
mod spring_damper;
mod tangent;

pub use bushing::Bushing;
pub use constant_force::ConstantForce;
pub use element::{ForceElement, UnlistedScalar};
pub use follower_force::FollowerForce;
pub use hinge_coupling::HingeCoupling;
pub use hinge_damping::HingeDamping;
pub use hinge_friction::HingeFriction;
pub use hinge_spring::HingeSpring;
pub use hinge_stops::HingeStops;
#[doc(hidden)]
pub use law::Evaluation;
pub use law::{ForceLaw, Law, Rule};
pub use motor::Motor;
pub use point_mass_field::PointMassField;
pub use port::{Effect, Measured, Port, PortKind};
pub use spring_damper::SpringDamper;
pub use tangent::ElementTangents;

pub(crate) use element::{ElementData, Elements, PortPlace};
pub(crate) use joint_port::{JointPort, MOST_PORTS, SeenPort};
pub(crate) use port::{Energies, PortForce, PortState};
pub(crate) use tangent::directions;

crate::force_element!(
    HingeSpring,
    HingeDamping,
    HingeFriction,
    HingeStops,
    HingeCoupling,
    SpringDamper,
    Bushing,
    ConstantForce,
    FollowerForce,
    PointMassField,
    Motor,
);
