//! Clamped beams under dead tip loads: how far a modal body bends as a real beam does, and what to do beyond.

mod equilibrium;
mod linear;
mod problem;
mod rod;

use std::error::Error;

use self::equilibrium::Loaded;
pub use self::problem::Problem;
use super::row::Value;
use super::{Case as StudyCase, Run};
use supple::{ElasticRotation, Fidelity, State, Workspace, kinematics};
use supple_bodies::beam::ModeCounts;
use supple_bodies::catalogue::split_beam::{Shapes, SplitBeam, SplitModel};

/// Parts of the published load.
const PARTS: [f64; 6] = [0.01, 0.05, 0.1, 0.2, 0.5, 1.0];
/// What a model may be off where it still counts as right.
const ALLOWED: f64 = 0.01;
/// Loads of the Princeton experiment, mN.
const PRINCETON: [u32; 3] = [4448, 8896, 13345];

/// A problem and how it is solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Case {
    /// The problem.
    pub problem: Problem,
    method: Method,
}

/// How a problem is solved.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Method {
    /// The exact rod, against print.
    Rod,
    /// One body, at parts of the load.
    OneBody { name: &'static str, modes: ModeCounts },
    /// Bodies in a row at the full load.
    Split { name: &'static str, bodies: usize, shapes: Shapes },
}

impl Case {
    /// Its discretisation in the rows.
    pub fn discretisation(self) -> &'static str {
        match self.method {
            Method::Rod => "rod",
            Method::OneBody { name, .. } | Method::Split { name, .. } => name,
        }
    }

    /// Whether it is the exact rod, which has no model.
    pub fn is_exact(self) -> bool {
        self.method == Method::Rod
    }
}

/// Bending in the plane and stretch.
fn plane(bending: usize, stretch: usize) -> ModeCounts {
    ModeCounts { bending_y: bending, stretch, ..ModeCounts::default() }
}

/// One body in the plane, by model.
fn single_bodies() -> Vec<(&'static str, ModeCounts, Fidelity)> {
    vec![
        ("3b", plane(3, 0), Fidelity::Inconsistent),
        ("8b", plane(8, 0), Fidelity::Inconsistent),
        ("3b1s", plane(3, 1), Fidelity::Exact),
        ("3b4s", plane(3, 4), Fidelity::Exact),
        ("3b16s", plane(3, 16), Fidelity::Exact),
        ("8b16s", plane(8, 16), Fidelity::Exact),
        ("3b", plane(3, 0), Fidelity::Stiffened),
        ("8b", plane(8, 0), Fidelity::Stiffened),
    ]
}

/// Numbers of bodies with their names: elements, and three natural modes of bending each.
const SPLIT: [(usize, &str, &str); 5] =
    [(1, "1xFE", "1x3b"), (2, "2xFE", "2x3b"), (4, "4xFE", "4x3b"), (8, "8xFE", "8x3b"), (16, "16xFE", "16x3b")];

/// Everything.
pub fn runs() -> Vec<Run> {
    let run =
        |problem, method, fidelity, tip| Run { case: StudyCase::Statics(Case { problem, method }), fidelity, tip };
    let rotvec = ElasticRotation::RotationVector;
    let stiffened = |problem, method| run(problem, method, Fidelity::Stiffened, rotvec);
    let exact = |problem| run(problem, Method::Rod, Fidelity::Exact, ElasticRotation::None);
    let mut out = Vec::new();
    for problem in [Problem::Cantilever, Problem::ClampedBeam, Problem::RollUp] {
        out.push(exact(problem));
        let single = single_bodies().into_iter();
        out.extend(
            single.map(|(name, modes, fidelity)| run(problem, Method::OneBody { name, modes }, fidelity, rotvec)),
        );
        for (bodies, element, natural) in SPLIT {
            let elements = Method::Split { name: element, bodies, shapes: Shapes::PlaneElement };
            out.push(run(problem, elements, Fidelity::Inconsistent, rotvec));
            out.push(stiffened(problem, elements));
            let modes = Shapes::Natural(plane(3, 1));
            out.push(stiffened(problem, Method::Split { name: natural, bodies, shapes: modes }));
        }
    }
    out.push(exact(Problem::Bend));
    for (bodies, name, _) in SPLIT {
        out.push(stiffened(Problem::Bend, Method::Split { name, bodies, shapes: Shapes::SpaceElement }));
    }
    for (load, angle) in princeton_points() {
        let problem = Problem::Princeton { load, angle };
        let modes = ModeCounts { bending_y: 3, bending_z: 3, stretch: 1, twist: 3 };
        out.push(stiffened(problem, Method::Split { name: "1x3b3t", bodies: 1, shapes: Shapes::Natural(modes) }));
        for (bodies, name, _) in &SPLIT[2..4] {
            out.push(stiffened(problem, Method::Split { name, bodies: *bodies, shapes: Shapes::SpaceElement }));
        }
    }
    out
}

/// All angles at the largest load, and 45 degrees at the others.
fn princeton_points() -> Vec<(u32, u32)> {
    let [small, middle, large] = PRINCETON;
    let all = (0..=90).step_by(15).map(|angle| (large, angle));
    [(small, 45), (middle, 45)].into_iter().chain(all).collect()
}

/// The quantities of a run.
pub fn values(case: Case, run: &Run, tolerance: f64) -> Result<Vec<Value>, Box<dyn Error>> {
    let problem = case.problem;
    let beam = |shapes, bodies| SplitBeam {
        arc: problem.arc(),
        bodies,
        fidelity: run.fidelity,
        elastic_rotation: run.tip,
        ..SplitBeam::straight(problem.length(), problem.properties(), shapes)
    };
    match case.method {
        Method::Rod => {
            let found = exact(problem, 1.0, problem.rod())?;
            let mut rows: Vec<Value> =
                (0..3).map(|i| Value::new(problem.quantities()[i], problem.published()[i], found[i])).collect();
            if problem == Problem::ClampedBeam {
                let unsheared = exact(problem, 1.0, problem.unsheared_rod())?;
                let name = |i: usize| format!("{}_unsheared", problem.quantities()[i]);
                rows.extend((0..3).map(|i| Value::new(name(i), problem.published()[i], unsheared[i])));
            }
            Ok(rows)
        }
        Method::Split { shapes, bodies, .. } => {
            let built = beam(shapes, bodies).build()?;
            let bent = Bent::new(problem, &built, tolerance);
            // A closed circle is symmetric, and right for any number of bodies: half of it tells more.
            let parts: &[f64] = if problem == Problem::RollUp { &[0.5, 1.0] } else { &[1.0] };
            let mut rows = Vec::new();
            for part in parts {
                let (found, wanted) = (bent.at(*part)?, exact(problem, *part, problem.unsheared_rod())?);
                let name = |i: usize| match problem {
                    Problem::Princeton { load, angle } => {
                        format!("{}_{}N_{angle}deg", problem.quantities()[i], f64::from(load) * 1e-3)
                    }
                    _ => format!("{}_at_{part}", problem.quantities()[i]),
                };
                rows.extend((0..3).map(|i| Value::new(name(i), Some(rounded(wanted[i])), found[i])));
            }
            Ok(rows)
        }
        Method::OneBody { modes, .. } => {
            let built = beam(Shapes::Natural(modes), 1).build()?;
            let bent = Bent::new(problem, &built, tolerance);
            let mut rows = Vec::new();
            for part in PARTS {
                let (found, wanted) = (bent.at(part)?, exact(problem, part, problem.unsheared_rod())?);
                let name = |i: usize| format!("{}_at_{part}", problem.quantities()[i]);
                rows.extend((0..3).map(|i| Value::new(name(i), Some(rounded(wanted[i])), found[i])));
            }
            rows.extend(limits(&bent)?);
            Ok(rows)
        }
    }
}

/// Up to which deflection over length and slope of the exact rod the drop, the shortening and the slope are right; zero where they
/// never are.
fn limits(bent: &Bent<'_>) -> Result<Vec<Value>, Box<dyn Error>> {
    let mut good = [0.0; 3];
    let mut bad = [None; 3];
    let mut part = 1e-3;
    while part < 1.0 && bad.contains(&None) {
        let errors = bent.errors(part)?;
        for i in (0..3).filter(|&i| bad[i].is_none()).collect::<Vec<_>>() {
            if errors[i] <= ALLOWED { good[i] = part } else { bad[i] = Some(part) }
        }
        part *= 1.3;
    }
    let mut rows = Vec::new();
    for (i, quantity) in ["drop", "shortening", "slope"].into_iter().enumerate() {
        let mut good = good[i];
        if let Some(mut bad) = bad[i].filter(|_| good > 0.0) {
            for _ in 0..12 {
                let middle = 0.5 * (good + bad);
                if bent.errors(middle)?[i] <= ALLOWED { good = middle } else { bad = middle }
            }
        }
        let [drop, _, slope] =
            if good > 0.0 { exact(bent.problem, good, bent.problem.unsheared_rod())? } else { [0.0; 3] };
        rows.push(Value::new(format!("{quantity}_right_to_drop"), None, drop / bent.problem.length()));
        rows.push(Value::new(format!("{quantity}_right_to_slope"), None, slope));
    }
    Ok(rows)
}

/// A model of a problem.
struct Bent<'a> {
    problem: Problem,
    built: &'a SplitModel,
    loaded: Loaded<'a>,
    tolerance: f64,
}

impl<'a> Bent<'a> {
    fn new(problem: Problem, built: &'a SplitModel, tolerance: f64) -> Self {
        Self { problem, built, loaded: Loaded::new(&built.model, built.tip), tolerance }
    }

    /// Quantities at a part of the load.
    fn at(&self, part: f64) -> Result<[f64; 3], Box<dyn Error>> {
        let (force, moment) = self.problem.load();
        let load: [f64; 6] = std::array::from_fn(|i| part * if i < 3 { moment[i] } else { force[i - 3] });
        let model = &self.built.model;
        let state = self.loaded.equilibrium(load, (0.0, State::new(model)), self.tolerance)?;
        let (body, node) = self.built.tip;
        let mut workspace = Workspace::new(model);
        let place = kinematics(model, &state, &mut workspace)?;
        Ok(self.problem.told(place.node_position(body, node).0, place.node_attitude(body, node).0))
    }

    /// Relative errors of the quantities at a part of the load.
    fn errors(&self, part: f64) -> Result<[f64; 3], Box<dyn Error>> {
        let (found, wanted) = (self.at(part)?, exact(self.problem, part, self.problem.unsheared_rod())?);
        Ok(std::array::from_fn(|i| (found[i] / wanted[i] - 1.0).abs()))
    }
}

/// Quantities of the exact rod at a part of the load.
fn exact(problem: Problem, part: f64, rod: rod::Rod) -> Result<[f64; 3], Box<dyn Error>> {
    let (force, moment) = problem.load();
    let stages = if part < 0.3 { 1 } else { 4 };
    let tip = rod.tip(force.map(|x| part * x), moment.map(|x| part * x), stages);
    let tip =
        tip.ok_or_else(|| format!("{}: the shooting of the exact rod missed at {part} of the load", problem.name()))?;
    Ok(problem.told(tip.position, tip.attitude))
}

/// To seven digits, as rows show, and zero where it is rounding.
fn rounded(x: f64) -> f64 {
    if x.abs() < 1e-11 { 0.0 } else { format!("{x:.6e}").parse().unwrap_or(x) }
}
