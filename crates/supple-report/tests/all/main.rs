//! The page, its numbers, pictures, servers and recordings.

#[path = "../foxglove_support/mod.rs"]
mod foxglove_support;

mod foxglove;
mod looks;
mod page;
mod pictures;
mod poses;
mod recording;
mod server;
mod strain;
