//! The folder of C.

use super::{File, MARK, Unit, number, numbers};
use crate::text::{Lanes, Language, Style};
use std::fmt::Write as _;

pub(super) fn files(units: &[Unit], style: Style, lanes: &[Lanes]) -> Vec<File> {
    let mut out = Vec::new();
    for unit in units {
        let variants = lanes.iter().map(|lanes| Language::CLanes(*lanes));
        for language in [Language::C].into_iter().chain(variants) {
            let code = unit.program.write_as(language, style);
            let (mut header, mut source) = (code.header, code.source);
            if language == Language::C && !unit.memory.is_empty() {
                let [declared, defined] = with_memory(unit);
                header = header.replace("#endif\n", &format!("{declared}\n#endif\n"));
                source += &defined;
            }
            out.extend(code.header_name.map(|name| File::new(name, header)));
            out.push(File::new(code.source_name, source));
        }
    }
    out.push(File::new("reference.h", reference(units)));
    out.push(File::new("check.c", check(units, lanes)));
    out
}

/// Functions around a program that keep its memory for it: declared, and defined.
fn with_memory(unit: &Unit) -> [String; 2] {
    let (name, size) = (&unit.program.name, unit.memory.len());
    let (inputs, outputs) = (unit.program.inputs.len() - size, unit.program.outputs.len() - size);
    let start = format!("void supple_{name}_start(struct supple_{name} *of)");
    let update = format!(
        "int supple_{name}_update(struct supple_{name} *of, const double in[{}], double out[{}])",
        inputs.max(1),
        outputs.max(1)
    );
    let set: String = unit
        .memory
        .iter()
        .enumerate()
        .map(|(i, x)| format!("    of->memory[{i}] = {};\n", number(*x, "INFINITY")))
        .collect();
    let declared = format!(
        "/* The same with its memory kept for it: start once, then update at every instant with the first {inputs} inputs, for the first\n   \
         {outputs} outputs. Where the status is not 0, the memory stays what it was. Stack: {} bytes more. */\n\
         struct supple_{name} {{\n    double memory[{size}];\n}};\n{start};\n{update};\n",
        8 * (unit.program.inputs.len() + unit.program.outputs.len())
    );
    let defined = format!(
        "{start}\n{{\n{set}}}\n\n{update}\n{{\n    double x[{}], y[{}];\n    int status;\n    for (int i = 0; i < {inputs}; i++) x[i] = in[i];\n    \
         for (int i = 0; i < {size}; i++) x[{inputs} + i] = of->memory[i];\n    status = supple_{name}(x, y);\n    for (int i = 0; i < {outputs}; i++) \
         out[i] = y[i];\n    for (int i = 0; i < {size} && status == 0; i++) of->memory[i] = y[{outputs} + i];\n    return status;\n}}\n",
        unit.program.inputs.len(),
        unit.program.outputs.len()
    );
    [declared, defined]
}

/// Vectors of every program, row after row.
pub(super) fn reference(units: &[Unit]) -> String {
    let mut text = format!(
        "/* {MARK}\n\n   What goes into the programs, and what the engine gives. */\n#ifndef SUPPLE_REFERENCE_H\n#define \
         SUPPLE_REFERENCE_H\n\n#include <math.h>\n\n"
    );
    for unit in units {
        let name = &unit.program.name;
        for (what, of) in [("in", true), ("out", false)] {
            let rows =
                unit.reference.vectors.iter().map(|v| numbers(if of { &v.inputs } else { &v.outputs }, "INFINITY"));
            let rows: Vec<String> = rows.map(|row| if row.is_empty() { "0.0".into() } else { row }).collect();
            let _ = writeln!(text, "static const double {name}_{what}[] = {{\n     {}}};\n", rows.join(",\n     "));
        }
    }
    text + "#endif\n"
}

/// What all checks in C and C++ do with numbers.
pub(super) const DIFFERENCE: &str = r"/* The largest difference, relative to the largest number. */
static double difference(const double *found, const double *expected, int n, double least)
{
    double size = least, worst = 0.0;
    for (int i = 0; i < n; i++) {
        const double d = found[i] == expected[i] ? 0.0 : fabs(found[i] - expected[i]);
        if (isfinite(expected[i]) && fabs(expected[i]) > size) size = fabs(expected[i]);
        if (!(d <= worst)) worst = d;
    }
    return worst / (size > 0.0 ? size : 1.0);
}

";

fn check(units: &[Unit], lanes: &[Lanes]) -> String {
    let largest = |size: fn(&Unit) -> usize| units.iter().map(size).max().unwrap_or(0).max(1);
    let mut text =
        format!("/* {MARK}\n\n   Compares the code in this folder with the engine that it was recorded from. */\n");
    for unit in units {
        let _ = writeln!(text, "#include \"{}.h\"", unit.program.name);
        for lanes in lanes {
            let _ = writeln!(text, "#include \"{}_x{}.h\"", unit.program.name, lanes.count());
        }
    }
    let _ = write!(
        text,
        "#include \"reference.h\"\n#include <math.h>\n#include <stdio.h>\n\n#define MOST_INPUTS {}\n#define MOST_OUTPUTS {}\n\n",
        largest(|unit| unit.program.inputs.len()),
        largest(|unit| unit.program.outputs.len())
    );
    text += DIFFERENCE;
    text += PROGRAM;
    if !lanes.is_empty() {
        text += LANES;
    }
    text += "int main(void)\n{\n    double worst = 0.0;\n    int failed = 0;\n";
    for unit in units {
        let (name, p, reference) = (&unit.program.name, &unit.program, &unit.reference);
        let sizes = format!("{}, {}, {}", p.inputs.len(), p.outputs.len(), reference.vectors.len());
        let numbers = format!("{}, {}", number(reference.floor, "INFINITY"), number(reference.allowed, "INFINITY"));
        let _ = writeln!(
            text,
            "    failed |= one(\"{name}\", supple_{name}, {name}_in, {name}_out, {sizes}, {numbers}, &worst);"
        );
        if !unit.memory.is_empty() {
            let _ = writeln!(
                text,
                "    {{\n        struct supple_{name} kept;\n        supple_{name}_start(&kept);\n        for (int v = 0; v < {}; v++) {{\n            \
                 double y[MOST_OUTPUTS], d;\n            failed |= supple_{name}_update(&kept, {name}_in + v * {}, y) != 0;\n            d = difference(y, \
                 {name}_out + v * {}, {}, 0.0);\n            if (!(d <= worst)) worst = d;\n            failed |= !(d <= 1e-10);\n        }}\n    }}",
                reference.vectors.len(),
                p.inputs.len(),
                p.outputs.len(),
                p.outputs.len() - unit.memory.len()
            );
        }
        for n in lanes.iter().map(|lanes| lanes.count()) {
            let _ = writeln!(
                text,
                "    failed |= several(\"{name}_x{n}\", supple_{name}_x{n}, {n}, {name}_in, {name}_out, {sizes}, {numbers}, &worst);"
            );
        }
    }
    text + "    printf(\"worst relative difference from the engine: %.3g\\n\", worst);\n    return failed;\n}\n"
}

const PROGRAM: &str = r#"/* Whether a program failed: too far from the engine, a status where there is none, or numbers that are not finite without one. */
static int one(const char *name, int (*run)(const double *, double *), const double *in, const double *out, int inputs, int outputs,
               int vectors, double least, double allowed, double *worst)
{
    double x[MOST_INPUTS], y[MOST_OUTPUTS], own = 0.0;
    int failed = 0;
    for (int v = 0; v < vectors; v++) {
        const int status = run(in + v * inputs, y);
        const double d = difference(y, out + v * outputs, outputs, least);
        if (!(d <= own)) own = d;
        if (status != 0) {
            printf("%s: status %d for vector %d\n", name, status, v);
            failed = 1;
        }
    }
    for (int i = 0; i < inputs; i++) {
        int status, sound = 1;
        for (int j = 0; j < inputs; j++) x[j] = j == i ? NAN : in[j];
        status = run(x, y);
        for (int j = 0; j < outputs; j++) sound = sound && !isnan(y[j]);
        if (status == 0 && !sound) {
            printf("%s: input %d that is not a number goes unnoticed\n", name, i);
            failed = 1;
        }
    }
    printf("%s: %d vectors, worst relative difference %.3g, allowed %.3g\n", name, vectors, own, allowed);
    if (!(own <= *worst)) *worst = own;
    return failed || !(own <= allowed);
}

"#;

const LANES: &str = r#"/* The same for several instances at once, which are different vectors. */
static int several(const char *name, void (*run)(const double *, double *, int *), int lanes, const double *in, const double *out,
                   int inputs, int outputs, int vectors, double least, double allowed, double *worst)
{
    double x[8 * MOST_INPUTS], y[8 * MOST_OUTPUTS], own = 0.0;
    int status[8], failed = 0;
    for (int first = 0; first < vectors; first++) {
        for (int k = 0; k < lanes; k++) {
            for (int i = 0; i < inputs; i++) x[lanes * i + k] = in[(first + k) % vectors * inputs + i];
        }
        run(x, y, status);
        for (int k = 0; k < lanes; k++) {
            double z[MOST_OUTPUTS];
            double d;
            for (int i = 0; i < outputs; i++) z[i] = y[lanes * i + k];
            d = difference(z, out + (first + k) % vectors * outputs, outputs, least);
            if (!(d <= own)) own = d;
            if (status[k] != 0) {
                printf("%s: status %d for vector %d\n", name, status[k], (first + k) % vectors);
                failed = 1;
            }
        }
    }
    printf("%s: %d vectors, worst relative difference %.3g, allowed %.3g\n", name, vectors, own, allowed);
    if (!(own <= *worst)) *worst = own;
    return failed || !(own <= allowed);
}

"#;
