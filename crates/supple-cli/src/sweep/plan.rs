//! The values of runs, before they are made.

use std::io::{self, Write};
use std::ops::Range;

use serde_json::{Map, Value, json};
use supple_run::sweep::Study;

use crate::options::{Format, FormatOptions, Rows};
use crate::output;
use crate::status::Status;

/// Prints the values of runs.
pub fn print(study: &Study, runs: Range<u64>, format: &FormatOptions<Rows>) -> Status {
    output::print(|out| match format.or(Format::Table) {
        Format::Json => json_rows(study, runs, out),
        Format::Csv => {
            let names: Vec<String> = study.names().map(quoted).collect();
            writeln!(out, "run,{}", names.join(","))?;
            for run in runs {
                let values: Vec<String> = study.values(run).iter().map(|value| quoted(&value.text)).collect();
                writeln!(out, "{run},{}", values.join(","))?;
            }
            Ok(())
        }
        _ => table(study, runs, out),
    })
}

/// A cell of CSV.
fn quoted(text: &str) -> String {
    if text.contains([',', '"']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

fn json_rows(study: &Study, runs: Range<u64>, out: &mut dyn Write) -> io::Result<()> {
    let row = |run: u64| {
        let values = study.names().map(str::to_owned).zip(study.values(run));
        let mut row: Map<String, Value> = values
            .map(|(name, value)| (name, value.number.map_or_else(|| json!(value.text), |number| json!(number))))
            .collect();
        row.insert("run".into(), json!(run));
        Value::Object(row)
    };
    writeln!(out, "{}", Value::Array(runs.map(row).collect()))
}

fn table(study: &Study, runs: Range<u64>, out: &mut dyn Write) -> io::Result<()> {
    let width = |name: &str| name.chars().count().max(14);
    let widths: Vec<usize> = study.names().map(width).collect();
    write!(out, "{:>10}", "run")?;
    for (name, width) in study.names().zip(&widths) {
        write!(out, "  {name:>width$}")?;
    }
    writeln!(out)?;
    for run in runs {
        write!(out, "{run:>10}")?;
        for (value, width) in study.values(run).iter().zip(&widths) {
            let text = value.number.map_or_else(|| value.text.clone(), |number| format!("{number:.7e}"));
            write!(out, "  {text:>width$}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}
