//! Many instances of one model, or of models of one structure, over all cores and SIMD lanes.
//!
//! A [`Batch`] is made once for a model and a number of threads. Each call takes rows of numbers, one per instance, in flat slices:
//!
//! ```
//! use supple::batch::{Batch, States};
//! use supple::{Body, Hinge, HingeKind, ModelBuilder, Parent};
//!
//! let mut builder = ModelBuilder::new();
//! builder.gravity([0.0, 0.0, -9.81]);
//! let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 1.0, 0.0] });
//! let inertia = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]];
//! builder.body(Body::rigid("bob", Parent::Ground, hinge, 1.0, [0.0, 0.0, -1.0], inertia));
//! let model = builder.build()?;
//!
//! let mut batch = Batch::new(&model, 2)?;
//! let angles: Vec<f64> = (0..100).map(|i| 0.01 * f64::from(i)).collect();
//! let (speeds, forces, mut accelerations) = ([0.0; 100], [0.0; 100], [0.0; 100]);
//! let states = States { coordinates: &angles, speeds: &speeds, attitudes: &[] };
//! batch.forward_dynamics(states, &forces, &mut accelerations)?;
//! for (angle, acceleration) in angles.iter().zip(accelerations) {
//!     assert!((acceleration + 9.81 * angle.sin()).abs() < 1e-12);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Rules:
//!
//! - Every instance has, bit for bit, the result of its scalar run. Neither the number of threads nor the lanes show.
//! - An instance that fails does not touch its neighbours: they have their results. Its own row is filled with NaN (after
//!   [`Batch::step`], [`Batch::linearly_implicit_step`] and [`Batch::steps`] it is the state before the call), and [`BatchError::Instances`] tells for each what its scalar run says.
//! - No call allocates, except the first [`Batch::mass_matrix`] and the first [`Batch::step`], which make their memory, and calls
//!   in which an instance fails.

mod error;
mod exchange;
mod memory;
mod pool;
mod rows;
mod run;
mod step;
mod verb;

pub use error::{BatchError, InstanceError};
pub use rows::{States, StatesMut};
pub use step::{StepScheme, Steps};
pub use verb::NODE_MOTION;

use crate::model::{BodyIndex, DifferentStructure, Model, NodeIndex};
use exchange::{Drive, Replaced, Results};
use memory::Memory;
use pool::Pool;
use rows::{StateBlocks, Widths, check};
use run::{Group, Groups, Models};
use std::sync::Mutex;
use verb::Verb;

/// Lanes of a [`Batch`] unless chosen otherwise. Eight are one register of AVX-512; in two of AVX2 they are still faster than four.
pub const LANES: usize = if cfg!(all(target_feature = "avx", target_feature = "fma")) { 8 } else { 4 };

/// Most threads of a [`Batch`]: more than machines have, and few enough that the system can give them.
pub const MOST_THREADS: usize = 1024;

/// Threads and memory for many instances, `W` of which share a sweep.
#[derive(Debug)]
pub struct Batch<const W: usize = LANES> {
    widths: Widths,
    groups: Groups<W>,
    pool: Pool,
}

impl Batch {
    /// For any number of instances of `model`, on `threads` threads, that of the caller included; 0 for as many as the machine has.
    ///
    /// # Errors
    /// [`BatchError::TooManyThreads`] above [`MOST_THREADS`].
    pub fn new(model: &Model, threads: usize) -> Result<Self, BatchError> {
        Self::with_lanes(model, threads)
    }

    /// For one instance of each of `models`, which differ in numbers alone: the same tree, hinges, modes and structure of matrices.
    ///
    /// # Errors
    /// [`BatchError::Structure`] names the first model that does not fit the first one, and why; [`BatchError::TooManyThreads`] as for
    /// [`Batch::new`].
    pub fn of_models(models: &[Model], threads: usize) -> Result<Self, BatchError> {
        Self::of_models_with_lanes(models, threads)
    }
}

impl<const W: usize> Batch<W> {
    /// [`Batch::new`] with the number of lanes chosen: `Batch::<8>::with_lanes(&model, 2)`.
    ///
    /// # Errors
    /// As [`Batch::new`]; [`BatchError::Lanes`] where the force elements of the model cannot be evaluated in `W` lanes: the macro
    /// [`force_element!`](crate::force_element) lists 1, 2, 3, 4, 8 and 16.
    pub fn with_lanes(model: &Model, threads: usize) -> Result<Self, BatchError> {
        const { assert!(W > 0, "a batch needs at least one lane") };
        let pool = Pool::new(thread_count(threads)?);
        let (one, lanes) = (model.try_cast()?, model.try_cast()?);
        let group = |_| {
            let alone = Some(Memory::new(one.clone()));
            Mutex::new(Group { together: Memory::new(lanes.clone()), alone })
        };
        let list = (0..pool.threads()).map(group).collect();
        Ok(Self { widths: Widths::of(model), groups: Groups { models: Models::Shared(model.clone()), list }, pool })
    }

    /// [`Batch::of_models`] with the number of lanes chosen.
    ///
    /// # Errors
    /// As [`Batch::of_models`].
    pub fn of_models_with_lanes(models: &[Model], threads: usize) -> Result<Self, BatchError> {
        const { assert!(W > 0, "a batch needs at least one lane") };
        let threads = thread_count(threads)?;
        let mut list = Vec::with_capacity(models.len().div_ceil(W));
        for first in (0..models.len()).step_by(W) {
            let of: [&Model; W] = std::array::from_fn(|lane| &models[(first + lane).min(models.len() - 1)]);
            // The first of all stands for its group as well, so that groups agree with each other.
            Model::gather([&models[0], of[0]]).map_err(|error| DifferentStructure { model: first, ..error })?;
            let model =
                Model::gather(of).map_err(|error| DifferentStructure { model: first + error.model, ..error })?;
            list.push(Mutex::new(Group { together: Memory::new(model), alone: None }));
        }
        let widths = models.first().map_or(Widths { coordinates: 0, speeds: 0, attitudes: 0 }, Widths::of);
        let groups = Groups { models: Models::Own(models.to_vec()), list };
        Ok(Self { widths, groups, pool: Pool::new(threads) })
    }

    /// Number of threads, that of the caller included.
    pub fn threads(&self) -> usize {
        self.pool.threads()
    }

    /// Accelerations of every instance from its forces, as [`forward_dynamics`](crate::forward_dynamics): `forces` and
    /// `accelerations` are `instances × Model::speed_count`.
    ///
    /// # Errors
    /// [`BatchError::WrongSize`] before anything is computed; [`BatchError::Instances`] after all others have their results.
    pub fn forward_dynamics(
        &mut self,
        states: States<'_>,
        forces: &[f64],
        accelerations: &mut [f64],
    ) -> Result<(), BatchError> {
        let instances = self.instances(states)?;
        check("forces", forces.len(), instances * self.widths.speeds)?;
        check("accelerations", accelerations.len(), instances * self.widths.speeds)?;
        self.results(verb::ForwardDynamics, states, Drive::Forces(forces), self.widths.speeds, accelerations)
    }

    /// Forces of every instance for its accelerations, as [`inverse_dynamics`](crate::inverse_dynamics): `accelerations` and `forces`
    /// are `instances × Model::speed_count`.
    ///
    /// # Errors
    /// As [`Batch::forward_dynamics`].
    pub fn inverse_dynamics(
        &mut self,
        states: States<'_>,
        accelerations: &[f64],
        forces: &mut [f64],
    ) -> Result<(), BatchError> {
        let instances = self.instances(states)?;
        check("accelerations", accelerations.len(), instances * self.widths.speeds)?;
        check("forces", forces.len(), instances * self.widths.speeds)?;
        self.results(verb::InverseDynamics, states, Drive::Accelerations(accelerations), self.widths.speeds, forces)
    }

    /// Mass matrix of every instance, as [`mass_matrix`](crate::mass_matrix()): `matrices` is `instances × n × n` with `n` speeds.
    ///
    /// # Errors
    /// As [`Batch::forward_dynamics`].
    pub fn mass_matrix(&mut self, states: States<'_>, matrices: &mut [f64]) -> Result<(), BatchError> {
        let (instances, n) = (self.instances(states)?, self.widths.speeds);
        check("mass matrices", matrices.len(), instances * n * n)?;
        self.results(verb::MassMatrix, states, Drive::None, n * n, matrices)
    }

    /// Position, angular velocity and velocity of nodes of every instance in inertial axes, as [`kinematics`](crate::kinematics()): `motions` is
    /// `instances × nodes × NODE_MOTION`.
    ///
    /// # Errors
    /// As [`Batch::forward_dynamics`].
    ///
    /// # Panics
    /// For a body or node that the model does not have.
    pub fn node_motions(
        &mut self,
        states: States<'_>,
        nodes: &[(BodyIndex, NodeIndex)],
        motions: &mut [f64],
    ) -> Result<(), BatchError> {
        let (instances, width) = (self.instances(states)?, NODE_MOTION * nodes.len());
        check("motions of nodes", motions.len(), instances * width)?;
        self.results(verb::NodeMotions(nodes), states, Drive::None, width, motions)
    }

    /// One step of `step` seconds of every instance by the classical Runge-Kutta scheme of order four, `forces` held. Closures act, all of them, and a step ends on them.
    ///
    /// For many instances at the pace of the fastest motion: a mode of angular frequency ω grows without bound where ω `step` is above 2.8.
    /// [`integrate`](crate::integrate) has schemes that choose their steps.
    ///
    /// # Errors
    /// As [`Batch::forward_dynamics`]; the state of an instance that fails stays as it was.
    pub fn step(&mut self, states: StatesMut<'_>, forces: &[f64], step: f64) -> Result<(), BatchError> {
        self.steps(states, forces, Steps { scheme: StepScheme::RungeKutta, length: step, count: 1 })
    }

    /// As [`Batch::step`] by the linearly implicit scheme of order four: stiffness and damping of the modes do not limit the step. Modes
    /// that are faster than the step are damped, not followed. Costs six evaluations instead of four, and a solution with the modes.
    ///
    /// # Errors
    /// As [`Batch::step`].
    pub fn linearly_implicit_step(
        &mut self,
        states: StatesMut<'_>,
        forces: &[f64],
        step: f64,
    ) -> Result<(), BatchError> {
        self.steps(states, forces, Steps { scheme: StepScheme::LinearlyImplicit, length: step, count: 1 })
    }

    /// Several steps of every instance, `forces` held over all of them: as many calls of one step, bit for bit, but the threads meet once. For a controller that acts
    /// every few steps.
    ///
    /// # Errors
    /// As [`Batch::step`]; the state of an instance that fails in any of its steps stays as it was before the first.
    pub fn steps(&mut self, states: StatesMut<'_>, forces: &[f64], steps: Steps) -> Result<(), BatchError> {
        let instances = self.instances(states.as_states())?;
        check("forces", forces.len(), instances * self.widths.speeds)?;
        let (widths, length) = (self.widths, self.groups.block());
        let exchange = Replaced { forces, widths };
        let blocks = StateBlocks { rest: states, widths, length };
        self.groups.run(&mut self.pool, instances, &steps, &exchange, blocks)
    }

    /// Checks `states` and counts its rows.
    fn instances(&self, states: States<'_>) -> Result<usize, BatchError> {
        let instances = match &self.groups.models {
            Models::Shared(_) => self.widths.instances(states),
            Models::Own(models) => models.len(),
        };
        self.widths.check(states, instances)?;
        Ok(instances)
    }

    /// Runs a verb that leaves `width` numbers per instance in `out`.
    fn results(
        &mut self,
        verb: impl Verb,
        states: States<'_>,
        drive: Drive<'_>,
        width: usize,
        out: &mut [f64],
    ) -> Result<(), BatchError> {
        if width == 0 {
            return Ok(());
        }
        let instances = out.len() / width;
        let exchange = Results { states, drive, width };
        let blocks = out.chunks_mut(self.groups.block() * width);
        self.groups.run(&mut self.pool, instances, &verb, &exchange, blocks)
    }
}

/// As many as asked for, or as the machine has.
fn thread_count(asked: usize) -> Result<usize, BatchError> {
    match asked {
        0 => Ok(std::thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS)),
        1..=MOST_THREADS => Ok(asked),
        _ => Err(BatchError::TooManyThreads { asked, most: MOST_THREADS }),
    }
}
