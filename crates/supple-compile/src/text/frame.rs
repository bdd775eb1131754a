//! What stands around the operations: comments, declarations, heads of functions, and the function that calls the parts.

use super::{Language, sine, table};
use crate::program::Program;
use crate::schedule::Parts;
use std::fmt::Write as _;

/// The first line of all files, by which later calls know their own.
pub(crate) const MARK: &str = "Written by supple compile; do not edit.";

/// What a status means.
const STATUS: &str = "0, or the number of the first condition that does not hold, from 1: a number that is not finite, a quaternion that is not\n   \
                      of unit length, a singular configuration, another set of equations of closures. The outputs are then invalid.\n   \
                      in[] and out[] may not overlap.";

impl Language {
    /// The declaration of the function.
    fn signature(self, program: &Program) -> String {
        let (inputs, outputs) = (program.inputs.len().max(1), program.outputs.len().max(1));
        let name = format!("supple_{}{}", program.name, self.suffix());
        match self {
            Self::C => format!("int {name}(const double in[{inputs}], double out[{outputs}])"),
            Self::CLanes(lanes) => {
                let n = lanes.count();
                format!("void {name}(const double in[{}], double out[{}], int status[{n}])", n * inputs, n * outputs)
            }
            Self::Cuda => {
                format!(
                    "static __device__ int {name}(const real *__restrict__ in, real *__restrict__ out, long long stride)"
                )
            }
            Self::Rust => format!("pub fn {}(x: &[f64; INPUTS], out: &mut [f64; OUTPUTS]) -> usize", program.name),
        }
    }

    /// What the header says.
    pub(super) fn header(self, program: &Program, parts: &Parts) -> String {
        if !matches!(self, Self::C | Self::CLanes(_)) {
            return String::new();
        }
        let name = format!("{}{}", program.name, self.suffix());
        let upper = name.to_uppercase();
        let (inputs, outputs) = (program.inputs.len(), program.outputs.len());
        let (order, lanes) = match self {
            Self::CLanes(lanes) => {
                let n = lanes.count();
                (
                    format!(
                        "\n   {n} instances at once: number i of instance k is in[{n} * i + k] and out[{n} * i + k].\n"
                    ),
                    n,
                )
            }
            _ => (String::new(), 1),
        };
        format!(
            "/* {MARK}\n\n   {name}\n{order}\n   Inputs, in[]:\n{}\n   Outputs, out[]:\n{}*/\n#ifndef SUPPLE_{upper}_H\n\
             #define SUPPLE_{upper}_H\n\n#define SUPPLE_{upper}_INPUTS {inputs}\n#define SUPPLE_{upper}_OUTPUTS {outputs}\n\n\
             /* {}{STATUS}\n   Stack: {} bytes that parts hand on and, compiled with optimisation, about {} for numbers that leave registers. */\n{};\n\n#endif\n",
            table(&program.inputs, "   "),
            table(&program.outputs, "   "),
            if lanes > 1 { "Status of each instance: " } else { "Gives " },
            8 * lanes * parts.size,
            8 * lanes * program.pressure().most,
            self.signature(program),
        )
    }

    /// The first lines of a source file.
    pub(super) fn opening(self, program: &Program) -> String {
        let name = format!("{}{}", program.name, self.suffix());
        match self {
            Self::C => {
                format!("/* {MARK} */\n#include \"{name}.h\"\n#include <math.h>\n\n{}", sine::function(program))
            }
            Self::CLanes(lanes) => {
                let n = lanes.count();
                let all = vec!["x"; n].join(", ");
                format!(
                    "/* {MARK} */\n#include \"{name}.h\"\n#include \"{}.h\"\n#include <math.h>\n\n#if defined(__GNUC__)\n\n\
                     /* Numbers, truth values (all bits or none) and numbers in memory. */\n\
                     typedef double V __attribute__((vector_size({bytes})));\n\
                     typedef long long M __attribute__((vector_size({bytes})));\n\
                     typedef double U __attribute__((vector_size({bytes}), aligned(8), may_alias));\n\
                     #define C(x) ((V){{{all}}})\n\n{}",
                    program.name,
                    sine::function(program),
                    bytes = 8 * n
                )
            }
            Self::Rust | Self::Cuda => {
                let comment = if self == Self::Rust { "//! " } else { "// " };
                let (inputs, outputs) = (table(&program.inputs, comment), table(&program.outputs, comment));
                let end = comment.trim_end();
                let mut text = format!(
                    "{comment}{MARK}\n{end}\n{comment}{name}\n{end}\n{comment}Inputs:\n{inputs}{end}\n{comment}Outputs:\n{outputs}"
                );
                if self == Self::Rust {
                    let _ = write!(
                        text,
                        "#![allow(clippy::all, unused_mut, unused_parens, unused_variables)]\n\n/// Numbers that go in.\npub const INPUTS: usize \
                         = {};\n/// Numbers that come out.\npub const OUTPUTS: usize = {};\n\n",
                        program.inputs.len(),
                        program.outputs.len()
                    );
                } else {
                    text += REAL;
                }
                text
            }
        }
    }

    /// The first lines of a part; a program of one part is its only function.
    pub(super) fn function_head(self, program: &Program, parts: &Parts, index: usize) -> String {
        let (name, void) = (&program.name, "    (void)in;\n    (void)out;\n");
        match (self, parts.ranges.len() == 1) {
            (Self::C, true) => format!("{}\n{{\n    int status = 0;\n{void}", self.signature(program)),
            (Self::CLanes(_), true) => format!("{}\n{{\n    {}{void}", lanes_signature(self, program), LANES_STATUS),
            (Self::Cuda, true) => {
                format!("{}\n{{\n    int status = 0;\n{void}    (void)stride;\n", self.signature(program))
            }
            (Self::Rust, true) => {
                format!("{RUST_STATUS}{} {{\n    let mut status = 0;\n", self.signature(program))
            }
            (Self::C, false) => format!(
                "static int {name}_part{index}(const double *in, double *kept, double *out, int status)\n{{\n{void}    (void)kept;\n"
            ),
            (Self::CLanes(_), false) => format!(
                "static void {name}_part{index}(const double *in, V *kept, double *out, M *held)\n{{\n    M status = *held;\n{void}    \
                 (void)kept;\n"
            ),
            (Self::Cuda, false) => format!(
                "static __device__ int {name}_part{index}(const real *__restrict__ in, real *__restrict__ kept, real *__restrict__ out, long long stride, int status)\n{{\n{void}    \
                 (void)kept;\n    (void)stride;\n"
            ),
            (Self::Rust, false) => format!(
                "fn part{index}(x: &[f64; INPUTS], kept: &mut [f64; {}], out: &mut [f64; OUTPUTS], mut status: usize) -> usize {{\n",
                parts.size
            ),
        }
    }

    /// The last lines of a function.
    pub(super) fn function_end(self, is_part: bool) -> String {
        match (self, is_part) {
            (Self::C | Self::Cuda, _) => "    return status;\n}\n\n".into(),
            (Self::CLanes(_), true) => "    *held = status;\n}\n\n".into(),
            (Self::CLanes(lanes), false) => {
                format!("    for (int k = 0; k < {}; k++) told[k] = (int)status[k];\n}}\n\n", lanes.count())
            }
            (Self::Rust, _) => "    status\n}\n\n".into(),
        }
    }

    /// What follows the parts: the function that calls them, and what a language has beside it.
    pub(super) fn closing(self, program: &Program, parts: &Parts) -> String {
        let (mut text, count) = (String::new(), parts.ranges.len());
        if count > 1 {
            let (name, size) = (&program.name, parts.size.max(1));
            text += &match self {
                Self::C | Self::Cuda => {
                    let number = if self == Self::C { "double" } else { "real" };
                    format!("{}\n{{\n    {number} kept[{size}];\n    int status = 0;\n", self.signature(program))
                }
                Self::CLanes(_) => {
                    format!("{}\n{{\n    V kept[{size}];\n    {LANES_STATUS}", lanes_signature(self, program))
                }
                Self::Rust => format!(
                    "{RUST_STATUS}{} {{\n    let mut kept = [0.0; {}];\n    let mut status = 0;\n",
                    self.signature(program),
                    parts.size
                ),
            };
            for index in 0..count {
                let _ = match self {
                    Self::C => writeln!(text, "    status = {name}_part{index}(in, kept, out, status);"),
                    Self::CLanes(_) => writeln!(text, "    {name}_part{index}(in, kept, out, &status);"),
                    Self::Cuda => writeln!(text, "    status = {name}_part{index}(in, kept, out, stride, status);"),
                    Self::Rust => writeln!(text, "    status = part{index}(x, &mut kept, out, status);"),
                };
            }
            text += &self.function_end(false);
        }
        match self {
            Self::Cuda => text += &kernel(program),
            Self::CLanes(lanes) => text += &one_by_one(self, program, lanes.count()),
            Self::C | Self::Rust => {}
        }
        text
    }
}

const RUST_STATUS: &str =
    "/// Zero, or the number of the first condition that does not hold: the outputs are then invalid.\n";
const LANES_STATUS: &str = "M status = {0};\n";

/// The numbers of CUDA: double precision unless `SUPPLE_REAL` says otherwise. NVRTC has no headers, and no names for these two.
pub(super) const REAL: &str = "\
#ifndef SUPPLE_NUMBERS
#define SUPPLE_NUMBERS
#ifndef SUPPLE_REAL
#define SUPPLE_REAL double
#endif
typedef SUPPLE_REAL real;
#define R(x) ((real)(x))
#ifdef __CUDACC_RTC__
#ifndef INFINITY
#define INFINITY __longlong_as_double(0x7ff0000000000000LL)
#endif
#ifndef NAN
#define NAN __longlong_as_double(0x7ff8000000000000LL)
#endif
#else
#include <math.h>
#endif
#endif

";

/// The function of several instances calls what it tells `told`: `status` are vectors inside.
fn lanes_signature(language: Language, program: &Program) -> String {
    language.signature(program).replace("int status[", "int told[")
}

/// A kernel that runs a program for many instances.
fn kernel(program: &Program) -> String {
    let name = &program.name;
    format!(
        "// Runs {name} for `count` instances: number i of instance k is at in[i * count + k].\n\
         extern \"C\" __global__ void supple_{name}_all(const real *in, real *out, int *status, long long count)\n{{\n    \
         const long long k = blockIdx.x * (long long)blockDim.x + threadIdx.x;\n    if (k < count) status[k] = supple_{name}(in + k, out + k, \
         count);\n}}\n"
    )
}

/// For compilers without vectors.
fn one_by_one(language: Language, program: &Program, lanes: usize) -> String {
    let (name, inputs, outputs) = (&program.name, program.inputs.len(), program.outputs.len());
    format!(
        "#else\n\n{}\n{{\n    double x[{}], y[{}];\n    for (int k = 0; k < {lanes}; k++) {{\n        for (int i = 0; i < {inputs}; i++) x[i] = \
         in[{lanes} * i + k];\n        told[k] = supple_{name}(x, y);\n        for (int i = 0; i < {outputs}; i++) out[{lanes} * i + k] = \
         y[i];\n    }}\n}}\n\n#endif\n",
        lanes_signature(language, program),
        inputs.max(1),
        outputs.max(1)
    )
}
