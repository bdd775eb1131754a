//! Jain and Rodriguez, figure 2: operations of forward dynamics on a chain, articulated and composite, bias terms left out of both.
//!
//! The chain of the figure is the standard one of `supple cost`, for which the paper's polynomials hold; the other models are counted on
//! chains of beams. Inverse dynamics, which is mostly bias, is counted whole.

use std::error::Error;

use super::row::Value;
use super::svg::{Curve, Plot};
use super::{Case as StudyCase, Run, names};
use crate::book::BookOperations;
use crate::cost::{CostRow, chain_cost, cost_of, free_chain_cost};
use supple::spatial::Operations;
use supple::{ElasticRotation, Fidelity, Model, System};
use supple_bodies::catalogue::beam_chain::{beam_chain, usual_rotation};

/// What changes along a curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// Ten bodies with 0 to 10 modes: the figure.
    ByModes,
    /// 1 to 20 bodies with ten modes.
    ByBodies,
    /// Ten bodies with free-free modes, which the paper assumes.
    FreeFree,
}

/// Sizes of the figure that stays the same, and where it is read off.
const TEN: usize = 10;
/// Numbers of bodies that are counted.
const BODIES: [usize; 6] = [1, 2, 5, 10, 15, 20];

/// Algorithms as rows and curves name them, and in `supple cost`. An algorithm more is a line more.
const ALGORITHMS: [(&str, &str); 7] = [
    ("composite", "composite"),
    ("articulated", "articulated-auto"),
    ("articulated_condensed", "articulated-condensed"),
    ("articulated_indirect", "articulated-indirect"),
    ("articulated_explicit", "articulated-explicit"),
    ("book", "book"),
    ("inverse", "inverse"),
];
const FIDELITIES: [Fidelity; 6] = [
    Fidelity::RuthlessConstant,
    Fidelity::Ruthless,
    Fidelity::Inconsistent,
    Fidelity::Consistent,
    Fidelity::Exact,
    Fidelity::Stiffened,
];

impl Case {
    /// The name in rows.
    pub fn name(self) -> &'static str {
        match self {
            Self::ByModes => "by-modes",
            Self::ByBodies => "by-bodies",
            Self::FreeFree => "free-free",
        }
    }

    /// What is counted along a curve.
    fn counted(self) -> &'static str {
        match self {
            Self::ByModes | Self::FreeFree => "modes",
            Self::ByBodies => "bodies",
        }
    }

    /// Numbers along a curve.
    fn places(self) -> Vec<usize> {
        match self {
            Self::ByModes => (0..=TEN).collect(),
            Self::FreeFree => (1..=TEN).collect(),
            Self::ByBodies => BODIES.to_vec(),
        }
    }

    /// Counts of the chain at a place.
    fn count(self, fidelity: Fidelity, place: usize) -> Result<Counts, Box<dyn Error>> {
        let (bodies, modes) = match self {
            Self::ByModes | Self::FreeFree => (TEN, place),
            Self::ByBodies => (place, TEN),
        };
        let mut rows = match fidelity {
            _ if self == Self::FreeFree => free_chain_cost(bodies, modes)?,
            Fidelity::RuthlessConstant => chain_cost(bodies, modes)?,
            _ => cost_of(|bodies| beam_chain(bodies, modes, fidelity), bodies, modes)?,
        };
        if fidelity == Fidelity::Inconsistent {
            rows.extend(book_rows(bodies, modes)?);
        }
        Ok(Counts(rows))
    }
}

/// Book's formulation on the same chain with his rotations, in the stages of the others. It has all inertial terms and linear elasticity.
fn book_rows(bodies: usize, modes: usize) -> Result<Vec<CostRow>, Box<dyn Error>> {
    let chain = beam_chain(bodies, modes, Fidelity::Inconsistent);
    let chain = System { elastic_rotation: ElasticRotation::FirstOrder, ..chain };
    let BookOperations { kinematics, inertia, rest, solution } = BookOperations::of(&chain, &Model::build(&chain)?)?;
    let stages = [("bias", kinematics + rest), ("inertia", inertia), ("sweeps", solution)];
    let row = |(stage, counted): (&'static str, Operations)| CostRow {
        algorithm: "book",
        stage,
        bodies,
        modes,
        multiplications: counted.multiplications,
        additions: counted.additions,
        other: counted.other(),
    };
    Ok(stages.map(row).into())
}

/// Rows of `supple cost` for one chain.
struct Counts(Vec<CostRow>);

impl Counts {
    /// Multiplications and additions of an algorithm, without bias terms unless it is inverse dynamics; none if it is not in the rows.
    fn flops(&self, algorithm: &str) -> Option<f64> {
        let counted = |row: &&CostRow| row.algorithm == algorithm && (row.stage != "bias" || algorithm == "inverse");
        let rows: Vec<&CostRow> = self.0.iter().filter(counted).collect();
        let sum: u64 = rows.iter().map(|row| row.multiplications + row.additions).sum();
        (!rows.is_empty()).then_some(sum as f64)
    }

    /// How many times dearer the composite algorithm is.
    fn ratio(&self, composite: &str, articulated: &str) -> Option<f64> {
        Some(self.flops(composite)? / self.flops(articulated)?)
    }
}

/// A row in `supple cost` that the paper's polynomials have.
fn published(algorithm: &str) -> Option<&'static str> {
    match algorithm {
        "composite" => Some("paper-composite"),
        "articulated" => Some("paper-articulated"),
        _ => None,
    }
}

/// Every model along both directions.
pub fn runs() -> Vec<Run> {
    let run = |case, fidelity| Run { case: StudyCase::Figure2(case), fidelity, tip: usual_rotation(fidelity) };
    let both = [Case::ByModes, Case::ByBodies].into_iter().flat_map(|case| FIDELITIES.map(|f| run(case, f)));
    both.chain([run(Case::FreeFree, Fidelity::RuthlessConstant)]).collect()
}

/// Counts and ratios of one model.
pub fn values(case: Case, fidelity: Fidelity) -> Result<Vec<Value>, Box<dyn Error>> {
    let mut values = Vec::new();
    for place in case.places() {
        let counts = case.count(fidelity, place)?;
        for (name, algorithm) in ALGORITHMS {
            let Some(ours) = counts.flops(algorithm) else { continue };
            let paper = published(name).and_then(|row| counts.flops(row));
            values.push(Value::new(format!("{name}_at_{place}"), paper, ours));
        }
        if let Some(ours) = counts.ratio("composite", "articulated-auto") {
            // As many digits as mean something in print.
            let rounded = |ratio: f64| (1e3 * ratio).round() / 1e3;
            let paper = counts.ratio("paper-composite", "paper-articulated").map(rounded);
            values.push(Value::new(format!("composite_over_articulated_at_{place}"), paper, ours));
        }
    }
    Ok(values)
}

/// The curves of one model, the paper's beside them where it has them.
pub fn picture(case: Case, fidelity: Fidelity) -> Result<String, Box<dyn Error>> {
    let places = case.places();
    let counts = places.iter().map(|place| case.count(fidelity, *place)).collect::<Result<Vec<_>, _>>()?;
    let curve = |name: String, algorithm: &str| {
        // Places between those that are counted stay empty.
        let mut values = vec![0.0; places.iter().max().map_or(0, |last| last + 1)];
        for (place, counts) in places.iter().zip(&counts) {
            values[*place] = counts.flops(algorithm).unwrap_or(0.0);
        }
        Curve { name, values }
    };
    let paper = ALGORITHMS.iter().filter_map(|(name, _)| Some((format!("{name}, paper"), published(name)?)));
    let ours = ALGORITHMS.iter().map(|(name, algorithm)| (name.replace('_', ", "), *algorithm));
    let curves = paper.chain(ours).map(|(name, algorithm)| curve(name, algorithm));
    let (across, chain) = match case {
        Case::ByModes => ("modes per body", "10 bodies"),
        Case::ByBodies => ("bodies", "10 modes per body"),
        Case::FreeFree => ("free-free modes per body", "10 bodies"),
    };
    let plot = Plot {
        title: format!("Operations of forward dynamics, bias left out: {chain}, model {}", names::model(fidelity)),
        across,
        up: "multiplications and additions",
        unit: case.counted(),
        label: |count| count.to_string(),
        curves: curves.filter(|curve| curve.values.iter().any(|value| *value > 0.0)).collect(),
    };
    Ok(plot.to_string())
}
