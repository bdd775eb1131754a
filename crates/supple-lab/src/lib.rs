//! What serves comparison and proof: `supple bench`, `cost`, `study` and `eval` are thin commands over these modules.
//!
//! | module    | gives                                                                            |
//! |-----------|----------------------------------------------------------------------------------|
//! | [`bench`](mod@bench) | times and instructions of every verb on standard systems and on users' robots    |
//! | [`cost`]  | operation counts of the algorithms, with those that papers print                 |
//! | [`study`] | published tables: what was printed, and what comes out here                      |
//! | [`book`](mod@book)  | Book's recursive Lagrangian: another formulation of the dynamics of serial arms  |
//! | [`operators`] | spatial operators as dense matrices: proofs of the recursions                     |
//! | [`linearised`](mod@linearised) | Damaren and Sharf's models of flexible arms, term by term                     |
//! | [`eval`]  | answers to reference cases                                                       |
//!
//! Every entry writes its rows to a writer of the caller's and returns a [`LabError`]; none of them prints, exits or reads options.
#![forbid(unsafe_code)]

pub mod bench;
pub mod book;
pub mod cost;
mod error;
pub mod eval;
mod format;
pub mod linearised;
pub mod operators;
pub mod study;

pub use error::LabError;
pub use format::Format;
