//! Inverse kinematics: hinge angles for which named nodes are where they should be.
//!
//! Damped least squares (Levenberg and Marquardt) on the errors of all tasks, with weights; displacements of hinges are taken along their manifold, and hinges at
//! a limit whose error would push them beyond stay there. Where flexible bodies are to be at equilibrium, modal coordinates follow the hinges:
//!
//! ```text
//! r(q, η) = 0                   modal forces at rest
//! dη/dq = -(∂r/∂η)⁻¹ ∂r/∂q      how modes follow hinges
//! J = J_q + J_η dη/dq           Jacobian of a node
//! ```
//!
//! Closures are closed after every step. Where a search ends away from the targets, others start at random poses between the limits, with fixed seeds.

mod elastic;
mod manipulability;
mod search;
mod task;

pub use manipulability::{Manipulability, Part, manipulability};
pub use task::{IkError, Task};

use supple::{HingeHandle, Inputs, Model, State};

use search::{End, Search};

/// Limits of the coordinate of a hinge with one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HingeLimit {
    /// The hinge.
    pub hinge: HingeHandle,
    /// Least coordinate.
    pub lower: f64,
    /// Greatest coordinate.
    pub upper: f64,
}

/// How the search is done.
#[derive(Clone, Debug, PartialEq)]
pub struct IkOptions {
    /// Hinges that may move; empty for all.
    pub hinges: Vec<HingeHandle>,
    /// Limits of their coordinates.
    pub limits: Vec<HingeLimit>,
    /// Flexible bodies are at rest under gravity, springs and what acts; otherwise modal coordinates stay as they are at the start.
    pub equilibrium: bool,
    /// A task is reached within this distance, m.
    pub position_tolerance: f64,
    /// A task is reached within this angle, rad.
    pub rotation_tolerance: f64,
    /// Searches that start elsewhere, where the first ends away from the targets.
    pub restarts: u32,
    /// Steps of each search.
    pub steps: u32,
}

impl Default for IkOptions {
    fn default() -> Self {
        Self {
            hinges: Vec::new(),
            limits: Vec::new(),
            equilibrium: false,
            position_tolerance: 1e-8,
            rotation_tolerance: 1e-8,
            restarts: 16,
            steps: 200,
        }
    }
}

/// Why a search ended where it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IkOutcome {
    /// All tasks are met.
    Reached,
    /// No motion of the free hinges brings the nodes nearer: the targets are out of reach.
    OutOfReach,
    /// Hinges at their limits keep the nodes from the targets.
    AtLimits,
    /// The search did not come to an end within its steps.
    NotConverged,
}

/// Where a search ended: the best of all.
#[derive(Clone, Debug, PartialEq)]
pub struct IkSolution {
    /// The state, at rest.
    pub state: State,
    /// Why it ended there.
    pub outcome: IkOutcome,
    /// Distance of each task from its target, m; zero where it has none.
    pub position_errors: Vec<f64>,
    /// Angle of each task from its target, rad; zero where it has none.
    pub rotation_errors: Vec<f64>,
    /// Hinges at a limit.
    pub at_limits: Vec<HingeHandle>,
    /// Least singular value of the Jacobian of all tasks over the greatest: zero where the pose is singular.
    pub conditioning: f64,
    /// Steps of all searches.
    pub steps: u32,
}

/// Finds a pose in which `tasks` are met, near to `start` where there is one. Forces and wrenches of `inputs` act where flexible bodies are to be at
/// equilibrium; hinges that it prescribes are held.
///
/// ```
/// use supple::{Body, Hinge, HingeKind, Inputs, ModelBuilder, Node, Parent, State};
/// use supple_linear::{IkOptions, IkOutcome, Task, inverse_kinematics};
///
/// let mut builder = ModelBuilder::new();
/// let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 0.0, 1.0] });
/// let link = |name, parent| {
///     let mut body = Body::rigid(name, parent, hinge.clone(), 1.0, [0.5, 0.0, 0.0], [[0.1, 0.0, 0.0], [0.0, 0.35, 0.0], [0.0, 0.0, 0.35]]);
///     body.nodes.push(Node { name: Some("tip".into()), position: [1.0, 0.0, 0.0], ..Node::default() });
///     body
/// };
/// let upper = builder.body(link("upper", Parent::Ground));
/// builder.body(link("lower", Parent::Body(upper, supple::NodeIndex(1))));
/// let model = builder.build()?;
/// let tip = model.node("lower", "tip")?;
/// let found = inverse_kinematics(&model, &State::new(&model), &Inputs::new(&model), &[Task::position(tip, [1.0, 1.0, 0.0])], &IkOptions::default())?;
/// assert_eq!(found.outcome, IkOutcome::Reached);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`IkError`] for tasks and limits that make no sense. Targets that cannot be reached are no error: [`IkSolution::outcome`] says so.
pub fn inverse_kinematics(
    model: &Model,
    start: &State,
    inputs: &Inputs,
    tasks: &[Task],
    options: &IkOptions,
) -> Result<IkSolution, IkError> {
    let search = Search::new(model, inputs, tasks, options)?;
    let mut best: Option<End> = None;
    let mut steps = 0;
    for seed in 0..=options.restarts {
        let from = if seed == 0 { search.within_limits(start) } else { search.random(start, u64::from(seed)) };
        let end = match search.run(from) {
            Ok(end) => end,
            // A random pose may have no equilibrium or open closures; the start must have one.
            Err(error) if seed == 0 => return Err(error),
            Err(_) => continue,
        };
        steps += end.steps;
        let better = best.as_ref().is_none_or(|best| end.is_better_than(best));
        let reached = end.reached;
        if better {
            best = Some(end);
        }
        if reached {
            break;
        }
    }
    let Some(end) = best else { return Err(IkError::NoTask) };
    search.answer(end, steps)
}
