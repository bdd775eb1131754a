//! The recursions, one per file. "Outward" runs from base to tips, "inward" from tips to base.

pub(crate) mod acceleration;
pub(crate) mod applied;
pub(crate) mod articulation;
pub(crate) mod bias;
pub(crate) mod compliance;
pub(crate) mod composite_force;
pub(crate) mod composite_inertia;
pub(crate) mod configuration;
pub(crate) mod count;
pub(crate) mod crossing;
pub(crate) mod elimination;
pub(crate) mod hinge;
pub(crate) mod lagged;
pub(crate) mod loads;
pub(crate) mod modal_mass;
pub(crate) mod motion;
pub(crate) mod newton_euler;
pub(crate) mod port;
pub(crate) mod pose;
pub(crate) mod velocity;
