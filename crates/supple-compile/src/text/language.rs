//! The words of each language.

use super::table;
use crate::program::{Program, is_truth};
use crate::schedule::Parts;
use std::fmt::Write as _;
use supple::spatial::scalar::traced::{Binary, Operation, Unary};

/// A language that programs are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Language {
    /// C99 with `math.h` alone: no allocation, no recursion, no globals.
    C,
    /// Rust without the standard library; `libm` where a program needs elementary functions.
    Rust,
    /// CUDA C++: a device function, and a kernel that runs it for many instances, one after the other in memory for each number.
    Cuda,
}

impl Language {
    /// Ending of source files.
    pub fn extension(self) -> &'static str {
        match self {
            Self::C => "c",
            Self::Rust => "rs",
            Self::Cuda => "cu",
        }
    }

    /// Ending of header files.
    pub(super) fn header_extension(self) -> Option<&'static str> {
        (self == Self::C).then_some("h")
    }

    /// What the header says.
    pub(super) fn header(self, program: &Program, parts: &Parts) -> String {
        if self != Self::C {
            return String::new();
        }
        let (name, upper) = (&program.name, program.name.to_uppercase());
        let (inputs, outputs) = (program.inputs.len(), program.outputs.len());
        format!(
            "/* {name}: generated from a model; do not edit.\n\n   Inputs, in[]:\n{}\n   Outputs, out[]:\n{}*/\n#ifndef SUPPLE_{upper}_H\n\
             #define SUPPLE_{upper}_H\n\n#define SUPPLE_{upper}_INPUTS {inputs}\n#define SUPPLE_{upper}_OUTPUTS {outputs}\n\n\
             /* 0, or the number of the first condition that does not hold, from 1: a number that is not finite, a quaternion that is not of\n   \
             unit length, a singular configuration. The outputs mean nothing then. {} bytes of stack for numbers that parts hand on. */\n\
             int supple_{name}(const double in[{inputs}], double out[{outputs}]);\n\n#endif\n",
            table(&program.inputs, "   "),
            table(&program.outputs, "   "),
            8 * parts.size,
        )
    }

    /// The first lines of a source file.
    pub(super) fn opening(self, program: &Program) -> String {
        let name = &program.name;
        match self {
            Self::C => format!("#include \"{name}.h\"\n#include <math.h>\n\n"),
            Self::Rust | Self::Cuda => {
                let what = format!("{name}: generated from a model; do not edit.");
                let tables = |start: &str| {
                    format!("{}{start}\n{}", table(&program.inputs, start), table(&program.outputs, start))
                };
                let comment = if self == Self::Rust { "//! " } else { "// " };
                let mut text =
                    format!("{comment}{what}\n{comment}\n{comment}Inputs, then outputs:\n{}", tables(comment));
                if self == Self::Rust {
                    text += "#![allow(clippy::all, unused_mut, unused_parens)]\n\n";
                    let _ =
                        writeln!(text, "/// Numbers that go in.\npub const INPUTS: usize = {};", program.inputs.len());
                    let _ = writeln!(
                        text,
                        "/// Numbers that come out.\npub const OUTPUTS: usize = {};\n",
                        program.outputs.len()
                    );
                } else {
                    let _ = writeln!(text, "#include <math.h>\n");
                }
                text
            }
        }
    }

    /// The first lines of a part; a program of one part is its only function.
    pub(super) fn function_head(self, program: &Program, parts: &Parts, index: usize) -> String {
        let (name, one) = (&program.name, parts.ranges.len() == 1);
        let (inputs, outputs) = (program.inputs.len(), program.outputs.len());
        let unused = if inputs == 0 { "    (void)in;\n" } else { "" };
        match (self, one) {
            (Self::C, true) => format!(
                "int supple_{name}(const double in[{inputs}], double out[{outputs}])\n{{\n    int status = 0;\n{unused}"
            ),
            (Self::C, false) => format!(
                "static int part{index}(const double *in, double *kept, double *out, int status)\n{{\n    (void)in;\n    (void)kept;\n    \
                 (void)out;\n"
            ),
            (Self::Cuda, true) => format!(
                "__device__ int supple_{name}(const double *in, double *out, long stride)\n{{\n    int status = 0;\n"
            ),
            (Self::Cuda, false) => format!(
                "static __device__ int part{index}(const double *in, double *kept, double *out, long stride, int status)\n{{\n    \
                 (void)in;\n    (void)kept;\n    (void)out;\n    (void)stride;\n"
            ),
            (Self::Rust, true) => format!(
                "/// Zero, or the number of the first condition that does not hold.\npub fn {name}(x: &[f64; INPUTS], out: &mut [f64; \
                 OUTPUTS]) -> usize {{\n    let mut status = 0;\n"
            ),
            (Self::Rust, false) => format!(
                "fn part{index}(x: &[f64; INPUTS], kept: &mut [f64; {}], out: &mut [f64; OUTPUTS], mut status: usize) -> usize {{\n    \
                 let _ = (&x, &kept, &out);\n",
                parts.size
            ),
        }
    }

    /// The last line of a part.
    pub(super) fn function_end(self) -> String {
        match self {
            Self::C | Self::Cuda => "    return status;\n}\n\n".into(),
            Self::Rust => "    status\n}\n\n".into(),
        }
    }

    /// What follows the parts: the function that calls them, and the kernel.
    pub(super) fn closing(self, program: &Program, parts: &Parts) -> String {
        let mut text = String::new();
        let (name, size) = (&program.name, parts.size);
        if parts.ranges.len() > 1 {
            let (head, zeros) = match self {
                Self::C => {
                    let (inputs, outputs) = (program.inputs.len(), program.outputs.len());
                    (
                        format!("int supple_{name}(const double in[{inputs}], double out[{outputs}])\n{{\n"),
                        format!("    double kept[{}];\n    int status = 0;\n", size.max(1)),
                    )
                }
                Self::Cuda => (
                    format!("__device__ int supple_{name}(const double *in, double *out, long stride)\n{{\n"),
                    format!("    double kept[{}];\n    int status = 0;\n", size.max(1)),
                ),
                Self::Rust => (
                    format!(
                        "/// Zero, or the number of the first condition that does not hold.\npub fn {name}(x: &[f64; INPUTS], out: &mut \
                         [f64; OUTPUTS]) -> usize {{\n"
                    ),
                    format!("    let mut kept = [0.0; {size}];\n    let mut status = 0;\n"),
                ),
            };
            text += &head;
            text += &zeros;
            for index in 0..parts.ranges.len() {
                let _ = match self {
                    Self::C => writeln!(text, "    status = part{index}(in, kept, out, status);"),
                    Self::Cuda => writeln!(text, "    status = part{index}(in, kept, out, stride, status);"),
                    Self::Rust => writeln!(text, "    status = part{index}(x, &mut kept, out, status);"),
                };
            }
            text += &self.function_end();
        }
        if self == Self::Cuda {
            let _ = write!(
                text,
                "// Runs {name} for `count` instances: number i of instance k is at in[i * count + k].\n\
                 extern \"C\" __global__ void supple_{name}_all(const double *in, double *out, int *status, long count)\n{{\n    \
                 long k = blockIdx.x * (long)blockDim.x + threadIdx.x;\n    if (k < count) status[k] = supple_{name}(in + k, out + k, \
                 count);\n}}\n"
            );
        }
        text
    }

    /// A local name for a number or a truth value.
    pub(super) fn definition(self, operation: &Operation, at: usize, value: &str) -> String {
        match (self, is_truth(operation)) {
            (Self::C | Self::Cuda, false) => format!("    const double v{at} = {value};"),
            (Self::C | Self::Cuda, true) => format!("    const int v{at} = {value};"),
            (Self::Rust, _) => format!("    let v{at} = {value};"),
        }
    }

    pub(super) fn input(self, i: u32) -> String {
        match self {
            Self::C => format!("in[{i}]"),
            Self::Cuda => format!("in[{i} * stride]"),
            Self::Rust => format!("x[{i}]"),
        }
    }

    pub(super) fn output(self, i: usize, value: &str) -> String {
        match self {
            Self::C | Self::Rust => format!("    out[{i}] = {value};"),
            Self::Cuda => format!("    out[{i} * stride] = {value};"),
        }
    }

    /// Hands a number or a truth value on to later parts.
    pub(super) fn keep(self, operation: &Operation, slot: u32, value: &str) -> String {
        match self == Self::Rust && is_truth(operation) {
            true => format!("    kept[{slot}] = f64::from(u8::from({value}));"),
            false => format!("    kept[{slot}] = {value};"),
        }
    }

    /// What an earlier part handed on.
    pub(super) fn kept(self, operation: &Operation, slot: u32) -> String {
        if is_truth(operation) { format!("kept[{slot}] != 0.0") } else { format!("kept[{slot}]") }
    }

    pub(super) fn condition(self, i: usize, value: &str, held: bool) -> String {
        let (number, not) = (i + 1, if held { "!" } else { "" });
        match self {
            Self::C | Self::Cuda => format!("    if ({not}{value} && status == 0) status = {number};"),
            Self::Rust => format!("    if {not}{value} && status == 0 {{\n        status = {number};\n    }}"),
        }
    }

    /// A constant with all its digits.
    pub(super) fn constant(self, value: f64) -> String {
        let digits = match (self, value) {
            (Self::Rust, v) if v.is_nan() => "f64::NAN".into(),
            (_, v) if v.is_nan() => "NAN".into(),
            (Self::Rust, v) if v.is_infinite() => "f64::INFINITY".into(),
            (_, v) if v.is_infinite() => "INFINITY".into(),
            (_, v) => format!("{:?}", v.abs()),
        };
        if value.is_sign_negative() && !value.is_nan() { format!("(-{digits})") } else { digits }
    }

    pub(super) fn unary(self, f: Unary, a: &str) -> String {
        match (self, f) {
            (_, Unary::Negative) => format!("-{a}"),
            (_, Unary::Not) => format!("!{a}"),
            (Self::Rust, Unary::IsFinite) => format!("{a}.is_finite()"),
            (Self::C | Self::Cuda, Unary::IsFinite) => format!("isfinite({a}) != 0"),
            (Self::Rust, _) => format!("libm::{}({a})", word(f)),
            (Self::C | Self::Cuda, _) => format!("{}({a})", word(f)),
        }
    }

    pub(super) fn binary(self, f: Binary, a: &str, b: &str) -> String {
        match (f, self) {
            (Binary::Sum, _) => format!("{a} + {b}"),
            (Binary::Difference, _) => format!("{a} - {b}"),
            (Binary::Product, _) => format!("{a}*{b}"),
            (Binary::Quotient, _) => format!("{a}/{b}"),
            (Binary::Less, _) => format!("{a} < {b}"),
            (Binary::And, _) => format!("{a} && {b}"),
            (Binary::Or, _) => format!("{a} || {b}"),
            (Binary::ArcTangent, Self::Rust) => format!("libm::atan2({a}, {b})"),
            (Binary::ArcTangent, _) => format!("atan2({a}, {b})"),
        }
    }

    pub(super) fn fused(self, a: &str, b: &str, c: &str) -> String {
        match self {
            Self::C | Self::Cuda => format!("fma({a}, {b}, {c})"),
            Self::Rust => format!("libm::fma({a}, {b}, {c})"),
        }
    }

    pub(super) fn select(self, mask: &str, yes: &str, no: &str) -> String {
        match self {
            Self::C | Self::Cuda => format!("{mask} ? {yes} : {no}"),
            Self::Rust => format!("if {mask} {{ {yes} }} else {{ {no} }}"),
        }
    }
}

/// Names that C and `libm` share.
fn word(f: Unary) -> &'static str {
    match f {
        Unary::SquareRoot => "sqrt",
        Unary::Sine => "sin",
        Unary::Cosine => "cos",
        Unary::Logarithm => "log",
        Unary::Exponential => "exp",
        Unary::HyperbolicTangent => "tanh",
        Unary::Negative | Unary::IsFinite | Unary::Not => "",
    }
}
