//! The scheme that chooses by itself: explicit where nothing is stiff, implicit where something is.
//!
//! Explicit steps are those of Prince and Dormand of order 8. Its last stage and the end of the step are two states at the same time, so that
//! `hλ = h |f(y₁) - f(Y₁₂)| / |y₁ - Y₁₂|` tells at no cost how stiff the equations are: beyond the boundary of stability, 6.1, the step is held
//! down by stiffness and not by accuracy (Hairer and Wanner, *Solving Ordinary Differential Equations II*, IV.2). Where that lasts, implicit
//! steps take over. From time to time an explicit step of the same length is tried instead; where it succeeds, explicit steps go on, as long as
//! they come farther for their evaluations than the implicit ones did.
//!
//! There are two kinds of implicit steps, and which one is better depends on what is stiff: linearly implicit ones for modes, springs and dampers whose
//! tangents are frozen during a step, backward differentiation for friction and drives whose tangents change within it. Both are tried for some
//! steps, and the one that comes farther for its evaluations and solutions goes on.

use super::bdf::Bdf;
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
/// Explicit steps after such a trial before their pace is taken, and those at the beginning that do not count; and how many must follow for
/// the trial to have been worth it.
const PROOF: u32 = 16;
const GROWTH: u32 = 6;
const LASTING: u32 = 100;
/// Steps of each implicit kind before its pace is taken, and those at the beginning that do not count: a method of many steps gathers way.
const WINDOW: [u32; 2] = [40, 200];
const RUN_UP: [u32; 2] = [20, 120];
/// Rejected steps in a row after which backward differentiation takes over, with the step of the first of them: its first steps, of order one,
/// bear what the others do not.
const REJECTED: u32 = 8;
/// Windows of the better kind before the other one is tried again: the first, and the most.
const LOYALTY: [u32; 2] = [10, 160];

/// Which steps are taken.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Explicit,
    LinearlyImplicit,
    Bdf,
}

const KINDS: [Kind; 3] = [Kind::Explicit, Kind::LinearlyImplicit, Kind::Bdf];
/// Kinds for stiff equations, in the order in which they are tried.
const STIFF_KINDS: [Kind; 2] = [Kind::LinearlyImplicit, Kind::Bdf];

/// All that decides on the kind of the next step.
#[derive(Clone, Copy)]
struct Control {
    /// The kind that goes on, and that of the step tried last.
    kind: Kind,
    tried: Kind,
    /// Stiff and calm explicit steps counted.
    stiff: u32,
    calm: u32,
    /// Implicit steps since the last trial of an explicit one, and those to wait for.
    waited: u32,
    patience: u32,
    /// Steps of this kind, or of its window; where their count began, and what had been done then.
    steps: u32,
    from: f64,
    work: f64,
    /// Time per work of the kinds for stiff equations; zero where it is not known.
    paces: [f64; 2],
    /// Windows since they were compared, and those to wait for.
    windows: u32,
    loyalty: u32,
    /// Size of the explicit step accepted last; zero where it has been looked at.
    h: f64,
}

const START: Control = Control {
    kind: Kind::Explicit,
    tried: Kind::Explicit,
    stiff: 0,
    calm: 0,
    waited: 0,
    patience: PATIENCE[0],
    steps: 0,
    from: 0.0,
    work: 0.0,
    paces: [0.0; 2],
    windows: 0,
    loyalty: LOYALTY[0],
    h: 0.0,
};

/// Numbers of [`Control`] in a checkpoint.
const HEAD: usize = 14;

impl Control {
    /// The fastest of the kinds for stiff equations, and its time per work; the first and zero where none is known.
    fn fastest(&self) -> (usize, f64) {
        (0..STIFF_KINDS.len()).fold((0, 0.0), |best, i| if self.paces[i] > best.1 { (i, self.paces[i]) } else { best })
    }

    fn save(&self) -> [f64; HEAD] {
        let place = |kind: Kind| KINDS.iter().position(|k| *k == kind).unwrap_or(0) as f64;
        let [stiff, calm, waited, patience, steps, windows, loyalty] =
            [self.stiff, self.calm, self.waited, self.patience, self.steps, self.windows, self.loyalty].map(f64::from);
        let [first, second] = self.paces;
        let (kind, tried) = (place(self.kind), place(self.tried));
        [
            kind, tried, stiff, calm, waited, patience, steps, windows, loyalty, self.from, self.work, first, second,
            self.h,
        ]
    }

    fn load(from: &[f64]) -> Option<Self> {
        let whole = |x: f64| (x.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&x)).then_some(x as u32);
        let kind = |x: f64| KINDS.get(whole(x)? as usize).copied();
        let &[a, b, stiff, calm, waited, patience, steps, windows, loyalty, from, work, first, second, h] = from else {
            return None;
        };
        Some(Self {
            kind: kind(a)?,
            tried: kind(b)?,
            stiff: whole(stiff)?,
            calm: whole(calm)?,
            waited: whole(waited)?,
            patience: whole(patience)?,
            steps: whole(steps)?,
            windows: whole(windows)?,
            loyalty: whole(loyalty)?,
            from,
            work,
            paces: [first, second],
            h,
        })
    }
}

/// The schemes, and which one it is.
pub(super) struct Automatic {
    explicit: Explicit,
    implicit: LinearlyImplicit,
    bdf: Bdf,
    control: Control,
    /// As it was before the step tried last.
    before: Control,
    /// Steps rejected in a row, and what they left of the first.
    rejected: u32,
    left: f64,
    /// The last stage of the explicit step accepted last.
    stage: Vec<f64>,
    stage_rates: Vec<f64>,
    difference: [Vec<f64>; 2],
}

impl Automatic {
    pub fn new(n: usize) -> Self {
        let zeros = || vec![0.0; n];
        Self {
            explicit: Explicit::new(&PRINCE_DORMAND_8, false, n),
            implicit: LinearlyImplicit::new(n),
            bdf: Bdf::new(n),
            control: START,
            before: START,
            rejected: 0,
            left: 1.0,
            stage: zeros(),
            stage_rates: zeros(),
            difference: [zeros(), zeros()],
        }
    }

    fn of(&self, kind: Kind) -> &dyn Stepper {
        match kind {
            Kind::Explicit => &self.explicit,
            Kind::LinearlyImplicit => &self.implicit,
            Kind::Bdf => &self.bdf,
        }
    }

    fn of_mut(&mut self, kind: Kind) -> &mut dyn Stepper {
        match kind {
            Kind::Explicit => &mut self.explicit,
            Kind::LinearlyImplicit => &mut self.implicit,
            Kind::Bdf => &mut self.bdf,
        }
    }

    /// Whether too many steps were rejected for others than those of backward differentiation.
    fn hands_over(&self) -> bool {
        self.control.kind != Kind::Bdf && self.rejected >= REJECTED
    }

    /// Steps of `kind` go on.
    fn switch(&mut self, kind: Kind) {
        self.control.kind = kind;
        (self.control.steps, self.control.stiff, self.control.calm) = (0, 0, 0);
        self.of_mut(kind).restart();
    }

    /// Looks at the explicit step accepted last, from whose end this one starts.
    fn look_back(&mut self, step: &Attempt<'_>) {
        let h = std::mem::take(&mut self.control.h);
        if h == 0.0 {
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
        let control = &mut self.control;
        if apart > 0.0 && h * parting > STIFF * apart {
            (control.stiff, control.calm) = (control.stiff + 1, 0);
        } else {
            control.calm += 1;
            if control.calm == CALM {
                control.stiff = 0;
            }
        }
        let work = (step.statistics.evaluations + step.statistics.solves) as f64;
        if control.steps == GROWTH {
            (control.from, control.work) = (step.time, work);
        }
        let slower = control.steps == PROOF && step.time - control.from < (work - control.work) * control.fastest().1;
        if control.stiff == ENOUGH || slower {
            self.leave_explicit();
        }
    }

    /// Implicit steps take over: those that were the faster ones, where that is known.
    fn leave_explicit(&mut self) {
        let control = &mut self.control;
        let (fastest, pace) = control.fastest();
        let tried_in_vain = pace > 0.0 && control.steps < LASTING;
        control.patience = if tried_in_vain { (2 * control.patience).min(PATIENCE[1]) } else { PATIENCE[0] };
        control.waited = 0;
        self.switch(STIFF_KINDS[fastest]);
    }

    /// Takes the pace of implicit steps, and chooses between their kinds.
    fn compare(&mut self, step: &Attempt<'_>) {
        let work = (step.statistics.evaluations + step.statistics.solves) as f64;
        let control = &mut self.control;
        let own = STIFF_KINDS.iter().position(|kind| *kind == control.kind).unwrap_or(0);
        if control.steps == RUN_UP[own] {
            (control.from, control.work) = (step.time, work);
        }
        if control.steps < WINDOW[own] {
            return;
        }
        control.steps = RUN_UP[own];
        control.paces[own] = (step.time - control.from) / (work - control.work).max(1.0);
        (control.from, control.work) = (step.time, work);
        control.windows += 1;
        if let Some(unknown) = control.paces.iter().position(|pace| *pace == 0.0) {
            self.switch(STIFF_KINDS[unknown]);
            return;
        }
        let (fastest, pace) = control.fastest();
        if fastest != own {
            control.windows = 0;
            self.switch(STIFF_KINDS[fastest]);
        } else if control.windows >= control.loyalty {
            control.windows = 0;
            control.loyalty = (2 * control.loyalty).min(LOYALTY[1]);
            control.paces = [0.0; 2];
            control.paces[own] = pace;
        }
    }
}

impl Stepper for Automatic {
    fn attempt(&mut self, step: &mut Attempt<'_>, equations: &mut dyn Equations) -> Result<f64, Failure> {
        if self.hands_over() {
            (self.rejected, self.left, self.control.waited) = (0, 1.0, 0);
            step.start.fresh = true;
            self.switch(Kind::Bdf);
        }
        if self.control.kind == Kind::Explicit {
            step.begin(equations)?;
            self.look_back(step);
        }
        self.before = self.control;
        if self.control.kind != Kind::Explicit {
            self.compare(step);
            let tries =
                self.control.waited >= self.control.patience && self.control.paces.iter().all(|pace| *pace > 0.0);
            if tries {
                self.control.waited = 0;
                match self.explicit.attempt(step, equations) {
                    Err(Failure::OutOfTime) => return Err(Failure::OutOfTime),
                    Ok(error) if error <= 1.0 => {
                        self.switch(Kind::Explicit);
                        self.control.tried = Kind::Explicit;
                        return Ok(error);
                    }
                    _ => self.control.patience = (2 * self.control.patience).min(PATIENCE[1]),
                }
            }
        }
        self.control.tried = self.control.kind;
        self.of_mut(self.control.kind).attempt(step, equations)
    }

    fn accept(&mut self, last: &LastStep, reached: &Reached<'_>) -> Option<&[f64]> {
        (self.rejected, self.left) = (0, 1.0);
        if self.control.tried == Kind::Explicit {
            let (stage, rates) = self.explicit.last_stage();
            self.stage.copy_from_slice(stage);
            self.stage_rates.copy_from_slice(rates);
            self.control.h = last.h;
        } else {
            self.control.waited += 1;
        }
        self.control.steps = self.control.steps.saturating_add(1);
        self.of_mut(self.control.tried).accept(last, reached)
    }

    fn take_back(&mut self) {
        self.of_mut(self.control.tried).take_back();
        self.control = self.before;
    }

    fn restart(&mut self) {
        self.control.h = 0.0;
        self.bdf.restart();
    }

    fn estimate_order(&self) -> f64 {
        self.of(self.control.tried).estimate_order()
    }

    fn next_step(&mut self, tried: f64, planned: f64, error: f64) -> f64 {
        self.of_mut(self.control.tried).next_step(tried, planned, error)
    }

    fn shrink(&mut self, failure: &Failure) -> f64 {
        let shrink = self.of_mut(self.control.tried).shrink(failure);
        (self.rejected, self.left) = (self.rejected + 1, self.left * shrink);
        if self.hands_over() { shrink / self.left } else { shrink }
    }

    fn ends_at_kinks(&self) -> bool {
        self.of(self.control.kind).ends_at_kinks()
    }

    fn longest(&self) -> f64 {
        self.of(self.control.kind).longest()
    }

    fn within(&mut self, x: f64, last: &LastStep, end: &[f64], equations: &mut dyn Equations, out: &mut [f64]) -> bool {
        self.of_mut(self.control.tried).within(x, last, end, equations, out)
    }

    fn extends_by_rates(&self) -> bool {
        self.of(self.control.tried).extends_by_rates()
    }

    fn save(&self) -> Vec<f64> {
        let mut out = self.control.save().to_vec();
        out.extend(self.stage.iter().chain(&self.stage_rates));
        out.extend(self.bdf.save());
        out
    }

    fn accepts(&self, from: &[f64]) -> bool {
        let own = HEAD + 2 * self.stage.len();
        from.len() > own && Control::load(&from[..HEAD]).is_some() && self.bdf.accepts(&from[own..])
    }

    fn load(&mut self, from: &[f64]) {
        let (head, rest) = from.split_at(HEAD.min(from.len()));
        if let Some(control) = Control::load(head) {
            let n = self.stage.len();
            self.control = control;
            self.stage.copy_from_slice(&rest[..n]);
            self.stage_rates.copy_from_slice(&rest[n..2 * n]);
            self.bdf.load(&rest[2 * n..]);
        }
    }
}
