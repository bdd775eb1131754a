//! Examples, what their runs give, their pictures and their page.

pub mod analytic;
pub mod closed_chains;
pub mod example;
pub mod measure;
pub mod page;
pub mod picture;
