//! Runs a scenario file and reads results by name: a crane runs out its boom.

use supple_run::{Options, RunError, run};

const SCENARIO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/crane/extend.toml");

/// Two columns of the crane.
pub fn main() -> Result<(), RunError> {
    let results = run(SCENARIO, &Options::default())?;
    let sag = results.column("deflection.outer boom.tip.z")?;
    let most = sag.iter().fold(0.0, |most: f64, w| most.max(w.abs()));
    println!("extension at the end: {:.3} m", results.last("hinge.telescope")?);
    println!("greatest sag of the outer boom: {:.1} mm in {} rows", 1e3 * most, sag.len());
    assert!((results.last("hinge.telescope")? - 3.0).abs() < 1e-9 && most > 0.08);
    Ok(())
}
