//! Recorded programs: what goes in, what is done, what comes out, and what has to hold.

use std::fmt;
use supple::spatial::scalar::traced::{Binary, Condition, Graph, Operation, Unary};

/// A number that goes into a program or comes out of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signal {
    /// Name, as the model names its variables.
    pub name: String,
    /// Unit in SI, "1" for pure numbers.
    pub unit: String,
}

impl Signal {
    pub(crate) fn new(name: impl Into<String>, unit: &str) -> Self {
        Self { name: name.into(), unit: unit.into() }
    }

    /// A quantity of a solution that is given instead.
    pub(crate) fn given(self) -> Self {
        Self { name: format!("input.{}", self.name), ..self }
    }

    /// A quantity that is given for a solution, found instead.
    pub(crate) fn found(self) -> Self {
        Self { name: self.name.strip_prefix("input.").unwrap_or(&self.name).into(), ..self }
    }

    /// The derivative by another.
    pub(crate) fn per(&self, other: &Self) -> Self {
        Self {
            name: format!("d {} / d {}", self.name, other.name),
            unit: format!("({}) / ({})", self.unit, other.unit),
        }
    }
}

/// A straight-line program. Operations stand after their operands; all of them serve an output or a condition.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its name: letters, digits and `_`.
    pub name: String,
    /// What goes in, in this order.
    pub inputs: Vec<Signal>,
    /// What comes out, in this order.
    pub outputs: Vec<Signal>,
    /// What is done.
    pub operations: Vec<Operation>,
    /// Per output, the operation that gives it.
    pub results: Vec<u32>,
    /// What has to hold for the outputs to be right: pivots that are positive, numbers that are finite, quaternions of unit length.
    pub conditions: Vec<Condition>,
    /// How many operations the engine does for the same, before any was folded, shared or left out.
    pub asked: u64,
}

/// How many operations of each kind a program has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Multiplications.
    pub multiplications: usize,
    /// Additions and subtractions.
    pub additions: usize,
    /// Divisions and square roots.
    pub divisions: usize,
    /// Sines, cosines, arc tangents, logarithms, exponentials.
    pub functions: usize,
    /// Changes of sign, comparisons, selections.
    pub others: usize,
}

impl Counts {
    /// All of them.
    pub fn total(&self) -> usize {
        self.multiplications + self.additions + self.divisions + self.functions + self.others
    }
}

/// The first condition of a program that did not hold: its outputs mean nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// As many inputs or outputs as the program has are needed.
    WrongSize {
        /// How many there were.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A condition, by its place in [`Program::conditions`].
    Condition(usize),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongSize { found, expected } => write!(f, "{found} numbers where the program has {expected}"),
            Self::Condition(i) => write!(
                f,
                "condition {i} of the program does not hold: a number that is not finite, a quaternion that is not of unit length, or a \
                 singular configuration"
            ),
        }
    }
}

impl std::error::Error for Refused {}

impl Program {
    /// Of what a recording did, the part that serves `results` and the conditions.
    ///
    /// The first `last` inputs of the graph are the last of the program.
    pub(crate) fn new(
        name: &str,
        (inputs, last): (Vec<Signal>, usize),
        outputs: Vec<Signal>,
        graph: &Graph,
        results: &[u32],
    ) -> Self {
        let all = graph.operations();
        let mut used = vec![false; all.len()];
        let ends = graph.conditions().iter().map(|condition| condition.operation);
        for end in results.iter().copied().chain(ends) {
            used[end as usize] = true;
        }
        for (at, operation) in all.iter().enumerate().rev() {
            if used[at] {
                operands(operation).for_each(|a| used[a as usize] = true);
            }
        }
        let mut place = vec![0; all.len()];
        let mut operations = Vec::new();
        for (at, operation) in all.iter().enumerate().filter(|(at, _)| used[*at]) {
            place[at] = operations.len() as u32;
            operations.push(match *operation {
                Operation::Input(i) => {
                    Operation::Input((i as usize + inputs.len() - last) as u32 % inputs.len() as u32)
                }
                _ => renumbered(operation, |a| place[a as usize]),
            });
        }
        let condition = |c: &Condition| Condition { operation: place[c.operation as usize], held: c.held };
        Self {
            name: name.into(),
            inputs,
            outputs,
            operations,
            results: results.iter().map(|at| place[*at as usize]).collect(),
            conditions: graph.conditions().iter().map(condition).collect(),
            asked: graph.asked(),
        }
    }

    /// How many operations of each kind there are; a `mul_add` is a multiplication and an addition.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for operation in &self.operations {
            match operation {
                Operation::Input(_) | Operation::Constant(_) => {}
                Operation::MulAdd(..) => {
                    counts.multiplications += 1;
                    counts.additions += 1;
                }
                Operation::Binary(Binary::Sum | Binary::Difference, ..) => counts.additions += 1,
                Operation::Binary(Binary::Product, ..) => counts.multiplications += 1,
                Operation::Binary(Binary::Quotient, ..) | Operation::Unary(Unary::SquareRoot, _) => {
                    counts.divisions += 1
                }
                Operation::Unary(Unary::Negative | Unary::IsFinite | Unary::Not, _)
                | Operation::Binary(Binary::Less | Binary::And | Binary::Or, ..)
                | Operation::Select(..) => counts.others += 1,
                Operation::Unary(..) | Operation::Binary(Binary::ArcTangent, ..) => counts.functions += 1,
            }
        }
        counts
    }

    /// Memory to run the program in this process, operation by operation.
    pub fn interpreter(&self) -> Interpreter<'_> {
        Interpreter { program: self, values: vec![0.0; self.operations.len()] }
    }
}

/// Operations that an operation takes numbers from.
pub(crate) fn operands(operation: &Operation) -> impl Iterator<Item = u32> {
    let (list, count) = match *operation {
        Operation::Input(_) | Operation::Constant(_) => ([0; 3], 0),
        Operation::Unary(_, a) => ([a, 0, 0], 1),
        Operation::Binary(_, a, b) => ([a, b, 0], 2),
        Operation::MulAdd(a, b, c) | Operation::Select(a, b, c) => ([a, b, c], 3),
    };
    list.into_iter().take(count)
}

/// Whether an operation does nothing: an input or a constant.
pub(crate) fn is_given(operation: &Operation) -> bool {
    matches!(operation, Operation::Input(_) | Operation::Constant(_))
}

/// Whether an operation gives a truth value.
pub(crate) fn is_truth(operation: &Operation) -> bool {
    match operation {
        Operation::Unary(f, _) => matches!(f, Unary::IsFinite | Unary::Not),
        Operation::Binary(f, ..) => matches!(f, Binary::Less | Binary::And | Binary::Or),
        _ => false,
    }
}

/// The same operation on operands with other numbers.
pub(crate) fn renumbered(operation: &Operation, new: impl Fn(u32) -> u32) -> Operation {
    match *operation {
        Operation::Input(_) | Operation::Constant(_) => *operation,
        Operation::Unary(f, a) => Operation::Unary(f, new(a)),
        Operation::Binary(f, a, b) => Operation::Binary(f, new(a), new(b)),
        Operation::MulAdd(a, b, c) => Operation::MulAdd(new(a), new(b), new(c)),
        Operation::Select(m, a, b) => Operation::Select(new(m), new(a), new(b)),
    }
}

/// Runs a program operation by operation: the meaning that generated code has to keep.
#[derive(Clone, Debug)]
pub struct Interpreter<'p> {
    program: &'p Program,
    values: Vec<f64>,
}

impl Interpreter<'_> {
    /// Outputs for inputs. No allocation.
    ///
    /// # Errors
    /// Slices of the wrong size, or a condition that does not hold.
    pub fn run(&mut self, inputs: &[f64], outputs: &mut [f64]) -> Result<(), Refused> {
        let Self { program, values } = self;
        for (found, expected) in [(inputs.len(), program.inputs.len()), (outputs.len(), program.outputs.len())] {
            if found != expected {
                return Err(Refused::WrongSize { found, expected });
            }
        }
        for (at, operation) in program.operations.iter().enumerate() {
            let value = |a: u32| values[a as usize];
            values[at] = match *operation {
                Operation::Input(i) => inputs[i as usize],
                Operation::Constant(c) => c,
                Operation::Unary(f, a) => f.of(value(a)),
                Operation::Binary(f, a, b) => f.of(value(a), value(b)),
                Operation::MulAdd(a, b, c) => supple::spatial::Scalar::mul_add(value(a), value(b), value(c)),
                Operation::Select(m, a, b) => value(if value(m) != 0.0 { a } else { b }),
            };
        }
        for (output, at) in outputs.iter_mut().zip(&program.results) {
            *output = values[*at as usize];
        }
        let broken = |c: &Condition| (values[c.operation as usize] != 0.0) != c.held;
        program.conditions.iter().position(broken).map_or(Ok(()), |i| Err(Refused::Condition(i)))
    }
}
