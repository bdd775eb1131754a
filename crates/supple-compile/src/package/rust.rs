//! The folder of Rust: a package without the standard library, and a check that needs the compiler alone.

use super::{File, MARK, Unit, number, numbers};
use crate::text::{Language, Style};
use std::fmt::Write as _;

pub(super) fn files(units: &[Unit], style: Style) -> Vec<File> {
    let mut out: Vec<File> = (units.iter())
        .map(|unit| unit.program.write_as(Language::Rust, style))
        .map(|code| File::new(code.source_name, code.source))
        .collect();
    let modules =
        |word: &str| units.iter().map(|unit| format!("{word}mod {};\n", unit.program.name)).collect::<String>();
    out.push(File::new(
        "Cargo.toml",
        format!(
            "# {MARK}\n[package]\nname = \"supple-code\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[lib]\npath = \"lib.rs\"\n\n[[bin]]\nname = \
             \"check\"\npath = \"check.rs\"\n\n[dependencies]\nlibm = \"0.2\"\n\n[workspace]\n"
        ),
    ));
    out.push(File::new(
        "lib.rs",
        format!(
            "//! {MARK}\n//!\n//! Verbs of a model.\n#![no_std]\n#![forbid(unsafe_code)]\n\nmod math;\n{}",
            modules("pub ")
        ),
    ));
    out.push(File::new(
        "math.rs",
        format!(
            "//! {MARK}\n//!\n//! Elementary functions.\n#![allow(unused_imports)]\n\npub use libm::{{atan2, cos, exp, fma, log, sin, sqrt, \
             tanh}};\n"
        ),
    ));
    out.push(File::new("reference.rs", reference(units)));
    out.push(File::new("check.rs", format!("//! {MARK}\n{CHECK}\n{}mod reference;\n\n{}", modules(""), main(units))));
    out
}

fn reference(units: &[Unit]) -> String {
    let mut text = format!(
        "//! {MARK}\n//!\n//! What goes into the programs, and what the engine gives.\n#![allow(clippy::all)]\n\n"
    );
    for unit in units {
        let (name, p) = (&unit.program.name, &unit.program);
        for (what, size) in [("in", p.inputs.len()), ("out", p.outputs.len())] {
            let rows = unit.reference.vectors.iter().map(|v| if what == "in" { &v.inputs } else { &v.outputs });
            let rows: String = rows.map(|row| format!("    [{}],\n", numbers(row, "f64::INFINITY"))).collect();
            let count = unit.reference.vectors.len();
            let upper = format!("{name}_{what}").to_uppercase();
            let _ = writeln!(text, "/// Of {name}.\npub static {upper}: [[f64; {size}]; {count}] = [\n{rows}];\n");
        }
    }
    text
}

const CHECK: &str = r"//!
//! Compares the code in this folder with the engine that it was recorded from. The standard library stands in for `libm`.

#[allow(dead_code)]
mod math {
    pub fn sin(x: f64) -> f64 {
        x.sin()
    }
    pub fn cos(x: f64) -> f64 {
        x.cos()
    }
    pub fn sqrt(x: f64) -> f64 {
        x.sqrt()
    }
    pub fn exp(x: f64) -> f64 {
        x.exp()
    }
    pub fn log(x: f64) -> f64 {
        x.ln()
    }
    pub fn tanh(x: f64) -> f64 {
        x.tanh()
    }
    pub fn atan2(y: f64, x: f64) -> f64 {
        y.atan2(x)
    }
    pub fn fma(a: f64, b: f64, c: f64) -> f64 {
        a.mul_add(b, c)
    }
}
";

fn main(units: &[Unit]) -> String {
    let mut text = String::from(COMPARE);
    text += "fn main() {\n    let (mut worst, mut failed) = (0.0, false);\n";
    for unit in units {
        let (name, reference) = (&unit.program.name, &unit.reference);
        let upper = name.to_uppercase();
        let _ = writeln!(
            text,
            "    failed |= compared(\"{name}\", {name}::{name}, &reference::{upper}_IN, &reference::{upper}_OUT, [{}, {}], &mut worst);",
            number(reference.floor, "f64::INFINITY"),
            number(reference.allowed, "f64::INFINITY")
        );
    }
    text + "    println!(\"worst relative difference from the engine: {worst:.3e}\");\n    std::process::exit(i32::from(failed));\n}\n"
}

const COMPARE: &str = r#"/// The largest difference, relative to the largest number.
fn difference(found: &[f64], expected: &[f64], least: f64) -> f64 {
    let (mut size, mut worst) = (least, 0.0_f64);
    for (x, y) in found.iter().zip(expected) {
        let d = if x == y { 0.0 } else { (x - y).abs() };
        if y.is_finite() {
            size = size.max(y.abs());
        }
        if d.is_nan() || d > worst {
            worst = d;
        }
    }
    worst / if size > 0.0 { size } else { 1.0 }
}

/// Whether a program failed: too far from the engine, a status where there is none, or numbers that are not finite without one.
fn compared<const N: usize, const M: usize, const V: usize>(
    name: &str,
    run: fn(&[f64; N], &mut [f64; M]) -> usize,
    inputs: &[[f64; N]; V],
    outputs: &[[f64; M]; V],
    [least, allowed]: [f64; 2],
    worst: &mut f64,
) -> bool {
    let (mut own, mut failed) = (0.0_f64, false);
    for (v, (x, expected)) in inputs.iter().zip(outputs).enumerate() {
        let mut y = [0.0; M];
        let status = run(x, &mut y);
        let d = difference(&y, expected, least);
        if d.is_nan() || d > own {
            own = d;
        }
        if status != 0 {
            println!("{name}: status {status} for vector {v}");
            failed = true;
        }
    }
    for i in 0..N {
        let (mut x, mut y) = (inputs[0], [0.0; M]);
        x[i] = f64::NAN;
        if run(&x, &mut y) == 0 && y.iter().any(|y| y.is_nan()) {
            println!("{name}: input {i} that is not a number goes unnoticed");
            failed = true;
        }
    }
    println!("{name}: {V} vectors, worst relative difference {own:.3e}, allowed {allowed:.3e}");
    if own.is_nan() || own > *worst {
        *worst = own;
    }
    failed || own.is_nan() || own > allowed
}

"#;
