//! The book of `docs/`, and the papers at the root, as their tests read them: pages, links, code blocks.
//!
//! A block of code in a page is something that a test has run. What kind it is, its language and the comment in front of it say: see
//! [`block::Use`]. Blocks of Rust are compiled and run as the examples of this crate (`examples.rs`), commands and files by
//! `crates/supple-cli/tests/papers/pages.rs`.

pub mod block;
#[cfg(doctest)]
mod examples;
pub mod link;
pub mod page;
pub mod reference;
#[cfg(feature = "site")]
pub mod site;
