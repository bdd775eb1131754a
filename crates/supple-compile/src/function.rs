//! Functions of one's own as programs, and programs within them: a law of control that is written once, for any scalar, runs where the model runs.

use crate::program::{Program, Refused, Signal};
use supple::spatial::scalar::traced::{Binary, Operation, Unary};
use supple::spatial::{Mask, Scalar, Traced};

/// The program of a function: `work` is run once on symbols with the values of `sample`, one for each of `inputs`, and gives one number for each
/// of `outputs`. The program supposes that all of them are finite.
///
/// ```
/// use supple_compile::{Signal, record_function};
///
/// let signal = |name: &str| Signal { name: name.into(), unit: "1".into() };
/// let program = record_function("sum", (vec![signal("a"), signal("b")], &[1.0, 2.0]), vec![signal("c")], |x| vec![x[0] + x[1]])?;
/// let mut out = [0.0];
/// program.interpreter().run(&[3.0, 4.0], &mut out)?;
/// assert_eq!(out, [7.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Refused::WrongSize`] where samples or results are not as many as inputs or outputs.
pub fn record_function(
    name: &str,
    (inputs, sample): (Vec<Signal>, &[f64]),
    outputs: Vec<Signal>,
    work: impl FnOnce(&[Traced]) -> Vec<Traced>,
) -> Result<Program, Refused> {
    if sample.len() != inputs.len() {
        return Err(Refused::WrongSize { found: sample.len(), expected: inputs.len() });
    }
    let (results, graph) = Traced::record(|| {
        let symbols: Vec<Traced> = sample.iter().map(|x| Traced::input(*x)).collect();
        let results = work(&symbols);
        // What matters is that the recording asks.
        let _ = Traced::all_finite(&results).all();
        results.iter().map(|x| x.operation()).collect::<Vec<u32>>()
    });
    if results.len() != outputs.len() {
        return Err(Refused::WrongSize { found: results.len(), expected: outputs.len() });
    }
    Ok(Program::new(name, (inputs, 0), outputs, &graph, &results))
}

/// What an operation gives: a number or a truth value.
#[derive(Clone, Copy)]
enum Value<T: Scalar> {
    Number(T),
    Truth(T::Mask),
}

impl<T: Scalar> Value<T> {
    fn number(self) -> T {
        match self {
            Self::Number(x) => x,
            Self::Truth(mask) => T::select(mask, T::ONE, T::ZERO),
        }
    }

    fn truth(self) -> T::Mask {
        match self {
            Self::Number(x) => T::ZERO.less_than(x * x),
            Self::Truth(mask) => mask,
        }
    }
}

impl Program {
    /// The program on numbers of any scalar: on [`Traced`] numbers it becomes a part of the current recording, such as a recorded controller within a
    /// law; on dual numbers it gives derivatives.
    ///
    /// # Errors
    /// Numbers that are not as many as its inputs, or a condition that does not hold.
    pub fn apply<T: Scalar>(&self, inputs: &[T]) -> Result<Vec<T>, Refused> {
        if inputs.len() != self.inputs.len() {
            return Err(Refused::WrongSize { found: inputs.len(), expected: self.inputs.len() });
        }
        let mut values: Vec<Value<T>> = Vec::with_capacity(self.operations.len());
        for operation in &self.operations {
            let number = |a: u32| values[a as usize].number();
            let truth = |a: u32| values[a as usize].truth();
            let value = match *operation {
                Operation::Input(i) => Value::Number(inputs[i as usize]),
                Operation::Constant(c) => Value::Number(T::from_f64(c)),
                Operation::Unary(Unary::IsFinite, a) => Value::Truth(number(a).is_finite()),
                Operation::Unary(Unary::Not, a) => Value::Truth(!truth(a)),
                Operation::Unary(f, a) => Value::Number(unary(f, number(a))),
                Operation::Binary(Binary::Less, a, b) => Value::Truth(number(a).less_than(number(b))),
                Operation::Binary(Binary::And, a, b) => Value::Truth(truth(a) & truth(b)),
                Operation::Binary(Binary::Or, a, b) => Value::Truth(truth(a) | truth(b)),
                Operation::Binary(f, a, b) => Value::Number(binary(f, number(a), number(b))),
                Operation::MulAdd(a, b, c) => Value::Number(number(a).mul_add(number(b), number(c))),
                Operation::Select(m, a, b) => Value::Number(T::select(truth(m), number(a), number(b))),
            };
            values.push(value);
        }
        for (i, condition) in self.conditions.iter().enumerate() {
            if values[condition.operation as usize].truth().all() != condition.held {
                return Err(Refused::Condition(i));
            }
        }
        Ok(self.results.iter().map(|at| values[*at as usize].number()).collect())
    }
}

fn unary<T: Scalar>(f: Unary, a: T) -> T {
    match f {
        Unary::Negative => -a,
        Unary::SquareRoot => a.sqrt(),
        Unary::Sine => a.sin_cos().0,
        Unary::Cosine => a.sin_cos().1,
        Unary::Logarithm => a.ln(),
        Unary::Exponential => a.exp(),
        Unary::HyperbolicTangent => a.tanh(),
        // Truth values have been taken before.
        Unary::IsFinite | Unary::Not => a,
    }
}

fn binary<T: Scalar>(f: Binary, a: T, b: T) -> T {
    match f {
        Binary::Sum => a + b,
        Binary::Difference => a - b,
        Binary::Product => a * b,
        Binary::Quotient => a / b,
        Binary::ArcTangent => a.atan2(b),
        // Truth values have been taken before.
        Binary::Less | Binary::And | Binary::Or => a,
    }
}
