//! The scheme that chooses by itself: explicit where nothing is stiff, linearly implicit where something is.
//!
//! Explicit steps are those of Prince and Dormand of order 8. Its last stage and the end of the step are two states at the same time, so that
//! `hλ = h |f(y₁) - f(Y₁₂)| / |y₁ - Y₁₂|` tells at no cost how stiff the equations are: beyond the boundary of stability, 6.1, the step is held
//! down by stiffness and not by accuracy (Hairer and Wanner, *Solving Ordinary Differential Equations II*, IV.2). Where that lasts, implicit
//! steps take over. From time to time an explicit step of the same length is tried instead; where it succeeds, explicit steps go on.

use super::equations::Equations;
use super::error::Failure;
use super::explicit::Explicit;
use super::last_step::LastStep;
use super::linearly_implicit::LinearlyImplicit;
use super::stepper::{Attempt, Reached, Stepper};
use super::tableau::PRINCE_DORMAND_8;

/// `hλ` at the boundary of stability of the explicit scheme.
const STIFF: f64 = 6.1;
/// Stiff steps, without as many calm ones in a row between them, that make it switch.
const ENOUGH: u32 = 15;
const CALM: u32 = 6;
/// Implicit steps between two trials of an explicit one: the first, and the most.
const PATIENCE: [u32; 2] = [25, 400];
/// Numbers of a checkpoint before vectors.
const HEAD: usize = 7;

/// Both schemes, and which one it is.
pub(super) struct Automatic {
    explicit: Explicit,
    implicit: LinearlyImplicit,
    /// Whether implicit steps go on.
    stiff: bool,
    /// Whether the step tried last was an explicit one.
    tried_explicit: bool,
    /// Stiff and calm explicit steps counted.
    counts: [u32; 2],
    /// Implicit steps since the last trial, and those to wait for.
    waited: u32,
    patience: u32,
    /// The last stage of the explicit step accepted last and its size; zero where there is none.
    stage: Vec<f64>,
    stage_rates: Vec<f64>,
    h: f64,
    difference: [Vec<f64>; 2],
}

impl Automatic {
    pub fn new(n: usize) -> Self {
        let zeros = || vec![0.0; n];
        Self {
            explicit: Explicit::new(&PRINCE_DORMAND_8, false, n),
            implicit: LinearlyImplicit::new(n),
            stiff: false,
            tried_explicit: true,
            counts: [0; 2],
            waited: 0,
            patience: PATIENCE[0],
            stage: zeros(),
            stage_rates: zeros(),
            h: 0.0,
            difference: [zeros(), zeros()],
        }
    }

    /// Looks at the explicit step accepted last, from whose end this one starts.
    fn look_back(&mut self, step: &Attempt<'_>) {
        if self.h == 0.0 {
            return;
        }
        let [states, rates] = &mut self.difference;
        for i in 0..step.y.len() {
            states[i] = step.y[i] - self.stage[i];
            rates[i] = step.start.rates[i] - self.stage_rates[i];
        }
        // Of the motion alone: integrals are never stiff.
        let norm = |x: &[f64]| step.scale.norms(step.y, step.y, x)[0];
        let (apart, parting) = (norm(states), norm(rates));
        let stiff = apart > 0.0 && self.h * parting > STIFF * apart;
        self.h = 0.0;
        let [stiff_steps, calm_steps] = &mut self.counts;
        if stiff {
            (*stiff_steps, *calm_steps) = (*stiff_steps + 1, 0);
        } else {
            *calm_steps += 1;
            if *calm_steps == CALM {
                *stiff_steps = 0;
            }
        }
        if *stiff_steps == ENOUGH {
            self.stiff = true;
            (self.counts, self.waited) = ([0; 2], 0);
        }
    }
}

impl Stepper for Automatic {
    fn attempt(&mut self, step: &mut Attempt<'_>, equations: &mut dyn Equations) -> Result<f64, Failure> {
        step.begin(equations)?;
        self.look_back(step);
        if self.stiff && self.waited >= self.patience {
            self.waited = 0;
            match self.explicit.attempt(step, equations) {
                Err(Failure::OutOfTime) => return Err(Failure::OutOfTime),
                Ok(error) if error <= 1.0 => {
                    (self.stiff, self.tried_explicit, self.patience) = (false, true, PATIENCE[0]);
                    return Ok(error);
                }
                _ => self.patience = (2 * self.patience).min(PATIENCE[1]),
            }
        }
        self.tried_explicit = !self.stiff;
        if self.stiff { self.implicit.attempt(step, equations) } else { self.explicit.attempt(step, equations) }
    }

    fn accept(&mut self, last: &LastStep, reached: &Reached<'_>) -> Option<&[f64]> {
        if !self.tried_explicit {
            self.waited += 1;
            return self.implicit.accept(last, reached);
        }
        let (stage, rates) = self.explicit.last_stage();
        self.stage.copy_from_slice(stage);
        self.stage_rates.copy_from_slice(rates);
        self.h = last.h;
        self.explicit.accept(last, reached)
    }

    fn take_back(&mut self) {
        if !self.tried_explicit {
            self.waited = self.waited.saturating_sub(1);
        }
        self.h = 0.0;
    }

    fn restart(&mut self) {
        self.h = 0.0;
    }

    fn estimate_order(&self) -> f64 {
        if self.tried_explicit { self.explicit.estimate_order() } else { self.implicit.estimate_order() }
    }

    fn save(&self) -> Vec<f64> {
        let flag = |x: bool| f64::from(u8::from(x));
        let [stiff, calm] = self.counts;
        let numbers = [stiff, calm, self.waited, self.patience].map(f64::from);
        let mut out = vec![flag(self.stiff), flag(self.tried_explicit), self.h];
        out.extend(numbers);
        out.extend(self.stage.iter().chain(&self.stage_rates));
        out
    }

    fn accepts(&self, from: &[f64]) -> bool {
        let whole = |x: &f64| x.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(x);
        from.len() == HEAD + 2 * self.stage.len()
            && from[..2].iter().all(|x| *x == 0.0 || *x == 1.0)
            && from[2] >= 0.0
            && from[3..HEAD].iter().all(whole)
    }

    fn load(&mut self, from: &[f64]) {
        let (head, vectors) = from.split_at(HEAD.min(from.len()));
        if let [stiff, explicit, h, numbers @ ..] = head
            && let [stiff_steps, calm_steps, waited, patience] =
                numbers.iter().map(|x| *x as u32).collect::<Vec<_>>()[..]
        {
            (self.stiff, self.tried_explicit, self.h) = (*stiff != 0.0, *explicit != 0.0, *h);
            (self.counts, self.waited, self.patience) = ([stiff_steps, calm_steps], waited, patience);
            let (stage, rates) = vectors.split_at(self.stage.len());
            self.stage.copy_from_slice(stage);
            self.stage_rates.copy_from_slice(rates);
        }
    }
}
