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
mod project;
mod study;
