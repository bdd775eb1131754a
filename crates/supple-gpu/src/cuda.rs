//! Instances in the memory of a GPU.

use crate::device::{Device, Loaded, Precision, failed};
use crate::error::GpuError;
use crate::fleet::{Advance, Array, Backend, Outcome};
use crate::kernel::{Shape, Sizes};
use cudarc::driver::{CudaSlice, LaunchConfig, PushKernelArg};

/// Numbers in the memory of a device, in either precision.
#[derive(Debug)]
pub(crate) enum Numbers {
    Double(CudaSlice<f64>),
    Single(CudaSlice<f32>),
}

impl Numbers {
    /// Zeros, one at least: a device gives no memory of no size.
    pub fn zeros(device: &Device, precision: Precision, count: usize) -> Result<Self, GpuError> {
        let (stream, count) = (&device.stream, count.max(1));
        Ok(match precision {
            Precision::Double => Self::Double(stream.alloc_zeros(count).map_err(failed("take memory"))?),
            Precision::Single => Self::Single(stream.alloc_zeros(count).map_err(failed("take memory"))?),
        })
    }

    pub fn write(&mut self, device: &Device, numbers: &[f64]) -> Result<(), GpuError> {
        let stream = &device.stream;
        let copied = match self {
            Self::Double(to) => stream.memcpy_htod(numbers, to),
            Self::Single(to) => {
                let short: Vec<f32> = numbers.iter().map(|x| *x as f32).collect();
                stream.memcpy_htod(&short, to).and_then(|()| stream.synchronize())
            }
        };
        copied.and_then(|()| stream.synchronize()).map_err(failed("copy numbers to the device"))
    }

    pub fn read(&self, device: &Device, numbers: &mut [f64]) -> Result<(), GpuError> {
        let stream = &device.stream;
        let copied = match self {
            Self::Double(from) => {
                stream.memcpy_dtoh(&from.slice(..numbers.len()), numbers).and_then(|()| stream.synchronize())
            }
            Self::Single(from) => {
                let mut short = vec![0.0_f32; numbers.len()];
                let copied = stream.memcpy_dtoh(&from.slice(..numbers.len()), &mut short);
                let done = copied.and_then(|()| stream.synchronize());
                numbers.iter_mut().zip(short).for_each(|(to, from)| *to = f64::from(from));
                done
            }
        };
        copied.map_err(failed("copy numbers from the device"))
    }
}

/// Pushes numbers of either precision as an argument of a kernel.
macro_rules! push {
    ($builder:ident, $numbers:expr) => {
        match $numbers {
            Numbers::Double(slice) => $builder.arg(slice),
            Numbers::Single(slice) => $builder.arg(slice),
        }
    };
}
pub(crate) use push;

/// Blocks and threads for so many instances.
pub(crate) fn grid(count: usize, shape: Shape, kernel: &Loaded) -> LaunchConfig {
    let blocks = count.div_ceil(shape.block as usize).max(1) as u32;
    LaunchConfig { grid_dim: (blocks, 1, 1), block_dim: (shape.block, 1, 1), shared_mem_bytes: kernel.shared }
}

/// Refuses what does not fit into the memory that is free.
pub(crate) fn check_memory(device: &Device, asked: usize) -> Result<(), GpuError> {
    let (free, _) = device.stream.context().mem_get_info().map_err(failed("report its free memory"))?;
    if asked > free { Err(GpuError::Memory { asked, free }) } else { Ok(()) }
}

/// What became of each instance, by statuses and steps on the device.
pub(crate) fn outcomes(
    device: &Device,
    status: &CudaSlice<i32>,
    reached: &CudaSlice<i64>,
    count: usize,
) -> Result<Vec<Outcome>, GpuError> {
    let stream = &device.stream;
    let status = stream.clone_dtoh(status).map_err(failed("copy the statuses"))?;
    let reached = stream.clone_dtoh(reached).map_err(failed("copy the statuses"))?;
    stream.synchronize().map_err(failed("copy the statuses"))?;
    Ok(status.into_iter().zip(reached).take(count).map(|(told, steps)| Outcome::new(told, steps)).collect())
}

/// States and all else of a fleet.
#[derive(Debug)]
pub(crate) struct Resident {
    device: Device,
    kernel: Loaded,
    shape: Shape,
    count: usize,
    state: Numbers,
    memory: Numbers,
    forces: Numbers,
    parameters: Numbers,
    numbers: Numbers,
    table: Numbers,
    rows: usize,
    seeds: CudaSlice<u64>,
    status: CudaSlice<i32>,
    reached: CudaSlice<i64>,
}

impl Resident {
    pub fn new(device: &Device, kernel: &Loaded, shape: Shape, sizes: &Sizes, count: usize) -> Result<Self, GpuError> {
        let Sizes { state, forces, parameters, memory, columns, numbers, .. } = *sizes;
        let precision = kernel.precision;
        let each = (state + forces + parameters + memory + numbers) * precision.size() + 20;
        check_memory(device, each.saturating_mul(count))?;
        let zeros = |width: usize| Numbers::zeros(device, precision, width * count);
        let (stream, taken) = (&device.stream, failed("take memory"));
        Ok(Self {
            state: zeros(state)?,
            memory: zeros(memory)?,
            forces: zeros(forces)?,
            parameters: zeros(parameters)?,
            numbers: zeros(numbers)?,
            table: Numbers::zeros(device, precision, columns)?,
            rows: 1,
            seeds: stream.alloc_zeros(count.max(1)).map_err(&taken)?,
            status: stream.alloc_zeros(count.max(1)).map_err(&taken)?,
            reached: stream.alloc_zeros(count.max(1)).map_err(&taken)?,
            device: device.clone(),
            kernel: kernel.clone(),
            shape,
            count,
        })
    }

    fn array(&mut self, array: Array) -> &mut Numbers {
        match array {
            Array::State => &mut self.state,
            Array::Memory => &mut self.memory,
            Array::Forces => &mut self.forces,
            Array::Parameters => &mut self.parameters,
            Array::Numbers => &mut self.numbers,
        }
    }
}

impl Backend for Resident {
    fn write(&mut self, array: Array, numbers: &[f64]) -> Result<(), GpuError> {
        let device = self.device.clone();
        self.array(array).write(&device, numbers)
    }

    fn read(&mut self, array: Array, numbers: &mut [f64]) -> Result<(), GpuError> {
        let device = self.device.clone();
        self.array(array).read(&device, numbers)
    }

    fn set_table(&mut self, rows: usize, table: &[f64]) -> Result<(), GpuError> {
        let mut next = Numbers::zeros(&self.device, self.kernel.precision, table.len())?;
        next.write(&self.device, table)?;
        (self.table, self.rows) = (next, rows);
        Ok(())
    }

    fn set_seeds(&mut self, seeds: &[u64]) -> Result<(), GpuError> {
        let stream = &self.device.stream;
        let copied = stream.memcpy_htod(seeds, &mut self.seeds).and_then(|()| stream.synchronize());
        copied.map_err(failed("copy seeds to the device"))
    }

    fn restart(&mut self) -> Result<(), GpuError> {
        let stream = &self.device.stream;
        stream.memset_zeros(&mut self.status).map_err(failed("clear the statuses"))?;
        stream.memset_zeros(&mut self.reached).map_err(failed("clear the statuses"))
    }

    fn advance(&mut self, by: Advance) -> Result<(), GpuError> {
        let stream = self.device.stream.clone();
        let (count, rows) = (self.count as i64, self.rows as i64);
        let mut launch = stream.launch_builder(&self.kernel.function);
        push!(launch, &mut self.state);
        push!(launch, &mut self.memory);
        push!(launch, &mut self.forces);
        push!(launch, &self.parameters);
        push!(launch, &self.numbers);
        push!(launch, &self.table);
        launch.arg(&self.seeds).arg(&mut self.status).arg(&mut self.reached);
        launch.arg(&count).arg(&by.first).arg(&by.steps).arg(&by.every).arg(&rows).arg(&by.length);
        // SAFETY: the arguments are those of the kernel, in its order, and the arrays have the sizes that it was written for.
        unsafe { launch.launch(grid(self.count, self.shape, &self.kernel)) }.map_err(failed("launch a kernel"))?;
        stream.synchronize().map_err(failed("run a kernel"))
    }

    fn outcomes(&mut self) -> Result<Vec<Outcome>, GpuError> {
        outcomes(&self.device, &self.status, &self.reached, self.count)
    }
}
