//! Programs against the engine that they were recorded from.

mod agreement;
mod cases;
mod code;
mod controller;
mod counts;
mod driven;
mod family;
mod functions;
mod guard;
mod native;
mod parameters;
mod rows;
mod steps;
