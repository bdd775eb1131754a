//! What an optimisation leaves on the disk.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use supple_io::results::plot::{self, Series};

use super::Optimum;
use crate::{RunError, RunErrorKind};

/// Writes `optimum.json` (all that was found), `move.csv` (a row per knot), `motions.toml` (tables `[[motion]]` for a scenario beside it) and `move.svg` into a folder, which is
/// made where it is not there; tells what was written.
///
/// # Errors
/// A folder or file that cannot be written.
pub fn write_optimum(found: &Optimum, folder: &Path) -> Result<Vec<PathBuf>, RunError> {
    let failed = |error: &dyn std::fmt::Display| RunError::new(RunErrorKind::File, error).at(folder);
    fs::create_dir_all(folder).map_err(|error| failed(&error))?;
    let json = serde_json::to_string_pretty(found).map_err(|error| failed(&error))?;
    let files = [
        ("optimum.json", json),
        ("move.csv", table(found)),
        ("motions.toml", motions(found)),
        ("move.svg", plot::svg("the optimised move", &curves(found))),
    ];
    let mut written = Vec::new();
    for (name, text) in files {
        let path = folder.join(name);
        fs::write(&path, text).map_err(|error| RunError::new(RunErrorKind::File, error).at(&path))?;
        written.push(path);
    }
    Ok(written)
}

/// A row per knot.
fn table(found: &Optimum) -> String {
    let mut out = String::from("time");
    for hinge in &found.hinges {
        for quantity in ["hinge", "speed", "acceleration", "force"] {
            let _ = write!(out, ",\"{quantity}.{}\"", hinge.hinge);
        }
    }
    out.push('\n');
    for (k, time) in found.times.iter().enumerate() {
        let _ = write!(out, "{time}");
        for hinge in &found.hinges {
            let row = [&hinge.positions, &hinge.speeds, &hinge.accelerations, &hinge.efforts].map(|list| list[k]);
            for x in row {
                let _ = write!(out, ",{x}");
            }
        }
        out.push('\n');
    }
    out
}

/// Tables of a scenario that let the hinges move so.
fn motions(found: &Optimum) -> String {
    let one = |hinge: &super::MovedHinge| {
        let name = &hinge.hinge;
        format!(
            "[[motion]]\nhinge = \"{name}\"\ncsv = {{ file = \"move.csv\", time = \"time\", value = \"hinge.{name}\" }}\n"
        )
    };
    found.hinges.iter().map(one).collect::<Vec<_>>().join("\n")
}

fn curves(found: &Optimum) -> Vec<Series> {
    let series = |label: String, unit: &str, values: &[f64]| Series {
        label,
        unit: unit.into(),
        points: found.times.iter().zip(values).map(|(t, x)| [*t, *x]).collect(),
    };
    let of = |hinge: &super::MovedHinge| {
        [
            series(format!("hinge.{}", hinge.hinge), "position", &hinge.positions),
            series(format!("speed.{}", hinge.hinge), "speed", &hinge.speeds),
            series(format!("force.{}", hinge.hinge), "effort", &hinge.efforts),
        ]
    };
    found.hinges.iter().flat_map(of).collect()
}
