//! Book's formulation and operation counts.

mod book;
mod book_arm;
mod book_convergence;
mod book_no_alloc;
mod book_terms;
mod cost;
#[path = "../../../supple/tests/counting_allocator/mod.rs"]
mod counting_allocator;
