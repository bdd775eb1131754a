//! Generated code compiles without a warning and gives what the interpreter gives.

use crate::agreement::{difference, engine, inputs, prepared, run};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use supple_compile::text::Style;
use supple_compile::{Language, Program, Verb, record_at};

/// A folder that goes with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("supple-compile-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Writes the program and a `main` that reads inputs from its arguments, compiles them, and gives what comes out.
fn compiled_c(folder: &Path, program: &Program, style: Style, x: &[f64]) -> Vec<f64> {
    let code = program.write_as(Language::C, style);
    fs::write(folder.join(code.header_name.as_ref().unwrap()), &code.header).unwrap();
    fs::write(folder.join(&code.source_name), &code.source).unwrap();
    let name = &program.name;
    let list = list(x);
    let main = format!(
        "#include \"{name}.h\"\n#include <stdio.h>\nint main(void)\n{{\n    const double in[] = {{ {list} }};\n    double out[{n}];\n    \
         int status = supple_{name}(in, out);\n    for (int i = 0; i < {n}; i++) printf(\"%.17g\\n\", out[i]);\n    return status;\n}}\n",
        n = program.outputs.len()
    );
    fs::write(folder.join("main.c"), main).unwrap();
    let mut compiler = Command::new("cc");
    compiler.args(["-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", "-pedantic"]);
    compiler.args([&code.source_name, "main.c", "-lm", "-o", "program"]);
    built_and_run(compiler, folder)
}

/// Compiles `program` in a folder, runs it, and reads the numbers that it prints.
fn built_and_run(mut compiler: Command, folder: &Path) -> Vec<f64> {
    let built = compiler.current_dir(folder).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let ran = Command::new(folder.join("program")).output().unwrap();
    assert!(ran.status.success(), "{ran:?}");
    String::from_utf8(ran.stdout).unwrap().lines().map(|line| line.parse().unwrap()).collect()
}

/// The numbers as a list in source code.
fn list(x: &[f64]) -> String {
    x.iter().map(|x| format!("{x:?}")).collect::<Vec<_>>().join(", ")
}

/// Whether a compiler can be called; says so where it cannot.
fn is_there(compiler: &str) -> bool {
    let found = Command::new(compiler).arg("--version").output().is_ok();
    if !found {
        eprintln!("skipped: there is no compiler `{compiler}`");
    }
    found
}

/// Rust, with elementary functions of the standard library in place of those of `libm`.
#[test]
fn rust_is_the_engine() {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    if !is_there(&rustc) {
        return;
    }
    let (folder, at, verb) = (Folder::new("rust"), prepared(4), Verb::ForwardDynamics);
    let program = record_at(&at.model, &at.state, &verb).unwrap().scheduled();
    let x = inputs(&at, &verb);
    for part in [usize::MAX, 500] {
        let code = program.write_as(Language::Rust, Style { part, ..Style::default() });
        let of_one = ["sin", "cos", "sqrt", "exp", "tanh"].map(|f| format!("pub fn {f}(x: f64) -> f64 {{ x.{f}() }}"));
        let more = "pub fn log(x: f64) -> f64 { x.ln() } pub fn atan2(y: f64, x: f64) -> f64 { y.atan2(x) }";
        let main = format!(
            "mod {name};\n#[allow(dead_code)]\nmod libm {{ {} {more} }}\nfn main() {{ let mut out = [0.0; {name}::OUTPUTS]; assert_eq!({name}::{name}(&[{}], \
             &mut out), 0); out.iter().for_each(|x| println!(\"{{x:e}}\")); }}\n",
            of_one.join(" "),
            list(&x),
            name = program.name
        );
        fs::write(folder.0.join(&code.source_name), code.source.replace("libm::", "crate::libm::")).unwrap();
        fs::write(folder.0.join("main.rs"), main).unwrap();
        let mut compiler = Command::new(&rustc);
        compiler.args(["--edition", "2021", "-D", "warnings", "main.rs", "-o", "program"]);
        let difference = difference(&built_and_run(compiler, &folder.0), &engine(&at, &verb));
        assert!(difference < 1e-10, "parts of {part}: {difference:e}");
    }
}

/// CUDA, compiled as C++ with the words of the device defined away, two instances at once.
#[test]
fn cuda_is_the_engine() {
    if !is_there("c++") {
        return;
    }
    let (folder, at, verb) = (Folder::new("cuda"), prepared(4), Verb::ForwardDynamics);
    let program = record_at(&at.model, &at.state, &verb).unwrap().scheduled();
    let (x, name) = (inputs(&at, &verb), &program.name);
    let twice: Vec<f64> = x.iter().flat_map(|x| [*x, *x]).collect();
    for part in [usize::MAX, 500] {
        let code = program.write_as(Language::Cuda, Style { part, ..Style::default() });
        fs::write(folder.0.join(&code.source_name), &code.source).unwrap();
        let main = format!(
            "#define __device__\n#define __global__\nstruct Three {{ unsigned x; }};\nstatic Three blockIdx, blockDim = {{2}}, \
             threadIdx;\n#include \"{name}.cu\"\n#include <cstdio>\nint main() {{\n    const double in[] = {{ {} }};\n    double \
             out[{n} * 2];\n    int status[2];\n    for (threadIdx.x = 0; threadIdx.x < 2; threadIdx.x++) supple_{name}_all(in, out, status, \
             2);\n    for (int i = 0; i < {n}; i++) std::printf(\"%.17g\\n\", out[2 * i + 1]);\n    return status[0] + status[1];\n}}\n",
            list(&twice),
            n = program.outputs.len()
        );
        fs::write(folder.0.join("main.cpp"), main).unwrap();
        let mut compiler = Command::new("c++");
        compiler.args(["-O1", "-Wall", "-Wextra", "-Werror", "main.cpp", "-o", "program"]);
        let difference = difference(&built_and_run(compiler, &folder.0), &engine(&at, &verb));
        assert!(difference < 1e-10, "parts of {part}: {difference:e}");
    }
}

#[test]
fn c_is_the_engine() {
    if !is_there("cc") {
        return;
    }
    let folder = Folder::new("c");
    for seed in 0..2 {
        let at = prepared(seed);
        // Compilers take long for steps and derivatives of systems of this size.
        let long = |verb: &Verb| matches!(verb, Verb::Linearization(_) | Verb::Rk4Step | Verb::LinearlyImplicitStep);
        for verb in Verb::ALL.into_iter().filter(|verb| !long(verb)) {
            let program = record_at(&at.model, &at.state, &verb).unwrap().scheduled();
            let (x, expected) = (inputs(&at, &verb), engine(&at, &verb));
            for part in [usize::MAX, 500] {
                let found = compiled_c(&folder.0, &program, Style { part, ..Style::default() }, &x);
                let difference = difference(&found, &expected);
                assert!(difference < 1e-10, "seed {seed}, {}, parts of {part}: {difference:e}", verb.name());
            }
            assert!(difference(&run(&program, &x), &expected) < 1e-10);
        }
    }
}
