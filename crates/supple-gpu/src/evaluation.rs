//! A verb for many instances on a GPU: numbers in, numbers out, a status each.

use crate::cuda::{Numbers, check_memory, grid, push};
use crate::device::{Device, Loaded, Precision, failed};
use crate::error::GpuError;
use crate::fleet;
use crate::kernel::{self, Shape};
use cudarc::driver::{CudaSlice, PushKernelArg};
use supple::batch::BatchError;
use supple_compile::Program;

/// A program on a device, with memory for a number of instances.
#[derive(Debug)]
pub struct Evaluation {
    device: Device,
    kernel: Loaded,
    shape: Shape,
    widths: [usize; 2],
    count: usize,
    inputs: Numbers,
    outputs: Numbers,
    status: CudaSlice<i32>,
}

impl Evaluation {
    /// Compiles a program for a device. It has room for no instance yet.
    ///
    /// # Errors
    /// What the compiler or the driver says.
    pub fn new(device: &Device, program: &Program, precision: Precision, shape: Shape) -> Result<Self, GpuError> {
        let kernel = device.load(&kernel::evaluation(program, shape), precision, shape)?;
        Ok(Self {
            inputs: Numbers::zeros(device, precision, 0)?,
            outputs: Numbers::zeros(device, precision, 0)?,
            status: device.stream.alloc_zeros(1).map_err(failed("take memory"))?,
            widths: [program.inputs.len(), program.outputs.len()],
            device: device.clone(),
            kernel,
            shape,
            count: 0,
        })
    }

    /// Copies the inputs of instances to the device, a row each.
    ///
    /// # Errors
    /// Rows that are not whole; memory that the device does not have.
    pub fn set_inputs(&mut self, rows: &[f64], count: usize) -> Result<(), GpuError> {
        let [width, outputs] = self.widths;
        if rows.len() != width * count {
            return Err(BatchError::WrongSize { quantity: "inputs", found: rows.len(), expected: width * count }.into());
        }
        if count != self.count {
            let (device, precision) = (&self.device, self.kernel.precision);
            check_memory(device, ((width + outputs) * precision.size() + 4).saturating_mul(count))?;
            self.inputs = Numbers::zeros(device, precision, width * count)?;
            self.outputs = Numbers::zeros(device, precision, outputs * count)?;
            self.status = device.stream.alloc_zeros(count.max(1)).map_err(failed("take memory"))?;
            self.count = count;
        }
        self.inputs.write(&self.device, &fleet::columns(rows, width, count))
    }

    /// Evaluates all instances, so many times over: more than once only to measure.
    ///
    /// # Errors
    /// What the driver says.
    pub fn run(&mut self, times: usize) -> Result<(), GpuError> {
        if self.count == 0 {
            return Ok(());
        }
        let (stream, count) = (self.device.stream.clone(), self.count as i64);
        for _ in 0..times {
            let mut launch = stream.launch_builder(&self.kernel.function);
            push!(launch, &self.inputs);
            push!(launch, &mut self.outputs);
            launch.arg(&mut self.status).arg(&count);
            // SAFETY: the arguments are those of the kernel, in its order, and the arrays have the sizes that it was written for.
            unsafe { launch.launch(grid(self.count, self.shape, &self.kernel)) }.map_err(failed("launch a kernel"))?;
        }
        stream.synchronize().map_err(failed("run a kernel"))
    }

    /// Copies the results back: a row and a status for each instance, 0 or the number of the first condition that does not hold, from 1.
    ///
    /// # Errors
    /// What the driver says.
    pub fn results(&self) -> Result<(Vec<f64>, Vec<i32>), GpuError> {
        let width = self.widths[1];
        let mut table = vec![0.0; width * self.count];
        self.outputs.read(&self.device, &mut table)?;
        let rows = fleet::rows(&table, width, self.count);
        let mut status = self.device.stream.clone_dtoh(&self.status).map_err(failed("copy the statuses"))?;
        self.device.stream.synchronize().map_err(failed("copy the statuses"))?;
        status.truncate(self.count);
        Ok((rows, status))
    }

    /// Registers of a thread of the kernel, and bytes that it keeps in local memory.
    pub fn registers(&self) -> [usize; 2] {
        [self.kernel.registers, self.kernel.local]
    }
}
