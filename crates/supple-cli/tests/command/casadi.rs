//! Programs of the examples that call generated code from CasADi: run where the package is installed.

use std::path::Path;
use std::process::Command;

/// Python with CasADi; `PYTHON` names another one.
fn python() -> Option<String> {
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".into());
    let found = Command::new(&python).args(["-c", "import casadi, numpy"]).output();
    if found.is_ok_and(|told| told.status.success()) && Command::new("cc").arg("--version").output().is_ok() {
        return Some(python);
    }
    eprintln!("skipped: {python} has no casadi");
    None
}

fn ran(file: &str) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/two-link-arm").join(file);
    let told = Command::new(python()?).arg(path).env("SUPPLE", crate::program()).output().unwrap();
    let said = String::from_utf8_lossy(&told.stdout).into_owned();
    println!("{said}");
    assert!(told.status.success(), "{said}{}", String::from_utf8_lossy(&told.stderr));
    Some(said)
}

/// It measures its own residual vibration by a run.
#[test]
fn a_move_is_planned_where_casadi_is_installed() {
    if let Some(said) = ran("casadi_move.py") {
        assert!(said.contains("residual vibration of the tip"), "{said}");
    }
}

#[test]
fn acados_has_its_functions() {
    if let Some(said) = ran("acados_model.py") {
        assert!(said.contains("acados"), "{said}");
    }
}
