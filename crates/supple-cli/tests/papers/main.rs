//! What the papers of the project say is what the command does.

#[path = "../gallery_support/mod.rs"]
mod gallery_support;
#[path = "../pages_support/mod.rs"]
mod pages_support;
#[path = "../run_support/mod.rs"]
mod run_support;

mod book;
mod figure2;
mod gallery;
mod growth;
mod pages;
mod patent;
mod pictures;
mod project;
mod seeds;
mod shuttle;
mod study;

use std::path::PathBuf;

/// The command that the papers tell of: the program that `SUPPLE_PROGRAM` names, or the one of this build. `./test` names that of the release, which
/// the papers build as well.
fn program() -> PathBuf {
    std::env::var_os("SUPPLE_PROGRAM").unwrap_or_else(|| env!("CARGO_BIN_EXE_supple").into()).into()
}
