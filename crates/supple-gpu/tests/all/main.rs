//! Batches on a GPU, tested without one: the driver and the compiler of `stand_in.cpp` run kernels on this processor.

mod driven;
mod fleets;
mod missing;
mod precision;
mod stand_in;
mod verbs;
