//! Verbs compiled by the C compiler of the system and loaded into this process.
//!
//! ```no_run
//! use supple_compile::native::Compile;
//! # use supple::{Inputs, Model, State, System};
//!
//! # let model = Model::build(&System::default())?;
//! # let (state, inputs) = (State::new(&model), Inputs::new(&model));
//! let dynamics = model.compiled(&"forward_dynamics".parse()?)?;
//! let mut memory = dynamics.memory();
//! let accelerations: &[f64] = dynamics.call(&state, &inputs, &mut memory)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cache;
mod compiler;
mod equations;
mod law;

pub use cache::Cache;
pub use compiler::{BuildError, Compiler};
pub use equations::{CompiledEquations, CompiledFamily};
pub use law::CompiledLaw;

use crate::engine::Engine;
use crate::package::File;
use crate::program::{Program, Refused, Signal};
use crate::recorder::{RecordError, Recording};
use crate::text::{Lanes, Language, Style};
use crate::verb::Verb;
use libloading::Library;
use std::ffi::c_int;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use supple::{Inputs, Model, State};

type One = unsafe extern "C" fn(*const f64, *mut f64) -> c_int;
type Several = unsafe extern "C" fn(*const f64, *mut f64, *mut c_int);

/// How programs are compiled.
#[derive(Clone, Debug)]
pub struct Build {
    /// Whether the compiler may round `a · b + c` once: faster, and not bit for bit the same as without.
    pub fma: bool,
    /// A function for several instances at once too.
    pub lanes: Option<Lanes>,
    /// Where libraries are kept; the user's own folder where nothing is said.
    pub cache: Option<Cache>,
}

impl Default for Build {
    fn default() -> Self {
        Self { fma: true, lanes: None, cache: None }
    }
}

/// Why there is no compiled verb.
#[derive(Debug)]
#[non_exhaustive]
pub enum CompileError {
    /// The verb cannot be recorded.
    Record(RecordError),
    /// The recording cannot be compiled.
    Build(BuildError),
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Record(error) => error.fmt(f),
            Self::Build(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CompileError {}

impl From<RecordError> for CompileError {
    fn from(error: RecordError) -> Self {
        Self::Record(error)
    }
}

impl From<BuildError> for CompileError {
    fn from(error: BuildError) -> Self {
        Self::Build(error)
    }
}

/// A program as a function of this process. It may be called by several threads at once.
#[derive(Clone)]
pub struct Native {
    one: One,
    several: Option<(Lanes, Several)>,
    inputs: Vec<Signal>,
    outputs: Vec<Signal>,
    path: PathBuf,
    /// The functions live as long as it does.
    _library: Arc<Library>,
}

impl fmt::Debug for Native {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Native").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Build {
    /// Compiles a program, or takes what an earlier call compiled.
    ///
    /// # Errors
    /// There is no compiler, it fails, or the library cannot be kept or loaded.
    pub fn native(&self, program: &Program) -> Result<Native, BuildError> {
        let compiler = Compiler::find()?;
        let cache = self.cache.clone().map_or_else(Cache::of_user, Ok)?;
        let mut files = Vec::new();
        for language in [Some(Language::C), self.lanes.map(Language::CLanes)].into_iter().flatten() {
            let code = program.write_as(language, Style::default());
            files.extend(code.header_name.map(|name| File { name, text: code.header }));
            files.push(File { name: code.source_name, text: code.source });
        }
        let contract = if self.fma { "-ffp-contract=fast" } else { "-ffp-contract=off" };
        let plain = ["-O3", "-std=c99", "-shared", "-fPIC", "-fno-math-errno", contract];
        let native: Vec<&str> = ["-march=native"].into_iter().chain(plain).collect();
        // Not every compiler knows the processor that it runs on.
        let path = cache.library(&compiler, &files, &native).or_else(|_| cache.library(&compiler, &files, &plain))?;
        Native::load(program, self.lanes, path)
    }

    /// Records a verb and compiles it.
    ///
    /// # Errors
    /// As [`Recording::program`] and [`native`](Self::native).
    pub fn compiled(&self, recording: &Recording<'_>) -> Result<Compiled, CompileError> {
        let native = self.native(&recording.program()?.scheduled())?;
        let parameters = recording.parameters.iter().map(|parameter| parameter.signal(recording.model));
        let parameters: Vec<f64> = parameters.map(|found| found.map(|(_, value)| value)).collect::<Result<_, _>>()?;
        Ok(Compiled { native, model: recording.model.clone(), verb: recording.verb.clone(), parameters })
    }
}

impl Native {
    fn load(program: &Program, lanes: Option<Lanes>, path: PathBuf) -> Result<Self, BuildError> {
        let refused =
            |error: libloading::Error| BuildError::Load { path: path.display().to_string(), reason: error.to_string() };
        // SAFETY: the library is code that this crate wrote: it has no constructors, and its functions have these types.
        unsafe {
            let library = Library::new(&path).map_err(refused)?;
            let name = format!("supple_{}", program.name);
            let one = *library.get::<One>(name.as_str()).map_err(refused)?;
            let several = match lanes {
                Some(lanes) => {
                    let name = format!("{name}_x{}", lanes.count());
                    Some((lanes, *library.get::<Several>(name.as_str()).map_err(refused)?))
                }
                None => None,
            };
            let (inputs, outputs) = (program.inputs.clone(), program.outputs.clone());
            Ok(Self { one, several, inputs, outputs, path, _library: Arc::new(library) })
        }
    }

    /// What goes in.
    pub fn inputs(&self) -> &[Signal] {
        &self.inputs
    }

    /// What comes out.
    pub fn outputs(&self) -> &[Signal] {
        &self.outputs
    }

    /// The library.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn check(&self, inputs: &[f64], outputs: &[f64], lanes: usize) -> Result<(), Refused> {
        let sizes = [(inputs.len(), self.inputs.len() * lanes), (outputs.len(), self.outputs.len() * lanes)];
        match sizes.into_iter().find(|(found, expected)| found != expected) {
            Some((found, expected)) => Err(Refused::WrongSize { found, expected }),
            None => Ok(()),
        }
    }

    /// Outputs for inputs. No allocation.
    ///
    /// # Errors
    /// Slices of the wrong size, or a condition that does not hold.
    #[inline]
    pub fn run(&self, inputs: &[f64], outputs: &mut [f64]) -> Result<(), Refused> {
        self.check(inputs, outputs, 1)?;
        // SAFETY: the function reads and writes as many numbers as were checked, and nothing else.
        match unsafe { (self.one)(inputs.as_ptr(), outputs.as_mut_ptr()) } {
            0 => Ok(()),
            status => Err(Refused::Condition(status.unsigned_abs() as usize - 1)),
        }
    }

    /// Outputs of several instances at once: number `i` of instance `k` is at `lanes · i + k`. Status of each: 0, or the number of the first
    /// condition that does not hold, from 1.
    ///
    /// # Errors
    /// Slices of the wrong size, or a library without this function.
    #[inline]
    pub fn run_lanes(&self, inputs: &[f64], outputs: &mut [f64], status: &mut [i32]) -> Result<(), Refused> {
        let Some((lanes, several)) = self.several else {
            return Err(Refused::WrongSize { found: status.len(), expected: 1 });
        };
        self.check(inputs, outputs, lanes.count())?;
        if status.len() != lanes.count() {
            return Err(Refused::WrongSize { found: status.len(), expected: lanes.count() });
        }
        // SAFETY: as above, with a status for each lane.
        unsafe { several(inputs.as_ptr(), outputs.as_mut_ptr(), status.as_mut_ptr()) };
        Ok(())
    }
}

/// A verb of a model as compiled code, in the call shape of the verbs.
#[derive(Clone, Debug)]
pub struct Compiled {
    native: Native,
    model: Model,
    verb: Verb,
    parameters: Vec<f64>,
}

/// What a call fills, one for each thread.
#[derive(Clone, Debug)]
pub struct Memory {
    numbers: Vec<f64>,
    outputs: Vec<f64>,
    /// Length of the step for verbs that make one, s.
    pub step: f64,
    /// Values of the parameters, at first those of the model.
    pub parameters: Vec<f64>,
}

/// Why a call gave nothing.
#[derive(Clone, Debug, PartialEq)]
pub enum CallError {
    /// The state or the inputs are not those of the model.
    Numbers(RecordError),
    /// The program refused them.
    Refused(Refused),
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Numbers(error) => error.fmt(f),
            Self::Refused(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CallError {}

impl Compiled {
    /// Memory for calls.
    pub fn memory(&self) -> Memory {
        let (numbers, outputs) = (Vec::with_capacity(self.native.inputs.len()), vec![0.0; self.native.outputs.len()]);
        Memory { numbers, outputs, step: 1e-3, parameters: self.parameters.clone() }
    }

    /// What the verb gives for a state and inputs, in the order of [`Native::outputs`].
    ///
    /// # Errors
    /// A state that the verb refuses, or one in which other equations of closures count than where it was recorded.
    pub fn call<'a>(&self, state: &State, inputs: &Inputs, memory: &'a mut Memory) -> Result<&'a [f64], CallError> {
        let engine = Engine { model: &self.model, verb: &self.verb };
        memory.numbers.clear();
        engine.write_numbers((state, inputs, memory.step), &mut memory.numbers).map_err(CallError::Numbers)?;
        memory.numbers.extend(&memory.parameters);
        self.native.run(&memory.numbers, &mut memory.outputs).map_err(CallError::Refused)?;
        Ok(&memory.outputs)
    }

    /// The function itself, on plain numbers.
    pub fn native(&self) -> &Native {
        &self.native
    }
}

/// Gives models their compiled verbs.
pub trait Compile {
    /// A verb as compiled code, with the closures that act in the state of [`State::new`]; [`Build::compiled`] has all choices.
    ///
    /// # Errors
    /// As [`Build::compiled`].
    fn compiled(&self, verb: &Verb) -> Result<Compiled, CompileError>;
}

impl Compile for Model {
    fn compiled(&self, verb: &Verb) -> Result<Compiled, CompileError> {
        Build::default().compiled(&Recording { model: self, state: None, verb, parameters: &[] })
    }
}
