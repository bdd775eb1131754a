//! Correction of hinges and of node deformations at once, with weights: box 144 where both are desired and there are fewer forces than wishes.
//!
//! Accelerations `y` of the targets are affine in the forces `T` of the actuators. The forces that are found make `Σ w² (y_d - y)²` least;
//! what is left of each target is part of the answer.
//!
//! | [`CorrectionLaw`] | step                                                                   | evaluations of forward dynamics        |
//! |-------------------|------------------------------------------------------------------------|-----------------------------------------|
//! | `Iteration`       | steepest descent, `T ← T + λ D² A*W² (y_d - y)`, with the best length `λ` | two for each step; always converges    |
//! | `Gradient`        | conjugate directions from the same gradients                           | two for each step, at most as many steps as actuators but for rounding |
//! | `Exact`           | the response `A` to each actuator, and a least-squares solution        | one for each actuator, and three        |
//!
//! `D` has the hinge inertias `D_R` of box 125 on its diagonal, as a measure of what force an acceleration takes. The gradient `A*W² e` costs
//! one evaluation: it is what the actuators' hinges do under the errors as forces on the targets, for `𝓜⁻¹` is symmetric, with closures
//! too. Gravity, velocities, force elements and closures act in every evaluation.

use super::least_squares::LeastSquares;
use super::{Corrected, CorrectionLaw};
use supple::spatial::Force;
use supple::{
    BodyIndex, DynamicsError, Inputs, Model, NodeIndex, State, Workspace, forward_dynamics, kinematics_with,
    mass_operator,
};

/// An acceleration that is desired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Of a hinge, by the place of its speed.
    Hinge {
        /// The speed.
        speed: usize,
    },
    /// Of the deformation of a node relative to its body.
    Node {
        /// The body.
        body: BodyIndex,
        /// Its node.
        node: NodeIndex,
        /// Slopes about the axes of the body are 0 to 2, displacements along them 3 to 5.
        component: usize,
    },
}

/// A target and what a unit of its error counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weighted {
    /// The target.
    pub target: Target,
    /// Its weight, zero or above.
    pub weight: f64,
}

/// Why a correction cannot be made.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum TargetError {
    /// A speed that the model does not have.
    NoSuchSpeed {
        /// The speed.
        speed: usize,
        /// How many there are.
        speeds: usize,
    },
    /// A node or component that the model does not have.
    NoSuchNode {
        /// The target.
        target: Target,
    },
    /// A body without modes: its nodes do not move in it.
    Rigid {
        /// Its name.
        name: String,
    },
    /// A weight below zero or not finite.
    Weight {
        /// The weight.
        value: f64,
    },
    /// No actuator, or no target.
    Empty {
        /// Which of them.
        what: &'static str,
    },
}

impl std::fmt::Display for TargetError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoSuchSpeed { speed, speeds } => {
                write!(f, "there is no speed {speed}: the model has {speeds}, counted from 0")
            }
            Self::NoSuchNode { target } => write!(f, "{target:?} does not exist; components are 0 to 5"),
            Self::Rigid { name } => write!(f, "body '{name}' has no modes: its nodes cannot deform"),
            Self::Weight { value } => write!(f, "a weight is {value}; weights are finite and not below zero"),
            Self::Empty { what } => write!(f, "there is no {what}; give at least one"),
        }
    }
}

impl std::error::Error for TargetError {}

/// Corrects the forces of some actuators. Made once; no call allocates.
#[derive(Debug)]
pub struct WeightedCorrection {
    law: CorrectionLaw,
    most: usize,
    tolerance: f64,
    factored: Workspace,
    actuators: Vec<usize>,
    /// Diagonal of `D_R` at the actuators.
    scale: Vec<f64>,
    exact: LeastSquares,
    now: Response,
    trial: Response,
    direction: Vec<f64>,
    gradient: Vec<f64>,
    /// Over all speeds, scratch.
    spread: Vec<f64>,
    errors: Vec<f64>,
}

/// What forces do.
#[derive(Clone, Debug)]
struct Response {
    targets: Vec<Weighted>,
    /// Accelerations of all speeds.
    accelerations: Vec<f64>,
    /// Weighted errors of the targets.
    error: Vec<f64>,
}

/// What every evaluation takes.
struct Scene<'a> {
    model: &'a Model,
    state: &'a State,
    desired: &'a [f64],
    inputs: &'a mut Inputs,
    workspace: &'a mut Workspace,
}

impl WeightedCorrection {
    /// Corrects the forces of the speeds `actuators` for `targets`, with at most `most` corrections, until one changes no weighted acceleration
    /// by more than `tolerance`.
    ///
    /// # Errors
    /// Speeds, nodes or components that are not there, weights that are below zero, no actuator or no target.
    pub fn new(
        model: &Model,
        actuators: &[usize],
        targets: &[Weighted],
        law: CorrectionLaw,
        (most, tolerance): (usize, f64),
    ) -> Result<Self, TargetError> {
        check(model, actuators, targets)?;
        let (all, own) = (vec![0.0; model.speed_count()], vec![0.0; actuators.len()]);
        let response =
            Response { targets: targets.to_vec(), accelerations: all.clone(), error: vec![0.0; targets.len()] };
        Ok(Self {
            law,
            most,
            tolerance,
            factored: Workspace::new(model),
            actuators: actuators.to_vec(),
            scale: own.clone(),
            exact: LeastSquares::new(targets.len(), actuators.len()),
            now: response.clone(),
            trial: response,
            direction: own.clone(),
            gradient: own,
            spread: all,
            errors: Vec::with_capacity(most + 2),
        })
    }

    /// Weighted length of all errors before each correction and after the last, of the last call.
    pub fn errors(&self) -> &[f64] {
        &self.errors
    }

    /// What was left of each target by the last call, desired less actual, without weights.
    pub fn left(&self) -> impl Iterator<Item = f64> + '_ {
        self.now.targets.iter().zip(&self.now.error).map(|(of, e)| if of.weight > 0.0 { e / of.weight } else { 0.0 })
    }

    /// Corrects `inputs.forces` of the actuators for the accelerations `desired`, one for each target. It starts from the forces of `inputs`.
    ///
    /// # Errors
    /// As [`forward_dynamics`]; a list of another length than that of the targets.
    pub fn correct(
        &mut self,
        model: &Model,
        state: &State,
        desired: &[f64],
        inputs: &mut Inputs,
        workspace: &mut Workspace,
    ) -> Result<Corrected, DynamicsError> {
        let (found, expected) = (desired.len(), self.now.targets.len());
        if found != expected {
            return Err(DynamicsError::WrongSize { quantity: "desired accelerations", found, expected });
        }
        self.errors.clear();
        self.measure_hinges(model, state)?;
        let mut scene = Scene { model, state, desired, inputs, workspace };
        self.now.evaluate(&mut scene)?;
        self.errors.push(self.now.size());
        let evaluations = match self.law {
            CorrectionLaw::Exact => self.solve(&mut scene)?,
            law => self.descend(law, &mut scene)?,
        };
        let left = self.left().map(f64::abs).fold(0.0, f64::max);
        Ok(Corrected { evaluations, left })
    }

    /// Diagonal of `D_R` at the actuators.
    fn measure_hinges(&mut self, model: &Model, state: &State) -> Result<(), DynamicsError> {
        let operator = mass_operator(model, state, &mut self.factored)?;
        for (scale, speed) in self.scale.iter_mut().zip(&self.actuators) {
            self.spread.fill(0.0);
            self.spread[*speed] = 1.0;
            operator.apply_diagonal(&self.spread, &mut self.trial.accelerations)?;
            *scale = self.trial.accelerations[*speed];
        }
        Ok(())
    }

    /// The response to each actuator, then the best forces; once more for what rounding left.
    fn solve(&mut self, scene: &mut Scene<'_>) -> Result<usize, DynamicsError> {
        let unit = self.now.error.iter().fold(1.0_f64, |most, error| most.max(error.abs()));
        for (j, (speed, scale)) in self.actuators.iter().zip(&self.scale).enumerate() {
            let before = scene.inputs.forces[*speed];
            scene.inputs.forces[*speed] += unit * scale;
            self.trial.evaluate(scene)?;
            scene.inputs.forces[*speed] = before;
            let changes = self.now.error.iter().zip(&self.trial.error);
            for (entry, (before, after)) in self.exact.column_mut(j).iter_mut().zip(changes) {
                *entry = (before - after) / unit;
            }
        }
        self.exact.factor();
        for _ in 0..2 {
            let x = self.exact.solve(&mut self.now.error);
            for ((speed, scale), x) in self.actuators.iter().zip(&self.scale).zip(x) {
                scene.inputs.forces[*speed] += x * scale;
            }
            self.now.evaluate(scene)?;
            self.errors.push(self.now.size());
        }
        Ok(self.actuators.len() + 3)
    }

    /// Steps along gradients or conjugate directions, each of the best length.
    fn descend(&mut self, law: CorrectionLaw, scene: &mut Scene<'_>) -> Result<usize, DynamicsError> {
        let mut last = f64::INFINITY;
        let mut evaluations = 1;
        while self.errors.len() <= self.most {
            self.find_gradient(scene)?;
            let size: f64 = self.gradient.iter().map(|g| g * g).sum();
            let conjugate = if law == CorrectionLaw::Gradient { size / last } else { 0.0 };
            for (direction, g) in self.direction.iter_mut().zip(&self.gradient) {
                *direction = g + conjugate * *direction;
            }
            last = size;
            self.step(scene.inputs, 1.0);
            self.trial.evaluate(scene)?;
            evaluations += 2;
            let changes = || self.now.error.iter().zip(&self.trial.error).map(|(before, after)| before - after);
            let curvature: f64 = changes().map(|change| change * change).sum();
            let along: f64 = self.direction.iter().zip(&self.gradient).map(|(p, g)| p * g).sum();
            let length = if curvature > 0.0 { along / curvature } else { 0.0 };
            let greatest = length.abs() * changes().map(f64::abs).fold(0.0, f64::max);
            self.step(scene.inputs, length - 1.0);
            self.now.go(&self.trial, length);
            self.errors.push(self.now.size());
            if greatest <= self.tolerance {
                break;
            }
        }
        self.now.evaluate(scene)?;
        Ok(evaluations + 1)
    }

    /// `D A*W² e`: how the actuators' hinges answer to the errors as forces on the targets.
    fn find_gradient(&mut self, scene: &mut Scene<'_>) -> Result<(), DynamicsError> {
        self.spread.copy_from_slice(&scene.inputs.forces);
        let pushed = self.now.push(scene);
        let answered = pushed.and_then(|()| self.trial.evaluate(scene));
        scene.inputs.forces.copy_from_slice(&self.spread);
        answered?;
        for (g, (speed, scale)) in self.gradient.iter_mut().zip(self.actuators.iter().zip(&self.scale)) {
            *g = scale * (self.trial.accelerations[*speed] - self.now.accelerations[*speed]);
        }
        Ok(())
    }

    /// Goes along the direction.
    fn step(&self, inputs: &mut Inputs, length: f64) {
        for ((speed, scale), direction) in self.actuators.iter().zip(&self.scale).zip(&self.direction) {
            inputs.forces[*speed] += length * scale * direction;
        }
    }
}

impl Response {
    /// Accelerations and weighted errors for the forces of `scene`.
    fn evaluate(&mut self, scene: &mut Scene<'_>) -> Result<(), DynamicsError> {
        let Scene { model, state, desired, inputs, workspace } = scene;
        let solution = forward_dynamics(model, state, inputs, workspace)?;
        self.accelerations.copy_from_slice(solution.accelerations());
        let motion = kinematics_with(model, state, &self.accelerations, workspace)?;
        for ((error, of), desired) in self.error.iter_mut().zip(&self.targets).zip(desired.iter()) {
            let actual = match of.target {
                Target::Hinge { speed } => self.accelerations[speed],
                Target::Node { body, node, component } => {
                    let whole = motion.node_deformation_acceleration(body, node);
                    whole.map_or(f64::NAN, |whole| whole.to_array()[component])
                }
            };
            *error = of.weight * (desired - actual);
        }
        Ok(())
    }

    /// Adds `C*W² e` to the forces: each error, weighted, on its target.
    fn push(&self, scene: &mut Scene<'_>) -> Result<(), DynamicsError> {
        let Scene { model, state, inputs, workspace, .. } = scene;
        let motion = kinematics_with(model, state, &self.accelerations, workspace)?;
        for (of, error) in self.targets.iter().zip(&self.error) {
            let force = of.weight * error;
            match of.target {
                Target::Hinge { speed } => inputs.forces[speed] += force,
                Target::Node { body, node, component } => {
                    let load = Force::from_array(std::array::from_fn(|i| if i == component { force } else { 0.0 }));
                    motion.add_deformation_force(body, node, load, &mut inputs.forces[model.modal_speeds(body)]);
                }
            }
        }
        Ok(())
    }

    /// Weighted length of all errors.
    fn size(&self) -> f64 {
        self.error.iter().map(|error| error * error).sum::<f64>().sqrt()
    }

    /// Goes `length` of the way to `other`: all is affine.
    fn go(&mut self, other: &Self, length: f64) {
        let numbers = self.accelerations.iter_mut().zip(&other.accelerations);
        for (own, other) in numbers.chain(self.error.iter_mut().zip(&other.error)) {
            *own += length * (other - *own);
        }
    }
}

fn check(model: &Model, actuators: &[usize], targets: &[Weighted]) -> Result<(), TargetError> {
    if actuators.is_empty() || targets.is_empty() {
        return Err(TargetError::Empty { what: if actuators.is_empty() { "actuator" } else { "target" } });
    }
    let speeds = model.speed_count();
    let speed_exists = |speed: usize| match speed < speeds {
        true => Ok(()),
        false => Err(TargetError::NoSuchSpeed { speed, speeds }),
    };
    actuators.iter().try_for_each(|speed| speed_exists(*speed))?;
    for Weighted { target, weight } in targets {
        if !(weight.is_finite() && *weight >= 0.0) {
            return Err(TargetError::Weight { value: *weight });
        }
        match *target {
            Target::Hinge { speed } => speed_exists(speed)?,
            Target::Node { body, node, component } => {
                let exists = body.0 < model.body_count() && node.0 < model.node_count(body) && component < 6;
                if !exists {
                    return Err(TargetError::NoSuchNode { target: *target });
                }
                if model.modes(body) == 0 {
                    return Err(TargetError::Rigid { name: model.name(body).to_owned() });
                }
            }
        }
    }
    Ok(())
}
