//! The `supple` command as a function, for programs that offer it: the program `supple` and the Python package.
#![forbid(unsafe_code)]

mod arguments;
mod bode;
mod check;
mod compare;
mod compile;
mod completions;
mod design;
mod equilibrium;
mod identify;
mod import;
mod lab;
mod linear;
mod man;
mod modes;
mod operating;
mod optimise;
mod options;
mod output;
mod picture;
mod processor;
mod realtime;
mod report;
mod run;
mod schema;
mod search;
mod signals;
mod state;
mod status;
mod sweep;
mod view;

pub use arguments::run as command;
pub use processor::is_sufficient as is_processor_sufficient;
pub use status::Status;
