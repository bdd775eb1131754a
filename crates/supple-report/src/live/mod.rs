//! The page of a run that goes on, over a server for this machine alone.
//!
//! | module        | content                                                                      |
//! |---------------|------------------------------------------------------------------------------|
//! | [`broadcast`] | what has come so far, for any number of readers                              |
//! | [`server`]    | answers browsers on the loopback address                                     |
//! | `request`     | what a browser asks                                                          |
//! | `places`      | how many there may be, and who gives way                                     |
//!
//! A page holds everything up to the moment it was asked for and then asks for events, each a batch of rows (server-sent events, so that a
//! browser that lost the connection takes it up again where it was). Reloading and further readers therefore need nothing of their own.

pub mod broadcast;
mod places;
pub(crate) mod request;
pub mod server;

pub use broadcast::Broadcast;
pub use server::{Server, Source};
