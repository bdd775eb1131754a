//! Published tables, printed beside what comes out here.

mod book_convergence;
mod book_count;
mod book_growth;
mod conjugate_gradients;
mod control;
mod correction;
#[cfg(feature = "fe")]
mod craig_bampton;
mod drift;
mod figure2;
mod flight;
mod histories;
mod names;
mod observer;
mod orders;
mod panels;
mod passivity;
mod readings;
mod remarks;
mod row;
mod spin_up;
mod statics;
mod svg;
mod table1;
mod table3;

use std::error::Error;
use std::io::Write;
use std::path::Path;

use clap::ValueEnum;
use supple::{ElasticRotation, Fidelity};

use self::row::Row;
use crate::{Format, LabError};

/// The tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Study {
    /// Damaren and Sharf, table 1: a beam spun up by a torque.
    Table1,
    /// Damaren and Sharf, table 3: four manoeuvres of the Shuttle arm.
    Table3,
    /// Damaren and Sharf: which terms their models RL and CL need to give their tables.
    Readings,
    /// Damaren and Sharf, figures 1 and 3 to 10: motions over time, one case for each figure.
    Histories,
    /// Damaren and Sharf: speeds, frequencies, planar tips, tolerances and solvers, as the text says.
    Remarks,
    /// Kane, Ryan and Banerjee: a beam spun up by a motion.
    SpinUp,
    /// Static deflections of clamped beams, small and large.
    Statics,
    /// Jain and Rodriguez, figure 2: operations of the algorithms by modes and by bodies.
    Figure2,
    /// Book: operations of an arm with six joints and two flexible links.
    BookCount,
    /// Book: operations by joints, flexible links and modes, and rigid joints in place of modes.
    BookGrowth,
    /// Book: how his formulation and ours come together as deflections become small.
    BookConvergence,
    /// The patent's correction of forces by iteration, exactly, and with quantities of the last step.
    Correction,
    /// Up to which share of the booms' rates the Shuttle arm is passive from Cartesian load to the rate of its tip.
    Passivity,
    /// The Shuttle arm under control: PD at the hinges compared with shaped commands and modal feedback.
    Control,
    /// Errors of a Kalman filter over a hundred noisy runs, with the model of the plant and with another one.
    Observer,
    /// The patent's orders of modal mass, Coriolis acceleration and gyroscopic forces, and what leaving them out costs.
    Orders,
    /// Forward dynamics by conjugate gradients, compared with the recursion.
    ConjugateGradients,
    /// Errors of Craig-Bampton reductions of a beam mesh; needs the feature `fe`.
    CraigBampton,
}

impl Study {
    /// Whether it has a picture.
    pub fn is_drawn(self) -> bool {
        matches!(
            self,
            Self::CraigBampton
                | Self::Figure2
                | Self::BookConvergence
                | Self::Correction
                | Self::Passivity
                | Self::Observer
                | Self::Orders
                | Self::ConjugateGradients
                | Self::Histories
        )
    }

    /// Why this program cannot do it, where it cannot.
    pub fn missing(self) -> Option<&'static str> {
        let needs_elements = self == Self::CraigBampton;
        (needs_elements && cfg!(not(feature = "fe"))).then_some(
            "craig-bampton: built without finite elements; \
             run cargo run --release -p supple-cli --features fe -- study craig-bampton",
        )
    }
}

/// One run of a study.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    case: Case,
    fidelity: Fidelity,
    tip: ElasticRotation,
}

/// What runs.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Case {
    Table1(table1::Case),
    Table3(table3::Case),
    Readings(readings::Case),
    Histories(histories::Case),
    Remarks(remarks::Case),
    SpinUp(spin_up::Case),
    Statics(statics::Case),
    Figure2(figure2::Case),
    BookCount,
    BookGrowth(book_growth::Case),
    BookConvergence,
    Correction(correction::Case),
    Passivity(passivity::Case),
    Control(control::Case),
    Observer(observer::Case),
    Orders,
    ConjugateGradients,
    #[cfg(feature = "fe")]
    CraigBampton,
}

impl Case {
    fn name(self) -> &'static str {
        match self {
            Self::Table1(_) => table1::NAME,
            Self::Table3(case) => case.manoeuvre.name(),
            Self::Readings(case) => case.name(),
            Self::Histories(case) => case.name(),
            Self::Remarks(case) => case.name(),
            Self::SpinUp(case) => case.name,
            Self::Statics(case) => case.problem.name(),
            Self::Figure2(case) => case.name(),
            Self::BookCount => book_count::NAME,
            Self::BookGrowth(case) => case.name(),
            Self::BookConvergence => book_convergence::NAME,
            Self::Correction(case) => case.name,
            Self::Passivity(case) => case.name,
            Self::Control(case) => case.name(),
            Self::Observer(case) => case.name(),
            Self::Orders => orders::NAME,
            Self::ConjugateGradients => conjugate_gradients::NAME,
            #[cfg(feature = "fe")]
            Self::CraigBampton => craig_bampton::NAME,
        }
    }

    fn discretisation(self) -> &'static str {
        match self {
            Self::Table1(case) => case.discretisation(),
            Self::Table3(case) => case.discretisation(),
            Self::SpinUp(_) | Self::BookCount | Self::BookConvergence | Self::Correction(_) | Self::Passivity(_) => {
                "NM"
            }
            Self::Statics(case) => case.discretisation(),
            Self::Figure2(_) | Self::Control(_) | Self::Observer(_) | Self::Orders | Self::ConjugateGradients => "NM",
            Self::Readings(_) | Self::Histories(_) | Self::Remarks(_) | Self::BookGrowth(_) => "NM",
            #[cfg(feature = "fe")]
            Self::CraigBampton => "CB",
        }
    }
}

impl Run {
    /// The name of its model.
    fn model(&self) -> &'static str {
        match self.case {
            Case::Statics(case) if case.is_exact() => "exact",
            Case::Readings(case) => case.model(),
            Case::Histories(_) => "several",
            #[cfg(feature = "fe")]
            Case::CraigBampton => "linear",
            _ => names::model(self.fidelity),
        }
    }
}

/// The runs of a study and how well they are integrated.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    name: Study,
    tolerance: f64,
    /// In the order in which they run.
    pub runs: Vec<Run>,
}

impl Plan {
    /// All runs of a study, with its own tolerance unless another is given.
    pub fn new(name: Study, tolerance: Option<f64>) -> Self {
        let (own, runs) = match name {
            Study::Table1 => (1e-11, table1::runs()),
            Study::Table3 => (1e-9, table3::runs()),
            Study::Readings => (1e-9, readings::runs()),
            Study::Histories => (1e-9, histories::runs()),
            Study::Remarks => (1e-9, remarks::runs()),
            Study::SpinUp => (1e-9, spin_up::runs()),
            Study::Statics => (1e-10, statics::runs()),
            Study::Figure2 => (1e-10, figure2::runs()),
            Study::BookCount => (1e-10, book_count::runs()),
            Study::BookGrowth => (1e-10, book_growth::runs()),
            Study::BookConvergence => (1e-10, book_convergence::runs()),
            Study::Correction => (1e-10, correction::runs()),
            Study::Passivity => (1e-10, passivity::runs()),
            Study::Control => (1e-6, control_runs()),
            Study::Observer => (1e-8, observer::runs()),
            Study::Orders => (1e-10, orders::runs()),
            Study::ConjugateGradients => (1e-10, conjugate_gradients::runs()),
            #[cfg(feature = "fe")]
            Study::CraigBampton => (1e-10, craig_bampton::runs()),
            #[cfg(not(feature = "fe"))]
            Study::CraigBampton => (1e-10, Vec::new()),
        };
        Self { name, tolerance: tolerance.unwrap_or(own), runs }
    }

    /// Only the runs of a case and a model.
    pub fn only(mut self, case: Option<&str>, model: Option<&str>) -> Self {
        let same = |wanted: Option<&str>, name: &str| wanted.is_none_or(|w| w.eq_ignore_ascii_case(name));
        self.runs.retain(|run| same(case, run.case.name()) && same(model, run.model()));
        self
    }
}

/// The cases of the arm under control.
fn control_runs() -> Vec<Run> {
    let run = |case| Run { case: Case::Control(case), fidelity: Fidelity::Stiffened, tip: ElasticRotation::Integrated };
    control::Case::all().map(run).collect()
}

/// Reads a tolerance.
///
/// # Errors
/// What the text should be.
pub fn parse_tolerance(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(value) if (1e-15..=1e-2).contains(&value) => Ok(value),
        _ => Err(format!("`{text}` is not a relative tolerance from 1e-15 to 1e-2; write 1e-9")),
    }
}

/// Does the runs one after the other and writes the rows of each when it ends; `told` is given a line on each run that begins.
///
/// # Errors
/// A run that has no result, or rows that cannot be written. Rows of earlier runs have been written then.
pub fn run(plan: &Plan, format: Format, out: &mut dyn Write, told: &mut dyn FnMut(&str)) -> Result<(), LabError> {
    if format == Format::Peers {
        return Err(LabError::unsupported("study", "rows are written as table, csv or json"));
    }
    if plan.name == Study::Control {
        let case = |run: &Run| if let Case::Control(case) = run.case { Some(case) } else { None };
        let cases: Vec<control::Case> = plan.runs.iter().filter_map(case).collect();
        return control::run(&cases, format, out, told);
    }
    let mut writer = row::Writer::start(out, format)?;
    let mut broken = None;
    for run in &plan.runs {
        told(&line(plan, run));
        match quantities(run, plan.tolerance) {
            Ok(rows) => writer.write(rows)?,
            Err(error) => {
                broken = Some(LabError::failed("study", error));
                break;
            }
        }
    }
    writer.end()?;
    broken.map_or(Ok(()), Err)
}

/// Writes the picture of the first run of a plan, if it has one.
///
/// # Errors
/// A study without a picture, a run without a result, or a file that cannot be written.
pub fn draw(plan: &Plan, file: &Path) -> Result<(), Box<dyn Error>> {
    let picture = match plan.runs.first() {
        Some(Run { case: Case::Figure2(case), fidelity, .. }) => figure2::picture(*case, *fidelity)?,
        Some(Run { case: Case::BookConvergence, .. }) => book_convergence::picture()?,
        Some(Run { case: Case::Correction(case), .. }) => correction::picture(*case)?,
        Some(Run { case: Case::Passivity(_), .. }) => passivity::picture()?,
        Some(Run { case: Case::Observer(_), .. }) => observer::picture()?,
        Some(Run { case: Case::Orders, .. }) => orders::picture()?,
        Some(Run { case: Case::ConjugateGradients, .. }) => conjugate_gradients::picture()?,
        Some(Run { case: Case::Histories(case), .. }) => histories::picture(*case, plan.tolerance)?,
        #[cfg(feature = "fe")]
        Some(Run { case: Case::CraigBampton, .. }) => craig_bampton::picture()?,
        _ => return Err(format!("{}: study {:?} has no picture", file.display(), plan.name).into()),
    };
    std::fs::write(file, picture).map_err(|error| format!("{}: {error}", file.display()).into())
}

/// The rows of a run.
fn quantities(run: &Run, tolerance: f64) -> Result<Vec<Row>, Box<dyn Error>> {
    let values = match run.case {
        Case::Table1(case) => table1::values(case, run.fidelity, tolerance)?,
        Case::Table3(case) => table3::values(case, run, tolerance)?,
        Case::Readings(case) => readings::values(case, tolerance)?,
        Case::Histories(case) => histories::values(case, tolerance)?,
        Case::Remarks(case) => remarks::values(case, tolerance)?,
        Case::SpinUp(case) => spin_up::values(case, run.fidelity, tolerance)?,
        Case::Statics(case) => statics::values(case, run, tolerance)?,
        Case::Figure2(case) => figure2::values(case, run.fidelity)?,
        Case::BookCount => book_count::values(run)?,
        Case::BookGrowth(case) => book_growth::values(case)?,
        Case::BookConvergence => book_convergence::values(run)?,
        Case::Correction(case) => correction::values(case)?,
        Case::Passivity(case) => passivity::values(case)?,
        Case::Observer(case) => observer::values(case)?,
        Case::Orders => orders::values()?,
        Case::ConjugateGradients => conjugate_gradients::values()?,
        // It has rows of its own.
        Case::Control(_) => Vec::new(),
        #[cfg(feature = "fe")]
        Case::CraigBampton => craig_bampton::values()?,
    };
    let row = |value: row::Value| Row {
        case: run.case.name(),
        discretisation: run.case.discretisation(),
        model: run.model(),
        tip: names::tip(run.tip),
        value,
    };
    Ok(values.into_iter().map(row).collect())
}

/// What is under way.
fn line(plan: &Plan, run: &Run) -> String {
    let (case, model, tip) = (run.case.name(), run.model(), names::tip(run.tip));
    let discretisation = run.case.discretisation();
    format!("{:?}: {case} {discretisation} {model} {tip}, tolerance {:e}", plan.name, plan.tolerance)
}
