//! How much memory reading and writing take. The allocator counts for the whole process: one test at a time.

#[path = "../results_support/mod.rs"]
mod results_support;
#[path = "../support/mod.rs"]
mod support;

mod measured;
mod reading;
mod writing;
