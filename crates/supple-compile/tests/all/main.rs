//! Programs against the engine that they were recorded from.

mod agreement;
mod code;
mod guard;
mod parameters;
