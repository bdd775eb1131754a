//! Generated code compiles without a warning and gives what the interpreter gives.

use crate::agreement::{difference, engine, inputs, prepared, run};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use supple_compile::text::Style;
use supple_compile::{Language, Program, Verb, verb::record_at};

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
    let list = x.iter().map(|x| format!("{x:?}")).collect::<Vec<_>>().join(", ");
    let main = format!(
        "#include \"{name}.h\"\n#include <stdio.h>\nint main(void)\n{{\n    const double in[] = {{ {list} }};\n    double out[{n}];\n    \
         int status = supple_{name}(in, out);\n    for (int i = 0; i < {n}; i++) printf(\"%.17g\\n\", out[i]);\n    return status;\n}}\n",
        n = program.outputs.len()
    );
    fs::write(folder.join("main.c"), main).unwrap();
    let built = Command::new("cc")
        .args(["-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", "-pedantic"])
        .args([&code.source_name, "main.c", "-lm", "-o", "program"])
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let ran = Command::new(folder.join("program")).output().unwrap();
    assert!(ran.status.success(), "{ran:?}");
    String::from_utf8(ran.stdout).unwrap().lines().map(|line| line.parse().unwrap()).collect()
}

#[test]
fn c_is_the_engine() {
    if Command::new("cc").arg("--version").output().is_err() {
        eprintln!("skipped: there is no C compiler `cc`");
        return;
    }
    let folder = Folder::new("c");
    for seed in 0..2 {
        let at = prepared(seed);
        for verb in Verb::ALL {
            let program = record_at(&at.model, &at.state, verb).unwrap().scheduled();
            let (x, expected) = (inputs(&at, verb), engine(&at, verb));
            for part in [usize::MAX, 500] {
                let found = compiled_c(&folder.0, &program, Style { part, ..Style::default() }, &x);
                let difference = difference(&found, &expected);
                assert!(difference < 1e-10, "seed {seed}, {}, parts of {part}: {difference:e}", verb.name());
            }
            assert!(difference(&run(&program, &x), &expected) < 1e-10);
        }
    }
}
