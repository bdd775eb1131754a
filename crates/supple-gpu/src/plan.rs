//! What is stepped, where, and by which law: a plan becomes code, and code makes fleets.

use crate::cuda::Resident;
use crate::device::{Device, Loaded, Precision};
use crate::error::{GpuError, LawError};
use crate::fleet::{Array, Backend, Fleet};
use crate::kernel::{self, Kernel, Shape, Sizes, Step};
use crate::law::{Law, force_count};
use crate::noise::Draws;
use crate::processor::{Compiled, Gathered};
use supple::{Model, State};
use supple_compile::{Parameter, Program, Recording, RungeKutta, Verb};

/// Where instances run.
#[derive(Clone, Debug)]
pub enum Place {
    /// On this processor: the same programs, compiled by its C compiler for several instances at once, on so many threads; 0 for all cores.
    Processor {
        /// Threads.
        threads: usize,
    },
    /// On a GPU.
    Cuda {
        /// The device.
        device: Device,
        /// Its numbers.
        precision: Precision,
        /// How kernels are written and launched.
        shape: Shape,
    },
}

impl Place {
    /// A GPU by its number, in double precision.
    ///
    /// # Errors
    /// As [`Device::open`].
    pub fn cuda(number: usize) -> Result<Self, GpuError> {
        let device = Device::open(number)?;
        let shape = Shape::of(&device);
        Ok(Self::Cuda { device, precision: Precision::Double, shape })
    }
}

/// What is stepped, and how.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'m> {
    /// The model.
    pub model: &'m Model,
    /// As [`Recording::state`].
    pub state: Option<&'m State>,
    /// [`Verb::Rk4Step`] or [`Verb::LinearlyImplicitStep`].
    pub step: &'m Verb,
    /// Numbers of the model that each instance has for itself.
    pub parameters: &'m [Parameter],
    /// What drives it; forces that are held where there is nothing.
    pub law: Option<&'m Law>,
}

/// A plan that became code. Makes fleets of any size.
#[derive(Clone, Debug)]
pub struct Ready {
    sizes: Sizes,
    widths: [usize; 3],
    /// Values of the model for the parameters, start of the memory of the law.
    parameters: Vec<f64>,
    memory: Vec<f64>,
    every: usize,
    start: Vec<f64>,
    code: Code,
}

#[derive(Clone, Debug)]
enum Code {
    Processor { compiled: Box<Compiled>, threads: usize },
    Cuda { device: Device, kernel: Box<Loaded>, shape: Shape },
}

impl Plan<'_> {
    /// The program of a step.
    fn program(&self) -> Result<Program, GpuError> {
        if !matches!(self.step, Verb::Rk4Step | Verb::LinearlyImplicitStep) {
            return Err(LawError::NotAStep { verb: self.step.to_string() }.into());
        }
        let Self { model, state, parameters, .. } = *self;
        Ok(Recording { model, state, verb: self.step, parameters }.program()?.scheduled())
    }

    /// The step as kernels make it.
    fn step(&self) -> Result<Step, GpuError> {
        let Self { model, state, parameters, .. } = *self;
        if !matches!(self.step, Verb::Rk4Step) {
            return Ok(Step::Whole(Box::new(self.program()?)));
        }
        let RungeKutta { stage, end } = Recording { model, state, verb: self.step, parameters }.runge_kutta()?;
        Ok(Step::Stages(Box::new(RungeKutta { stage: stage.scheduled(), end: end.scheduled() })))
    }

    fn sizes(&self) -> Sizes {
        let state = State::new(self.model);
        let law = self.law.map(|law| (law.sizes, law.memory.len())).unwrap_or_default();
        Sizes {
            state: state.coordinates.len() + 4 * state.attitudes.len() + state.speeds.len(),
            forces: force_count(self.model),
            parameters: self.parameters.len(),
            memory: law.1,
            columns: law.0.columns,
            numbers: law.0.numbers,
            noise: law.0.noise,
        }
    }

    /// The kernel of CUDA C++.
    ///
    /// # Errors
    /// As [`on`](Self::on).
    pub fn kernel(&self, shape: Shape) -> Result<Kernel, GpuError> {
        Ok(kernel::steps(&self.step()?, self.law, &self.sizes(), shape))
    }

    /// Records and compiles it for a place.
    ///
    /// # Errors
    /// A verb that makes no step or cannot be recorded, code that cannot be compiled, a device that refuses it.
    pub fn on(&self, place: &Place) -> Result<Ready, GpuError> {
        let code = match place {
            Place::Processor { threads } => {
                Code::Processor { compiled: Box::new(Compiled::new(&self.program()?, self.law)?), threads: *threads }
            }
            Place::Cuda { device, precision, shape } => {
                let kernel = device.load(&self.kernel(*shape)?, *precision, *shape)?;
                Code::Cuda { device: device.clone(), kernel: Box::new(kernel), shape: *shape }
            }
        };
        let values = self.parameters.iter().map(|parameter| parameter.signal(self.model).map(|(_, value)| value));
        let state = self.state.cloned().unwrap_or_else(|| State::new(self.model));
        let mut start = state.coordinates.clone();
        start.extend(state.attitudes.iter().flat_map(|q| q.0));
        start.extend(&state.speeds);
        Ok(Ready {
            sizes: self.sizes(),
            widths: [state.coordinates.len(), state.attitudes.len(), state.speeds.len()],
            parameters: values.collect::<Result<_, _>>()?,
            memory: self.law.map(|law| law.memory.clone()).unwrap_or_default(),
            every: self.law.map_or(1, |law| law.every),
            start,
            code,
        })
    }
}

impl Ready {
    /// `count` instances in the state of the plan (that of [`State::new`] where it has none), with the parameters of the model, no forces, and
    /// seeds of their own.
    ///
    /// # Errors
    /// Memory that the device does not have.
    pub fn fleet(&self, count: usize) -> Result<Fleet, GpuError> {
        let backend: Box<dyn Backend> = match &self.code {
            Code::Processor { compiled, threads } => Box::new(Gathered::new(compiled, &self.sizes, count, *threads)),
            Code::Cuda { device, kernel, shape } => {
                Box::new(Resident::new(device, kernel, *shape, &self.sizes, count)?)
            }
        };
        let (sizes, widths, every, memory) = (self.sizes, self.widths, self.every, self.memory.clone());
        let mut fleet = Fleet { backend, sizes, widths, every, count, made: 0, memory };
        fleet.fill(Array::State, self.start.len(), &self.start)?;
        fleet.fill(Array::Parameters, sizes.parameters, &self.parameters)?;
        fleet.restart()?;
        fleet.set_seeds(Draws { seed: 0 })?;
        Ok(fleet)
    }

    /// Registers of a thread of the kernel, and bytes that it keeps in local memory; `None` on the processor.
    pub fn registers(&self) -> Option<[usize; 2]> {
        match &self.code {
            Code::Cuda { kernel, .. } => Some([kernel.registers, kernel.local]),
            Code::Processor { .. } => None,
        }
    }
}
