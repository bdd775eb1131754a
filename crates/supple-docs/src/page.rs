//! Pages: those that `docs/SUMMARY.md` names, in its order, and the papers at the root.

use std::fs;
use std::path::{Path, PathBuf};

use crate::link;

/// Papers that are not part of the book and stand under the same rules.
const PAPERS: [&str; 3] = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"];

/// A page of the book or a paper at the root.
#[derive(Debug, Clone)]
pub struct Page {
    /// Path from the root of the project, with `/`.
    pub path: String,
    /// What is in the file.
    pub text: String,
}

/// Root of the project.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A page by its path from the root.
///
/// # Panics
/// If the file cannot be read: tests have nothing to go on with.
pub fn page(path: &str) -> Page {
    let text = fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    Page { path: path.to_owned(), text }
}

/// The pages of the book, in the order of its table of contents.
pub fn book() -> Vec<Page> {
    let summary = page("docs/SUMMARY.md");
    let targets = link::links(&summary.text).into_iter().map(|link| link.target);
    targets.map(|target| page(&format!("docs/{target}"))).collect()
}

/// The papers at the root, then the book.
pub fn all() -> Vec<Page> {
    let mut pages: Vec<Page> = PAPERS.iter().map(|path| page(path)).collect();
    pages.extend(book());
    pages
}
