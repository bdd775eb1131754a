//! The page of the gallery, `docs/gallery.md`, and the list of its examples, `examples/README.md`.

use super::example::{Check, Example};
use std::fmt::Write;

/// An example with what its checks have measured.
pub struct Shown {
    pub example: Example,
    /// Number and unit of each check.
    pub measured: Vec<(f64, String)>,
    /// File of the model of each check.
    pub models: Vec<String>,
}

const HEAD: &str = "\
# Gallery

Start from the system that is closest to yours. Each is a folder of `examples` with a model, scenarios, and numbers that are checked against published,
analytic or independently computed values; its `example.toml` lists them with their sources. `crates/supple-cli/tests/papers/gallery.rs` runs all examples;
with `SUPPLE_WRITE_GALLERY=1` it also writes this page and its pictures.

| example | what is checked | expected | computed |
|---|---|---|---|
";

const INDEX_HEAD: &str = "\
# Examples

Each folder has a model, scenarios and an `example.toml` with numbers that are checked. Pictures, numbers and their sources are in the
[gallery](../docs/gallery.md). `crates/supple-cli/tests/papers/gallery.rs` writes this list. Without the installed command, write
`cargo run --release -p supple-cli --` instead of `supple`.

| folder | example | to run |
|---|---|---|
";

/// The list of the folders.
pub fn index(shown: &[Shown]) -> String {
    let mut out = INDEX_HEAD.to_owned();
    for Shown { example, .. } in shown {
        let (folder, title) = (&example.folder, &example.title);
        let runs: Vec<String> =
            example.scenarios().iter().map(|file| format!("`supple run examples/{folder}/{file}`")).collect();
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(
            out,
            "| [{folder}]({folder}) | [{title}](../docs/gallery.md#{}) | {} |",
            anchor(title),
            runs.join("<br>")
        );
    }
    out += "\nPrograms that use the library are in `crates/supple-bodies/examples`.\n";
    out
}

/// The page.
pub fn page(shown: &[Shown]) -> String {
    let mut out = HEAD.to_owned();
    for Shown { example, measured, .. } in shown {
        for (i, (check, measured)) in example.checks.iter().zip(measured).enumerate() {
            let head = if i == 0 { format!("[{}](#{})", example.title, anchor(&example.title)) } else { String::new() };
            let (expected, found) = numbers(check, measured);
            let _ = writeln!(out, "| {head} | {} | {expected} | {found} |", check.what);
        }
    }
    for shown in shown {
        section(&mut out, shown);
    }
    out
}

/// Links of the book stay within `docs`, so that files of the examples are named, not linked to.
fn section(out: &mut String, Shown { example, measured, models }: &Shown) {
    let folder = &example.folder;
    let _ = writeln!(out, "\n## {}\n\n{}\n", example.title, example.text.trim());
    let _ = writeln!(out, "![{}](pictures/gallery/{folder}.svg)\n", example.picture.title);
    *out += "<!-- tested by: crates/supple-cli/tests/papers/gallery.rs::every_number_and_the_page -->\n```sh\n";
    for scenario in example.scenarios() {
        let _ = writeln!(out, "supple run examples/{folder}/{scenario}");
    }
    *out += "```\n\n| scenario | model | checked | expected | computed | expected value |\n|---|---|---|---|---|---|\n";
    for ((check, measured), model) in example.checks.iter().zip(measured).zip(models) {
        let (expected, found) = numbers(check, measured);
        let (scenario, what, kind, source) = (&check.scenario, &check.what, check.kind.word(), &check.source);
        let _ = writeln!(out, "| `{scenario}` | `{model}` | {what} | {expected} | {found} | {kind}: {source} |");
    }
    let _ = writeln!(out, "\nSource of the model: {}", example.source.trim());
}

/// Expected and measured number with unit.
fn numbers(check: &Check, (measured, unit): &(f64, String)) -> (String, String) {
    let unit = if unit.is_empty() || unit == "1" { String::new() } else { format!(" {unit}") };
    if check.value == 0.0 {
        // What is left of zero is rounding, which is not the same everywhere.
        let tolerance = plain(check.tolerance);
        return (format!("0 ± {tolerance}{unit}"), format!("less than {tolerance}{unit}"));
    }
    let expected = format!("{} ± {}{unit}", plain(check.value), plain(check.tolerance));
    (expected, format!("{}{unit}", digits(*measured, check.tolerance)))
}

/// A number as it was written, small ones with a power of ten.
fn plain(x: f64) -> String {
    if x.abs() < 1e-3 { format!("{x:e}") } else { format!("{x}") }
}

/// A number to a tenth of its tolerance.
fn digits(x: f64, tolerance: f64) -> String {
    let decimals = (1.0 - tolerance.log10().floor()).max(0.0) as usize;
    if x.abs() < 1e-3 { format!("{x:.3e}") } else { format!("{x:.decimals$}") }
}

/// The anchor that a heading gets.
fn anchor(title: &str) -> String {
    let kept =
        title.to_lowercase().chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-')).collect::<String>();
    kept.replace(' ', "-")
}
