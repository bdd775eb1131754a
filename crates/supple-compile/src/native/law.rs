//! The law of a sampled block as compiled code: the same signals and memory in, the same outputs and memory out.

use super::{Build, BuildError, Native};
use crate::program::{Program, Signal};
use supple::integrate::{Measured, Sampled};
use supple::spatial::{Mask, Scalar, Traced};

/// A law that is called as compiled code. A call allocates nothing; one that the code refuses gives no number.
#[derive(Clone, Debug)]
pub struct CompiledLaw {
    native: Native,
    /// Signals, then what is remembered.
    numbers: Vec<f64>,
    /// Outputs, then what is remembered next.
    results: Vec<f64>,
    signals: usize,
}

impl Build {
    /// Compiles a law that reads so many signals and writes so many outputs, with what it remembers now. None where it cannot be recorded.
    ///
    /// # Errors
    /// As [`native`](Self::native).
    pub fn law(&self, law: &dyn Sampled, [signals, outputs]: [usize; 2]) -> Result<Option<CompiledLaw>, BuildError> {
        let memory = law.save();
        let Some(program) = program(law, &memory, [signals, outputs]) else { return Ok(None) };
        let native = self.native(&program.scheduled())?;
        let results = vec![0.0; outputs + memory.len()];
        let numbers = [vec![0.0; signals], memory].concat();
        Ok(Some(CompiledLaw { native, numbers, results, signals }))
    }
}

/// One call of a law.
fn program(law: &dyn Sampled, memory: &[f64], [signals, outputs]: [usize; 2]) -> Option<Program> {
    let (results, graph) = Traced::record(|| {
        let read: Vec<Traced> = (0..signals).map(|_| Traced::input(1.0)).collect();
        let mut kept: Vec<Traced> = memory.iter().map(|x| Traced::input(*x)).collect();
        let mut out = vec![Traced::ZERO; outputs];
        let recorded = law.record(&mut kept, &read, &mut out);
        out.append(&mut kept);
        // What matters is that the recording asks.
        let _ = out.iter().fold(Traced::ZERO, |sum, x| sum + *x).is_finite().all();
        recorded.then(|| out.iter().map(|x| x.operation()).collect::<Vec<u32>>())
    });
    let named = |word: &str, count: usize| (1..=count).map(|i| Signal::new(format!("{word}.{i}"), "SI")).collect();
    let (mut inputs, mut given): (Vec<Signal>, Vec<Signal>) = (named("signal", signals), named("output", outputs));
    inputs.extend(named("memory", memory.len()).into_iter().map(Signal::given));
    given.extend::<Vec<Signal>>(named("memory", memory.len()));
    Some(Program::new("law", (inputs, 0), given, &graph, &results?))
}

impl Sampled for CompiledLaw {
    fn sample(&mut self, measured: &Measured<'_>, outputs: &mut [f64]) {
        self.numbers[..self.signals].copy_from_slice(measured.signals);
        if self.native.run(&self.numbers, &mut self.results).is_err() {
            outputs.fill(f64::NAN);
            return;
        }
        let (given, memory) = self.results.split_at(outputs.len());
        outputs.copy_from_slice(given);
        self.numbers[self.signals..].copy_from_slice(memory);
    }

    fn save(&self) -> Vec<f64> {
        self.numbers[self.signals..].to_vec()
    }

    fn load(&mut self, from: &[f64]) -> bool {
        let own = &mut self.numbers[self.signals..];
        let fits = own.len() == from.len();
        if fits {
            own.copy_from_slice(from);
        }
        fits
    }
}
