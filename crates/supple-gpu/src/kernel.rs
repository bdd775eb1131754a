//! The text of kernels: device functions of recorded programs, and the loop over steps around them.
//!
//! All threads of a block run to the end, those without an instance on the last one and those that failed in vain: functions of long programs wait
//! for the whole block here and there, so that its threads read instructions together.

use crate::device::Device;
use crate::law::Law;
use crate::noise;
use supple_compile::{DeviceFunction, Program, Room, RungeKutta};

/// How a kernel is written and launched. What is fastest depends on the model and the device: `supple bench --gpu` tries several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Most numbers that a thread keeps in registers.
    pub registers: usize,
    /// Threads of a block.
    pub block: u32,
    /// Most numbers of a thread in the shared memory of its block.
    pub shared: usize,
    /// Operations of a long program after which the threads of a block wait for each other; 0 for never.
    pub together: usize,
}

/// Operations of a program from which its threads wait for each other: the instructions of shorter ones stay in the caches.
const LONG: usize = 8000;
/// How far ahead numbers are read back, and how many at once.
const AHEAD: usize = 48;
const EARLY: usize = 20;

impl Default for Shape {
    /// For any device: no shared memory.
    fn default() -> Self {
        // A thread has 255 registers of 32 bits: two for each number, and some for addresses.
        Self { registers: 96, block: 128, shared: 0, together: 0 }
    }
}

impl Shape {
    /// For a device: all of its shared memory for as many threads as its registers serve.
    pub fn of(device: &Device) -> Self {
        let facts = device.facts();
        let general = Self::default();
        // Two blocks run at once, and each takes some of the memory for itself.
        let each = (facts.shared_memory / 2).saturating_sub(1024).min(facts.shared_memory_of_block);
        Self { shared: each / (8 * general.block as usize), together: 64, ..general }
    }

    fn room(self, program: &Program) -> Room {
        let together = if program.counts().total() > LONG { self.together } else { 0 };
        Room { registers: self.registers, shared: self.shared, ahead: AHEAD, early: EARLY, together }
    }

    fn function(self, program: &Program) -> DeviceFunction {
        program.device_function(self.room(program))
    }

    /// Bytes of shared memory of a block whose threads have so many slots of so many bytes.
    pub(crate) fn shared_bytes(self, slots: usize, size: usize) -> u32 {
        (slots * size) as u32 * self.block
    }
}

/// Numbers of an instance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sizes {
    /// Coordinates, attitudes and speeds.
    pub state: usize,
    pub forces: usize,
    pub parameters: usize,
    pub memory: usize,
    pub columns: usize,
    pub numbers: usize,
    pub noise: usize,
}

/// A kernel as CUDA C++.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Its text.
    pub text: String,
    /// Its name.
    pub name: String,
    /// Slots of a thread in shared memory.
    pub shared: usize,
}

/// How a step is made.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// By one program.
    Whole(Box<Program>),
    /// Stage by stage.
    Stages(Box<RungeKutta>),
}

/// A kernel that makes many steps of many instances, with a law before each where there is one.
pub(crate) fn steps(step: &Step, law: Option<&Law>, sizes: &Sizes, shape: Shape) -> Kernel {
    let (programs, scheme): (Vec<&Program>, _) = match step {
        Step::Whole(program) => (vec![program], WHOLE.replace("STEP_FUNCTION", &format!("supple_{}", program.name))),
        Step::Stages(stages) => (vec![&stages.stage, &stages.end], STAGES.into()),
    };
    let functions = programs.into_iter().chain(law.map(|law| &law.program)).map(|program| shape.function(program));
    let functions: Vec<DeviceFunction> = functions.collect();
    let count = |x: usize| x.to_string();
    let of_law = sizes.state + sizes.memory + sizes.columns + sizes.numbers + sizes.noise;
    let mut text = String::new();
    for (word, number) in [
        ("SUPPLE_BLOCK", count(shape.block as usize)),
        ("STATE", count(sizes.state)),
        ("FORCES", count(sizes.forces)),
        ("PARAMETERS", count(sizes.parameters)),
        ("MEMORY", count(sizes.memory)),
        ("COLUMNS", count(sizes.columns)),
        ("NUMBERS", count(sizes.numbers)),
        ("NOISE", count(sizes.noise)),
        ("OF_LAW", count(of_law.max(1))),
        ("BY_LAW", count((sizes.forces + sizes.memory).max(1))),
    ] {
        text += &format!("#define {word} {number}\n");
    }
    text += Program::device_prelude();
    text += noise::TEXT;
    functions.iter().for_each(|function| text += &function.text);
    text += &scheme;
    text += &LOOP.replace("    UPDATE\n", if law.is_some() { UPDATE } else { "" });
    Kernel { text, name: "supple_steps".into(), shared: functions.iter().map(|f| f.shared).max().unwrap_or(0) }
}

/// A kernel that makes steps of many instances, each of which is given its length and what acts on the way: so many numbers.
pub(crate) fn driven_steps(program: &Program, [state, given, parameters]: [usize; 3], shape: Shape) -> Kernel {
    let function = shape.function(program);
    let mut text = String::new();
    for (word, number) in
        [("SUPPLE_BLOCK", shape.block as usize), ("STATE", state), ("GIVEN", given), ("PARAMETERS", parameters)]
    {
        text += &format!("#define {word} {number}\n");
    }
    text += Program::device_prelude();
    text += &function.text;
    text += &DRIVEN.replace("STEP_FUNCTION", &format!("supple_{}", program.name));
    Kernel { text, name: "supple_driven_steps".into(), shared: function.shared }
}

/// A kernel that evaluates a program for many instances.
pub(crate) fn evaluation(program: &Program, shape: Shape) -> Kernel {
    let function = shape.function(program);
    let name = format!("supple_{}_all", program.name);
    let text = format!(
        "#define SUPPLE_BLOCK {}\n{}{}{}",
        shape.block,
        Program::device_prelude(),
        function.text,
        EVALUATION.replace("NAME", &name).replace("FUNCTION", &format!("supple_{}", program.name))
    );
    Kernel { text, name, shared: function.shared }
}

/// Number i of instance k is at `[i * count + k]`. Threads behind the last instance give what it gives.
const EVALUATION: &str = r#"
extern "C" __global__ void __launch_bounds__(SUPPLE_BLOCK)
NAME(const real *__restrict__ in, real *__restrict__ out, int *status, long long count)
{
    extern __shared__ real supple_room[];
    const long long thread = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    const long long k = thread < count ? thread : count - 1;
    status[k] = FUNCTION(in + k, out + k, count, supple_room + threadIdx.x);
}
"#;

/// Number i of row r of the table is at `[(r * GIVEN + i) * each + k * own]`: all instances share one where `own` is zero. A row without a length
/// is no step: instances with fewer of them have some at the end, and make a step in vain.
const DRIVEN: &str = r#"
extern "C" __global__ void __launch_bounds__(SUPPLE_BLOCK)
supple_driven_steps(real *state, const real *parameters, const real *table, int *status, long long *reached, long long count,
                    long long rows, long long each, long long own)
{
    extern __shared__ real supple_room[];
    volatile real *room = supple_room + threadIdx.x;
    const long long thread = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    const long long k = thread < count ? thread : count - 1;
    // A place that the compiler does not know: frames stay in memory, and registers are for the numbers of functions.
    const int unknown = (int)(count >> 62);
    real frame[STATE + GIVEN + PARAMETERS + STATE];
    real *x = frame + unknown, *y = x + STATE + GIVEN + PARAMETERS;
    (void)parameters, (void)room;
    for (int i = 0; i < STATE; i++) x[i] = state[i * count + k];
    for (int i = 0; i < PARAMETERS; i++) x[STATE + GIVEN + i] = parameters[i * count + k];
    const int before = status[k];
    int told = before;
    long long made = 0;
    for (long long row = 0; row < rows; row++) {
        for (int i = 0; i < GIVEN; i++) x[STATE + i] = table[(row * GIVEN + i) * each + k * own];
        const bool asked = x[STATE] > R(0.0);
        if (!asked) x[STATE] = R(1.0);
        const int now = STEP_FUNCTION(x, y, 1, room);
        told = told == 0 && asked ? now : told;
        const bool moves = told == 0 && asked;
        for (int i = 0; i < STATE; i++) x[i] = moves ? y[i] : x[i];
        made += moves;
    }
    if (thread >= count || before != 0) return;
    for (int i = 0; i < STATE; i++) state[i * count + k] = x[i];
    reached[k] += made;
    status[k] = told;
}
"#;

/// A step from the frame x: state, forces, length, parameters. The state after it is put in place where all conditions hold.
const WHOLE: &str = r#"
#define FRAME (STATE + FORCES + 1 + PARAMETERS + STATE)
#define AT_FORCES STATE
#define AT_PARAMETERS (STATE + FORCES + 1)

static __device__ __forceinline__ int supple_one_step(real *x, int told, real length, volatile real *room)
{
    real *y = x + STATE + FORCES + 1 + PARAMETERS;
    x[STATE + FORCES] = length;
    const int now = STEP_FUNCTION(x, y, 1, room);
    told = told == 0 ? now : told;
    for (int i = 0; i < STATE; i++) x[i] = told == 0 ? y[i] : x[i];
    return told;
}
"#;

/// A step of the classical Runge-Kutta scheme in the frame x: point, start, next point, sum, forces, two weights, parameters. A stage writes its sum where
/// it reads it: nothing but the sum after it needs the one before.
const STAGES: &str = r#"
#define FRAME (4 * STATE + FORCES + 2 + PARAMETERS)
#define AT_FORCES (4 * STATE)
#define AT_PARAMETERS (4 * STATE + FORCES + 2)

static __device__ __forceinline__ int supple_one_step(real *x, int told, real length, volatile real *room)
{
    for (int i = 0; i < STATE; i++) x[STATE + i] = x[3 * STATE + i] = x[i];
#pragma unroll 1
    for (int stage = 0; stage < 4; stage++) {
        x[AT_FORCES + FORCES] = (stage % 3 == 0 ? R(1.0) / R(6.0) : R(1.0) / R(3.0)) * length;
        x[AT_FORCES + FORCES + 1] = (stage < 2 ? R(0.5) : stage < 3 ? R(1.0) : R(0.0)) * length;
        const int now = supple_stage(x, x + 2 * STATE, 1, room);
        told = told == 0 ? now : told;
        for (int i = 0; i < STATE; i++) x[i] = x[2 * STATE + i];
    }
    const int last = supple_end(x + 3 * STATE, x, 1, room);
    told = told == 0 ? last : told;
    for (int i = 0; i < STATE; i++) x[i] = told == 0 ? x[i] : x[STATE + i];
    return told;
}
"#;

/// Number i of instance k is at `[i * count + k]`. Forces are those of the law where there is one, and are left for the next launch.
const LOOP: &str = r#"
extern "C" __global__ void __launch_bounds__(SUPPLE_BLOCK)
supple_steps(real *state, real *memory, real *forces, const real *parameters, const real *numbers, const real *table,
             const unsigned long long *seeds, int *status, long long *reached, long long count, long long first, long long steps,
             long long every, long long rows, double length)
{
    extern __shared__ real supple_room[];
    volatile real *room = supple_room + threadIdx.x;
    const long long thread = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    const long long k = thread < count ? thread : count - 1;
    // A place that the compiler does not know: frames stay in memory, and registers are for the numbers of functions.
    const int unknown = (int)(count >> 62);
    real frame[FRAME], given[OF_LAW], b[BY_LAW];
    real *x = frame + unknown, *a = given + unknown;
    (void)memory, (void)numbers, (void)table, (void)seeds, (void)every, (void)rows, (void)a, (void)b, (void)room;
    for (int i = 0; i < STATE; i++) x[i] = state[i * count + k];
    for (int i = 0; i < FORCES; i++) x[AT_FORCES + i] = forces[i * count + k];
    for (int i = 0; i < PARAMETERS; i++) x[AT_PARAMETERS + i] = parameters[i * count + k];
    for (int i = 0; i < MEMORY; i++) a[STATE + i] = memory[i * count + k];
    for (int i = 0; i < NUMBERS; i++) a[STATE + MEMORY + COLUMNS + i] = numbers[i * count + k];
    const int before = status[k];
    int told = before;
    long long made = 0;
    for (long long done = 0; done < steps; done++) {
    UPDATE
        told = supple_one_step(x, told, (real)length, room);
        made += told == 0;
    }
    if (thread >= count || before != 0) return;
    for (int i = 0; i < STATE; i++) state[i * count + k] = x[i];
    for (int i = 0; i < FORCES; i++) forces[i * count + k] = x[AT_FORCES + i];
    for (int i = 0; i < MEMORY; i++) memory[i * count + k] = a[STATE + i];
    reached[k] = first + made;
    status[k] = told;
}
"#;

/// The law before a step. Its conditions are told below zero.
const UPDATE: &str = r#"        if ((first + done) % every == 0) {
            const long long update = (first + done) / every, row = update < rows ? update : rows - 1;
            for (int i = 0; i < STATE; i++) a[i] = x[i];
            for (int i = 0; i < COLUMNS; i++) a[STATE + MEMORY + i] = table[row * COLUMNS + i];
            for (int i = 0; i < NOISE; i++)
                a[STATE + MEMORY + COLUMNS + NUMBERS + i] = supple_noise(seeds[k], (unsigned long long)(update * NOISE + i));
            const int now = supple_law(a, b, 1, room);
            told = told == 0 ? -now : told;
            if (told == 0) {
                for (int i = 0; i < FORCES; i++) x[AT_FORCES + i] = b[i];
                for (int i = 0; i < MEMORY; i++) a[STATE + i] = b[FORCES + i];
            }
        }
"#;
