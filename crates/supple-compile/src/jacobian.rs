//! Derivatives of a program as a program: its operations on dual numbers of symbols, one column at a time. What columns share is done once, and what is
//! zero for all inputs is left out.

use crate::program::{Program, Refused};
use supple::spatial::scalar::traced::Operation;
use supple::spatial::{Dual, Mask, Scalar, Traced};

/// Derivatives of all outputs of a program by all its inputs.
#[derive(Clone, Debug)]
pub struct Jacobian {
    /// Inputs are those of the program; outputs are the entries that are not always zero, column by column.
    pub program: Program,
    /// Row and column of each output: number of an output and of an input of the program.
    pub entries: Vec<(usize, usize)>,
}

impl Program {
    /// Its derivatives, with the decisions that it takes at `sample`.
    ///
    /// # Errors
    /// A sample of another size, or one where a condition of the program does not hold.
    pub fn jacobian(&self, sample: &[f64]) -> Result<Jacobian, Refused> {
        let (rows, columns) = (self.outputs.len(), self.inputs.len());
        if sample.len() != columns {
            return Err(Refused::WrongSize { found: sample.len(), expected: columns });
        }
        let (done, graph) = Traced::record(|| -> Result<Vec<u32>, Refused> {
            let symbols: Vec<Traced> = sample.iter().map(|x| Traced::input(*x)).collect();
            let mut found = Vec::with_capacity(rows * columns);
            for j in 0..columns {
                let dual = |(i, x): (usize, &Traced)| if i == j { Dual::variable(*x) } else { Dual::constant(*x) };
                let inputs: Vec<Dual<Traced>> = symbols.iter().enumerate().map(dual).collect();
                found.extend(self.apply(&inputs)?.into_iter().map(|x| x.derivative));
            }
            // What matters is that the recording asks.
            let _ = Traced::all_finite(&found).all();
            Ok(found.iter().map(|x| x.operation()).collect())
        });
        let found = done?;
        let is_zero = |at: u32| matches!(graph.operations()[at as usize], Operation::Constant(0.0));
        let places = (0..columns).flat_map(|j| (0..rows).map(move |i| (i, j)));
        let kept: Vec<((usize, usize), u32)> = places.zip(found).filter(|(_, at)| !is_zero(*at)).collect();
        let (entries, results): (Vec<_>, Vec<_>) = kept.into_iter().unzip();
        let outputs = entries.iter().map(|(i, j): &(usize, usize)| self.outputs[*i].per(&self.inputs[*j])).collect();
        let name = format!("{}_jacobian", self.name);
        let program = Program::new(&name, (self.inputs.clone(), 0), outputs, &graph, &results).scheduled();
        Ok(Jacobian { program, entries })
    }
}
