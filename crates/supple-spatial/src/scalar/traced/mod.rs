//! Recorded programs: [`Traced`] and the [`Graph`] of what was done with it.
//!
//! A sweep cannot branch on values, so whatever it does with traced numbers is the same for all values, and a recording of it is a
//! program. Where a verb asks a mask for one truth value, it gets that of the sample that the recording runs on, and the graph keeps it as
//! a [`Condition`] that has to hold.

mod graph;
mod mixer;

pub use graph::{Binary, Condition, Graph, Operation, Unary};

use super::{Mask, Scalar};
use core::cell::{Cell, RefCell};
use core::ops::{Add, AddAssign, BitAnd, BitOr, Div, Mul, MulAssign, Neg, Not, Sub, SubAssign};

/// A number that records what is done with it on the current thread, beside its value at a sample.
#[derive(Clone, Copy, Debug)]
pub struct Traced {
    value: f64,
    /// Operation that gives it; [`KNOWN`] for constants.
    at: u32,
}

/// Outcome of a comparison of [`Traced`] numbers.
#[derive(Clone, Copy, Debug)]
pub struct TracedMask {
    value: bool,
    at: u32,
}

/// In place of an operation: a constant.
const KNOWN: u32 = u32::MAX;

std::thread_local! {
    static GRAPH: RefCell<Option<Graph>> = const { RefCell::new(None) };
    /// Operations that the current recording was asked for.
    static ASKED: Cell<u64> = const { Cell::new(0) };
}

fn count(operations: u64) {
    ASKED.set(ASKED.get() + operations);
}

/// Does something with the graph of the current recording. Outside one there is none: numbers are their values then.
fn recorded(act: impl FnOnce(&mut Graph) -> u32) -> u32 {
    GRAPH.with_borrow_mut(|graph| graph.as_mut().map_or(KNOWN, act))
}

impl Traced {
    /// Runs `work` and gives, beside its result, what it did with traced numbers. A recording within a recording is one of its own.
    pub fn record<R>(work: impl FnOnce() -> R) -> (R, Graph) {
        let (outer, before) = (GRAPH.replace(Some(Graph::default())), ASKED.replace(0));
        let result = work();
        let mut graph = GRAPH.replace(outer).unwrap_or_default();
        graph.asked = ASKED.replace(before);
        (result, graph)
    }

    /// A new input of the current recording, with its value at the sample.
    pub fn input(value: f64) -> Self {
        Self { value, at: recorded(Graph::input) }
    }

    /// Its value at the sample.
    pub fn value(self) -> f64 {
        self.value
    }

    /// The operation of the current recording that gives it.
    pub fn operation(self) -> u32 {
        recorded(|graph| self.place(graph))
    }

    fn place(self, graph: &mut Graph) -> u32 {
        // One that an earlier recording left is a constant here.
        if (self.at as usize) < graph.operations().len() { self.at } else { graph.constant(self.value) }
    }

    fn unary(self, function: Unary) -> Self {
        count(1);
        self.with(function.of(self.value), |graph, a| graph.unary(function, a))
    }

    fn binary(self, function: Binary, other: Self) -> Self {
        count(1);
        let value = function.of(self.value, other.value);
        if self.at == KNOWN && other.at == KNOWN {
            return Self { value, at: KNOWN };
        }
        let at = recorded(|graph| {
            let (a, b) = (self.place(graph), other.place(graph));
            graph.binary(function, a, b)
        });
        Self { value, at }
    }

    fn with(self, value: f64, act: impl FnOnce(&mut Graph, u32) -> u32) -> Self {
        if self.at == KNOWN {
            return Self { value, at: KNOWN };
        }
        let at = recorded(|graph| {
            let a = self.place(graph);
            act(graph, a)
        });
        Self { value, at }
    }
}

impl TracedMask {
    fn place(self, graph: &mut Graph) -> u32 {
        let known = (self.at as usize) >= graph.operations().len();
        if known { graph.constant(if self.value { 1.0 } else { 0.0 }) } else { self.at }
    }

    fn joined(self, function: Binary, other: Self) -> Self {
        let value = if function == Binary::And { self.value & other.value } else { self.value | other.value };
        if self.at == KNOWN && other.at == KNOWN {
            return Self { value, at: KNOWN };
        }
        let at = recorded(|graph| {
            let (a, b) = (self.place(graph), other.place(graph));
            graph.binary(function, a, b)
        });
        Self { value, at }
    }

    /// Its value at the sample, which the recorded program supposes from here on.
    fn decided(self) -> bool {
        if self.at != KNOWN {
            recorded(|graph| {
                let at = self.place(graph);
                graph.suppose(at, self.value);
                at
            });
        }
        self.value
    }
}

impl BitAnd for TracedMask {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        self.joined(Binary::And, other)
    }
}

impl BitOr for TracedMask {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        self.joined(Binary::Or, other)
    }
}

impl Not for TracedMask {
    type Output = Self;

    fn not(self) -> Self {
        let at = match self.at {
            KNOWN => KNOWN,
            _ => recorded(|graph| {
                let a = self.place(graph);
                graph.unary(Unary::Not, a)
            }),
        };
        Self { value: !self.value, at }
    }
}

impl Mask for TracedMask {
    fn splat(value: bool) -> Self {
        Self { value, at: KNOWN }
    }

    fn all(self) -> bool {
        self.decided()
    }

    fn any(self) -> bool {
        self.decided()
    }
}

impl Neg for Traced {
    type Output = Self;

    fn neg(self) -> Self {
        self.unary(Unary::Negative)
    }
}

impl Add for Traced {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        self.binary(Binary::Sum, other)
    }
}

impl Sub for Traced {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self.binary(Binary::Difference, other)
    }
}

impl Mul for Traced {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        self.binary(Binary::Product, other)
    }
}

impl Div for Traced {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        self.binary(Binary::Quotient, other)
    }
}

impl AddAssign for Traced {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Traced {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl MulAssign for Traced {
    fn mul_assign(&mut self, other: Self) {
        *self = *self * other;
    }
}

impl Scalar for Traced {
    type Mask = TracedMask;

    const ZERO: Self = Self { value: 0.0, at: KNOWN };
    const ONE: Self = Self { value: 1.0, at: KNOWN };

    fn from_f64(value: f64) -> Self {
        Self { value, at: KNOWN }
    }

    fn mul_add(self, factor: Self, addend: Self) -> Self {
        count(2);
        let value = Scalar::mul_add(self.value, factor.value, addend.value);
        if [self.at, factor.at, addend.at] == [KNOWN; 3] {
            return Self { value, at: KNOWN };
        }
        let at = recorded(|graph| {
            let (a, b, c) = (self.place(graph), factor.place(graph), addend.place(graph));
            graph.mul_add(a, b, c)
        });
        Self { value, at }
    }

    fn sqrt(self) -> Self {
        self.unary(Unary::SquareRoot)
    }

    fn sin_cos(self) -> (Self, Self) {
        (self.unary(Unary::Sine), self.unary(Unary::Cosine))
    }

    fn ln(self) -> Self {
        self.unary(Unary::Logarithm)
    }

    fn exp(self) -> Self {
        self.unary(Unary::Exponential)
    }

    fn tanh(self) -> Self {
        self.unary(Unary::HyperbolicTangent)
    }

    fn atan2(self, abscissa: Self) -> Self {
        self.binary(Binary::ArcTangent, abscissa)
    }

    fn less_than(self, other: Self) -> TracedMask {
        let Self { value, at } = self.binary(Binary::Less, other);
        TracedMask { value: value != 0.0, at }
    }

    fn is_finite(self) -> TracedMask {
        let Self { value, at } = self.unary(Unary::IsFinite);
        TracedMask { value: value != 0.0, at }
    }

    /// By their sum, which is not finite where one of them is not.
    fn all_finite(values: &[Self]) -> TracedMask {
        values.iter().fold(Self::ZERO, |sum, x| sum + *x).is_finite()
    }

    fn select(mask: TracedMask, yes: Self, no: Self) -> Self {
        count(1);
        let value = if mask.value { yes.value } else { no.value };
        if mask.at == KNOWN {
            return if mask.value { yes } else { no };
        }
        let at = recorded(|graph| {
            let (mask, yes, no) = (mask.place(graph), yes.place(graph), no.place(graph));
            graph.select(mask, yes, no)
        });
        Self { value, at }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_fold_and_operations_are_done_once() {
        let (results, graph) = Traced::record(|| {
            let (x, y) = (Traced::input(2.0), Traced::input(3.0));
            let two = Traced::from_f64(2.0);
            [
                x * Traced::ZERO + y,                                                // y
                (x + y) - (y + x),                                                   // 0
                -(x - y) + (x - y),                                                  // (y - x) + (x - y)
                x.mul_add(Traced::ONE, y),                                           // x + y
                (-x) * (-y),                                                         // x y
                two * two + Traced::ONE,                                             // 5
                Traced::select(two.less_than(x) | Traced::ONE.less_than(two), x, y), // x
                two * (x * two),                                                     // 4 x
                (-x).mul_add(-y, two),                                               // x y + 2
            ]
            .map(|result| (result.value(), result.operation()))
        });
        let operation = |i: usize| graph.operations()[results[i].1 as usize];
        assert_eq!(results.map(|(value, _)| value), [3.0, 0.0, 0.0, 5.0, 6.0, 5.0, 2.0, 8.0, 8.0]);
        assert_eq!(operation(0), Operation::Input(1));
        assert_eq!(operation(1), Operation::Constant(0.0));
        assert_eq!(operation(3), Operation::Binary(Binary::Sum, 0, 1));
        assert_eq!(operation(4), Operation::Binary(Binary::Product, 0, 1));
        assert_eq!(operation(5), Operation::Constant(5.0));
        assert_eq!(operation(6), Operation::Input(0));
        assert!(matches!(operation(7), Operation::Binary(Binary::Product, 0, _)));
        assert!(matches!(operation(8), Operation::MulAdd(0, 1, _)));
        assert!(graph.asked() > 20);
        assert!(graph.conditions().is_empty());
    }

    #[test]
    fn decisions_are_conditions() {
        let ((), graph) = Traced::record(|| {
            let x = Traced::input(2.0);
            assert!(x.less_than(Traced::from_f64(3.0)).all());
            assert!(!x.less_than(Traced::ONE).any());
            assert!(Traced::ONE.is_finite().all());
        });
        let held: Vec<bool> = graph.conditions().iter().map(|condition| condition.held).collect();
        assert_eq!(held, [true, false]);
    }
}
