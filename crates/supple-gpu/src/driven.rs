//! Instances that make steps of their own: each is given the lengths of its steps, and what acts at the instants of their stages.
//!
//! So motions, torques and wrenches that follow the time, other ones in each instance, act as the engine has them, and steps end where it ends them.

use crate::cuda::{Numbers, check_memory, grid, push};
use crate::device::{Device, Loaded, Precision, failed};
use crate::error::GpuError;
use crate::fleet::{Outcome, wrong_size};
use crate::kernel::{self, Kernel, Shape};
use cudarc::driver::{CudaSlice, PushKernelArg};
use supple_compile::Program;

/// Bytes that a table takes at most.
const TABLE: usize = 1 << 28;

/// A step on a device: a program whose inputs are the state, what is given to the step, its length first, and numbers of the instance.
#[derive(Clone, Debug)]
pub struct Driven {
    device: Device,
    kernel: Loaded,
    shape: Shape,
    /// Numbers of a state, given to a step, of an instance.
    sizes: [usize; 3],
}

impl Driven {
    /// Compiles a step that is given so many numbers.
    ///
    /// # Errors
    /// What the compiler or the driver says.
    pub fn new(device: &Device, step: &Program, given: usize) -> Result<Self, GpuError> {
        let shape = Shape::of(device);
        let kernel = device.load(&Self::kernel(step, given, shape), Precision::Double, shape)?;
        Ok(Self { device: device.clone(), kernel, shape, sizes: Self::sizes(step, given) })
    }

    /// The kernel of CUDA C++.
    pub fn kernel(step: &Program, given: usize, shape: Shape) -> Kernel {
        kernel::driven_steps(step, Self::sizes(step, given), shape)
    }

    fn sizes(step: &Program, given: usize) -> [usize; 3] {
        let state = step.outputs.len();
        [state, given, step.inputs.len().saturating_sub(state + given)]
    }

    /// Instances with these states and numbers, rows one after the other. They have made no steps.
    ///
    /// # Errors
    /// Slices of the wrong size; memory that the device does not have.
    pub fn fleet(&self, count: usize, states: &[f64], numbers: &[f64]) -> Result<DrivenFleet, GpuError> {
        let [state, _, own] = self.sizes;
        check_memory(&self.device, (8 * (state + own) + 12) * count)?;
        let zeros = |size| Numbers::zeros(&self.device, Precision::Double, size);
        let (stream, taken) = (&self.device.stream, failed("take memory"));
        let mut fleet = DrivenFleet {
            state: zeros(state * count)?,
            numbers: zeros(own * count)?,
            table: zeros(0)?,
            room: 0,
            status: stream.alloc_zeros(count.max(1)).map_err(&taken)?,
            reached: stream.alloc_zeros(count.max(1)).map_err(&taken)?,
            driven: self.clone(),
            count,
        };
        for (what, rows, width, to) in
            [("states", states, state, &mut fleet.state), ("numbers", numbers, own, &mut fleet.numbers)]
        {
            if rows.len() != width * count {
                return Err(wrong_size(what, rows.len(), width * count));
            }
            if width > 0 {
                to.write(&self.device, &crate::fleet::columns(rows, width, count))?;
            }
        }
        Ok(fleet)
    }

    /// Steps of so many instances that one table can have.
    fn rows(&self, count: usize) -> usize {
        (TABLE / (8 * self.sizes[1] * count.max(1))).max(1)
    }
}

/// Instances on the way.
#[derive(Debug)]
pub struct DrivenFleet {
    driven: Driven,
    count: usize,
    state: Numbers,
    numbers: Numbers,
    table: Numbers,
    /// Numbers that the table has room for.
    room: usize,
    status: CudaSlice<i32>,
    reached: CudaSlice<i64>,
}

impl DrivenFleet {
    /// Most steps that [`advance`](Self::advance) takes at once.
    pub fn most_steps(&self) -> usize {
        self.driven.rows(self.count)
    }

    /// Makes the steps of each instance, given one after the other: the length of a step, then what acts at its places. Instances that failed earlier stay where they are.
    ///
    /// # Errors
    /// As many lists as instances, of whole steps and not too many, are needed; what the device says.
    pub fn advance(&mut self, steps: &[impl AsRef<[f64]>]) -> Result<(), GpuError> {
        let (width, count) = (self.driven.sizes[1], self.count);
        let lists: Vec<&[f64]> = steps.iter().map(AsRef::as_ref).collect();
        let rows = lists.iter().map(|list| list.len() / width).max().unwrap_or(0);
        let unfit = lists.iter().find(|list| list.len() % width != 0 || rows > self.most_steps());
        if lists.len() != count || unfit.is_some() {
            return Err(wrong_size("steps", unfit.map_or(lists.len(), |list| list.len()), count));
        }
        if rows == 0 {
            return Ok(());
        }
        let alike = lists.iter().all(|list| *list == lists[0]);
        if alike {
            self.write_table(lists[0])?;
        } else {
            // What an instance has no step for has no length.
            let mut table = vec![0.0; rows * width * count];
            for (k, list) in lists.iter().enumerate() {
                list.iter().enumerate().for_each(|(i, x)| table[i * count + k] = *x);
            }
            self.write_table(&table)?;
        }
        self.launch(rows, alike)
    }

    fn write_table(&mut self, table: &[f64]) -> Result<(), GpuError> {
        let device = &self.driven.device;
        if table.len() > self.room {
            check_memory(device, 8 * table.len())?;
            self.table = Numbers::zeros(device, Precision::Double, table.len())?;
            self.room = table.len();
        }
        self.table.write(device, table)
    }

    fn launch(&mut self, rows: usize, alike: bool) -> Result<(), GpuError> {
        let Driven { device, kernel, shape, .. } = &self.driven;
        let (count, rows) = (self.count as i64, rows as i64);
        let (each, own) = if alike { (1, 0) } else { (count, 1_i64) };
        let mut launch = device.stream.launch_builder(&kernel.function);
        push!(launch, &mut self.state);
        push!(launch, &self.numbers);
        push!(launch, &self.table);
        launch.arg(&mut self.status).arg(&mut self.reached);
        launch.arg(&count).arg(&rows).arg(&each).arg(&own);
        // SAFETY: the arguments are those of the kernel, in its order, and the arrays have the sizes that it was written for.
        unsafe { launch.launch(grid(self.count, *shape, kernel)) }.map_err(failed("launch a kernel"))?;
        device.stream.synchronize().map_err(failed("run a kernel"))
    }

    /// The states of all instances, rows one after the other.
    ///
    /// # Errors
    /// What the device says.
    pub fn states(&self) -> Result<Vec<f64>, GpuError> {
        let width = self.driven.sizes[0];
        let mut table = vec![0.0; width * self.count];
        self.state.read(&self.driven.device, &mut table)?;
        Ok(crate::fleet::rows(&table, width, self.count))
    }

    /// What became of each instance.
    ///
    /// # Errors
    /// What the device says.
    pub fn outcomes(&self) -> Result<Vec<Outcome>, GpuError> {
        crate::cuda::outcomes(&self.driven.device, &self.status, &self.reached, self.count)
    }
}
