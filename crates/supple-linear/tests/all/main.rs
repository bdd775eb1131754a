//! Equilibria, linear models and system modes against exact equations, other formulations and motion in time.

mod support;

mod arm;
mod beams;
mod damped;
mod designed_damping;
mod equilibria;
mod four_bar;
mod inverse_kinematics;
mod names;
mod regulators;
mod response;
mod rotating_beam;
mod spinning_body;
