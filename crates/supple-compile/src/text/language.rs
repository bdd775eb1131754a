//! The words of each language.

use crate::program::is_truth;
use supple::spatial::scalar::traced::{Binary, Operation, Unary};

/// A language that programs are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Language {
    /// C99 with `math.h` alone: no allocation, no recursion, no globals.
    C,
    /// The same for several instances at once, by the vectors of GNU C; one instance after the other where a compiler has none.
    CLanes(Lanes),
    /// Rust without the standard library; elementary functions come from a module `math` of the crate.
    Rust,
    /// CUDA C++: a device function, and a kernel that runs it for many instances, one after the other in memory for each number.
    Cuda,
}

/// How many instances are computed at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lanes {
    /// Four.
    Four,
    /// Eight.
    Eight,
}

impl Lanes {
    /// The number.
    pub fn count(self) -> usize {
        match self {
            Self::Four => 4,
            Self::Eight => 8,
        }
    }
}

impl Language {
    /// Ending of source files.
    pub fn extension(self) -> &'static str {
        match self {
            Self::C | Self::CLanes(_) => "c",
            Self::Rust => "rs",
            Self::Cuda => "cu",
        }
    }

    /// Ending of header files.
    pub(super) fn header_extension(self) -> Option<&'static str> {
        matches!(self, Self::C | Self::CLanes(_)).then_some("h")
    }

    /// What follows the name of a program in names of files and functions.
    pub(super) fn suffix(self) -> String {
        match self {
            Self::CLanes(lanes) => format!("_x{}", lanes.count()),
            _ => String::new(),
        }
    }

    /// A local name for a number or a truth value.
    pub(super) fn definition(self, operation: &Operation, at: usize, value: &str) -> String {
        match (self, is_truth(operation)) {
            (Self::C, false) => format!("    const double v{at} = {value};"),
            (Self::Cuda, false) => format!("    const real v{at} = {value};"),
            (Self::C | Self::Cuda, true) => format!("    const int v{at} = {value};"),
            // What vectors have no word for is done lane by lane.
            (Self::CLanes(lanes), false) if value.contains("[k]") => {
                format!("    V v{at};\n    for (int k = 0; k < {}; k++) v{at}[k] = {value};", lanes.count())
            }
            (Self::CLanes(_), false) => format!("    const V v{at} = {value};"),
            (Self::CLanes(_), true) => format!("    const M v{at} = {value};"),
            (Self::Rust, _) => format!("    let v{at} = {value};"),
        }
    }

    pub(super) fn input(self, i: u32) -> String {
        match self {
            Self::C => format!("in[{i}]"),
            Self::CLanes(lanes) => format!("*(const U *)(in + {})", i as usize * lanes.count()),
            Self::Cuda => format!("in[{i} * stride]"),
            Self::Rust => format!("x[{i}]"),
        }
    }

    pub(super) fn output(self, i: usize, value: &str) -> String {
        match self {
            Self::C | Self::Rust => format!("    out[{i}] = {value};"),
            Self::CLanes(lanes) => format!("    *(U *)(out + {}) = {value};", i * lanes.count()),
            Self::Cuda => format!("    out[{i} * stride] = {value};"),
        }
    }

    /// Hands a number or a truth value on to later parts.
    pub(super) fn keep(self, operation: &Operation, slot: u32, value: &str) -> String {
        match (self, is_truth(operation)) {
            (Self::Rust, true) => format!("    kept[{slot}] = f64::from(u8::from({value}));"),
            (Self::CLanes(_), true) => format!("    kept[{slot}] = (V){value};"),
            _ => format!("    kept[{slot}] = {value};"),
        }
    }

    /// What an earlier part handed on.
    pub(super) fn kept(self, operation: &Operation, slot: u32) -> String {
        match (self, is_truth(operation)) {
            (Self::CLanes(_), true) => format!("(M)kept[{slot}]"),
            (_, true) => format!("kept[{slot}] != 0.0"),
            (_, false) => format!("kept[{slot}]"),
        }
    }

    /// Sets the status to the least number of a condition that does not hold.
    pub(super) fn condition(self, i: usize, value: &str, held: bool) -> String {
        let (number, not) = (i + 1, if held { "!" } else { "" });
        match self {
            Self::C | Self::Cuda => {
                format!("    if ({not}{value} && (status == 0 || status > {number})) status = {number};")
            }
            Self::CLanes(_) => {
                let not = if held { "~" } else { "" };
                format!(
                    "    {{\n        const M broken = {not}{value} & ((M)(status == 0) | (M)(status > {number}));\n        \
                     status = (broken & {number}) | (status & ~broken);\n    }}"
                )
            }
            Self::Rust => format!(
                "    if {not}{value} && (status == 0 || status > {number}) {{\n        status = {number};\n    }}"
            ),
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
        let negative = value.is_sign_negative() && !value.is_nan();
        match (self, negative) {
            (Self::CLanes(_), true) => format!("C(-{digits})"),
            (Self::CLanes(_), false) => format!("C({digits})"),
            (Self::Cuda, true) => format!("R(-{digits})"),
            (Self::Cuda, false) => format!("R({digits})"),
            (_, true) => format!("(-{digits})"),
            (_, false) => digits,
        }
    }

    pub(super) fn unary(self, f: Unary, a: &str) -> String {
        match (self, f) {
            (_, Unary::Negative) => format!("-{a}"),
            (Self::CLanes(_), Unary::Not) => format!("~{a}"),
            (_, Unary::Not) => format!("!{a}"),
            (Self::Rust, Unary::IsFinite) => format!("{a}.is_finite()"),
            (Self::C | Self::Cuda, Unary::IsFinite) => format!("isfinite({a}) != 0"),
            (Self::CLanes(_), Unary::IsFinite) => format!("(M)({a} - {a} == C(0.0))"),
            (Self::Rust, _) => format!("crate::math::{}({a})", word(f)),
            (Self::C | Self::Cuda, _) => format!("{}({a})", word(f)),
            (Self::CLanes(_), _) => format!("{}({a}[k])", word(f)),
        }
    }

    pub(super) fn binary(self, f: Binary, a: &str, b: &str) -> String {
        match (f, self) {
            (Binary::Sum, _) => format!("{a} + {b}"),
            (Binary::Difference, _) => format!("{a} - {b}"),
            (Binary::Product, _) => format!("{a}*{b}"),
            (Binary::Quotient, _) => format!("{a}/{b}"),
            (Binary::Less, Self::CLanes(_)) => format!("(M)({a} < {b})"),
            (Binary::Less, _) => format!("{a} < {b}"),
            (Binary::And, Self::CLanes(_)) => format!("{a} & {b}"),
            (Binary::And, _) => format!("{a} && {b}"),
            (Binary::Or, Self::CLanes(_)) => format!("{a} | {b}"),
            (Binary::Or, _) => format!("{a} || {b}"),
            (Binary::ArcTangent, Self::Rust) => format!("crate::math::atan2({a}, {b})"),
            (Binary::ArcTangent, Self::CLanes(_)) => format!("atan2({a}[k], {b}[k])"),
            (Binary::ArcTangent, _) => format!("atan2({a}, {b})"),
        }
    }

    pub(super) fn fused(self, a: &str, b: &str, c: &str) -> String {
        match self {
            Self::C | Self::Cuda => format!("fma({a}, {b}, {c})"),
            Self::CLanes(_) => format!("fma({a}[k], {b}[k], {c}[k])"),
            Self::Rust => format!("crate::math::fma({a}, {b}, {c})"),
        }
    }

    pub(super) fn select(self, mask: &str, yes: &str, no: &str) -> String {
        match self {
            Self::C | Self::Cuda => format!("{mask} ? {yes} : {no}"),
            Self::CLanes(_) => format!("(V)(((M){yes} & {mask}) | ((M){no} & ~{mask}))"),
            Self::Rust => format!("if {mask} {{ {yes} }} else {{ {no} }}"),
        }
    }
}

/// Names of elementary functions.
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
