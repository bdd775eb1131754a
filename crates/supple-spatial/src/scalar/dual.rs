//! Forward differentiation: [`Dual`], a value and its directional derivative.

use core::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

use super::Scalar;

/// A value and its derivative along one direction.
///
/// The value is that of the same computation on `T`; `Dual<Dual<T>>` carries second derivatives.
/// Comparisons look at the value only.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dual<T> {
    /// The value.
    pub value: T,
    /// The derivative of the value along the direction.
    pub derivative: T,
}

impl<T: Scalar> Dual<T> {
    /// A number that does not depend on the direction: derivative zero.
    #[inline(always)]
    pub fn constant(value: T) -> Self {
        Self { value, derivative: T::ZERO }
    }

    /// The number to differentiate by: derivative one.
    #[inline(always)]
    pub fn variable(value: T) -> Self {
        Self { value, derivative: T::ONE }
    }
}

impl<T: Scalar> Neg for Dual<T> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self { value: -self.value, derivative: -self.derivative }
    }
}

impl<T: Scalar> Add for Dual<T> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { value: self.value + other.value, derivative: self.derivative + other.derivative }
    }
}

impl<T: Scalar> Sub for Dual<T> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self { value: self.value - other.value, derivative: self.derivative - other.derivative }
    }
}

impl<T: Scalar> Mul for Dual<T> {
    type Output = Self;

    // (x y)′ = x′ y + x y′
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let right = self.value * other.derivative;
        Self { value: self.value * other.value, derivative: self.derivative.mul_add(other.value, right) }
    }
}

impl<T: Scalar> Div for Dual<T> {
    type Output = Self;

    // (x / y)′ = (x′ − (x / y) y′) / y
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        let value = self.value / other.value;
        Self { value, derivative: (-value).mul_add(other.derivative, self.derivative) / other.value }
    }
}

impl<T: Scalar> AddAssign for Dual<T> {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<T: Scalar> SubAssign for Dual<T> {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl<T: Scalar> MulAssign for Dual<T> {
    #[inline(always)]
    fn mul_assign(&mut self, other: Self) {
        *self = *self * other;
    }
}

impl<T: Scalar> Scalar for Dual<T> {
    type Mask = T::Mask;

    const EPSILON: f64 = T::EPSILON;
    const ZERO: Self = Self { value: T::ZERO, derivative: T::ZERO };
    const ONE: Self = Self { value: T::ONE, derivative: T::ZERO };

    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        Self::constant(T::from_f64(value))
    }

    // (x y + z)′ = x′ y + (x y′ + z′)
    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        let right = self.value.mul_add(factor.derivative, addend.derivative);
        Self {
            value: self.value.mul_add(factor.value, addend.value),
            derivative: self.derivative.mul_add(factor.value, right),
        }
    }

    // (√x)′ = x′ / (2 √x)
    #[inline(always)]
    fn sqrt(self) -> Self {
        let value = self.value.sqrt();
        Self { value, derivative: self.derivative / (value + value) }
    }

    // (sin x)′ = x′ cos x, (cos x)′ = −x′ sin x
    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        let (sine, cosine) = self.value.sin_cos();
        (
            Self { value: sine, derivative: self.derivative * cosine },
            Self { value: cosine, derivative: -(self.derivative * sine) },
        )
    }

    // (ln x)′ = x′ / x
    #[inline(always)]
    fn ln(self) -> Self {
        Self { value: self.value.ln(), derivative: self.derivative / self.value }
    }

    // (exp x)′ = x′ exp x
    #[inline(always)]
    fn exp(self) -> Self {
        let value = self.value.exp();
        Self { value, derivative: self.derivative * value }
    }

    // (tanh x)′ = x′ (1 − tanh² x)
    #[inline(always)]
    fn tanh(self) -> Self {
        let value = self.value.tanh();
        Self { value, derivative: self.derivative * (-value).mul_add(value, T::ONE) }
    }

    // atan2(y, x)′ = (x y′ − y x′) / (x² + y²)
    #[inline(always)]
    fn atan2(self, abscissa: Self) -> Self {
        let (y, x) = (self, abscissa);
        let square = x.value.mul_add(x.value, y.value * y.value);
        let change = x.value.mul_add(y.derivative, -(y.value * x.derivative));
        Self { value: y.value.atan2(x.value), derivative: change / square }
    }

    #[inline(always)]
    fn less_than(self, other: Self) -> Self::Mask {
        self.value.less_than(other.value)
    }

    /// Where the value and the derivative are both finite.
    #[inline(always)]
    fn is_finite(self) -> Self::Mask {
        self.value.is_finite() & self.derivative.is_finite()
    }

    #[inline(always)]
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self {
        Self { value: T::select(mask, yes.value, no.value), derivative: T::select(mask, yes.derivative, no.derivative) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Second = Dual<Dual<f64>>;

    /// Holds the value and two derivatives of `function` at `x` against those expected.
    #[track_caller]
    fn check(function: impl Fn(Second) -> Second, x: f64, expected: [f64; 3]) {
        let y = function(Dual::variable(Dual::variable(x)));
        assert_eq!(y.value.derivative, y.derivative.value);
        let found = [y.value.value, y.derivative.value, y.derivative.derivative];
        for i in 0..3 {
            let tolerance = 4.0 * f64::EPSILON * expected[i].abs();
            assert!((found[i] - expected[i]).abs() <= tolerance, "{found:?}");
        }
    }

    #[test]
    fn first_and_second_derivatives() {
        let (sine, cosine) = Scalar::sin_cos(0.7);
        let assigned = |x: Second| {
            let mut y = -x;
            y -= x * x;
            y *= x;
            y += Second::from_f64(3.0);
            y
        };
        check(assigned, 4.0, [-77.0, -56.0, -26.0]);
        check(|x| x.mul_add(x, x * x * x), 4.0, [80.0, 56.0, 26.0]);
        check(|x| x / (x * x), 4.0, [0.25, -0.0625, 0.03125]);
        check(|x| x.recip(), 4.0, [0.25, -0.0625, 0.03125]);
        check(|x| x.sqrt(), 4.0, [2.0, 0.25, -0.03125]);
        check(|x| x.ln(), 4.0, [Scalar::ln(4.0), 0.25, -0.0625]);
        let e = Scalar::exp(0.7);
        check(|x| x.exp(), 0.7, [e, e, e]);
        let (t, s) = (Scalar::tanh(0.7), 1.0 - Scalar::tanh(0.7) * Scalar::tanh(0.7));
        check(|x| x.tanh(), 0.7, [t, s, -2.0 * t * s]);
        // The angle of (4, x) at x = 2, and of (x, 2) at x = 4.
        let angle = Scalar::atan2(2.0, 4.0);
        check(|x| x.atan2(Second::from_f64(4.0)), 2.0, [angle, 0.2, -0.04]);
        check(|x| Second::from_f64(2.0).atan2(x), 4.0, [angle, -0.1, 0.04]);
        check(|x| x.sin_cos().0, 0.7, [sine, cosine, -sine]);
        check(|x| x.sin_cos().1, 0.7, [cosine, -sine, -cosine]);
    }

    #[test]
    fn masks_look_at_the_value_and_finiteness_at_both() {
        let x = Dual::variable(1.0_f64);
        let mut y = Dual::constant(2.0);
        assert!(x.less_than(y) && !y.less_than(x) && y.is_finite());
        assert_eq!(Dual::select(x.less_than(y), x, y), x);
        y.derivative = f64::INFINITY;
        assert!(!y.is_finite() && !Dual::constant(f64::NAN).is_finite());
    }
}
