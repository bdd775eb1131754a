//! Operation counts: [`Counted`] and its [`Operations`].

use core::cell::Cell;
use core::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

use super::Scalar;

/// An `f64` that counts the operations done on it by the current thread.
///
/// A subtraction counts as an addition, a `mul_add` as a multiplication and an addition, a
/// `sin_cos` as two trigonometric functions. Changes of sign, comparisons, selections and
/// constants are free. Operations with zero and one count like any other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Counted(pub f64);

/// How many operations of each kind were done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Operations {
    /// Multiplications.
    pub multiplications: u64,
    /// Additions and subtractions.
    pub additions: u64,
    /// Divisions.
    pub divisions: u64,
    /// Square roots.
    pub square_roots: u64,
    /// Sines, cosines and arc tangents.
    pub trigonometric: u64,
    /// Logarithms.
    pub logarithms: u64,
    /// Exponentials and hyperbolic tangents.
    pub exponentials: u64,
}

impl Operations {
    /// No operations.
    const NONE: Self = Self {
        multiplications: 0,
        additions: 0,
        divisions: 0,
        square_roots: 0,
        trigonometric: 0,
        logarithms: 0,
        exponentials: 0,
    };

    /// Multiplications and additions.
    pub fn flops(&self) -> u64 {
        self.multiplications + self.additions
    }

    /// Divisions, square roots, trigonometric functions, logarithms and exponentials.
    pub fn other(&self) -> u64 {
        self.divisions + self.square_roots + self.trigonometric + self.logarithms + self.exponentials
    }
}

impl Add for Operations {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self {
            multiplications: self.multiplications + other.multiplications,
            additions: self.additions + other.additions,
            divisions: self.divisions + other.divisions,
            square_roots: self.square_roots + other.square_roots,
            trigonometric: self.trigonometric + other.trigonometric,
            logarithms: self.logarithms + other.logarithms,
            exponentials: self.exponentials + other.exponentials,
        }
    }
}

impl Sub for Operations {
    type Output = Self;

    /// What was done between two readings, `self` the later one.
    fn sub(self, earlier: Self) -> Self {
        Self {
            multiplications: self.multiplications - earlier.multiplications,
            additions: self.additions - earlier.additions,
            divisions: self.divisions - earlier.divisions,
            square_roots: self.square_roots - earlier.square_roots,
            trigonometric: self.trigonometric - earlier.trigonometric,
            logarithms: self.logarithms - earlier.logarithms,
            exponentials: self.exponentials - earlier.exponentials,
        }
    }
}

thread_local! {
    static DONE: Cell<Operations> = const { Cell::new(Operations::NONE) };
}

/// Adds to the counts of the current thread.
#[inline(always)]
fn count(operations: Operations) {
    DONE.set(DONE.get() + operations);
}

impl Counted {
    /// Sets the counts of the current thread to zero.
    pub fn reset() {
        DONE.set(Operations::NONE);
    }

    /// The operations done by the current thread since it started or since the last reset.
    pub fn operations() -> Operations {
        DONE.get()
    }
}

impl Neg for Counted {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Add for Counted {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        count(Operations { additions: 1, ..Operations::NONE });
        Self(self.0 + other.0)
    }
}

impl Sub for Counted {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        count(Operations { additions: 1, ..Operations::NONE });
        Self(self.0 - other.0)
    }
}

impl Mul for Counted {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        count(Operations { multiplications: 1, ..Operations::NONE });
        Self(self.0 * other.0)
    }
}

impl Div for Counted {
    type Output = Self;

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        count(Operations { divisions: 1, ..Operations::NONE });
        Self(self.0 / other.0)
    }
}

impl AddAssign for Counted {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Counted {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl MulAssign for Counted {
    #[inline(always)]
    fn mul_assign(&mut self, other: Self) {
        *self = *self * other;
    }
}

impl Scalar for Counted {
    type Mask = bool;

    const ZERO: Self = Self(0.0);
    const ONE: Self = Self(1.0);

    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        Self(value)
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        count(Operations { multiplications: 1, additions: 1, ..Operations::NONE });
        Self(Scalar::mul_add(self.0, factor.0, addend.0))
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        count(Operations { square_roots: 1, ..Operations::NONE });
        Self(Scalar::sqrt(self.0))
    }

    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        count(Operations { trigonometric: 2, ..Operations::NONE });
        let (sine, cosine) = Scalar::sin_cos(self.0);
        (Self(sine), Self(cosine))
    }

    #[inline(always)]
    fn ln(self) -> Self {
        count(Operations { logarithms: 1, ..Operations::NONE });
        Self(Scalar::ln(self.0))
    }

    #[inline(always)]
    fn exp(self) -> Self {
        count(Operations { exponentials: 1, ..Operations::NONE });
        Self(Scalar::exp(self.0))
    }

    #[inline(always)]
    fn tanh(self) -> Self {
        count(Operations { exponentials: 1, ..Operations::NONE });
        Self(Scalar::tanh(self.0))
    }

    #[inline(always)]
    fn atan2(self, abscissa: Self) -> Self {
        count(Operations { trigonometric: 1, ..Operations::NONE });
        Self(Scalar::atan2(self.0, abscissa.0))
    }

    #[inline(always)]
    fn less_than(self, other: Self) -> bool {
        self.0.less_than(other.0)
    }

    #[inline(always)]
    fn is_finite(self) -> bool {
        Scalar::is_finite(self.0)
    }

    #[inline(always)]
    fn select(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_each_kind_and_leaves_values_alone() {
        let (x, y) = (Counted(2.5), Counted::from_f64(0.5));
        Counted::reset();
        assert_eq!(x.mul_add(y, Counted::ONE), Counted(2.25));
        let before = Counted::operations();
        assert_eq!((before.flops(), before.other()), (2, 0));
        let mut z = x * Counted::ZERO + y;
        z -= x;
        z += -y;
        z *= x;
        z = Counted::select(z.less_than(y) & z.is_finite(), z, x);
        assert_eq!((z, x / y, y.recip()), (Counted(-6.25), Counted(5.0), Counted(2.0)));
        assert_eq!((x.sqrt().0, x.ln().0), (2.5_f64.sqrt(), 2.5_f64.ln()));
        assert_eq!(x.sin_cos().1.0, 2.5_f64.cos());
        assert_eq!((x.exp().0, x.tanh().0, x.atan2(y).0), (2.5_f64.exp(), 2.5_f64.tanh(), 2.5_f64.atan2(0.5)));
        let done = Counted::operations() - before;
        let expected = Operations {
            multiplications: 2,
            additions: 3,
            divisions: 2,
            square_roots: 1,
            trigonometric: 3,
            logarithms: 1,
            exponentials: 2,
        };
        assert_eq!((done, done.flops(), done.other()), (expected, 5, 9));
    }

    #[test]
    fn threads_count_apart() {
        Counted::reset();
        let _ = Counted::ONE + Counted::ONE;
        let elsewhere = std::thread::spawn(Counted::operations).join();
        assert_eq!(elsewhere.ok(), Some(Operations::NONE));
        assert_eq!(Counted::operations().additions, 1);
    }
}
