//! Book's formulation, operation counts, spatial operators.

mod book;
mod book_arm;
mod book_convergence;
mod book_no_alloc;
mod book_terms;
mod cost;
#[path = "../../../supple/tests/counting_allocator/mod.rs"]
mod counting_allocator;
mod modal_orders;
mod spatial_operators;
mod tree_operators;
