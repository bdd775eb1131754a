//! Batches on a GPU.
//!
//! Verbs and steps of a model, recorded by [`supple_compile`], become kernels of CUDA. Driver and compiler are opened at run time: this crate builds
//! everywhere, and [`Device::open`] tells what is missing where there is no GPU.
//!
//! | module       | gives                                                                                                       |
//! |--------------|-------------------------------------------------------------------------------------------------------------|
//! | [`plan`]     | what is stepped, where: on a GPU or on the processor                                                        |
//! | [`fleet`]    | instances that move step by step, states resident, many steps per launch                                    |
//! | [`driven`]   | instances that are given their steps: lengths, and what acts at the stages of each                         |
//! | [`law`]      | what drives them: any law of control, recorded; tables with feedforward and PD                              |
//! | [`batch`]    | the calls of [`supple::batch::Batch`], on the processor or on a GPU                                         |
//! | [`evaluation`] | a verb for many instances                                                                                 |
//! | [`device`]   | GPUs                                                                                                        |
//! | [`noise`]    | seeds                                                                                                       |
//!
//! ```no_run
//! use supple_gpu::{Fleet, Place, Plan};
//! use supple_compile::Verb;
//!
//! # let model = supple::Model::build(&supple::System::default())?;
//! let place = Place::cuda(0)?;
//! let plan = Plan { model: &model, state: None, step: &Verb::Rk4Step, parameters: &[], law: None };
//! let mut fleet: Fleet = plan.on(&place)?.fleet(1_000_000)?;
//! fleet.advance(1e-3, 1000)?; // a second of a million instances, in one launch
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod batch;
mod cuda;
pub mod device;
pub mod driven;
pub mod error;
pub mod evaluation;
pub mod fleet;
mod kernel;
pub mod law;
pub mod noise;
pub mod plan;
mod processor;

pub use batch::Batch;
pub use device::{Device, Facts, Precision};
pub use driven::{Driven, DrivenFleet};
pub use error::{GpuError, LawError};
pub use evaluation::Evaluation;
pub use fleet::{Failure, Fleet, Outcome};
pub use kernel::{Kernel, Shape};
pub use law::{Acts, Law, LawSizes, Seen, Tracked};
pub use noise::Draws;
pub use plan::{Place, Plan, Ready};
