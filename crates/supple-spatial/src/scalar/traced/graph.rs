//! What was done with numbers, as a graph: each operation once, constants folded.
//!
//! Identities used are those that keep every rounding, or leave one out: `x + 0`, `x · 1`, `x · 0`, `-(-x)`, `(-a) b = -(a b)`,
//! `a + (-b) = a - b`, `k (l x) = (k l) x` of constants, sums and products in one order. `x · 0 = 0` supposes that `x` is finite.

use super::mixer::Mixer;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::vec::Vec;

/// An operation of a recorded program; operands are numbers of operations before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operation {
    /// Input of this number.
    Input(u32),
    /// A constant.
    Constant(f64),
    /// A function of one number.
    Unary(Unary, u32),
    /// A function of two numbers.
    Binary(Binary, u32, u32),
    /// `a · b + c`.
    MulAdd(u32, u32, u32),
    /// The second where the first, a truth value, holds, the third elsewhere.
    Select(u32, u32, u32),
}

/// Functions of one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    /// `-a`.
    Negative,
    /// Square root.
    SquareRoot,
    /// Sine.
    Sine,
    /// Cosine.
    Cosine,
    /// Natural logarithm.
    Logarithm,
    /// Exponential.
    Exponential,
    /// Hyperbolic tangent.
    HyperbolicTangent,
    /// Whether it is neither infinite nor NaN: a truth value.
    IsFinite,
    /// Of a truth value: its opposite.
    Not,
}

/// Functions of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    /// `a + b`.
    Sum,
    /// `a - b`.
    Difference,
    /// `a · b`.
    Product,
    /// `a / b`.
    Quotient,
    /// Angle of the point with ordinate `a` and abscissa `b`.
    ArcTangent,
    /// `a < b`: a truth value.
    Less,
    /// Of truth values: both.
    And,
    /// Of truth values: at least one.
    Or,
}

impl Unary {
    /// Its value; truth values are 1 and 0.
    pub fn of(self, a: f64) -> f64 {
        use super::super::Scalar;
        match self {
            Self::Negative => -a,
            Self::SquareRoot => Scalar::sqrt(a),
            Self::Sine => Scalar::sin_cos(a).0,
            Self::Cosine => Scalar::sin_cos(a).1,
            Self::Logarithm => Scalar::ln(a),
            Self::Exponential => Scalar::exp(a),
            Self::HyperbolicTangent => Scalar::tanh(a),
            Self::IsFinite => truth(a.is_finite()),
            Self::Not => truth(a == 0.0),
        }
    }
}

impl Binary {
    /// Its value; truth values are 1 and 0.
    pub fn of(self, a: f64, b: f64) -> f64 {
        use super::super::Scalar;
        match self {
            Self::Sum => a + b,
            Self::Difference => a - b,
            Self::Product => a * b,
            Self::Quotient => a / b,
            Self::ArcTangent => Scalar::atan2(a, b),
            Self::Less => truth(a < b),
            Self::And => truth(a != 0.0 && b != 0.0),
            Self::Or => truth(a != 0.0 || b != 0.0),
        }
    }

    fn commutes(self) -> bool {
        matches!(self, Self::Sum | Self::Product | Self::And | Self::Or)
    }
}

fn truth(value: bool) -> f64 {
    if value { 1.0 } else { 0.0 }
}

/// A recorded program: operations in an order in which they can be done, and what it supposes.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    operations: Vec<Operation>,
    /// Where each operation is, constants by their bits.
    places: HashMap<Key, u32, BuildHasherDefault<Mixer>>,
    inputs: u32,
    conditions: Vec<Condition>,
    pub(super) asked: u64,
}

/// A truth value that the recorded program took for granted: the program holds where it has the same value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The operation that gives it.
    pub operation: u32,
    /// What it was.
    pub held: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Key {
    Input(u32),
    Constant(u64),
    Unary(Unary, u32),
    Binary(Binary, u32, u32),
    MulAdd(u32, u32, u32),
    Select(u32, u32, u32),
}

impl Graph {
    /// The operations, each after its operands.
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// How many operations were asked for, before any was folded or found to have been done: `a · b + c` is two.
    pub fn asked(&self) -> u64 {
        self.asked
    }

    /// How many inputs there are.
    pub fn inputs(&self) -> usize {
        self.inputs as usize
    }

    /// What the program supposes, in the order in which it was asked.
    pub fn conditions(&self) -> &[Condition] {
        &self.conditions
    }

    /// A new input.
    pub fn input(&mut self) -> u32 {
        self.inputs += 1;
        self.place(Operation::Input(self.inputs - 1))
    }

    /// A constant.
    pub fn constant(&mut self, value: f64) -> u32 {
        self.place(Operation::Constant(value))
    }

    /// Supposes a truth value.
    pub fn suppose(&mut self, operation: u32, held: bool) {
        let condition = Condition { operation, held };
        if self.value(operation).is_none() && !self.conditions.contains(&condition) {
            self.conditions.push(condition);
        }
    }

    /// The constant that an operation is, if it is one.
    fn value(&self, at: u32) -> Option<f64> {
        match self.operations[at as usize] {
            Operation::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// What an operation is the negative of, if it is one.
    fn opposite(&self, at: u32) -> Option<u32> {
        match self.operations[at as usize] {
            Operation::Unary(Unary::Negative, a) => Some(a),
            _ => None,
        }
    }

    /// Whether an operation is the constant `value`; zeros of either sign are the same.
    fn is(&self, at: u32, value: f64) -> bool {
        self.value(at) == Some(value)
    }

    /// A function of one number.
    pub fn unary(&mut self, function: Unary, a: u32) -> u32 {
        if let Some(value) = self.value(a) {
            return self.constant(function.of(value));
        }
        match (function, self.operations[a as usize]) {
            (Unary::Negative, Operation::Unary(Unary::Negative, x)) | (Unary::Not, Operation::Unary(Unary::Not, x)) => {
                x
            }
            (Unary::Negative, Operation::Binary(Binary::Difference, x, y)) => self.binary(Binary::Difference, y, x),
            _ => self.place(Operation::Unary(function, a)),
        }
    }

    /// A function of two numbers.
    pub fn binary(&mut self, function: Binary, a: u32, b: u32) -> u32 {
        if let (Some(x), Some(y)) = (self.value(a), self.value(b)) {
            return self.constant(function.of(x, y));
        }
        match function {
            Binary::Sum => self.sum(a, b),
            Binary::Difference => self.difference(a, b),
            Binary::Product => self.product(a, b),
            Binary::Quotient if self.is(b, 1.0) => a,
            Binary::Quotient if self.is(a, 0.0) => a,
            Binary::And | Binary::Or => self.joined(function, a, b),
            _ => self.place(Operation::Binary(function, a, b)),
        }
    }

    fn sum(&mut self, a: u32, b: u32) -> u32 {
        match (self.opposite(a), self.opposite(b)) {
            _ if self.is(a, 0.0) => b,
            _ if self.is(b, 0.0) => a,
            (_, Some(y)) => self.difference(a, y),
            (Some(x), None) => self.difference(b, x),
            (None, None) => self.place(Operation::Binary(Binary::Sum, a, b)),
        }
    }

    fn difference(&mut self, a: u32, b: u32) -> u32 {
        match (self.opposite(a), self.opposite(b)) {
            _ if self.is(b, 0.0) => a,
            _ if self.is(a, 0.0) => self.unary(Unary::Negative, b),
            _ if a == b => self.constant(0.0),
            (_, Some(y)) => self.sum(a, y),
            (Some(x), None) => {
                let sum = self.sum(x, b);
                self.unary(Unary::Negative, sum)
            }
            (None, None) => self.place(Operation::Binary(Binary::Difference, a, b)),
        }
    }

    fn product(&mut self, a: u32, b: u32) -> u32 {
        for (x, y) in [(a, b), (b, a)] {
            match self.value(x) {
                Some(0.0) => return self.constant(0.0),
                Some(1.0) => return y,
                Some(-1.0) => return self.unary(Unary::Negative, y),
                Some(c) if c < 0.0 => {
                    let c = self.constant(-c);
                    let product = self.product(c, y);
                    return self.unary(Unary::Negative, product);
                }
                _ => {}
            }
            if let Some(x) = self.opposite(x) {
                let product = self.product(x, y);
                return self.unary(Unary::Negative, product);
            }
            if let Some((factor, inner)) = self.scaled(x, y) {
                return self.product(factor, inner);
            }
        }
        self.place(Operation::Binary(Binary::Product, a, b))
    }

    /// `k (l x) = (k l) x`, where `k` and `l` are constants whose product has all its digits.
    fn scaled(&mut self, k: u32, y: u32) -> Option<(u32, u32)> {
        let (k, Operation::Binary(Binary::Product, l, x)) = (self.value(k)?, self.operations[y as usize]) else {
            return None;
        };
        let (l, x) = match (self.value(l), self.value(x)) {
            (Some(l), _) => (l, x),
            (_, Some(constant)) => (constant, l),
            _ => return None,
        };
        (k * l).is_normal().then(|| (self.constant(k * l), x))
    }

    fn joined(&mut self, function: Binary, a: u32, b: u32) -> u32 {
        // What leaves the other as it is.
        let neutral = truth(function == Binary::And);
        for (x, y) in [(a, b), (b, a)] {
            match self.value(x) {
                Some(value) if value == neutral => return y,
                Some(_) => return x,
                None => {}
            }
        }
        if a == b { a } else { self.place(Operation::Binary(function, a, b)) }
    }

    /// `a · b + c`.
    pub fn mul_add(&mut self, a: u32, b: u32, c: u32) -> u32 {
        let simple = |graph: &Self, x: u32| graph.value(x).is_some_and(|x| x == 0.0 || x.abs() == 1.0);
        let known = self.value(a).is_some() && self.value(b).is_some();
        if known || simple(self, a) || simple(self, b) || self.is(c, 0.0) {
            let product = self.product_of(a, b);
            return self.binary(Binary::Sum, product, c);
        }
        if let (Some(a), Some(b)) = (self.opposite(a), self.opposite(b)) {
            return self.mul_add(a, b, c);
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Some((factor, inner)) = self.scaled(x, y) {
                return self.mul_add(factor, inner, c);
            }
        }
        self.place(Operation::MulAdd(a, b, c))
    }

    fn product_of(&mut self, a: u32, b: u32) -> u32 {
        self.binary(Binary::Product, a, b)
    }

    /// `yes` where `mask` holds, `no` elsewhere.
    pub fn select(&mut self, mask: u32, yes: u32, no: u32) -> u32 {
        match (self.value(mask), self.operations[mask as usize]) {
            (Some(value), _) => {
                if value != 0.0 {
                    yes
                } else {
                    no
                }
            }
            _ if yes == no => yes,
            (None, Operation::Unary(Unary::Not, mask)) => self.select(mask, no, yes),
            _ => self.place(Operation::Select(mask, yes, no)),
        }
    }

    /// The place of an operation, the one it has where it was done before.
    fn place(&mut self, operation: Operation) -> u32 {
        let sorted = |a: u32, b: u32| (a.min(b), a.max(b));
        let (operation, key) = match operation {
            Operation::Input(i) => (operation, Key::Input(i)),
            Operation::Constant(value) => (operation, Key::Constant(value.to_bits())),
            Operation::Unary(f, a) => (operation, Key::Unary(f, a)),
            Operation::Binary(f, a, b) => {
                let (a, b) = if f.commutes() { sorted(a, b) } else { (a, b) };
                (Operation::Binary(f, a, b), Key::Binary(f, a, b))
            }
            Operation::MulAdd(a, b, c) => {
                let (a, b) = sorted(a, b);
                (Operation::MulAdd(a, b, c), Key::MulAdd(a, b, c))
            }
            Operation::Select(m, a, b) => (operation, Key::Select(m, a, b)),
        };
        if let Some(&at) = self.places.get(&key) {
            return at;
        }
        let at = self.operations.len() as u32;
        self.operations.push(operation);
        self.places.insert(key, at);
        at
    }
}
