//! Book's count of operations for an arm of six joints, two flexible links and three modes each, beside ours on such an arm.

use std::error::Error;

use supple::spatial::Operations;
use supple::{ElasticRotation, Fidelity, Model, System};
use supple_bodies::catalogue::book_arm::{FLEXIBLE, JOINTS, MODES, book_arm};

use super::row::Value;
use super::{Case as StudyCase, Run};
use crate::book::{BookOperations, CountedArm};
use crate::cost::cost_of;

/// Name of the only case.
pub const NAME: &str = "arm-6-2-3";
/// Multiplications in the text of the paper                                            [B83 6]
const PRINTED: f64 = 12_009.0;

/// The arm as Book has it, then with other elastic rotations for the sweeps alone.
pub fn runs() -> Vec<Run> {
    let tips = [ElasticRotation::FirstOrder, ElasticRotation::Integrated];
    tips.map(|tip| Run { case: StudyCase::BookCount, fidelity: Fidelity::Inconsistent, tip }).into()
}

/// The counts of a run.
pub fn values(run: &Run) -> Result<Vec<Value>, Box<dyn Error>> {
    let system = System { elastic_rotation: run.tip, ..book_arm() };
    let mut out = Vec::new();
    if run.tip == ElasticRotation::FirstOrder {
        out.extend(of_book(&system)?);
    }
    let rows = cost_of(|_| system.clone(), JOINTS, MODES)?;
    for algorithm in ["articulated-auto", "composite", "inverse"] {
        let stages: Vec<_> = rows.iter().filter(|row| row.algorithm == algorithm).collect();
        let name = algorithm.trim_end_matches("-auto");
        let multiplications: u64 = stages.iter().map(|row| row.multiplications).sum();
        let additions: u64 = stages.iter().map(|row| row.additions).sum();
        out.push(value(&format!("{name}_multiplications"), None, multiplications));
        out.push(value(&format!("{name}_additions"), None, additions));
    }
    Ok(out)
}

fn value(quantity: &str, paper: Option<f64>, ours: u64) -> Value {
    Value::new(quantity, paper, ours as f64)
}

/// Book's formulation: what the paper counts, then what it leaves out.
fn of_book(system: &System) -> Result<Vec<Value>, Box<dyn Error>> {
    let arm = CountedArm { joints: JOINTS, flexible: FLEXIBLE, modes: MODES };
    let BookOperations { kinematics, inertia, rest, solution } = BookOperations::of(system, &Model::build(system)?)?;
    let counted: Operations = kinematics + inertia + rest;
    Ok(vec![
        value("book_multiplications", Some(PRINTED), counted.multiplications),
        value("book_additions", Some(arm.paper_additions()), counted.additions),
        Value::new("book_polynomial", Some(PRINTED), arm.paper_multiplications()),
        value("book_kinematics_multiplications", None, kinematics.multiplications),
        value("book_inertia_multiplications", None, inertia.multiplications),
        value("book_rest_multiplications", None, rest.multiplications),
        value("book_solution_multiplications", None, solution.multiplications),
        value("book_solution_additions", None, solution.additions),
    ])
}
