//! Correction of forces until hinges have the accelerations desired: box 144 of figure 6 of US patent 5,546,508.
//!
//! Forward dynamics of the model says which accelerations `β̇` the forces `T` give. Three laws find the forces of the desired `β̇_d`:
//!
//! | [`CorrectionLaw`] | step                                                                   | ends                                  |
//! |-------------------|------------------------------------------------------------------------|---------------------------------------|
//! | `Iteration`       | `T ← T + D_R (β̇_d - β̇)`                                                | converges where `λ < 2`, see below    |
//! | `Gradient`        | the same direction, made conjugate to those before, with the best length | after as many steps as there are hinge speeds, but for rounding |
//! | `Exact`           | hybrid dynamics                                                        | at once, O(bodies)                    |
//!
//! `D_R` is the hinge part of the block diagonal of the factored mass matrix, `𝓜 = [I + HφK] D [I + HφK]*`, which is box 125's. Let `S` be
//! the mass matrix of the hinges with everything else free. Then the error follows `e ← (I - S⁻¹D_R) e`. All eigenvalues `λ` of `S⁻¹D_R`
//! are positive, and their product is one for a system without modes; one hinge alone is exact after one step. The plain iteration
//! converges where the greatest is below two: hinges that are weakly coupled. `Gradient` needs no such condition.
//!
//! With [`Correction::lagged`] the plain iteration takes articulated quantities of the last step for those of this one (claims 6, 21, 36).
//!
//! Where hinges have their accelerations, the deformations follow: both cannot be chosen at once. [`WeightedCorrection`] finds the best
//! compromise and says what is left of each.

mod least_squares;
mod weighted;

pub use weighted::{Target, TargetError, Weighted, WeightedCorrection};

use supple::{
    DynamicsError, Inputs, LaggedDynamics, Model, State, Workspace, forward_dynamics, hybrid_dynamics, mass_operator,
};

/// How forces are corrected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CorrectionLaw {
    /// The plain iteration.
    Iteration,
    /// Conjugate gradients, with `D_R` as preconditioner.
    Gradient,
    /// Hybrid dynamics.
    Exact,
}

/// What a correction came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corrected {
    /// Evaluations of forward dynamics, or one of hybrid dynamics.
    pub evaluations: usize,
    /// Greatest difference that is left between an acceleration and the one desired.
    pub left: f64,
}

/// Corrects the forces of some hinges. Made once; no call allocates.
#[derive(Debug)]
pub struct Correction {
    law: CorrectionLaw,
    most: usize,
    tolerance: f64,
    prescribed: Vec<bool>,
    factored: Workspace,
    lagged: Option<LaggedDynamics>,
    search: Search,
    errors: Vec<f64>,
}

/// Directions and errors of a search.
#[derive(Debug)]
struct Search {
    /// Speeds whose accelerations are desired.
    speeds: Vec<usize>,
    /// Over these: errors, those before the step, and the direction of forces.
    error: Vec<f64>,
    before: Vec<f64>,
    direction: Vec<f64>,
    /// Over all speeds: errors, and their image under `D`.
    spread: Vec<f64>,
    image: Vec<f64>,
}

impl Correction {
    /// For the hinges of these speeds, with at most `most` corrections, until the greatest error of an acceleration is at most `tolerance`.
    pub fn new(model: &Model, speeds: &[usize], law: CorrectionLaw, (most, tolerance): (usize, f64)) -> Self {
        let is_desired = |body| model.hinge_speeds(body).any(|speed| speeds.contains(&speed));
        let (all, own) = (vec![0.0; model.speed_count()], vec![0.0; speeds.len()]);
        Self {
            law,
            most,
            tolerance,
            prescribed: model.body_indices().map(is_desired).collect(),
            factored: Workspace::new(model),
            lagged: None,
            search: Search {
                speeds: speeds.to_vec(),
                error: own.clone(),
                before: own.clone(),
                direction: own,
                spread: all.clone(),
                image: all,
            },
            errors: Vec::with_capacity(most + 1),
        }
    }

    /// The same, with every evaluation by [`LaggedDynamics`]: each takes `P⁺`, `z⁺` and `α` of the one before, at this instant or the last.
    /// Only [`CorrectionLaw::Iteration`] reads them; the other laws need the response to forces of one instant.
    ///
    /// # Errors
    /// A model with closures.
    pub fn lagged(mut self, model: &Model) -> Result<Self, DynamicsError> {
        self.lagged = (self.law == CorrectionLaw::Iteration).then(|| LaggedDynamics::new(model)).transpose()?;
        Ok(self)
    }

    /// What the lagged form takes over to the next instant.
    pub fn save(&self) -> Vec<f64> {
        self.lagged.as_ref().map_or(Vec::new(), LaggedDynamics::save)
    }

    /// Takes over what another saved. Tells whether the numbers fit.
    pub fn load(&mut self, from: &[f64]) -> bool {
        self.lagged.as_mut().map_or(from.is_empty(), |lagged| lagged.load(from))
    }

    /// The greatest error before each correction and after the last, of the last call.
    pub fn errors(&self) -> &[f64] {
        &self.errors
    }

    /// Corrects `inputs.forces` of its hinges until they have `inputs.accelerations`. The forces it starts from are those of `inputs`:
    /// those of the last instant are a good start.
    ///
    /// # Errors
    /// As [`forward_dynamics`].
    pub fn correct(
        &mut self,
        model: &Model,
        state: &State,
        inputs: &mut Inputs,
        workspace: &mut Workspace,
    ) -> Result<Corrected, DynamicsError> {
        self.errors.clear();
        if self.law == CorrectionLaw::Exact {
            return self.solve(model, state, inputs, workspace);
        }
        let Self { law, most, tolerance, factored, lagged, search, errors, .. } = self;
        let operator = mass_operator(model, state, factored)?;
        let mut left = search.respond(model, state, inputs, (&mut *workspace, lagged))?;
        let mut last = f64::INFINITY;
        errors.push(left);
        // In the lagged form a force reaches one body after the other: all must have answered.
        let answers = lagged.as_ref().map_or(1, LaggedDynamics::settling_steps);
        let mut met = usize::from(left <= *tolerance);
        while met < answers && errors.len() <= *most {
            // D_R e is a direction of forces.
            search.spread();
            operator.apply_diagonal(&search.spread, &mut search.image)?;
            let weighted = search.turn(*law, last);
            last = weighted;
            search.step(inputs, 1.0);
            left = search.respond(model, state, inputs, (&mut *workspace, lagged))?;
            if *law == CorrectionLaw::Gradient {
                left = search.shorten(inputs, weighted);
            }
            errors.push(left);
            met = if left <= *tolerance { met + 1 } else { 0 };
        }
        Ok(Corrected { evaluations: errors.len(), left })
    }

    /// By hybrid dynamics.
    fn solve(
        &mut self,
        model: &Model,
        state: &State,
        inputs: &mut Inputs,
        workspace: &mut Workspace,
    ) -> Result<Corrected, DynamicsError> {
        std::mem::swap(&mut inputs.prescribed, &mut self.prescribed);
        let solved = hybrid_dynamics(model, state, inputs, workspace);
        std::mem::swap(&mut inputs.prescribed, &mut self.prescribed);
        let solution = solved?;
        self.search.speeds.iter().for_each(|speed| inputs.forces[*speed] = solution.forces()[*speed]);
        Ok(Corrected { evaluations: 1, left: 0.0 })
    }
}

impl Search {
    /// Writes desired minus actual accelerations, and gives the greatest.
    fn respond(
        &mut self,
        model: &Model,
        state: &State,
        inputs: &Inputs,
        (workspace, lagged): (&mut Workspace, &mut Option<LaggedDynamics>),
    ) -> Result<f64, DynamicsError> {
        let solution = match lagged {
            Some(lagged) => lagged.step(model, state, inputs)?,
            None => forward_dynamics(model, state, inputs, workspace)?,
        };
        for (error, speed) in self.error.iter_mut().zip(&self.speeds) {
            *error = inputs.accelerations[*speed] - solution.accelerations()[*speed];
        }
        Ok(self.greatest())
    }

    fn greatest(&self) -> f64 {
        self.error.iter().map(|error| error.abs()).fold(0.0, f64::max)
    }

    /// Errors over all speeds, zero where nothing is desired.
    fn spread(&mut self) {
        self.speeds.iter().zip(&self.error).for_each(|(speed, error)| self.spread[*speed] = *error);
    }

    /// The next direction, from the image of the errors; gives the product of both. `last` is that of the step before.
    fn turn(&mut self, law: CorrectionLaw, last: f64) -> f64 {
        let images = || self.speeds.iter().map(|speed| self.image[*speed]);
        let weighted: f64 = images().zip(&self.error).map(|(image, error)| image * error).sum();
        let conjugate = if law == CorrectionLaw::Gradient { weighted / last } else { 0.0 };
        for (direction, image) in self.direction.iter_mut().zip(images()) {
            *direction = image + conjugate * *direction;
        }
        self.before.copy_from_slice(&self.error);
        weighted
    }

    fn step(&self, inputs: &mut Inputs, length: f64) {
        for (speed, direction) in self.speeds.iter().zip(&self.direction) {
            inputs.forces[*speed] += length * direction;
        }
    }

    /// Goes back from a whole step to the best length: errors are affine in it.
    fn shorten(&mut self, inputs: &mut Inputs, weighted: f64) -> f64 {
        let changes = self.before.iter().zip(&self.error).map(|(before, after)| before - after);
        let curvature: f64 = changes.zip(&self.direction).map(|(change, direction)| change * direction).sum();
        let length = if curvature > 0.0 { weighted / curvature } else { 1.0 };
        self.step(inputs, length - 1.0);
        for (error, before) in self.error.iter_mut().zip(&self.before) {
            *error = before - length * (before - *error);
        }
        self.greatest()
    }
}
