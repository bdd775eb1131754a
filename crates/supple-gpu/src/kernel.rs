//! The text of kernels: device functions of recorded programs, and the loop over steps around them.

use crate::law::Law;
use crate::noise;
use supple_compile::Program;

/// How a kernel is written and launched. What is fastest depends on the model and the device: `supple bench --gpu` tries several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Most numbers that a thread keeps in registers; others go into slots of local memory, the one needed last first.
    pub registers: usize,
    /// Threads of a block.
    pub block: u32,
}

impl Default for Shape {
    fn default() -> Self {
        // A thread has 255 registers of 32 bits: two for each number, and some for addresses.
        Self { registers: 110, block: 128 }
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

/// Name of the kernel of [`steps`].
pub(crate) const STEPS: &str = "supple_steps";

/// A kernel that makes many steps of many instances, with a law before each where there is one.
pub(crate) fn steps(step: &Program, law: Option<&Law>, sizes: &Sizes, shape: Shape) -> String {
    let mut text = Program::device_prelude().to_owned();
    text += noise::TEXT;
    text += &step.device_function(shape.registers);
    if let Some(law) = law {
        text += &law.program.device_function(shape.registers);
    }
    let update = if law.is_some() { UPDATE } else { "" };
    let count = |x: usize| x.to_string();
    let of_law = sizes.state + sizes.memory + sizes.columns + sizes.numbers + sizes.noise;
    for (word, number) in [
        ("BLOCK", count(shape.block as usize)),
        ("STATE", count(sizes.state)),
        ("FORCES", count(sizes.forces)),
        ("PARAMETERS", count(sizes.parameters)),
        ("MEMORY", count(sizes.memory)),
        ("COLUMNS", count(sizes.columns)),
        ("NUMBERS", count(sizes.numbers)),
        ("NOISE", count(sizes.noise)),
        ("OF_STEP", count(sizes.state + sizes.forces + 1 + sizes.parameters)),
        ("OF_LAW", count(of_law.max(1))),
        ("BY_LAW", count((sizes.forces + sizes.memory).max(1))),
    ] {
        text += &format!("#define {word} {number}\n");
    }
    text + &LOOP.replace("    UPDATE\n", update).replace("STEP_FUNCTION", &format!("supple_{}", step.name))
}

/// A kernel that evaluates a program for many instances, and its name.
pub(crate) fn evaluation(program: &Program, shape: Shape) -> (String, String) {
    let name = format!("supple_{}_all", program.name);
    let text = format!(
        "{}{}extern \"C\" __global__ void __launch_bounds__({}) {name}(const real *in, real *out, int *status, long long count)\n{{\n    const \
         long long k = blockIdx.x * (long long)blockDim.x + threadIdx.x;\n    if (k < count) status[k] = supple_{}(in + k, out + k, count);\n}}\n",
        Program::device_prelude(),
        program.device_function(shape.registers),
        shape.block,
        program.name
    );
    (text, name)
}

/// Number i of instance k is at `[i * count + k]`. Forces are those of the law where there is one, and are left for the next launch.
const LOOP: &str = r#"
extern "C" __global__ void __launch_bounds__(BLOCK)
supple_steps(real *state, real *memory, real *forces, const real *parameters, const real *numbers, const real *table,
             const unsigned long long *seeds, int *status, long long *reached, long long count, long long first, long long steps,
             long long every, long long rows, double length)
{
    const long long k = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (k >= count || status[k] != 0) return;
    real x[OF_STEP], y[STATE + 1], a[OF_LAW], b[BY_LAW];
    (void)memory, (void)numbers, (void)table, (void)seeds, (void)every, (void)rows, (void)a, (void)b;
    for (int i = 0; i < STATE; i++) x[i] = state[i * count + k];
    for (int i = 0; i < FORCES; i++) x[STATE + i] = forces[i * count + k];
    x[STATE + FORCES] = (real)length;
    for (int i = 0; i < PARAMETERS; i++) x[STATE + FORCES + 1 + i] = parameters[i * count + k];
    for (int i = 0; i < MEMORY; i++) a[STATE + i] = memory[i * count + k];
    for (int i = 0; i < NUMBERS; i++) a[STATE + MEMORY + COLUMNS + i] = numbers[i * count + k];
    int told = 0;
    long long done = 0;
    for (; done < steps; done++) {
    UPDATE
        told = STEP_FUNCTION(x, y, 1);
        if (told != 0) break;
        for (int i = 0; i < STATE; i++) x[i] = y[i];
    }
    for (int i = 0; i < STATE; i++) state[i * count + k] = x[i];
    for (int i = 0; i < FORCES; i++) forces[i * count + k] = x[STATE + i];
    for (int i = 0; i < MEMORY; i++) memory[i * count + k] = a[STATE + i];
    reached[k] = first + done;
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
            told = -supple_law(a, b, 1);
            if (told != 0) break;
            for (int i = 0; i < FORCES; i++) x[STATE + i] = b[i];
            for (int i = 0; i < MEMORY; i++) a[STATE + i] = b[FORCES + i];
        }
"#;
