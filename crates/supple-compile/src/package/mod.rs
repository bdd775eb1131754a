//! Programs as a folder of files: code, reference vectors, and a program that compares one with the other.

mod c;
mod casadi;
mod cuda;
mod rust;

pub use cuda::STAND_INS;

use crate::program::Program;
use crate::reference::Reference;
use crate::text::{Lanes, Style};
use std::collections::HashSet;

/// A file by its name in the folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its name.
    pub name: String,
    /// What it says.
    pub text: String,
}

impl File {
    fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into() }
    }
}

/// A program with its reference vectors.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The program.
    pub program: Program,
    /// What the engine gives.
    pub reference: Reference,
    /// What the last inputs are at first, where the last outputs go in there again: the memory of a controller.
    pub memory: Vec<f64>,
}

/// What the code is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// C99.
    C,
    /// C99 that CasADi and acados load, with derivatives.
    Casadi,
    /// Rust without the standard library, as a package of Cargo.
    Rust,
    /// CUDA C++.
    Cuda,
}

impl Target {
    /// How the check in a folder is built and run.
    pub fn check_command(self, folder: &str) -> String {
        match self {
            Self::C => format!("cc -O2 -std=c99 {folder}/*.c -lm -o check && ./check"),
            Self::Casadi => format!(
                "cc -O2 -std=c99 {folder}/*.c -lm -o check && ./check    (for CasADi: cc -O2 -shared -fPIC {folder}/*.c -lm -o {folder}/casadi.so)"
            ),
            Self::Rust => format!("rustc --edition 2021 -O {folder}/check.rs -o check && ./check"),
            Self::Cuda => {
                format!(
                    "nvcc -O2 {folder}/check.cu -o check && ./check    (without a GPU: c++ -O2 -x c++ {folder}/check.cu -o check)"
                )
            }
        }
    }
}

/// The first line of every file that this crate writes has these words.
pub const MARK: &str = crate::text::frame::MARK;

/// All files for a target: code of every program, reference vectors, check. Vectors of `lanes` instances are for C alone.
pub fn files(units: &[Unit], target: Target, style: Style, lanes: &[Lanes]) -> Vec<File> {
    let units = named_apart(units);
    match target {
        Target::C => c::files(&units, style, lanes),
        Target::Casadi => casadi::files(&units, style),
        Target::Rust => rust::files(&units, style),
        Target::Cuda => cuda::files(&units, style),
    }
}

/// Programs with names of their own.
fn named_apart(units: &[Unit]) -> Vec<Unit> {
    // Names of files beside the code.
    let mut taken: HashSet<String> = ["check", "reference", "lib", "math"].map(String::from).into();
    let mut out = units.to_vec();
    for unit in &mut out {
        let (own, mut count) = (unit.program.name.clone(), 1);
        while !taken.insert(unit.program.name.to_lowercase()) {
            count += 1;
            unit.program.name = format!("{own}_{count}");
        }
    }
    out
}

/// A number in C, C++ and, with another word for what is infinite, in Rust.
fn number(x: f64, infinity: &str) -> String {
    match x.is_finite() {
        true => format!("{x:?}"),
        false if x < 0.0 => format!("-{infinity}"),
        false => infinity.into(),
    }
}

/// Numbers after each other, some in a line.
fn numbers(list: &[f64], infinity: &str) -> String {
    let lines: Vec<String> =
        (list.chunks(6)).map(|line| line.iter().map(|x| number(*x, infinity)).collect::<Vec<_>>().join(", ")).collect();
    lines.join(",\n     ")
}
