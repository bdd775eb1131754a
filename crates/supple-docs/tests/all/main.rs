//! The book: links, blocks, theory, reference pages, and that it can be built.

mod blocks;
mod build;
mod links;
mod reference;
mod theory;
