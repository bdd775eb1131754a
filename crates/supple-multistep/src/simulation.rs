//! A model in motion by a multistep method.

use crate::adams::Adams;
use crate::bdf::Bdf;
use crate::budget::{After, Budget};
use crate::checkpoint::MultistepCheckpoint;
use std::ops::ControlFlow;
use supple::integrate::{Drive, IntegrationError, Ledger, Limits, MotionEquations, Statistics, Tolerance};
use supple::{DynamicsError, Inputs, Model, State};

/// A family of multistep methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// Adams, order 1 to 12: explicit, with a corrector. Two evaluations a step.
    Adams,
    /// Backward differentiation, order 1 to 5: implicit, with Jacobians. Damps fast parts; from order 3 on it is not stable for oscillations
    /// without damping, where the error control keeps its steps short. A step may err by the power 6/5 of the tolerance, so that errors at the
    /// end are proportional to it.
    Bdf,
}

enum Solver {
    Adams(Box<Adams>),
    Bdf(Box<Bdf>),
}

/// A model, its state, what drives it, and a multistep method: see [`supple::integrate::Simulation`], whose ledger and limits it has.
///
/// The method starts anew, at order 1 with a small step, at the start, at breaks of the drive, and where [`restart`](Self::restart) says so. From
/// one [`advance`](Self::advance) to the next it goes on; an end shortens the last steps before it, so that states at many times are
/// better seen through [`advance_observing`](Self::advance_observing).
pub struct MultistepSimulation<'m, D> {
    equations: MotionEquations<'m, D>,
    solver: Solver,
    limits: Limits,
    statistics: Statistics,
    sampled: State,
    y: Vec<f64>,
}

impl<'m, D: Drive> MultistepSimulation<'m, D> {
    /// Starts at `state`.
    ///
    /// # Errors
    /// A tolerance or state that makes no sense.
    pub fn new(
        model: &'m Model,
        state: State,
        drive: D,
        method: Method,
        tolerance: Tolerance,
    ) -> Result<Self, IntegrationError> {
        tolerance.check()?;
        let (time, sampled) = (state.time, state.clone());
        let equations = MotionEquations::new(model, state, drive)?;
        let y = equations.pack();
        let solver = match method {
            Method::Adams => Solver::Adams(Box::new(Adams::new(tolerance, time, y.clone()))),
            Method::Bdf => {
                let quaternions = equations.quaternions().collect();
                Solver::Bdf(Box::new(Bdf::new(tolerance, time, y.clone(), quaternions)))
            }
        };
        let (limits, statistics) = (Limits::default(), Statistics::default());
        Ok(Self { equations, solver, limits, statistics, sampled, y })
    }

    /// Hinges whose accelerations the drive prescribes, a flag per body. The method starts anew.
    ///
    /// # Errors
    /// Another number of flags than bodies.
    pub fn prescribe(&mut self, flags: &[bool]) -> Result<(), IntegrationError> {
        self.equations.prescribe(flags)?;
        self.restart();
        Ok(())
    }
    /// Changes when to give up; steps already taken count.
    ///
    /// # Errors
    /// Limits that make no sense; the old ones stay.
    pub fn set_limits(&mut self, limits: Limits) -> Result<(), IntegrationError> {
        limits.check()?;
        self.limits = limits;
        Ok(())
    }

    /// Starts the method anew from the state reached: nothing of the steps behind is used any more.
    pub fn restart(&mut self) {
        self.solver.restart();
    }

    /// Integrates to `end`, stopping and starting anew at the breaks of the drive on the way.
    ///
    /// # Errors
    /// Why it stopped earlier; the state is that of the last accepted step.
    pub fn advance(&mut self, end: f64) -> Result<(), IntegrationError> {
        self.advance_observing(end, &[], |_| {})
    }

    /// Integrates to `end` as [`advance`](Self::advance) does, and shows the states at `times` to `observe`, by the polynomials of the method: the
    /// steps are not shortened. Times must ascend; those outside of the interval are passed over.
    ///
    /// # Errors
    /// As [`advance`](Self::advance).
    pub fn advance_observing(
        &mut self,
        end: f64,
        times: &[f64],
        mut observe: impl FnMut(&State),
    ) -> Result<(), IntegrationError> {
        let now = self.solver.time();
        check_end(now, end)?;
        let mut rest = times;
        while let [first, others @ ..] = rest
            && *first <= now
        {
            if *first == now {
                observe(self.equations.state());
            }
            rest = others;
        }
        let Self { equations, solver, limits, statistics, sampled, y } = self;
        follow((equations, solver), end, (*limits, statistics), &mut |reached, _, sample| {
            while let [first, others @ ..] = rest
                && *first <= reached
            {
                sample(*first, y);
                MotionEquations::<D>::unpack(*first, y, sampled);
                observe(sampled);
                rest = others;
            }
            ControlFlow::Continue(())
        })
    }

    /// Integrates to `end` as [`advance`](Self::advance) does, and shows the time reached and the work done after each step; it stops where
    /// `after` breaks. What goes on from there is the same as without the stop only where the method starts anew.
    ///
    /// # Errors
    /// As [`advance`](Self::advance).
    pub fn advance_while(
        &mut self,
        end: f64,
        mut after: impl FnMut(f64, &Statistics) -> ControlFlow<()>,
    ) -> Result<(), IntegrationError> {
        check_end(self.solver.time(), end)?;
        let Self { equations, solver, limits, statistics, .. } = self;
        follow((equations, solver), end, (*limits, statistics), &mut |reached, done, _| after(reached, done))
    }

    /// The state reached.
    pub fn state(&self) -> &State {
        self.equations.state()
    }

    /// The energy ledger at the state reached.
    ///
    /// # Errors
    /// A state that is not finite.
    pub fn ledger(&mut self) -> Result<Ledger, DynamicsError> {
        self.equations.ledger(self.solver.reached().1)
    }

    /// Accelerations at the state reached, and the forces of the drive there: those of prescribed hinges are what they need.
    ///
    /// # Errors
    /// What keeps them from being computed.
    pub fn dynamics(&mut self) -> Result<(&[f64], &[f64]), DynamicsError> {
        self.equations.dynamics()
    }

    /// What acts, as the drive wrote it in the last call of [`dynamics`](Self::dynamics).
    pub fn inputs(&self) -> &Inputs {
        self.equations.inputs()
    }

    /// Work done so far on the speeds of each body.
    pub fn body_works(&self) -> &[f64] {
        self.equations.body_works(self.solver.reached().1)
    }

    /// Work done so far. Rejected steps of [`Method::Bdf`] include iterations that did not converge; its evaluations, products with Jacobians.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Where it stands. To go on from here as from the checkpoint, [`restart`](Self::restart) as well.
    pub fn checkpoint(&self) -> MultistepCheckpoint {
        let (time, y) = self.solver.reached();
        MultistepCheckpoint {
            time,
            y: y.to_vec(),
            start_energy: self.equations.start_energy(),
            prescribed: self.equations.prescribed().to_vec(),
            statistics: self.statistics,
        }
    }

    /// Goes back to a checkpoint of a simulation of the same model and drive, and starts the method anew.
    ///
    /// # Errors
    /// [`IntegrationError::BadRequest`] where sizes do not fit or numbers are not finite; nothing is changed then.
    pub fn restore(&mut self, from: &MultistepCheckpoint) -> Result<(), IntegrationError> {
        from.check(self.y.len(), self.equations.prescribed().len())?;
        self.equations.prescribe(&from.prescribed)?;
        self.equations.set_start_energy(from.start_energy);
        self.statistics = from.statistics;
        self.solver.set(from.time, &from.y);
        self.equations.settle(from.time, &from.y);
        Ok(())
    }
}

fn check_end(now: f64, end: f64) -> Result<(), IntegrationError> {
    if !end.is_finite() || end < now {
        let reason = "the end must be finite and not before the present time";
        return Err(IntegrationError::BadRequest { reason, value: end });
    }
    Ok(())
}

/// Integrates to `end`, or until `after` breaks, stopping and starting anew at the breaks of the drive.
fn follow<D: Drive>(
    (equations, solver): (&mut MotionEquations<'_, D>, &mut Solver),
    end: f64,
    (limits, statistics): (Limits, &mut Statistics),
    after: &mut After<'_>,
) -> Result<(), IntegrationError> {
    let budget = Budget::new(limits);
    let (mut outcome, mut broken) = (Ok(()), false);
    while outcome.is_ok() && !broken && solver.time() < end {
        let stop = equations.next_break(solver.time()).filter(|stop| *stop <= end);
        equations.stop_at(stop);
        let mut after = |reached: f64, done: &Statistics, sample: &dyn Fn(f64, &mut [f64])| {
            let flow = after(reached, done, sample);
            broken = flow.is_break();
            flow
        };
        outcome = solver.advance(equations, stop.unwrap_or(end), (&budget, statistics), &mut after);
        if outcome.is_ok() && stop == Some(solver.time()) {
            solver.restart();
        }
        let (time, y) = solver.reached();
        equations.settle(time, y);
    }
    outcome
}

impl Solver {
    /// Forgets the steps behind.
    fn restart(&mut self) {
        match self {
            Self::Adams(adams) => adams.restart(),
            Self::Bdf(bdf) => bdf.restart(),
        }
    }

    fn time(&self) -> f64 {
        self.reached().0
    }

    fn reached(&self) -> (f64, &[f64]) {
        match self {
            Self::Adams(adams) => (adams.time, &adams.y),
            Self::Bdf(bdf) => (bdf.time, &bdf.y),
        }
    }

    fn set(&mut self, time: f64, y: &[f64]) {
        match self {
            Self::Adams(adams) => adams.set(time, y),
            Self::Bdf(bdf) => bdf.set(time, y),
        }
    }

    /// Integrates to `end`, with no break of the drive before it.
    fn advance<D: Drive>(
        &mut self,
        equations: &mut MotionEquations<'_, D>,
        end: f64,
        (budget, statistics): (&Budget, &mut Statistics),
        after: &mut After<'_>,
    ) -> Result<(), IntegrationError> {
        match self {
            Self::Bdf(bdf) => bdf.advance(equations, end, (budget, statistics), after),
            Self::Adams(adams) => adams.advance(equations, end, (budget, statistics), after),
        }
    }
}
