//! Facts about closed chains: what they leave free, and whether they can be closed.

use serde::Serialize;
use supple::{DynamicsError, Inputs, Model, RedundantEquation, State};
use supple_io::load::Loaded;
use supple_run::{ClosedPose, close_pose};

/// Most equations that are looked at: their compliance is factored as a dense matrix.
pub const MOST_EQUATIONS: usize = 600;

/// The closures of a system as a whole.
#[derive(Serialize)]
pub struct ClosingFacts {
    /// Speeds that are free: all but those of prescribed hinges.
    pub speeds: usize,
    pub equations: usize,
    /// Degrees of freedom as counted by Grübler: speeds less equations.
    pub counted: isize,
    /// Degrees of freedom by the rank of the equations in the closed pose; none where they cannot be closed.
    pub freedoms: Option<usize>,
    /// Equations that depend on others in the closed pose.
    pub redundant: Option<Vec<RedundantFacts>>,
    /// The pose from which they are closed.
    pub from: &'static str,
    /// What moves to close them; none where they cannot be closed.
    pub moved: Option<Vec<MovedFacts>>,
    /// Why they cannot be closed, where that is so.
    pub open: Option<OpenFacts>,
}

/// An equation that depends on others.
#[derive(Serialize)]
pub struct RedundantFacts {
    pub closure: String,
    /// What it holds, in the axes of frame `a`; z is along the axis of the closure.
    pub holds: &'static str,
}

/// A hinge or mode that moves when closures are closed.
#[derive(Serialize)]
pub struct MovedFacts {
    pub what: String,
    pub by: f64,
}

/// Why closures cannot be closed.
#[derive(Serialize)]
pub struct OpenFacts {
    /// The closure that stays open farthest.
    pub closure: Option<String>,
    /// The largest of its equations, m or rad.
    pub by: Option<f64>,
    /// In words.
    pub why: String,
    pub remedy: &'static str,
}

impl ClosingFacts {
    /// Facts about the closures of a system, where it has any: closed from the start of the scenario, or else from zero coordinates.
    pub fn new(loaded: &Loaded) -> Option<Self> {
        let model = &loaded.model;
        if model.closures().is_empty() {
            return None;
        }
        let (mut inputs, mut placed, mut pose) =
            (Inputs::new(model), vec![false; model.body_count()], State::new(model));
        if let Some(scenario) = &loaded.scenario {
            scenario.motions.iter().for_each(|motion| inputs.prescribed[motion.body.0] = true);
            (placed, pose) = (scenario.placed.clone(), scenario.initial.clone());
        }
        let held = model.body_indices().filter(|body| inputs.prescribed[body.0]);
        let speeds = model.speed_count() - held.map(|body| model.hinge_speeds(body).len()).sum::<usize>();
        let closed = model.closures().iter().zip(&pose.closed).filter(|(_, closed)| **closed);
        let equations = closed.map(|(closure, _)| closure.equations()).sum();
        let from = if loaded.scenario.is_some() { "the start of the scenario" } else { "zero coordinates" };
        let counted = speeds as isize - equations as isize;
        let counted =
            Self { speeds, equations, counted, from, freedoms: None, redundant: None, moved: None, open: None };
        if equations > MOST_EQUATIONS {
            return Some(counted);
        }
        Some(match close_pose(model, &mut pose, &inputs, &placed) {
            Ok(closed) => counted.closed(model, closed),
            Err(error) => Self { open: Some(OpenFacts::new(model, &error)), ..counted },
        })
    }

    fn closed(self, model: &Model, ClosedPose { moved, rank }: ClosedPose) -> Self {
        let redundant = |equation: &RedundantEquation| RedundantFacts {
            closure: name(model, equation.closure.closure()),
            holds: equation.holds,
        };
        Self {
            freedoms: Some(rank.freedoms()),
            redundant: Some(rank.redundant.iter().map(redundant).collect()),
            moved: Some(moved.into_iter().map(|(what, by)| MovedFacts { what, by }).collect()),
            ..self
        }
    }
}

impl OpenFacts {
    fn new(model: &Model, error: &DynamicsError) -> Self {
        let (closure, by) = match error {
            DynamicsError::CannotClose { closure, miss, .. } => (Some(name(model, *closure)), Some(*miss)),
            _ => (None, None),
        };
        let remedy = error.remedy().unwrap_or("check the numbers of the model");
        let why = error.to_string();
        let why = why.strip_suffix(remedy).map_or(why.as_str(), |what| what.trim_end_matches("; ")).to_owned();
        Self { closure, by, why, remedy }
    }
}

/// A closure by its name, or else its place in the file.
fn name(model: &Model, closure: usize) -> String {
    model.closures()[closure].name.clone().unwrap_or_else(|| format!("closure {closure}"))
}
