//! Programs on any scalar, their derivatives, and both as external functions of CasADi.

use crate::agreement::{difference, inputs, mixed, prepared, run};
use crate::code::{C, Folder, checked, is_there};
use std::ffi::{CStr, c_char, c_int, c_longlong};
use std::process::Command;
use supple::spatial::{Scalar, Traced};
use supple_compile::package::{Target, Unit};
use supple_compile::text::Style;
use supple_compile::{Program, Recording, Refused, Signal, Verb, record, record_function};

/// On plain numbers a program gives what its interpreter gives; within a recording it becomes part of that.
#[test]
fn programs_run_on_any_scalar() {
    for seed in [3, 6, 9, 12, 18, 21] {
        let at = mixed(seed);
        for verb in [Verb::ForwardDynamics, Verb::Energy] {
            let (program, x) = (record(&at.model, &verb).unwrap(), inputs(&at, &verb));
            let expected = run(&program, &x);
            assert!(difference(&program.apply(&x).unwrap(), &expected) < 1e-12, "seed {seed}, {verb}");
            let part = |x: &[Traced]| program.apply(x).unwrap().iter().map(|y| *y + *y).collect();
            let twice = record_function("twice", (program.inputs.clone(), &x), program.outputs.clone(), part).unwrap();
            let doubled: Vec<f64> = expected.iter().map(|x| 2.0 * x).collect();
            assert!(difference(&run(&twice, &x), &doubled) < 1e-12, "seed {seed}, {verb}");
            assert_eq!(
                program.apply(&x[1..]).unwrap_err(),
                Refused::WrongSize { found: x.len() - 1, expected: x.len() }
            );
        }
    }
}

/// A number that is none is a condition that does not hold.
#[test]
fn functions_suppose_that_they_are_finite() {
    let signal = |name: &str| Signal { name: name.into(), unit: "1".into() };
    let quotient = |x: &[Traced]| vec![x[0] / x[1]];
    let ins = vec![signal("a"), signal("b")];
    let program = record_function("quotient", (ins.clone(), &[1.0, 2.0]), vec![signal("c")], quotient).unwrap();
    let mut out = [0.0];
    assert_eq!(program.interpreter().run(&[1.0, 4.0], &mut out), Ok(()));
    assert_eq!(out, [0.25]);
    assert_eq!(program.interpreter().run(&[1.0, 0.0], &mut out), Err(Refused::Condition(0)));
    let none = |_: &[Traced]| vec![Traced::ZERO; 2];
    assert!(record_function("two", (ins, &[1.0, 2.0]), vec![signal("c")], none).is_err());
}

/// All entries by rows, those left out zero.
fn dense(program: &Program, x: &[f64]) -> Vec<f64> {
    let jacobian = program.jacobian(x).unwrap();
    let mut matrix = vec![0.0; program.outputs.len() * program.inputs.len()];
    for ((i, j), value) in jacobian.entries.iter().zip(run(&jacobian.program, x)) {
        matrix[i * program.inputs.len() + j] = value;
    }
    matrix
}

/// Derivatives are those of differences, of steps and of bodies with quaternions too; most of the entries of poses are left out.
#[test]
fn jacobians_are_those_of_differences() {
    for seed in 0..6 {
        let at = prepared(seed);
        for verb in [Verb::ForwardDynamics, Verb::Energy] {
            let (program, x) = (record(&at.model, &verb).unwrap(), inputs(&at, &verb));
            let exact = dense(&program, &x);
            let (rows, columns) = (program.outputs.len(), program.inputs.len());
            let mut found = vec![0.0; exact.len()];
            for j in 0..columns {
                let h = 1e-5 * (1.0 + x[j].abs());
                let moved = |by: f64| {
                    let mut x = x.clone();
                    x[j] += by;
                    // A quaternion off its unit length is refused, and its numbers mean something all the same.
                    program.interpreter_outputs(&x)
                };
                let ends = [-2.0, -1.0, 1.0, 2.0].map(|k| moved(k * h));
                for i in 0..rows {
                    let [a, b, c, d] = [0, 1, 2, 3].map(|k| ends[k][i]);
                    found[i * columns + j] = (a - 8.0 * b + 8.0 * c - d) / (12.0 * h);
                }
            }
            let error = difference(&found, &exact);
            assert!(error < 1e-7, "seed {seed}, {verb}: {error:e}");
        }
    }
}

/// Whatever the conditions say.
trait Outputs {
    fn interpreter_outputs(&self, x: &[f64]) -> Vec<f64>;
}

impl Outputs for Program {
    fn interpreter_outputs(&self, x: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; self.outputs.len()];
        let _ = self.interpreter().run(x, &mut out);
        out
    }
}

type Function = unsafe extern "C" fn(*const *const f64, *const *mut f64, *mut c_longlong, *mut f64, c_int) -> c_int;
type Shape = unsafe extern "C" fn(c_longlong) -> *const c_longlong;
type Name = unsafe extern "C" fn(c_longlong) -> *const c_char;

/// The folder for CasADi is clean, checks itself, and has the functions that CasADi looks for.
#[test]
fn casadi_finds_functions_and_derivatives() {
    if !is_there("cc") {
        return;
    }
    let (folder, at) = (Folder::new("casadi"), prepared(1));
    let verb = Verb::ForwardDynamics;
    let recording = Recording { model: &at.model, state: None, verb: &verb, parameters: &[] };
    let program = recording.program().unwrap().scheduled();
    let reference = recording.reference(&program, 2).unwrap();
    let x = reference.vectors[0].inputs.clone();
    let unit = Unit { program: program.clone(), reference, memory: Vec::new() };
    checked(&folder.0, &[unit], Target::Casadi, Style { part: 500, ..Style::default() }, &[], C);
    let library = folder.0.join("casadi.so");
    let sources = ["forward_dynamics.c", "forward_dynamics_jacobian.c", "forward_dynamics_casadi.c"];
    let mut command = Command::new("cc");
    command.args(["-std=c99", "-shared", "-fPIC"]).args(sources).args(["-lm", "-o"]).arg(&library);
    assert!(command.current_dir(&folder.0).status().unwrap().success());
    let (rows, columns) = (program.outputs.len(), program.inputs.len());
    // SAFETY: functions of the interface of CasADi, by their types.
    unsafe {
        let library = libloading::Library::new(&library).unwrap();
        let shape: libloading::Symbol<'_, Shape> = library.get("jac_forward_dynamics_sparsity_out").unwrap();
        let shape = shape(0);
        assert_eq!([*shape, *shape.add(1)], [rows as i64, columns as i64]);
        let starts: Vec<usize> = (0..=columns).map(|j| *shape.add(2 + j) as usize).collect();
        let places: Vec<usize> = (0..starts[columns]).map(|k| *shape.add(3 + columns + k) as usize).collect();
        let mut values = vec![0.0; places.len()];
        let jacobian: libloading::Symbol<'_, Function> = library.get("jac_forward_dynamics").unwrap();
        let (arg, res) = ([x.as_ptr(), std::ptr::null()], [values.as_mut_ptr()]);
        assert_eq!(jacobian(arg.as_ptr(), res.as_ptr(), std::ptr::null_mut(), std::ptr::null_mut(), 0), 0);
        let mut found = vec![0.0; rows * columns];
        for j in 0..columns {
            (starts[j]..starts[j + 1]).for_each(|k| found[places[k] * columns + j] = values[k]);
        }
        assert!(difference(&found, &dense(&program, &x)) < 1e-10);
        let name: libloading::Symbol<'_, Name> = library.get("jac_forward_dynamics_name_in").unwrap();
        assert_eq!(CStr::from_ptr(name(1)).to_str(), Ok("out_out"));
        // A state that the verb refuses is an error of the function.
        let function: libloading::Symbol<'_, Function> = library.get("forward_dynamics").unwrap();
        let (bad, mut out) = (vec![f64::NAN; columns], vec![0.0; rows]);
        let (arg, res) = ([bad.as_ptr()], [out.as_mut_ptr()]);
        assert_eq!(function(arg.as_ptr(), res.as_ptr(), std::ptr::null_mut(), std::ptr::null_mut(), 0), 1);
    }
}
