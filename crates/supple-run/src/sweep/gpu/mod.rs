//! Runs of a study on a GPU: many at a time, step by step.
//!
//! One program makes the steps of all runs: those of a scheme whose stages are given what acts, with the numbers of the model that differ among runs as
//! inputs. Lengths of steps and what acts follow from the scenario of a run as they do in the engine, and the rows of results are the
//! engine's, of the states that come back. Runs that the program does not hold for, and those whose steps fail, are made by the engine.

mod fits;
mod instance;

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use supple_compile::{DrivenStep, Family};
use supple_gpu::{Device, Driven, DrivenFleet, GpuError};

use super::together::{by_engine, each};
use super::{Row, Study};
use crate::{Interrupt, RunError};
use instance::Instance;

/// Runs that are on the way at once.
pub const AT_ONCE: usize = 8192;

/// The program of a study on a GPU.
pub struct OnGpu {
    family: Family,
    program: DrivenStep,
    step: Driven,
    /// Runs that the engine made.
    others: AtomicU64,
    /// One fleet at a time has the device.
    turn: Mutex<()>,
}

impl fmt::Debug for OnGpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OnGpu {{ program: {:?} }}", self.program)
    }
}

impl Study {
    /// The same study, whose runs are made on a GPU, by its number: all with one program, in which every number that differs among the models of some
    /// runs is an input. The engine makes those that it does not hold for, or whose steps fail; [`by_engine`](Self::by_engine) counts them.
    ///
    /// Rows agree with those of the engine, with the same scheme and step, to rounding.
    ///
    /// # Errors
    /// What a fleet of instances cannot do, by its key; runs whose models differ in more than numbers; no GPU.
    pub fn on_gpu(self, number: usize) -> Result<Self, RunError> {
        let sampled = self.sampled()?;
        let mut first = None;
        for (_, scenario) in &sampled {
            let found = fits::scheme(scenario).map_err(|error| error.at(self.scenario_path()))?;
            first.get_or_insert(found);
        }
        let (run, scenario) = &sampled[0];
        fits::columns(&self, scenario)?;
        let family = self.family(&sampled, "--gpu")?;
        let Some((scheme, step)) = first else { return Err(RunError::cannot_begin("there are no runs")) };
        let mut start = Instance::begin(&self, Box::new(scenario.clone()), (*run, step))?;
        let device = Device::open(number).map_err(|error| failed(&error))?;
        let program = start.program(scheme)?;
        let recorded = family.step(&program, (start.state(), step)).map_err(|error| failed(&GpuError::from(error)))?;
        let step = Driven::new(&device, &recorded.scheduled(), program.width()).map_err(|error| failed(&error))?;
        let (others, turn) = (AtomicU64::new(0), Mutex::new(()));
        Ok(self.with_gpu(Arc::new(OnGpu { family, program, step, others, turn })))
    }
}

/// No fleet, or none any more.
fn failed(error: &GpuError) -> RunError {
    RunError::unsupported(format!("runs on a GPU: {error}"))
        .with_remedy("run the study on the processor with --compiled")
}

impl OnGpu {
    /// How many runs the engine made.
    pub fn others(&self) -> u64 {
        self.others.load(Ordering::Relaxed)
    }

    /// Makes some runs of the study, with so many threads for what is done on the processor; some are missing where it was interrupted.
    ///
    /// # Errors
    /// What the device says.
    pub fn rows(
        &self,
        study: &Study,
        runs: &[u64],
        (jobs, interrupt): (usize, &Interrupt),
    ) -> Result<Vec<Row>, RunError> {
        let mut begun: Vec<_> = runs.iter().map(|run| (*run, None)).collect();
        each(jobs, &mut begun, |(run, instance)| *instance = Instance::new(study, (&self.family, &self.program), *run));
        let (mut others, mut instances, mut numbers, mut states) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (run, instance) in begun {
            let Some((instance, own)) = instance else {
                others.push(run);
                continue;
            };
            let state = instance.state();
            states.extend(&state.coordinates);
            states.extend(state.attitudes.iter().flat_map(|attitude| attitude.0));
            states.extend(&state.speeds);
            numbers.extend(own);
            instances.push(instance);
        }
        if !instances.is_empty() {
            let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
            let fleet = self.step.fleet(instances.len(), &states, &numbers).map_err(|error| failed(&error))?;
            self.advance(fleet, &mut instances, (jobs, interrupt)).map_err(|error| failed(&error))?;
        }
        if interrupt.is_set() {
            return Ok(Vec::new());
        }
        others.extend(instances.iter().filter(|instance| instance.is_given_up).map(|instance| instance.run));
        self.others.fetch_add(others.len() as u64, Ordering::Relaxed);
        let finished = instances.iter().filter(|instance| !instance.is_given_up).map(|instance| instance.row(study));
        Ok(finished.chain(by_engine(study, &others, (jobs, interrupt))).collect())
    }

    /// Makes the runs of a fleet, each from row to row and from instant to instant of its blocks.
    fn advance(
        &self,
        mut fleet: DrivenFleet,
        instances: &mut [Instance],
        (jobs, interrupt): (usize, &Interrupt),
    ) -> Result<(), GpuError> {
        let most = fleet.most_steps();
        while !interrupt.is_set() && instances.iter().any(|instance| !instance.is_done()) {
            each(jobs, instances, |instance| instance.ask(&self.program, most));
            fleet.advance(&instances.iter().map(|instance| &instance.asked).collect::<Vec<_>>())?;
            // Those that are on the way to a row go on first, so that many arrive together.
            if !instances.iter().all(|instance| instance.is_at_row() || instance.is_at_instant()) {
                continue;
            }
            let states = fleet.states()?;
            let width = (states.len() / instances.len().max(1)).max(1);
            let mut reached: Vec<_> = instances.iter_mut().zip(states.chunks(width)).collect();
            for ((instance, _), outcome) in reached.iter_mut().zip(fleet.outcomes()?) {
                instance.is_given_up |= outcome.failed.is_some();
            }
            each(jobs, &mut reached, |(instance, state)| instance.arrive(state));
        }
        Ok(())
    }
}
