//! Craig-Bampton reduction of a meshed beam: errors against the mesh by the number of fixed-interface modes.

use std::error::Error;

use super::row::Value;
use super::svg::{Curve, Plot};
use super::{Case as StudyCase, Run};
use supple::{ElasticRotation, Fidelity};
use supple_bodies::catalogue::interface_beam::{Errors, InterfaceBeam, NAMES};

/// Name of the only case.
pub const NAME: &str = "interface-beam";
/// Most fixed-interface modes.
const MOST: usize = 20;

/// The only run.
pub fn runs() -> Vec<Run> {
    vec![Run { case: StudyCase::CraigBampton, fidelity: Fidelity::Inconsistent, tip: ElasticRotation::None }]
}

/// Errors of everything, by the number of modes.
pub fn values() -> Result<Vec<Value>, Box<dyn Error>> {
    let row = |errors: &Errors| {
        let modes = errors.modes;
        let name = move |quantity: &str| format!("{}_at_{modes}", quantity.replace(' ', "_"));
        NAMES.into_iter().zip(errors.all).map(move |(quantity, error)| Value::new(name(quantity), None, error))
    };
    Ok(InterfaceBeam::new()?.convergence(MOST)?.iter().flat_map(row).collect())
}

/// The same as a picture.
pub fn picture() -> Result<String, Box<dyn Error>> {
    let errors = InterfaceBeam::new()?.convergence(MOST)?;
    // The static deflection is exact with any number of modes: nothing to draw.
    let drawn = NAMES.iter().take(NAMES.len() - 1).enumerate();
    let curves = drawn
        .map(|(i, name)| Curve { name: (*name).to_owned(), values: errors.iter().map(|e| e.all[i]).collect() })
        .collect();
    let plot = Plot {
        title: "Craig-Bampton reduction of a beam: relative error against the mesh".into(),
        across: "fixed-interface modes",
        up: "relative error",
        unit: "modes",
        label: |modes| modes.to_string(),
        curves,
    };
    Ok(plot.to_string())
}
