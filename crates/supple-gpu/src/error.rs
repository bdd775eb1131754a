//! What can be missing or go wrong, and what to do about it.

use std::fmt;
use supple::batch::BatchError;
use supple_compile::native::BuildError;
use supple_compile::{RecordError, Refused};

/// Why a GPU, or code for it, cannot be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum GpuError {
    /// The driver of CUDA cannot be opened.
    NoDriver,
    /// The driver has no device of this number.
    NoDevice {
        /// The number asked for.
        asked: usize,
        /// How many there are.
        found: usize,
    },
    /// The compiler of CUDA, NVRTC, cannot be opened.
    NoCompiler,
    /// A library lacks a function: it is older than CUDA 11.4.
    OldLibrary {
        /// The library.
        library: &'static str,
        /// The function.
        function: &'static str,
    },
    /// NVRTC refused a kernel.
    Kernel {
        /// What it said.
        said: String,
    },
    /// The driver refused a call.
    Driver {
        /// What was to be done.
        doing: &'static str,
        /// What the driver said.
        said: String,
    },
    /// The instances do not fit into the memory of the device.
    Memory {
        /// Bytes that they take.
        asked: usize,
        /// Bytes that are free.
        free: usize,
    },
    /// A verb cannot be recorded.
    Record(RecordError),
    /// The same on the processor: its code cannot be compiled.
    Build(BuildError),
    /// A law of control that does not fit.
    Law(LawError),
    /// Numbers that do not fit, or instances without a result.
    Batch(BatchError),
}

/// What is wrong with a law of control.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum LawError {
    /// A verb that makes no step.
    NotAStep {
        /// The verb.
        verb: String,
    },
    /// A hinge that has not one coordinate and one speed, or that the model does not have.
    Hinge {
        /// Its name.
        hinge: String,
        /// Why.
        reason: &'static str,
    },
    /// The law gave another number of forces or of remembered numbers than it should.
    Results(Refused),
    /// A number of steps between updates that is zero.
    NeverUpdated,
}

impl fmt::Display for GpuError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoDriver => write!(
                f,
                "no CUDA driver: libcuda cannot be opened; install the driver of the NVIDIA GPU (in a container, start it with its GPUs), or leave the \
                 GPU out to run on the processor"
            ),
            Self::NoDevice { found: 0, .. } => write!(
                f,
                "the CUDA driver is there and finds no GPU; look at CUDA_VISIBLE_DEVICES and nvidia-smi, or leave the GPU out to run on the processor"
            ),
            Self::NoDevice { asked, found } => {
                write!(f, "there is no GPU {asked}: the driver finds {found}, counted from 0")
            }
            Self::NoCompiler => write!(
                f,
                "no CUDA compiler: libnvrtc cannot be opened; install it (it is part of the CUDA toolkit; pip install nvidia-cuda-nvrtc-cu12 has it alone) and \
                 put its folder into LD_LIBRARY_PATH"
            ),
            Self::OldLibrary { library, function } => {
                write!(f, "{library} has no {function}: it is older than CUDA 11.4; install a newer one")
            }
            Self::Kernel { said } => {
                write!(f, "NVRTC refused a kernel, which is a mistake of Supple: please report it\n{said}")
            }
            Self::Driver { doing, said } => write!(f, "the CUDA driver failed to {doing}: {said}"),
            Self::Memory { asked, free } => write!(
                f,
                "the instances take {:.2} GB and the device has {:.2} GB free; run them in several batches",
                *asked as f64 * 1e-9,
                *free as f64 * 1e-9
            ),
            Self::Record(error) => error.fmt(f),
            Self::Build(error) => error.fmt(f),
            Self::Law(error) => error.fmt(f),
            Self::Batch(error) => error.fmt(f),
        }
    }
}

impl fmt::Display for LawError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAStep { verb } => write!(f, "{verb} makes no step; take rk4_step or linearly_implicit_step"),
            Self::Hinge { hinge, reason } => write!(f, "hinge `{hinge}`: {reason}"),
            Self::Results(error) => write!(f, "the law of control gives {error}"),
            Self::NeverUpdated => write!(f, "a law of control is updated every 0 steps; say 1 or more"),
        }
    }
}

impl std::error::Error for GpuError {}
impl std::error::Error for LawError {}

macro_rules! from {
    ($($of:ty => $variant:ident),*) => {
        $(impl From<$of> for GpuError {
            fn from(error: $of) -> Self {
                Self::$variant(error)
            }
        })*
    };
}

from!(RecordError => Record, BuildError => Build, LawError => Law, BatchError => Batch);
