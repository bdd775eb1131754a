//! Backward differentiation of order 1 to 5 by `diffsol`, made to fit equations that can fail.
//!
//! Between two calls only the solver's differences are kept; a call builds the solver around them again. The solver asks for Jacobians,
//! which come from [`MotionEquations::rates_along`].
//!
//! A change of the state from outside would make the solver start anew, so quaternions are not projected after each step. Instead the rates are
//! those at the projected state, and those of a quaternion, which are linear in it, are scaled with its length: what the length drifts by has
//! no effect on the motion, and the state handed out is projected. The Jacobian leaves the projection out; it acts across the motion.
//!
//! What the solver would panic at is kept from it: tolerances that can make `0/0`, times that are not finite, steps that do not advance
//! the time. An evaluation that fails becomes rates that are not numbers, at which its iteration gives up and shortens the step.

use crate::budget::{After, Budget};
use diffsol::error::OdeSolverError;
use diffsol::ode_solver::OdeSolverStatistics;
use diffsol::{
    BdfState, DiffsolError, NalgebraLU, NalgebraMat, NalgebraVec, OdeBuilder, OdeEquations, OdeSolverMethod,
    OdeSolverStopReason,
};
use std::cell::RefCell;
use supple::DynamicsError;
use supple::integrate::{Drive, Equations, IntegrationError, MotionEquations, Statistics, Tolerance};

/// Relative tolerance below which rounding keeps the iteration of the solver from converging.
const LEAST_TOLERANCE: f64 = 1e-13;

/// An integration by backward differentiation.
pub(crate) struct Bdf {
    tolerance: Tolerance,
    pub time: f64,
    /// The state, projected.
    pub y: Vec<f64>,
    /// Where quaternions start.
    quaternions: Vec<usize>,
    /// Differences of the solver; none before the first step.
    state: Option<BdfState<NalgebraVec<f64>>>,
}

/// What the solver's closures share.
struct Shared<'e, 'm, D> {
    equations: &'e mut MotionEquations<'m, D>,
    projected: Vec<f64>,
    /// Why the first evaluation of the step that failed did so.
    failure: Option<DynamicsError>,
    evaluations: u64,
    /// Where steps end, so that rounding puts no evaluation behind a break.
    stop: f64,
}

impl<D: Drive> Shared<'_, '_, D> {
    fn at(&mut self, t: f64, y: &[f64]) -> f64 {
        self.projected.copy_from_slice(y);
        self.equations.project(&mut self.projected);
        self.evaluations += 1;
        if (t - self.stop).abs() <= rounding(t) { self.stop } else { t }
    }

    fn note(&mut self, result: Result<(), DynamicsError>, out: &mut [f64]) {
        if let Err(failure) = result {
            // Those that follow may come from numbers that this one spoilt.
            self.failure.get_or_insert(failure);
            out.fill(f64::NAN);
        }
    }

    fn rates(&mut self, t: f64, y: &[f64], quaternions: &[usize], out: &mut [f64]) {
        let t = self.at(t, y);
        let result = self.equations.rates(t, &self.projected, out);
        for start in quaternions {
            let length = length(&y[*start..start + 4]);
            out[*start..start + 4].iter_mut().for_each(|rate| *rate *= length);
        }
        self.note(result, out);
    }

    fn rates_along(&mut self, t: f64, y: &[f64], direction: &[f64], out: &mut [f64]) {
        let t = self.at(t, y);
        let result = self.equations.rates_along(t, &self.projected, direction, out);
        self.note(result, out);
    }
}

fn length(q: &[f64]) -> f64 {
    q.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// What the solver's own times may be off by.
fn rounding(t: f64) -> f64 {
    256.0 * f64::EPSILON * t.abs()
}

/// What a step may err by so that errors at the end follow the tolerance: without extrapolation they are as large as errors of steps of order
/// `h^6` over `h`, that is, as the power 5/6 of those.
fn per_step(tolerance: Tolerance) -> Tolerance {
    let least = LEAST_TOLERANCE.min(tolerance.relative);
    let relative = tolerance.relative.powf(1.2).max(least);
    // The solver divides by the sum of both, also where a number rests at zero.
    let absolute = (tolerance.absolute * relative / tolerance.relative).max(f64::MIN_POSITIVE);
    Tolerance { relative, absolute }
}

/// Makes quaternions unit.
fn project(quaternions: &[usize], y: &mut [f64]) {
    for start in quaternions {
        let q = &mut y[*start..start + 4];
        let length = length(q);
        if length > 0.0 {
            q.iter_mut().for_each(|x| *x /= length);
        }
    }
}

/// The work before this call and that of the solver.
fn sum(before: &Statistics, done: &OdeSolverStatistics, evaluations: u64) -> Statistics {
    let fails = done.number_of_error_test_failures + done.number_of_nonlinear_solver_fails;
    Statistics {
        accepted: before.accepted + done.number_of_steps as u64,
        rejected: before.rejected + fails as u64,
        evaluations: before.evaluations + evaluations,
        solves: before.solves + done.number_of_nonlinear_solver_iterations as u64,
        factorisations: before.factorisations + done.number_of_linear_solver_setups as u64,
    }
}

/// What the solver says, in our words.
fn refused(error: &DiffsolError, time: f64, step: f64) -> IntegrationError {
    match error {
        DiffsolError::OdeSolverError(
            OdeSolverError::StepSizeTooSmall { .. }
            | OdeSolverError::TooManyErrorTestFailures { .. }
            | OdeSolverError::TooManyNonlinearSolverFailures { .. },
        ) => IntegrationError::StepUnderflow { time, step },
        _ => IntegrationError::BadRequest {
            reason: "backward differentiation cannot step on from the time",
            value: time,
        },
    }
}

impl Bdf {
    pub fn new(tolerance: Tolerance, time: f64, y: Vec<f64>, quaternions: Vec<usize>) -> Self {
        Self { tolerance, time, y, quaternions, state: None }
    }

    /// Forgets the steps behind.
    pub fn restart(&mut self) {
        self.state = None;
    }

    /// Goes on from `y` at `time`.
    pub fn set(&mut self, time: f64, y: &[f64]) {
        self.time = time;
        self.y.copy_from_slice(y);
        self.restart();
    }

    /// Integrates to `end`, at most to the first break of the drive, or until `after` breaks.
    pub fn advance<D: Drive>(
        &mut self,
        equations: &mut MotionEquations<'_, D>,
        end: f64,
        (budget, statistics): (&Budget, &mut Statistics),
        after: &mut After<'_>,
    ) -> Result<(), IntegrationError> {
        let (n, time) = (self.y.len(), self.time);
        budget.check(time, statistics)?;
        let mut first = vec![0.0; n];
        statistics.evaluations += 1;
        equations.rates(time, &self.y, &mut first).map_err(|source| IntegrationError::Dynamics { time, source })?;
        let shared = Shared { equations, projected: vec![0.0; n], failure: None, evaluations: 0, stop: end };
        let shared = RefCell::new(shared);
        let tolerance = per_step(self.tolerance);
        let places = &self.quaternions.clone();
        let start = self.y.clone();
        let problem = OdeBuilder::<NalgebraMat<f64>>::new()
            .t0(time)
            .rtol(tolerance.relative)
            .atol([tolerance.absolute])
            .rhs_implicit(
                |y: &[f64], _: &[f64], t, out: &mut [f64]| shared.borrow_mut().rates(t, y, places, out),
                |y: &[f64], _: &[f64], t, v: &[f64], out: &mut [f64]| shared.borrow_mut().rates_along(t, y, v, out),
            )
            .init(|_: &[f64], _, y: &mut [f64]| y.copy_from_slice(&start), n)
            .build();
        let cannot = |error| refused(&error, time, 0.0);
        let mut problem = problem.map_err(cannot)?;
        problem.ode_options.min_timestep = budget.least_step(time);
        // The least step ends what these numbers, counted over the life of the solver, would end too early.
        problem.ode_options.max_nonlinear_solver_failures = usize::MAX;
        problem.ode_options.max_error_test_failures = usize::MAX;
        problem.ode_options.max_timestep_growth = Some(10.0);
        let state = match self.state.take() {
            Some(state) => state,
            None => problem.bdf_state::<NalgebraLU<f64>>().map_err(cannot)?,
        };
        let solver = problem.bdf_solver::<NalgebraLU<f64>>(state).map_err(cannot)?;
        self.run(solver, end, (budget, statistics), &shared, after)
    }

    /// Takes the steps of [`advance`](Self::advance), and keeps what the solver knows at the end.
    fn run<'a, E, D>(
        &mut self,
        mut solver: impl OdeSolverMethod<'a, E, State = BdfState<NalgebraVec<f64>>>,
        end: f64,
        (budget, statistics): (&Budget, &mut Statistics),
        shared: &RefCell<Shared<'_, '_, D>>,
        after: &mut After<'_>,
    ) -> Result<(), IntegrationError>
    where
        E: OdeEquations<T = f64, V = NalgebraVec<f64>> + 'a,
    {
        let before = *statistics;
        let mut outcome = Ok(());
        while outcome.is_ok() && self.time < end {
            outcome = self.step(&mut solver, end, budget, shared);
            *statistics = sum(&before, solver.get_statistics(), shared.borrow().evaluations);
            if outcome.is_ok() {
                let sample = |t: f64, y: &mut [f64]| match solver.interpolate(t.min(solver.state().t)) {
                    Ok(found) => {
                        y.copy_from_slice(found.batch_as_slice(0));
                        project(&self.quaternions, y);
                    }
                    // Not reached: the time is within the step.
                    Err(_) => y.copy_from_slice(&self.y),
                };
                if after(self.time, statistics, &sample).is_break() {
                    break;
                }
                outcome = if self.time < end { budget.check(self.time, statistics) } else { Ok(()) };
            }
        }
        // After a budget is used up the steps behind are still good, after a failure they are not.
        if let Ok(()) | Err(IntegrationError::OutOfTime { .. } | IntegrationError::TooManySteps { .. }) = outcome {
            self.state = Some(solver.into_state());
        }
        outcome
    }

    /// One accepted step towards `end`, and not beyond it.
    fn step<'a, E, D>(
        &mut self,
        solver: &mut impl OdeSolverMethod<'a, E>,
        end: f64,
        budget: &Budget,
        shared: &RefCell<Shared<'_, '_, D>>,
    ) -> Result<(), IntegrationError>
    where
        E: OdeEquations<T = f64, V = NalgebraVec<f64>> + 'a,
    {
        let (time, from) = (self.time, solver.state().t);
        let stop = end.min(from + budget.limits.greatest_step);
        let stepped = match solver.set_stop_time(stop) {
            // Nearer than the rounding of the step: there already.
            Err(DiffsolError::OdeSolverError(OdeSolverError::StopTimeAtCurrentTime)) if stop == end => {
                self.time = end;
                return Ok(());
            }
            set => set.and_then(|()| solver.step()),
        };
        let failure = shared.borrow_mut().failure.take();
        let state = solver.state();
        let reason = match (stepped, failure) {
            (Ok(reason), _) if state.t > from => reason,
            (_, Some(source)) => return Err(IntegrationError::Dynamics { time, source }),
            (Ok(_), None) => return Err(IntegrationError::StepUnderflow { time, step: state.h }),
            (Err(error), None) => return Err(refused(&error, time, state.h)),
        };
        let there = stop == end && matches!(reason, OdeSolverStopReason::TstopReached);
        self.arrive(if there { end } else { state.t }, state.y.batch_as_slice(0))
    }

    /// Takes over a state of the solver.
    fn arrive(&mut self, time: f64, y: &[f64]) -> Result<(), IntegrationError> {
        if let Some(index) = y.iter().position(|x| !x.is_finite()) {
            return Err(IntegrationError::NotFinite { time: self.time, index });
        }
        self.time = time;
        self.y.copy_from_slice(y);
        project(&self.quaternions, &mut self.y);
        Ok(())
    }
}
