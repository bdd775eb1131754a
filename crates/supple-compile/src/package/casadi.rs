//! The folder of C for CasADi and acados: every program and its derivatives as external functions.
//!
//! A function `NAME` takes one vector, the inputs of the program, and gives one, its outputs; `jac_NAME` gives the entries of its derivatives that are not
//! always zero.

use super::{File, MARK, Unit, c};
use crate::jacobian::Jacobian;
use crate::text::{Language, Style};
use std::fmt::Write as _;

pub(super) fn files(units: &[Unit], style: Style) -> Vec<File> {
    let mut out = c::files(units, style, &[]);
    for unit in units {
        // Vectors are states that the program accepts.
        let sample = unit.reference.vectors.first().map(|vector| &vector.inputs[..]).unwrap_or_default();
        let jacobian = unit.program.jacobian(sample).ok();
        if let Some(jacobian) = &jacobian {
            let code = jacobian.program.write_as(Language::C, style);
            out.extend(code.header_name.map(|name| File::new(name, code.header)));
            out.push(File::new(code.source_name, code.source));
        }
        out.push(File::new(format!("{}_casadi.c", unit.program.name), wrapper(unit, jacobian.as_ref())));
    }
    out
}

/// Functions as CasADi looks for them.
fn wrapper(unit: &Unit, jacobian: Option<&Jacobian>) -> String {
    let (name, inputs, outputs) = (&unit.program.name, unit.program.inputs.len(), unit.program.outputs.len());
    let mut text = format!("/* {MARK} */\n{HEAD}#include \"{name}.h\"\n");
    if jacobian.is_some() {
        let _ = writeln!(text, "#include \"{name}_jacobian.h\"");
    }
    text += "\n";
    let dense = |rows: usize, columns: usize| format!("{rows}, {columns}, 1");
    text += &function(name, name, (&["in"], &[dense(inputs, 1)]), ("out", &dense(outputs, 1)));
    if let Some(jacobian) = jacobian {
        let unread = format!("{outputs}, 1, 0, 0");
        let ins = (&["in", "out_out"][..], &[dense(inputs, 1), unread][..]);
        let own = (&format!("jac_{name}"), &format!("{name}_jacobian"));
        text += &function(own.0, own.1, ins, ("jac_out_in", &sparsity(jacobian, outputs, inputs)));
    }
    text
}

/// Rows, columns, where each column begins, and the row of each entry.
fn sparsity(jacobian: &Jacobian, rows: usize, columns: usize) -> String {
    let starts = (0..=columns).map(|j| jacobian.entries.iter().filter(|(_, column)| *column < j).count());
    let places = jacobian.entries.iter().map(|(row, _)| *row);
    let numbers = [rows, columns].into_iter().chain(starts).chain(places);
    numbers.map(|number| number.to_string()).collect::<Vec<_>>().join(", ")
}

/// One function of one vector, and what CasADi asks about it. Vectors that are not given are read as zeros; one that is not wanted is not written.
fn function(name: &str, program: &str, (ins, shapes): (&[&str], &[String]), (out, shape): (&str, &str)) -> String {
    let count = ins.len();
    let (upper, mut text) = (program.to_uppercase(), String::new());
    let _ = write!(
        text,
        "int {name}(const double **arg, double **res, casadi_int *iw, double *w, int mem)\n{{\n    double x[SUPPLE_{upper}_INPUTS + 1], \
         y[SUPPLE_{upper}_OUTPUTS + 1];\n    (void)iw;\n    (void)w;\n    (void)mem;\n    for (int i = 0; i < SUPPLE_{upper}_INPUTS; i++) x[i] = arg[0] ? \
         arg[0][i] : 0.0;\n    if (supple_{program}(x, y) != 0) return 1;\n    if (res[0]) {{\n        for (int i = 0; i < SUPPLE_{upper}_OUTPUTS; i++) \
         res[0][i] = y[i];\n    }}\n    return 0;\n}}\n\n"
    );
    let _ = write!(
        text,
        "casadi_int {name}_n_in(void) {{ return {count}; }}\ncasadi_int {name}_n_out(void) {{ return 1; }}\n"
    );
    let _ = write!(text, "const char *{name}_name_in(casadi_int i)\n{{\n");
    for (i, word) in ins.iter().enumerate() {
        let _ = writeln!(text, "    if (i == {i}) return \"{word}\";");
    }
    let _ = write!(
        text,
        "    return 0;\n}}\n\nconst char *{name}_name_out(casadi_int i) {{ return i == 0 ? \"{out}\" : 0; }}\n\n"
    );
    let _ = write!(text, "const casadi_int *{name}_sparsity_in(casadi_int i)\n{{\n");
    for (i, shape) in shapes.iter().enumerate() {
        let _ =
            writeln!(text, "    static const casadi_int shape{i}[] = {{{shape}}};\n    if (i == {i}) return shape{i};");
    }
    let _ = write!(
        text,
        "    return 0;\n}}\n\nconst casadi_int *{name}_sparsity_out(casadi_int i)\n{{\n    static const casadi_int shape[] = {{{shape}}};\n    return i == 0 ? \
         shape : 0;\n}}\n\nint {name}_work(casadi_int *arg, casadi_int *res, casadi_int *iw, casadi_int *w)\n{{\n    if (arg) *arg = {count};\n    if (res) *res = \
         1;\n    if (iw) *iw = 0;\n    if (w) *w = 0;\n    return 0;\n}}\n\n"
    );
    text
}

/// Whole numbers of CasADi; acados compiles with -Dcasadi_int=int.
const HEAD: &str = "#ifndef casadi_int\n#define casadi_int long long int\n#endif\n";
