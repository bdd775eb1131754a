//! What an identification leaves on the disk.

use std::fs;
use std::path::{Path, PathBuf};

use supple_io::results::plot::{self, Series};

use super::{Estimate, FittedColumn};
use crate::{RunError, RunErrorKind};

/// Points of a curve in a picture.
const POINTS: usize = 2000;

/// Writes `identified.json` (all that was found), `changes.txt` (a line `KEY=VALUE` per key, for `--set-from`), `fit.csv` and `residuals.csv`, `fit.svg` and `residuals.svg` into a
/// folder, which is made where it is not there; tells what was written.
///
/// # Errors
/// A folder or file that cannot be written.
pub fn write_estimate(found: &Estimate, folder: &Path) -> Result<Vec<PathBuf>, RunError> {
    let failed = |error: &dyn std::fmt::Display| RunError::new(RunErrorKind::File, error).at(folder);
    fs::create_dir_all(folder).map_err(|error| failed(&error))?;
    let json = serde_json::to_string_pretty(found).map_err(|error| failed(&error))?;
    let mut changes = found.changes().join("\n");
    changes.push('\n');
    let curve = |column: &FittedColumn, values: &[f64], what: &str| Series {
        label: format!("{}{what}", column.column),
        unit: column.column.clone(),
        points: thinned(&column.times, values),
    };
    let curves: Vec<Series> = (found.columns.iter())
        .flat_map(|column| [curve(column, &column.measured, ", measured"), curve(column, &column.fitted, ", model")])
        .collect();
    let left = |column: &FittedColumn| -> Vec<f64> {
        column.measured.iter().zip(&column.fitted).map(|(measured, fitted)| measured - fitted).collect()
    };
    let residuals: Vec<Series> = found.columns.iter().map(|column| curve(column, &left(column), "")).collect();
    let files = [
        ("identified.json", json),
        ("changes.txt", changes),
        ("fit.csv", table(found)),
        ("fit.svg", plot::svg("measured, and the model with the parameters found", &curves)),
        ("residuals.svg", plot::svg("measured minus the model", &residuals)),
    ];
    let mut written = Vec::new();
    for (name, text) in files {
        let path = folder.join(name);
        fs::write(&path, text).map_err(|error| RunError::new(RunErrorKind::File, error).at(&path))?;
        written.push(path);
    }
    Ok(written)
}

/// At most some points, evenly.
fn thinned(times: &[f64], values: &[f64]) -> Vec<[f64; 2]> {
    let every = times.len().div_ceil(POINTS).max(1);
    times.iter().zip(values).step_by(every).map(|(t, x)| [*t, *x]).collect()
}

/// One row per sample: column, time, measured, model.
fn table(found: &Estimate) -> String {
    let mut out = String::from("column,time[s],measured,model\n");
    for column in &found.columns {
        for ((t, y), model) in column.times.iter().zip(&column.measured).zip(&column.fitted) {
            out.push_str(&format!("\"{}\",{t},{y},{model}\n", column.column));
        }
    }
    out
}
