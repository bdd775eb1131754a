//! Damped least squares within limits.

use faer::Mat;
use faer::Side;
use faer::linalg::solvers::Solve;
use supple::{HingeHandle, Inputs, Model, State, Workspace};

use super::elastic;
use super::{HingeLimit, IkError, IkOptions, IkOutcome, IkSolution, Task};

/// Damping at the start, as a part of the largest diagonal entry.
const DAMPING: f64 = 1e-3;
/// No step moves a hinge farther, rad or m.
const LONGEST: f64 = 0.5;
/// Steps below this end a search.
const SHORTEST: f64 = 1e-14;
/// How much more than tasks the equations of closures count in a step; every step ends on them.
const CLOSURES: f64 = 1e3;
/// Errors that are across the motion of every hinge within this angle, rad, cannot become smaller.
const ACROSS: f64 = 1e-6;
/// A coordinate this near to its limit is there.
const TOUCHING: f64 = 1e-12;

/// What does not change while a search goes on.
pub(super) struct Search<'a> {
    model: &'a Model,
    inputs: Inputs,
    tasks: &'a [Task],
    options: &'a IkOptions,
    /// Speeds that may move.
    columns: Vec<usize>,
    modes: Vec<usize>,
    /// Per column: where its coordinate is and its limits, where it has any.
    limits: Vec<Option<(usize, f64, f64)>>,
}

/// Where one search ended.
pub(super) struct End {
    state: State,
    pub reached: bool,
    converged: bool,
    pub steps: u32,
    cost: f64,
}

impl End {
    /// Whether it is the better answer.
    pub fn is_better_than(&self, other: &Self) -> bool {
        (self.reached && !other.reached) || (self.reached == other.reached && self.cost < other.cost)
    }
}

/// Errors of the tasks at a state.
struct Errors {
    weighted: Vec<f64>,
    positions: Vec<f64>,
    rotations: Vec<f64>,
}

impl Errors {
    fn cost(&self) -> f64 {
        self.weighted.iter().map(|e| e * e).sum()
    }
}

impl<'a> Search<'a> {
    pub fn new(model: &'a Model, inputs: &Inputs, tasks: &'a [Task], options: &'a IkOptions) -> Result<Self, IkError> {
        inputs.check(model)?;
        if tasks.is_empty() {
            return Err(IkError::NoTask);
        }
        for (index, task) in tasks.iter().enumerate() {
            task.check(index)?;
            if task.node.stamp() != model.stamp() {
                return Err(IkError::Handle(supple::AccessError::WrongModel { used_with: "model" }));
            }
        }
        if options.equilibrium && !model.closures().is_empty() {
            return Err(IkError::ClosedEquilibrium);
        }
        let moves = |hinge: &HingeHandle| {
            !inputs.prescribed[hinge.body().0] && (options.hinges.is_empty() || options.hinges.contains(hinge))
        };
        let hinges: Vec<HingeHandle> = model.hinges().filter(moves).collect();
        let columns: Vec<usize> = hinges.iter().flat_map(|hinge| hinge.speeds()).collect();
        if columns.is_empty() {
            return Err(IkError::NoHinge);
        }
        let mut limits = vec![None; columns.len()];
        for limit in &options.limits {
            let place = check_limit(model, limit)?;
            if let Some(column) = columns.iter().position(|speed| *speed == limit.hinge.speeds().start) {
                limits[column] = Some((place, limit.lower, limit.upper));
            }
        }
        let modes = if options.equilibrium { elastic::modal_speeds(model) } else { Vec::new() };
        Ok(Self { model, inputs: inputs.clone(), tasks, options, columns, modes, limits })
    }

    /// The start at rest, moved into the limits.
    pub fn within_limits(&self, start: &State) -> State {
        let mut state = start.clone();
        state.speeds.fill(0.0);
        for (place, lower, upper) in self.limits.iter().flatten() {
            state.coordinates[*place] = state.coordinates[*place].clamp(*lower, *upper);
        }
        state
    }

    /// A pose at random between the limits, or anywhere within half a turn or a metre.
    pub fn random(&self, start: &State, seed: u64) -> State {
        let mut state = self.within_limits(start);
        let mut number = seed;
        let mut displacement = vec![0.0; self.model.speed_count()];
        for (column, limit) in self.columns.iter().zip(&self.limits) {
            let share = uniform(&mut number);
            match limit {
                Some((place, lower, upper)) => {
                    let (lower, upper) = (lower.max(-std::f64::consts::PI), upper.min(std::f64::consts::PI));
                    displacement[*column] = lower + share * (upper - lower).max(0.0) - state.coordinates[*place];
                }
                None => displacement[*column] = (2.0 * share - 1.0) * std::f64::consts::PI,
            }
        }
        state.displace(self.model, &displacement);
        self.within_limits(&state)
    }

    /// Closes closures and brings flexible bodies to rest.
    fn settle(&self, mut state: State) -> Result<State, IkError> {
        if !self.model.closures().is_empty() {
            supple::assemble(self.model, &mut state, &self.inputs)?;
            state.speeds.fill(0.0);
        }
        if self.modes.is_empty() { Ok(state) } else { elastic::settle(self.model, state, &self.inputs) }
    }

    fn errors(&self, state: &State) -> Result<Errors, IkError> {
        let mut workspace = Workspace::new(self.model);
        let found = supple::kinematics(self.model, state, &mut workspace)?;
        let mut errors = Errors { weighted: Vec::new(), positions: Vec::new(), rotations: Vec::new() };
        for task in self.tasks {
            let (body, node) = (task.node.body(), task.node.node());
            let away = task.distance(found.node_position(body, node));
            let turn = task.turn(found.node_attitude(body, node)).0;
            if task.position.is_some() {
                errors.weighted.extend((0..3).filter(|i| task.axes[*i]).map(|i| task.weight * away[i]));
            }
            if task.attitude.is_some() {
                errors.weighted.extend(turn.map(|x| task.weight * x));
            }
            let norm = |v: [f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
            errors.positions.push(norm(away));
            errors.rotations.push(norm(turn));
        }
        Ok(errors)
    }

    /// Jacobian of all tasks by the columns, modes following.
    fn jacobian(&self, state: &State) -> Result<Mat<f64>, IkError> {
        let (n, rows) = (self.model.speed_count(), self.tasks.iter().map(Task::rows).sum());
        let mut workspace = Workspace::new(self.model);
        let follow = match self.modes.is_empty() {
            true => None,
            false => Some(elastic::follow(self.model, state, &self.inputs, [&self.modes, &self.columns])?),
        };
        let mut out = Mat::zeros(rows, self.columns.len());
        let mut at = 0;
        for task in self.tasks {
            let mut whole = vec![0.0; 6 * n];
            let place = (task.node.body(), task.node.node());
            supple::node_jacobian(self.model, state, place, &mut workspace, &mut whole)?;
            let linear = (0..3).filter(|i| task.position.is_some() && task.axes[*i]).map(|i| 3 + i);
            for row in linear.chain((0..3).filter(|_| task.attitude.is_some())) {
                for (j, column) in self.columns.iter().enumerate() {
                    let of_modes = follow.as_ref().map_or(0.0, |follow| {
                        self.modes.iter().enumerate().map(|(m, mode)| whole[row * n + mode] * follow[(m, j)]).sum()
                    });
                    out[(at, j)] = task.weight * (whole[row * n + column] + of_modes);
                }
                at += 1;
            }
        }
        Ok(out)
    }

    /// Equations of closures by the columns.
    fn closures(&self, state: &State) -> Result<Mat<f64>, IkError> {
        let (n, rows) = (self.model.speed_count(), self.model.equation_count());
        let mut whole = vec![0.0; rows * n];
        supple::closure_jacobian(self.model, state, &mut Workspace::new(self.model), &mut whole)?;
        Ok(Mat::from_fn(rows, self.columns.len(), |i, j| CLOSURES * whole[i * n + self.columns[j]]))
    }

    fn is_reached(&self, errors: &Errors) -> bool {
        errors.positions.iter().all(|e| *e <= self.options.position_tolerance)
            && errors.rotations.iter().all(|e| *e <= self.options.rotation_tolerance)
    }

    /// Searches from a state on.
    pub fn run(&self, start: State) -> Result<End, IkError> {
        let mut state = self.settle(start)?;
        let mut errors = self.errors(&state)?;
        let mut damping = DAMPING;
        let mut steps = 0;
        while steps < self.options.steps && !self.is_reached(&errors) {
            steps += 1;
            let jacobian = self.jacobian(&state)?;
            let normal = self.normal(&state, &jacobian, &errors)?;
            if self.is_stationary(&state, &jacobian, &normal.1, &errors) {
                return Ok(End { cost: errors.cost(), state, reached: false, converged: true, steps });
            }
            let mut moved = false;
            while damping < 1e12 {
                let step = self.step(&state, &normal, damping);
                if step.iter().fold(0.0_f64, |m, x| m.max(x.abs())) < SHORTEST {
                    break;
                }
                let tried = self.settle(self.displaced(&state, &step)).and_then(|next| {
                    let errors = self.errors(&next)?;
                    Ok((next, errors))
                });
                match tried {
                    Ok((next, found)) if found.cost() < errors.cost() && self.keeps_limits(&next) => {
                        let gain = 1.0 - found.cost() / errors.cost();
                        (state, errors, moved) = (next, found, gain > 1e-12);
                        damping = (damping * 0.5).max(1e-12);
                        break;
                    }
                    _ => damping *= 2.0,
                }
            }
            if !moved {
                let reached = self.is_reached(&errors);
                return Ok(End { cost: errors.cost(), state, reached, converged: true, steps });
            }
        }
        let reached = self.is_reached(&errors);
        Ok(End { cost: errors.cost(), state, reached, converged: reached, steps })
    }

    /// `J* J` and `J* e`, with the equations of closures.
    fn normal(&self, state: &State, jacobian: &Mat<f64>, errors: &Errors) -> Result<(Mat<f64>, Vec<f64>), IkError> {
        let mut square = jacobian.transpose() * jacobian;
        if !self.model.closures().is_empty() {
            let closures = self.closures(state)?;
            square += closures.transpose() * &closures;
        }
        let pull = |j: usize| errors.weighted.iter().enumerate().map(|(i, e)| jacobian[(i, j)] * e).sum();
        Ok((square, (0..self.columns.len()).map(pull).collect()))
    }

    /// Whether no hinge that may move brings the errors down. In loops the equations of closures pull as well, and the steps decide.
    fn is_stationary(&self, state: &State, jacobian: &Mat<f64>, pull: &[f64], errors: &Errors) -> bool {
        let size = errors.cost().sqrt();
        let across = |j: usize| pull[j].abs() <= ACROSS * jacobian.col(j).norm_l2() * size;
        self.model.closures().is_empty() && (0..pull.len()).all(|j| self.is_blocked(state, j, pull[j]) || across(j))
    }

    /// Whether a coordinate is at its limit and pulled beyond it.
    fn is_blocked(&self, state: &State, column: usize, pull: f64) -> bool {
        self.limits[column].is_some_and(|(place, lower, upper)| {
            let x = state.coordinates[place];
            (x <= lower + TOUCHING && pull < 0.0) || (x >= upper - TOUCHING && pull > 0.0)
        })
    }

    /// A step of the columns that are not blocked, cut to what may be.
    fn step(&self, state: &State, (square, pull): &(Mat<f64>, Vec<f64>), damping: f64) -> Vec<f64> {
        let free: Vec<usize> = (0..pull.len()).filter(|j| !self.is_blocked(state, *j, pull[*j])).collect();
        let mut step = vec![0.0; pull.len()];
        let largest = (0..pull.len()).fold(0.0_f64, |m, j| m.max(square[(j, j)]));
        if free.is_empty() || largest == 0.0 {
            return step;
        }
        let damped = Mat::from_fn(free.len(), free.len(), |i, j| {
            square[(free[i], free[j])] + if i == j { damping * largest } else { 0.0 }
        });
        let right = Mat::from_fn(free.len(), 1, |i, _| pull[free[i]]);
        let Ok(factor) = damped.llt(Side::Lower) else { return step };
        let found = factor.solve(&right);
        let longest = (0..free.len()).fold(0.0_f64, |m, i| m.max(found[(i, 0)].abs()));
        let share = if longest > LONGEST { LONGEST / longest } else { 1.0 };
        for (i, column) in free.iter().enumerate() {
            step[*column] = share * found[(i, 0)];
        }
        step
    }

    /// The state moved by a step, within the limits.
    fn displaced(&self, state: &State, step: &[f64]) -> State {
        let mut whole = vec![0.0; self.model.speed_count()];
        for (j, column) in self.columns.iter().enumerate() {
            whole[*column] = match self.limits[j] {
                Some((place, lower, upper)) => {
                    let x = state.coordinates[place];
                    (x + step[j]).clamp(lower, upper) - x
                }
                None => step[j],
            };
        }
        let mut next = state.clone();
        next.displace(self.model, &whole);
        self.within_limits(&next)
    }

    /// Whether closures have left all coordinates within their limits.
    fn keeps_limits(&self, state: &State) -> bool {
        let kept = |(place, lower, upper): &(usize, f64, f64)| (*lower..=*upper).contains(&state.coordinates[*place]);
        self.limits.iter().flatten().all(kept)
    }

    /// The answer at the end of the best search.
    pub fn answer(&self, end: End, steps: u32) -> Result<IkSolution, IkError> {
        let End { state, reached, converged, .. } = end;
        let errors = self.errors(&state)?;
        let touches = |(place, lower, upper): &(usize, f64, f64)| {
            let x = state.coordinates[*place];
            x <= lower + TOUCHING || x >= upper - TOUCHING
        };
        let touching = |hinge: &HingeHandle| {
            let column = self.columns.iter().position(|speed| hinge.speeds().start == *speed);
            hinge.speeds().len() == 1 && column.is_some_and(|j| self.limits[j].as_ref().is_some_and(touches))
        };
        let at_limits: Vec<HingeHandle> = self.model.hinges().filter(touching).collect();
        let outcome = match (reached, converged, at_limits.is_empty()) {
            (true, ..) => IkOutcome::Reached,
            (false, false, _) => IkOutcome::NotConverged,
            (false, true, true) => IkOutcome::OutOfReach,
            (false, true, false) => IkOutcome::AtLimits,
        };
        let jacobian = self.jacobian(&state)?;
        let values = super::manipulability::singular_values(&jacobian);
        let conditioning = match (values.first(), values.last()) {
            (Some(first), Some(last)) if *first > 0.0 => last / first,
            _ => 0.0,
        };
        let Errors { positions: position_errors, rotations: rotation_errors, .. } = errors;
        Ok(IkSolution { state, outcome, position_errors, rotation_errors, at_limits, conditioning, steps })
    }
}

/// The place of the coordinate that a limit is for.
fn check_limit(model: &Model, limit: &HingeLimit) -> Result<usize, IkError> {
    let HingeLimit { hinge, lower, upper } = *limit;
    let name = model.hinge_name(hinge).unwrap_or_default().to_owned();
    let bad = |reason| Err(IkError::Limit { hinge: name.clone(), reason });
    if hinge.stamp() != model.stamp() {
        return bad("it belongs to another model");
    }
    if hinge.coordinates().len() != 1 || hinge.speeds().len() != 1 {
        return bad("the hinge has several directions or none");
    }
    if lower.is_nan() || upper.is_nan() || lower > upper {
        return bad("the lower limit is above the upper one, or not a number");
    }
    Ok(hinge.coordinates().start)
}

/// The next number from 0 to 1 (splitmix64).
fn uniform(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}
