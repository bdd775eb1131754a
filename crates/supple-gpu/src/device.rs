//! A GPU, its compiler, and kernels loaded onto it.

use crate::error::GpuError;
use crate::kernel::{Kernel, Shape};
use cudarc::driver::sys::CUdevice_attribute as Attribute;
use cudarc::driver::sys::CUfunction_attribute_enum as FunctionAttribute;
use cudarc::driver::{CudaContext, CudaFunction, CudaStream, DriverError};
use cudarc::nvrtc::{CompileError, CompileOptions, compile_ptx_with_opts};
use libloading::Library;
use std::ffi::c_int;
use std::fmt;
use std::sync::Arc;

/// Functions that are called, by library: `cudarc` panics where one is missing.
const OF_DRIVER: [&str; 25] = [
    "cuInit",
    "cuDeviceGetCount",
    "cuDeviceGet",
    "cuDeviceGetName",
    "cuDeviceGetAttribute",
    "cuDevicePrimaryCtxRetain",
    "cuDevicePrimaryCtxRelease_v2",
    "cuCtxSetCurrent",
    "cuCtxGetCurrent",
    "cuMemGetInfo_v2",
    "cuMemAlloc_v2",
    "cuMemAllocAsync",
    "cuMemFree_v2",
    "cuMemFreeAsync",
    "cuMemcpyHtoDAsync_v2",
    "cuMemcpyDtoHAsync_v2",
    "cuMemsetD8Async",
    "cuModuleLoadData",
    "cuModuleUnload",
    "cuModuleGetFunction",
    "cuFuncGetAttribute",
    "cuFuncSetAttribute",
    "cuLaunchKernel",
    "cuStreamSynchronize",
    "cuGetErrorString",
];
const OF_COMPILER: [&str; 9] = [
    "nvrtcCreateProgram",
    "nvrtcCompileProgram",
    "nvrtcDestroyProgram",
    "nvrtcGetPTXSize",
    "nvrtcGetPTX",
    "nvrtcGetProgramLogSize",
    "nvrtcGetProgramLog",
    "nvrtcGetNumSupportedArchs",
    "nvrtcGetSupportedArchs",
];

/// What is known of a GPU.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    /// Its name.
    pub name: String,
    /// Its compute capability: 90 for 9.0.
    pub capability: i32,
    /// Multiprocessors.
    pub multiprocessors: i32,
    /// Clock of them, Hz.
    pub clock: f64,
    /// Memory, bytes: free when it was opened.
    pub free_memory: usize,
    /// Most bytes per second from and to this memory; `None` where the driver does not tell its clock.
    pub bandwidth: Option<f64>,
    /// Shared memory of a multiprocessor, and what one block may have of it, bytes.
    pub shared_memory: usize,
    /// See [`shared_memory`](Self::shared_memory).
    pub shared_memory_of_block: usize,
}

impl Facts {
    /// Most double-precision operations per second, a product with a sum as two: units per multiprocessor are those that NVIDIA states for the
    /// capability. `None` for one that is not known here.
    pub fn peak(&self) -> Option<f64> {
        let units = match self.capability {
            60 | 70 | 80 => 32.0,
            90 | 100 => 64.0,
            61 | 62 => 4.0,
            72 | 75 | 86 | 87 | 89 | 103 | 120 | 121 => 2.0,
            _ => return None,
        };
        Some(2.0 * units * f64::from(self.multiprocessors) * self.clock)
    }
}

impl fmt::Display for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, capability, multiprocessors, clock, free_memory, .. } = self;
        let (memory, clock) = (*free_memory as f64 * 1e-9, clock * 1e-9);
        write!(
            f,
            "{name}: capability {}.{}, {multiprocessors} multiprocessors at {clock:.2} GHz, {memory:.1} GB free",
            capability / 10,
            capability % 10
        )?;
        match self.peak() {
            Some(peak) => write!(f, ", {:.1}e12 operations per second in f64 at most", peak * 1e-12),
            None => Ok(()),
        }
    }
}

/// A GPU that has been opened. Copies are the same device.
#[derive(Clone, Debug)]
pub struct Device {
    pub(crate) stream: Arc<CudaStream>,
    facts: Facts,
}

/// A failed call of the driver.
pub(crate) fn failed(doing: &'static str) -> impl Fn(DriverError) -> GpuError {
    move |error| {
        let text = error.error_string().ok().map(|text| text.to_string_lossy().into_owned());
        GpuError::Driver { doing, said: text.unwrap_or_else(|| format!("error {:?}", error.0)) }
    }
}

/// The first function that a library lacks.
///
/// # Safety
/// The library is opened.
unsafe fn lacks(library: &Library, functions: &[&'static str]) -> Option<&'static str> {
    // SAFETY: only asks for the address.
    let has = |name: &str| unsafe { library.get::<unsafe extern "C" fn() -> c_int>(name).is_ok() };
    functions.iter().copied().find(|name| !has(name))
}

impl Device {
    /// Opens a GPU by its number, from 0.
    ///
    /// # Errors
    /// Tells what is missing, driver, device or compiler, and what to do.
    pub fn open(number: usize) -> Result<Self, GpuError> {
        // SAFETY: libraries of NVIDIA, by their names; nothing is called yet.
        unsafe {
            if !cudarc::driver::sys::is_culib_present() {
                return Err(GpuError::NoDriver);
            }
            if let Some(function) = lacks(cudarc::driver::sys::culib(), &OF_DRIVER) {
                return Err(GpuError::OldLibrary { library: "the CUDA driver", function });
            }
        }
        let found = match CudaContext::device_count() {
            Ok(count) => usize::try_from(count).unwrap_or(0),
            // A driver without a GPU refuses to start.
            Err(error) if error.0 == cudarc::driver::sys::CUresult::CUDA_ERROR_NO_DEVICE => 0,
            Err(error) => return Err(failed("start")(error)),
        };
        if number >= found {
            return Err(GpuError::NoDevice { asked: number, found });
        }
        // SAFETY: as above.
        unsafe {
            if !cudarc::nvrtc::sys::is_culib_present() {
                return Err(GpuError::NoCompiler);
            }
            if let Some(function) = lacks(cudarc::nvrtc::sys::culib(), &OF_COMPILER) {
                return Err(GpuError::OldLibrary { library: "NVRTC", function });
            }
        }
        let context = CudaContext::new(number).map_err(failed("open the device"))?;
        // One stream does all in order: nothing has to wait for events.
        // SAFETY: no memory is shared between streams.
        unsafe { context.disable_event_tracking() };
        let facts = facts(&context).map_err(failed("read the properties of the device"))?;
        Ok(Self { stream: context.default_stream(), facts })
    }

    /// What is known of it.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Compiles CUDA C++ and loads one of its kernels.
    ///
    /// # Errors
    /// What the compiler or the driver says.
    pub(crate) fn load(&self, kernel: &Kernel, precision: Precision, shape: Shape) -> Result<Loaded, GpuError> {
        let architecture = format!("--gpu-architecture=compute_{}", architecture(self.facts.capability)?);
        let real = format!("-DSUPPLE_REAL={}", precision.word());
        let options =
            CompileOptions { options: vec![architecture, real, "--std=c++17".into()], ..CompileOptions::default() };
        let code =
            compile_ptx_with_opts(&kernel.text, options).map_err(|error| GpuError::Kernel { said: said(&error) })?;
        let module = self.stream.context().load_module(code).map_err(failed("load a kernel"))?;
        let function = module.load_function(&kernel.name).map_err(failed("find a kernel"))?;
        let shared = shape.shared_bytes(kernel.shared, precision.size());
        if shared > 0 {
            let most = FunctionAttribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
            function.set_attribute(most, shared as i32).map_err(failed("give a kernel shared memory"))?;
        }
        let numbers = [function.num_regs(), function.local_size_bytes()];
        let [registers, local] = numbers.map(|number| number.map_or(0, |number| number.unsigned_abs() as usize));
        Ok(Loaded { function, registers, local, shared, precision })
    }
}

/// A kernel on a device.
#[derive(Clone, Debug)]
pub(crate) struct Loaded {
    pub function: CudaFunction,
    /// Registers of a thread, and bytes that it keeps in memory.
    pub registers: usize,
    pub local: usize,
    /// Bytes of shared memory of a block.
    pub shared: u32,
    pub precision: Precision,
}

/// Numbers on a device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// `f64`: the results of the engine but for the last digits.
    #[default]
    Double,
    /// `f32`: seven digits at best, and fewer where modes are stiff (`docs/gpu.md`).
    Single,
}

impl Precision {
    fn word(self) -> &'static str {
        match self {
            Self::Double => "double",
            Self::Single => "float",
        }
    }

    /// Bytes of a number.
    pub(crate) fn size(self) -> usize {
        match self {
            Self::Double => 8,
            Self::Single => 4,
        }
    }
}

fn facts(context: &Arc<CudaContext>) -> Result<Facts, DriverError> {
    let (major, minor) = context.compute_capability()?;
    let clock = context.attribute(Attribute::CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE)?;
    let width = context.attribute(Attribute::CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH)?;
    // Two transfers of so many bits in each period.
    let bandwidth = 2.0 * 1e3 * f64::from(clock) * f64::from(width) / 8.0;
    let bytes = |what| context.attribute(what).map(|bytes| usize::try_from(bytes).unwrap_or(0));
    Ok(Facts {
        name: context.name()?,
        capability: 10 * major + minor,
        multiprocessors: context.attribute(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
        clock: 1e3 * f64::from(context.attribute(Attribute::CU_DEVICE_ATTRIBUTE_CLOCK_RATE)?),
        free_memory: context.mem_get_info()?.0,
        bandwidth: (bandwidth > 0.0).then_some(bandwidth),
        shared_memory: bytes(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR)?,
        shared_memory_of_block: bytes(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?,
    })
}

/// The newest architecture that the compiler knows and the device runs.
fn architecture(capability: i32) -> Result<i32, GpuError> {
    use cudarc::nvrtc::sys;
    let refused = |what| GpuError::Kernel { said: format!("NVRTC does not report its architectures: {what:?}") };
    let mut count = 0;
    // SAFETY: the number of architectures, then as many numbers.
    let list = unsafe {
        let asked = sys::nvrtcGetNumSupportedArchs(&mut count);
        if asked != sys::nvrtcResult::NVRTC_SUCCESS {
            return Err(refused(asked));
        }
        let mut list = vec![0; usize::try_from(count).unwrap_or(0)];
        let told = sys::nvrtcGetSupportedArchs(list.as_mut_ptr());
        if told != sys::nvrtcResult::NVRTC_SUCCESS {
            return Err(refused(told));
        }
        list
    };
    list.into_iter().filter(|known| *known <= capability).max().ok_or_else(|| GpuError::Kernel {
        said: format!(
            "NVRTC does not support the architecture of this GPU, {}.{}; install an older one",
            capability / 10,
            capability % 10
        ),
    })
}

fn said(error: &CompileError) -> String {
    match error {
        CompileError::CompileError { log, .. } => log.to_string_lossy().into_owned(),
        other => format!("{other:?}"),
    }
}
